// Asserts prose-blind, retag, prefix, concat, newline.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    for (const callfence::Options& options : both_fence_rules()) {
      require(check_prose_blind(reply, options), reply);
      require(check_retag(reply, options), reply);
      require(check_prefix(reply, options, seed_for(reply)), reply);
      require(check_concat(reply, options, seed_for(reply)), reply);
      require(check_newline(reply, options), reply);
    }
  });
}
