#include "json_decode.hpp"

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <limits>
#include <vector>

namespace callfence {

template <typename Number>
static bool read(std::string_view text, Number& number) noexcept {
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

static std::string_view mantissa_of(std::string_view text) noexcept { return text.substr(0, text.find_first_of("eE")); }

/// The digits of the exponent, without leading zeros.
static std::string_view exponent_of(std::string_view number) noexcept {
  number.remove_prefix(mantissa_of(number).size());
  return number.substr(std::min(number.find_first_not_of("eE+-0"), number.size()));
}

std::size_t skip_space(std::string_view text, std::size_t at) noexcept {
  return std::min(text.find_first_not_of(" \t\n\r", at), text.size());
}

std::size_t token_end(std::string_view text, std::size_t at) noexcept {
  constexpr std::string_view bare = "0123456789+-._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (bare.find(text[at]) != npos) return std::min(text.find_first_not_of(bare, at), text.size());
  if (text[at] != '"') return at + 1;
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;  // Over what it escapes.
  }
  return std::min(at + 1, text.size());
}

bool exponent_fits(std::string_view number) noexcept {
  return number.size() < 12 || exponent_of(number).size() <= 9;  // Digits; the shortest too large is 1e1000000000
}

double nearest_double(std::string_view number) noexcept {
  double value = 0;
  if (read(number, value)) return value;
  // Beyond the largest or below the smallest: the place of its first digit other than zero tells which.
  const std::string_view mantissa = mantissa_of(number);
  const auto first = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  std::int64_t exponent = 0;
  read(exponent_of(number), exponent);
  if (number.find('-', mantissa.size()) != npos) exponent = -exponent;
  const double size = point - first + exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return number.front() == '-' ? -size : size;
}

bool is_inexact(std::string_view number) noexcept {
  std::int64_t integer = 0;
  std::uint64_t natural = 0;
  if (number.find_first_of(".eE") == npos) return !read(number, integer) && !read(number, natural);
  const std::string_view mantissa = mantissa_of(number);
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == npos) return false;  // A zero.
  const std::string_view digits = mantissa.substr(first, mantissa.find_last_of("123456789") - first + 1);
  double value = 0;
  return !read(number, value) || digits.size() > (digits.find('.') == npos ? 17 : 18);
}

namespace {

namespace json = boost::json;

/// Builds the value that Boost.JSON's parser reports piece by piece, with the numbers of J5 and J6 and the limit of J8.
/// A function that returns false ends the parse.
class Handler {
 public:
  static constexpr std::size_t max_object_size = JsonLimits{}.max_bytes, max_array_size = max_object_size,
                               max_key_size = max_object_size, max_string_size = max_object_size;
  using error_code = json::error_code;
  using string_view = json::string_view;

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): the stack writes its buffer before it reads it.
  explicit Handler(std::size_t max_members) noexcept
      : max_members_(max_members), stack_({}, buffer_.data(), buffer_.size()) {}

  json::value release() noexcept { return stack_.release(); }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return members_.push_back(0), true; }
  bool on_object_end(std::size_t n, error_code&) { return members_.pop_back(), stack_.push_object(n), true; }  // J4
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(std::size_t size, error_code&) { return stack_.push_array(size), true; }
  bool on_key_part(string_view part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
  bool on_key(string_view part, std::size_t, error_code& error) {
    if (++members_.back() > max_members_) return refuse(error);  // J8
    return stack_.push_key(part), true;
  }
  bool on_string_part(string_view part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
  bool on_string(string_view part, std::size_t, error_code&) { return stack_.push_string(part), true; }
  bool on_number_part(string_view, error_code&) { return true; }
  bool on_int64(std::int64_t number, string_view, error_code&) { return stack_.push_int64(number), true; }     // J5
  bool on_uint64(std::uint64_t number, string_view, error_code&) { return stack_.push_uint64(number), true; }  // J5
  bool on_double(double, string_view text, error_code& error) {
    if (!exponent_fits(text)) return refuse(error);         // J6
    return stack_.push_double(nearest_double(text)), true;  // J6
  }
  bool on_bool(bool value, error_code&) { return stack_.push_bool(value), true; }
  bool on_null(error_code&) { return stack_.push_null(), true; }
  bool on_comment_part(string_view, error_code&) { return false; }
  bool on_comment(string_view, error_code&) { return false; }

 private:
  static bool refuse(error_code& error) { return error = json::error::syntax, false; }

  std::size_t max_members_;
  std::vector<std::size_t> members_;  // Of each open object.
  alignas(json::value) std::array<unsigned char, 2048> buffer_;
  json::value_stack stack_;
};

}  // namespace

std::optional<Decoded> decode_json(std::string_view text, JsonLimits limits, bool prefix) {
  json::parse_options options;           // J1, J2: nothing beyond RFC 8259, and valid UTF-8
  options.max_depth = limits.max_depth;  // J3
  json::basic_parser<Handler> parser(options, limits.max_members);
  json::error_code error;
  const std::size_t end = parser.write_some(false, text.data(), std::min(text.size(), limits.max_bytes), error);
  if (error || (!prefix && end < text.size())) return std::nullopt;
  return Decoded{parser.handler().release(), text.substr(0, end).find_last_not_of(" \t\n\r") + 1};
}

std::string decode_key(std::string_view key) {
  if (key.find('\\') == npos) return std::string(key.substr(1, key.size() - 2));
  return std::string(decode_json(key, {})->value.get_string());
}

std::string_view member_text(std::string_view text, std::string_view key) {
  std::string_view found;
  std::string_view token;
  const char* value = nullptr;  // Where the wanted member's value starts, while it lasts.
  std::size_t depth = 0;
  for (std::size_t at = skip_space(text, 0), end = 0; at < text.size(); at = skip_space(text, end)) {
    const std::string_view before = token;
    end = token_end(text, at);
    token = slice(text, at, end);
    if (depth == 1 && token == ":" && decode_key(before) == key) value = text.data() + skip_space(text, end);
    if (depth == 1 && value != nullptr && (token == "," || token == "}")) {
      found = {value, static_cast<std::size_t>(before.data() + before.size() - value)};  // J4: the last one wins
      value = nullptr;
    }
    if (token == "{" || token == "[") ++depth;
    if (token == "}" || token == "]") --depth;
  }
  return found;
}

}  // namespace callfence
