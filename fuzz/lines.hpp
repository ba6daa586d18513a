#pragma once

#include <cstddef>
#include <string_view>

/// A reading of lines that shares nothing with the scanner.
namespace callfence::fuzz {

/// Calls `visit(line, begin)` for each line of `text` (T1), without its newline, and its first byte. The empty line
/// after a last newline is left out.
template <typename Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    visit(text.substr(begin, end - begin), begin);
  }
}

/// The line that byte `at` stands in, or ends: where it begins, and where its newline or the end of the text is.
std::size_t line_begin(std::string_view text, std::size_t at);
std::size_t line_end(std::string_view text, std::size_t at);

/// Whether all of it is white space (T2).
bool is_blank(std::string_view text);

/// Without the white space in front.
std::string_view trim_front(std::string_view line);

/// Whether [begin, end) is all there is on its line but for white space.
bool is_alone(std::string_view text, std::size_t begin, std::size_t end);

/// The code points of a text, where a byte that is not UTF-8 counts as one.
std::size_t count_code_points(std::string_view text);

/// The length of the code point at the front of a text that is not empty; 0 where its first byte is not UTF-8.
std::size_t code_point_length(std::string_view text);

}  // namespace callfence::fuzz
