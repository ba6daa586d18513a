// Asserts decode: our decoding against another library, numbers to the bit.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view json) { require(check_decode(json), json); });
}
