#include "json_fault.hpp"

#include <algorithm>
#include <vector>

#include "text.hpp"

namespace callfence {
namespace {

/// What may stand at a place: the first bytes of the tokens allowed there, and the words for them.
struct Expectation {
  std::string_view bytes;
  std::string_view words;
};
constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t array = npos;
constexpr Expectation a_value{"{[\"-0123456789tfn", "a value"};
constexpr Expectation a_first_value{"]{[\"-0123456789tfn", "a value, or ']'"};
constexpr Expectation a_key{"\"", "a key in double quotes"};
constexpr Expectation a_first_key{"}\"", "a key in double quotes, or '}'"};
constexpr Expectation a_colon{":", "':'"};
constexpr Expectation after_member{",}", "',' or '}'"};
constexpr Expectation after_element{",]", "',' or ']'"};
constexpr Expectation the_end{"", "nothing after the value"};

bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

bool is_word(char byte) noexcept {
  return byte == '_' || is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/// The letters, digits and underscores at `at`, at most 24.
std::string_view word_at(std::string_view text, std::size_t at) noexcept {
  const std::string_view rest = text.substr(at, 24);
  return rest.substr(0, static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_word) - rest.begin()));
}

/// Explains one text, token by token.
class Explainer {
 public:
  Explainer(std::string_view text, JsonLimits limits) : text_(text), limits_(limits) {}

  JsonFault explain() {
    std::optional<JsonFault> fault;
    for (at_ = skip_space(text_, 0); !(fault = check_token()); at_ = skip_space(text_, token_end(text_, at_))) pass();
    return *std::move(fault);
  }

 private:
  [[nodiscard]] bool wants_key() const noexcept { return expected_ == &a_key || expected_ == &a_first_key; }

  [[nodiscard]] JsonFault fault(std::size_t at, Cause cause, std::string_view expected, std::size_t length = 1) const {
    if (at >= text_.size()) return {text_.size(), cause, "the end", expected};
    const std::size_t shown = std::max({length, word_at(text_, at).size(), character_length(text_, at)});
    const std::string found = make_visible(text_.substr(at, shown));
    return {at, cause, found == "'" ? "\"'\"" : "'" + found + "'", expected};
  }

  /// What is wrong with the token at `at_`, by itself or in this place.
  [[nodiscard]] std::optional<JsonFault> check_token() const {
    if (at_ == text_.size()) return fault(at_, tokens_ == 0 ? Cause::empty : Cause::cut_short, expected_->words);
    const char byte = text_[at_];
    const std::string_view token = text_.substr(at_, token_end(text_, at_) - at_);
    const bool number = byte == '-' || is_digit(byte);
    if (expected_->bytes.find(byte) == npos) return fault(at_, guess_cause(), expected_->words);
    if (wants_key() && byte == '"' && open_.back() == limits_.max_members) {  // J8
      return fault(at_, Cause::too_many_members, "fewer members in one object");
    }
    if ((byte == '{' || byte == '[') && open_.size() == limits_.max_depth) {  // J3
      return fault(at_, Cause::too_deep, "fewer brackets around");
    }
    if ((!number && !is_word(byte) && byte != '"') || decode_json(token, limits_)) return std::nullopt;
    if (byte == '"') return check_string();
    return fault(at_, exponent_fits(token) ? guess_cause() : Cause::exponent_too_large,  // J6
                 number ? "a number, its exponent at most 999999999" : expected_->words,
                 std::min<std::size_t>(token.size(), 24));
  }

  /// J2: the first fault inside the string at `at_`.
  [[nodiscard]] JsonFault check_string() const {
    for (std::size_t at = at_ + 1, length = 0; at < text_.size() && text_[at] != '"'; at += length) {
      const char byte = text_[at];
      length = byte == '\\' ? escape_length(at) : sequence_length(text_, at);
      const bool newline = byte == '\n' || byte == '\r';
      if (newline) return fault(at, Cause::raw_newline, "an escape in its place");
      if (length == 1 && byte < 0x20) return fault(at, Cause::control_character, "an escape in its place");
      if (length > 0) continue;
      if (byte != '\\') return fault(at, Cause::invalid_utf8, "UTF-8");
      if (text_.find('"', at) == npos) break;
      const bool hex = text_.substr(at, 6).find_first_not_of("0123456789abcdefABCDEF", 2) == npos;
      const bool half = hex && text_.substr(at, 2) == "\\u";
      if (half) return fault(at, Cause::lone_surrogate, "a pair of surrogates", 6);
      return fault(at, Cause::bad_escape, R"(\" \\ \/ \b \f \n \r \t or \u and four digits)", 2);
    }
    return fault(text_.size(), Cause::cut_short, "'\"'");
  }

  /// The length of the escape at `at`, the other half of a surrogate pair included; 0 where there is none.
  [[nodiscard]] std::size_t escape_length(std::size_t at) const {
    for (const std::size_t length : {2U, 6U, 12U}) {
      if (decode_json('"' + std::string(text_.substr(at, length)) + '"', limits_)) return length;
    }
    return 0;
  }

  /// The likely cause of a token that must not stand at `at_`.
  [[nodiscard]] Cause guess_cause() const noexcept {
    const char byte = text_[at_];
    const std::string_view word = word_at(text_, byte == '-' ? at_ + 1 : at_);
    if (byte == '#' || is_one_of(text_.substr(at_, 2), {"//", "/*"})) return Cause::comment;
    if (sequence_length(text_, at_) == 0) return Cause::invalid_utf8;
    const bool value = byte == '{' || byte == '[' || byte == '"' || byte == '-' || is_digit(byte);
    if (expected_ == &the_end) return value ? Cause::several_values : Cause::text_after_value;
    if (after_comma_ && byte == (open_.back() == array ? ']' : '}')) return Cause::trailing_comma;
    if (byte == '\'') return Cause::single_quotes;
    if (is_one_of(word, {"True", "False", "None"})) return Cause::python_literal;
    if (is_one_of(word, {"NaN", "nan", "Infinity", "inf"})) return Cause::nan_or_infinity;
    if (wants_key() && !word.empty()) return Cause::unquoted_key;
    return tokens_ == 0 && text_.substr(at_, 3) == "\xEF\xBB\xBF" ? Cause::byte_order_mark : Cause::unknown;
  }

  /// Takes the token at `at_`, and tells what may stand next.
  void pass() {
    const char byte = text_[at_];
    const bool key = byte == '"' && wants_key();
    ++tokens_;
    after_comma_ = byte == ',';
    if (byte == '{' || byte == '[') open_.push_back(byte == '{' ? 0 : array);
    if (byte == '}' || byte == ']') open_.pop_back();
    const bool object = !open_.empty() && open_.back() != array;
    if (key) {
      ++open_.back();
      expected_ = &a_colon;
    } else if (byte == '{' || byte == '[') {
      expected_ = object ? &a_first_key : &a_first_value;
    } else if (byte == ':' || byte == ',') {
      expected_ = object && byte == ',' ? &a_key : &a_value;
    } else {
      expected_ = open_.empty() ? &the_end : object ? &after_member : &after_element;
    }
  }

  std::string_view text_;
  JsonLimits limits_;
  std::size_t at_ = 0;
  std::size_t tokens_ = 0;
  bool after_comma_ = false;
  const Expectation* expected_ = &a_value;
  std::vector<std::size_t> open_;  // The members so far of each object around; `array` for an array.
};

}  // namespace

JsonFault explain_fault(std::string_view text, JsonLimits limits) {
  JsonFault fault = Explainer(text.substr(0, limits.max_bytes), limits).explain();
  if (fault.at == limits.max_bytes) return {fault.at, Cause::unknown, "more JSON than is decoded", "less"};
  return fault;
}

}  // namespace callfence
