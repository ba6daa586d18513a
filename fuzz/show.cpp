#include "show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "fences.hpp"
#include "lines.hpp"

namespace callfence::fuzz {
namespace {

constexpr std::size_t longest_line = 400;  // Bytes of a line that are shown, head and tail together,
constexpr std::size_t most_lines = 160;    // lines of a reply,
constexpr std::size_t most_rows = 80;      // and rows of two sides.

std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(character[at]));
  };
  if (character.size() == 1) return byte(0);
  std::uint32_t code = byte(0) & (0x7FU >> character.size());
  for (std::size_t at = 1; at < character.size(); ++at) code = code << 6U | (byte(at) & 0x3FU);
  return code;
}

/// White space but the plain one, controls, and what has no width or turns the direction of writing.
bool is_invisible(std::string_view character, std::uint32_t code) {
  if (code == ' ') return false;
  const auto in = [&](std::uint32_t first, std::uint32_t last) { return code >= first && code <= last; };
  return is_white_space(character) || code < ' ' || in(0x7F, 0xA0) || code == 0xAD || code == 0x034F ||
         in(0x115F, 0x1160) || in(0x180B, 0x180E) || in(0x200B, 0x200F) || in(0x202A, 0x202E) || in(0x2060, 0x206F) ||
         code == 0x3164 || in(0xFE00, 0xFE0F) || code == 0xFEFF || code == 0xFFA0 || in(0xFFF0, 0xFFFB) ||
         in(0xE0000, 0xE0FFF);
}

/// `text` up to about `most` bytes, and never half a character.
std::string_view head_of(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  while (end < text.size() && end < most) end += character_length(text, end);
  return text.substr(0, end);
}

std::string_view tail_of(std::string_view text, std::size_t most) {
  std::size_t begin = text.size() - std::min(text.size(), most);
  for (int i = 0; i < 3 && begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U; ++i) --begin;
  return text.substr(begin);
}

/// A line of a reply: shown whole, or its head and its tail.
std::string show_line(std::string_view line, bool full) {
  if (full || line.size() <= longest_line) return show_text(line);
  const std::string_view head = head_of(line, longest_line * 2 / 3);
  const std::string_view tail = tail_of(line.substr(head.size()), longest_line / 3);
  std::string shown = show_text(std::string(head) + '.');  // With something behind it a space is not at the end.
  shown.pop_back();
  return fmt::format("{} … {} bytes left out … {}", shown, show_count(line.size() - head.size() - tail.size()),
                     show_text(tail));
}

/// Follows a reply line by line and names where each stands.
class Margin {
 public:
  explicit Margin(FenceRule rule) : scanner_(rule) {}

  std::string_view take(std::string_view line, std::size_t begin) {
    constexpr std::array<std::string_view, 3> inside{"", "json", "other"};
    constexpr std::array<std::string_view, 3> opens{"", "json >", "other >"};
    constexpr std::array<std::string_view, 3> closes{"", "json <", "other <"};
    const auto before = static_cast<std::size_t>(scanner_.state());
    scanner_.take(line, begin, mark_of(line));
    const auto after = static_cast<std::size_t>(scanner_.state());
    if (before == after) return inside.at(after);
    return after == 0 ? closes.at(before) : opens.at(after);
  }

 private:
  BlockScanner scanner_;
};

bool margins_differ(std::string_view reply) {
  Margin reference(FenceRule::reference);
  Margin strict(FenceRule::strict);
  bool differ = false;
  for_each_line(reply, [&](std::string_view line, std::size_t begin) {
    const std::string_view one = reference.take(line, begin);
    differ = one != strict.take(line, begin) || differ;
  });
  return differ;
}

using Lines = std::vector<std::string_view>;

Lines split(std::string_view text) {
  Lines lines;
  for_each_line(text, [&](std::string_view line, std::size_t) { lines.push_back(line); });
  return lines;
}

/// A row of two sides; nothing where a side has no line for it.
struct Row {
  std::optional<std::string_view> left;
  std::optional<std::string_view> right;
  [[nodiscard]] bool is_equal() const { return left == right; }
};

/// Lines between two that are equal, one beside the other.
void pair_up(const Lines& left, std::size_t& i, std::size_t left_end, const Lines& right, std::size_t& j,
             std::size_t right_end, std::vector<Row>& rows) {
  while (i < left_end || j < right_end) {
    Row row;
    if (i < left_end) row.left = left[i++];
    if (j < right_end) row.right = right[j++];
    rows.push_back(row);
  }
}

/// Rows in which as many lines as can be stand beside their equals; of very many lines, each beside the other's of the
/// same number.
std::vector<Row> align(const Lines& left, const Lines& right) {
  constexpr std::size_t most = 1000;
  std::vector<Row> rows;
  std::size_t i = 0;
  std::size_t j = 0;
  if (left.size() > most || right.size() > most) {
    pair_up(left, i, left.size(), right, j, right.size(), rows);
    return rows;
  }
  // common[i][j]: the most equal lines of left from i and right from j.
  std::vector<std::vector<std::uint16_t>> common(left.size() + 1, std::vector<std::uint16_t>(right.size() + 1));
  for (std::size_t a = left.size(); a-- > 0;) {
    for (std::size_t b = right.size(); b-- > 0;) {
      common[a][b] = left[a] == right[b] ? static_cast<std::uint16_t>(common[a + 1][b + 1] + 1)
                                         : std::max(common[a + 1][b], common[a][b + 1]);
    }
  }
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < left.size() && b < right.size()) {
    if (left[a] == right[b]) {
      pair_up(left, i, a, right, j, b, rows);
      rows.push_back({left[a], right[b]});
      i = ++a;
      j = ++b;
    } else {
      ++(common[a + 1][b] >= common[a][b + 1] ? a : b);
    }
  }
  pair_up(left, i, left.size(), right, j, right.size(), rows);
  return rows;
}

/// The characters [begin, begin + count) of `text`.
std::string_view characters(std::string_view text, std::size_t begin, std::size_t count) {
  std::size_t at = 0;
  for (; begin > 0 && at < text.size(); --begin) at += character_length(text, at);
  std::size_t end = at;
  for (; count > 0 && end < text.size(); --count) end += character_length(text, end);
  return text.substr(at, end - at);
}

/// `text` in `most` characters: its head, and what is around character `focus`.
std::string cut_around(std::string_view text, std::size_t focus, std::size_t most) {
  const std::size_t count = count_characters(text);
  if (count <= most) return std::string(text);
  const std::size_t head = most / 3;
  if (focus + 8 < most) return std::string(characters(text, 0, most - 1)) + "…";
  const std::size_t room = most - head - 2;
  const std::size_t begin = std::min(focus - std::min<std::size_t>(focus, 12), count - room);
  const bool to_the_end = begin + room >= count;
  return fmt::format("{}…{}{}", characters(text, 0, head), characters(text, begin, room), to_the_end ? "" : "…");
}

std::string pad(std::string text, std::size_t width) {
  const std::size_t count = count_characters(text);
  if (count < width) text.append(width - count, ' ');
  return text;
}

/// How many characters two texts have in common at their front.
std::size_t common_front(std::string_view left, std::string_view right) {
  const auto [end, other] = std::mismatch(
      left.begin(), left.begin() + static_cast<std::ptrdiff_t>(std::min(left.size(), right.size())), right.begin());
  return count_characters(left.substr(0, static_cast<std::size_t>(end - left.begin())));
}

std::string show_row(const Row& row, std::size_t column, bool full) {
  std::string left = row.left ? show_text(*row.left) : "-";
  std::string right = row.right ? show_text(*row.right) : "-";
  if (!full) {
    const std::size_t focus = row.left && row.right && !row.is_equal() ? common_front(left, right) : 0;
    left = row.is_equal() ? cut_middle(left, column) : cut_around(left, focus, column);
    right = row.is_equal() ? cut_middle(right, column) : cut_around(right, focus, column);
  }
  return fmt::format("  {} {} | {}\n", row.is_equal() ? ' ' : '!', pad(left, column), right);
}

/// Whether a row, or one of the two on either side, differs.
bool is_near_difference(const std::vector<Row>& rows, std::size_t at) {
  const std::size_t last = std::min(at + 2, rows.size() - 1);
  for (std::size_t i = at - std::min<std::size_t>(at, 2); i <= last; ++i) {
    if (!rows[i].is_equal()) return true;
  }
  return false;
}

}  // namespace

std::string show_text(std::string_view text) {
  std::string shown;
  const std::size_t last = text.find_last_not_of(' ');
  const std::size_t visible_end = last == npos ? 0 : last + 1;
  for (std::size_t at = 0; at < text.size(); at += character_length(text, at)) {
    const std::string_view character = text.substr(at, character_length(text, at));
    const std::uint32_t code = code_point(character);
    if (sequence_length(text, at) == 0) {
      shown += fmt::format("<0x{:02X}>", code);
    } else if (at >= visible_end || is_invisible(character, code)) {
      shown += fmt::format("<U+{:04X}>", code);
    } else {
      shown += character;
    }
  }
  return shown;
}

std::string show_count(std::size_t count) {
  if (count < 1000) return std::to_string(count);
  return fmt::format("{},{:03}", show_count(count / 1000), count % 1000);
}

std::string cut_middle(std::string_view text, std::size_t most) {
  const std::size_t count = count_characters(text);
  if (count <= most) return std::string(text);
  const std::size_t tail = (most - 1) / 3;
  return fmt::format("{}…{}", characters(text, 0, most - 1 - tail), characters(text, count - tail, tail));
}

std::string show_reply(std::string_view reply, bool full) {
  if (reply.empty()) return "  (no line: the file is empty)\n";
  const bool both = margins_differ(reply);
  const auto newlines = static_cast<std::size_t>(std::count(reply.begin(), reply.end(), '\n'));
  const std::size_t total = newlines + (reply.back() == '\n' ? 0 : 1);
  const bool cut = !full && total > most_lines;
  const std::size_t head = most_lines * 2 / 3;
  const std::size_t tail = most_lines - head;
  std::string shown = both ? "         reference strict\n" : "";
  Margin reference(FenceRule::reference);
  Margin strict(FenceRule::strict);
  std::size_t number = 0;
  for_each_line(reply, [&](std::string_view line, std::size_t begin) {
    const std::string_view one = reference.take(line, begin);
    const std::string_view other = strict.take(line, begin);
    ++number;
    if (cut && number == head + 1)
      shown += fmt::format("         … {} lines left out …\n", show_count(total - most_lines));
    if (cut && number > head && number + tail <= total) return;
    const bool ends = begin + line.size() == reply.size();
    shown += fmt::format("{:>8} {:<9} {}| {}{}\n", number, one, both ? fmt::format("{:<8}", other) : "",
                         show_line(line, full), ends ? "<END>" : "");
  });
  return shown;
}

std::string show_sides(const Sides& sides, std::size_t width, bool full) {
  const std::vector<Row> rows = align(split(sides.left), split(sides.right));
  std::size_t column = (std::max<std::size_t>(width, 60) - 7) / 2;
  if (full) {
    column = 0;
    for (const Row& row : rows) column = std::max(column, count_characters(row.left ? show_text(*row.left) : "-"));
  }
  std::string shown = fmt::format("    {} | {}\n", pad(std::string(sides.left_name), column), sides.right_name);
  std::size_t left_out = 0;
  std::size_t printed = 0;
  const auto say_left_out = [&] {
    if (left_out > 0)
      shown += fmt::format("    … {} more {} …\n", show_count(left_out), left_out == 1 ? "line" : "lines");
    left_out = 0;
  };
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (!full && (printed == most_rows || !is_near_difference(rows, at))) {
      ++left_out;
      continue;
    }
    say_left_out();
    shown += show_row(rows[at], column, full);
    ++printed;
  }
  say_left_out();
  return shown;
}

}  // namespace callfence::fuzz
