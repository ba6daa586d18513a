#include <array>
#include <callfence/entry.hpp>

namespace callfence {

std::string_view to_string(Reason reason) noexcept {
  static constexpr std::array<std::string_view, 5> words{"invalid json", "not an object", "missing name",
                                                         "args not an object", "unclosed block"};
  return words[static_cast<std::size_t>(reason)];
}

std::string_view to_string(Cause cause) noexcept {
  // clang-format off
  static constexpr std::array<std::string_view, 20> words{
      "unknown", "trailing comma", "single quotes", "unquoted key", "comment", "Python literal", "NaN or Infinity",
      "raw newline in a string", "control character in a string", "bad escape", "lone surrogate", "invalid UTF-8",
      "byte order mark", "text after the value", "several values", "too deep", "too many members",
      "exponent too large", "cut short", "empty"};
  // clang-format on
  return words[static_cast<std::size_t>(cause)];
}

std::string to_string(const Detail& detail, Form form) {
  std::string text = "found " + detail.found + ", expected " + std::string(detail.expected);
  if (detail.cause != Cause::unknown) text = std::string(to_string(detail.cause)) + ": " + text;
  if (detail.cause == Cause::trailing_comma && form == Form::brief) text = "trailing comma before " + detail.found;
  if (form == Form::brief) return text;
  const auto [byte, line, column] = detail.place;
  return text + " (line " + std::to_string(line) + ", column " + std::to_string(column) + ", byte " +
         std::to_string(byte) + ")";
}

std::string to_string(const Error& error, Form form) {
  const std::string brief = "block " + std::to_string(error.block) + ": " + std::string(to_string(error.reason));
  return form == Form::brief ? brief : brief + ": " + to_string(error.detail, Form::full);
}

}  // namespace callfence
