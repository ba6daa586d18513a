#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace callfence::fuzz {

/// A property that does not hold: its name, and the two sides that should have been one.
struct Finding {
  std::string property;
  std::string ours;
  std::string theirs;
};

/// Nothing, or the property that does not hold for an input.
using Verdict = std::optional<Finding>;

/// Prints the finding (its property's name first), the input with invisible bytes made visible, and both sides, then
/// aborts. Does nothing where there is no finding. Works in every build type.
void require(const Verdict& verdict, std::string_view input);

}  // namespace callfence::fuzz
