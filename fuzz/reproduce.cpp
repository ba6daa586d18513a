// Says of each file what every property makes of it, where parser and oracle part, and what the reply looks like line
// by line. Each property runs in a process of its own, so that a crash is a verdict too. Exit code: 0 all hold; 1 one
// does not; 2 wrong use or unreadable input.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <callfence/tool_calls.hpp>
#include <csignal>

#include "digest.hpp"
#include "fences.hpp"
#include "files.hpp"
#include "properties.hpp"

namespace callfence::fuzz {
namespace {

constexpr std::size_t longest_shown = 20000;

/// The reply with a margin: the number of each line, where it stands, and invisible bytes made visible.
std::string show_lines(std::string_view reply, const Options& options) {
  constexpr std::array<const char*, 3> states{"     ", "json ", "other"};
  std::string shown;
  BlockScanner scanner(options.values().fences);
  std::size_t number = 0;
  for_each_line(reply, [&](std::string_view line, std::size_t begin) {
    const auto before = static_cast<std::size_t>(scanner.state());
    scanner.take(line, begin, mark_of(line));
    const auto after = static_cast<std::size_t>(scanner.state());
    const char* edge = before == after ? " " : after == 0 ? "<" : ">";
    shown += fmt::format("{:>6} {}{} | {}\n", ++number, states[std::max(before, after)], edge, make_visible(line));
  });
  return shown;
}

/// What a property makes of a reply, run where it can crash: "holds", "does not hold" or how the process ended.
struct Outcome {
  std::string verdict;
  std::string report;
};

Outcome run_apart(const Property& property, std::string_view reply, const Options& options) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) throw cli::ToolError("cannot make a pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    const Verdict verdict = property.check(reply, options);
    const std::string report = verdict ? "ours:\n" + verdict->ours + "\ntheirs:\n" + verdict->theirs : "";
    std::string_view rest = report;
    for (ssize_t size = 1; !rest.empty() && size > 0;
         rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(size, 0)))) {
      size = ::write(pipe[1], rest.data(), rest.size());
    }
    ::_exit(verdict ? 1 : 0);
  }
  ::close(pipe[1]);
  std::string report;
  std::array<char, 4096> piece{};
  for (ssize_t size = 1; size > 0;) {
    size = ::read(pipe[0], piece.data(), piece.size());
    if (size > 0) report.append(piece.data(), static_cast<std::size_t>(size));
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return {number == SIGALRM ? "took more than 60 s" : fmt::format("crashed: {}", ::strsignal(number)), ""};
  }
  return {WEXITSTATUS(status) == 0 ? "holds" : "does not hold", report};
}

bool reproduce(const std::string& name, std::string_view reply) {
  bool good = true;
  fmt::print("{}: {} bytes\n", name, reply.size());
  for (const Options& options : both_fence_rules()) {
    const bool strict = options.values().fences == FenceRule::strict;
    fmt::print("\n{} fences\n", strict ? "strict" : "reference");
    if (reply.size() <= longest_shown) fmt::print("{}", show_lines(reply, options));
    for (const Property& property : list_properties()) {
      const Outcome outcome = run_apart(property, reply, options);
      const bool holds = outcome.verdict == "holds";
      good = good && holds;
      fmt::print("  {:<12} {}\n", property.name, outcome.verdict);
      if (!holds) fmt::print("{}\n", outcome.report);
    }
  }
  if (good) fmt::print("\nverdict digest {:016x}\n", digest_verdicts(reply));
  return good;
}

int run(int argc, char** argv) {
  CLI::App app("Runs every property on each FILE and says what does not hold.", "reproduce");
  std::vector<std::string> files;
  app.add_option("FILE", files, "a crash input, or any reply; - for standard input")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  bool good = true;
  for (const std::string& file : files) good = reproduce(file, cli::Input(file).read_all()) && good;
  return good ? 0 : 1;
}

}  // namespace
}  // namespace callfence::fuzz

int main(int argc, char** argv) {
  try {
    return callfence::fuzz::run(argc, argv);
  } catch (const std::exception& error) {
    callfence::cli::write_warning(error.what());
    return 2;
  }
}
