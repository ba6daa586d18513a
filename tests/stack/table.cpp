// Prints the smallest stack on which a call of a given depth is decoded, copied, compared, printed and destroyed, in
// steps of 16 KiB, as the rows of a Markdown table. SPEC.md holds what it printed.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "live.hpp"

namespace {

using namespace callfence;

/// Whether it holds on that much stack, tried in a process of its own.
bool holds(std::size_t depth, std::size_t stack) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDERR_FILENO);  // A sanitizer would say a lot.
    const Options options = test::options_of({.max_depth = depth});
    bool good = true;
    for (const bool objects : {false, true}) {
      test::run_on_stack(stack,
                         [&] { good = test::live_with(test::nested_call(depth, objects), true, options) && good; });
    }
    ::_exit(good ? 0 : 1);
  }
  int status = -1;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

std::size_t smallest_stack(std::size_t depth) {
  constexpr std::size_t step = 16;
  std::size_t low = 1;
  std::size_t high = 64 * 1024 / step;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (holds(depth, middle * step * 1024)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low * step;
}

}  // namespace

int main() {
  std::printf("| depth | stack, KiB |\n|---|---|\n");
  for (const std::size_t depth : {32U, 128U, 512U, 1024U, 2048U, 4096U}) {
    std::printf("| %zu | %zu |\n", depth, smallest_stack(depth));
    std::fflush(stdout);
  }
}
