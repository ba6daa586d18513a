// Asserts chunks, and work of the stream.
// Cost: two parses and four streams, two of them byte by byte.
//
// The input is a reply. It is fed to one stream twice, in pieces whose sizes come from its hash and then byte by byte;
// both times the entries must be those of the whole reply: spans, texts and places too. Under both fence rules.
//
// A finding here means that a program which feeds a reply as it arrives may act otherwise than one that waits for its
// end, or that the cost of a stream depends on how the reply is cut.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    const std::uint64_t seed = seed_for(reply);
    for (const callfence::Options& options : both_fence_rules()) {
      require(check_chunks(reply, options, seed), reply);
    }
  });
}
