// Asserts decode.
// Cost: a second library's decoding, naive around it, and a comparison of two trees.
//
// The input is what claims to be one JSON text, without a fence. Our decoding and the other library's, with what that
// one does otherwise dealt with beside it, must both refuse it or give the same value: kinds, members and their order,
// numbers to the bit. The limits of depth and of members are small (64), so that inputs reach them.
//
// Two decoders and the comparison of two trees make this target slow for its size. Text that is accepted by one side
// only is what a repaired or lost call begins with, so that no difference is tolerated here; what the other library is
// known to do otherwise is undone in fuzz/oracle.cpp, beside the rule that asks for it.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view json) {
    // The input is a JSON text alone; tool_calls_oracle_fuzzer has those inside replies.
    require(check_decode(json), json);
  });
}
