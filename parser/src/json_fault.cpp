#include "json_fault.hpp"

#include <algorithm>
#include <vector>

namespace callfence {
namespace {

/// What may stand at a place: the first bytes of the tokens allowed there, and the words for them.
struct Expectation {
  std::string_view bytes;
  std::string_view words;
};
constexpr std::size_t an_array = npos;
constexpr Expectation a_value{"{[\"-0123456789tfn", "a value"};
constexpr Expectation a_first_value{"]{[\"-0123456789tfn", "a value, or ']'"};
constexpr Expectation a_key{"\"", "a key in double quotes"};
constexpr Expectation a_first_key{"}\"", "a key in double quotes, or '}'"};
constexpr Expectation a_colon{":", "':'"};
constexpr Expectation after_member{",}", "',' or '}'"};
constexpr Expectation after_element{",]", "',' or ']'"};
constexpr Expectation the_end{"", "nothing after the value"};

constexpr std::string_view digits = "0123456789";
bool is_digit(char byte) noexcept { return digits.find(byte) != npos; }

constexpr std::string_view word_bytes = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
bool is_word(char byte) noexcept { return word_bytes.find(byte) != npos; }

/// The letters, digits and underscores at `at`, at most 24.
std::string_view word_at(std::string_view text, std::size_t at) noexcept {
  const std::string_view rest = text.substr(at, 24);
  return rest.substr(0, rest.find_first_not_of(word_bytes));
}

/// Explains one text, token by token.
struct Explainer {
  std::string_view text;
  JsonLimits limits;
  std::size_t at = 0;
  const Expectation* expected = &a_value;
  std::vector<std::size_t> open{};  // The members so far of each object around; `an_array` for an array.

  Detail explain() {
    std::optional<Detail> fault;
    for (at = skip_space(text, 0); !(fault = check_token()); at = skip_space(text, token_end(text, at))) pass();
    return *std::move(fault);
  }

  [[nodiscard]] bool starts() const noexcept { return expected == &a_value && open.empty(); }
  [[nodiscard]] bool wants_key() const noexcept { return expected == &a_key || expected == &a_first_key; }

  [[nodiscard]] Detail fault(std::size_t place, Cause cause, std::string_view wanted, std::size_t length = 1) const {
    if (place >= text.size()) return {{text.size()}, cause, "the end", wanted};
    const std::size_t shown = std::max({length, word_at(text, place).size(), character_length(text, place)});
    const std::string found = make_visible(text.substr(place, shown));
    return {{place}, cause, found == "'" ? "\"'\"" : "'" + found + "'" + name_code_point(text, place), wanted};
  }

  /// What is wrong with the token at `at`, by itself or in this place.
  [[nodiscard]] std::optional<Detail> check_token() const {
    if (at == text.size()) return fault(at, starts() ? Cause::empty : Cause::cut_short, expected->words);
    const char byte = text[at];
    const std::string_view token = text.substr(at, token_end(text, at) - at);
    const bool number = byte == '-' || is_digit(byte);
    if (expected->bytes.find(byte) == npos) return fault(at, guess_cause(), expected->words);
    const bool too_many = wants_key() && byte == '"' && open.back() == limits.max_members;  // J8
    const bool too_deep = (byte == '{' || byte == '[') && open.size() == limits.max_depth;  // J3
    if (too_many) return fault(at, Cause::too_many_members, "fewer members in one object");
    if (too_deep) return fault(at, Cause::too_deep, "fewer brackets around");
    if ((!number && !is_word(byte) && byte != '"') || decode_json(token, limits)) return std::nullopt;
    if (byte == '"') return check_string();
    // J6: a number but for the length of its exponent.
    const bool too_large =
        !exponent_fits(token) && decode_json(token.substr(0, token.find_last_not_of(digits) + 2), limits);
    const std::size_t shown = std::min<std::size_t>(token.size(), 24);
    if (too_large) return fault(at, Cause::exponent_too_large, "an exponent of at most 999999999", shown);
    return fault(at, guess_cause(), number ? "a number" : expected->words, shown);
  }

  /// J2: the first fault inside the string at `at`.
  [[nodiscard]] Detail check_string() const {
    for (std::size_t i = at + 1, length = 0; i < text.size() && text[i] != '"'; i += length) {
      const char byte = text[i];
      length = byte == '\\' ? escape_length(i) : sequence_length(text, i);
      if (byte == '\n' || byte == '\r') return fault(i, Cause::raw_newline, "an escape in its place");
      if (length == 1 && byte < 0x20) return fault(i, Cause::control_character, "an escape in its place");
      if (length > 0) continue;
      if (byte != '\\') return fault(i, Cause::invalid_utf8, "UTF-8");
      const std::size_t hex = std::min(text.find_first_not_of("0123456789abcdefABCDEF", i + 2), text.size()) - i;
      if (i + 1 == text.size() || (text[i + 1] == 'u' && i + hex == text.size() && hex < 6)) break;
      if (hex >= 6 && text[i + 1] == 'u') return fault(i, Cause::lone_surrogate, "a pair of surrogates", 6);
      return fault(i, Cause::bad_escape, R"(\" \\ \/ \b \f \n \r \t or \u and four digits)",
                   1 + character_length(text, i + 1));
    }
    return fault(text.size(), Cause::cut_short, "'\"'");
  }

  /// The length of the escape at `i`, the other half of a surrogate pair included; 0 where there is none.
  [[nodiscard]] std::size_t escape_length(std::size_t i) const {
    for (const std::size_t length : {2U, 6U, 12U}) {
      if (decode_json('"' + std::string(text.substr(i, length)) + '"', limits)) return length;
    }
    return 0;
  }

  /// The likely cause of a token that must not stand at `at`.
  [[nodiscard]] Cause guess_cause() const noexcept {
    const char byte = text[at];
    const std::string_view word = word_at(text, byte == '-' ? at + 1 : at);
    const bool hash = byte == '#' && !is_word(text[std::min(at + 1, text.size() - 1)]);
    if (hash || is_one_of(text.substr(at, 2), {"//", "/*"})) return Cause::comment;
    if (sequence_length(text, at) == 0) return Cause::invalid_utf8;
    const bool value = byte == '{' || byte == '[' || byte == '"' || (!word.empty() && is_digit(word.front()));
    if (expected == &the_end) return value ? Cause::several_values : Cause::text_after_value;
    const bool in_array = expected == &a_value && !open.empty() && open.back() == an_array;
    if ((byte == '}' && expected == &a_key) || (byte == ']' && in_array)) return Cause::trailing_comma;
    if (byte == '\'') return Cause::single_quotes;
    if (wants_key() && !word.empty()) return Cause::unquoted_key;
    if (is_one_of(word, {"True", "False", "None"})) return Cause::python_literal;
    if (is_one_of(word, {"NaN", "nan", "Infinity", "inf"})) return Cause::nan_or_infinity;
    return starts() && text.substr(at, 3) == "\xEF\xBB\xBF" ? Cause::byte_order_mark : Cause::unknown;
  }

  /// Takes the token at `at`, and tells what may stand next.
  void pass() {
    const char byte = text[at];
    const bool key = byte == '"' && wants_key();
    if (byte == '{' || byte == '[') open.push_back(byte == '{' ? 0 : an_array);
    if (byte == '}' || byte == ']') open.pop_back();
    const bool object = !open.empty() && open.back() != an_array;
    if (key) ++open.back();
    expected = key                          ? &a_colon
               : byte == '{'                ? &a_first_key
               : byte == '['                ? &a_first_value
               : byte == ',' && object      ? &a_key
               : byte == ',' || byte == ':' ? &a_value
               : open.empty()               ? &the_end
               : object                     ? &after_member
                                            : &after_element;
  }
};

}  // namespace

Detail explain_fault(std::string_view text, JsonLimits limits) {
  Detail detail = Explainer{text.substr(0, limits.max_bytes), limits}.explain();
  if (text.size() > limits.max_bytes && detail.place.byte + 12 > limits.max_bytes)
    return {{limits.max_bytes}, Cause::unknown, "more", "at most 1 GiB of JSON"};
  return detail;
}

}  // namespace callfence
