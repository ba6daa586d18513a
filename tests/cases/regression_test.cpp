#include <gtest/gtest.h>
#include <malloc.h>

#include "support.hpp"

namespace callfence {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

/// A folder of `regression/`: a reply, what it gives, and why it is there.
struct Case {
  fs::path folder;
  std::string reply;

  /// The lines of `name`, or under another rule those of `name-rule`, where they differ.
  Lines expected(const std::string& name, const std::string& rule, const std::string& ending) const {
    const fs::path other = folder / (name + "-" + rule + ending);
    return test::read_lines(!rule.empty() && fs::exists(other) ? other : folder / (name + ending));
  }
};

std::vector<Case> list_cases() {
  std::vector<Case> cases;
  for (const fs::path& folder : test::list_folder(test::in_source("regression"))) {
    cases.push_back({folder, test::read_file(folder / "reply.txt")});
  }
  return cases;
}

TEST(Regression, EveryCaseHasAReplyAResultAndAReason) {
  for (const Case& one : list_cases()) {
    const bool reading = fs::exists(one.folder / "reading.json");
    const bool entries = fs::exists(one.folder / "entries.jsonl") && fs::exists(one.folder / "notes.jsonl");
    EXPECT_NE(reading, entries) << one.folder;
    const Lines why = test::read_lines(one.folder / "why.md");
    ASSERT_EQ(why.size(), 2U) << one.folder;
    EXPECT_EQ(why[0].substr(0, 7), "rules: ") << one.folder;
    EXPECT_GT(why[1].size(), 10U) << one.folder;
    for (const fs::path& file : test::list_folder(one.folder)) {
      const std::string name = file.filename();
      const Lines known{
          "reply.txt",          "why.md",       "entries.jsonl",          "notes.jsonl", "entries-strict.jsonl",
          "notes-strict.jsonl", "reading.json", "reading-everywhere.json"};
      EXPECT_NE(std::find(known.begin(), known.end(), name), known.end()) << file;
    }
  }
}

TEST(Regression, EveryReplyGivesItsEntriesAndItsNotes) {
  std::size_t checked = 0;
  for (const Case& one : list_cases()) {
    if (!fs::exists(one.folder / "entries.jsonl")) continue;
    for (const std::string rule : {"", "strict"}) {
      const Options options = rule.empty() ? Options() : test::strict_fences();
      EXPECT_EQ(test::print_all(parse_tool_calls(one.reply, options)), one.expected("entries", rule, ".jsonl"))
          << one.folder << " " << rule;
      EXPECT_EQ(test::print_all(find_notes(one.reply, options)), one.expected("notes", rule, ".jsonl"))
          << one.folder << " " << rule;
      ++checked;
    }
  }
  EXPECT_GT(checked, 200U);
}

TEST(Regression, EveryReadingGivesItsObjectOrItsSentence) {
  std::size_t checked = 0;
  for (const Case& one : list_cases()) {
    if (!fs::exists(one.folder / "reading.json")) continue;
    for (const std::string rule : {"", "everywhere"}) {
      const Options options = rule.empty() ? Options() : test::tags_everywhere();
      EXPECT_EQ(Lines{test::print_reading(one.reply, options)}, one.expected("reading", rule, ".json"))
          << one.folder << " " << rule;
      ++checked;
    }
  }
  EXPECT_GT(checked, 50U);
}

/// The entries of a stream that is fed `reply` in pieces of these sizes, the last one again and again.
std::vector<Entry> stream_in_pieces(std::string_view reply, const std::vector<std::size_t>& sizes,
                                    const Options& options) {
  ToolCallStream stream(options);
  std::vector<Entry> entries;
  const auto take = [&](std::vector<Entry> some) { std::move(some.begin(), some.end(), std::back_inserter(entries)); };
  for (std::size_t at = 0, piece = 0; at < reply.size(); ++piece) {
    const std::size_t size = sizes[std::min(piece, sizes.size() - 1)];
    take(stream.feed(reply.substr(at, size)));
    at += size;
  }
  take(stream.finish());
  return entries;
}

/// A long reply is split with limits that end its decoding early: where a stream is cut has nothing to do with what is
/// in a body. In the builds that are slow, a reply of more than 2,000 bytes is split at a hundred points only.
constexpr std::size_t long_reply = test::is_slow_build ? 2000 : 10000;

void check_splits(const fs::path& name, std::string_view reply, FenceRule fences) {
  OptionValues values{.fences = fences};
  if (reply.size() > long_reply) values.max_depth = values.max_members = 1;
  const Options options = test::options_of(values);
  const std::vector<Entry> whole = parse_tool_calls(reply, options);
  EXPECT_EQ(stream_in_pieces(reply, {1}, options), whole) << name << " byte by byte";
  const std::size_t step = test::is_slow_build && reply.size() > long_reply ? reply.size() / 100 : 1;
  for (std::size_t at = 1; at < reply.size(); at += step) {
    ASSERT_EQ(stream_in_pieces(reply, {at, reply.size()}, options), whole) << name << " split at " << at;
  }
}

/// Tells the allocator to keep what a long reply needs; else most of the time goes into mapping the same pages again.
void keep_pages() {
  mallopt(M_MMAP_THRESHOLD, 1 << 28);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
}

TEST(Splits, OfEveryRegressionCaseGiveTheWhole) {
  keep_pages();
  for (const Case& one : list_cases()) check_splits(one.folder, one.reply, FenceRule::reference);
}

TEST(Splits, F1_F2_F3_OfEveryRegressionCaseGiveTheWholeUnderStrictFences) {
  keep_pages();
  for (const Case& one : list_cases()) check_splits(one.folder, one.reply, FenceRule::strict);
}

TEST(Splits, OfEveryCorpusReplyGiveTheWhole) {
  for (const fs::path& path : test::list_folder(test::in_source("corpus/replies"))) {
    check_splits(path, test::read_file(path), FenceRule::reference);
  }
}

TEST(Prose, AndBlocksTileEveryReply) {
  for (const Case& one : list_cases()) {
    std::vector<Span> pieces = find_prose(one.reply);
    for (const Entry& entry : parse_tool_calls(one.reply)) {
      pieces.push_back(std::visit([](const auto& block) { return block.span; }, entry));
    }
    std::sort(pieces.begin(), pieces.end(), [](Span a, Span b) { return a.begin < b.begin; });
    std::size_t end = 0;
    for (const Span& piece : pieces) {
      EXPECT_EQ(piece.begin, end) << one.folder;
      end = piece.end;
    }
    EXPECT_EQ(end, one.reply.size()) << one.folder;
  }
}

}  // namespace
}  // namespace callfence
