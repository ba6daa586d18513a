// Asserts chunks.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    for (const callfence::Options& options : both_fence_rules())
      require(check_chunks(reply, options, seed_for(reply)), reply);
  });
}
