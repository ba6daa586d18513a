#include "digest.hpp"

#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>

#include "print.hpp"
#include "properties.hpp"

namespace callfence::fuzz {

std::string list_verdicts(std::string_view reply) {
  std::string lines;
  for (const Options& options : both_fence_rules()) {
    for (const Entry& entry : parse_tool_calls(reply, options)) lines += cli::print(entry) + "\n";
    for (const Note& note : find_notes(reply, options)) lines += cli::print(note) + "\n";
  }
  for (const TagRule tags : {TagRule::strict, TagRule::everywhere}) {
    const auto options = make_options({.tags = tags});
    const ReadingResult result = read_first_object(reply, std::get<Options>(options));
    const auto* reading = std::get_if<Reading>(&result);
    lines += (reading != nullptr ? cli::print(*reading) : to_string(std::get<ReadingError>(result))) + "\n";
  }
  return lines;
}

std::uint64_t digest_verdicts(std::string_view reply) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a, 64 bits
  for (const char byte : list_verdicts(reply)) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return hash;
}

}  // namespace callfence::fuzz
