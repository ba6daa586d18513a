// Asserts by-construction.
// Cost: two replies built and parsed.
//
// The input is not a reply but a seed: from its hash a reply is built out of prose, other fences and json blocks whose
// outcome is known when they are made, one for each fence rule. The parser must give exactly those entries. No other
// parser decides what is right here, so that what parser and oracle both misread is still found.
//
// Coverage guides little where a hash stands between; the seeds of other targets do as well as any bytes.
//
// A finding is either a fault of the parser or of the generator; fuzz/generator.cpp says beside each part why the
// contract leaves one outcome for it.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view input) {
    const std::uint64_t seed = seed_for(input);
    require(check_by_construction(seed), input);
  });
}
