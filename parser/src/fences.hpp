#pragma once

#include <callfence/entry.hpp>
#include <callfence/options.hpp>

#include "text.hpp"

namespace callfence {

/// Where the next line stands.
enum class FenceState : std::uint8_t { prose, json_block, other_fence };

/// Reads a reply mark by mark. Knows nothing of JSON, of positions or of what is inside.
class FenceMachine {
 public:
  explicit FenceMachine(FenceRule rule) noexcept : strict_(rule == FenceRule::strict) {}

  /// Takes the mark of the next line (T2). Cost: linear in the mark.
  void step(std::string_view mark) noexcept;

  [[nodiscard]] FenceState state() const noexcept { return state_; }

 private:
  bool strict_;
  FenceState state_ = FenceState::prose;
  char fence_ = '`';        // What the open fence is made of,
  std::size_t length_ = 3;  // and of how many (F1, F3).
};

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

  /// Takes the next line, its first byte and its mark. True where it closes a json block: `block` is complete. Cost:
  /// linear in the line.
  bool take(std::string_view line, std::size_t begin, std::string_view mark) noexcept;

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
  for_each_line(reply, [&](std::string_view line, std::size_t begin) {
    if (scanner.take(line, begin, mark_of(line))) visit(scanner.block());
  });
  if (scanner.finish(reply.size())) visit(scanner.block());
}

/// The place of byte `at` of `text`, which begins at the start of a line, at `begin`. Cost: linear in `at`.
Place place_in(std::string_view text, std::size_t at, Place begin) noexcept;

}  // namespace callfence
