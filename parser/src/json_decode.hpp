#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace callfence {

/// J3, J8, and the longest text that is decoded: Boost.JSON counts digits and characters in 31 bits.
struct JsonLimits {
  std::size_t max_depth = 512;
  std::size_t max_members = 4096;
  std::size_t max_bytes = std::size_t{1} << 30;
};

struct Decoded {
  boost::json::value value;
  std::size_t end = 0;  // Of the value, in the text.
};

/// The value of a JSON text by rules J, or nothing; `prefix` allows anything after the value (R3). Cost: linear in the
/// text for any one `max_members`; recursion to `max_depth`. Throws nothing but std::bad_alloc.
std::optional<Decoded> decode_json(std::string_view text, JsonLimits limits, bool prefix = false);

/// What a key in an accepted text means: `key` has its quotes and may have escapes. Throws nothing but std::bad_alloc.
std::string decode_key(std::string_view key);

/// The text of the value of the last member `key` of the object that an accepted text is; empty where there is none
/// (J4, J7). Cost: linear. Throws nothing but std::bad_alloc.
std::string_view member_text(std::string_view text, std::string_view key);

}  // namespace callfence
