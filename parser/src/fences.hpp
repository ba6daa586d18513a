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
  Place opening;  // Of the opening mark.
  bool closed = false;
};

/// Finds the json blocks of a reply, line by line.
class BlockScanner {
 public:
  explicit BlockScanner(FenceRule rule) noexcept : machine_(rule) {}

  /// Takes the next line, its first byte, its mark and its number, which only the places of a block need; lines that
  /// can be no fence may be left out. True where it closes a json block: `block` is complete. Cost: linear in the line.
  bool take(std::string_view line, std::size_t begin, std::string_view mark, std::size_t number = 1) noexcept;

  /// Ends the reply, which has `size` bytes. True where a json block is open: `block` is it (T7).
  bool finish(std::size_t size) noexcept;

  [[nodiscard]] FenceState state() const noexcept { return machine_.state(); }
  [[nodiscard]] const Block& block() const noexcept { return block_; }

 private:
  FenceMachine machine_;
  Block block_;
};

/// The place of byte `at` of `text`, which begins at the start of a line, at `begin`. Cost: linear in `at`.
Place place_in(std::string_view text, std::size_t at, Place begin) noexcept;

/// Calls `visit(line, begin)` for each line (T1), without its newline, that holds a backtick, or a tilde where those
/// are asked for: no other can be a fence. So it searches for these bytes alone, and looks back to where a line starts.
template <typename Visit>
void for_each_fence_line(std::string_view text, bool tildes, Visit&& visit) {
  std::size_t backtick = text.find('`');
  std::size_t tilde = tildes ? text.find('~') : npos;
  for (std::size_t end = 0; std::min(backtick, tilde) != npos;) {
    const std::size_t at = std::min(backtick, tilde);
    const std::size_t begin = end + slice(text, end, at).rfind('\n') + 1;  // npos + 1 is 0
    end = std::min(text.find('\n', at), text.size());
    visit(slice(text, begin, end), begin);
    if (backtick < end) backtick = text.find('`', end);
    if (tilde < end) tilde = text.find('~', end);
  }
}

/// Calls `visit(Block)` for each json block of the reply, an unclosed last one included.
template <typename Visit>
void for_each_block(std::string_view reply, FenceRule rule, Visit&& visit) {
  BlockScanner scanner(rule);
  Place counted;  // The start of the last line with a json mark: lines are counted for no others.
  for_each_fence_line(reply, rule == FenceRule::strict, [&](std::string_view line, std::size_t begin) {
    const std::string_view mark = mark_of(line);
    if (is_json_mark(mark)) counted = place_in(reply.substr(counted.byte), begin - counted.byte, counted);
    if (scanner.take(line, begin, mark, counted.line)) visit(scanner.block());
  });
  if (scanner.finish(reply.size())) visit(scanner.block());
}

}  // namespace callfence
