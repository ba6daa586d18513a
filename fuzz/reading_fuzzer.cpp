// Asserts reading, under both tag rules.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    require(check_reading(reply, {}), reply);
    require(check_reading(reply, options_for(reply)), reply);
  });
}
