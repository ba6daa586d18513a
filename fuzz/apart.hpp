#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace callfence::fuzz {

/// How a piece of work ended.
enum class Ending { finished, crashed, out_of_time, out_of_memory };

struct ApartLimits {
  unsigned seconds = 60;         ///< 0: no limit.
  std::size_t megabytes = 2048;  ///< 0: no limit. A build with AddressSanitizer has none.
  bool leaks = true;             ///< Look for leaks, in a build that can. That takes longer than most work.
  bool in_process = false;  ///< For a debugger: no process of its own, no limits, a crash is a crash of this process.
};

struct ApartRun {
  Ending ending = Ending::finished;
  std::string result;  ///< What the work returned, where it finished.
  std::string
      cause;  ///< Where it crashed: the signal, the sanitizer's finding, the exception's type or the failed assertion.
  std::string log;  ///< What it printed.
  double seconds = 0;
};

/// Runs `work` in a process of its own, so that a crash or a hang is a result too. What leaks there is a crash, in a
/// build with LeakSanitizer. Throws std::runtime_error where the system has no process or no temporary file to give.
ApartRun run_apart(const std::function<std::string()>& work, const ApartLimits& limits);

}  // namespace callfence::fuzz
