#include "oracle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace callfence::oracle {
namespace {

using std::size_t;
using std::string;
using std::string_view;
using Json = nlohmann::json;

constexpr size_t nowhere = string_view::npos;

/// Moves what a value holds to `values`.
void take_apart(Value& value, Array& values) {
  if (auto* array = std::get_if<Array>(&value.data)) {
    std::move(array->begin(), array->end(), std::back_inserter(values));
    array->clear();
  } else if (auto* object = std::get_if<Object>(&value.data)) {
    for (auto& member : *object) values.push_back(std::move(member.second));
    object->clear();
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON (J): the text cut into tokens, and decoded by nlohmann-json.

/// A piece of a JSON text, or of what claims to be one.
struct Token {
  char kind = 0;  // '"' a string, '0' a run of characters that numbers are made of, otherwise the byte itself.
  Span span;
};

string_view text_of(string_view text, Span span) { return text.substr(span.begin, span.end - span.begin); }

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_json_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }
bool opens(char kind) { return kind == '{' || kind == '['; }
bool closes(char kind) { return kind == '}' || kind == ']'; }

/// Where the string that starts at `begin` ends: after its closing quote, or with the text.
size_t end_of_string(string_view text, size_t begin) {
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return text.size();
}

Token token_at(string_view text, size_t begin) {
  if (text[begin] == '"') return {'"', {begin, end_of_string(text, begin)}};
  if (text[begin] != '-' && !is_digit(text[begin])) return {text[begin], {begin, begin + 1}};
  return {'0', {begin, std::min(text.find_first_not_of("+-.0123456789Ee", begin), text.size())}};
}

std::vector<Token> tokens_of(string_view text) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < text.size();) {
    if (is_json_space(text[i])) {
      ++i;
      continue;
    }
    tokens.push_back(token_at(text, i));
    i = tokens.back().span.end;
  }
  return tokens;
}

/// Takes the digits at the front of `text` and returns how many there were.
size_t take_digits(string_view& text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

bool take_any(string_view& text, string_view bytes) {
  if (text.empty() || bytes.find(text[0]) == nowhere) return false;
  text.remove_prefix(1);
  return true;
}

/// RFC 8259's grammar of numbers (J1).
bool is_number(string_view text) {
  take_any(text, "-");
  const bool starts_with_zero = text.starts_with('0');
  const size_t digits = take_digits(text);
  if (digits == 0 || (starts_with_zero && digits > 1)) return false;
  if (take_any(text, ".") && take_digits(text) == 0) return false;
  if (take_any(text, "eE")) {
    take_any(text, "+-");
    if (take_digits(text) == 0) return false;
  }
  return text.empty();
}

bool is_integer(string_view number) { return number.find_first_of(".eE") == nowhere; }

/// Whether the exponent is at most 999,999,999 (J6): nine digits, not counting zeros in front.
bool has_small_exponent(string_view number) {
  const size_t mark = number.find_first_of("eE");
  if (mark == nowhere) return true;
  const string_view exponent = number.substr(mark + 1);
  const size_t first = exponent.find_first_not_of("+-0");
  return first == nowhere || exponent.size() - first <= 9;
}

/// An integer of a 64-bit type (J5). False where the number is none.
bool read_integer(const string& number, Value& value) {
  if (!is_integer(number)) return false;
  errno = 0;
  const long long integer = std::strtoll(number.c_str(), nullptr, 10);
  if (errno == 0) {
    value.data = std::int64_t{integer};
    return true;
  }
  if (number.starts_with('-')) return false;  // strtoull would wrap it around.
  errno = 0;
  const unsigned long long natural = std::strtoull(number.c_str(), nullptr, 10);
  if (errno != 0) return false;
  value.data = std::uint64_t{natural};
  return true;
}

Value value_of_number(const string& number) {
  Value value;
  if (!read_integer(number, value)) value.data = std::strtod(number.c_str(), nullptr);
  return value;
}

/// A text whose numbers are replaced by their places in `numbers`, because nlohmann-json refuses those beyond the
/// doubles and loses the type of large integers. What only looks like a number stays, for it to refuse.
struct Numbered {
  string text;
  std::vector<string> numbers;
};

Numbered number_the_numbers(string_view text) {
  Numbered result;
  size_t copied = 0;
  for (const Token& token : tokens_of(text)) {
    const string_view number = text_of(text, token.span);
    if (token.kind != '0' || !is_number(number)) continue;
    result.text += text.substr(copied, token.span.begin - copied);
    result.text += std::to_string(result.numbers.size());
    result.numbers.emplace_back(number);
    copied = token.span.end;
  }
  result.text += text.substr(copied);
  return result;
}

/// An array or an object whose closing bracket is still to come.
struct Open {
  bool is_object = false;
  Array array;
  Object object;
  std::map<string, size_t> places;  // Where each key stands in `object`.
  string key;
  size_t members = 0;  // Repeats counted (J8).
};

/// Builds a value from nlohmann-json's events and refuses what is too deep (J3) or has too many members (J8).
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(const std::vector<std::string>& numbers, const Limits& limits) : numbers_(numbers), limits_(limits) {}

  Value& value() { return value_; }

  bool null() override { return add({nullptr}); }
  bool boolean(bool value) override { return add({value}); }
  bool string(string_t& value) override { return add({std::move(value)}); }
  bool number_unsigned(number_unsigned_t place) override {
    return place < numbers_.size() && add(value_of_number(numbers_[place]));
  }

  // Every number has become its place. Any other one is a text that is no number.
  bool number_integer(number_integer_t /*value*/) override { return false; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return false; }
  bool binary(binary_t& /*value*/) override { return false; }
  bool parse_error(size_t /*place*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

  bool start_object(size_t /*size*/) override { return open(true); }
  bool start_array(size_t /*size*/) override { return open(false); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& key) override {
    open_.back().key = std::move(key);
    return ++open_.back().members <= limits_.max_members;
  }

 private:
  bool open(bool is_object) {
    if (open_.size() == limits_.max_depth) return false;
    open_.emplace_back().is_object = is_object;
    return true;
  }

  bool close() {
    Value value;
    if (open_.back().is_object) {
      value.data = std::move(open_.back().object);
    } else {
      value.data = std::move(open_.back().array);
    }
    open_.pop_back();
    return add(std::move(value));
  }

  bool add(Value value) {
    if (open_.empty()) {
      value_ = std::move(value);
    } else if (open_.back().is_object) {
      add_member(open_.back(), std::move(value));
    } else {
      open_.back().array.push_back(std::move(value));
    }
    return true;
  }

  /// The last of equal keys holds, in the place of the first (J4).
  static void add_member(Open& open, Value value) {
    const auto [entry, is_new] = open.places.try_emplace(open.key, open.object.size());
    if (is_new) {
      open.object.emplace_back(open.key, std::move(value));
    } else {
      open.object[entry->second].second = std::move(value);
    }
  }

  const std::vector<std::string>& numbers_;
  const Limits& limits_;
  std::vector<Open> open_;
  Value value_;
};

}  // namespace

Value::~Value() {
  Array values;
  take_apart(*this, values);
  while (!values.empty()) {
    Value last = std::move(values.back());
    values.pop_back();
    take_apart(last, values);
  }
}

bool decode(string_view text, const Limits& limits, Value& value) {
  if (text.starts_with("\xEF\xBB\xBF")) return false;  // J2. nlohmann-json skips a byte order mark.
  if (text.find('\0') != nowhere) return false;        // nlohmann-json takes NUL for the end of the text.
  const Numbered numbered = number_the_numbers(text);
  if (!std::all_of(numbered.numbers.begin(), numbered.numbers.end(), has_small_exponent)) return false;
  Builder builder(numbered.numbers, limits);
  constexpr bool nothing_after_it = true;
  if (!Json::sax_parse(numbered.text, &builder, Json::input_format_t::json, nothing_after_it)) return false;
  value = std::move(builder.value());
  return true;
}

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Lines (T1), their marks (T2) and what each line is to the fences (T3, T4, F1 to F3).

constexpr std::array<string_view, 29> white_space = {
    "\x09",         "\x0A",         "\x0B",         "\x0C",         "\x0D",
    "\x1C",         "\x1D",         "\x1E",         "\x1F",         " ",
    "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81",
    "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86",
    "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
    "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};

/// What N3 undoes in front of a fence, beside white space and numbers of a list: `>`, `-`, `*`, `+`, U+200B, U+200C,
/// U+200D, U+2060 and U+FEFF.
constexpr std::array<string_view, 9> clutter = {
    ">", "-", "*", "+", "\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D", "\xE2\x81\xA0", "\xEF\xBB\xBF"};

constexpr string_view fence = "```";

template <size_t count>
bool take_one_of(string_view& text, const std::array<string_view, count>& pieces) {
  for (const string_view piece : pieces) {
    if (!text.starts_with(piece)) continue;
    text.remove_prefix(piece.size());
    return true;
  }
  return false;
}

bool drop_white_space_at_end(string_view& text) {
  for (const string_view space : white_space) {
    if (!text.ends_with(space)) continue;
    text.remove_suffix(space.size());
    return true;
  }
  return false;
}

enum class Role { prose, json_opening, json_content, json_closing, other_opening, other_content, other_closing };

struct Line {
  Span span;  // Without its newline.
  Span mark;
  Role role = Role::prose;
};

Span mark_of(string_view reply, Span line) {
  string_view mark = text_of(reply, line);
  while (drop_white_space_at_end(mark)) {
  }
  const size_t end = line.begin + mark.size();
  while (take_one_of(mark, white_space)) {
  }
  return {end - mark.size(), end};
}

std::vector<Line> split_lines(string_view reply) {
  std::vector<Line> lines;
  for (size_t begin = 0;; begin = lines.back().span.end + 1) {
    const size_t end = reply.find('\n', begin);
    const Span span = {begin, std::min(end, reply.size())};
    lines.push_back({span, mark_of(reply, span)});
    if (end == nowhere) return lines;
  }
}

size_t run_length(string_view text, char byte) { return std::min(text.find_first_not_of(byte), text.size()); }

/// Whether `text` begins with `json` in either case.
bool begins_with_tag(string_view text) {
  constexpr string_view lower = "json";
  constexpr string_view upper = "JSON";
  for (size_t i = 0; i < lower.size(); ++i) {
    if (i == text.size() || (text[i] != lower[i] && text[i] != upper[i])) return false;
  }
  return true;
}

bool is_json_mark(string_view mark) {
  return mark.size() == 7 && mark.starts_with(fence) && begins_with_tag(mark.substr(3));
}

/// The fence that a line is inside of.
struct Fence {
  bool is_open = false;
  bool is_json = false;
  char byte = '`';
  size_t length = 0;
};

/// The fence that a line of prose opens, if any.
Fence opened_by(string_view mark, bool strict) {
  const size_t backticks = run_length(mark, '`');
  const size_t tildes = run_length(mark, '~');
  if (is_json_mark(mark)) return {true, true, '`', 3};
  if (strict && tildes >= 3) return {true, false, '~', tildes};          // F3
  if (strict && mark.substr(backticks).find('`') != nowhere) return {};  // F2
  if (backticks >= 3) return {true, false, '`', backticks};
  return {};
}

bool is_closed_by(const Fence& open, string_view mark, bool strict) {
  if (!strict) return mark == fence;
  return mark.size() >= open.length && run_length(mark, open.byte) == mark.size();  // F1, F3
}

/// The lines of a reply, each with its role.
std::vector<Line> lines_of(string_view reply, bool strict) {
  std::vector<Line> lines = split_lines(reply);
  Fence open;
  for (Line& line : lines) {
    const string_view mark = text_of(reply, line.mark);
    if (!open.is_open) {
      open = opened_by(mark, strict);
      if (open.is_open) line.role = open.is_json ? Role::json_opening : Role::other_opening;
    } else if (is_closed_by(open, mark, strict)) {
      line.role = open.is_json ? Role::json_closing : Role::other_closing;
      open = {};
    } else {
      line.role = open.is_json ? Role::json_content : Role::other_content;
    }
  }
  return lines;
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks and entries (T5 to T7).

struct Block {
  bool is_closed = false;
  Span span;
  Span body;
};

/// The block that is opened by the line numbered `opening`.
Block block_at(string_view reply, const std::vector<Line>& lines, size_t opening) {
  Block block;
  const bool is_last = opening + 1 == lines.size();
  block.span = {lines[opening].mark.begin, reply.size()};
  block.body = {is_last ? reply.size() : lines[opening + 1].span.begin, reply.size()};
  for (size_t i = opening + 1; i < lines.size(); ++i) {
    if (lines[i].role != Role::json_closing) continue;
    block.is_closed = true;
    block.span.end = lines[i].mark.end;
    block.body.end = std::max(block.body.begin, lines[i].span.begin - 1);
    break;
  }
  return block;
}

std::vector<Block> blocks_of(string_view reply, const std::vector<Line>& lines) {
  std::vector<Block> blocks;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].role == Role::json_opening) blocks.push_back(block_at(reply, lines, i));
  }
  return blocks;
}

Value* find_member(Object& object, string_view key) {
  for (auto& [name, value] : object) {
    if (name == key) return &value;
  }
  return nullptr;
}

bool is_key(const std::vector<Token>& tokens, size_t place) {
  return tokens[place].kind == '"' && place + 1 < tokens.size() && tokens[place + 1].kind == ':';
}

/// What a key means, its escapes undone.
string meaning_of_key(string_view text, const Token& key) {
  Value value;
  return decode(text_of(text, key.span), {}, value) ? std::get<string>(value.data) : string();
}

/// Where the bracket that opens at `place` is closed: after its partner, or nowhere.
size_t end_of_brackets(const std::vector<Token>& tokens, size_t place) {
  size_t depth = 0;
  for (; place < tokens.size(); ++place) {
    if (opens(tokens[place].kind)) ++depth;
    if (closes(tokens[place].kind) && --depth == 0) return tokens[place].span.end;
  }
  return nowhere;
}

/// The text of the last object that is the value of `key` in the outermost object (J7).
string_view text_of_member(string_view body, string_view key) {
  const std::vector<Token> tokens = tokens_of(body);
  string_view result;
  size_t depth = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (opens(tokens[i].kind)) ++depth;
    if (closes(tokens[i].kind)) --depth;
    if (depth != 1 || !is_key(tokens, i) || tokens[i + 2].kind != '{') continue;
    if (meaning_of_key(body, tokens[i]) != key) continue;
    result = text_of(body, {tokens[i + 2].span.begin, end_of_brackets(tokens, i + 2)});
  }
  return result;
}

/// The entry of a body that has been decoded (T6).
void shape(Value& value, const Rules& rules, Entry& entry) {
  Object* const object = std::get_if<Object>(&value.data);
  if (object == nullptr) {
    entry.reason = "not an object";
    return;
  }
  Value* const name = find_member(*object, rules.name_key);
  if (name == nullptr || !std::holds_alternative<string>(name->data) || std::get<string>(name->data).empty()) {
    entry.reason = "missing name";
    return;
  }
  Value* const args = find_member(*object, rules.args_key);
  if (args != nullptr && !std::holds_alternative<Object>(args->data)) {
    entry.reason = "args not an object";
    return;
  }
  entry.name = std::get<string>(name->data);
  entry.has_args = args != nullptr;
  if (entry.has_args) entry.args = std::move(std::get<Object>(args->data));
}

Entry entry_of(string_view reply, const Block& block, size_t number, const Rules& rules) {
  Entry entry;
  entry.block = number;
  entry.span = block.span;
  entry.body = block.body;
  const string_view body = text_of(reply, block.body);
  Value value;
  if (!block.is_closed) {
    entry.reason = "unclosed block";
  } else if (!decode(body, rules.limits, value)) {
    entry.reason = "invalid json";
  } else {
    shape(value, rules, entry);
  }
  if (entry.has_args) entry.args_text = text_of_member(body, rules.args_key);
  return entry;
}

// ---------------------------------------------------------------------------------------------------------------------
// Notes (N).

/// Takes `1.` or `1)`, with any number of digits.
bool take_list_number(string_view& text) {
  string_view rest = text;
  if (take_digits(rest) == 0 || !take_any(rest, ".)")) return false;
  text = rest;
  return true;
}

/// Whether `mark` is a json mark once everything that N3 names is undone.
bool is_nearly_an_opening(string_view mark) {
  if (is_json_mark(mark)) return false;
  while (take_one_of(mark, white_space) || take_one_of(mark, clutter) || take_list_number(mark)) {
  }
  const size_t length = std::max(run_length(mark, '`'), run_length(mark, '~'));
  if (length < 3) return false;
  mark.remove_prefix(length);
  while (take_one_of(mark, white_space)) {
  }
  return begins_with_tag(mark);
}

/// The rule of the note on a line, or 0.
int rule_of_line(const Line& line, string_view mark) {
  const bool is_prose = line.role == Role::prose || line.role == Role::other_opening;
  if (line.role == Role::other_content && is_json_mark(mark)) return 2;
  if (is_prose && is_nearly_an_opening(mark)) return 3;
  if (line.role == Role::json_content && (mark.starts_with(fence) || mark.ends_with(fence))) return 4;
  return 0;
}

void note_lines(string_view reply, const std::vector<Line>& lines, std::vector<Note>& notes) {
  const Line* opening = nullptr;
  for (const Line& line : lines) {
    const int rule = rule_of_line(line, text_of(reply, line.mark));
    if (rule != 0) notes.push_back({rule, line.mark});
    if (line.role == Role::other_opening) opening = &line;
    if (line.role == Role::other_closing) opening = nullptr;
  }
  if (opening != nullptr) notes.push_back({1, opening->mark});
}

void note_other_members(Value& value, const Block& block, const Rules& rules, std::vector<Note>& notes) {
  Entry entry;
  shape(value, rules, entry);
  if (!entry.reason.empty() || entry.has_args) return;
  if (std::get<Object>(value.data).size() > 1) notes.push_back({5, block.span});
}

/// Significant digits: from the first to the last digit that is not zero.
size_t count_significant_digits(string_view number) {
  string digits(number.substr(0, number.find_first_of("eE")));
  std::erase_if(digits, [](char byte) { return !is_digit(byte); });
  const size_t first = digits.find_first_not_of('0');
  return first == nowhere ? 0 : digits.find_last_not_of('0') - first + 1;
}

bool is_inexact(const string& number) {
  const Value value = value_of_number(number);
  if (!std::holds_alternative<double>(value.data)) return false;
  const double nearest = std::get<double>(value.data);
  const size_t digits = count_significant_digits(number);
  const bool is_beyond = nearest - nearest != 0;  // So it is for infinity only.
  const bool is_below = nearest == 0 && digits > 0;
  return is_integer(number) || is_beyond || is_below || digits > 17;
}

Span shifted(Span span, size_t by) { return {span.begin + by, span.end + by}; }

void note_tokens(string_view body, size_t place, std::vector<Note>& notes) {
  const std::vector<Token> tokens = tokens_of(body);
  std::vector<std::set<string>> keys;  // Of each array (none) and object that is open.
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const Span span = shifted(token.span, place);
    if (opens(token.kind)) keys.emplace_back();
    if (closes(token.kind)) keys.pop_back();
    if (is_key(tokens, i) && !keys.back().insert(meaning_of_key(body, token)).second) notes.push_back({6, span});
    if (token.kind == '0' && is_inexact(string(text_of(body, token.span)))) notes.push_back({7, span});
  }
}

bool comes_before(const Note& left, const Note& right) {
  return std::tuple(left.span.begin, left.span.end, left.rule) <
         std::tuple(right.span.begin, right.span.end, right.rule);
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading (R).

bool is_emotion_byte(char byte) {
  return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte == '_' || byte == '-';
}

/// Whether a tag starts at `begin`.
bool is_tag_at(string_view text, size_t begin, Tag& tag) {
  constexpr string_view opening = "[emotion:";
  if (!text.substr(begin).starts_with(opening)) return false;
  const size_t name = begin + opening.size();
  size_t end = name;
  while (end < text.size() && is_emotion_byte(text[end])) ++end;
  if (end == name || end == text.size() || text[end] != ']') return false;
  tag = {string(text.substr(name, end - name)), {begin, end + 1}};
  return true;
}

/// A text without its tags, and where each of its bytes stood before.
struct Cut {
  string text;
  std::vector<size_t> places;
};

Cut cut(string_view text, const std::vector<Tag>& tags) {
  Cut result;
  auto tag = tags.begin();
  for (size_t i = 0; i < text.size(); ++i) {
    if (tag != tags.end() && i == tag->span.end) ++tag;
    if (tag != tags.end() && i >= tag->span.begin) continue;
    result.text += text[i];
    result.places.push_back(i);
  }
  return result;
}

/// The object that starts at the first brace of `text`, with its span in `text`.
Reading read_object(string_view text, const Limits& limits) {
  Reading reading;
  const size_t begin = text.find('{');
  if (begin == nowhere) {
    reading.error = "had no JSON object";
    return reading;
  }
  const string_view rest = text.substr(begin);
  const size_t length = end_of_brackets(tokens_of(rest), 0);
  Value value;
  if (length == nowhere || !decode(rest.substr(0, length), limits, value)) {
    reading.error = "was not valid JSON";
    return reading;
  }
  reading.object = std::move(std::get<Object>(value.data));
  reading.text = rest.substr(0, length);
  reading.span = {begin, begin + length};
  return reading;
}

bool is_inside(Span inner, Span outer) { return inner.begin >= outer.begin && inner.end <= outer.end; }

// ---------------------------------------------------------------------------------------------------------------------
// Printing. Values by a list of what is still to print, since a recursion might need more stack than there is.

string in_hexadecimal(std::uint64_t number, int digits) {
  std::array<char, 17> text = {};
  std::snprintf(text.data(), text.size(), "%0*llX", digits, static_cast<unsigned long long>(number));
  return text.data();
}

string quote(string_view text) {
  string result = "\"";
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') {
      result += {'\\', byte};
    } else if (byte >= ' ' && byte <= '~') {
      result += byte;
    } else {
      result += "\\x" + in_hexadecimal(static_cast<unsigned char>(byte), 2);
    }
  }
  return result + '"';
}

/// A value that is still to be printed, with a text in front; or the text alone.
struct Task {
  string text;
  const Value* value = nullptr;
};
using Tasks = std::vector<Task>;

/// The tasks of an array in the order of its printing.
Tasks tasks_of(const Array& array) {
  Tasks tasks;
  for (const Value& value : array) tasks.push_back({tasks.empty() ? "[" : ",", &value});
  tasks.push_back({tasks.empty() ? "[]" : "]"});
  return tasks;
}

Tasks tasks_of(const Object& object) {
  std::map<string_view, const Value*> members;
  for (const auto& [key, value] : object) members[key] = &value;
  Tasks tasks;
  for (const auto& [key, value] : members) tasks.push_back({(tasks.empty() ? "{" : ",") + quote(key) + ':', value});
  tasks.push_back({tasks.empty() ? "{}" : "}"});
  return tasks;
}

string scalar(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value.data)) return "i:" + std::to_string(*integer);
  if (const auto* natural = std::get_if<std::uint64_t>(&value.data)) return "u:" + std::to_string(*natural);
  if (const auto* text = std::get_if<string>(&value.data)) return quote(*text);
  if (const auto* number = std::get_if<double>(&value.data)) {
    return "d:" + in_hexadecimal(std::bit_cast<std::uint64_t>(*number), 16);
  }
  return "null";
}

/// Appends tasks so that the last of the list is the first to be done.
void push(Tasks tasks, Tasks& list) {
  list.insert(list.end(), std::make_move_iterator(tasks.rbegin()), std::make_move_iterator(tasks.rend()));
}

string print(Tasks tasks) {
  string result;
  Tasks list;
  push(std::move(tasks), list);
  while (!list.empty()) {
    const Task task = std::move(list.back());
    list.pop_back();
    result += task.text;
    if (task.value == nullptr) continue;
    if (const auto* array = std::get_if<Array>(&task.value->data)) {
      push(tasks_of(*array), list);
    } else if (const auto* object = std::get_if<Object>(&task.value->data)) {
      push(tasks_of(*object), list);
    } else {
      result += scalar(*task.value);
    }
  }
  return result;
}

string print(Span span) { return '[' + std::to_string(span.begin) + ',' + std::to_string(span.end) + ']'; }

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------

std::vector<Entry> parse(string_view reply, const Rules& rules) {
  std::vector<Entry> entries;
  for (const Block& block : blocks_of(reply, lines_of(reply, rules.strict_fences))) {
    entries.push_back(entry_of(reply, block, entries.size() + 1, rules));
  }
  return entries;
}

std::vector<Note> find_notes(string_view reply, const Rules& rules) {
  std::vector<Note> notes;
  const std::vector<Line> lines = lines_of(reply, rules.strict_fences);
  note_lines(reply, lines, notes);
  for (const Block& block : blocks_of(reply, lines)) {
    const string_view body = text_of(reply, block.body);
    Value value;
    if (!block.is_closed || !decode(body, rules.limits, value)) continue;
    note_other_members(value, block, rules, notes);
    note_tokens(body, block.body.begin, notes);
  }
  std::sort(notes.begin(), notes.end(), comes_before);
  return notes;
}

std::vector<Tag> find_tags(string_view text) {
  std::vector<Tag> tags;
  Tag tag;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '[' || !is_tag_at(text, i, tag)) continue;
    i = tag.span.end - 1;
    tags.push_back(tag);
  }
  return tags;
}

string strip_tags(string_view text) { return cut(text, find_tags(text)).text; }

Reading read(string_view reply, const Rules& rules) {
  const std::vector<Tag> tags = find_tags(reply);
  const Cut kept = cut(reply, rules.tags_everywhere ? tags : std::vector<Tag>());  // R4 cuts none.
  Reading reading = read_object(kept.text, rules.limits);
  if (!reading.error.empty()) return reading;
  reading.span = {kept.places[reading.span.begin], kept.places[reading.span.end - 1] + 1};
  for (const Tag& tag : tags) {
    if (rules.tags_everywhere || !is_inside(tag.span, reading.span)) reading.emotions.push_back(tag);  // R6
  }
  return reading;
}

string print(const Value& value) { return print(Tasks{{"", &value}}); }

string print(const Entry& entry) {
  const string places = " span " + print(entry.span) + " body " + print(entry.body);
  const string block = std::to_string(entry.block);
  if (!entry.reason.empty()) return block + " error " + entry.reason + places;
  const string text = entry.has_args ? " text " + quote(entry.args_text) : "";
  return block + " call " + quote(entry.name) + ' ' + print(tasks_of(entry.args)) + text + places;
}

string print(const Note& note) { return 'N' + std::to_string(note.rule) + ' ' + print(note.span); }

string print(const Reading& reading) {
  if (!reading.error.empty()) return "error " + reading.error;
  string emotions;
  for (const Tag& tag : reading.emotions) emotions += ' ' + tag.emotion + print(tag.span);
  return "object " + print(tasks_of(reading.object)) + " text " + quote(reading.text) + " span " + print(reading.span) +
         " emotions" + emotions;
}

}  // namespace callfence::oracle
