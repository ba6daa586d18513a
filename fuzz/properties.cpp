#include "properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <callfence/notes.hpp>
#include <callfence/reading.hpp>

#include "json_decode.hpp"
#include "lines.hpp"
#include "print.hpp"
#include "results.hpp"

namespace callfence::fuzz {
namespace {

bool is_json_opening(std::string_view mark) {
  if (mark.size() != 7 || !mark.starts_with("```")) return false;
  std::string tag(mark.substr(3));
  for (char& byte : tag) byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  return tag == "json";
}

/// Whether `mark` is backticks alone, three of them or, under strict fences, three or more.
bool is_closing(std::string_view mark, bool strict) {
  const bool backticks = mark.find_first_not_of('`') == std::string_view::npos;
  return backticks && (strict ? mark.size() >= 3 : mark.size() == 3);
}

/// Where a closed block's closing mark begins: the run of backticks that ends with its span.
std::size_t closing_mark(std::string_view reply, Span span) {
  std::size_t begin = span.end;
  while (begin > span.begin && reply[begin - 1] == '`') --begin;
  return begin;
}

/// What is wrong with a block's place in the reply, or nothing.
std::string find_fence_fault(std::string_view reply, const Entry& entry, bool strict) {
  const Span span = span_of(entry);
  const Span body = body_of(entry);
  if (span.begin > span.end || span.end > reply.size() || body.begin > body.end || body.end > span.end) return "ranges";
  if (!is_json_opening(reply.substr(span.begin, 7))) return "no json mark at the span's begin";
  if (!is_alone(reply, span.begin, span.begin + 7)) return "something beside the opening mark";
  const std::size_t opening_end = line_end(reply, span.begin);
  if (body.begin != std::min(opening_end + 1, reply.size())) return "the body does not begin after the opening line";
  if (is_unclosed(entry)) {
    return span.end == reply.size() && body.end == reply.size() ? "" : "unclosed, but not to the end of the reply";
  }
  const std::size_t mark = closing_mark(reply, span);
  if (!is_closing(reply.substr(mark, span.end - mark), strict)) return "no closing mark at the span's end";
  if (!is_alone(reply, mark, span.end)) return "something beside the closing mark";
  const std::size_t closing_line = line_begin(reply, mark);
  return body.end == std::max(body.begin, closing_line - 1) ? "" : "the body does not end before the closing line";
}

void touch_values(const boost::json::object& object);

void touch_values(const boost::json::value& value) {
  if (value.is_string()) touch(value.get_string());
  if (value.is_object()) touch_values(value.get_object());
  if (!value.is_array()) return;
  for (const boost::json::value& element : value.get_array()) touch_values(element);
}

void touch_values(const boost::json::object& object) {
  for (const auto& member : object) {
    touch(member.key());
    touch_values(member.value());
  }
}

/// Whether the member of a line that was read back is this number or this text.
bool has(const boost::json::object& line, const char* key, std::size_t wanted) {
  const boost::json::value* value = line.if_contains(key);
  return value != nullptr && value->is_int64() && value->get_int64() == static_cast<std::int64_t>(wanted);
}

bool has(const boost::json::object& line, const char* key, std::string_view wanted) {
  const boost::json::value* value = line.if_contains(key);
  return value != nullptr && value->is_string() && std::string_view(value->get_string()) == wanted;
}

bool has_span(const boost::json::object& line, Span span) {
  const boost::json::value* value = line.if_contains("span");
  return value != nullptr && value->is_array() && *value == boost::json::value{span.begin, span.end};
}

/// What is wrong with a printed entry that was read back, or nothing.
const char* find_loss(const Entry& entry, const boost::json::object& line) {
  if (!has(line, "block", block_of(entry))) return "its number";
  if (!has_span(line, span_of(entry))) return "its span";
  if (const auto* error = std::get_if<Error>(&entry)) {
    const auto& [place, cause, found, expected] = error->detail;
    const bool same_place =
        has(line, "line", place.line) && has(line, "column", place.column) && has(line, "byte", place.byte);
    if (!has(line, "type", "error") || !has(line, "reason", to_string(error->reason))) return "its reason";
    return same_place && has(line, "detail", to_string(error->detail)) ? nullptr : "its detail";
  }
  const auto& call = std::get<Call>(entry);
  if (!has(line, "type", "call") || !has(line, "name", call.name)) return "its name";
  const boost::json::value* args = line.if_contains("args");
  return args != nullptr && args->is_object() && is_same(args->get_object(), call.args) ? nullptr : "its args";
}

/// Where an error without a place of its own stands, and how far the others may reach.
Span reach_of(const Error& error) {
  const bool at_mark = error.reason == Reason::unclosed_block || error.reason == Reason::missing_name;
  return at_mark ? Span{error.span.begin, error.span.begin} : error.body;
}

}  // namespace

Parsed::Parsed(std::string_view text, const Options& rules) : reply(text), options(rules) {
  const Work before = work_so_far();
  entries = parse_tool_calls(text, rules);
  work = work_since(before);
}

volatile unsigned char sink = 0;

void touch(std::string_view text) {
  unsigned char mixed = 0;
  for (const char byte : text) mixed = static_cast<unsigned char>(mixed ^ static_cast<unsigned char>(byte));
  sink = mixed;
}

Verdict check_total(const Parsed& parsed) {
  for (const Entry& entry : parsed.entries) {
    if (const auto* call = std::get_if<Call>(&entry)) {
      touch(call->name);
      if (call->args_text) touch(*call->args_text);
      touch_values(call->args);
      continue;
    }
    const std::string brief = to_string(std::get<Error>(entry), Form::brief);
    const std::string text = to_string(std::get<Error>(entry), Form::full);
    touch(text);
    if (text.find('\n') != std::string::npos) return Finding{"total", text, "one line"};
    if (!text.starts_with(brief + ": ")) return Finding{"total", text, "what begins with '" + brief + ": '"};
  }
  return std::nullopt;
}

Verdict check_fenced(const Parsed& parsed) {
  const bool strict = parsed.options.values().fences == FenceRule::strict;
  for (const Entry& entry : parsed.entries) {
    const std::string fault = find_fence_fault(parsed.reply, entry, strict);
    if (!fault.empty()) return Finding{"fenced", cli::print(entry), fault};
  }
  return std::nullopt;
}

Verdict check_numbered(const Parsed& parsed) {
  std::size_t blocks = 0;
  std::size_t end = 0;
  for (const Entry& entry : parsed.entries) {
    const Span span = span_of(entry);
    if (block_of(entry) != ++blocks || span.begin < end || span.end > parsed.reply.size()) {
      return Finding{"numbered", cli::print(entry), "block " + std::to_string(blocks) + " from " + std::to_string(end)};
    }
    end = span.end;
  }
  return std::nullopt;
}

Verdict check_oracle(const Parsed& parsed) {
  const std::vector<oracle::Entry> entries = oracle::parse(parsed.reply, rules_of(parsed.options));
  const auto same = [](const Entry& ours, const oracle::Entry& theirs) { return is_same(ours, theirs); };
  if (std::equal(parsed.entries.begin(), parsed.entries.end(), entries.begin(), entries.end(), same)) return {};
  return Finding{"oracle", print_ours(parsed.entries), print_all(entries)};
}

Verdict check_exact_text(const Parsed& parsed) {
  const OptionValues& values = parsed.options.values();
  for (const Entry& entry : parsed.entries) {
    const auto* call = std::get_if<Call>(&entry);
    if (call == nullptr || !call->args_text) continue;
    if (piece(parsed.reply, call->body).find(*call->args_text) == std::string_view::npos) {
      return Finding{"exact-text", *call->args_text, "a piece of the block's body"};
    }
    const auto decoded = decode_json(*call->args_text, {values.max_depth, values.max_members});
    if (!decoded || !decoded->value.is_object()) return Finding{"exact-text", *call->args_text, "text of an object"};
    if (!is_same(decoded->value.get_object(), call->args)) {
      return Finding{"exact-text", *call->args_text, oracle::print({convert(call->args)})};
    }
  }
  return std::nullopt;
}

Verdict check_round_trip(const Parsed& parsed) {
  const OptionValues& values = parsed.options.values();
  const JsonLimits limits{values.max_depth + 2, std::max<std::size_t>(values.max_members, 16)};
  for (const Entry& entry : parsed.entries) {
    const std::string line = cli::print(entry);
    const auto decoded = decode_json(line, limits);
    if (!decoded || !decoded->value.is_object()) return Finding{"round-trip", line, "a line of JSON"};
    const char* loss = find_loss(entry, decoded->value.get_object());
    if (loss != nullptr) return Finding{"round-trip", line, loss};
  }
  return std::nullopt;
}

Verdict check_places(const Parsed& parsed) {
  PlaceCounter places(parsed.reply);
  for (const Entry& entry : parsed.entries) {
    const auto* error = std::get_if<Error>(&entry);
    if (error == nullptr) continue;
    const Place& place = error->detail.place;
    const Span reach = reach_of(*error);
    if (place.byte < reach.begin || place.byte > reach.end) {
      return Finding{"places", to_string(*error, Form::full),
                     "a byte from " + std::to_string(reach.begin) + " to " + std::to_string(reach.end)};
    }
    const Place expected = places.at(place.byte);
    if (place != expected) return Finding{"places", to_string(*error, Form::full), print(expected)};
  }
  return std::nullopt;
}

Verdict check_prose(const Parsed& parsed) {
  std::vector<Span> expected;
  std::size_t begin = 0;
  for (const Entry& entry : parsed.entries) {
    if (span_of(entry).begin > begin) expected.push_back({begin, span_of(entry).begin});
    begin = span_of(entry).end;
  }
  if (begin < parsed.reply.size()) expected.push_back({begin, parsed.reply.size()});
  const std::vector<Span> prose = find_prose(parsed.reply, parsed.options);
  if (prose == expected) return std::nullopt;
  return Finding{"prose", print(prose), print(expected)};
}

Verdict check_work(const Parsed& parsed) {
  return check_bound("parse_tool_calls", parsed.work, parsed.reply.size(), parsed.options);
}

/// The dearest edges are those along a chain of keys that share a bucket, which is no longer than the members of one
/// object (J8), of at least six bytes each. callfence_worst_replies prints what the worst replies known take.
Verdict check_bound(const char* what, const Work& work, std::size_t size, const Options& options) {
  const std::size_t chain = std::min(options.values().max_members, size / 6);
  const std::uint64_t edges = (200 + chain / 4) * size + 20000;
  const std::uint64_t bytes = std::uint64_t{130} * size + 50000;
  if (work.edges <= edges && work.bytes <= bytes) return std::nullopt;
  return Finding{"work", fmt::format("{}: {} edges, {} bytes allocated", what, work.edges, work.bytes),
                 fmt::format("at most {} edges and {} bytes for {}", edges, bytes, size)};
}

Verdict check_all_work(std::string_view reply, const Options& options) {
  Verdict verdict = check_work(Parsed(reply, options));
  const auto measure = [&](const char* what, auto&& ask) {
    const Work before = work_so_far();
    ask();
    if (!verdict) verdict = check_bound(what, work_since(before), reply.size(), options);
  };
  measure("find_prose", [&] { (void)find_prose(reply, options); });
  measure("find_notes", [&] { (void)find_notes(reply, options); });
  measure("read_first_object", [&] { (void)read_first_object(reply, options); });
  measure("strip_emotion_tags", [&] { (void)strip_emotion_tags(reply); });
  measure("ToolCallStream", [&] {
    ToolCallStream stream(options);
    for (std::size_t at = 0; at < reply.size(); ++at) (void)stream.feed(reply.substr(at, 1));
    (void)stream.finish();
  });
  return verdict;
}

std::uint64_t seed_for(std::string_view input) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char byte : input) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return hash ^ hash >> 29U;
}

Options make(const OptionValues& values) { return std::get<Options>(make_options(values)); }

Options options_for(std::string_view input, FenceRule fences) {
  const std::uint64_t seed = seed_for(input);
  OptionValues values;
  values.fences = fences;
  if (seed / 2 % 4 == 0) values.args_key = "arguments";
  if (seed / 8 % 8 == 0) values.name_key = "tool";
  if (seed / 64 % 4 == 0) values.max_depth = 1 + seed / 256 % 6;
  if (seed / 2048 % 4 == 0) values.max_members = 1 + seed / 8192 % 6;
  return make(values);
}

Verdict check_options(std::uint64_t seed) {
  constexpr std::array<std::size_t, 4> depths{0, 1, 4096, 4097};
  constexpr std::array<const char*, 3> keys{"", "name", "args"};
  const OptionValues values{.max_depth = depths[seed % 4],
                            .max_members = seed / 4 % 2,
                            .name_key = keys[seed / 8 % 3],
                            .args_key = keys[seed / 24 % 3]};
  const bool good = values.max_depth % 4097 != 0 && values.max_members != 0 && !values.name_key.empty() &&
                    !values.args_key.empty() && values.name_key != values.args_key;
  const auto made = make_options(values);
  const auto* error = std::get_if<OptionsError>(&made);
  if ((error == nullptr) == good) return std::nullopt;
  return Finding{"options", error == nullptr ? "accepted" : std::string(error->sentence),
                 fmt::format("{}: depth {}, members {}, '{}', '{}'", good ? "accepted" : "refused", values.max_depth,
                             values.max_members, values.name_key, values.args_key)};
}

const std::vector<Options>& both_fence_rules() {
  static const std::vector<Options> rules{Options(), make({.fences = FenceRule::strict})};
  return rules;
}

oracle::Rules rules_of(const Options& options) {
  const OptionValues& values = options.values();
  return {values.fences == FenceRule::strict,
          values.tags == TagRule::everywhere,
          {values.max_depth, values.max_members},
          values.name_key,
          values.args_key};
}

namespace {

/// A property of one result, on a reply.
template <Verdict (*check)(const Parsed&)>
Verdict check_reply(std::string_view reply, const Options& options) {
  return check(Parsed(reply, options));
}

template <Verdict (*check)(std::string_view, const Options&, std::uint64_t)>
Verdict check_choice(std::string_view reply, const Options& options) {
  return check(reply, options, seed_for(reply));
}

/// All that can be asked of any bytes, nothing compared: it is enough that each byte of it can be read.
Verdict check_everything(std::string_view reply, const Options& options) {
  for (const Span& span : find_prose(reply, options)) touch(piece(reply, span));
  for (const Note& note : find_notes(reply, options)) touch(note.sentence);
  const ReadingResult result = read_first_object(reply, options);
  if (const auto* error = std::get_if<ReadingError>(&result)) touch(to_string(*error));
  if (const auto* reading = std::get_if<Reading>(&result)) touch(cli::print(*reading));
  touch(strip_emotion_tags(reply));
  return check_total(Parsed(reply, options));
}

}  // namespace

const std::vector<Property>& list_properties() {
  static const std::vector<Property> properties{
      {"total", check_everything},
      {"fenced", check_reply<check_fenced>},
      {"numbered", check_reply<check_numbered>},
      {"oracle", check_reply<check_oracle>},
      {"exact-text", check_reply<check_exact_text>},
      {"round-trip", check_reply<check_round_trip>},
      {"places",
       [](std::string_view reply, const Options& options) {
         const Verdict verdict = check_places(Parsed(reply, options));
         return verdict ? verdict : check_reading_places(reply, options);
       }},
      {"prose", check_reply<check_prose>},
      {"work", check_all_work},
      {"prose-blind", check_prose_blind},
      {"retag", check_retag},
      {"chunks", check_choice<check_chunks>},
      {"prefix", check_choice<check_prefix>},
      {"concat", check_choice<check_concat>},
      {"newline", check_newline},
      {"by-construction",
       [](std::string_view reply, const Options&) { return check_by_construction(seed_for(reply)); }},
      {"options", [](std::string_view reply, const Options&) { return check_options(seed_for(reply)); }},
      {"notes", check_notes},
      {"reading", check_reading},
      {"log", check_log},
      {"tags", [](std::string_view text, const Options&) { return check_tags(text); }},
      {"decode", [](std::string_view json, const Options&) { return check_decode(json); }},
  };
  return properties;
}

}  // namespace callfence::fuzz
