#pragma once

#include <callfence/span.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace callfence {

/// An emotion tag (R1), such as [emotion:happy].
struct EmotionTag {
  std::string emotion;  ///< "happy"
  Span span;            ///< The whole tag, brackets included.

  friend bool operator==(const EmotionTag&, const EmotionTag&) = default;
};

/// The emotion tags of a text, in order; spans are bytes of `text`. Never fails; owns all it
/// returns. Cost: linear in the text. Throws nothing but std::bad_alloc. Safe on any thread; the
/// first call in a process compiles the one pattern.
[[nodiscard]] CALLFENCE_EXPORT std::vector<EmotionTag> find_emotion_tags(std::string_view text);

/// The text without its emotion tags, each cut in one pass: what a cut brings together is not
/// looked at again. All other bytes stay. Cost, throws, threads: as `find_emotion_tags`.
[[nodiscard]] CALLFENCE_EXPORT std::string strip_emotion_tags(std::string_view text);

}  // namespace callfence
