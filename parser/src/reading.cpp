#include <callfence/reading.hpp>

#include "fences.hpp"
#include "json_fault.hpp"

namespace callfence {

/// Where byte `at` of the reply without its tags stands in the reply (R5). Cost: linear in the tags.
static std::size_t find_origin(std::size_t at, const std::vector<EmotionTag>& tags) noexcept {
  for (const EmotionTag& tag : tags) {
    if (tag.span.begin > at) break;
    at += tag.span.end - tag.span.begin;
  }
  return at;
}

/// R7: at most 300 characters from either end.
static UnreadableReply describe(std::string_view reply) {
  std::size_t head = 0;
  std::size_t tail = 0;
  for (int i = 0; i < 300 && head < reply.size(); ++i) head += character_length(reply, head);
  for (std::size_t left = count_characters(reply); left > 300; --left) tail += character_length(reply, tail);
  return {reply.size(), make_visible(reply.substr(0, head)), make_visible(reply.substr(tail))};
}

std::string to_string(const ReadingError& error) {
  if (error.failure == ReadingFailure::no_object) return "The reply had no JSON object: there is no '{' in it.";
  return "The reply was not valid JSON: " + to_string(error.detail, Form::full) + ".";
}

ReadingResult read_first_object(std::string_view reply, const Options& options, Log log) {
  const auto& [fences, tag_rule, max_depth, max_members, name_key, args_key] = options.values();
  std::vector<EmotionTag> tags;
  if (tag_rule == TagRule::everywhere) tags = find_emotion_tags(reply);  // R5: before the search
  const std::string kept = tags.empty() ? std::string() : strip_emotion_tags(reply);
  const std::string_view text = tags.empty() ? reply : kept;
  const std::size_t brace = text.find('{');  // R2
  const auto fail = [&](ReadingFailure failure, std::size_t begin, Detail detail) {
    detail.place = place_in(reply, find_origin(begin + detail.place.byte, tags), {});
    return ReadingError{failure, std::move(detail)};
  };
  if (brace == npos) return fail(ReadingFailure::no_object, text.size(), {{}, Cause::unknown, "the end", "'{'"});
  auto decoded = decode_json(text.substr(brace), {max_depth, max_members}, true);  // R3
  if (!decoded) {
    if (log.write != nullptr) log.write(describe(reply), log.context);  // R7
    return fail(ReadingFailure::not_valid_json, brace, explain_fault(text.substr(brace), {max_depth, max_members}));
  }
  auto& [value, length, last_key] = *decoded;
  // R8: cannot fail with the search starting at a brace; the guard stays.
  if (!value.is_object())
    return fail(ReadingFailure::not_an_object, brace, {{}, Cause::unknown, "a value", "an object"});
  const Span span{find_origin(brace, tags), find_origin(brace + length - 1, tags) + 1};
  if (tag_rule == TagRule::strict) {  // R4, R6: those outside the object; none can reach over a brace
    tags = find_emotion_tags(reply);
    std::erase_if(tags, [&](const EmotionTag& tag) { return tag.span.begin > span.begin && tag.span.end < span.end; });
  }
  return Reading{std::move(value.get_object()), std::string(text.substr(brace, length)), span, std::move(tags)};
}

}  // namespace callfence
