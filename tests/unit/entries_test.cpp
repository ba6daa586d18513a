#include <gtest/gtest.h>

#include "support.hpp"

namespace callfence {
namespace {

using test::error_of;
using test::in_block;
using test::options_of;
using test::outcome;
using test::outline;
using test::repeat;
using Outlines = std::vector<std::string>;

struct Shape {
  std::string body;
  std::string outcome;
};

TEST(Shape, T6_TheFirstFailureInThisOrderIsTheReason) {
  const std::vector<Shape> table{
      {R"({"name":"a"})", "call a {}"},
      {R"({"name":"a","args":{}})", "call a {}"},
      {R"({"args":{"x":1},"name":"a","more":[]})", R"(call a {"x":1})"},
      {R"( {"name" : "a" } )", "call a {}"},
      {R"({"name":"a",})", "error invalid json"},
      {R"([{"name":"a"}])", "error not an object"},
      {R"("name")", "error not an object"},
      {"7", "error not an object"},
      {"null", "error not an object"},
      {"{}", "error missing name"},
      {R"({"name":""})", "error missing name"},
      {R"({"name":null})", "error missing name"},
      {R"({"name":["a"]})", "error missing name"},
      {R"({"Name":"a"})", "error missing name"},
      {R"({"args":1})", "error missing name"},
      {R"({"name":1,"args":1})", "error missing name"},
      {R"({"name":"a","args":null})", "error args not an object"},
      {R"({"name":"a","args":[]})", "error args not an object"},
      {R"({"name":"a","args":"{}"})", "error args not an object"},
      {R"({"name":"a","args":false})", "error args not an object"},
      {R"({"name":" "})", "call   {}"},
      {R"({"name":"\u00e9"})", "call \xC3\xA9 {}"},
      {"", "error invalid json"},
      {"\xC2\xA0", "error invalid json"},
  };
  for (const Shape& row : table) EXPECT_EQ(outcome(row.body), row.outcome) << row.body;
}

TEST(Shape, T6_OtherMemberNamesKeepTheReasonsSpelling) {
  const Options options = options_of({.name_key = "tool", .args_key = "arguments"});
  EXPECT_EQ(outcome(R"({"tool":"a","arguments":{"x":1}})", options), R"(call a {"x":1})");
  EXPECT_EQ(outcome(R"({"name":"a","args":{}})", options), "error missing name");
  EXPECT_EQ(outcome(R"({"tool":"a","arguments":1,"args":{}})", options), "error args not an object");
  EXPECT_EQ(
      to_string(error_of("{}", options), Form::full),
      "block 1: missing name: found nothing as 'tool', expected a string that is not empty (line 1, column 1, byte 0)");
}

TEST(Shape, J7_ArgsAreTakenFromTheOutermostObjectOnly) {
  EXPECT_EQ(outcome(R"({"x":{"args":{"in":1}},"name":"a","y":[{"args":2}]})"), "call a {}");
  EXPECT_EQ(outcome(R"({"x":"\",\"args\":{","name":"a","args":{"s":"}\\"}})"), R"(call a {"s":"}\\"})");
}

// The replies that the issue names.
TEST(Replies, GiveTheseEntries) {
  EXPECT_EQ(outline("Let me look.\n\n" + in_block(R"({"name":"get_order","args":{"id":"A-17"}})")),
            Outlines{R"(call get_order {"id":"A-17"})"});
  EXPECT_EQ(outline(in_block(R"({"name":"a","args":{}})") + "then\n" + in_block(R"({"name":"b","args":{},})")),
            (Outlines{"call a {}", "error invalid json"}));
  EXPECT_EQ(outline("```json\n{\"name\":\"send\",\"args\":{\"text\":\"Dear Mr"), Outlines{"error unclosed block"});
  EXPECT_EQ(outline("```python\nprint({'name': 1})\n```\n" + in_block(R"({"name":"run"})")), Outlines{"call run {}"});
  EXPECT_EQ(outline(R"(I will not run {"name":"delete_draft"} as you asked.)"), Outlines{});
  EXPECT_EQ(outline(""), Outlines{});
  EXPECT_EQ(outcome(R"([{"name":"a"}])"), "error not an object");
  EXPECT_EQ(outcome(R"({"args":{}})"), "error missing name");
  EXPECT_EQ(outcome(R"({"name":"a","args":"x"})"), "error args not an object");
  EXPECT_EQ(outline("```json\n```\n"), Outlines{"error invalid json"});
  EXPECT_EQ(outcome(repeat("[", 100000)), "error invalid json");
  EXPECT_EQ(outcome(repeat("[", 100000) + repeat("]", 100000)), "error invalid json");
  EXPECT_EQ(outline("```python\nx = 1\n```\n" + in_block("{name: \"a\"}") + "```JSON\n{\"name\":\"b\"}\n```\n"),
            (Outlines{"error invalid json", "call b {}"}));
}

TEST(Details, PointAtTheValueWhereTheShapeIsWrongAndAtTheOpeningElsewhere) {
  EXPECT_EQ(error_of(" \n [1]").detail.place, (Place{11, 3, 2}));
  EXPECT_EQ(error_of(R"({"name":"a", "args": null})").detail.place, (Place{29, 2, 22}));
  const Error missing = std::get<Error>(parse_tool_calls("x\n\xC2\xA0 ```json\n{}\n```").at(0));
  EXPECT_EQ(missing.detail.place, (Place{5, 2, 3}));
  const Error unclosed = std::get<Error>(parse_tool_calls("x\n  ```json\n{}\n").at(0));
  EXPECT_EQ(unclosed.detail.place, (Place{4, 2, 3}));
  EXPECT_EQ(unclosed.detail.cause, Cause::cut_short);
}

TEST(Details, EveryReasonAndCauseHasItsOwnWords) {
  std::vector<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(Reason::unclosed_block); ++i)
    words.push_back(to_string(static_cast<Reason>(i)));
  for (int i = 0; i <= static_cast<int>(Cause::empty); ++i) words.push_back(to_string(static_cast<Cause>(i)));
  for (int i = 0; i <= static_cast<int>(NoteKind::inexact_number); ++i)
    words.push_back(to_string(static_cast<NoteKind>(i)));
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::unique(words.begin(), words.end()), words.end());
  EXPECT_EQ(words.size(), 32U);
  EXPECT_EQ(std::count(words.begin(), words.end(), ""), 0);
  EXPECT_EQ(to_string(Reason::args_not_an_object), "args not an object");
  EXPECT_EQ(to_string(Cause::nan_or_infinity), "NaN or Infinity");
  EXPECT_EQ(to_string(NoteKind::nearly_a_closing), "nearly a closing");
}

TEST(Options, OutOfRangeCannotBeMade) {
  const auto is_made = [](const OptionValues& values) { return std::holds_alternative<Options>(make_options(values)); };
  EXPECT_TRUE(is_made({}));
  EXPECT_TRUE(is_made({.max_depth = 1, .max_members = 1}));
  EXPECT_TRUE(is_made({.max_depth = 4096, .max_members = static_cast<std::size_t>(-1)}));
  EXPECT_FALSE(is_made({.max_depth = 0}));
  EXPECT_FALSE(is_made({.max_depth = 4097}));
  EXPECT_FALSE(is_made({.max_members = 0}));
  EXPECT_FALSE(is_made({.name_key = ""}));
  EXPECT_FALSE(is_made({.args_key = ""}));
  EXPECT_FALSE(is_made({.name_key = "args"}));
  EXPECT_FALSE(is_made({.name_key = "x", .args_key = "x"}));
}

TEST(Options, SurviveAMoveSoThatTheParserMeetsNoEmptyName) {
  Options options =
      options_of({.name_key = "a name longer than any small string", .args_key = "arguments that are long too"});
  const Options moved = std::move(options);                       // NOLINT(performance-move-const-arg)
  EXPECT_EQ(options.values().name_key, moved.values().name_key);  // NOLINT(bugprone-use-after-move)
}

TEST(Stream, GivesAnEntryWithTheNewlineOfItsClosingLine) {
  ToolCallStream stream;
  EXPECT_TRUE(stream.feed("Well:\n```json\n{\"name\":\"a\"}\n``").empty());
  EXPECT_TRUE(stream.feed("` ").empty());
  EXPECT_EQ(stream.feed("\n").size(), 1U);
  EXPECT_TRUE(stream.feed("```json\n{\"name\":\"b\"}\n```").empty());
  const std::vector<Entry> last = stream.finish();
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(std::get<Call>(last.front()).name, "b") << "a last line without a newline closes too";
}

TEST(Stream, T7_FinishGivesTheOpenBlock) {
  ToolCallStream stream;
  EXPECT_TRUE(stream.feed("ab\n```json\n{\"name\":\"a\"}\n").empty());
  const std::vector<Entry> entries = stream.finish();
  EXPECT_EQ(std::get<Error>(entries.at(0)).reason, Reason::unclosed_block);
  EXPECT_EQ(std::get<Error>(entries.at(0)).span, (Span{3, 24}));
}

TEST(Stream, IsReadyForAnotherReplyAfterFinish) {
  ToolCallStream stream(test::strict_fences());
  const std::string reply = "~~~\n```json\n~~~\n```json\n{\"name\":\"a\"}\n```\n~~~\n";
  for (int i = 0; i < 3; ++i) {
    std::vector<Entry> entries = stream.feed(reply);
    EXPECT_EQ(entries, parse_tool_calls(reply, test::strict_fences()));
    EXPECT_TRUE(stream.finish().empty());
  }
  for (const char* before : {"a\n```json\n{}\n```\nb\n", "```json\n{"}) {  // Ends in prose, ends in a block.
    const std::size_t closed = stream.feed(before).size();
    EXPECT_EQ(closed + stream.finish().size(), 1U);
    EXPECT_EQ(stream.feed(reply), parse_tool_calls(reply, test::strict_fences())) << "blocks from 1, spans from 0";
    EXPECT_TRUE(stream.finish().empty());
  }
  ToolCallStream moved = std::move(stream);
  EXPECT_EQ(moved.feed(reply).size(), 1U);
}

}  // namespace
}  // namespace callfence
