// Lends our mutator to AFL++, which calls libFuzzer's two functions only through a library like this one. AFL++ goes on
// with changes of its own beside it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "generator.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size, std::uint8_t* out,
                                                 std::size_t max_size, unsigned int seed);

namespace {

/// As in fuzz/options: what is longer takes its time and shows little more. A longer seed keeps its length.
constexpr std::size_t usual_max_size = 4096;

struct Mutator {
  callfence::fuzz::Random random;
  std::vector<std::uint8_t> out;
};

}  // namespace

extern "C" void* afl_custom_init(void* /*afl*/, unsigned int seed) {
  return new Mutator{callfence::fuzz::Random(seed), {}};
}

extern "C" std::size_t afl_custom_fuzz(void* data, std::uint8_t* input, std::size_t size, std::uint8_t** out,
                                       std::uint8_t* other, std::size_t other_size, std::size_t max_size) {
  Mutator& mutator = *static_cast<Mutator*>(data);
  const std::size_t most = std::min(max_size, std::max(size, usual_max_size));
  mutator.out.resize(most);
  const auto seed = static_cast<unsigned int>(mutator.random.next());
  std::size_t length = std::min(size, most);
  if (other != nullptr && mutator.random.one_in(4)) {
    length = LLVMFuzzerCustomCrossOver(input, size, other, other_size, mutator.out.data(), most, seed);
  } else {
    std::copy_n(input, length, mutator.out.begin());
    length = LLVMFuzzerCustomMutator(mutator.out.data(), length, most, seed);
  }
  *out = mutator.out.data();
  return length;
}

extern "C" void afl_custom_deinit(void* data) { delete static_cast<Mutator*>(data); }
