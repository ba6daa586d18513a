// Properties of the other readings of a reply: notes, the first object, emotion tags, JSON alone.

#include <fmt/format.h>

#include <algorithm>
#include <callfence/notes.hpp>
#include <callfence/reading.hpp>

#include "json_fault.hpp"
#include "lines.hpp"
#include "print.hpp"
#include "properties.hpp"
#include "results.hpp"

namespace callfence::fuzz {
namespace {

Options with_tags(const Options& options, TagRule tags) {
  OptionValues values = options.values();
  values.tags = tags;
  return make(values);
}

/// Where byte `at` of the text without its tags stands in the text: the byte that is kept as the `at`th.
std::size_t origin_of(std::string_view text, std::size_t at) {
  std::size_t kept = 0;
  std::size_t place = 0;
  for (const oracle::Tag& tag : oracle::find_tags(text)) {
    if (kept + (tag.span.begin - place) > at) break;
    kept += tag.span.begin - place;
    place = tag.span.end;
  }
  return place + (at - kept);
}

/// The place of a failed reading; nothing where it did not fail.
std::optional<Place> fault_of(std::string_view reply, const Options& options) {
  const ReadingResult result = read_first_object(reply, options);
  const auto* error = std::get_if<ReadingError>(&result);
  if (error == nullptr) return std::nullopt;
  return error->detail.place;
}

std::string print(const std::optional<Place>& place) { return place ? fuzz::print(*place) : "no fault"; }

/// Tags of ours or of the oracle, one a line.
template <typename Tags>
std::string print(const Tags& tags) {
  std::string printed;
  for (const auto& tag : tags) printed += fmt::format("{} [{},{})\n", tag.emotion, tag.span.begin, tag.span.end);
  return printed;
}

/// A text on one line, as R7 shows it: control characters and bytes that are not UTF-8 escaped.
std::string escape(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = code_point_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const auto byte = static_cast<unsigned char>(character.back());
    const bool control = (length == 1 && (byte < 0x20 || byte == 0x7F)) || (character[0] == '\xC2' && byte < 0xA0);
    if (length == 0) {
      shown += fmt::format("\\x{:02X}", byte);
    } else {
      shown += control ? fmt::format("\\u{:04X}", byte) : std::string(character);
    }
    text.remove_prefix(character.size());
  }
  return shown;
}

/// The first or the last 300 characters.
std::string_view end_of(std::string_view text, bool first) {
  constexpr std::size_t most = 300;
  const std::size_t all = count_code_points(text);
  const std::size_t before = first ? std::min(all, most) : all - std::min(all, most);
  std::size_t at = 0;
  for (std::size_t i = 0; i < before; ++i) at += std::max<std::size_t>(code_point_length(text.substr(at)), 1);
  return first ? text.substr(0, at) : text.substr(at);
}

/// What the log function was handed, all calls of it.
std::string logged(std::string_view reply, const Options& options) {
  std::string calls;
  const auto write = [](const UnreadableReply& one, void* context) noexcept {
    *static_cast<std::string*>(context) += std::to_string(one.bytes) + "\n" + one.head + "\n" + one.tail + "\n";
  };
  (void)read_first_object(reply, options, {write, &calls});
  return calls;
}

}  // namespace

Verdict check_notes(std::string_view reply, const Options& options) {
  std::vector<oracle::Note> ours;
  std::size_t begin = 0;
  const std::vector<Entry> before = parse_tool_calls(reply, options);
  const std::vector<Note> notes = find_notes(reply, options);
  const std::vector<Entry> after = parse_tool_calls(reply, options);
  if (before != after) return Finding{"notes", full(after), full(before)};
  for (const Note& note : notes) {
    if (note.span.begin < begin || note.span.begin > note.span.end || note.span.end > reply.size()) {
      return Finding{"notes", cli::print(note), "in the reply and in order, from " + std::to_string(begin)};
    }
    begin = note.span.begin;
    touch(to_string(note.kind));
    touch(note.sentence);
    if (note.sentence.find('\n') != std::string::npos) return Finding{"notes", cli::print(note), "one line"};
    ours.push_back({static_cast<int>(note.kind) + 1, convert(note.span)});
  }
  return differ("notes", print_all(ours), print_all(oracle::find_notes(reply, rules_of(options))));
}

Verdict check_reading(std::string_view reply, const Options& options) {
  for (const TagRule tags : {TagRule::strict, TagRule::everywhere}) {
    const Options asked = with_tags(options, tags);
    const ReadingResult result = read_first_object(reply, asked);
    const oracle::Reading expected = oracle::read(reply, rules_of(asked));
    if (Verdict verdict = differ("reading", oracle::print(convert(result)), oracle::print(expected))) return verdict;
    const auto* error = std::get_if<ReadingError>(&result);
    if (error == nullptr) continue;
    const std::string sentence = to_string(*error);
    if (sentence.find('\n') != std::string::npos) return Finding{"reading", sentence, "one line"};
    if (!sentence.starts_with("The reply " + expected.error)) return Finding{"reading", sentence, expected.error};
  }
  return std::nullopt;
}

Verdict check_reading_places(std::string_view reply, const Options& options) {
  const Options strict = with_tags(options, TagRule::strict);
  const auto differs = [&](const std::optional<Place>& ours, std::optional<std::size_t> byte) -> Verdict {
    std::optional<Place> expected;
    if (byte) expected = PlaceCounter(reply).at(*byte);
    if (ours == expected) return std::nullopt;
    return Finding{"places", print(ours), print(expected)};
  };
  // What stands before the object moves the place and nothing else.
  const std::optional<Place> whole = fault_of(reply, strict);
  const std::size_t brace = std::min(reply.find('{'), reply.size());
  const std::optional<Place> part = fault_of(reply.substr(brace), strict);
  if (Verdict verdict = differs(whole, part ? std::optional(brace + part->byte) : std::nullopt)) return verdict;
  // R5: as if the tags had never been there, but in the places of the reply.
  const std::optional<Place> stripped = fault_of(oracle::strip_tags(reply), strict);
  const std::optional<Place> everywhere = fault_of(reply, with_tags(options, TagRule::everywhere));
  return differs(everywhere, stripped ? std::optional(origin_of(reply, stripped->byte)) : std::nullopt);
}

Verdict check_log(std::string_view reply, const Options& options) {
  for (const TagRule tags : {TagRule::strict, TagRule::everywhere}) {
    const Options asked = with_tags(options, tags);
    const oracle::Reading reading = oracle::read(reply, rules_of(asked));
    std::string expected;
    if (reading.error == "was not valid JSON") {
      expected = std::to_string(reply.size()) + "\n" + escape(end_of(reply, true)) + "\n" +
                 escape(end_of(reply, false)) + "\n";
    }
    if (Verdict verdict = differ("log", logged(reply, asked), expected)) return verdict;
  }
  return std::nullopt;
}

Verdict check_tags(std::string_view text) {
  static const Options strict = make({.tags = TagRule::strict});
  static const Options everywhere = make({.tags = TagRule::everywhere});
  const std::vector<EmotionTag> tags = find_emotion_tags(text);
  const std::vector<oracle::Tag> expected = oracle::find_tags(text);
  const auto is_same_tag = [](const EmotionTag& ours, const oracle::Tag& theirs) {
    return ours.emotion == theirs.emotion && ours.span == Span{theirs.span.begin, theirs.span.end};
  };
  if (!std::equal(tags.begin(), tags.end(), expected.begin(), expected.end(), is_same_tag)) {
    return Finding{"tags", print(tags), print(expected)};
  }
  if (Verdict verdict = differ("tags", strip_emotion_tags(text), oracle::strip_tags(text))) return verdict;
  const ReadingResult result = read_first_object(text, strict);
  const auto* reading = std::get_if<Reading>(&result);
  if (reading != nullptr && reading->text != piece(text, reading->span)) {
    return Finding{"tags", reading->text, std::string(piece(text, reading->span))};
  }
  const std::size_t brace = text.find('{');
  if (brace != std::string_view::npos && !tags.empty() && tags.back().span.begin > brace) return std::nullopt;
  const ReadingResult other = read_first_object(text, everywhere);
  if (is_same(result, other)) return std::nullopt;
  return Finding{"tags", oracle::print(convert(result)), oracle::print(convert(other))};
}

Verdict check_decode(std::string_view json) {
  const oracle::Limits limits{64, 64};
  JsonLimits ours{limits.max_depth, limits.max_members};
  if (const std::uint64_t seed = seed_for(json); seed % 16 == 0) ours.max_bytes = 1 + seed / 16 % 64;  // For 1 GiB.
  const auto decoded = decode_json(json, ours);
  oracle::Value value;
  const bool accepted = json.size() <= ours.max_bytes && oracle::decode(json, limits, value);
  if (!decoded) {
    const Detail detail = explain_fault(json, ours);
    touch(detail.found);
    if (detail.place.byte > std::min(json.size(), ours.max_bytes)) {
      return Finding{"decode", to_string(detail, Form::full), "a place in the text"};
    }
  }
  if (decoded && accepted && is_same(decoded->value, value)) return std::nullopt;
  return differ("decode", decoded ? oracle::print(convert(decoded->value)) : "refused",
                accepted ? oracle::print(value) : "refused");
}

}  // namespace callfence::fuzz
