// Asserts total, fenced, numbered, exact-text, round-trip, places, prose, work.
// Cost: one parse, and one decode more of each call's args and line.
//
// The input is a reply. It is parsed once, under the fence rule that its hash picks, and all is asserted of that one
// result, so that this target is the fast one: what compares two results or asks another library has a target of its
// own.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    const Parsed parsed(reply, both_fence_rules()[seed_for(reply) % 2]);
    require(check_total(parsed), reply);
    require(check_fenced(parsed), reply);
    require(check_numbered(parsed), reply);
    require(check_exact_text(parsed), reply);
    require(check_round_trip(parsed), reply);
    require(check_places(parsed), reply);
    require(check_prose(parsed), reply);
    require(check_work(parsed), reply);
  });
}
