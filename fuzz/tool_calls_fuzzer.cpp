// Asserts total, fenced, numbered, exact-text, round-trip, under both fence rules.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    for (const callfence::Options& options : both_fence_rules()) {
      require(check_total(reply, options), reply);
      require(check_fenced(reply, options), reply);
      require(check_numbered(reply, options), reply);
      require(check_exact_text(reply, options), reply);
      require(check_round_trip(reply, options), reply);
    }
  });
}
