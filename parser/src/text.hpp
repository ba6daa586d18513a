#pragma once

#include <string>

namespace callfence {

inline constexpr std::size_t npos = std::string_view::npos;

/// The length (1 to 4) of the well-formed UTF-8 sequence that starts at `at`, or 0 where none does.
std::size_t sequence_length(std::string_view text, std::size_t at) noexcept;

/// The length in bytes of the character at `at`; a byte that is not UTF-8 counts as one.
std::size_t character_length(std::string_view text, std::size_t at) noexcept;

/// The number of characters of `text`, bytes that are not UTF-8 included. Cost: linear.
std::size_t count_characters(std::string_view text) noexcept;

/// `text` on one line that is safe to show: control characters as \uHHHH, bytes that are not UTF-8 as \xHH.
std::string make_visible(std::string_view text);

/// " (U+2003)" for a character beyond ASCII, which may look like another one or like nothing.
std::string name_code_point(std::string_view text, std::size_t at);

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) noexcept;

/// Whether `character`, the bytes of one, is white space (T2).
bool is_white_space(std::string_view character) noexcept;

/// `line` without leading and trailing white space (T2): a part of it.
std::string_view mark_of(std::string_view line) noexcept;

/// The number of times that `byte` stands at the front of `mark`.
std::size_t run_length(std::string_view mark, char byte) noexcept;

/// Whether `text` is `json`, in any ASCII case; whether `mark` is three backticks and that (T3).
bool is_json_tag(std::string_view text) noexcept;
bool is_json_mark(std::string_view mark) noexcept;

/// The bytes [begin, end) of `text`.
inline std::string_view slice(std::string_view text, std::size_t begin, std::size_t end) noexcept {
  return text.substr(begin, end - begin);
}

}  // namespace callfence
