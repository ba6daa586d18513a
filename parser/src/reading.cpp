#include <algorithm>
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
  std::size_t tail = reply.size();
  for (int i = 0; i < 300 && head < reply.size(); ++i) head += character_length(reply, head);
  for (int i = 0; i < 300 && tail > 0; ++i) tail -= character_length_before(reply, tail);
  return {reply.size(), make_visible(reply.substr(0, head)), make_visible(reply.substr(tail))};
}

std::string to_string(const ReadingError& error) {
  if (error.failure == ReadingFailure::no_object) return "The reply had no JSON object: there is no '{' in it.";
  return "The reply was not valid JSON: " + to_string(error.detail, Form::full) + ".";
}

std::variant<Reading, ReadingError> read_first_object(std::string_view reply, const Options& options, Log log) {
  std::vector<EmotionTag> tags;  // R5: before the search
  if (options.values().tags == TagRule::everywhere) tags = find_emotion_tags(reply);
  const std::string kept = tags.empty() ? std::string() : strip_emotion_tags(reply);
  const std::string_view text = tags.empty() ? reply : kept;
  const auto fail = [&](ReadingFailure failure, JsonFault fault) {
    const Place place = place_in(reply, find_origin(fault.at, tags), {});
    return ReadingError{failure, {place, fault.cause, std::move(fault.found), fault.expected}};
  };
  const std::size_t brace = text.find('{');  // R2
  if (brace == std::string_view::npos) {
    return fail(ReadingFailure::no_object, {text.size(), Cause::unknown, "the end", "'{'"});
  }
  const JsonLimits limits{options.values().max_depth, options.values().max_members};
  auto decoded = decode_json(text.substr(brace), limits, true);  // R3
  if (!decoded) {
    if (log.write != nullptr) log.write(describe(reply), log.context);  // R7
    JsonFault fault = explain_fault(text.substr(brace), limits);
    fault.at += brace;
    return fail(ReadingFailure::not_valid_json, std::move(fault));
  }
  auto& [value, length] = *decoded;
  boost::json::object* object = value.if_object();
  if (object == nullptr)
    return fail(ReadingFailure::not_an_object, {brace, Cause::unknown, "a value", "an object"});  // R8
  const Span span{find_origin(brace, tags), find_origin(brace + length - 1, tags) + 1};
  if (options.values().tags ==
      TagRule::strict) {  // R4, R6: before the object and after it; no tag reaches over a brace
    tags = find_emotion_tags(reply.substr(0, span.begin));
    for (EmotionTag& tag : find_emotion_tags(reply.substr(span.end))) {
      tags.push_back({std::move(tag.emotion), {tag.span.begin + span.end, tag.span.end + span.end}});
    }
  }
  return Reading{std::move(*object), std::string(text.substr(brace, length)), span, std::move(tags)};
}

}  // namespace callfence
