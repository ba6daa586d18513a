#pragma once

#include <callfence/span.hpp>

#include "fence_machine.hpp"
#include "text.hpp"

namespace callfence {

/// A json block: where it stands, before anything in it is read.
struct Block {
  std::size_t number = 0;
  Span span;
  Span body;
  Place opening;     // Of the opening mark.
  Place body_begin;  // Of the body's first byte.
  bool closed = false;
};

/// Finds the json blocks of a reply, line by line.
class BlockScanner {
 public:
  explicit BlockScanner(FenceRule rule) noexcept : machine_(rule) {}

  /// Takes the next line and its mark. True where it closes a json block: `block` is complete. Cost: linear in the
  /// line.
  bool take(const Line& line, std::string_view mark) noexcept;

  /// Ends the reply, which has `size` bytes. True where a json block is open: `block` is it (T7).
  bool finish(std::size_t size) noexcept;

  [[nodiscard]] FenceState state() const noexcept { return machine_.state(); }
  [[nodiscard]] const Block& block() const noexcept { return block_; }

 private:
  FenceMachine machine_;
  std::size_t lines_ = 0;
  Block block_;
};

/// Calls `visit(Block)` for each json block of the reply, an unclosed last one included.
template <typename Visit>
void for_each_block(std::string_view reply, FenceRule rule, Visit&& visit) {
  BlockScanner scanner(rule);
  for_each_line(reply, [&](const Line& line) {
    if (scanner.take(line, mark_of(line.text))) visit(scanner.block());
  });
  if (scanner.finish(reply.size())) visit(scanner.block());
}

inline std::string_view slice(std::string_view text, Span span) {
  return text.substr(span.begin, span.end - span.begin);
}

/// The place of byte `at` of `text`, which begins at the start of a line, at `begin`. Cost: linear in `at`.
Place place_in(std::string_view text, std::size_t at, Place begin) noexcept;

}  // namespace callfence
