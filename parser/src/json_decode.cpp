#include "json_decode.hpp"

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <vector>

#include "json_text.hpp"

namespace callfence {
namespace {

namespace json = boost::json;

/// Builds the value that Boost.JSON's parser reports piece by piece, with the numbers of J5 and J6 and the limit of J8.
/// A function that returns false ends the parse.
class Handler {
 public:
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();
  using error_code = json::error_code;
  using string_view = json::string_view;

  explicit Handler(std::size_t max_members) noexcept
      : max_members_(max_members), stack_({}, buffer_.data(), buffer_.size()) {}

  json::value release() noexcept { return stack_.release(); }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return members_.push_back(0), true; }
  bool on_object_end(std::size_t size, error_code&) {
    return members_.pop_back(), stack_.push_object(size), true;
  }  // J4
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
    const std::string_view number(text.data(), text.size());
    if (!exponent_fits(number)) return refuse(error);  // J6
    return stack_.push_double(nearest_double(number)), true;
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
  if (key.find('\\') == std::string_view::npos) return std::string(key.substr(1, key.size() - 2));
  return std::string(decode_json(key, {})->value.get_string());
}

std::string_view member_text(std::string_view text, std::string_view key) {
  std::string_view found;
  std::size_t depth = 0;
  std::size_t begin = 0;  // Of the value at hand, where it is the wanted member's, or 0;
  std::size_t last = 0;   // of the last token;
  std::size_t last_end = 0;
  for (std::size_t at = skip_space(text, 0), end = 0; at < text.size(); at = skip_space(text, end)) {
    end = token_end(text, at);
    const char byte = text[at];
    if (depth == 1 && begin > 0 && (byte == ',' || byte == '}')) {
      found = text.substr(begin, last_end - begin);  // J4: the last one wins
      begin = 0;
    }
    if (depth == 1 && byte == ':' && decode_key(text.substr(last, last_end - last)) == key)
      begin = skip_space(text, end);
    if (byte == '{' || byte == '[') ++depth;
    if (byte == '}' || byte == ']') --depth;
    last = at;
    last_end = end;
  }
  return found;
}

}  // namespace callfence
