#include "json_decode.hpp"

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <functional>

namespace callfence {

template <typename Number>
static std::optional<Number> read(std::string_view text) noexcept {
  Number number{};
  const bool fits = std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
  return fits ? std::optional(number) : std::nullopt;
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
  const std::size_t mark = std::min(number.find('e'), number.find('E'));
  return number.size() - std::min(number.find_first_not_of("eE+-0", mark), number.size()) <= 9;  // Digits.
}

bool is_inexact(std::string_view number) noexcept {
  if (number.find_first_of(".eE") == npos) return !read<std::int64_t>(number) && !read<std::uint64_t>(number);
  const std::string_view mantissa = number.substr(0, number.find_first_of("eE"));
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == npos) return false;  // A zero.
  const std::string_view digits = mantissa.substr(first, mantissa.find_last_of("123456789") - first + 1);
  return !read<double>(number) || digits.size() > (digits.find('.') == npos ? 17 : 18);
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

  /// Of the outermost object: a piece of the text, or of a buffer of the parser where it has escapes.
  [[nodiscard]] std::string_view last_key() const noexcept { return last_key_; }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return pairs_.push_back(0), true; }
  bool on_object_end(std::size_t, error_code&) {  // J4: the last one wins
    return stack_.push_object(pairs_.back()), pairs_.pop_back(), true;
  }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(std::size_t size, error_code&) { return stack_.push_array(size), true; }
  // Out of line: inside Boost.JSON's loop over a string with escapes, these four cost it a register and 15 % of its
  // time.
  [[gnu::noinline]] bool on_key_part(string_view s, std::size_t, error_code&) { return key_.append(s), true; }
  [[gnu::noinline]] bool on_key(string_view s, std::size_t, error_code& error) {
    if (!key_.empty()) s = key_.append(s);
    if (pairs_.size() == 1) last_key_ = s;
    if (++pairs_.back() % 64 == 0) ++pairs_.back(), stack_.push_key(s), stack_.push_null();  // T10
    if (pairs_.back() - pairs_.back() / 64 > max_members_) return refuse(error);             // J8
    return stack_.push_key(s), key_.clear(), true;
  }
  [[gnu::noinline]] bool on_string_part(string_view s, std::size_t, error_code&) { return stack_.push_chars(s), true; }
  [[gnu::noinline]] bool on_string(string_view s, std::size_t, error_code&) { return stack_.push_string(s), true; }
  bool on_number_part(string_view, error_code&) { return true; }
  bool on_int64(std::int64_t number, string_view, error_code&) { return stack_.push_int64(number), true; }     // J5
  bool on_uint64(std::uint64_t number, string_view, error_code&) { return stack_.push_uint64(number), true; }  // J5
  bool on_double(double estimate, string_view text, error_code& error) {
    double number = 0;
    const auto [end, failure] = std::from_chars(text.begin(), text.end(), number, std::chars_format::fixed);
    if (end == text.end() && failure == std::errc()) return stack_.push_double(number), true;  // J6: no exponent
    if (!exponent_fits(text)) return refuse(error);                                            // J6
    const double limit = std::abs(estimate) > 1 ? HUGE_VAL : 0.0;
    return stack_.push_double(read<double>(text).value_or(std::copysign(limit, estimate))), true;  // J6
  }
  bool on_bool(bool value, error_code&) { return stack_.push_bool(value), true; }
  bool on_null(error_code&) { return stack_.push_null(), true; }
  bool on_comment_part(string_view, error_code&) { return false; }
  bool on_comment(string_view, error_code&) { return false; }

 private:
  static bool refuse(error_code& error) { return error = json::error::syntax, false; }

  std::size_t max_members_;
  // How many pairs of each open object are on the stack; a short string allocates nothing. A table has as many buckets
  // as pairs, and whoever writes the reply can know the low bits of the hash that picks one. So where the number would
  // be a multiple of 64, a key is put there twice (T10).
  std::u32string pairs_;
  std::string key_;  // The parts so far of a key with escapes.
  std::string_view last_key_;
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
  std::string_view key = parser.handler().last_key();
  const std::less<> is_before;  // A key with escapes is no piece of the text.
  if (!is_before(text.data(), key.data()) || !is_before(key.data(), text.data() + text.size())) key = {};
  return Decoded{parser.handler().release(), text.substr(0, end).find_last_not_of(" \t\n\r") + 1, key};
}

std::string decode_key(std::string_view key) { return std::string(decode_json(key, {})->value.get_string()); }

std::string_view member_text(std::string_view text, std::string_view key, const Decoded& decoded) {
  if (decoded.last_key.data() != nullptr && decoded.last_key == key) {  // J4: the last one wins
    const auto key_end = static_cast<std::size_t>(key.size() + 1 + decoded.last_key.data() - text.data());
    const std::size_t value = skip_space(text, skip_space(text, key_end) + 1);
    return slice(text, value, text.find_last_not_of(" \t\n\r", decoded.end - 2) + 1);
  }
  std::string_view found;
  for (std::size_t at = skip_space(text, 0), end = 0; text[at] != '}'; at = skip_space(text, end)) {
    const std::size_t name = skip_space(text, at + 1);  // After the brace or the comma.
    end = token_end(text, name);
    if (text[name] == '}') break;
    const bool wanted = decode_key(slice(text, name, end)) == key;
    const std::size_t value = skip_space(text, skip_space(text, end) + 1);
    std::size_t depth = 0;
    for (end = value; end == value || depth > 0; end = token_end(text, end)) {
      end = skip_space(text, end);
      if (text[end] == '{' || text[end] == '[') ++depth;
      if (text[end] == '}' || text[end] == ']') --depth;
    }
    if (wanted) found = slice(text, value, end);  // J4
  }
  return found;
}

}  // namespace callfence
