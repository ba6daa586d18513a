#pragma once

#include <callfence/version.hpp>
#include <cstddef>

namespace callfence {

/// A half-open range [begin, end) of bytes, counted from the start of the reply.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

/// A place in the reply. Lines and columns count from 1; a line ends at U+000A only (T1), a column is a code point, and
/// a byte that is not UTF-8 counts as one.
struct Place {
  std::size_t byte = 0;
  std::size_t line = 1;
  std::size_t column = 1;

  friend bool operator==(const Place&, const Place&) = default;
};

}  // namespace callfence
