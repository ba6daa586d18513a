#include "lines.hpp"

#include <algorithm>
#include <array>

namespace callfence::fuzz {
namespace {

/// The length of the white space at the front, or 0.
std::size_t space_length(std::string_view text) {
  static constexpr std::array<std::string_view, 18> long_spaces{
      "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82",
      "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88",
      "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F"};
  if (std::string_view("\x09\x0A\x0B\x0C\x0D\x1C\x1D\x1E\x1F\x20").find(text[0]) != std::string_view::npos) return 1;
  if (static_cast<unsigned char>(text[0]) < 0x80) return 0;
  if (text.starts_with("\xE3\x80\x80")) return 3;
  const auto* space =
      std::find_if(long_spaces.begin(), long_spaces.end(), [&](std::string_view one) { return text.starts_with(one); });
  return space == long_spaces.end() ? 0 : space->size();
}

bool follows(std::string_view text, std::size_t at, unsigned low = 0x80, unsigned high = 0xBF) {
  if (at >= text.size()) return false;
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte >= low && byte <= high;
}

}  // namespace

std::size_t line_begin(std::string_view text, std::size_t at) { return at == 0 ? 0 : text.rfind('\n', at - 1) + 1; }
std::size_t line_end(std::string_view text, std::size_t at) { return std::min(text.find('\n', at), text.size()); }

bool is_blank(std::string_view text) { return trim_front(text).empty(); }

std::string_view trim_front(std::string_view line) {
  while (!line.empty() && space_length(line) > 0) line.remove_prefix(space_length(line));
  return line;
}

bool is_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t first = line_begin(text, begin);
  const std::size_t last = line_end(text, end);
  return text.substr(begin, end - begin).find('\n') == std::string_view::npos &&
         is_blank(text.substr(first, begin - first)) && is_blank(text.substr(end, last - end));
}

std::size_t code_point_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(text, 1) ? 2 : 0;
  // Overlong forms, surrogates and what lies beyond U+10FFFF are not UTF-8.
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = follows(text, 1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && follows(text, 2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = follows(text, 1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && follows(text, 2) && follows(text, 3) ? 4 : 0;
  }
  return 0;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(std::max<std::size_t>(code_point_length(text), 1));
  return count;
}

}  // namespace callfence::fuzz
