// Asserts notes, under both fence rules, and with other member names and small limits.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    for (const callfence::Options& options : both_fence_rules()) require(check_notes(reply, options), reply);
    require(check_notes(reply, options_for(reply)), reply);
  });
}
