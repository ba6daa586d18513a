#include "properties.hpp"

#include <algorithm>
#include <array>
#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>

#include "generator.hpp"
#include "json_decode.hpp"
#include "print.hpp"

namespace callfence::fuzz {
namespace {

Verdict differ(const char* property, std::string ours, std::string theirs) {
  if (ours == theirs) return std::nullopt;
  return Finding{property, std::move(ours), std::move(theirs)};
}

Span span_of(const Entry& entry) {
  return std::visit([](const auto& block) { return block.span; }, entry);
}

Span body_of(const Entry& entry) {
  return std::visit([](const auto& block) { return block.body; }, entry);
}

std::size_t block_of(const Entry& entry) {
  return std::visit([](const auto& block) { return block.block; }, entry);
}

bool is_unclosed(const Entry& entry) {
  const auto* error = std::get_if<Error>(&entry);
  return error != nullptr && error->reason == Reason::unclosed_block;
}

std::string_view piece(std::string_view text, Span span) { return text.substr(span.begin, span.end - span.begin); }

// Our results in the oracle's terms.

oracle::Value convert(const boost::json::value& value) {
  namespace json = boost::json;
  switch (value.kind()) {
    case json::kind::null: return {nullptr};
    case json::kind::bool_: return {value.get_bool()};
    case json::kind::int64: return {value.get_int64()};
    case json::kind::uint64: return {value.get_uint64()};
    case json::kind::double_: return {value.get_double()};
    case json::kind::string: return {std::string(value.get_string())};
    case json::kind::array: {
      oracle::Array array;
      for (const json::value& element : value.get_array()) array.push_back(convert(element));
      return {std::move(array)};
    }
    case json::kind::object: break;
  }
  oracle::Object object;
  for (const auto& member : value.get_object()) object.emplace_back(member.key(), convert(member.value()));
  return {std::move(object)};
}

oracle::Object convert(const boost::json::object& object) {
  oracle::Object converted;
  for (const auto& member : object) converted.emplace_back(member.key(), convert(member.value()));
  return converted;
}

oracle::Span convert(Span span) { return {span.begin, span.end}; }

oracle::Entry convert(const Entry& entry) {
  oracle::Entry converted;
  converted.block = block_of(entry);
  converted.span = convert(span_of(entry));
  converted.body = convert(body_of(entry));
  if (const auto* error = std::get_if<Error>(&entry)) {
    converted.reason = to_string(error->reason);
    return converted;
  }
  const auto& call = std::get<Call>(entry);
  converted.name = call.name;
  converted.args = convert(call.args);
  converted.has_args = call.args_text.has_value();
  converted.args_text = call.args_text.value_or("");
  return converted;
}

oracle::Reading convert(const ReadingResult& result) {
  oracle::Reading converted;
  if (const auto* error = std::get_if<ReadingError>(&result)) {
    converted.error = error->failure == ReadingFailure::no_object ? "had no JSON object" : "was not valid JSON";
    return converted;
  }
  const auto& reading = std::get<Reading>(result);
  converted.object = convert(reading.object);
  converted.text = reading.text;
  converted.span = convert(reading.span);
  for (const EmotionTag& tag : reading.emotions) converted.emotions.push_back({tag.emotion, convert(tag.span)});
  return converted;
}

template <typename Items>
std::string print_all(const Items& items) {
  std::string printed;
  for (const auto& item : items) printed += oracle::print(item) + "\n";
  return printed;
}

std::string print_ours(const std::vector<Entry>& entries) {
  std::string printed;
  for (const Entry& entry : entries) printed += oracle::print(convert(entry)) + "\n";
  return printed;
}

/// Entries without what depends on the bytes around their values: number, reason, name and args.
std::string outline(const std::vector<Entry>& entries) {
  std::string printed;
  for (const Entry& entry : entries) {
    oracle::Entry bare = convert(entry);
    bare.args_text.clear();
    bare.span = bare.body = {};
    printed += oracle::print(bare) + "\n";
  }
  return printed;
}

/// Entries with all their spans, texts and places, as printed for people.
std::string full(const std::vector<Entry>& entries) {
  std::string printed = print_ours(entries);
  for (const Entry& entry : entries) printed += cli::print(entry) + "\n";
  return printed;
}

// A reading of lines that shares nothing with the scanner.

bool is_blank(std::string_view text) {
  static constexpr std::array<std::string_view, 29> spaces{
      "\x09",         "\x0A",         "\x0B",         "\x0C",         "\x0D",         "\x1C",
      "\x1D",         "\x1E",         "\x1F",         "\x20",         "\xC2\x85",     "\xC2\xA0",
      "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84",
      "\xE2\x80\x85", "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A",
      "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};
  while (!text.empty()) {
    const auto* space =
        std::find_if(spaces.begin(), spaces.end(), [&](std::string_view one) { return text.starts_with(one); });
    if (space == spaces.end()) return false;
    text.remove_prefix(space->size());
  }
  return true;
}

std::size_t line_begin(std::string_view text, std::size_t at) { return at == 0 ? 0 : text.rfind('\n', at - 1) + 1; }
std::size_t line_end(std::string_view text, std::size_t at) { return std::min(text.find('\n', at), text.size()); }

/// Whether [begin, end) is all there is on its line but for white space.
bool is_alone(std::string_view reply, std::size_t begin, std::size_t end) {
  const std::size_t first = line_begin(reply, begin);
  const std::size_t last = line_end(reply, end);
  return reply.substr(begin, end - begin).find('\n') == std::string_view::npos &&
         is_blank(reply.substr(first, begin - first)) && is_blank(reply.substr(end, last - end));
}

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

/// Calls `visit(begin, end)` for each line that no json block touches.
template <typename Visit>
void for_each_line_outside(std::string_view reply, const std::vector<Entry>& entries, Visit&& visit) {
  for (std::size_t begin = 0; begin < reply.size();) {
    const std::size_t end = line_end(reply, begin);
    const bool outside = std::none_of(entries.begin(), entries.end(), [&](const Entry& entry) {
      return span_of(entry).begin <= end && begin < span_of(entry).end;
    });
    if (outside) visit(begin, end);
    begin = end + 1;
  }
}

std::string_view trim(std::string_view line) {
  while (!line.empty() && is_blank(line.substr(0, 1))) line.remove_prefix(1);
  for (std::size_t length = 2; length <= 3; ++length) {
    if (line.size() >= length && is_blank(line.substr(0, length))) return trim(line.substr(length));
  }
  return line;
}

/// An entry of a reply that stands behind `bytes` bytes with `lines` newlines and `blocks` blocks.
Entry shift(Entry entry, std::size_t bytes, std::size_t lines, std::size_t blocks) {
  const auto move = [&](auto& block) {
    block.block += blocks;
    for (Span* span : {&block.span, &block.body}) *span = {span->begin + bytes, span->end + bytes};
  };
  std::visit(move, entry);
  if (auto* error = std::get_if<Error>(&entry)) {
    error->detail.place.byte += bytes;
    error->detail.place.line += lines;
  }
  return entry;
}

std::vector<Entry> stream(std::string_view reply, const Options& options, std::uint64_t seed, std::size_t most) {
  ToolCallStream stream(options);
  std::vector<Entry> entries;
  const auto take = [&](std::vector<Entry> some) { std::move(some.begin(), some.end(), std::back_inserter(entries)); };
  while (!reply.empty()) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    const std::size_t size = 1 + static_cast<std::size_t>(seed >> 33U) % most;
    take(stream.feed(reply.substr(0, size)));
    reply.remove_prefix(std::min(size, reply.size()));
  }
  take(stream.finish());
  return entries;
}

OptionValues values_with(const Options& options, TagRule tags) {
  OptionValues values = options.values();
  values.tags = tags;
  return values;
}

Options make(const OptionValues& values) { return std::get<Options>(make_options(values)); }

volatile unsigned char sink = 0;

/// Reads each byte, so that a sanitizer sees what is not there.
void touch(std::string_view text) {
  unsigned char mixed = 0;
  for (const char byte : text) mixed = static_cast<unsigned char>(mixed ^ static_cast<unsigned char>(byte));
  sink = mixed;
}

}  // namespace

Verdict check_total(std::string_view reply, const Options& options) {
  for (const Entry& entry : parse_tool_calls(reply, options)) {
    touch(cli::print(entry));
    touch(piece(reply, body_of(entry)));
    if (const auto* error = std::get_if<Error>(&entry)) {
      const std::string text = to_string(*error, Form::full);
      touch(text);
      if (text.find('\n') != std::string::npos) return Finding{"total", text, "one line"};
      if (error->detail.place.byte > reply.size()) return Finding{"total", text, "a place in the reply"};
    }
  }
  for (const Span& span : find_prose(reply, options)) touch(piece(reply, span));
  for (const Note& note : find_notes(reply, options)) touch(note.sentence);
  const ReadingResult result = read_first_object(reply, options);
  if (const auto* error = std::get_if<ReadingError>(&result)) touch(to_string(*error));
  if (const auto* reading = std::get_if<Reading>(&result)) touch(cli::print(*reading));
  touch(strip_emotion_tags(reply));
  return std::nullopt;
}

Verdict check_fenced(std::string_view reply, const Options& options) {
  const bool strict = options.values().fences == FenceRule::strict;
  for (const Entry& entry : parse_tool_calls(reply, options)) {
    const std::string fault = find_fence_fault(reply, entry, strict);
    if (!fault.empty()) return Finding{"fenced", cli::print(entry), fault};
  }
  return std::nullopt;
}

Verdict check_numbered(std::string_view reply, const Options& options) {
  std::size_t blocks = 0;
  std::size_t end = 0;
  for (const Entry& entry : parse_tool_calls(reply, options)) {
    const Span span = span_of(entry);
    if (block_of(entry) != ++blocks || span.begin < end || span.end > reply.size()) {
      return Finding{"numbered", cli::print(entry), "block " + std::to_string(blocks) + " from " + std::to_string(end)};
    }
    end = span.end;
  }
  return std::nullopt;
}

Verdict check_oracle(std::string_view reply, const Options& options) {
  return differ("oracle", print_ours(parse_tool_calls(reply, options)),
                print_all(oracle::parse(reply, rules_of(options))));
}

Verdict check_prose_blind(std::string_view reply, const Options& options) {
  const bool strict = options.values().fences == FenceRule::strict;
  const std::vector<Entry> entries = parse_tool_calls(reply, options);
  constexpr std::string_view filler = R"({"name":"x","args":{}} )";
  std::string changed(reply);
  for_each_line_outside(reply, entries, [&](std::size_t begin, std::size_t end) {
    const std::string_view mark = trim(reply.substr(begin, end - begin));
    if (mark.starts_with("```") || (strict && mark.starts_with("~~~"))) return;
    for (std::size_t at = begin; at < end; ++at) changed[at] = filler[(at - begin) % filler.size()];
  });
  return differ("prose-blind", print_ours(entries), print_ours(parse_tool_calls(changed, options)));
}

Verdict check_retag(std::string_view reply, const Options& options) {
  std::string changed(reply);
  for (const Entry& entry : parse_tool_calls(reply, options)) changed.replace(span_of(entry).begin + 3, 4, "text");
  return differ("retag", print_ours(parse_tool_calls(changed, options)), "");
}

Verdict check_chunks(std::string_view reply, const Options& options, std::uint64_t seed) {
  const std::string whole = full(parse_tool_calls(reply, options));
  const std::size_t most = 1 + static_cast<std::size_t>(seed % 64);
  if (Verdict verdict = differ("chunks", full(stream(reply, options, seed, most)), whole)) return verdict;
  return differ("chunks", full(stream(reply, options, seed, 1)), whole);
}

Verdict check_prefix(std::string_view reply, const Options& options, std::uint64_t seed) {
  if (reply.empty()) return std::nullopt;
  const std::size_t cut = std::min(line_end(reply, static_cast<std::size_t>(seed % reply.size())) + 1, reply.size());
  const std::vector<Entry> whole = parse_tool_calls(reply, options);
  std::vector<Entry> part = parse_tool_calls(reply.substr(0, cut), options);
  const bool open = !part.empty() && is_unclosed(part.back());
  if (open) part.pop_back();
  std::vector<Entry> closed;
  for (const Entry& entry : whole) {
    if (!is_unclosed(entry) && span_of(entry).end <= cut) closed.push_back(entry);
  }
  return differ("prefix", full(part), full(closed));
}

Verdict check_concat(std::string_view reply, const Options& options, std::uint64_t seed) {
  const bool strict = options.values().fences == FenceRule::strict;
  const std::string second = build_reply(seed, strict).reply;
  const std::vector<Entry> first = parse_tool_calls(reply, options);
  const std::vector<Entry> probe = parse_tool_calls(std::string(reply) + "```json\n", options);
  const bool in_prose = (reply.empty() || reply.back() == '\n') && probe.size() == first.size() + 1 &&
                        span_of(probe.back()).begin == reply.size();
  if (!in_prose) return std::nullopt;
  std::vector<Entry> expected = first;
  const auto lines = static_cast<std::size_t>(std::count(reply.begin(), reply.end(), '\n'));
  for (Entry& entry : parse_tool_calls(second, options)) {
    expected.push_back(shift(std::move(entry), reply.size(), lines, first.size()));
  }
  return differ("concat", full(parse_tool_calls(std::string(reply) + second, options)), full(expected));
}

Verdict check_newline(std::string_view reply, const Options& options) {
  std::string with;
  std::string without;
  for (std::size_t at = 0; at < reply.size(); ++at) {
    const bool pair = reply.substr(at, 2) == "\r\n";
    if (pair || reply[at] == '\n') with += "\r\n";
    if (pair || reply[at] == '\n') without += "\n";
    if (!pair && reply[at] != '\n') {
      with += reply[at];
      without += reply[at];
    }
    if (pair) ++at;
  }
  const std::string ours = outline(parse_tool_calls(reply, options));
  if (Verdict verdict = differ("newline", outline(parse_tool_calls(with, options)), ours)) return verdict;
  return differ("newline", outline(parse_tool_calls(without, options)), ours);
}

Verdict check_exact_text(std::string_view reply, const Options& options) {
  const oracle::Limits limits{options.values().max_depth, options.values().max_members};
  for (const Entry& entry : parse_tool_calls(reply, options)) {
    const auto* call = std::get_if<Call>(&entry);
    if (call == nullptr || !call->args_text) continue;
    if (piece(reply, call->body).find(*call->args_text) == std::string_view::npos) {
      return Finding{"exact-text", *call->args_text, "a piece of the block's body"};
    }
    oracle::Value value;
    const bool decodes = oracle::decode(*call->args_text, limits, value);
    const std::string ours = oracle::print({convert(call->args)});
    if (Verdict verdict = differ("exact-text", ours, decodes ? oracle::print(value) : "text that does not decode")) {
      return verdict;
    }
  }
  return std::nullopt;
}

Verdict check_round_trip(std::string_view reply, const Options& options) {
  OptionValues values;
  values.max_depth = std::min<std::size_t>(options.values().max_depth + 2, 4096);
  values.max_members = std::max<std::size_t>(options.values().max_members, 16);
  for (const Entry& entry : parse_tool_calls(reply, options)) {
    const std::string line = cli::print(entry);
    const ReadingResult result = read_first_object(line, make(values));
    const auto* reading = std::get_if<Reading>(&result);
    if (reading == nullptr || reading->text != line) return Finding{"round-trip", line, "a line of JSON"};
    const boost::json::object& object = reading->object;
    const auto* call = std::get_if<Call>(&entry);
    const std::string name(object.at(call != nullptr ? "name" : "reason").as_string());
    const std::string expected = call != nullptr ? call->name : std::string(to_string(std::get<Error>(entry).reason));
    if (Verdict verdict = differ("round-trip", name, expected)) return verdict;
    if (object.at("block").to_number<std::size_t>() != block_of(entry))
      return Finding{"round-trip", line, "its number"};
    if (call == nullptr) continue;
    const std::string args = oracle::print(convert(object.at("args")));
    if (Verdict verdict = differ("round-trip", args, oracle::print({convert(call->args)}))) return verdict;
  }
  return std::nullopt;
}

Verdict check_notes(std::string_view reply, const Options& options) {
  std::vector<oracle::Note> ours;
  std::size_t begin = 0;
  for (const Note& note : find_notes(reply, options)) {
    if (note.span.begin < begin || note.span.begin > note.span.end || note.span.end > reply.size()) {
      return Finding{"notes", cli::print(note), "in the reply and in order, from " + std::to_string(begin)};
    }
    begin = note.span.begin;
    ours.push_back({static_cast<int>(note.kind) + 1, convert(note.span)});
  }
  return differ("notes", print_all(ours), print_all(oracle::find_notes(reply, rules_of(options))));
}

Verdict check_reading(std::string_view reply, const Options& options) {
  for (const TagRule tags : {TagRule::strict, TagRule::everywhere}) {
    const Options asked = make(values_with(options, tags));
    const std::string ours = oracle::print(convert(read_first_object(reply, asked)));
    if (Verdict verdict = differ("reading", ours, oracle::print(oracle::read(reply, rules_of(asked))))) return verdict;
  }
  return std::nullopt;
}

Verdict check_tags(std::string_view text) {
  if (Verdict verdict = differ("tags", strip_emotion_tags(text), oracle::strip_tags(text))) return verdict;
  const Options strict = make(values_with({}, TagRule::strict));
  const Options everywhere = make(values_with({}, TagRule::everywhere));
  const ReadingResult result = read_first_object(text, strict);
  if (const auto* reading = std::get_if<Reading>(&result)) {
    if (Verdict verdict = differ("tags", reading->text, std::string(piece(text, reading->span)))) return verdict;
  }
  const std::size_t brace = text.find('{');
  const std::vector<EmotionTag> tags = find_emotion_tags(text);
  if (brace != std::string_view::npos && !tags.empty() && tags.back().span.begin > brace) return std::nullopt;
  return differ("tags", oracle::print(convert(result)), oracle::print(convert(read_first_object(text, everywhere))));
}

Verdict check_decode(std::string_view json) {
  const oracle::Limits limits{64, 64};
  auto decoded = decode_json(json, {limits.max_depth, limits.max_members});
  oracle::Value value;
  const bool accepted = oracle::decode(json, limits, value);
  return differ("decode", decoded ? oracle::print(convert(decoded->value)) : "refused",
                accepted ? oracle::print(value) : "refused");
}

Verdict check_by_construction(std::uint64_t seed) {
  for (const bool strict : {false, true}) {
    const BuiltReply built = build_reply(seed, strict);
    OptionValues values;
    values.fences = strict ? FenceRule::strict : FenceRule::reference;
    std::string ours;
    for (const Entry& entry : parse_tool_calls(built.reply, make(values))) {
      oracle::Entry bare = convert(entry);
      bare.args.clear();
      ours += oracle::print(bare) + "\n";
    }
    std::string built_entries;
    for (const BuiltEntry& entry : built.entries) {
      built_entries += oracle::print(oracle::Entry{entry.block,
                                                   entry.reason,
                                                   entry.name,
                                                   {},
                                                   entry.has_args,
                                                   entry.args_text,
                                                   {entry.span_begin, entry.span_end},
                                                   {entry.body_begin, entry.body_end}}) +
                       "\n";
    }
    if (Verdict verdict = differ("by-construction", ours, built_entries)) return verdict;
  }
  return std::nullopt;
}

std::uint64_t seed_for(std::string_view input) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char byte : input) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return hash ^ hash >> 29U;
}

Options options_for(std::string_view input) {
  const std::uint64_t seed = seed_for(input);
  OptionValues values;
  if (seed % 2 == 0) values.fences = FenceRule::strict;
  if (seed / 2 % 4 == 0) values.args_key = "arguments";
  if (seed / 8 % 8 == 0) values.name_key = "tool";
  if (seed / 64 % 4 == 0) values.max_depth = 1 + seed / 256 % 6;
  if (seed / 2048 % 4 == 0) values.max_members = 1 + seed / 8192 % 6;
  return make(values);
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

const std::vector<Property>& list_properties() {
  static const std::vector<Property> properties{
      {"total", check_total},
      {"fenced", check_fenced},
      {"numbered", check_numbered},
      {"oracle", check_oracle},
      {"prose-blind", check_prose_blind},
      {"retag", check_retag},
      {"chunks", [](std::string_view reply, const Options& o) { return check_chunks(reply, o, seed_for(reply)); }},
      {"prefix", [](std::string_view reply, const Options& o) { return check_prefix(reply, o, seed_for(reply)); }},
      {"concat", [](std::string_view reply, const Options& o) { return check_concat(reply, o, seed_for(reply)); }},
      {"newline", check_newline},
      {"exact-text", check_exact_text},
      {"round-trip", check_round_trip},
      {"notes", check_notes},
      {"reading", check_reading},
      {"tags", [](std::string_view text, const Options&) { return check_tags(text); }},
  };
  return properties;
}

}  // namespace callfence::fuzz
