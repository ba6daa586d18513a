#pragma once

#include <callfence/options.hpp>

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

}  // namespace callfence
