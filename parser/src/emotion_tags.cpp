#include <re2/re2.h>  // Here and nowhere else.

#include <callfence/reading.hpp>
#include <memory>

namespace callfence {

/// R1. Compiled and run once before use, since RE2 leaks where an allocation fails in either (T9); lives as long as the
/// process. Any byte may stand around a tag.
static const RE2& tag_pattern() {
  static const RE2& pattern = *[] {
    auto compiled = std::make_unique<RE2>(R"(\[emotion:([A-Za-z_-]+)\])", RE2::Latin1);
    re2::StringPiece warm_up("x\xFF[[emotion:[emotion:aZ_-] [emotion:a{[emotion:] [emotio ");
    while (RE2::FindAndConsume(&warm_up, *compiled)) continue;
    return compiled.release();
  }();
  return pattern;
}

std::vector<EmotionTag> find_emotion_tags(std::string_view text) {
  std::vector<EmotionTag> tags;
  re2::StringPiece rest(text.data(), text.size());
  re2::StringPiece emotion;
  while (RE2::FindAndConsume(&rest, tag_pattern(), &emotion)) {
    const std::size_t end = text.size() - rest.size();
    tags.push_back({std::string(emotion.data(), emotion.size()), {end - emotion.size() - 10, end}});  // [emotion: and ]
  }
  return tags;
}

std::string strip_emotion_tags(std::string_view text) {
  std::string stripped(text);
  RE2::GlobalReplace(&stripped, tag_pattern(), "");
  return stripped;
}

}  // namespace callfence
