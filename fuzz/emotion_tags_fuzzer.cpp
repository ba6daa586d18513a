// Asserts tags.
// Cost: one pass of the pattern, one of the scanner, two readings.
//
// The input is any text. What the emotion tags' pattern finds must be what a scanner written by hand finds; cutting
// them must leave what the scanner leaves; under the strict tag rule the object's text must be untouched; and both tag
// rules must agree where no tag follows the first brace.
//
// The pattern is the one thing that RE2 is used for. RE2 itself is not instrumented: what guides the search here is the
// code around it and the reading of an object that tags stand in.
// A tag that is cut or kept wrongly changes data that a program shows, never a call.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view text) {
    // Most inputs hold no brace at all; reading_fuzzer has those that do.
    require(check_tags(text), text);
  });
}
