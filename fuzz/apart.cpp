#include "apart.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <regex>
#include <stdexcept>

#if defined(__SANITIZE_ADDRESS__)
#define CALLFENCE_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CALLFENCE_ADDRESS_SANITIZER
#endif
#endif

#ifdef CALLFENCE_ADDRESS_SANITIZER
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's own name
extern "C" int __lsan_do_recoverable_leak_check();
#endif

namespace callfence::fuzz {
namespace {

// How the child says that it got to its end; any other exit is a crash, with whatever code.
constexpr int exit_finished = 89;
constexpr int exit_out_of_memory = 90;
constexpr int exit_leaked = 91;
constexpr int exit_no_space = 92;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File make_file() {
  File file(std::tmpfile());
  if (!file) throw std::runtime_error(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
  return file;
}

std::string read_back(std::FILE* file) {
  std::string all;
  std::array<char, 1 << 16> piece{};
  std::rewind(file);
  for (std::size_t size = 1; size > 0;) {
    size = std::fread(piece.data(), 1, piece.size(), file);
    all.append(piece.data(), size);
  }
  return all;
}

bool has_leaked() {
#ifdef CALLFENCE_ADDRESS_SANITIZER
  return __lsan_do_recoverable_leak_check() != 0;
#else
  return false;
#endif
}

void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

void limit_child(const ApartLimits& limits) {
  limit(RLIMIT_CORE, 0);
#ifndef CALLFENCE_ADDRESS_SANITIZER  // It reserves terabytes of addresses.
  if (limits.megabytes > 0) limit(RLIMIT_AS, limits.megabytes << 20U);
#endif
  ::alarm(limits.seconds);
}

int run_child(const std::function<std::string()>& work, std::FILE* result, bool leaks) {
  try {
    const std::string text = work();
    ::alarm(0);
    if (std::fwrite(text.data(), 1, text.size(), result) != text.size() || std::fflush(result) != 0) {
      return exit_no_space;
    }
  } catch (const std::bad_alloc&) {
    return exit_out_of_memory;
  }
  return leaks && has_leaked() ? exit_leaked : exit_finished;
}

/// What a sanitizer, the C++ library or the C library said before the end, without the numbers that differ from run to
/// run; the signal or the exit code where none of them said anything.
std::string name_cause(const std::string& log, int status) {
  static const std::regex said(
      "(AddressSanitizer: [a-zA-Z-]+)|runtime error: ([^:\n]+)|(LeakSanitizer)|instance of '([^']+)'|(Assertion [^\n]+ "
      "failed)");
  std::smatch match;
  if (std::regex_search(log.begin(),
                        log.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(log.size(), 1 << 16)), match,
                        said)) {
    for (std::size_t i = 1; i < match.size(); ++i) {
      if (match[i].matched) return std::regex_replace(match[i].str(), std::regex("[0-9]+"), "N");
    }
  }
  if (WIFSIGNALED(status)) return ::strsignal(WTERMSIG(status));
  return fmt::format("ends with exit code {}", WEXITSTATUS(status));
}

void judge(int status, ApartRun& run) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == exit_finished) return;
  if (code == exit_no_space) throw std::runtime_error("cannot write to a temporary file: is the disk full?");
  run.result.clear();
  run.ending = Ending::crashed;
  run.cause = code == exit_leaked ? "leaks memory" : name_cause(run.log, status);
  if (code == exit_out_of_memory || run.cause == "std::bad_alloc") run.ending = Ending::out_of_memory;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) run.ending = Ending::out_of_time;
}

/// Nothing catches an exception here, so that a debugger stops where it is thrown.
std::string run_here(const std::function<std::string()>& work) noexcept { return work(); }

}  // namespace

ApartRun run_apart(const std::function<std::string()>& work, const ApartLimits& limits) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto since = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  ApartRun run;
  if (limits.in_process) {
    run.result = run_here(work);
    run.seconds = since();
    return run;
  }
  const File result = make_file();
  const File log = make_file();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    ::dup2(::fileno(log.get()), STDOUT_FILENO);
    ::dup2(::fileno(log.get()), STDERR_FILENO);
    limit_child(limits);
    const int code = run_child(work, result.get(), limits.leaks);
    std::fflush(nullptr);
    ::_exit(code);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error(fmt::format("lost a process: {}", std::strerror(errno)));
  }
  run.seconds = since();
  run.log = read_back(log.get());
  run.result = read_back(result.get());
  judge(status, run);
  return run;
}

}  // namespace callfence::fuzz
