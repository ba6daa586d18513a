#include <gtest/gtest.h>

#include "support.hpp"

namespace callfence {
namespace {

using test::print_reading;
using test::repeat;
using test::tags_everywhere;

std::string text_of(std::string_view reply, const Options& options = {}) {
  const ReadingResult result = read_first_object(reply, options);
  if (const auto* error = std::get_if<ReadingError>(&result)) return to_string(*error).substr(0, 29);
  return std::get<Reading>(result).text;
}

constexpr const char* no_object = "The reply had no JSON object:";
constexpr const char* not_valid = "The reply was not valid JSON:";

TEST(EmotionTags, R1_AreFoundAndStripped) {
  const std::string text = "[emotion:happy] a [emotion:Very_sad-x][emotion:][emotion:a b][[emotion:z]]";
  std::vector<std::string> found;
  for (const EmotionTag& tag : find_emotion_tags(text)) {
    found.push_back(tag.emotion + "=" + text.substr(tag.span.begin, tag.span.end - tag.span.begin));
  }
  EXPECT_EQ(found,
            (std::vector<std::string>{"happy=[emotion:happy]", "Very_sad-x=[emotion:Very_sad-x]", "z=[emotion:z]"}));
  EXPECT_EQ(strip_emotion_tags(text), " a [emotion:][emotion:a b][]");
  EXPECT_EQ(strip_emotion_tags("[emo[emotion:x]tion:y]"), "[emotion:y]") << "one pass";
  EXPECT_EQ(strip_emotion_tags(""), "");
  EXPECT_EQ(strip_emotion_tags("[Emotion:x][emotion: x][emotion:x1][emotion:\xC3\xA9]"),
            "[Emotion:x][emotion: x][emotion:x1][emotion:\xC3\xA9]");
  EXPECT_EQ(strip_emotion_tags(std::string_view("\0\xFF[emotion:a]\x80\n[emotion:b]", 26)),
            std::string("\0\xFF\x80\n", 4));
}

// The readings that the issue names, under both tag rules.
TEST(Readings, GiveTheseObjects) {
  EXPECT_EQ(text_of(R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(text_of(R"({"a":1} [emotion:happy])"), R"({"a":1})");
  EXPECT_EQ(text_of(R"([emotion:happy] {"a":1})"), R"({"a":1})");
  EXPECT_EQ(text_of("Sure, here it is:\n```json\n{\"a\": [1, 2]}\n```\nAnything else?"), "{\"a\": [1, 2]}");
  EXPECT_EQ(text_of(R"({"ok":true} then: Replace {foo} with {bar})"), R"({"ok":true})");
  EXPECT_EQ(text_of("no braces at all"), no_object);
  EXPECT_EQ(text_of(R"({"outer": {"inner": 1})"), not_valid);
  EXPECT_EQ(text_of("[1, 2]"), no_object);
  EXPECT_EQ(text_of(R"([{"a":1}, 2])"), R"({"a":1})");
  EXPECT_EQ(text_of(R"(Based on {about travel}, here: {"a":1})"), not_valid);
  const std::string in_string = R"({"say":"[emotion:sad] hi"})";
  EXPECT_EQ(text_of(in_string), in_string);
  EXPECT_EQ(text_of(in_string, tags_everywhere()), R"({"say":" hi"})");
  const std::string between = R"({"summary": "ok" [emotion:happy]})";
  EXPECT_EQ(text_of(between), not_valid);
  EXPECT_EQ(text_of(between, tags_everywhere()), R"({"summary": "ok" })");
}

TEST(Readings, R2_StartAtTheFirstBraceWhateverStandsBefore) {
  EXPECT_EQ(text_of("the 5\" fitting: {\"size\":5}"), R"({"size":5})");
  EXPECT_EQ(text_of(""), no_object);
  EXPECT_EQ(text_of("}"), no_object);
  EXPECT_EQ(text_of("{"), not_valid);
  EXPECT_EQ(text_of(std::string_view("\0\xFF{}", 4)), "{}");
}

TEST(Readings, R3_DecodeOneValueAndTryNoOtherBrace) {
  EXPECT_EQ(text_of(R"({"a":1}{"b":2})"), R"({"a":1})");
  EXPECT_EQ(text_of(R"({"a":1}}}] \xFF)"), R"({"a":1})");
  EXPECT_EQ(text_of("{ } {\"a\":1}"), "{ }");
  EXPECT_EQ(text_of("{x} {\"a\":1}"), not_valid);
  EXPECT_EQ(text_of("{\"a\":1,} {\"a\":1}"), not_valid);
  EXPECT_EQ(text_of("{{\"a\":1}}"), not_valid);
}

TEST(Readings, R3_ErrorsSayWhatIsWrongAndWhereInTheReply) {
  const ReadingResult result = read_first_object("\xC3\xA9\n  {\"a\": 1,\n  }");
  const auto& error = std::get<ReadingError>(result);
  EXPECT_EQ(error.failure, ReadingFailure::not_valid_json);
  EXPECT_EQ(error.detail.cause, Cause::trailing_comma);
  EXPECT_EQ(error.detail.place, (Place{16, 3, 3}));
  EXPECT_EQ(to_string(error),
            "The reply was not valid JSON: trailing comma: found '}', expected a key in double quotes (line 3, column "
            "3, byte 16).");
  EXPECT_EQ(to_string(std::get<ReadingError>(read_first_object("none"))),
            "The reply had no JSON object: there is no '{' in it.");
}

TEST(Readings, R4_R6_TagsOutsideTheObjectAreToldAndThoseInsideStay) {
  EXPECT_EQ(print_reading(R"([emotion:a] {"s":"[emotion:b]"} x [emotion:c][emotion:d])"),
            R"({"object":{"s":"[emotion:b]"},"emotions":[{"emotion":"a","span":[0,11]},{"emotion":"c","span":[34,45]},)"
            R"({"emotion":"d","span":[45,56]}],"span":[12,31]})");
  EXPECT_EQ(text_of("[emotion:a{}"), "{}");
}

TEST(Readings, R5_R6_TagsEverywhereAreCutFirstAndAllTold) {
  EXPECT_EQ(print_reading(R"([emotion:a] {"s":"[emotion:b]" [emotion:c] } [emotion:d])", tags_everywhere()),
            R"({"object":{"s":""},"emotions":[{"emotion":"a","span":[0,11]},{"emotion":"b","span":[18,29]},)"
            R"({"emotion":"c","span":[31,42]},{"emotion":"d","span":[45,56]}],"span":[12,44]})");
  EXPECT_EQ(print_reading(R"({[emotion:a]"x":[emotion:b]1[emotion:c]})", tags_everywhere()),
            R"({"object":{"x":1},"emotions":[{"emotion":"a","span":[1,12]},{"emotion":"b","span":[16,27]},)"
            R"({"emotion":"c","span":[28,39]}],"span":[0,40]})");
  EXPECT_EQ(text_of("[emo[emotion:x]tion:y]{}", tags_everywhere()), "{}");
}

TEST(Readings, R5_PlacesAreThoseOfTheReplyBeforeTheCut) {
  const auto place_of = [](std::string_view reply) {
    return std::get<ReadingError>(read_first_object(reply, tags_everywhere())).detail.place.byte;
  };
  EXPECT_EQ(place_of("[emotion:a]{[emotion:b] x}"), 24U);
  EXPECT_EQ(place_of("{\"a\":1[emotion:b],}"), 18U);
  EXPECT_EQ(place_of("{[emotion:b]"), 12U);
  EXPECT_EQ(place_of("[emotion:b] none"), 16U);
}

struct Logged {
  int calls = 0;
  UnreadableReply reply;
};

Logged log_of(std::string_view reply, const Options& options = {}) {
  Logged logged;
  const auto write = [](const UnreadableReply& unreadable, void* context) noexcept {
    auto& log = *static_cast<Logged*>(context);
    ++log.calls;
    log.reply = unreadable;
  };
  static_cast<void>(read_first_object(reply, options, {write, &logged}));
  return logged;
}

TEST(Readings, R7_AnUndecodableReplyIsLoggedWithItsHeadAndTail) {
  const std::string reply = repeat("\xC3\xA9", 299) + "{\n" + repeat("x", 700) + "\xFF" + repeat("\xE6\x97\xA5", 299);
  const Logged logged = log_of(reply);
  EXPECT_EQ(logged.calls, 1);
  EXPECT_EQ(logged.reply.bytes, reply.size());
  EXPECT_EQ(logged.reply.head, repeat("\xC3\xA9", 299) + "{");
  EXPECT_EQ(logged.reply.tail, "\\xFF" + repeat("\xE6\x97\xA5", 299));
  EXPECT_EQ(log_of("a\tb {\x7F").reply.head, "a\\u0009b {\\u007F");
  EXPECT_EQ(log_of("a\tb {\x7F").reply.tail, "a\\u0009b {\\u007F") << "a short reply is both";
  EXPECT_EQ(log_of("[emotion:a] {", tags_everywhere()).reply.head, "[emotion:a] {") << "the reply as it came";
}

TEST(Readings, R7_NothingElseIsLogged) {
  EXPECT_EQ(log_of("no object").calls, 0);
  EXPECT_EQ(log_of("{} {").calls, 0);
}

TEST(Readings, R8_R9_GiveAnObjectOrAnErrorForEveryReply) {
  for (const char* reply : {"{\"a\":{}}", "{}", "{\"args\":null}"}) EXPECT_EQ(text_of(reply), reply);
  EXPECT_EQ(text_of(repeat("{\"a\":", 100000)), not_valid);
  EXPECT_EQ(text_of(repeat("{", 100000)), not_valid);
}

TEST(Readings, J3_J8_KeepTheLimits) {
  EXPECT_EQ(text_of("{\"a\":{}}", test::options_of({.max_depth = 1})), not_valid);
  EXPECT_EQ(text_of("{\"a\":1,\"a\":2}", test::options_of({.max_members = 1})), not_valid);
}

}  // namespace
}  // namespace callfence
