#include "fence_machine.hpp"

#include "text.hpp"

namespace callfence {

void FenceMachine::step(std::string_view mark) noexcept {
  if (state_ != FenceState::prose) {  // T4: any other line is content, whatever it looks like
    const bool closes = strict_ ? mark.size() >= length_ && run_length(mark, fence_) == mark.size()  // F1, F3
                                : mark == "```";                                                     // T4
    if (closes) state_ = FenceState::prose;
    return;
  }
  const bool tildes = strict_ && mark.substr(0, 3) == "~~~";  // F3
  fence_ = tildes ? '~' : '`';
  length_ = run_length(mark, fence_);
  const bool inline_code = strict_ && !tildes && mark.find('`', length_) != std::string_view::npos;  // F2
  if (length_ < 3 || inline_code) return;                                                            // T3: prose
  state_ = is_json_mark(mark) ? FenceState::json_block : FenceState::other_fence;                    // T3
}

}  // namespace callfence
