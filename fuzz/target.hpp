#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace callfence::fuzz {

/// Calls `check(std::string_view)` with a copy of the input in a heap block of just its size, so that a sanitizer sees
/// a read one byte too far.
template <typename Check>
int with_input(const std::uint8_t* data, std::size_t size, Check&& check) {
  const std::vector<std::uint8_t> copy(data, data + size);
  check(std::string_view(reinterpret_cast<const char*>(copy.data()), copy.size()));
  return 0;
}

}  // namespace callfence::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
