#pragma once

#include <callfence/options.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "oracle.hpp"

/// The properties that callfence is held to, each by its name. Each takes any input and has a verdict for it; each is
/// true of every input. Targets, tests and the reproducer share them.
namespace callfence::fuzz {

// On a reply.
Verdict check_total(std::string_view reply,
                    const Options& options);  // every output exists, and each byte of it is read
Verdict check_fenced(std::string_view reply,
                     const Options& options);  // bodies lie between a json opening and its closing
Verdict check_numbered(std::string_view reply,
                       const Options& options);                        // blocks 1..n, in order, disjoint, in the reply
Verdict check_oracle(std::string_view reply, const Options& options);  // entries equal the oracle's, values included
Verdict check_prose_blind(std::string_view reply, const Options& options);
Verdict check_retag(std::string_view reply, const Options& options);
Verdict check_chunks(std::string_view reply, const Options& options, std::uint64_t seed);
Verdict check_prefix(std::string_view reply, const Options& options, std::uint64_t seed);
Verdict check_concat(std::string_view reply, const Options& options, std::uint64_t seed);
Verdict check_newline(std::string_view reply, const Options& options);
Verdict check_exact_text(std::string_view reply, const Options& options);
Verdict check_round_trip(std::string_view reply, const Options& options);
Verdict check_notes(std::string_view reply, const Options& options);
Verdict check_reading(std::string_view reply, const Options& options);
Verdict check_tags(std::string_view text);
Verdict check_decode(std::string_view json);        // our decoding against the other library, numbers to the bit
Verdict check_by_construction(std::uint64_t seed);  // a reply built from parts gives the entries it was built for

/// Options drawn from a hash of the input, so that a corpus file stays a reply that a person can read.
Options options_for(std::string_view input);

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

}  // namespace callfence::fuzz
