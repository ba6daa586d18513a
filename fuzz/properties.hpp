#pragma once

#include <callfence/tool_calls.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "oracle.hpp"
#include "work.hpp"

/// The properties that callfence is held to, each by its name. Each takes any input and has a verdict for it; each is
/// true of every input. Targets, tests and the reproducer share them.
namespace callfence::fuzz {

/// A reply with what the parser makes of it and the work that took, so that properties of one result share one parse.
/// The reply and the options must outlive it.
struct Parsed {
  Parsed(std::string_view text, const Options& rules);

  std::string_view reply;
  const Options& options;
  std::vector<Entry> entries;
  Work work;
};

// properties.cpp: of one result.
Verdict check_total(const Parsed& parsed);       // each byte of the entries can be read, their texts are one line
Verdict check_fenced(const Parsed& parsed);      // bodies lie between a json opening and its closing
Verdict check_numbered(const Parsed& parsed);    // blocks 1..n, in order, disjoint, in the reply
Verdict check_exact_text(const Parsed& parsed);  // args texts are pieces of their bodies and decode to the args
Verdict check_round_trip(const Parsed& parsed);  // the printed line of an entry, read back, gives it again
Verdict check_places(const Parsed& parsed);      // lines and columns agree with the bytes, and those with the block
Verdict check_prose(const Parsed& parsed);       // prose is what the spans leave
Verdict check_work(const Parsed& parsed);        // edges and allocated bytes are linear in the reply
Verdict check_all_work(std::string_view reply, const Options& options);  // of each thing that can be asked of a reply
Verdict check_oracle(const Parsed& parsed);      // entries equal the oracle's, values included

// relations.cpp: between the results of two replies, or of a reply taken in two ways.
Verdict check_prose_blind(std::string_view reply, const Options& options);
Verdict check_retag(std::string_view reply, const Options& options);
Verdict check_chunks(std::string_view reply, const Options& options, std::uint64_t seed);  // streams; their work too
Verdict check_prefix(std::string_view reply, const Options& options, std::uint64_t seed);
Verdict check_concat(std::string_view reply, const Options& options, std::uint64_t seed);
Verdict check_newline(std::string_view reply, const Options& options);
Verdict check_by_construction(std::uint64_t seed);  // a reply built from parts gives the entries it was built for

// readings.cpp: of the other readings of a reply.
Verdict check_notes(std::string_view reply, const Options& options);
Verdict check_reading(std::string_view reply, const Options& options);         // equals the oracle's, both tag rules
Verdict check_reading_places(std::string_view reply, const Options& options);  // "places", of a reading that failed
Verdict check_log(std::string_view reply, const Options& options);             // R7
Verdict check_tags(std::string_view text);
Verdict check_decode(std::string_view json);  // our decoding against the other library, numbers to the bit

/// Options drawn from a hash of the input, so that a corpus file stays a reply that a person can read: member names and
/// limits; the fence rule is the caller's.
Options options_for(std::string_view input, FenceRule fences);

/// Values near the ends of what is allowed are accepted or refused (J3, J8, T6).
Verdict check_options(std::uint64_t seed);

/// The defaults, and the same with strict fences.
const std::vector<Options>& both_fence_rules();

/// A number drawn from a hash of the input, for properties that need a choice.
std::uint64_t seed_for(std::string_view input);

/// A property of a reply, as the reproducer lists them.
struct Property {
  const char* name;
  Verdict (*check)(std::string_view reply, const Options& options);
};
const std::vector<Property>& list_properties();

/// The oracle's rules for these options.
oracle::Rules rules_of(const Options& options);

/// Whether work on `size` bytes stays under the bound that "work" asserts, in words where it does not.
Verdict check_bound(const char* what, const Work& before, std::size_t size, const Options& options);

/// Reads each byte, so that a sanitizer sees what is not there.
void touch(std::string_view text);

/// Options with these values, which must be good.
Options make(const OptionValues& values);

}  // namespace callfence::fuzz
