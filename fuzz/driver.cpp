// Runs a target over files, for builds without libFuzzer: each file once, folders through and through. Of a regression
// case, which is a folder with a reply.txt, the reply alone is taken. With --digest it prints a line for each file, its
// verdict digest and its name, and nothing else on standard output: the same from every build. Exit code: 0 all ran; 2
// wrong use, nothing to run, or another number of files than was expected. A finding aborts, and the file is named.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "digest.hpp"
#include "target.hpp"

namespace {

namespace fs = std::filesystem;

void list_files(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) {
    files.push_back(path);
    return;
  }
  if (fs::is_regular_file(path / "reply.txt")) {
    files.push_back(path / "reply.txt");
    return;
  }
  std::vector<fs::path> inside(fs::directory_iterator(path), fs::directory_iterator{});
  std::sort(inside.begin(), inside.end());
  for (const fs::path& one : inside) list_files(one, files);
}

std::array<char, 4200> running{};  // What is said where the target aborts on a file.

/// Names the file, and lets the signal do what it would have done.
extern "C" void name_file(int number) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, running.data(), std::strlen(running.data()));
  std::signal(number, SIG_DFL);
  std::raise(number);
}

bool run_file(const fs::path& path, bool digest) {
  if (!fs::is_regular_file(path)) return false;  // A pipe might never end.
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::snprintf(running.data(), running.size(), "driver: that was %s\n", path.c_str());
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (digest) {
    std::printf("%016llx  %s\n", static_cast<unsigned long long>(callfence::fuzz::digest_verdicts(bytes)),
                path.c_str());
  }
  return true;
}

int refuse(const std::string& sentence) {
  std::fprintf(stderr, "driver: %s\n", sentence.c_str());
  return 2;
}

std::optional<std::size_t> read_count(std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

int run(int argc, char** argv) {
  std::vector<fs::path> files;
  std::optional<std::size_t> expected;
  bool digest = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help") {
      std::puts("Usage: NAME_replay [--expect=N] [--digest] FILE|FOLDER...\n\nRuns a fuzz target on each file once.");
      return std::fflush(stdout) == 0 ? 0 : 2;
    }
    if (argument.starts_with("--expect=")) {
      if (expected) return refuse("--expect stands twice");
      expected = read_count(argument.substr(9));
      if (!expected) return refuse("--expect takes a whole number: " + std::string(argument));
    } else if (argument == "--digest") {
      digest = true;
    } else if (argument.starts_with("-")) {
      return refuse("there is no option " + std::string(argument) +
                    "; there are FILE..., FOLDER..., --expect=N and --digest");
    } else if (!fs::exists(argument)) {
      return refuse("there is no file " + std::string(argument));
    } else {
      list_files(argument, files);
    }
  }
  if (files.empty()) return refuse("nothing to run");
  for (const int number : {SIGABRT, SIGSEGV}) {
    const auto other = std::signal(number, name_file);
    if (other != SIG_DFL) std::signal(number, other);  // A sanitizer has more to say.
  }
  for (const fs::path& file : files) {
    if (!run_file(file, digest)) return refuse("cannot read " + file.string());
  }
  std::fprintf(digest ? stderr : stdout, "ran %zu files\n", files.size());
  if (std::fflush(stdout) != 0) return refuse("cannot write to standard output");
  if (expected && *expected != files.size()) return refuse("expected " + std::to_string(*expected) + " files");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const fs::filesystem_error& error) {
    return refuse(error.what());
  }
}
