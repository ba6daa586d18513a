#include <re2/re2.h>  // Here and nowhere else.

#include <callfence/reading.hpp>
#include <memory>

namespace callfence {

/// The next tag (R1) in `rest`, which then begins after it. The one pattern is compiled once and run once on all that
/// makes its automaton grow, so that no later match allocates (T9); it lives as long as the process.
static bool find_tag(re2::StringPiece& rest, re2::StringPiece& emotion) {
  static const RE2& pattern = *[] {
    auto compiled = std::make_unique<RE2>(R"(\[emotion:([A-Za-z_-]+)\])", RE2::Latin1);  // Any byte may stand around.
    re2::StringPiece warm_up("x\xFF[[emotion:[emotion:aZ_-] [emotion:a{[emotion:] [emotio ");
    while (RE2::FindAndConsume(&warm_up, *compiled)) continue;
    return compiled.release();
  }();
  return RE2::FindAndConsume(&rest, pattern, &emotion);
}

std::vector<EmotionTag> find_emotion_tags(std::string_view text) {
  constexpr std::size_t before_emotion = std::string_view("[emotion:").size();
  std::vector<EmotionTag> tags;
  re2::StringPiece rest(text.data(), text.size());
  re2::StringPiece emotion;
  while (find_tag(rest, emotion)) {
    const auto begin = static_cast<std::size_t>(emotion.data() - text.data()) - before_emotion;
    tags.push_back({std::string(emotion.data(), emotion.size()), {begin, text.size() - rest.size()}});
  }
  return tags;
}

std::string strip_emotion_tags(std::string_view text) {
  std::string stripped;
  std::size_t begin = 0;
  for (const EmotionTag& tag : find_emotion_tags(text)) {
    stripped.append(text.substr(begin, tag.span.begin - begin));
    begin = tag.span.end;
  }
  return stripped.append(text.substr(begin));
}

}  // namespace callfence
