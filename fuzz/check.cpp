#include "check.hpp"

#include <cstdio>
#include <cstdlib>

#include "lines.hpp"
#include "text.hpp"

namespace callfence::fuzz {
namespace {

/// `text` line by line, invisible bytes made visible.
std::string show(std::string_view text) {
  std::string shown;
  for_each_line(text, [&](std::string_view line, std::size_t) { shown += "  | " + make_visible(line) + "\n"; });
  return shown.empty() ? "  (nothing)\n" : shown;
}

}  // namespace

void require(const Verdict& verdict, std::string_view input) {
  if (!verdict) return;
  const std::string report = "property: " + verdict->property + "\ninput, " + std::to_string(input.size()) +
                             " bytes:\n" + show(input) + "ours:\n" + show(verdict->ours) + "theirs:\n" +
                             show(verdict->theirs);
  std::fputs(report.c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace callfence::fuzz
