#include <callfence/tool_calls.hpp>

#include "block_scanner.hpp"
#include "shape_check.hpp"

namespace callfence {

std::vector<Entry> parse_tool_calls(std::string_view reply, const Options& options) {
  std::vector<Entry> entries;
  for_each_block(reply, options.values().fences,
                 [&](const Block& block) { entries.push_back(make_entry(block, slice(reply, block.body), options)); });
  return entries;
}

std::vector<Span> find_prose(std::string_view reply, const Options& options) {
  std::vector<Span> prose{{}};
  for_each_block(reply, options.values().fences, [&](const Block& block) {
    prose.back().end = block.span.begin;
    prose.push_back({block.span.end, 0});
  });
  prose.back().end = reply.size();
  std::erase_if(prose, [](Span span) { return span.begin == span.end; });
  return prose;
}

/// What a stream keeps: the reply from the open block's body on, or from the unfinished line on.
class ToolCallStream::State {
 public:
  explicit State(const Options& options) : options_(options), scanner_(options.values().fences) {}

  std::vector<Entry> feed(std::string_view chunk) {
    std::vector<Entry> entries;
    while (!chunk.empty()) {
      const std::size_t newline = chunk.find('\n');
      kept_.append(chunk.substr(0, newline));
      if (newline == std::string_view::npos) break;
      take_line(entries);
      chunk.remove_prefix(newline + 1);
    }
    return entries;
  }

  std::vector<Entry> finish() {
    std::vector<Entry> entries;
    const std::size_t size = kept_begin_ + kept_.size();
    if (line_begin_ < kept_.size()) take_line(entries);
    if (scanner_.finish(size)) entries.push_back(make_entry(scanner_.block(), {}, options_));
    *this = State(options_);
    return entries;
  }

 private:
  void take_line(std::vector<Entry>& entries) {
    const std::string_view line = std::string_view(kept_).substr(line_begin_);
    const bool in_block = scanner_.state() == FenceState::json_block;
    if (scanner_.take({line, kept_begin_ + line_begin_}, mark_of(line))) {
      const Block& block = scanner_.block();
      entries.push_back(make_entry(block, slice(kept_, {0, block.body.end - block.body.begin}), options_));
    }
    if (in_block && scanner_.state() == FenceState::json_block) {
      kept_ += '\n';
    } else {
      kept_begin_ += kept_.size() + 1;
      kept_.clear();
    }
    line_begin_ = kept_.size();
  }

  Options options_;
  BlockScanner scanner_;
  std::string kept_;
  std::size_t kept_begin_ = 0;  // In the reply.
  std::size_t line_begin_ = 0;  // In `kept_`.
};

ToolCallStream::ToolCallStream(const Options& options) : state_(std::make_unique<State>(options)) {}
ToolCallStream::ToolCallStream(ToolCallStream&&) noexcept = default;
ToolCallStream& ToolCallStream::operator=(ToolCallStream&&) noexcept = default;
ToolCallStream::~ToolCallStream() = default;

std::vector<Entry> ToolCallStream::feed(std::string_view chunk) { return state_->feed(chunk); }
std::vector<Entry> ToolCallStream::finish() { return state_->finish(); }

}  // namespace callfence
