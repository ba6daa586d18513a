#pragma once

#include <callfence/entry.hpp>
#include <callfence/options.hpp>

namespace callfence {

// clang-format off
/// What nearly was a call, or is one that may not mean what it says: rules N1-N7, in this order.
enum class NoteKind : std::uint8_t {
  open_fence, swallowed, nearly_an_opening, nearly_a_closing, other_members, repeated_key, inexact_number
};
// clang-format on

/// The kind in words, such as "open fence". Static text, lives for ever.
CALLFENCE_EXPORT std::string_view to_string(NoteKind kind) noexcept;

struct Note {
  NoteKind kind = NoteKind::open_fence;
  Span span;             ///< A mark (N1-N4), a block (N5), a key with its quotes (N6), a number (N7).
  std::string sentence;  ///< For a person, on one line.
};

/// The notes on a reply, ordered by span (begin, then end, then kind). They change no entry of `parse_tool_calls`,
/// which does not compute them. Never fails; owns all it returns. Cost: linear in the reply for any one `max_members`
/// (the keys of an open object are kept in a sorted set). Throws nothing but std::bad_alloc. Safe on any thread.
[[nodiscard]] CALLFENCE_EXPORT std::vector<Note> find_notes(std::string_view reply, const Options& options = {});

}  // namespace callfence
