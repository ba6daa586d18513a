#pragma once

#include <cstddef>
#include <string_view>

namespace callfence {

// Steps over JSON text token by token. Neither checks anything; both stay inside any text.

/// The first byte at or after `at` that is not JSON's white space (space, tab, LF, CR), or the end.
std::size_t skip_space(std::string_view text, std::size_t at) noexcept;

/// The end of the token that starts at `at`: a string, a number or literal, or one of {}[]:,
std::size_t token_end(std::string_view text, std::size_t at) noexcept;

// These take the text of a JSON number. Cost: linear in the text.

/// Whether the exponent is at most 999,999,999 in absolute value (J6).
bool exponent_fits(std::string_view number) noexcept;

/// The nearest double; an infinity or a zero of the number's sign where there is none (J6).
double nearest_double(std::string_view number) noexcept;

/// Whether the value that J5 and J6 give may be another than the one written (N7).
bool is_inexact(std::string_view number) noexcept;

}  // namespace callfence
