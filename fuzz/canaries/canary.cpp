// A parser with one planted fault, to show that a property still fires. The linker puts these functions in the place of
// the parser's (--wrap), and each hands on to the real one. CALLFENCE_CANARY names the fault; without it there is none.

#include <algorithm>
#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json_decode.hpp"

// The real function and ours, by the names that the compiler gives them (those of the Itanium ABI with libstdc++).
#define CALLFENCE_REPLACE(result, name, symbol, ...)         \
  result real_##name(__VA_ARGS__) __asm__("__real_" symbol); \
  result name(__VA_ARGS__) __asm__("__wrap_" symbol)

#define CALLFENCE_TEXT "St17basic_string_viewIcSt11char_traitsIcEE"

namespace callfence::canary {
namespace {

/// Whether the fault `name` is the planted one.
bool is_planted(std::string_view name) {
  static const char* const planted = std::getenv("CALLFENCE_CANARY");
  return planted != nullptr && planted == name;
}

std::vector<Entry> without_last(std::vector<Entry> entries) {
  if (!entries.empty()) entries.pop_back();
  return entries;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

template <typename Change>
std::vector<Entry> change_calls(std::vector<Entry> entries, Change&& change) {
  for (Entry& entry : entries) {
    if (auto* call = std::get_if<Call>(&entry)) change(*call);
  }
  return entries;
}

volatile std::size_t sum = 0;

/// Something that no optimiser leaves out, unrolls or does at once.
[[gnu::noinline]] void look_at(std::string_view text) { sum = sum + text.size(); }

}  // namespace

CALLFENCE_REPLACE(std::vector<Entry>, parse_tool_calls,
                  "_ZN9callfence16parse_tool_callsE" CALLFENCE_TEXT "RKNS_7OptionsE", std::string_view reply,
                  const Options& options);
CALLFENCE_REPLACE(std::vector<Span>, find_prose, "_ZN9callfence10find_proseE" CALLFENCE_TEXT "RKNS_7OptionsE",
                  std::string_view reply, const Options& options);
CALLFENCE_REPLACE(std::vector<Entry>, feed, "_ZN9callfence14ToolCallStream4feedE" CALLFENCE_TEXT,
                  ToolCallStream* stream, std::string_view chunk);
CALLFENCE_REPLACE(std::vector<Note>, find_notes, "_ZN9callfence10find_notesE" CALLFENCE_TEXT "RKNS_7OptionsE",
                  std::string_view reply, const Options& options);
CALLFENCE_REPLACE(ReadingResult, read_first_object,
                  "_ZN9callfence17read_first_objectE" CALLFENCE_TEXT "RKNS_7OptionsENS_3LogE", std::string_view reply,
                  const Options& options, Log log);
CALLFENCE_REPLACE(std::string, strip_emotion_tags, "_ZN9callfence18strip_emotion_tagsB5cxx11E" CALLFENCE_TEXT,
                  std::string_view text);
CALLFENCE_REPLACE(std::optional<Decoded>, decode_json, "_ZN9callfence11decode_jsonE" CALLFENCE_TEXT "NS_10JsonLimitsEb",
                  std::string_view text, JsonLimits limits, bool prefix);
CALLFENCE_REPLACE(std::string, to_string, "_ZN9callfence9to_stringB5cxx11ERKNS_5ErrorENS_4FormE", const Error& error,
                  Form form);
CALLFENCE_REPLACE(std::string, print, "_ZN9callfence3cli5printB5cxx11ERKSt7variantIJNS_4CallENS_5ErrorEEE",
                  const Entry& entry);
using MadeOptions = std::variant<Options, OptionsError>;
CALLFENCE_REPLACE(MadeOptions, make_options, "_ZN9callfence12make_optionsENS_12OptionValuesE", OptionValues values);

std::vector<Entry> parse_tool_calls(std::string_view reply, const Options& options) {
  // For the tests of the tools: what is worse than a property that does not hold.
  if (is_planted("crash") && reply.find("crash") != npos) std::abort();
  std::vector<Entry> entries = real_parse_tool_calls(reply, options);
  // A call that reaches a byte into the white space before its fence.
  if (is_planted("tool_calls.fenced")) {
    return change_calls(std::move(entries), [](Call& call) { --call.span.begin; });
  }
  // Blocks that count from 0.
  if (is_planted("tool_calls.numbered")) {
    return change_calls(std::move(entries), [](Call& call) { --call.block; });
  }
  // Args printed anew instead of as written.
  if (is_planted("tool_calls.exact-text")) {
    return change_calls(std::move(entries), [](Call& call) { call.args_text = replace_all(*call.args_text, " ", ""); });
  }
  // Columns that count from 0.
  if (is_planted("tool_calls.places")) {
    for (Entry& entry : entries) {
      if (auto* error = std::get_if<Error>(&entry)) --error->detail.place.column;
    }
  }
  // At each byte a copy of the rest of the reply; then a look at each byte of it, without a copy.
  if (is_planted("tool_calls.work")) {
    for (std::size_t at = 0; at < reply.size(); ++at) look_at(std::string(reply.substr(at)));
  }
  if (is_planted("tool_calls.work.edges")) {
    for (std::size_t i = 0; i < reply.size(); ++i) {
      for (std::size_t j = i; j < reply.size(); ++j) look_at(reply.substr(j));
    }
  }
  // Names in lower case.
  if (is_planted("tool_calls_oracle.oracle")) {
    return change_calls(std::move(entries), [](Call& call) {
      for (char& byte : call.name) byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
    });
  }
  // A block at the end of the reply is lost.
  if (is_planted("built_reply.by-construction")) return without_last(std::move(entries));
  // A call out of a line of prose.
  if (is_planted("relations.prose-blind") && reply.starts_with(R"({"name": )")) entries.emplace_back(Call{});
  // Another tag will do where no block has the right one.
  if (is_planted("relations.retag") && entries.empty() && reply.find("```text") != npos) {
    return real_parse_tool_calls(replace_all(std::string(reply), "```text", "```json"), options);
  }
  // A block that a newline ends the reply behind is taken for one that may still go on.
  if (is_planted("relations.prefix") && reply.ends_with('\n')) return without_last(std::move(entries));
  // No more than two blocks.
  if (is_planted("relations.concat") && entries.size() > 2) entries.resize(2);
  // A fence behind a carriage return does not close.
  if (is_planted("relations.newline") && reply.find("\r\n```") != npos) return without_last(std::move(entries));
  return entries;
}

std::vector<Span> find_prose(std::string_view reply, const Options& options) {
  std::vector<Span> prose = real_find_prose(reply, options);
  if (is_planted("tool_calls.prose") && !prose.empty()) prose.pop_back();  // What follows the last block is lost.
  return prose;
}

std::vector<Entry> feed(ToolCallStream* stream, std::string_view chunk) {
  // A carriage return at the end of a chunk is lost.
  if (is_planted("stream.chunks") && chunk.ends_with('\r')) chunk.remove_suffix(1);
  // A buffer that is made anew for each chunk.
  if (is_planted("stream.work")) look_at(std::string(65536, ' '));
  return real_feed(stream, chunk);
}

std::vector<Note> find_notes(std::string_view reply, const Options& options) {
  std::vector<Note> notes = real_find_notes(reply, options);
  if (is_planted("notes.notes") && !notes.empty()) notes.pop_back();  // The last note is lost.
  return notes;
}

ReadingResult read_first_object(std::string_view reply, const Options& options, Log log) {
  if (is_planted("reading.log")) log.write = nullptr;  // Nothing is logged.
  ReadingResult result = real_read_first_object(reply, options, log);
  auto* reading = std::get_if<Reading>(&result);
  if (is_planted("reading.reading") && reading != nullptr) ++reading->span.end;  // The span takes one more byte.
  auto* error = std::get_if<ReadingError>(&result);
  // The place is counted from the object on.
  if (is_planted("reading.places") && error != nullptr)
    error->detail.place.byte -= std::min(reply.find('{'), reply.size());
  return result;
}

std::string strip_emotion_tags(std::string_view text) {
  const std::string once = real_strip_emotion_tags(text);
  return is_planted("emotion_tags.tags") ? real_strip_emotion_tags(once) : once;  // Cut until none is left.
}

std::optional<Decoded> decode_json(std::string_view text, JsonLimits limits, bool prefix) {
  std::optional<Decoded> decoded = real_decode_json(text, limits, prefix);
  // A double's last bit.
  if (is_planted("json_decode.decode") && decoded && decoded->value.is_double())
    decoded->value.get_double() *= 1 + 1e-15;
  return decoded;
}

std::string to_string(const Error& error, Form form) {
  // The message in two lines.
  return is_planted("tool_calls.total") ? real_to_string(error, form) + "\n" : real_to_string(error, form);
}

std::string print(const Entry& entry) {
  const std::string line = real_print(entry);
  return is_planted("tool_calls.round-trip") ? replace_all(line, "\\\"", "\"") : line;  // Quotes in strings unescaped.
}

MadeOptions make_options(OptionValues values) {
  MadeOptions made = real_make_options(values);
  // A depth of 0 will do.
  if (is_planted("tool_calls_oracle.options") && values.max_depth == 0) return Options();
  return made;
}

}  // namespace callfence::canary
