#include <algorithm>
#include <array>
#include <callfence/notes.hpp>
#include <set>

#include "json_decode.hpp"
#include "shape_check.hpp"

namespace callfence {

/// `text` in quotes, on one line, cut after some 50 bytes.
static std::string quote(std::string_view text) {
  std::size_t end = 0;
  while (end < std::min<std::size_t>(text.size(), 50)) end += character_length(text, end);
  return "'" + make_visible(text.substr(0, end)) + (end < text.size() ? "...'" : "'");
}

/// The length of what N3 lets stand in front of a mark.
static std::size_t decoration_length(std::string_view mark) noexcept {
  std::size_t at = 0;
  for (std::size_t length = 1; length > 0 && at < mark.size(); at += length) {
    const std::string_view character = mark.substr(at, character_length(mark, at));
    const std::size_t digits = std::min(mark.find_first_not_of("0123456789", at), mark.size()) - at;
    const bool number = digits > 0 && is_one_of(mark.substr(at + digits, 1), {".", ")"});
    const bool alone = is_one_of(character, {">", "-", "*", "+", "\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D",
                                             "\xE2\x81\xA0", "\xEF\xBB\xBF"});  // U+200B to U+200D, U+2060, U+FEFF
    length = number ? digits + 1 : alone || is_white_space(character) ? character.size() : 0;
  }
  return at;
}

/// N3: what keeps a mark from opening a json block, where undoing that would make it a json mark; else empty.
static std::string nearly_opening(std::string_view mark) {
  std::string obstacles;
  const auto add = [&](bool stands, const char* obstacle) {
    if (stands) obstacles.append(obstacles.empty() ? "" : ", ").append(obstacle);
  };
  const std::size_t decoration = decoration_length(mark);
  const char fence = mark.substr(decoration, 1) == "~" ? '~' : '`';
  const std::size_t length = run_length(mark.substr(decoration), fence);
  const std::string_view rest = mark.substr(decoration + length);
  const std::string_view tag = mark_of(rest);
  if (length < 3 || !is_json_tag(tag.substr(0, 4))) return {};
  add(decoration > 0, "characters in front of the fence");
  add(fence == '~', "a fence of tildes");
  add(length > 3, "a fence longer than three");
  add(tag.size() < rest.size(), "white space between the fence and the tag");
  add(tag.size() > 4, "text after the tag");
  return obstacles;
}

/// Adds the notes on an accepted body, in the order of their spans.
static void add_value_notes(std::vector<Note>& notes, const Block& block, std::string_view body, const Entry& entry,
                            const std::string& name_key) {
  const auto first = static_cast<std::ptrdiff_t>(notes.size());
  std::vector<std::set<std::string>> keys;  // Of each object around.
  std::string others;                       // Of the outermost object, the name left out.
  for (std::size_t at = skip_space(body, 0), end = 0; at < body.size(); at = skip_space(body, end)) {
    end = token_end(body, at);
    const std::string_view token = slice(body, at, end);
    const Span span{block.body.begin + at, block.body.begin + end};
    if (token == "{") keys.emplace_back();
    if (token == "}") keys.pop_back();
    if (token[0] == '"' && body.substr(skip_space(body, end), 1) == ":") {
      const auto [key, is_new] = keys.back().insert(decode_key(token));
      if (!is_new) {
        notes.push_back({NoteKind::repeated_key, span, quote(*key) + " stands again; the last one wins"});  // N6
      } else if (keys.size() == 1 && *key != name_key) {
        others.append(others.empty() ? "" : ", ").append(quote(*key));
      }
    } else if ((token[0] == '-' || (token[0] >= '0' && token[0] <= '9')) && is_inexact(token)) {
      notes.push_back({NoteKind::inexact_number, span, "the value may differ from " + quote(token)});  // N7
    }
  }
  const auto* call = std::get_if<Call>(&entry);
  if (call == nullptr || call->args_text || others.empty()) return;
  notes.insert(notes.begin() + first,  // N5
               {NoteKind::other_members, block.span, "the call has no args, but other members: " + others});
}

std::string_view to_string(NoteKind kind) noexcept {
  static constexpr std::array<std::string_view, 7> words{"open fence",       "swallowed",     "nearly an opening",
                                                         "nearly a closing", "other members", "repeated key",
                                                         "inexact number"};
  return words[static_cast<std::size_t>(kind)];
}

std::vector<Note> find_notes(std::string_view reply, const Options& options) {
  std::vector<Note> notes;
  BlockScanner scanner(options.values().fences);
  Span fence;                       // The mark that opened the last other fence,
  std::ptrdiff_t before_fence = 0;  // and how many notes stood before it.
  for_each_fence_line(reply, true, [&](std::string_view line, std::size_t line_begin) {
    const std::string_view mark = mark_of(line);
    const std::size_t begin = line_begin + static_cast<std::size_t>(mark.data() - line.data());
    const Span span{begin, begin + mark.size()};
    const FenceState before = scanner.state();
    const bool closes_json = scanner.take(line, line_begin, mark);
    if (before == FenceState::prose) {
      if (scanner.state() == FenceState::other_fence) {
        fence = span;
        before_fence = static_cast<std::ptrdiff_t>(notes.size());
      }
      const std::string obstacles = nearly_opening(mark);
      if (obstacles.empty()) return;
      notes.push_back({NoteKind::nearly_an_opening, span, "this line opens no json block: " + obstacles});  // N3
    } else if (before == FenceState::other_fence) {
      if (!is_json_mark(mark)) return;
      notes.push_back({NoteKind::swallowed, span, "this opening stands inside another fence"});  // N2
    } else if (closes_json) {
      const std::string_view body = slice(reply, scanner.block().body.begin, scanner.block().body.end);
      std::vector<Entry> entry;
      add_entry(entry, scanner.block(), body, options);
      const auto* error = std::get_if<Error>(&entry.front());
      if (error != nullptr && error->reason == Reason::invalid_json) return;
      add_value_notes(notes, scanner.block(), body, entry.front(), options.values().name_key);
    } else if (mark.starts_with("```") || mark.ends_with("```")) {
      notes.push_back({NoteKind::nearly_a_closing, span, "this line has a fence but closes no json block"});  // N4
    }
  });
  if (scanner.state() != FenceState::other_fence) return notes;
  notes.insert(notes.begin() + before_fence, {NoteKind::open_fence, fence, "the reply ends inside this fence"});  // N1
  return notes;
}

}  // namespace callfence
