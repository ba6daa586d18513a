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
  const std::string found = "found " + detail.found;
  const std::string expected = "expected " + std::string(detail.expected);
  std::string text(to_string(detail.cause));
  if (detail.cause == Cause::unknown) {
    text = found + ", " + expected;
  } else if (detail.cause == Cause::trailing_comma) {
    text += " before " + detail.found;
  } else {
    text += ": " + (detail.cause == Cause::cut_short || detail.cause == Cause::empty ? expected : found);
  }
  if (form == Form::brief) return text;
  const auto [byte, line, column] = detail.place;
  return text + " (line " + std::to_string(line) + ", column " + std::to_string(column) + ", byte " +
         std::to_string(byte) + "); " + found + ", " + expected;
}

std::string to_string(const Error& error, Form form) {
  const std::string brief = "block " + std::to_string(error.block) + ": " + std::string(to_string(error.reason));
  return form == Form::brief ? brief : brief + ": " + to_string(error.detail, Form::full);
}

}  // namespace callfence
