#pragma once

#include <callfence/entry.hpp>
#include <callfence/options.hpp>

namespace callfence {

/// An emotion tag (R1), such as [emotion:happy]: the word in it, and the span of the whole tag.
struct EmotionTag {
  std::string emotion;
  Span span;
};

/// The emotion tags of a text, in order; spans are bytes of `text`. Never fails; owns all it returns. Cost: linear in
/// the text. Throws nothing but std::bad_alloc. Safe on any thread; the first call in a process compiles the one
/// pattern.
[[nodiscard]] CALLFENCE_EXPORT std::vector<EmotionTag> find_emotion_tags(std::string_view text);

/// The text without its emotion tags, all cut in one pass: what a cut brings together is not looked at again. Other
/// bytes stay as they are. Cost, throws, threads: as `find_emotion_tags`.
[[nodiscard]] CALLFENCE_EXPORT std::string strip_emotion_tags(std::string_view text);

/// The first object of a reply. Data, never a command: it may be text that a user got the model to quote (R9). Owns all
/// it holds.
struct Reading {
  boost::json::object object;
  std::string text;                  ///< The object as written; under R5, as written without its tags.
  Span span;                         ///< Where it stands in the reply; under R5 tags inside are covered.
  std::vector<EmotionTag> emotions;  ///< R6: under R4 those outside the object, under R5 all.
};

enum class ReadingFailure : std::uint8_t { no_object, not_valid_json, not_an_object };

/// Why a reply could not be read. For `no_object` the place is the end of the reply.
struct ReadingError {
  ReadingFailure failure = ReadingFailure::no_object;
  Detail detail;
};

/// One sentence that a person can act on, with the place. Throws nothing but std::bad_alloc. Safe on any thread.
CALLFENCE_EXPORT std::string to_string(const ReadingError& error);

/// What the log function is handed (R7). Head and tail are the first and the last 300 characters, on one line each:
/// control characters and bytes that are not UTF-8 are shown escaped.
struct UnreadableReply {
  std::size_t bytes = 0;
  std::string head;
  std::string tail;
};

/// A function to call with a reply whose first brace does not decode, and a pointer that is handed on to it. It must
/// not throw, which its type says.
struct Log {
  void (*write)(const UnreadableReply& reply, void* context) noexcept = nullptr;
  void* context = nullptr;
};

using ReadingResult = std::variant<Reading, ReadingError>;

/// The object that starts at the first `{` of the reply, whatever rides along, or an error (R1-R9, J1-J8). Only that
/// one place is tried and nothing is repaired. `log` is called at most once, only for an object that does not decode.
/// The result keeps no reference to `reply`. Cost: time and memory linear in the reply. Throws nothing but
/// std::bad_alloc. Safe on any thread.
[[nodiscard]] CALLFENCE_EXPORT ReadingResult read_first_object(std::string_view reply, const Options& options = {},
                                                               Log log = {});

}  // namespace callfence
