#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace callfence::fuzz {

/// All that callfence says of a reply, one line each: entries and notes under both fence rules, the reading under both
/// tag rules, as the command line prints them.
std::string list_verdicts(std::string_view reply);

/// The verdict digest that SPEC.md defines: a hash of `list_verdicts`, the same from every build.
std::uint64_t digest_verdicts(std::string_view reply);

}  // namespace callfence::fuzz
