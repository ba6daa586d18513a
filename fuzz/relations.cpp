// Properties that relate the results of two replies, or of one reply taken in two ways.

#include <algorithm>
#include <iterator>

#include "generator.hpp"
#include "lines.hpp"
#include "properties.hpp"
#include "results.hpp"

namespace callfence::fuzz {
namespace {

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

/// Feeds the reply in pieces of at most `most` bytes.
std::vector<Entry> feed(ToolCallStream& stream, std::string_view reply, std::uint64_t seed, std::size_t most) {
  std::vector<Entry> entries;
  const auto take = [&](std::vector<Entry> some) { std::move(some.begin(), some.end(), std::back_inserter(entries)); };
  while (!reply.empty()) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    const std::size_t size = 1 + static_cast<std::size_t>(seed >> 33U) % most;
    take(stream.feed(reply.substr(0, size)));
    reply.remove_prefix(std::min(size, reply.size()));
    stream = ToolCallStream(std::move(stream));  // A stream that was moved goes on where it was.
  }
  take(stream.finish());
  return entries;
}

}  // namespace

Verdict check_prose_blind(std::string_view reply, const Options& options) {
  const bool strict = options.values().fences == FenceRule::strict;
  const std::vector<Entry> entries = parse_tool_calls(reply, options);
  constexpr std::string_view filler = R"({"name":"x","args":{}} )";
  std::string changed(reply);
  for_each_line_outside(reply, entries, [&](std::size_t begin, std::size_t end) {
    const std::string_view mark = trim_front(reply.substr(begin, end - begin));
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
  ToolCallStream stream(options);  // Both replies on one stream, since it must forget the first.
  for (const std::size_t most : {1 + static_cast<std::size_t>(seed % 64), std::size_t{1}}) {
    const Work before = work_so_far();
    const std::vector<Entry> entries = feed(stream, reply, seed, most);
    if (Verdict verdict = check_bound("ToolCallStream", work_since(before), reply.size(), options)) return verdict;
    if (Verdict verdict = differ("chunks", full(entries), whole)) return verdict;
  }
  return std::nullopt;
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

}  // namespace callfence::fuzz
