// Asserts tags.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view text) { require(check_tags(text), text); });
}
