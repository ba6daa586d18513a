#include <gtest/gtest.h>

#include "support.hpp"

namespace callfence {
namespace {

using test::in_block;
using test::options_of;
using test::repeat;

/// The notes of a reply in short: kind and the text of the span.
std::vector<std::string> notes_of(const std::string& reply, const Options& options = {}) {
  std::vector<std::string> notes;
  for (const Note& note : find_notes(reply, options)) {
    notes.push_back(std::string(to_string(note.kind)) + ": " +
                    reply.substr(note.span.begin, note.span.end - note.span.begin));
  }
  return notes;
}

std::string sentence_of(const std::string& reply) {
  const std::vector<Note> notes = find_notes(reply);
  return notes.size() == 1 ? notes.front().sentence : std::to_string(notes.size()) + " notes";
}

using Notes = std::vector<std::string>;

TEST(Notes, N1_AReplyThatEndsInsideAnotherFenceIsNotedAtItsOpening) {
  EXPECT_EQ(notes_of("a\n  ```py x \nb"), Notes{"open fence: ```py x"});
  EXPECT_EQ(notes_of("```py\n```\n```json\n{"), Notes{});
  EXPECT_EQ(notes_of("~~~\na", test::strict_fences()), Notes{"open fence: ~~~"});
  EXPECT_EQ(notes_of("~~~\na"), Notes{});
}

TEST(Notes, N1_N2_N3_ComeInTheOrderOfTheirSpans) {
  EXPECT_EQ(notes_of("``` json\n```json\n"),
            (Notes{"open fence: ``` json", "nearly an opening: ``` json", "swallowed: ```json"}));
  EXPECT_EQ(notes_of("> ```json\n```x\n```JSON\n```\n```y\n"),
            (Notes{"nearly an opening: > ```json", "swallowed: ```JSON", "open fence: ```y"}));
}

TEST(Notes, N2_AJsonMarkInsideAnotherFenceIsSwallowed) {
  EXPECT_EQ(notes_of("```py\n ```json \n```"), Notes{"swallowed: ```json"});
  EXPECT_EQ(notes_of("```py\n```json5\n> ```json\n```"), Notes{});
}

struct Near {
  std::string mark;
  std::string obstacles;  // None where there is no note.
};

TEST(Notes, N3_AMarkThatIsNearlyAnOpeningSaysWhy) {
  const std::string front = "characters in front of the fence";
  const std::vector<Near> table{
      {"```json5", "text after the tag"},
      {"```jsonc", "text after the tag"},
      {"```json {", "text after the tag"},
      {"```JSON\xE2\x80\x8B", "text after the tag"},
      {"```json {\"name\":\"a\"} ```", "text after the tag"},
      {"``` json", "white space between the fence and the tag"},
      {"```\xE3\x80\x80json", "white space between the fence and the tag"},
      {"````json", "a fence longer than three"},
      {"~~~json", "a fence of tildes"},
      {"> ```json", front},
      {"-```json", front},
      {"* + ```json", front},
      {"12. ```json", front},
      {"3)```json", front},
      {"\xE2\x80\x8B```json", front},
      {"\xE2\x80\x8C\xE2\x80\x8D\xE2\x81\xA0\xEF\xBB\xBF```json", front},
      {"> 1. ~~~~ Json lines", front + ", a fence of tildes, a fence longer than three, "
                                       "white space between the fence and the tag, text after the tag"},
      {"12 ```json", ""},
      {". ```json", ""},
      {"a ```json", ""},
      {"# ```json", ""},
      {"``json", ""},
      {"```js", ""},
      {"```jso n", ""},
      {"`json`", ""},
      {"~~~`json", ""},
      {"``~json", ""},
      {">", ""},
      {"1.", ""},
      {"json", ""},
  };
  for (const Near& row : table) {
    std::vector<std::string> sentences;
    for (const Note& note : find_notes(row.mark + "\n")) {
      if (note.kind == NoteKind::nearly_an_opening) sentences.push_back(note.sentence);
    }
    const std::string sentence = "this line opens no json block: " + row.obstacles;
    EXPECT_EQ(sentences, row.obstacles.empty() ? Notes{} : Notes{sentence}) << row.mark;
  }
  EXPECT_EQ(notes_of("```json\n1\n```\n"), Notes{}) << "a json mark is none";
}

TEST(Notes, N4_AFenceInsideAJsonBlockThatDoesNotCloseItIsNoted) {
  EXPECT_EQ(notes_of("```json\n{}``` \n ```x\n````\na```b\n``\n```"),
            (Notes{"nearly a closing: {}```", "nearly a closing: ```x", "nearly a closing: ````"}));
  EXPECT_EQ(notes_of("```json\n````\n", test::strict_fences()), Notes{}) << "strict: it closes";
  EXPECT_EQ(notes_of("```json\n{}```"), Notes{"nearly a closing: {}```"});
  EXPECT_EQ(notes_of("```json\n```json\n```"), Notes{"nearly a closing: ```json"});
}

TEST(Notes, N5_OtherMembersOfACallWithoutArgsAreNamed) {
  const std::string block = in_block(R"({"name":"a","arguments":{"x":1},"n":{"deep":1},"\u00e9":2})");
  EXPECT_EQ(sentence_of(block), "the call has no args, but other members: 'arguments', 'n', '\xC3\xA9'");
  EXPECT_EQ(find_notes("a\n" + block).at(0).span, (Span{2, block.size() + 1}));
  EXPECT_EQ(notes_of(in_block(R"({"name":"a","arguments":{},"args":{}})")), Notes{});
  EXPECT_EQ(notes_of(in_block(R"({"name":"a"})")), Notes{});
  EXPECT_EQ(notes_of(in_block(R"({"arguments":{}})")), Notes{}) << "no call";
  EXPECT_EQ(notes_of(in_block(R"({"name":"a","arguments":{}})"), options_of({.args_key = "arguments"})), Notes{});
  EXPECT_EQ(notes_of(in_block(R"({"tool":"a","name":"b"})"), options_of({.name_key = "tool"})).size(), 1U);
}

TEST(Notes, N6_RepeatedKeysAreNotedAtAnyDepthWhateverTheShape) {
  EXPECT_EQ(notes_of(in_block(R"([{"a":1,"b":{"a":1,"a":2},"\u0061":3,"a":4}])")),
            (Notes{R"(repeated key: "a")", R"(repeated key: "\u0061")", R"(repeated key: "a")"}));
  EXPECT_EQ(notes_of(in_block(R"([{"a":1},{"a":1},"a","a"])")), Notes{});
  EXPECT_EQ(notes_of(in_block(R"({"a":1,"a":2,})")), Notes{}) << "not decoded";
  EXPECT_EQ(notes_of("```json\n{\"a\":1,\"a\":2}\n"), Notes{}) << "not closed";
}

TEST(Notes, N7_NumbersThatLoseSomethingAreNoted) {
  const std::vector<std::string> exact{"9223372036854775807",
                                       "18446744073709551615",
                                       "-9223372036854775808",
                                       "0.1",
                                       "1e308",
                                       "-0.0",
                                       "0e999999999",
                                       "0.00000",
                                       "1.00000000000000000000",
                                       "12345678901234567e5",
                                       "0.0000000000000000000012345678901234567",
                                       "5e-324",
                                       "1.7976931348623157e308"};
  const std::vector<std::string> inexact{
      "9223372036854775808000", "18446744073709551616",   "-9223372036854775809",   "1e309",      "-1e309", "1e-400",
      "0.123456789012345678",   "123456789012345678.0e2", "1.00000000000000000001", "1e999999999"};
  for (const std::string& number : exact) EXPECT_EQ(notes_of(in_block(number)), Notes{}) << number;
  for (const std::string& number : inexact) {
    EXPECT_EQ(notes_of(in_block("[\"" + number + "\"," + number + "]")), Notes{"inexact number: " + number}) << number;
  }
}

TEST(Notes, N5_N6_N7_OfABlockComeInTheOrderOfTheirSpans) {
  EXPECT_EQ(notes_of(in_block(R"({"name":"a","x":1e999,"x":2})")),
            (Notes{"other members: ```json\n"
                   R"({"name":"a","x":1e999,"x":2})"
                   "\n```",
                   "inexact number: 1e999", R"(repeated key: "x")"}));
}

TEST(Notes, StayShortAndOnOneLine) {
  const std::string key = "\"" + repeat("k\\n", 100000) + "\"";
  const std::string body = "{" + key + ":1," + key + ":" + repeat("9", 100000) + ",\"name\":\"a\"}";
  for (const Note& note : find_notes(in_block(body))) {
    EXPECT_LT(note.sentence.size(), 400U);
    EXPECT_EQ(note.sentence.find('\n'), std::string::npos);
  }
  EXPECT_EQ(find_notes(in_block(body)).size(), 3U);
}

}  // namespace
}  // namespace callfence
