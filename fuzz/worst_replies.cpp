// Prints what the worst replies known cost, counted and not timed: executed edges of the parser and of Boost.JSON, and
// bytes asked of the allocator, both for a byte of the reply. Each reply has a size and twice that. Exit code: 0 up to
// 128 KB the work stays under the bound of the property "work", and twice the reply takes no more than twice the work;
// 1 it does not, or nothing was measured.

#include "../bench/worst_replies.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>
#include <cstdio>
#include <string>
#include <string_view>

#include "properties.hpp"
#include "work.hpp"

namespace callfence::fuzz {
namespace {

/// The work of what can be asked of a reply: its calls, its notes, its first object.
std::array<Work, 3> measure(std::string_view reply) {
  const auto count = [](auto&& ask) {
    const Work before = work_so_far();
    ask();
    return work_since(before);
  };
  return {count([&] { (void)parse_tool_calls(reply); }), count([&] { (void)find_notes(reply); }),
          count([&] { (void)read_first_object(reply); })};
}

double each(std::uint64_t work, std::string_view reply) {
  return static_cast<double>(work) / static_cast<double>(reply.size());
}

/// Whether the bound holds for all that can be asked, byte by byte streams included, under both rules of fences.
bool check_bound(std::string_view name, std::string_view reply) {
  for (const Options& options : both_fence_rules()) {
    const Verdict verdict = check_all_work(reply, options);
    if (!verdict) continue;
    fmt::print("{}: {}, {}\n", name, verdict->ours, verdict->theirs);
    return false;
  }
  return true;
}

/// Whether `twice` took no more for a byte than `once` did and a twentieth; a thousand are for what is done once.
/// Vectors that double make that a fourth for what is allocated.
bool check_growth(std::string_view name, std::string_view once, const Work& before, std::string_view twice,
                  const Work& after) {
  const double ratio = static_cast<double>(twice.size()) / static_cast<double>(once.size());
  const auto limit = [&](std::uint64_t work, double slack) { return static_cast<double>(work) * ratio * slack + 1000; };
  const bool good = static_cast<double>(after.edges) <= limit(before.edges, 1.05) &&
                    static_cast<double>(after.bytes) <= limit(before.bytes, 1.25);
  if (!good) fmt::print("{}: twice the reply took more than twice the work\n", name);
  return good;
}

int run(std::string_view only, std::size_t first, std::size_t last) {
  fmt::print("{:<40} {:>9} {:>8} {:>8} {:>8} {:>10}\n", "edges and allocated bytes for a byte", "bytes", "calls",
             "notes", "reading", "allocated");
  bool good = counts_edges();
  if (!good) fmt::print("This build counts no edges; the fuzz preset does.\n");
  std::size_t replies = 0;
  for (const bench::WorstReply& worst : bench::list_worst_replies()) {
    if (!only.empty() && worst.name != only) continue;
    std::string half;
    std::array<Work, 3> half_work;
    for (std::size_t bytes = first; bytes <= last; bytes *= 2, ++replies) {
      const std::string reply = worst.build(bytes);
      const std::array<Work, 3> work = measure(reply);
      if (bytes <= 1U << 17U) good = check_bound(worst.name, reply) && good;
      for (std::size_t i = 0; i < work.size() && !half.empty(); ++i) {
        good = check_growth(worst.name, half, half_work[i], reply, work[i]) && good;
      }
      fmt::print("{:<40} {:>9} {:>8.1f} {:>8.1f} {:>8.1f} {:>10.1f}\n", worst.name, reply.size(),
                 each(work[0].edges, reply), each(work[1].edges, reply), each(work[2].edges, reply),
                 each(std::max({work[0].bytes, work[1].bytes, work[2].bytes}), reply));
      std::fflush(stdout);
      half = reply;
      half_work = work;
    }
  }
  fmt::print("{} replies were measured.\n", replies);
  return good && replies > 0 ? 0 : 1;
}

}  // namespace
}  // namespace callfence::fuzz

int main(int count, char** arguments) {
  std::string only;
  std::size_t first = 65536;
  std::size_t last = 131072;
  CLI::App app("Counts the work for the worst replies known, and for twice as much of each.");
  app.add_option("--only", only, "Only the reply of this name");
  app.add_option("--from", first, "The bytes of the smallest of each kind")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--to", last, "They double until there are more than these")->capture_default_str();
  CLI11_PARSE(app, count, arguments);
  return callfence::fuzz::run(only, first, last);
}
