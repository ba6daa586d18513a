#pragma once

#include <boost/json/value.hpp>
#include <optional>

#include "text.hpp"

namespace callfence {

// Steps over JSON text token by token. Neither checks anything; both stay inside any text.

/// The first byte at or after `at` that is not JSON's white space (space, tab, LF, CR), or the end.
std::size_t skip_space(std::string_view text, std::size_t at) noexcept;

/// The end of the token that starts at `at`, before the end of the text: a string, a number or word, or a byte alone.
std::size_t token_end(std::string_view text, std::size_t at) noexcept;

// These take the text of a JSON number. Cost: linear in the text.

/// Whether the exponent is at most 999,999,999 in absolute value (J6).
bool exponent_fits(std::string_view number) noexcept;

/// Whether the value that J5 and J6 give may be another than the one written (N7).
bool is_inexact(std::string_view number) noexcept;

/// J3, J8, and the longest text that is decoded: Boost.JSON counts digits and characters in 31 bits.
struct JsonLimits {
  std::size_t max_depth = 512;
  std::size_t max_members = 4096;
  std::size_t max_bytes = std::size_t{1} << 30;
};

struct Decoded {
  boost::json::value value;
  std::size_t end = 0;        // Of the value, in the text.
  std::string_view last_key;  // Of the outermost object: a piece of the text, or null where it has escapes.
};

/// The value of a JSON text by rules J, or nothing; `prefix` allows anything after the value (R3). Cost: linear in the
/// text for any one `max_members`; recursion to `max_depth`. Throws nothing but std::bad_alloc.
std::optional<Decoded> decode_json(std::string_view text, JsonLimits limits, bool prefix = false);

/// What a key in an accepted text means: `key` has its quotes and may have escapes. Throws nothing but std::bad_alloc.
std::string decode_key(std::string_view key);

/// The text of the value of the last member `key` of the object that was decoded from `text`; empty where there is none
/// (J4, J7). Cost: linear, but next to none where it is the last of all, as args mostly are. Throws nothing but
/// std::bad_alloc.
std::string_view member_text(std::string_view text, std::string_view key, const Decoded& decoded);

}  // namespace callfence
