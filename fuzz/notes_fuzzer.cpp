// Asserts notes.
// Cost: four readings with notes, eight parses, and four naive readings.
//
// The input is a reply. Its notes must lie inside it in order, be those of a naive reading of N1 to N7, and change no
// entry. Under both fence rules with the defaults, and with member names and limits that the input's hash picks.
//
// A note is advice: a missing one costs a person some time, and none can turn into a call. That is why notes have a
// target of their own, which may be slow.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    for (const callfence::Options& options : both_fence_rules()) {
      require(check_notes(reply, options), reply);
      require(check_notes(reply, options_for(reply, options.values().fences)), reply);
    }
  });
}
