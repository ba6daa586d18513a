#pragma once

#include "fences.hpp"

namespace callfence {

/// Adds the entry of a block whose body is `body`: decoded, then checked for its shape (T6, T7). Cost: linear in the
/// body. Throws nothing but std::bad_alloc.
void add_entry(std::vector<Entry>& entries, const Block& block, std::string_view body, const Options& options);

}  // namespace callfence
