#pragma once

#include <callfence/entry.hpp>

#include "json_decode.hpp"

namespace callfence {

/// What is wrong with a JSON text. `at` is a byte of the text.
struct JsonFault {
  std::size_t at = 0;
  Cause cause = Cause::unknown;
  std::string found;
  std::string_view expected;
};

/// Says why `decode_json` refused a text: the first thing in it that breaks rules J. Decides nothing. Cost: linear in
/// the text; no recursion. Throws nothing but std::bad_alloc.
JsonFault explain_fault(std::string_view text, JsonLimits limits);

}  // namespace callfence
