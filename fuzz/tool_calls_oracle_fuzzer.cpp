// Asserts oracle, options.
// Cost: four parses, and four naive readings with the other library.
//
// The input is a reply. The naive reading of fuzz/oracle.cpp, whose JSON comes from another library, must give the same
// entries: numbers, spans, reasons, names, values to the bit, texts. Under both fence rules with the defaults, and
// under both again with member names and limits that the input's hash picks; small limits are likely then, since a
// default limit is seldom reached.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence;
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    for (const Options& options : both_fence_rules()) {
      require(check_oracle(Parsed(reply, options)), reply);
      const Options others = options_for(reply, options.values().fences);
      require(check_oracle(Parsed(reply, others)), reply);
    }
    require(check_options(seed_for(reply)), reply);
  });
}
