#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callfence::cli::test {

using Args = std::vector<std::string>;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool with_asan = true;
#elif defined(__has_feature)
constexpr bool with_asan = __has_feature(address_sanitizer);
#else
constexpr bool with_asan = false;
#endif

/// What a run of the command left. `code` is the exit code, or minus the number of the signal that ended it.
struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

/// Where standard output and standard error go: to a pipe that is read, to one that nobody reads, or to a file.
/// Standard input is a pipe or a file.
struct Streams {
  static constexpr const char* closed_pipe = "";
  const char* in = nullptr;
  const char* out = nullptr;
  const char* err = nullptr;
};

/// A run of the command whose input arrives bit by bit. What it writes is read all the while, so that neither side can
/// wait for the other for ever. One that takes longer than the time limit is killed, which fails the test.
class CommandRun {
 public:
  explicit CommandRun(const Args& args, Streams streams = {}) {
    std::signal(SIGPIPE, SIG_IGN);  // The command may end before it has read its input.
    std::vector<char*> argv{const_cast<char*>(CALLFENCE_COMMAND)};
    for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
    argv.push_back(nullptr);
    const Pipe in = streams.in == nullptr ? open_pipe() : Pipe{::open(streams.in, O_RDONLY | O_CLOEXEC), -1};
    const Pipe out = open_stream(streams.out);
    const Pipe err = open_stream(streams.err);
    child_ = ::fork();
    if (child_ == 0) {
      std::signal(SIGPIPE, SIG_DFL);
      ::dup2(in.read_end, STDIN_FILENO);
      ::dup2(out.write_end, STDOUT_FILENO);
      ::dup2(err.write_end, STDERR_FILENO);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    if (child_ < 0) throw std::runtime_error("cannot start the command");
    for (const int end : {in.read_end, out.write_end, err.write_end}) ::close(end);
    ends_ = {in.write_end, out.read_end, err.read_end};
    for (const int end : ends_) ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;
  ~CommandRun() {
    if (child_ > 0) finish();
  }

  /// Writes to the command's standard input, until all is written or the command has ended.
  void feed(std::string_view input) {
    while (!input.empty() && ends_[0] >= 0 && wait(true)) {
      const ssize_t size = ::write(ends_[0], input.data(), input.size());
      if (size >= 0) input.remove_prefix(static_cast<std::size_t>(size));
      if (size < 0 && errno != EAGAIN) close_end(0);
    }
  }

  /// Reads standard output until there are `size` bytes of it; false where that takes too long.
  bool wait_for_output(std::size_t size, std::chrono::seconds limit) {
    const auto deadline = Clock::now() + limit;
    while (outcome_.out.size() < size && ends_[1] >= 0 && Clock::now() < deadline) wait(false);
    return outcome_.out.size() >= size;
  }

  /// Forgets what standard output has brought so far, and returns it.
  std::string take_output() { return std::exchange(outcome_.out, {}); }

  /// Ends the input, reads what is left and waits for the end.
  Outcome finish() {
    close_end(0);
    while ((ends_[1] >= 0 || ends_[2] >= 0) && wait(false)) continue;
    close_end(1);
    close_end(2);
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    outcome_.code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    return outcome_;
  }

  /// A file such as "maps" out of what /proc holds of the running command.
  [[nodiscard]] std::string proc_file(const std::string& name) const {
    std::ifstream file("/proc/" + std::to_string(child_) + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Pipe {
    int read_end = -1;
    int write_end = -1;
  };

  static Pipe open_pipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ADD_FAILURE() << "no pipe";
    return {ends[0], ends[1]};
  }

  static Pipe open_stream(const char* to) {
    if (to != nullptr && *to != '\0') return {-1, ::open(to, O_WRONLY | O_CLOEXEC)};
    Pipe made = open_pipe();
    if (to != nullptr) ::close(std::exchange(made.read_end, -1));
    return made;
  }

  void close_end(std::size_t which) {
    if (ends_[which] >= 0) ::close(std::exchange(ends_[which], -1));
  }

  /// Waits until there is something to read, or, if that is asked for, room to write; then reads what is there. False
  /// where the command was killed because its time was up.
  bool wait(bool to_write) {
    std::array<pollfd, 3> polled{
        {{to_write ? ends_[0] : -1, POLLOUT, 0}, {ends_[1], POLLIN, 0}, {ends_[2], POLLIN, 0}}};
    ::poll(polled.data(), polled.size(), 100);
    for (const std::size_t which : {1U, 2U}) {
      if (polled[which].revents == 0) continue;
      std::array<char, 1 << 16> piece{};
      const ssize_t size = ::read(ends_[which], piece.data(), piece.size());
      if (size > 0) (which == 1 ? outcome_.out : outcome_.err).append(piece.data(), static_cast<std::size_t>(size));
      if (size == 0) close_end(which);
    }
    if (Clock::now() < deadline_) return true;
    ADD_FAILURE() << "the command ran for too long";
    ::kill(child_, SIGKILL);
    return false;
  }

  pid_t child_ = -1;
  std::array<int, 3> ends_{-1, -1, -1};  // Our ends of its standard input, output and error.
  Clock::time_point deadline_ = Clock::now() + std::chrono::seconds(120);
  Outcome outcome_;
};

/// Runs the command to its end.
inline Outcome run_command(const Args& args, std::string_view input = {}, Streams streams = {}) {
  CommandRun run(args, streams);
  run.feed(input);
  return run.finish();
}

/// An empty folder that the process works in, for the length of a test.
class WorkFolder {
 public:
  WorkFolder() {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder for the test");
    std::filesystem::current_path(path_);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }

  static void write(const std::string& name, const std::string& text) { std::ofstream(name, std::ios::binary) << text; }

 private:
  std::string path_ = ::testing::TempDir() + "callfence-XXXXXX";
  std::filesystem::path before_ = std::filesystem::current_path();
};

inline void expect_outcome(const Outcome& outcome, int code, const std::string& out, const std::string& err = "") {
  EXPECT_EQ(outcome.code, code);
  EXPECT_EQ(outcome.out, out);
  EXPECT_EQ(outcome.err, err);
}

/// Nothing on standard output, and one line on standard error, with `part` in it.
inline void expect_refusal(const Outcome& outcome, const std::string& part, int code = 2) {
  EXPECT_EQ(outcome.code, code);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind("callfence: ", 0), 0U) << outcome.err;
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  EXPECT_PRED_FORMAT2(::testing::IsSubstring, part, outcome.err);
}

// To write down inputs and arguments.

inline std::string repeat(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// `text`, UTF-8, as a JSON string.
inline std::string quote(const std::string& text) {
  std::string quoted;
  for (const char byte : text) {
    const std::size_t escaped = std::string_view("\"\\\n\r\t").find(byte);
    quoted += escaped == std::string::npos ? std::string(1, byte) : std::string{'\\', "\"\\nrt"[escaped]};
  }
  return '"' + quoted + '"';
}

inline std::string join(const std::vector<std::string>& parts, const std::string& between) {
  std::string joined;
  for (const std::string& part : parts) joined += (&part == &parts.front() ? "" : between) + part;
  return joined;
}

inline Args operator+(Args left, const Args& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

}  // namespace callfence::cli::test
