#include "fences.hpp"

#include <algorithm>

namespace callfence {

void FenceMachine::step(std::string_view mark) noexcept {
  if (state_ != FenceState::prose) {  // T4: any other line is content, whatever it looks like
    const bool closes = strict_ ? mark.size() >= length_ && run_length(mark, fence_) == mark.size()  // F1, F3
                                : mark == "```";                                                     // T4
    if (closes) state_ = FenceState::prose;
    return;
  }
  const bool tildes = strict_ && mark.starts_with("~~~");  // F3
  fence_ = tildes ? '~' : '`';
  length_ = run_length(mark, fence_);
  const bool inline_code = strict_ && !tildes && mark.find('`', length_) != npos;  // F2
  if (length_ < 3 || inline_code) return;                                          // T3: prose
  state_ = is_json_mark(mark) ? FenceState::json_block : FenceState::other_fence;  // T3
}

bool BlockScanner::take(std::string_view line, std::size_t at, std::string_view mark, std::size_t number) noexcept {
  const FenceState before = machine_.state();
  machine_.step(mark);
  const auto indent = static_cast<std::size_t>(mark.data() - line.data());
  const std::size_t begin = at + indent;
  if (before == FenceState::prose && machine_.state() == FenceState::json_block) {
    const std::size_t body = at + line.size() + 1;  // T5: after the newline
    const std::size_t column = count_characters(line.substr(0, indent)) + 1;
    block_ = {block_.number + 1, {begin, begin}, {body, body}, {begin, number, column}};  // T3
  }
  if (before != FenceState::json_block || machine_.state() != FenceState::prose) return false;
  block_.span.end = begin + mark.size();                  // T5: to the end of the closing mark
  block_.body.end = std::max(block_.body.begin, at - 1);  // T5: without the newline before
  return block_.closed = true;
}

bool BlockScanner::finish(std::size_t size) noexcept {
  block_.span.end = size;  // T5, T7: unclosed, so to the end of the reply
  block_.body = {std::min(block_.body.begin, size), size};
  return machine_.state() == FenceState::json_block;
}

Place place_in(std::string_view text, std::size_t at, Place begin) noexcept {
  const std::string_view before = text.substr(0, at);
  std::size_t line = 0;
  for (std::size_t next = 0; (next = before.find('\n', line) + 1) > 0; line = next) ++begin.line;  // npos + 1 is 0
  return {begin.byte + at, begin.line, count_characters(before.substr(line)) + 1};
}

}  // namespace callfence
