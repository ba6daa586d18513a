#include "answers.hpp"

#include <fmt/format.h>

#include <array>
#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>

#include "print.hpp"
#include "properties.hpp"

namespace callfence::fuzz {
namespace {

// The oracle's answers as JSON, with nothing of the parser or of its printing.

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char byte : text) {
    const std::size_t named = std::string_view("\"\\\b\f\n\r\t").find(byte);
    if (named != std::string_view::npos) {
      quoted += {'\\', "\"\\bfnrt"[named]};
    } else if (byte >= 0 && byte < ' ') {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
    } else {
      quoted += byte;
    }
  }
  return quoted + '"';
}

/// JSON without the white space between its tokens.
std::string squeeze(std::string_view json) {
  std::string squeezed;
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char byte = json[at];
    if (!in_string && (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r')) continue;
    squeezed += byte;
    if (in_string && byte == '\\') squeezed += json[++at];
    if (byte == '"') in_string = !in_string;
  }
  return squeezed;
}

std::string print_json(oracle::Span span) { return fmt::format("[{},{}]", span.begin, span.end); }

std::string print_json(const oracle::Entry& entry) {
  if (!entry.reason.empty()) {
    return fmt::format(R"({{"block":{},"type":"error","reason":{},"span":{}}})", entry.block, quote(entry.reason),
                       print_json(entry.span));
  }
  return fmt::format(R"({{"block":{},"type":"call","name":{},"args":{},"span":{}}})", entry.block, quote(entry.name),
                     entry.has_args ? squeeze(entry.args_text) : "{}", print_json(entry.span));
}

std::string print_json(const oracle::Note& note) {
  constexpr std::array<const char*, 8> kinds{"",
                                             "open fence",
                                             "swallowed",
                                             "nearly an opening",
                                             "nearly a closing",
                                             "other members",
                                             "repeated key",
                                             "inexact number"};
  return fmt::format(R"({{"type":"note","kind":"{}","span":{}}})", kinds.at(static_cast<std::size_t>(note.rule)),
                     print_json(note.span));
}

std::string print_json(const oracle::Reading& reading) {
  if (!reading.error.empty()) return fmt::format(R"({{"error":{}}})", quote(reading.error));
  std::string emotions;
  for (const oracle::Tag& tag : reading.emotions) {
    emotions += fmt::format(R"({}{{"emotion":{},"span":{}}})", emotions.empty() ? "" : ",", quote(tag.emotion),
                            print_json(tag.span));
  }
  return fmt::format(R"({{"object":{},"emotions":[{}],"span":{}}})", squeeze(reading.text), emotions,
                     print_json(reading.span));
}

std::string print_ours(const ReadingResult& result) {
  if (const auto* reading = std::get_if<Reading>(&result)) return cli::print(*reading);
  return fmt::format(R"({{"error":{}}})", cli::print_string(to_string(std::get<ReadingError>(result))));
}

OptionValues with_tags(TagRule tags) {
  OptionValues values;
  values.tags = tags;
  return values;
}

}  // namespace

std::string list_answers(std::string_view reply, Side side) {
  const bool ours = side == Side::parser;
  std::string lines;
  const auto add = [&](const char* what, const char* rule, const std::string& json) {
    lines += fmt::format("{}\t{}\t{}\n", what, rule, json);
  };
  for (const Options& options : both_fence_rules()) {
    const oracle::Rules rules = rules_of(options);
    const char* rule = rules.strict_fences ? "strict" : "reference";
    if (ours) {
      for (const Entry& entry : parse_tool_calls(reply, options)) add("entries", rule, cli::print(entry));
      for (const Note& note : find_notes(reply, options)) add("notes", rule, cli::print(note));
    } else {
      for (const oracle::Entry& entry : oracle::parse(reply, rules)) add("entries", rule, print_json(entry));
      for (const oracle::Note& note : oracle::find_notes(reply, rules)) add("notes", rule, print_json(note));
    }
  }
  for (const TagRule tags : {TagRule::strict, TagRule::everywhere}) {
    const Options options = std::get<Options>(make_options(with_tags(tags)));
    const char* rule = tags == TagRule::strict ? "strict" : "everywhere";
    add("reading", rule,
        ours ? print_ours(read_first_object(reply, options)) : print_json(oracle::read(reply, rules_of(options))));
  }
  return lines;
}

}  // namespace callfence::fuzz
