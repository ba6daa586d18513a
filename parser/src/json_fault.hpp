#pragma once

#include <callfence/entry.hpp>

#include "json_decode.hpp"

namespace callfence {

/// Says why `decode_json` refused a text: the first thing in it that breaks rules J. The place is a byte of the text,
/// no line or column. Decides nothing. Cost: linear in the text; no recursion. Throws nothing but std::bad_alloc.
Detail explain_fault(std::string_view text, JsonLimits limits);

}  // namespace callfence
