#include "generator.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>

namespace callfence::fuzz {
namespace {

using namespace std::string_view_literals;
using Strings = std::vector<std::string>;

constexpr std::size_t max_depth = 512;
constexpr std::size_t max_members = 4096;

std::string repeat(std::string_view text, std::size_t count) {
  std::string repeated;
  for (std::size_t i = 0; i < count; ++i) repeated += text;
  return repeated;
}

std::string join(const Strings& parts, std::string_view separator) {
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) joined.append(i == 0 ? "" : separator).append(parts[i]);
  return joined;
}

/// The parts in a row. Unlike the operands of +, the parts of a list are evaluated in their order, which a seed's
/// meaning depends on; for the same reason no call below has two arguments that draw from `random`.
std::string concat(std::initializer_list<std::string_view> parts) {
  std::string whole;
  for (const std::string_view part : parts) whole += part;
  return whole;
}

std::string pick_text(Random& random, const auto& texts) { return std::string(random.pick(texts)); }

// ---- White space (T2) ----

// clang-format off
constexpr auto white_space = std::to_array<std::string_view>({
    "\t", "\v", "\f", "\r", "\x1C", "\x1D", "\x1E", "\x1F", " ", "\xC2\x85", "\xC2\xA0", "\xE1\x9A\x80",
    "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86",
    "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF",
    "\xE2\x81\x9F", "\xE3\x80\x80"});
// clang-format on

// clang-format off
/// Neighbours of white space, code points that look empty, halves of its encodings, and its overlong encodings.
constexpr auto look_alikes = std::to_array<std::string_view>({
    "\b"sv, "\x0E"sv, "\x1B"sv, "\0"sv, "\x7F"sv, "\xC2\x84"sv, "\xC2\x86"sv, "\xC2\x9F"sv, "\xC2\xA1"sv,
    "\xC2\xAD"sv, "\xE1\x99\xBF"sv, "\xE1\x9A\x81"sv, "\xE1\xA0\x8E"sv, "\xE1\xBF\xBF"sv, "\xE2\x80\x8B"sv,
    "\xE2\x80\x8C"sv, "\xE2\x80\x8D"sv, "\xE2\x80\x8E"sv, "\xE2\x80\xA7"sv,
    "\xE2\x80\xAA"sv, "\xE2\x80\xAE"sv,  // NOLINT(misc-misleading-bidirectional): neighbours of U+2029 and U+202F
    "\xE2\x80\xB0"sv, "\xE2\x81\x9E"sv, "\xE2\x81\xA0"sv, "\xE2\xA0\x80"sv, "\xE2\xBF\xBF"sv, "\xE3\x80\x81"sv,
    "\xE3\x85\xA4"sv, "\xEF\xBB\xBF"sv, "\x85"sv, "\xA0"sv, "\xC2"sv, "\xE2"sv, "\xE2\x80"sv, "\xE1\x9A"sv,
    "\xE3\x80"sv, "\x80\x80"sv, "\xC0\xA0"sv, "\xC0\x8A"sv, "\xE0\x82\xA0"sv, "\xF0\x80\x80\xA0"sv});
// clang-format on

/// White space around a mark: mostly none, at times much.
std::string build_white_space(Random& random) {
  if (!random.one_in(3)) return {};
  std::string space;
  for (std::size_t count = random.one_in(8) ? 5 : random.between(1, 2); count > 0; --count) {
    space += pick_white_space(random);
  }
  return space;
}

/// JSON's own white space (J1), between tokens.
std::string build_json_space(Random& random) {
  constexpr auto spaces = std::to_array<std::string_view>({" ", "\n", "\t", "\r", "\r\n", "\n  ", "\n\n\t", "\n\r"});
  return random.one_in(3) ? pick_text(random, spaces) : std::string();
}

// ---- Strings and numbers ----

/// A piece of a string as written between the quotes, and the text it stands for.
struct Piece {
  std::string_view written;
  std::string_view meant;

  constexpr Piece(std::string_view text) : written(text), meant(text) {}
  constexpr Piece(std::string_view escape, std::string_view text) : written(escape), meant(text) {}
};

// clang-format off
constexpr auto names = std::to_array<Piece>({
    {"go"sv}, {"send_mail"sv}, {"name"sv}, {"args"sv}, {"füge_hinzu"sv}, {"поиск"sv}, {"検索"sv},
    {"\xD8\xA7\xD8\xA8\xD8\xAD\xD8\xAB"sv}, {"खोज"sv}, {"αναζήτηση"sv}, {"\xF0\x9F\x9A\x80"sv}, {"x"sv}, {"0"sv}, {" "sv}});

constexpr auto pieces = std::to_array<Piece>({
    {R"(\")", "\""}, {R"(\\)", "\\"}, {R"(\/)", "/"}, {R"(\b)", "\b"}, {R"(\f)", "\f"}, {R"(\n)", "\n"},
    {R"(\r)", "\r"}, {R"(\t)", "\t"}, {R"(\u0000)"sv, "\0"sv}, {R"(\u001F)", "\x1F"}, {R"(\u0041)", "A"},
    {R"(\u00e9)", "\xC3\xA9"}, {R"(\u0060\u0060\u0060json)", "```json"}, {R"(\uD7FF)", "\xED\x9F\xBF"},
    {R"(\uE000)", "\xEE\x80\x80"}, {R"(\uFEFF)", "\xEF\xBB\xBF"}, {R"(\uFFFF)", "\xEF\xBF\xBF"},
    {R"(\ud83d\ude00)", "\xF0\x9F\x98\x80"}, {R"(\uD800\uDC00)", "\xF0\x90\x80\x80"},
    {R"(\uDBFF\udfff)", "\xF4\x8F\xBF\xBF"}, {R"(\\ud83d)", R"(\ud83d)"}, {"\x7F"sv}, {"\xC2\x80"sv}, {"\xDF\xBF"sv},
    {"\xE0\xA0\x80"sv}, {"\xED\x9F\xBF"sv}, {"\xEF\xBB\xBF"sv}, {"\xF0\x90\x80\x80"sv}, {"\xF4\x8F\xBF\xBF"sv},
    {"\xE2\x80\xA8"sv}, {"\xC2\x85"sv}, {"```"sv}, {"```json"sv}, {"~~~"sv}, {"[emotion:happy]"sv}, {"[emotion:"sv},
    {"{"sv}, {"}"sv}, {"],"sv}, {"//"sv}, {"'"sv}, {"null"sv}});
// clang-format on

struct Text {
  std::string written;
  std::string meant;

  void add(const Piece& piece) {
    written += piece.written;
    meant += piece.meant;
  }
};

/// The inside of a string. Never empty, so that it can name a tool.
Text build_text(Random& random) {
  Text text;
  text.add(random.pick(names));
  while (random.one_in(2)) text.add(random.one_in(4) ? random.pick(names) : random.pick(pieces));
  return text;
}

std::string quote(std::string_view written) { return '"' + std::string(written) + '"'; }

std::string build_digits(Random& random, std::size_t most) {
  std::string digits(1, static_cast<char>('1' + random.below(9)));
  for (std::size_t count = random.below(most); count > 0; --count) digits += static_cast<char>('0' + random.below(10));
  return digits;
}

// clang-format off
constexpr auto edge_numbers = std::to_array<std::string_view>({
    "0", "-0", "0.0", "-0.0", "-0e-0", "1E+2", "1e00", "1e-0000000000000007", "0.1", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "1e400", "-1e400", "1e-400", "-1e-400", "4.9e-324",
    "2.4703282292062327e-324", "1.7976931348623157e308", "1.7976931348623159e308", "2.2250738585072011e-308",
    "1e999999999", "-1E-999999999", "0e999999999", "8.5", "0.30000000000000004"});
// clang-format on

std::string build_number(Random& random) {
  if (random.one_in(2)) return pick_text(random, edge_numbers);
  std::string number = random.one_in(3) ? "-" : "";
  const std::size_t most_digits = random.one_in(16) ? 400 : 24;
  number += build_digits(random, most_digits);
  if (random.one_in(3)) number += concat({".", repeat("0", random.below(4)), build_digits(random, 20)});
  if (random.one_in(4)) {
    number += concat({random.pick(std::to_array({"e"sv, "E+"sv, "e-"sv})), build_digits(random, 8)});
  }
  return number;
}

// ---- Objects and arrays ----

std::string write_list(Random& random, char open, const Strings& items, char close) {
  std::string list = open + build_json_space(random);
  for (std::size_t i = 0; i < items.size(); ++i) {
    list += concat({i == 0 ? "" : ",", build_json_space(random), items[i], build_json_space(random)});
  }
  return list + close;
}

std::string write_object(Random& random, const Strings& members) { return write_list(random, '{', members, '}'); }
std::string write_array(Random& random, const Strings& values) { return write_list(random, '[', values, ']'); }

/// A key, quotes included, and its value, as written.
struct Member {
  std::string key;
  std::string value;
};

std::string write_member(Random& random, const Member& member) {
  return concat({member.key, build_json_space(random), ":", build_json_space(random), member.value});
}

std::string build_scalar(Random& random) {
  constexpr auto literals = std::to_array<std::string_view>({"true", "false", "null"});
  switch (random.below(4)) {
    case 0: return build_number(random);
    case 1: return pick_text(random, literals);
    case 2: return R"("")";
    default: return quote(build_text(random).written);
  }
}

std::string build_array(Random& random, std::size_t depth) {
  Strings values;
  while (random.one_in(2)) values.push_back(build_value(random, depth));
  return write_array(random, values);
}

std::string build_object(Random& random, std::size_t depth) {
  Strings members;
  while (random.one_in(2)) {
    members.push_back(write_member(random, {quote(build_text(random).written), build_value(random, depth)}));
    if (random.one_in(8)) members.push_back(members.front());  // A repeated key (J4).
  }
  return write_object(random, members);
}

// ---- Calls (T6) ----

constexpr auto name_keys =
    std::to_array<std::string_view>({R"("name")", R"("name")", R"("name")", R"("\u006eame")", R"("n\u0061m\u0065")"});
constexpr auto args_keys =
    std::to_array<std::string_view>({R"("args")", R"("args")", R"("args")", R"("\u0061rgs")", R"("a\u0072gs")"});
/// Keys that are neither `name` nor `args`, some of them close (the fifth has a Cyrillic letter).
constexpr auto other_keys = std::to_array<std::string_view>(
    {R"("")", R"("id")", R"("Name")", R"("NAME")", "\"n\u0430me\"", R"("name ")", R"(" name")", R"("nam")",
     R"("names")", R"("name\u0000")", R"("\\u006eame")", R"("arguments")", R"("parameters")", R"("Args")", R"("arg")",
     R"("args\t")", "\"\uFEFFargs\"", R"("type")"});

Strings build_other_members(Random& random) {
  Strings members;
  while (random.one_in(3)) members.push_back(build_member(random));
  return members;
}

/// Puts a member at any place.
void insert_anywhere(Random& random, Strings& members, std::string member) {
  const auto at = static_cast<std::ptrdiff_t>(random.below(members.size() + 1));
  members.insert(members.begin() + at, std::move(member));
}

/// Puts the member that counts at any place and, at times, others with the same key in front of it, where they lose
/// (J4).
void insert_last_wins(Random& random, Strings& members, const auto& keys, std::string value) {
  Strings losing;
  while (random.one_in(5)) losing.push_back(write_member(random, {pick_text(random, keys), build_value(random, 2)}));
  const std::size_t place = random.below(members.size() + 1);
  const auto at = [&](std::size_t i) { return members.begin() + static_cast<std::ptrdiff_t>(i); };
  members.insert(at(place), write_member(random, {pick_text(random, keys), std::move(value)}));
  for (std::string& member : losing) members.insert(at(random.below(place + 1)), std::move(member));
}

std::string surround(Random& random, std::string_view text) {
  return concat({build_json_space(random), text, build_json_space(random)});
}

/// Arguments that lie just within the limits J3 and J8; they are two deep themselves.
std::string build_args_at_limit(Random& random) {
  if (random.one_in(8)) return '{' + join(Strings(max_members, R"("":0)"), ",") + '}';
  return R"({"deep":)" + repeat("[", max_depth - 2) + repeat("]", max_depth - 2) + '}';
}

BuiltBody build_call(Random& random, bool may_reach_limits = true) {
  BuiltBody body;
  const Text name = build_text(random);
  body.name = name.meant;
  Strings members = build_other_members(random);
  insert_last_wins(random, members, name_keys, quote(name.written));
  body.has_args = !random.one_in(4);
  if (body.has_args) {
    body.args_text = may_reach_limits && random.one_in(64) ? build_args_at_limit(random) : build_object(random, 3);
    insert_last_wins(random, members, args_keys, body.args_text);
  }
  body.text = surround(random, write_object(random, members));
  return body;
}

BuiltBody build_not_an_object(Random& random) {
  const std::size_t count = random.below(3);
  const Strings calls(count, random.one_in(2) ? "1" : build_call(random, false).text);
  const std::string value = random.one_in(2) ? write_array(random, calls) : build_scalar(random);
  return {surround(random, value), "not an object", {}, {}, false};
}

BuiltBody build_missing_name(Random& random) {
  Strings members = build_other_members(random);
  const std::string wrong = random.one_in(2) ? build_array(random, 2) : build_object(random, 2);
  const auto names_that_are_none = std::to_array<std::string_view>({R"("")", "null", "true", "7", "-0.5", wrong});
  if (!random.one_in(3)) insert_last_wins(random, members, name_keys, pick_text(random, names_that_are_none));
  if (random.one_in(2)) insert_last_wins(random, members, args_keys, build_value(random, 2));
  return {surround(random, write_object(random, members)), "missing name", {}, {}, false};
}

BuiltBody build_wrong_args(Random& random) {
  Strings members = build_other_members(random);
  insert_last_wins(random, members, name_keys, quote(build_text(random).written));
  insert_last_wins(random, members, args_keys, random.one_in(3) ? build_array(random, 2) : build_scalar(random));
  return {surround(random, write_object(random, members)), "args not an object", {}, {}, false};
}

// ---- Invalid JSON: each fault is one that no text around it can undo ----

// clang-format off
constexpr auto bad_values = std::to_array<std::string_view>({
    "NaN", "Infinity", "-Infinity", "-NaN", "nan", "inf", "None", "True", "False", "undefined", "TRUE", "Null", "tru",
    "nulll", "'go'", "`go`", "“go”", "\"go", R"("go\")", R"("a" "b")", R"("a" + "b")",
    R"("a"/*why*/)", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1;2]", "[1}", "[1", "]", R"({"a":1,})", "{,}",
    R"({"a":1])", "(1)", "1 // why\n", "/* why */ 1", "1 # why\n", "...", "<null>", "$x", "\\n", R"(\"go\")",
    "1\xC2\xA0", "\f1", "\v1", "\uFEFF1", "\u20281", "[emotion:happy] 1", "1 [emotion:sad]"});
// clang-format on

constexpr auto bad_numbers = std::to_array<std::string_view>(
    {"01",  "-01",  "00",    "+1",    ".5",    "-.5",   "5.", "1.e3", "1e",    "1e+",          "1E-", "-",
     "--1", "0x10", "1_000", "1 000", "1.2.3", "1e2.5", "1f", "0b1",  "1e5e5", "\xEF\xBC\x91", "-Inf"});

/// Exponents over 999,999,999 (J6).
std::string build_huge_exponent(Random& random) {
  constexpr auto fronts = std::to_array<std::string_view>({"1e", "0e", "-2.5E", "0.0e"});
  constexpr auto signs = std::to_array<std::string_view>({"", "+", "-", "0"});
  const std::string size = random.one_in(2) ? "1000000000" : build_digits(random, 1) + "999999999";
  return concat({random.pick(fronts), random.pick(signs), size, repeat("0", random.one_in(4) ? 20 : 0)});
}

// clang-format off
/// Escapes that are none, and halves of surrogate pairs, as long as no hexadecimal digit or escape follows (J2).
constexpr auto bad_escapes = std::to_array<std::string_view>({
    R"(\x41)", R"(\')", R"(\a)", R"(\v)", R"(\0)", R"(\ )", R"(\U0041)", R"(\u)", R"(\u12)", R"(\u123)", R"(\u12g4)",
    R"(\u-123)", R"(\u{41})", R"(\N)", "\\\n", "\\\t", R"(\`)", R"(\[)", R"(\ud83d)", R"(\ude00)", R"(\ude00\ud83d)",
    R"(\ud83d\ud83d)", R"(\ud83d\u0041)", R"(\ud83d\n)", R"(\ud83d\\ude00)", R"(\uDBFF\uE000)", R"(\uD800\uDBFF)",
    R"(\ud83d\ude0)", "\\ud83d\xED\xB8\x80"});
// clang-format on

// clang-format off
/// Bytes that are not UTF-8, as long as none of 80 to BF follows (J2).
constexpr auto bad_bytes = std::to_array<std::string_view>({
    "\x80", "\xA0", "\xBF", "\xC3", "\xC0\x80", "\xC1\xBF", "\xC3\x28", "\xE2\x82", "\xE0\x80\xAF", "\xE0\x9F\xBF",
    "\xED\xA0\x80", "\xED\xBF\xBF", "\xED\xA0\xBD\xED\xB8\x80", "\xF0\x9F\x98", "\xF0\x8F\xBF\xBF",
    "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF8\x88\x80\x80\x80", "\xFC\x84\x80\x80\x80\x80", "\xFE", "\xFF",
    "\xFF\xFE", "\xE9"});
// clang-format on

/// A string with a fault inside. What follows the fault cannot complete it, nor can it end a line as a closing would.
std::string build_bad_string(Random& random) {
  std::string fault = pick_text(random, bad_escapes);
  if (random.one_in(3)) fault = pick_text(random, bad_bytes);
  if (random.one_in(3)) fault = std::string(1, static_cast<char>(random.below(0x20)));
  return quote(concat({random.one_in(2) ? "say " : "", fault, random.one_in(2) ? "" : " more"}));
}

// clang-format off
constexpr auto bad_members = std::to_array<std::string_view>({
    "", R"(name:"go")", "'a':1", "1:2", "null:1", "[1]:1", "{}:1", R"("a")", R"("a" 1)", R"("a"=1)", R"("a"=>1)",
    R"("a"::1)", ":1", R"("a":)", ":", R"("a":1 "b":2)", R"("a":1;"b":2)", R"("a":1:2)", "...", "// why",
    "# why\n\"a\":1", R"("a":1 /* why */)", R"("k":"v" [emotion:calm])", R"([emotion:calm] "k":"v")", R"({"a":1})",
    R"(\"a\":1)", "“a”:1", "\xEF\xBB\xBF\"a\":1", R"(a"b":1)"});
// clang-format on

/// An object, a call's perhaps, that holds the member.
std::string object_around(Random& random, std::string member) {
  Strings members = build_other_members(random);
  members.push_back(write_member(random, {pick_text(random, name_keys), quote(build_text(random).written)}));
  insert_anywhere(random, members, std::move(member));
  return surround(random, write_object(random, members));
}

/// An array or an object that holds the value.
std::string list_around(Random& random, std::string value) {
  if (random.one_in(2)) return write_object(random, {write_member(random, {pick_text(random, other_keys), value})});
  Strings values;
  if (random.one_in(2)) values.push_back(build_scalar(random));
  insert_anywhere(random, values, std::move(value));
  return write_array(random, values);
}

/// An object that holds the value, at some depth.
std::string object_around_value(Random& random, std::string value) {
  while (random.one_in(3)) value = list_around(random, std::move(value));
  const auto& keys = random.one_in(2) ? args_keys : name_keys;
  return object_around(random, write_member(random, {pick_text(random, keys), std::move(value)}));
}

std::string with_bad_value(Random& random) { return object_around_value(random, build_bad_value(random)); }
std::string with_bad_member(Random& random) { return object_around(random, build_bad_member(random)); }

std::string with_bad_key(Random& random) {
  return object_around(random, write_member(random, {build_bad_string(random), build_scalar(random)}));
}

std::string with_mark_before(Random& random) { return "\xEF\xBB\xBF" + build_call(random).text; }

std::string too_deep(Random& random) {
  const std::size_t levels = max_depth + random.below(2);  // The object around is one level more.
  if (random.one_in(3)) return repeat("[", levels + 1) + repeat("]", levels + 1);
  if (random.one_in(3)) return R"({"name":"go","args":)" + repeat(R"({"":)", levels) + '1' + repeat("}", levels + 1);
  return R"({"name":"go","args":)" + repeat("[", levels) + repeat("]", levels) + '}';
}

/// Rare, since it is long; in its place mostly another fault.
std::string too_many_members(Random& random) {
  if (!random.one_in(24)) return with_bad_member(random);
  const std::string members = join(Strings(max_members, R"("":0)"), ",");
  return random.one_in(2) ? R"({"name":"go",)" + members + '}' : R"({"name":"go","args":{"a":1,)" + members + "}}";
}

std::string cut_short(Random& random) {
  const Strings members{write_member(random, {R"("name")", quote(build_text(random).written)}),
                        write_member(random, {R"("args")", build_object(random, 3)})};
  const std::string object = write_object(random, members);
  return object.substr(0, random.between(1, object.size() - 1));
}

std::string empty(Random& random) {
  return random.one_in(2) ? std::string() : surround(random, build_json_space(random));
}

std::string several_values(Random& random) {
  constexpr auto separators = std::to_array<std::string_view>({"\n", " ", ",", ",\n", ";", "\n\n", "\xE2\x80\xA8"});
  return concat({build_call(random).text, random.pick(separators), build_call(random).text});
}

std::string text_after(Random& random) {
  constexpr auto texts =
      std::to_array<std::string_view>({"done", "}", "]", ",", ";", ".", ":", "// done", "# done", "`", "\xEF\xBB\xBF",
                                       "\0"sv, "\x1A", "\\", "[emotion:happy]", "~~~", "``"});
  return concat({build_call(random).text, random.pick(texts), build_json_space(random)});
}

std::string text_before(Random& random) {
  constexpr auto texts =
      std::to_array<std::string_view>({"json", "json\n", "call:", "// call\n", "# call\n", "/**/", "=", ",", "(", "`",
                                       "[emotion:happy]", "\\", "\0"sv, "$", "data: ", "~~~\n", "``\n"});
  return concat({build_json_space(random), random.pick(texts), build_call(random).text});
}

/// White space by T2 that is none by J1, before or after the value.
std::string foreign_space(Random& random) {
  std::string_view space = pick_white_space(random);
  while (space == " " || space == "\t" || space == "\r") space = pick_white_space(random);
  const std::string text = build_call(random).text;
  return random.one_in(2) ? std::string(space) + text : text + std::string(space);
}

std::string as_utf16(Random& random) {
  const std::string zero(1, '\0');
  const std::string front = random.one_in(2) ? "\xFF\xFE" : "";
  return front + join({"{", "\"", "n", "\"", ":", "1", "}"}, zero) + zero;
}

std::string with_escaped_quotes(Random& random) {
  return R"({\"name\":\")" + pick_text(random, edge_numbers) + R"(\"})";
}

using Fault = std::string (*)(Random&);
constexpr auto faults =
    std::to_array<Fault>({with_bad_value, with_bad_value, with_bad_value, with_bad_member, with_bad_member,
                          with_bad_key, with_mark_before, too_deep, too_many_members, cut_short, cut_short, empty,
                          several_values, text_after, text_before, foreign_space, as_utf16, with_escaped_quotes});

BuiltBody build_invalid_json(Random& random) { return {random.pick(faults)(random), "invalid json", {}, {}, false}; }

// ---- Lines around fences ----

// clang-format off
/// What may follow three backticks (or more, or tildes) so that the line opens a fence, but no json block.
/// None of them holds a backtick.
constexpr auto other_tags = std::to_array<std::string_view>({
    "", "", "python", "bash", "text", "json5", "jsonc", "jsonl", "js", "jso", "jsonn", "jsonjson", "JSON5", "j son",
    "json {", "json x", "json:", "json,", "json json", "{json}", ".json", "{.json}", "json~~~", R"(json")", "-json",
    "json\xE2\x80\x8B", "\xE2\x80\x8Bjson", "\xEF\xBB\xBFjson", "json\xEF\xBB\xBF", "json\xA0", "\xA0json",
    "json\xC2", "js\xC3\xB6n", "j\xC5\xBFon", "ＪＳＯＮ", "json\0"sv,
    "\0json"sv, "json\x1B"});
// clang-format on

/// What may follow three backticks so that the line opens a fence by T3: more backticks, or some further on.
constexpr auto tags_with_backticks =
    std::to_array<std::string_view>({"`", "``", "```", "`json", "```json", "json`", "json```", "ls``` lists", " `x`",
                                     "json ```", "json {} ```", "python`"});

/// What follows a run of backticks on a line of inline code (F2).
constexpr auto inline_code =
    std::to_array<std::string_view>({"json `", "json```", R"(json {"name":"go"} ```)", "ls``` lists files.", " `",
                                     " ```", "x`", "json\xC2\xA0```", "~`", "\xE2\x80\x8B```"});

// clang-format off
/// Lines that no fence rule takes for more than prose.
constexpr auto near_marks = std::to_array<std::string_view>({
    "``", "``json", "`` `json", "` ```", "` ``` `json", "`json`", "``json``", "'''json", R"("""json)", "json", "~~",
    "~~json", "~ ~~~", "~`~`~`", "`~~~json", "> ```json", "- ```json", "* ```", "1. ```json", "|```json|",
    "\\```json", "Then ```json", "x\r```json", "x\xE2\x80\xA8```json", "｀｀｀json",
    "ˋˋˋjson", "´´´json", "<code>```json", "[emotion:happy]```json", "#```"});
// clang-format on

constexpr auto words = std::to_array<std::string_view>({"Sure,", "let me", "`run`", "look", "it up", "``` here",
                                                        R"({"name":"go"})", "...", "сейчас", "好的", "[emotion:calm]",
                                                        "```json", "~~~", "}", "\xF0\x9F\x99\x82", "42"});

std::string build_sentence(Random& random) {
  std::string sentence = "I";
  while (!random.one_in(5)) sentence.append(" ").append(random.pick(words));
  return sentence;
}

/// Any bytes but a newline and those that fences are made of.
std::string build_noise(Random& random) {
  std::string noise;
  for (std::size_t count = random.below(24); count > 0; --count) {
    const char byte = static_cast<char>(random.below(256));
    noise += byte == '\n' || byte == '`' || byte == '~' ? '?' : byte;
  }
  return noise;
}

/// A line that is prose by one fence rule and opens a fence by the other.
std::string build_prose_of_one_rule(Random& random, bool strict) {
  constexpr auto tilde_lines = std::to_array<std::string_view>({"~~~", "~~~json", "~~~~ text", "~~~`", "~~~ ```json"});
  return strict ? concat({repeat("`", random.between(3, 5)), random.pick(inline_code)})
                : pick_text(random, tilde_lines);
}

/// A fence, open now: what it is made of and how long its opening was.
struct Fence {
  char symbol = '`';
  std::size_t length = 3;
};

std::string run_of(char symbol, std::size_t length) { return repeat({&symbol, 1}, length); }

std::string build_closing(Random& random, const Fence& fence, bool strict) {
  const bool longer = strict && random.one_in(3);
  return run_of(fence.symbol, fence.length + (longer ? random.between(1, 3) : 0));
}

/// A mark that does not close the fence, and comes close.
std::string build_no_closing(Random& random, const Fence& fence, bool strict) {
  constexpr auto rests =
      std::to_array<std::string_view>({"json", "JSON", "x", " json", " {", "\xE2\x80\x8B", "\xEF\xBB\xBF", "\xA0",
                                       "\xC2", "\"", "}", ".", "\0"sv, " //"});
  const std::string run = run_of(fence.symbol, fence.length);
  const char other = fence.symbol == '`' ? '~' : '`';
  switch (random.below(7)) {
    case 0: return run_of(other, random.between(3, 6));
    case 1: return run_of(fence.symbol, random.between(1, fence.length - 1));
    case 2: return run + (strict ? other : fence.symbol) + run_of(fence.symbol, random.below(3));
    case 3: return run + pick_text(random, rests);
    case 4: return std::string(pick_look_alike(random)) + run;
    case 5: return run + std::string(pick_white_space(random)) + run;
    default: return run + std::string(pick_look_alike(random));
  }
}

// ---- Replies ----

/// Writes a reply, line by line.
class ReplyBuilder {
 public:
  ReplyBuilder(std::uint64_t seed, bool strict) : random_(seed), strict_(strict) {}

  BuiltReply build() {
    newlines_ = random_.below(3);
    for (std::size_t parts = random_.below(random_.one_in(8) ? 16 : 6); parts > 0; --parts) add_part();
    if (random_.one_in(4)) leave_open();
    if (random_.one_in(3)) drop_last_newline();
    return std::move(built_);
  }

 private:
  void add_part() {
    switch (random_.below(6)) {
      case 0:
      case 1: return add_line(build_prose_line(random_, strict_));
      case 2: return add_other_fence();
      default: return add_json_block();
    }
  }

  void end_line() { reply() += newlines_ == 0 || (newlines_ == 1 && random_.one_in(2)) ? "\r\n" : "\n"; }

  void add_line(std::string_view line) {
    reply() += line;
    end_line();
  }

  /// Adds the line of a mark with white space around it, and returns where the mark starts.
  std::size_t add_mark(std::string_view mark) {
    reply() += build_white_space(random_);
    const std::size_t begin = reply().size();
    add_line(std::string(mark) + build_white_space(random_));
    return begin;
  }

  BuiltEntry& open_block() {
    BuiltEntry entry;
    entry.block = built_.entries.size() + 1;
    entry.span_begin = add_mark("```" + build_json_tag(random_));
    entry.body_begin = reply().size();
    return built_.entries.emplace_back(std::move(entry));
  }

  void add_json_block() {
    BuiltEntry& entry = open_block();
    BuiltBody body = build_body(random_);
    if (random_.one_in(16)) body = {add_fenced_look(body.text), "invalid json", {}, {}, false};
    close_block(entry, body.text);
    entry.reason = body.reason;
    entry.name = body.name;
    entry.args_text = body.args_text;
    entry.has_args = body.has_args;
  }

  /// The body with a line that nearly closes the block before or after it, which no JSON survives.
  std::string add_fenced_look(const std::string& body) {
    const std::string line = concat({build_white_space(random_), build_no_closing(random_, {}, strict_)});
    return random_.one_in(2) ? line + '\n' + body : body + '\n' + line;
  }

  void close_block(BuiltEntry& entry, const std::string& body) {
    entry.body_end = entry.body_begin;
    if (!body.empty() || random_.one_in(2)) {  // An empty body has a line of its own, or the closing comes at once.
      add_line(body);
      entry.body_end = reply().size() - 1;
    }
    const std::string closing = build_closing(random_, {}, strict_);
    entry.span_end = add_mark(closing) + closing.size();
  }

  /// Opens a fence that is none of a json block, by the rule in force.
  Fence open_other_fence() {
    Fence fence;
    if (!strict_) {
      add_mark("```" + (random_.one_in(3) ? pick_text(random_, tags_with_backticks) : build_other_tag()));
      return fence;
    }
    fence.length = random_.between(3, 6);
    if (random_.one_in(3)) fence.symbol = '~';
    const bool any_tag = fence.symbol == '~' || fence.length > 3;
    std::string tag = any_tag && random_.one_in(2) ? build_json_tag(random_) : build_other_tag();
    if (fence.symbol == '~' && random_.one_in(4)) tag = pick_text(random_, tags_with_backticks);
    add_mark(run_of(fence.symbol, fence.length) + tag);
    return fence;
  }

  std::string build_other_tag() {
    if (random_.one_in(8)) return concat({pick_white_space(random_), build_json_tag(random_)});
    return pick_text(random_, other_tags);
  }

  /// A line that stays inside the fence, whatever it looks like.
  void add_content(const Fence& fence) {
    switch (random_.below(5)) {
      case 0: return add_line(build_call(random_).text);
      case 1: return add_line(build_sentence(random_));
      case 2: return add_line(build_noise(random_));
      case 3: return add_swallowed_block(fence);
      default: add_mark(build_no_closing(random_, fence, strict_));
    }
  }

  /// The opening of a json block inside another fence (N2), and the rest of the block where that closes nothing.
  void add_swallowed_block(const Fence& fence) {
    add_mark("```" + build_json_tag(random_));
    add_line(build_call(random_).text);
    if (fence.symbol == '~' || fence.length > 3) add_mark("```");
  }

  void add_other_fence() {
    const Fence fence = open_other_fence();
    while (!random_.one_in(3)) add_content(fence);
    add_mark(build_closing(random_, fence, strict_));
  }

  /// Ends the reply inside a fence (T7).
  void leave_open() {
    const bool json = random_.one_in(2);
    Fence fence;
    if (json) {
      open_block().reason = "unclosed block";
      unclosed_ = true;
    } else {
      fence = open_other_fence();
    }
    while (!random_.one_in(3)) add_content(fence);
    set_unclosed_end();
  }

  void drop_last_newline() {
    if (!reply().empty()) reply().pop_back();
    set_unclosed_end();
  }

  void set_unclosed_end() {
    if (!unclosed_) return;
    BuiltEntry& entry = built_.entries.back();
    entry.span_end = entry.body_end = reply().size();
    entry.body_begin = std::min(entry.body_begin, entry.body_end);  // The opening line may have lost its newline.
  }

  std::string& reply() { return built_.reply; }

  Random random_;
  bool strict_;
  bool unclosed_ = false;
  std::size_t newlines_ = 0;
  BuiltReply built_;
};

}  // namespace

std::string_view pick_white_space(Random& random) { return random.pick(white_space); }
std::string_view pick_look_alike(Random& random) { return random.pick(look_alikes); }

std::string build_json_tag(Random& random) {
  std::string tag = "json";
  if (random.one_in(2)) return tag;
  for (char& letter : tag) letter = static_cast<char>(random.one_in(2) ? letter - 0x20 : letter);
  return tag;
}

std::string build_value(Random& random, std::size_t depth) {
  if (depth == 0 || random.one_in(2)) return build_scalar(random);
  return random.one_in(2) ? build_array(random, depth - 1) : build_object(random, depth - 1);
}

std::string build_member(Random& random) {
  return write_member(random, {pick_text(random, other_keys), build_value(random, 2)});
}

std::string build_bad_value(Random& random) {
  switch (random.below(5)) {
    case 0: return pick_text(random, bad_numbers);
    case 1: return build_huge_exponent(random);
    case 2: return build_bad_string(random);
    default: return pick_text(random, bad_values);
  }
}

std::string build_bad_member(Random& random) { return pick_text(random, bad_members); }

BuiltBody build_body(Random& random) {
  switch (random.below(10)) {
    case 0: return build_not_an_object(random);
    case 1: return build_missing_name(random);
    case 2: return build_wrong_args(random);
    case 3:
    case 4:
    case 5: return build_invalid_json(random);
    default: return build_call(random);
  }
}

std::string build_prose_line(Random& random, bool strict_fences) {
  switch (random.below(7)) {
    case 0: return build_white_space(random);
    case 1: return concat({build_white_space(random), random.pick(near_marks)});
    case 2: return concat({build_white_space(random), pick_look_alike(random), "```json"});
    case 3: return build_noise(random);
    case 4: return concat({build_white_space(random), build_prose_of_one_rule(random, strict_fences)});
    case 5: return build_call(random).text;
    default: return concat({build_white_space(random), build_sentence(random)});
  }
}

BuiltReply build_reply(std::uint64_t seed, bool strict_fences) { return ReplyBuilder(seed, strict_fences).build(); }

}  // namespace callfence::fuzz
