// Asserts by-construction: the input is a seed for a reply that is built.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view input) { require(check_by_construction(seed_for(input)), input); });
}
