#pragma once

#include <cstdint>

namespace callfence::fuzz {

/// What the parser has done so far, in this process: the edges of its code and of Boost.JSON's that were executed, in a
/// build that counts them (CALLFENCE_COUNT_EDGES), and the bytes that were asked of the allocator. For one thread.
struct Work {
  std::uint64_t edges = 0;
  std::uint64_t bytes = 0;
};
Work work_so_far() noexcept;
Work work_since(const Work& before) noexcept;

/// Whether this build counts edges. Bytes are counted in every build.
bool counts_edges() noexcept;

}  // namespace callfence::fuzz
