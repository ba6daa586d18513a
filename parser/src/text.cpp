#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace callfence {

std::size_t sequence_length(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  // The range of the second byte keeps out overlong forms, surrogates and what is above U+10FFFF.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (lead < 0xC2 || lead > 0xF4 || byte(1) < low || byte(1) > high) return 0;
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80; };
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return (length < 3 || follows(2)) && (length < 4 || follows(3)) ? length : 0;
}

std::size_t character_length(std::string_view text, std::size_t at) noexcept {
  return std::max<std::size_t>(sequence_length(text, at), 1);
}

std::size_t count_characters(std::string_view text) noexcept {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += character_length(text, at)) ++count;
  return count;
}

std::string make_visible(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size(); at += character_length(text, at)) {
    const std::string_view character = text.substr(at, character_length(text, at));
    const bool stray = sequence_length(text, at) == 0;
    const bool high_control = character >= "\xC2\x80" && character < "\xC2\xA0";  // U+0080 to U+009F
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), stray ? "\\x%02X" : "\\u%04X", character.back() & 0xFF);
    shown.append(stray || high_control || character < " " || character == "\x7F" ? escape.data() : character);
  }
  return shown;
}

std::string name_code_point(std::string_view text, std::size_t at) {
  const std::size_t length = sequence_length(text, at);
  unsigned code = static_cast<unsigned char>(text[at]) & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  std::array<char, 16> name{};
  if (length > 1) std::snprintf(name.data(), name.size(), " (U+%04X)", code);
  return name.data();
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) noexcept {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_white_space(std::string_view character) noexcept {
  const auto last = static_cast<unsigned char>(character.back());
  if (character.size() == 1) return (last >= 0x09 && last <= 0x0D) || (last >= 0x1C && last <= 0x20);
  if (character.substr(0, character.size() - 1) == "\xE2\x80") {  // U+2000 to U+200A, U+2028, U+2029, U+202F
    return last <= 0x8A || last == 0xA8 || last == 0xA9 || last == 0xAF;
  }
  return is_one_of(character, {"\xC2\x85", "\xC2\xA0", "\xE1\x9A\x80", "\xE2\x81\x9F", "\xE3\x80\x80"});
}

std::string_view mark_of(std::string_view line) noexcept {
  const auto length = [&] { return character_length(line, 0); };
  while (!line.empty() && is_white_space(line.substr(0, length()))) line.remove_prefix(length());
  for (std::size_t last = 1; last <= std::min<std::size_t>(line.size(), 3) && (last == 1 || line.back() & 0x80);) {
    const bool space = is_white_space(line.substr(line.size() - last));
    if (space) line.remove_suffix(last);
    last = space ? 1 : last + 1;
  }
  return line;
}

std::size_t run_length(std::string_view mark, char byte) noexcept {
  return std::min(mark.find_first_not_of(byte), mark.size());
}

bool is_json_tag(std::string_view text) noexcept {
  const auto letter = [&](std::size_t i) { return text[i] | 0x20; };
  return text.size() == 4 && letter(0) == 'j' && letter(1) == 's' && letter(2) == 'o' && letter(3) == 'n';
}

bool is_json_mark(std::string_view mark) noexcept { return mark.starts_with("```") && is_json_tag(mark.substr(3)); }

}  // namespace callfence
