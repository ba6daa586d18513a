#include <callfence/tool_calls.hpp>

#include "shape_check.hpp"

namespace callfence {

std::vector<Entry> parse_tool_calls(std::string_view reply, const Options& options) {
  std::vector<Entry> entries;
  for_each_block(reply, options.values().fences, [&](const Block& block) {  // T8: nothing else is looked at
    add_entry(entries, block, slice(reply, block.body.begin, block.body.end), options);
  });
  return entries;
}

std::vector<Span> find_prose(std::string_view reply, const Options& options) {
  std::vector<Span> prose{{0, reply.size()}};
  for_each_block(reply, options.values().fences, [&](const Block& block) {
    prose.back().end = block.span.begin;
    prose.push_back({block.span.end, reply.size()});
  });
  std::erase_if(prose, [](Span span) { return span.begin == span.end; });
  return prose;
}

struct ToolCallStream::State {
  Options options;
  BlockScanner scanner{options.values().fences};
  std::string kept{};          // The reply from the open block's body on, or from the unfinished line on;
  std::size_t kept_begin = 0;  // where that is in the reply, and the unfinished line in what is kept.
  std::size_t line_begin = 0;
  std::size_t lines = 0;

  void take_line(std::vector<Entry>& entries) {
    const std::string_view line = std::string_view(kept).substr(line_begin);
    const bool in_block = scanner.state() == FenceState::json_block;
    if (scanner.take(line, kept_begin + line_begin, mark_of(line), ++lines)) {
      const Block& block = scanner.block();
      add_entry(entries, block, slice(kept, 0, block.body.end - block.body.begin), options);
    }
    if (in_block && scanner.state() == FenceState::json_block) {
      kept += '\n';
    } else {
      kept_begin += kept.size() + 1;
      kept.clear();
      if (kept.capacity() > 1U << 16U) kept.shrink_to_fit();  // Some room stays for the lines to come.
    }
    line_begin = kept.size();
  }
};

ToolCallStream::ToolCallStream(const Options& options) : state_(new State{options}) {}
ToolCallStream::ToolCallStream(ToolCallStream&&) noexcept = default;
ToolCallStream& ToolCallStream::operator=(ToolCallStream&&) noexcept = default;
ToolCallStream::~ToolCallStream() = default;

std::vector<Entry> ToolCallStream::feed(std::string_view chunk) {
  std::vector<Entry> entries;
  while (!chunk.empty()) {
    const std::size_t newline = chunk.find('\n');
    state_->kept.append(chunk.substr(0, newline));
    if (newline == npos) break;
    state_->take_line(entries);
    chunk.remove_prefix(newline + 1);
  }
  return entries;
}

std::vector<Entry> ToolCallStream::finish() {
  std::vector<Entry> entries;
  auto& [options, scanner, kept, kept_begin, line_begin, lines] = *state_;
  const std::size_t size = kept_begin + kept.size();
  if (line_begin < kept.size()) state_->take_line(entries);
  if (scanner.finish(size)) add_entry(entries, scanner.block(), {}, options);
  state_.reset(new State{Options(options)});
  return entries;
}

}  // namespace callfence
