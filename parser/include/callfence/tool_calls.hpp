#pragma once

#include <callfence/entry.hpp>
#include <callfence/options.hpp>
#include <memory>

namespace callfence {

/// The entries of a whole reply, one for each json block, in reply order (T1-T8, F1-F3, J1-J8). Any sequence of bytes
/// has a result (T9); what cannot be a call is an error entry, and an empty result means that the reply has no json
/// block. The entries own what they hold and keep no reference to `reply`. Cost: one pass, time and memory linear in
/// the reply (T10); nothing is allocated for a reply without blocks. Stack: grows with `max_depth` only. Throws nothing
/// but std::bad_alloc. Safe on any thread.
[[nodiscard]] CALLFENCE_EXPORT std::vector<Entry> parse_tool_calls(std::string_view reply, const Options& options = {});

/// The ranges of the reply outside its json blocks, in order, none of them empty: what the model said around its calls,
/// fences of other kinds included. Together with the blocks' spans (T5) they cover each byte of the reply once. Never
/// fails. Cost: linear in the reply. Throws nothing but std::bad_alloc. Safe on any thread.
[[nodiscard]] CALLFENCE_EXPORT std::vector<Span> find_prose(std::string_view reply, const Options& options = {});

/// A reply that arrives in chunks. However it is split, the entries and their spans are those of `parse_tool_calls` on
/// the whole. Keeps the open json block and the unfinished line, not the reply. Use one stream from one thread at a
/// time; different streams are independent. A moved-from stream may only be destroyed or assigned to.
class CALLFENCE_EXPORT ToolCallStream {
 public:
  /// Throws nothing but std::bad_alloc.
  explicit ToolCallStream(const Options& options = {});
  ToolCallStream(ToolCallStream&&) noexcept;
  ToolCallStream& operator=(ToolCallStream&&) noexcept;
  ~ToolCallStream();

  /// Takes the next bytes of the reply, any number, and returns the entries that they complete: an entry comes out as
  /// soon as the newline of its closing line has arrived. `chunk` is not kept. Total cost over a reply: linear in the
  /// reply, however it is split. Throws nothing but std::bad_alloc; then the stream may only be destroyed or assigned
  /// to.
  [[nodiscard]] std::vector<Entry> feed(std::string_view chunk);

  /// Ends the reply and returns the last entry, where there is one: a block closed by a line without a newline, or one
  /// that was never closed (T7). The stream is then ready for another reply. Throws as `feed` does.
  [[nodiscard]] std::vector<Entry> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace callfence
