// Changes inputs in the terms of the contract: lines, fences, white space around marks, JSON tokens, emotion tags.
// About a third of the changes are libFuzzer's own, on bytes. libFuzzer calls the two functions at the end.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator.hpp"

/// libFuzzer's own change of bytes; not there in a build without libFuzzer.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size, std::uint8_t* out,
                                                 std::size_t max_size, unsigned int seed);

namespace callfence::fuzz {
namespace {

using namespace std::string_view_literals;
using Lines = std::vector<std::string>;

/// The lines of a text, each with its newline; at least one, which may be empty.
Lines split_lines(std::string_view text) {
  Lines lines;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.emplace_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

std::string join(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

/// A place in the text, its end included.
std::size_t pick_place(Random& random, std::string_view text) { return random.below(text.size() + 1); }

/// The places where one of the texts starts.
std::vector<std::size_t> find_all(std::string_view text, std::string_view wanted) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1)) {
    places.push_back(at);
  }
  return places;
}

// ---- Lines ----

/// What may stand behind a fence: the tag, and what comes close to it.
constexpr auto tags =
    std::to_array<std::string_view>({"json", "JSON", "jSoN", "json5", " json", "json {", "jso", "jsonc", "", "python",
                                     "`json", "json`", "json ```", "j\xC5\xBFon", "~json", "json\0"sv});

std::string build_fence(Random& random) {
  const char symbol = random.one_in(4) ? '~' : '`';
  std::string fence(random.one_in(2) ? 3 : random.between(1, 6), symbol);
  return fence += random.pick(tags);
}

/// A line of any kind that matters to fences, without its newline.
std::string build_line(Random& random) {
  switch (random.below(8)) {
    case 0:
    case 1: return "```" + build_json_tag(random);
    case 2:
    case 3: return "```";
    case 4: return build_fence(random);
    case 5: return build_body(random).text;
    default: return build_prose_line(random, random.one_in(2));
  }
}

void change_lines(Random& random, std::string& text) {
  Lines lines = split_lines(text);
  const auto pick_line = [&] { return lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size())); };
  const auto line = pick_line();
  switch (random.below(6)) {
    case 0: lines.insert(line, build_line(random) + '\n'); break;
    case 1: lines.insert(line, std::string(*pick_line())); break;
    case 2: lines.erase(line); break;
    case 3: std::iter_swap(line, pick_line()); break;
    case 4: *line = build_line(random) + '\n'; break;
    default: lines.push_back(build_line(random)); break;
  }
  text = join(lines);
}

void change_newlines(Random& random, std::string& text) {
  constexpr auto line_ends =
      std::to_array<std::string_view>({"\r\n", "\n\n", "\r", "", "\xE2\x80\xA8", "\xC2\x85", " \n"});
  const std::string_view line_end = random.pick(line_ends);
  const std::vector<std::size_t> places = find_all(text, "\n");
  if (places.empty()) return void(text += '\n');
  if (random.one_in(2)) return void(text.replace(random.pick(places), 1, line_end));
  Lines lines = split_lines(text);
  for (std::string& line : lines) {
    if (line.ends_with('\n')) line.replace(line.size() - 1, 1, line_end.empty() ? "\r\n" : line_end);
  }
  text = join(lines);
}

// ---- Fences and the white space around them ----

void put_in_fence(Random& random, std::string& text) {
  text.insert(0, (random.one_in(2) ? "```json" : build_fence(random)) + '\n');
  text += "\n```\n";
}

/// The places where three backticks or tildes start, longer runs included.
std::vector<std::size_t> find_fences(std::string_view text) {
  std::vector<std::size_t> places = find_all(text, "```");
  const std::vector<std::size_t> tildes = find_all(text, "~~~");
  places.insert(places.end(), tildes.begin(), tildes.end());
  return places;
}

std::string build_space(Random& random) {
  return std::string(random.one_in(3) ? pick_look_alike(random) : pick_white_space(random));
}

/// Changes one fence: its length, its symbol, its tag, or what stands around its line.
void change_fence(Random& random, std::string& text) {
  const std::vector<std::size_t> fences = find_fences(text);
  if (fences.empty() || random.one_in(16)) return put_in_fence(random, text);
  const std::size_t begin = random.pick(fences);
  const char symbol = text[begin];
  const std::size_t run_end = std::min(text.find_first_not_of(symbol, begin), text.size());
  const std::size_t line_end = std::min(text.find('\n', begin), text.size());
  switch (random.below(8)) {
    case 0: text.insert(begin, random.between(1, 3), symbol); break;
    case 1: text.erase(begin, 1); break;
    case 2: text.replace(begin, run_end - begin, run_end - begin, symbol == '`' ? '~' : '`'); break;
    case 3: text.replace(run_end, line_end - run_end, random.pick(tags)); break;
    case 4: text.insert(run_end, build_space(random)); break;
    case 5: text.insert(line_end, build_space(random)); break;
    case 6: text.insert(line_end, random.one_in(2) ? "```" : build_line(random)); break;
    default: text.insert(begin, build_space(random)); break;
  }
}

// ---- JSON tokens ----

struct Token {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

bool is_word(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte == '-' ||
         byte == '+' || byte == '.';
}

/// Where the token at `begin` ends: a string (cut at a newline), a word or number, or one byte.
std::size_t end_of_token(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  if (text[begin] == '"') {
    while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2U : 1U;
    return std::min(end + 1, text.size());
  }
  if (!is_word(text[begin])) return end;
  while (end < text.size() && is_word(text[end])) ++end;
  return end;
}

/// Some tokens from a brace or bracket on, or from the start where there is none; not empty unless the text is blank.
std::vector<Token> find_tokens(Random& random, std::string_view text) {
  constexpr std::size_t most = 64;
  std::vector<std::size_t> starts = find_all(text, random.one_in(4) ? "[" : "{");
  std::size_t at = starts.empty() ? 0 : random.pick(starts);
  std::vector<Token> tokens;
  for (; at < text.size() && tokens.size() < most; ++at) {
    if (is_space(text[at])) continue;
    tokens.push_back({at, end_of_token(text, at)});
    at = tokens.back().end - 1;
  }
  return tokens;
}

/// A member that decides what a call is (T6), repeated perhaps (J4).
std::string build_call_member(Random& random) {
  constexpr auto keys =
      std::to_array<std::string_view>({R"("name":)", R"("args":)", R"("\u006eame":)", R"("arguments":)"});
  std::string member(random.pick(keys));
  return member += build_value(random, 2);
}

std::string build_any_member(Random& random) {
  switch (random.below(4)) {
    case 0: return build_bad_member(random);
    case 1: return build_member(random);
    default: return build_call_member(random);
  }
}

/// A number with about as many digits as keep their value (J5, J6, N7), some of them zeros at its end perhaps.
std::string build_long_number(Random& random) {
  const std::size_t digits = random.between(15, 21);
  const std::size_t zeros = random.one_in(2) ? random.between(1, digits - 1) : 0;
  std::string number(1, static_cast<char>('1' + random.below(9)));
  while (number.size() < digits - zeros) number += static_cast<char>('0' + random.below(10));
  number.append(zeros, '0');
  if (random.one_in(2)) number.insert(random.between(1, digits - 1), ".");
  if (random.one_in(3)) number += (random.one_in(2) ? "e" : "E-") + std::to_string(random.below(30));
  return random.one_in(4) ? '-' + number : number;
}

std::string build_any_value(Random& random) {
  if (random.one_in(8)) return build_long_number(random);
  return random.one_in(4) ? build_bad_value(random) : build_value(random, 2);
}

/// Levels around a token, at times as many as the default limit (J3).
void nest(Random& random, std::string& text, const Token& token) {
  const std::size_t levels = random.one_in(8) ? random.between(508, 514) : random.between(1, 6);
  const bool arrays = random.one_in(2);
  std::string opening;
  for (std::size_t i = 0; i < levels; ++i) opening += arrays ? "[" : R"({"a":)";
  text.insert(token.end, std::string(levels, arrays ? ']' : '}'));
  text.insert(token.begin, opening);
}

/// The later token first, since its place must not move.
void swap_tokens(std::string& text, Token first, Token second) {
  if (first.begin > second.begin) std::swap(first, second);
  const std::string earlier = text.substr(first.begin, first.end - first.begin);
  const std::string later = text.substr(second.begin, second.end - second.begin);
  text.replace(second.begin, later.size(), earlier);
  text.replace(first.begin, earlier.size(), later);
}

void change_tokens(Random& random, std::string& text) {
  const std::vector<Token> tokens = find_tokens(random, text);
  if (tokens.empty()) return void(text += build_any_value(random));
  const Token token = random.pick(tokens);
  const std::size_t length = token.end - token.begin;
  switch (random.below(8)) {
    case 0: text.insert(token.begin, build_any_value(random)); break;
    case 1:
    case 2: text.replace(token.begin, length, build_any_value(random)); break;
    case 3: text.erase(token.begin, length); break;
    case 4: text.insert(token.end, text.substr(token.begin, length)); break;
    case 5: swap_tokens(text, token, random.pick(tokens)); break;
    case 6: nest(random, text, token); break;
    default: text.insert(token.end, random.one_in(4) ? build_space(random) : ","); break;
  }
}

/// A long number in place of another, or as a member where there is none.
void change_number(Random& random, std::string& text) {
  std::vector<Token> numbers = find_tokens(random, text);
  std::erase_if(numbers, [&](Token token) {
    return text[token.begin] != '-' && (text[token.begin] < '0' || text[token.begin] > '9');
  });
  const std::string number = build_long_number(random);
  if (!numbers.empty()) {
    const Token token = random.pick(numbers);
    return void(text.replace(token.begin, token.end - token.begin, number));
  }
  const std::vector<std::size_t> braces = find_all(text, "{");
  if (braces.empty()) return void(text += number);
  const std::size_t place = random.pick(braces) + 1;
  text.insert(place, "\"n\":" + number + (text.compare(place, 1, "}") == 0 ? "" : ","));
}

/// Adds a member to an object, as its first or its last.
void add_member(Random& random, std::string& text) {
  const bool first = random.one_in(2);
  const std::vector<std::size_t> braces = find_all(text, first ? "{" : "}");
  if (braces.empty()) return void(text += '{' + build_any_member(random) + '}');
  const std::size_t brace = random.pick(braces);
  if (first) return void(text.insert(brace + 1, build_any_member(random) + ','));
  text.insert(brace, ',' + build_any_member(random));
}

// clang-format off
/// What matters inside strings: escapes, halves of them, surrogates, controls, bytes that are no UTF-8, fences and
/// tags.
constexpr auto string_pieces = std::to_array<std::string_view>({
    "\\\"", "\\\\", "\\/", "\\b", "\\n", "\\u0000", "\\u0041", "\\u00e9", "\\uFEFF", "\\ud83d\\ude00",
    "\\uDBFF\\uDFFF", "\\ud83d", "\\ude00", "\\ude00\\ud83d", "\\", "\\x41", "\\'", "\\u12", "\\u", "\"", "\n", "\r",
    "\t", "\0"sv, "\x1F", "\x7F", "\xC2\x80", "\xED\x9F\xBF", "\xEF\xBB\xBF", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF",
    "\x80", "\xC0\x80", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "```", "\n```\n", "```json", "{", "}",
    "[emotion:sad]", "//", "'"});
// clang-format on

void change_string(Random& random, std::string& text) {
  std::vector<std::size_t> quotes = find_all(text, "\"");
  const std::size_t place = quotes.empty() ? pick_place(random, text) : random.pick(quotes) + 1;
  const std::size_t end = std::min(text.find('"', place), text.size());
  text.insert(random.between(place, end), random.pick(string_pieces));
}

// ---- Emotion tags (R1) ----

// clang-format off
constexpr auto emotion_tags = std::to_array<std::string_view>({
    "[emotion:happy]", "[emotion:sad]", "[emotion:a]", "[emotion:half-smile_X]", "[emotion:-]", "[emotion:_]",
    "[emotion:]", "[emotion:two words]", "[emotion:a1]", "[Emotion:happy]", "[emotion: happy]", "[emotion:happy ]",
    "[emotion:happy", "[emotion:", "emotion:happy]", "[emo", "tion:happy]", "[[emotion:happy]]",
    "[emotion:[emotion:a]b]", "[emotion:\xC3\xA4rger]", "[emotion:a\n]", "]", "["});
// clang-format on

/// Puts a tag, whole or not, between tokens, at a line's start or anywhere, a string's inside included.
void add_emotion_tag(Random& random, std::string& text) {
  const std::vector<Token> tokens = find_tokens(random, text);
  std::size_t place = pick_place(random, text);
  if (!tokens.empty() && random.one_in(2)) place = random.pick(tokens).begin;
  if (random.one_in(6)) place = 0;
  text.insert(place, random.pick(emotion_tags));
}

// ---- The whole text ----

/// What a text may end with that makes a reader look for more (T9).
constexpr auto last_bytes =
    std::to_array<std::string_view>({"#", "/", "\\", "\"", "'", "-", "{", "[", "t", "`", "\xE2"});

void cut(Random& random, std::string& text) {
  const std::size_t place = pick_place(random, text);
  switch (random.below(4)) {
    case 0: text.erase(0, place); break;
    case 1: text.erase(place, random.between(1, 16)); break;
    default:
      text.erase(place);
      if (random.one_in(4)) text += random.pick(last_bytes);
      break;
  }
}

/// A built reply before, after, between the lines, or in place of the text.
void splice_reply(Random& random, std::string& text) {
  const bool strict = random.one_in(2);
  const std::string reply = build_reply(random.next(), strict).reply;
  if (text.empty() || random.one_in(3)) return void(text = reply);
  Lines lines = split_lines(text);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size() + 1)), reply);
  text = join(lines);
}

void splice_body(Random& random, std::string& text) {
  const std::string body = build_body(random).text;
  if (random.one_in(2)) return void(text = body);
  text.insert(pick_place(random, text), body);
}

/// A call in a block of its own at the end, so that an input without blocks soon has one.
void add_block(Random& random, std::string& text) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += "```" + build_json_tag(random) + '\n' + build_body(random).text + "\n```\n";
}

// ---- Very much of one thing, for what costs more than it should (T10) ----

/// Some lines many times over.
void repeat_lines(Random& random, std::string& text) {
  Lines lines = split_lines(text);
  const std::size_t begin = random.below(lines.size());
  const std::size_t count = std::min(random.between(1, 4), lines.size() - begin);
  std::string piece;
  for (std::size_t i = begin; i < begin + count; ++i) piece += lines[i];
  if (!piece.ends_with('\n')) piece += '\n';
  std::string repeated;
  for (std::size_t i = std::size_t{1} << random.between(3, 9); i > 0 && repeated.size() < 4096; --i) repeated += piece;
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(begin), repeated);
  text = join(lines);
}

/// Many members in one object, each with a key of its own.
void add_members(Random& random, std::string& text) {
  if (text.find('{') == std::string::npos) text += "{}";
  const std::size_t place = random.pick(find_all(text, "{")) + 1;
  std::string members;
  for (std::size_t i = std::size_t{1} << random.between(3, 9); i > 0; --i) {
    members += (members.empty() ? "\"" : ",\"") + std::to_string(i) + "\":0";
  }
  if (text.compare(place, 1, "}") != 0) members += ',';
  text.insert(place, members);
}

using Change = void (*)(Random&, std::string&);
/// Changes to any text, those to JSON more than once.
constexpr auto changes =
    std::to_array<Change>({change_lines, change_newlines, change_tokens, change_tokens, change_number, add_member,
                           change_string, change_string, add_emotion_tag, cut, splice_body});
/// Changes to a text with fences, which would only spoil JSON alone or a reading.
constexpr auto fence_changes = std::to_array<Change>(
    {change_lines, change_lines, change_fence, change_fence, change_fence, splice_reply, add_block});

void change(Random& random, std::string& text) {
  if (random.one_in(32)) return (random.one_in(2) ? repeat_lines : add_members)(random, text);
  const bool has_fences = text.empty() || text.find("```") != std::string::npos;
  const bool on_fences = random.one_in(has_fences ? 2 : 8);
  (on_fences ? random.pick(fence_changes) : random.pick(changes))(random, text);
}

/// Copies as much as there is room for.
std::size_t copy_out(std::string_view text, std::uint8_t* out, std::size_t max_size) {
  const std::size_t size = std::min(text.size(), max_size);
  std::copy_n(text.begin(), size, out);
  return size;
}

std::string to_text(const std::uint8_t* data, std::size_t size) { return {data, data + size}; }

/// Lines of the second text in the first: in place of its end, or between.
std::string cross(Random& random, const std::string& first, const std::string& second) {
  Lines lines = split_lines(first);
  const Lines others = split_lines(second);
  const auto from = others.begin() + static_cast<std::ptrdiff_t>(random.below(others.size()));
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size() + 1));
  if (random.one_in(2)) {
    lines.erase(place, lines.end());
    lines.insert(lines.end(), from, others.end());
  } else {
    const auto rest = static_cast<std::size_t>(others.end() - from);
    lines.insert(place, from, from + static_cast<std::ptrdiff_t>(random.between(1, rest)));
  }
  return join(lines);
}

}  // namespace
}  // namespace callfence::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  using namespace callfence::fuzz;
  if (max_size == 0) return 0;
  size = std::min(size, max_size);
  Random random(seed);
  if (LLVMFuzzerMutate != nullptr && random.one_in(3)) return LLVMFuzzerMutate(data, size, max_size);
  std::string text = to_text(data, size);
  do change(random, text);
  while (random.one_in(3));
  return copy_out(text, data, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size, std::uint8_t* out,
                                                 std::size_t max_size, unsigned int seed) {
  using namespace callfence::fuzz;
  Random random(seed);
  return copy_out(cross(random, to_text(first, first_size), to_text(second, second_size)), out, max_size);
}
