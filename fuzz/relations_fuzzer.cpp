// Asserts prose-blind, retag, prefix, concat, newline.
// Cost: twenty-six parses.
//
// The input is a reply. It is changed in ways whose effect on the entries is known without a second parser: other
// prose, other tags, an end cut off, another reply behind it, other line ends. Under both fence rules.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    const std::uint64_t seed = seed_for(reply);
    for (const callfence::Options& options : both_fence_rules()) {
      require(check_prose_blind(reply, options), reply);
      require(check_retag(reply, options), reply);
      require(check_prefix(reply, options, seed), reply);
      require(check_concat(reply, options, seed), reply);
      require(check_newline(reply, options), reply);
    }
  });
}
