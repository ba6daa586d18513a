#include "work.hpp"

#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define CALLFENCE_HAS_HOOKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CALLFENCE_HAS_HOOKS
#endif
#endif

// What each edge calls must not be instrumented itself; g++ does that to files of their own only where it is asked to.
#ifdef __clang__
#define CALLFENCE_UNCOUNTED [[clang::no_sanitize("address", "undefined", "coverage")]]
#else
#define CALLFENCE_UNCOUNTED
#endif

namespace callfence::fuzz {
namespace {

// Not thread-local and not atomic, since each edge pays for it: who asks for work runs on one thread.
Work work;

}  // namespace

Work work_so_far() noexcept { return work; }

Work work_since(const Work& before) noexcept { return {work.edges - before.edges, work.bytes - before.bytes}; }

bool counts_edges() noexcept {
#ifdef CALLFENCE_COUNT_EDGES
  return true;
#else
  return false;
#endif
}

}  // namespace callfence::fuzz

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names that the compiler and the sanitizer
// give
#ifdef CALLFENCE_COUNT_EDGES
extern "C" void __wrap___sanitizer_cov_trace_pc();
extern "C" CALLFENCE_UNCOUNTED void __wrap___sanitizer_cov_trace_pc() { ++callfence::fuzz::work.edges; }
#endif

#ifdef CALLFENCE_HAS_HOOKS
// Under AddressSanitizer its own allocator stays in place, which sees more than ours could.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                                         void (*on_free)(const volatile void*));
namespace {
void count_bytes(const volatile void* /*block*/, std::size_t size) { callfence::fuzz::work.bytes += size; }
void ignore(const volatile void* /*block*/) {}
const int installed = __sanitizer_install_malloc_and_free_hooks(count_bytes, ignore);
}  // namespace
#else
void* operator new(std::size_t size) {
  callfence::fuzz::work.bytes += size;
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { std::free(block); }
#endif
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
