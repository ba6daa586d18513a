#include <algorithm>
#include <array>
#include <callfence/notes.hpp>
#include <set>

#include "block_scanner.hpp"
#include "json_decode.hpp"
#include "json_text.hpp"
#include "shape_check.hpp"

namespace callfence {
namespace {

std::string quote(std::string_view text) { return "'" + make_visible(text) + "'"; }

/// The length of what N3 lets stand in front of a mark.
std::size_t decoration_length(std::string_view mark) noexcept {
  std::size_t at = 0;
  while (at < mark.size()) {
    const std::string_view character = mark.substr(at, character_length(mark, at));
    const std::size_t after_digits = std::min(mark.find_first_not_of("0123456789", at), mark.size());
    if (after_digits > at && is_one_of(mark.substr(after_digits, 1), {".", ")"})) {
      at = after_digits + 1;
    } else if (is_white_space(character) || is_one_of(character, {">", "-", "*", "+", "\xE2\x80\x8B", "\xE2\x80\x8C",
                                                                  "\xE2\x80\x8D", "\xE2\x81\xA0", "\xEF\xBB\xBF"})) {
      at += character.size();  // U+200B, U+200C, U+200D, U+2060, U+FEFF
    } else {
      break;
    }
  }
  return at;
}

/// N3: what keeps a mark from opening a json block, where undoing that would make it a json mark; else empty.
std::string nearly_opening(std::string_view mark) {
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

/// Reads a reply once more, for its notes.
class NoteFinder {
 public:
  NoteFinder(std::string_view reply, const Options& options)
      : reply_(reply), options_(options), scanner_(options.values().fences) {}

  std::vector<Note> run() {
    for_each_line(reply_, [&](const Line& line) { take(line); });
    if (scanner_.state() == FenceState::other_fence) {  // N1
      notes_.insert(notes_.begin() + notes_before_fence_,
                    {NoteKind::open_fence, fence_, "the reply ends inside this fence"});
    }
    return std::move(notes_);
  }

 private:
  void add(NoteKind kind, Span span, std::string sentence) { notes_.push_back({kind, span, std::move(sentence)}); }

  void take(const Line& line) {
    const std::string_view mark = mark_of(line.text);
    const std::size_t begin = line.begin + static_cast<std::size_t>(mark.data() - line.text.data());
    const Span span{begin, begin + mark.size()};
    const FenceState before = scanner_.state();
    const bool closes_json = scanner_.take(line, mark);
    if (before == FenceState::prose && scanner_.state() == FenceState::other_fence) {
      fence_ = span;
      notes_before_fence_ = static_cast<std::ptrdiff_t>(notes_.size());
    }
    if (before == FenceState::prose) {
      const std::string obstacles = nearly_opening(mark);  // N3
      if (!obstacles.empty()) add(NoteKind::nearly_an_opening, span, "this line opens no json block: " + obstacles);
    } else if (before == FenceState::other_fence) {
      if (is_json_mark(mark)) add(NoteKind::swallowed, span, "this opening stands inside another fence");  // N2
    } else if (closes_json) {
      take_block(scanner_.block());
    } else if (mark.substr(0, 3) == "```" || (mark.size() > 3 && mark.substr(mark.size() - 3) == "```")) {
      add(NoteKind::nearly_a_closing, span, "this line has a fence but closes no json block");  // N4
    }
  }

  void take_block(const Block& block) {
    const std::string_view body = slice(reply_, block.body);
    const Entry entry = make_entry(block, body, options_);
    const auto* error = std::get_if<Error>(&entry);
    if (error != nullptr && error->reason == Reason::invalid_json) return;
    const auto notes_before = static_cast<std::ptrdiff_t>(notes_.size());
    std::vector<std::set<std::string>> keys;  // Of each object around.
    std::string others;                       // Of the outermost object, the name left out.
    for (std::size_t at = skip_space(body, 0), end = 0; at < body.size(); at = skip_space(body, end)) {
      end = token_end(body, at);
      const std::string_view token = slice(body, {at, end});
      const Span span{block.body.begin + at, block.body.begin + end};
      if (token == "{") keys.emplace_back();
      if (token == "}") keys.pop_back();
      if (token[0] == '"' && body.substr(skip_space(body, end), 1) == ":") {
        const auto [key, is_new] = keys.back().insert(decode_key(token));
        if (!is_new) add(NoteKind::repeated_key, span, quote(*key) + " stands again; the last one wins");  // N6
        if (is_new && keys.size() == 1 && *key != options_.values().name_key) {
          others.append(others.empty() ? "" : ", ").append(quote(*key));
        }
      } else if ((token[0] == '-' || (token[0] >= '0' && token[0] <= '9')) && is_inexact(token)) {
        add(NoteKind::inexact_number, span, "the value may differ from " + std::string(token));  // N7
      }
    }
    const auto* call = std::get_if<Call>(&entry);
    if (call != nullptr && !call->args_text && !others.empty()) {  // N5
      notes_.insert(notes_.begin() + notes_before,
                    {NoteKind::other_members, block.span, "the call has no args, but other members: " + others});
    }
  }

  std::string_view reply_;
  const Options& options_;
  BlockScanner scanner_;
  std::vector<Note> notes_;
  Span fence_;                             // The mark that opened the last other fence,
  std::ptrdiff_t notes_before_fence_ = 0;  // and how many notes stood before it.
};

}  // namespace

std::string_view to_string(NoteKind kind) noexcept {
  static constexpr std::array<std::string_view, 7> words{"open fence",       "swallowed",     "nearly an opening",
                                                         "nearly a closing", "other members", "repeated key",
                                                         "inexact number"};
  return words[static_cast<std::size_t>(kind)];
}

std::vector<Note> find_notes(std::string_view reply, const Options& options) {
  return NoteFinder(reply, options).run();
}

}  // namespace callfence
