#include "fences.hpp"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "support.hpp"

namespace callfence {
namespace {

using test::strict_fences;

/// The states after each mark: p, j or o.
std::string states(FenceRule rule, const std::vector<std::string>& marks) {
  FenceMachine machine(rule);
  std::string path;
  for (const std::string& mark : marks) {
    machine.step(mark);
    path += "pjo"[static_cast<int>(machine.state())];
  }
  return path;
}

/// The lines that the scan visits, each behind its first byte.
std::vector<std::string> fence_lines(std::string_view text, bool tildes) {
  std::vector<std::string> lines;
  for_each_fence_line(text, tildes, [&](std::string_view line, std::size_t begin) {
    lines.push_back(std::to_string(begin) + ":" + std::string(line));
  });
  return lines;
}

TEST(Lines, T1_EndAtLineFeedAndNowhereElse) {
  EXPECT_EQ(fence_lines("a\r`\xE2\x80\xA8\n`c\x0B\x0C\xC2\x85\n\nd`", false),
            (std::vector<std::string>{"0:a\r`\xE2\x80\xA8", "7:`c\x0B\x0C\xC2\x85", "15:d`"}));
}

TEST(Lines, TheScanVisitsThoseOfAPlainSplitThatHoldABacktickOrATilde) {
  std::mt19937 random(4);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (auto left = random() % 24; left > 0; --left) text += "\n`~ a\xE2\x80\x83"[random() % 8];
    for (const bool tildes : {false, true}) {
      std::vector<std::string> plain;
      std::size_t begin = 0;
      std::stringstream lines(text);
      for (std::string line; std::getline(lines, line); begin += line.size() + 1) {
        if (line.find_first_of(tildes ? "`~" : "`") != npos) plain.push_back(std::to_string(begin) + ":" + line);
      }
      ASSERT_EQ(fence_lines(text, tildes), plain) << make_visible(text);
    }
  }
}

struct Path {
  std::vector<std::string> marks;
  std::string reference;
  std::string strict;
};

TEST(FenceMachine, T3_T4_F1_F2_F3_TakesThesePaths) {
  const std::vector<Path> paths{
      {{"```json", "```"}, "jp", "jp"},
      {{"```JSON", "```"}, "jp", "jp"},
      {{"```jSoN", "x", "```"}, "jjp", "jjp"},
      {{"```json5", "```"}, "op", "op"},
      {{"```js", "```json", "```"}, "oop", "oop"},
      {{"``json", "`", "``"}, "ppp", "ppp"},
      {{"```"}, "o", "o"},
      {{"```", "```", "```json"}, "opj", "opj"},
      {{"``` json", "```"}, "op", "op"},
      {{"````json", "```", "````"}, "opo", "oop"},
      {{"```json", "````", "```"}, "jjp", "jpo"},
      {{"```json", "```x", "```"}, "jjp", "jjp"},
      {{"```json", "```json", "```"}, "jjp", "jjp"},
      {{"```json {\"a\":1} ```", "```json"}, "oo", "pj"},
      {{"```a`b", "```"}, "op", "po"},
      {{"~~~", "```json", "~~~"}, "pjj", "oop"},
      {{"~~~ a ` b", "~~~~"}, "pp", "op"},
      {{"~~~~json", "~~~", "~~~~~"}, "ppp", "oop"},
      {{"~~", "```json", "~~~"}, "pjj", "pjj"},
      {{"`````", "````", "``````"}, "ooo", "oop"},
      {{"", "text", "```json"}, "ppj", "ppj"},
  };
  for (const Path& path : paths) {
    EXPECT_EQ(states(FenceRule::reference, path.marks), path.reference) << path.marks.front();
    EXPECT_EQ(states(FenceRule::strict, path.marks), path.strict) << path.marks.front();
  }
}

TEST(Fences, F1_F2_F3_RulesAgreeWhereNothingTellsThemApart) {
  const std::string reply = "a\n```json\n{\"name\":\"a\"}\n```\n```py\n```json\n```\n``\n~~\n```json\n{}\n";
  EXPECT_EQ(parse_tool_calls(reply), parse_tool_calls(reply, strict_fences()));
}

TEST(Fences, T3_BlocksAreNumberedAmongJsonBlocksOnly) {
  const std::vector<Entry> entries =
      parse_tool_calls("```py\n```\n```json\n1\n```\n```\n```\n```json\n2\n```\n```json\n");
  ASSERT_EQ(entries.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(std::get<Error>(entries[i]).block, i + 1);
}

struct Spans {
  std::string reply;
  Span span;
  Span body;
};

TEST(Blocks, T5_SpansRunFromMarkToMarkAndBodiesLieBetween) {
  const std::vector<Spans> table{
      {"```json\n1\n```", {0, 13}, {8, 9}},
      {"```json\n1\n```\n", {0, 13}, {8, 9}},
      {"x\n \t```json \r\n1\r\n\xC2\xA0```  \n", {4, 22}, {14, 16}},
      {"```json\n```", {0, 11}, {8, 8}},
      {"```json\n\n```", {0, 12}, {8, 8}},
      {"```json\n\n\n```", {0, 13}, {8, 9}},
      {"```json", {0, 7}, {7, 7}},
      {"```json\n", {0, 8}, {8, 8}},
      {"  ```json  ", {2, 11}, {11, 11}},
      {"```json\n{}\n", {0, 11}, {8, 11}},
      {"```json\n{}", {0, 10}, {8, 10}},
  };
  for (const Spans& row : table) {
    const std::vector<Entry> entries = parse_tool_calls(row.reply);
    ASSERT_EQ(entries.size(), 1U) << row.reply;
    EXPECT_EQ(std::get<Error>(entries.front()).span, row.span) << row.reply;
    EXPECT_EQ(std::get<Error>(entries.front()).body, row.body) << row.reply;
  }
}

TEST(Blocks, T7_AnOpenBlockIsNeverDecodedAndAnOpenFenceYieldsNothing) {
  using Outlines = std::vector<std::string>;
  EXPECT_EQ(test::outline("```json\n{\"name\":\"a\"}\n"), Outlines{"error unclosed block"});
  EXPECT_EQ(test::outline("```json\n{\"name\":\"a\"}"), Outlines{"error unclosed block"});
  EXPECT_EQ(test::outline("```json\n{\"na"), Outlines{"error unclosed block"});
  EXPECT_EQ(test::outline("```python\n{\"name\":\"a\"}\n"), Outlines{});
}

TEST(Blocks, T8_ProseIsNeverDecoded) {
  EXPECT_TRUE(
      parse_tool_calls("{\"name\":\"a\",\"args\":{}}\n`{\"name\":\"b\"}`\n```\n{\"name\":\"c\"}\n```\n").empty());
}

TEST(Prose, IsWhatLiesOutsideTheBlocks) {
  const std::string reply = "a\n```json\n1\n```\n```py\nx\n```\n```json\n2\n```";
  EXPECT_EQ(find_prose(reply), (std::vector<Span>{{0, 2}, {15, 28}}));
  EXPECT_EQ(find_prose(""), std::vector<Span>{});
  EXPECT_EQ(find_prose("```json"), std::vector<Span>{});
  EXPECT_EQ(find_prose("plain"), (std::vector<Span>{{0, 5}}));
}

TEST(Places, CountLinesFromOneAndColumnsInCodePoints) {
  const std::string text = "\xC3\xA9\xFF\nab\xE6\x97\xA5z";
  EXPECT_EQ(place_in(text, 0, {}), (Place{0, 1, 1}));
  EXPECT_EQ(place_in(text, 3, {}), (Place{3, 1, 3}));
  EXPECT_EQ(place_in(text, 4, {}), (Place{4, 2, 1}));
  EXPECT_EQ(place_in(text, 9, {10, 7, 1}), (Place{19, 8, 4}));
}

}  // namespace
}  // namespace callfence
