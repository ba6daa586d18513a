#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace callfence::fuzz {

/// `text` with what cannot be seen made visible, in the notation of SPEC.md's examples: <U+00A0> is that code point,
/// <0xFF> that byte. Also spaces at the end. A newline is shown too, so the result is one line.
std::string show_text(std::string_view text);

/// The number with a comma after each three digits.
std::string show_count(std::size_t count);

/// `text` in at most `most` characters: cut in the middle with an ellipsis where it is longer.
std::string cut_middle(std::string_view text, std::size_t most);

/// The reply with a margin: the number of each line and where it stands under reference fences, and under strict fences
/// where that differs. Long lines and many lines are cut in the middle, with what is left out said, unless `full`.
std::string show_reply(std::string_view reply, bool full);

/// Two texts of a line for each item, in two columns that are `width` wide together; lines that differ are marked.
/// Lines that are equal far from any difference are left out, and long lines are cut around the first difference,
/// unless `full`.
struct Sides {
  std::string_view left_name;
  std::string_view left;
  std::string_view right_name;
  std::string_view right;
};
std::string show_sides(const Sides& sides, std::size_t width, bool full);

}  // namespace callfence::fuzz
