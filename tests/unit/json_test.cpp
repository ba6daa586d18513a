#include <gtest/gtest.h>

#include <bit>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include "json_decode.hpp"
#include "json_fault.hpp"
#include "support.hpp"

namespace callfence {
namespace {

using test::error_of;
using test::outcome;
using test::repeat;

bool accepts(std::string_view text, JsonLimits limits = {}) { return decode_json(text, limits).has_value(); }

boost::json::value value_of(std::string_view text) {
  auto decoded = decode_json(text, {});
  if (!decoded) ADD_FAILURE() << text;
  return decoded ? std::move(decoded->value) : boost::json::value();
}

TEST(Json, J1_GrammarIsRfc8259AndNothingMore) {
  for (const char* good :
       {"{}", "[]", "null", "true", "false", "\"\"", "0", "-1.5e+3", " \t\n\r1\r\n\t ", "[1,[2,{\"a\":[]}]]"}) {
    EXPECT_TRUE(accepts(good)) << good;
  }
  for (const char* bad : {"",          " ",      "{'a':1}", "{a:1}",   "[1,]",     "{\"a\":1,}", "[1 2]", "// c\n1",
                          "1 /* c */", "# c\n1", "NaN",     "-NaN",    "Infinity", "-Infinity",  "nan",   "True",
                          "None",      "01",     "-01",     "1.",      ".5",       "+1",         "1e",    "1e+",
                          "-",         "0x10",   "1_000",   "1 2",     "{}{}",     "\v1",        "\f1",   "1\xC2\xA0",
                          "\"a",       "[",      "{\"a\"",  "{\"a\":", "]",        "{\"a\" 1}",  "{1:2}", "tru",
                          "nulll",     "[,1]",   "[1,,2]",  "{,}"}) {
    EXPECT_FALSE(accepts(bad)) << bad;
  }
}

TEST(Json, J2_TextIsValidUtf8WithoutRawControlsOrHalfSurrogates) {
  for (const char* good : {"\"\xC3\xA9\xE6\x97\xA5\xF0\x9F\x98\x80\"", "\"\\ud83c\\udf78\"", "\"\x7F\"", "\"\\u0000\"",
                           "\"\xEF\xBB\xBF\"", "\"\xC2\x80\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""}) {
    EXPECT_TRUE(accepts(good)) << good;
  }
  for (const char* bad :
       {"\"\xFF\"", "\"\xC0\xAF\"", "\"\xED\xA0\x80\"", "\"\xF4\x90\x80\x80\"", "\"\xE2\x82\"", "\"\\ud83d\"",
        "\"\\udf78\"", "\"\\ud83d\\u0041\"", "\"\\ud83dx\"", "\"\t\"", "\"\n\"", "\"\x1F\"", "\xEF\xBB\xBF{}",
        "\"\\x41\"", "\"\\u12g4\"", "{\"\xFF\":1}", "{\"\\ud83d\":1}"}) {
    EXPECT_FALSE(accepts(bad)) << bad;
  }
  EXPECT_FALSE(accepts(std::string_view("\"\0\"", 3)));
}

TEST(Json, J3_DepthIsAcceptedUpToTheLimitAndNotBeyond) {
  const auto nest = [](std::size_t depth) { return repeat("[", depth) + repeat("]", depth); };
  for (const std::size_t limit : {1U, 2U, 32U, 33U, 512U, 4096U}) {
    EXPECT_TRUE(accepts(nest(limit), {.max_depth = limit})) << limit;
    EXPECT_FALSE(accepts(nest(limit + 1), {.max_depth = limit})) << limit;
    EXPECT_EQ(explain_fault(nest(limit + 1), {.max_depth = limit}).cause, Cause::too_deep);
    EXPECT_EQ(explain_fault(nest(limit + 1), {.max_depth = limit}).place.byte, limit);
  }
  EXPECT_TRUE(accepts("1", {.max_depth = 1})) << "a scalar has depth 0";
  EXPECT_TRUE(accepts("{\"a\":1}", {.max_depth = 1}));
  EXPECT_FALSE(accepts("{\"a\":{}}", {.max_depth = 1}));
}

TEST(Json, J4_OfEqualKeysTheLastOneWins) {
  EXPECT_EQ(value_of(R"({"a":1,"b":2,"\u0061":3})").as_object().at("a").to_number<int>(), 3);
  EXPECT_EQ(value_of(R"({"a":1,"b":2,"\u0061":3})").as_object().size(), 2U);
  EXPECT_EQ(outcome(R"({"name":"x","args":1,"name":"y","args":{"k":1},"args":{"k":2}})"), R"(call y {"k":2})");
  EXPECT_EQ(outcome(R"({"name":"x","args":{},"args":null})"), "error args not an object");
  EXPECT_EQ(outcome(R"({"name":"x","name":""})"), "error missing name");
  EXPECT_EQ(outcome(R"({"name":"x","\u0061rgs":{"k":1}})"), R"(call x {"k":1})");
  EXPECT_EQ(outcome(R"({"n":{"args":{"in":1}},"name":"x"})"), "call x {}");
}

TEST(Numbers, J5_IntegersOfBoth64BitTypesAreExact) {
  EXPECT_EQ(value_of("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(value_of("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value_of("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(value_of("9223372036854775807").is_int64());
  EXPECT_TRUE(value_of("9223372036854775808").is_uint64());
  EXPECT_TRUE(value_of("18446744073709551616").is_double());
  EXPECT_TRUE(value_of("-9223372036854775809").is_double());
  EXPECT_EQ(value_of("18446744073709551616"), 18446744073709551616.0);
  EXPECT_EQ(value_of("-9223372036854775809"), -9223372036854775808.0);
  EXPECT_TRUE(value_of("-0").is_int64());
  EXPECT_EQ(value_of("-0"), 0);
  EXPECT_EQ(value_of("9007199254740993"), std::int64_t{9007199254740993});
  EXPECT_EQ(value_of("[2512292042121000001]").at(0), std::int64_t{2512292042121000001});
}

struct Number {
  std::string text;
  double value;
};

TEST(Numbers, J6_OthersAreTheNearestDoubleOrInfinityOrZero) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Number> table{
      {"0.1", 0.1},
      {"1e400", infinity},
      {"-1e400", -infinity},
      {"1e-400", 0.0},
      {"-1e-400", -0.0},
      {"-0.0", -0.0},
      {"-0e5", -0.0},
      {"0e999999999", 0.0},
      {"1e999999999", infinity},
      {"-1e-999999999", -0.0},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()},
      {"1.7976931348623158e308", std::numeric_limits<double>::max()},
      {"1.7976931348623159e308", infinity},
      {"4.9406564584124654e-324", std::numeric_limits<double>::denorm_min()},
      {"2.4703282292062328e-324", std::numeric_limits<double>::denorm_min()},
      {"2.4703282292062327e-324", 0.0},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"9007199254740993.0", 9007199254740992.0},
      {"9007199254740993.00000000000000000000000000000000000000001", 9007199254740994.0},
      {"1" + repeat("0", 400), infinity},
      {"1" + repeat("0", 400) + "e-400", 1.0},
      {"0." + repeat("0", 400) + "1e401", 1.0},
      {"0." + repeat("0", 400) + "1", 0.0},
      {"0." + repeat("0", 1000) + "1e1400", infinity},
      {"1" + repeat("0", 1000) + "e-1400", 0.0},
      {"1e" + repeat("0", 40) + "2", 100.0},
      {"123456789012345678901234567890", 123456789012345678901234567890.0},
  };
  for (const Number& row : table) {
    for (const std::string& text : {row.text, "[" + row.text + repeat(" ", 40) + "]"}) {  // Boost.JSON has two paths
      const boost::json::value value = value_of(text);
      const double number = value.is_array() ? value.at(0).as_double() : value.as_double();
      EXPECT_EQ(std::bit_cast<std::uint64_t>(number), std::bit_cast<std::uint64_t>(row.value))
          << row.text.substr(0, 50);
    }
  }
}

TEST(Numbers, J6_ExponentsAreAcceptedUpToNineDigitsAndNotBeyond) {
  for (const char* good : {"1e999999999", "1e-999999999", "1E+999999999", "0e999999999", "1e0000000000999999999"}) {
    EXPECT_TRUE(accepts(good)) << good;
  }
  for (const char* bad : {"1e1000000000", "1e-1000000000", "1E+1000000000", "0e1000000000", "0.0e-1000000000",
                          "1e2147483647", "1e2147483648", "1e99999999999999999999", "-0.0e4294967297"}) {
    EXPECT_FALSE(accepts(bad)) << bad;
    EXPECT_EQ(explain_fault(bad, {}).cause, Cause::exponent_too_large) << bad;
  }
}

TEST(Numbers, J6_AMillionRandomDoublesComeBackToTheBit) {
  std::mt19937_64 random(20261130);
  constexpr int rounds = 1000;
  constexpr int numbers = 1000;
  for (int round = 0; round < rounds; ++round) {
    std::string text = "[";
    std::vector<double> doubles;
    while (doubles.size() < numbers) {
      const auto number = std::bit_cast<double>(random());
      if (!std::isfinite(number)) continue;
      std::array<char, 64> digits{};
      const auto format = random() % 2 == 0 ? std::chars_format::scientific : std::chars_format::general;
      const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number, format).ptr;
      std::string printed(digits.data(), static_cast<std::size_t>(end - digits.data()));
      if (printed.find_first_of(".e") == std::string::npos) printed += ".0";
      text += (doubles.empty() ? "" : ",") + printed;
      doubles.push_back(number);
    }
    const boost::json::value value = value_of(text + "]");
    for (std::size_t i = 0; i < doubles.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(value.at(i).as_double()), std::bit_cast<std::uint64_t>(doubles[i]));
    }
  }
}

TEST(Json, J7_CallsCarryTheirArgsExactlyAsWritten) {
  const std::string args = "{ \"id\" : 123456789012345678901234567890,\n\t\"p\":1.10, \"s\":\"}\\\"{\\u00e9\" }";
  const std::vector<Entry> entries = parse_tool_calls(test::in_block("{\"args\": " + args + " , \"name\":\"pay\"}"));
  EXPECT_EQ(std::get<Call>(entries.at(0)).args_text, args);
  EXPECT_EQ(std::get<Call>(parse_tool_calls(test::in_block("{\"name\":\"x\"}")).at(0)).args_text, std::nullopt);
  EXPECT_EQ(std::get<Call>(parse_tool_calls(test::in_block("{\"name\":\"x\",\"args\":{}}")).at(0)).args_text, "{}");
}

/// An object of `count` members, all of one key or each of its own.
std::string members(std::size_t count, bool repeated) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "\"k" : ",\"k") + (repeated ? "" : std::to_string(i)) + "\":0";
  }
  return text + "}";
}

TEST(Json, J8_MembersAreAcceptedUpToTheLimitRepeatsCountedAndNotBeyond) {
  for (const bool repeated : {false, true}) {
    for (const std::size_t limit : {1U, 18U, 19U, 4096U}) {
      EXPECT_TRUE(accepts(members(limit, repeated), {.max_members = limit})) << limit;
      EXPECT_FALSE(accepts(members(limit + 1, repeated), {.max_members = limit})) << limit;
      EXPECT_EQ(explain_fault(members(limit + 1, repeated), {.max_members = limit}).cause, Cause::too_many_members);
    }
  }
  EXPECT_TRUE(accepts("[" + members(3, false) + "," + members(3, false) + "]", {.max_members = 3}))
      << "each object alone";
  EXPECT_TRUE(accepts(R"({"a":{"x":1,"y":2},"b":3})", {.max_members = 2})) << "also one in another";
  EXPECT_EQ(outcome("{\"name\":\"x\",\"args\":" + members(4096, false) + "}").substr(0, 8), "call x {");
  EXPECT_EQ(outcome("{\"name\":\"x\",\"args\":" + members(4097, false) + "}"), "error invalid json");
}

TEST(Json, LongerThanTheLimitIsRefusedAndSaidSo) {
  EXPECT_TRUE(accepts("[1, 2]  ", {.max_bytes = 8}));
  EXPECT_FALSE(accepts("[1, 2]   ", {.max_bytes = 8}));
  EXPECT_FALSE(accepts("[1, 2, 3]", {.max_bytes = 8}));
  EXPECT_EQ(to_string(explain_fault("[1, 2, 3]", {.max_bytes = 8})), "found more, expected at most 1 GiB of JSON");
  EXPECT_EQ(explain_fault("[x" + repeat(" ", 40), {.max_bytes = 32}).place.byte, 1U) << "a fault of its own";
  EXPECT_EQ(explain_fault("[1, 2, 3", {.max_bytes = 8}).cause, Cause::cut_short);
}

TEST(Json, APrefixEndsWhereItsValueEnds) {
  EXPECT_EQ(decode_json("{\"a\":1} } x", {}, true)->end, 7U);
  EXPECT_EQ(decode_json("{}", {}, true)->end, 2U);
  EXPECT_EQ(decode_json("{} \n", {}, true)->end, 2U);
}

/// An object with this many members in a random order, some keys repeated, some with escapes, some values objects.
std::string random_members(std::mt19937& random, std::size_t count, int depth) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) {
    const auto key = std::to_string(random() % (count + count / 4 + 1));
    const std::string value = random() % 50 == 0 && depth > 0 ? random_members(random, random() % 140, depth - 1) : key;
    text += std::string(i > 0 ? "," : "") + R"("k)" + (random() % 8 == 0 ? R"(\u002d)" : "-") + key + "\":" + value;
  }
  return text + "}";
}

TEST(Json, T10_KeysPutOnTheStackTwiceChangeNoObjectOfAnySize) {
  std::mt19937 random(4);
  for (std::size_t count = 0; count < 400; ++count) {
    const std::string text = random_members(random, count, 2);
    const auto decoded = decode_json(text, {});
    ASSERT_TRUE(decoded) << text;
    EXPECT_EQ(serialize(decoded->value), serialize(boost::json::parse(text))) << text;  // The order of members, too.
    const std::size_t members = decoded->value.get_object().size();
    EXPECT_TRUE(members <= 18 || decoded->value.get_object().capacity() % 64 != 0) << members;
  }
}

TEST(Json, J4_J7_TheTextOfTheLastMemberIsTheOneThatAWalkFinds) {
  const std::vector<std::string> keys{"a", "b", "args", R"(\u0061rgs)", R"(arg\u0073)", R"(a\"b)", ""};
  const std::vector<std::string> values{
      "1", "{}", R"({"args":[{"args":1}, 2]})", R"(["args", {"b":2}])", R"("},\"args\":1")", "-1.5e3", "null"};
  std::mt19937 random(4);
  std::size_t last = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto space = [&] { return std::string(" \n", random() % 3); };
    std::string text = space() + "{" + space();
    std::string expected;
    for (auto left = random() % 5; left > 0; --left) {
      const std::string& key = keys[random() % keys.size()];
      const std::string& value = values[random() % values.size()];
      if (key == "args" || key == keys[3] || key == keys[4]) expected = value;
      text += '"' + key + '"' + space() + ":" + space() + value + space() + (left > 1 ? "," : "") + space();
    }
    text += "}" + space();
    auto decoded = decode_json(text, {});
    ASSERT_TRUE(decoded) << text;
    last += decoded->last_key == "args" ? 1U : 0U;
    ASSERT_EQ(member_text(text, "args", *decoded), expected) << text;
    decoded->last_key = {};
    ASSERT_EQ(member_text(text, "args", *decoded), expected) << text;
    ASSERT_EQ(member_text(text, "", *decoded), member_text(text, "", *decode_json(text, {}))) << text;
  }
  EXPECT_GT(last, 1000U) << "the short way is taken, too";
}

struct Fault {
  std::string text;
  Cause cause;
  std::size_t at;
  std::string found;
};

TEST(Faults, NameTheCauseThePlaceAndWhatStandsThere) {
  const std::vector<Fault> table{
      {"[1,]", Cause::trailing_comma, 3, "']'"},
      {"{\"a\":1 , }", Cause::trailing_comma, 9, "'}'"},
      {"{'a':1}", Cause::single_quotes, 1, "\"'\""},
      {"['a']", Cause::single_quotes, 1, "\"'\""},
      {"{a:1}", Cause::unquoted_key, 1, "'a'"},
      {"{\"b\":1,name:2}", Cause::unquoted_key, 7, "'name'"},
      {"[1, // x\n2]", Cause::comment, 4, "'/'"},
      {"[1 /* x */]", Cause::comment, 3, "'/'"},
      {"{}\n# done", Cause::comment, 3, "'#'"},
      {"[True]", Cause::python_literal, 1, "'True'"},
      {"{\"a\":None}", Cause::python_literal, 5, "'None'"},
      {"[NaN]", Cause::nan_or_infinity, 1, "'NaN'"},
      {"[-Infinity]", Cause::nan_or_infinity, 1, "'-Infinity'"},
      {"{None:1}", Cause::unquoted_key, 1, "'None'"},
      {"[1// c", Cause::comment, 2, "'/'"},
      {"{\"a\":1#", Cause::comment, 6, "'#'"},
      {"[#fff]", Cause::unknown, 1, "'#'"},
      {"[1\xFF]", Cause::invalid_utf8, 2, "'\\xFF'"},
      {"[1\xC2\xA0]", Cause::unknown, 2, "'\xC2\xA0' (U+00A0)"},
      {"{\"n\":1\"d\":2}", Cause::unknown, 6, "'\"'"},
      {"[true\"b\"]", Cause::unknown, 5, "'\"'"},
      {"[1;2]", Cause::unknown, 2, "';'"},
      {"[123e4567-e89b-12d3-a456-426614174000]", Cause::unknown, 1, "'123e4567-e89b-12d3-a456-'"},
      {"[0xdeadbeef0123]", Cause::unknown, 1, "'0xdeadbeef0123'"},
      {"[\"C:\\dir\\x and a long text", Cause::bad_escape, 4, "'\\d'"},
      {"[\"\\\xC3\xA9\"]", Cause::bad_escape, 2, "'\\\xC3\xA9'"},
      {"[\"\\ud83d and more", Cause::lone_surrogate, 2, "'\\ud83d'"},
      {"[\"abc\\u12", Cause::cut_short, 9, "the end"},
      {"{}\n- done", Cause::text_after_value, 3, "'-'"},
      {"[\"a\nb\"]", Cause::raw_newline, 3, "'\\u000A'"},
      {"[\"a\tb\"]", Cause::control_character, 3, "'\\u0009'"},
      {"[\"a\\qb\"]", Cause::bad_escape, 3, "'\\q'"},
      {"[\"a\\u12g4\"]", Cause::bad_escape, 3, "'\\u'"},
      {"[\"\\u00e9\\ud83d\"]", Cause::lone_surrogate, 8, "'\\ud83d'"},
      {"[\"\\udc00\\ud83d\"]", Cause::lone_surrogate, 2, "'\\udc00'"},
      {"[\"\xC3\xA9\xFF\"]", Cause::invalid_utf8, 4, "'\\xFF'"},
      {"[\xFF]", Cause::invalid_utf8, 1, "'\\xFF'"},
      {"\xEF\xBB\xBF{}", Cause::byte_order_mark, 0, "'\xEF\xBB\xBF' (U+FEFF)"},
      {"{} done", Cause::text_after_value, 3, "'done'"},
      {"{}}", Cause::text_after_value, 2, "'}'"},
      {"{}\n{}", Cause::several_values, 3, "'{'"},
      {"1 2", Cause::several_values, 2, "'2'"},
      {"[[[[", Cause::too_deep, 3, "'['"},
      {"{\"a\":1,\"b\":2,\"c\":3,\"d\":4}", Cause::too_many_members, 19, "'\"'"},
      {"[1, 1e1000000000]", Cause::exponent_too_large, 4, "'1e1000000000'"},
      {"{\"a\":", Cause::cut_short, 5, "the end"},
      {"[\"abc", Cause::cut_short, 5, "the end"},
      {"[\"abc\\", Cause::cut_short, 6, "the end"},
      {"[\"abc\\u12", Cause::cut_short, 9, "the end"},
      {"[1, 2 ", Cause::cut_short, 6, "the end"},
      {"", Cause::empty, 0, "the end"},
      {" \n\t", Cause::empty, 3, "the end"},
      {"{\"a\":}", Cause::unknown, 5, "'}'"},
      {"[,1]", Cause::unknown, 1, "','"},
      {"{\"a\" 1}", Cause::unknown, 5, "'1'"},
      {"[1 2]", Cause::unknown, 3, "'2'"},
      {"[01]", Cause::unknown, 1, "'01'"},
      {"\xE2\x80\x9C", Cause::unknown, 0, "'\xE2\x80\x9C' (U+201C)"},
  };
  for (const Fault& row : table) {
    const Detail detail = explain_fault(row.text, {.max_depth = 3, .max_members = 3});
    EXPECT_EQ(to_string(detail.cause), to_string(row.cause)) << row.text;
    EXPECT_EQ(detail.place.byte, row.at) << row.text;
    EXPECT_EQ(detail.found, row.found) << row.text;
    EXPECT_FALSE(detail.expected.empty()) << row.text;
    EXPECT_FALSE(accepts(row.text, {.max_depth = 3, .max_members = 3})) << row.text;
  }
}

TEST(Faults, AreFoundInEveryTextThatIsRefused) {
  // The explanation is a second reading of the text. It must not come to the end and find nothing wrong.
  std::mt19937_64 random(7);
  const std::vector<std::string> pieces{"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "\"a\"",
                                        "\"b\\n\"",
                                        "1",
                                        "-0.5e3",
                                        "true",
                                        "null",
                                        "\n",
                                        "'",
                                        "x",
                                        "01",
                                        "\"\\u12\"",
                                        "\"\xFF\"",
                                        "//",
                                        "NaN",
                                        "\"",
                                        "\\",
                                        "1e2000000000",
                                        "\xEF\xBB\xBF"};
  const JsonLimits limits{.max_depth = 3, .max_members = 2};
  std::size_t accepted = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    for (std::size_t length = random() % 9; length > 0; --length) text += pieces[random() % pieces.size()];
    if (accepts(text, limits)) {
      ++accepted;
      continue;
    }
    ++refused;
    const Detail detail = explain_fault(text, limits);
    ASSERT_LE(detail.place.byte, text.size()) << text;
    ASSERT_FALSE(detail.place.byte == text.size() && detail.expected == "nothing after the value") << text;
  }
  EXPECT_GT(accepted, 1000U);
  EXPECT_GT(refused, 100000U);
}

TEST(Details, AreOneLineAndPointIntoTheReply) {
  const Error error = error_of("{\"name\": \"\xC3\xA9\xC3\xA9\",\n  \"args\": {\"a\": 1,}}");
  EXPECT_EQ(error.detail.place, (Place{43, 3, 19}));
  EXPECT_EQ(to_string(error), "block 1: invalid json");
  EXPECT_EQ(
      to_string(error, Form::full),
      "block 1: invalid json: trailing comma: found '}', expected a key in double quotes (line 3, column 19, byte 43)");
}

}  // namespace
}  // namespace callfence
