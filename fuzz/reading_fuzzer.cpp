// Asserts reading, places, log.
// Cost: fourteen readings and six naive ones.
//
// The input is a reply of which the first object is read. Object, text, span and emotions, or the failure, must be the
// oracle's under both tag rules, with the defaults and with limits that the input's hash picks; a failure's place must
// be where it is in the reply, and the log function must be handed just what R7 says, once or not at all.

#include "properties.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace callfence;
  using namespace callfence::fuzz;
  return with_input(data, size, [](std::string_view reply) {
    for (const Options& options : {Options(), options_for(reply, FenceRule::reference)}) {
      require(check_reading(reply, options), reply);
      require(check_reading_places(reply, options), reply);
    }
    require(check_log(reply, {}), reply);
  });
}
