#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "print.hpp"
#include "support.hpp"

namespace callfence {
namespace {

namespace fs = std::filesystem;

/// An entry as the expected files have it: without spans and details.
std::string outline_of(const Entry& entry) {
  if (const auto* error = std::get_if<Error>(&entry)) {
    return R"({"block":)" + std::to_string(error->block) + R"(,"type":"error","reason":")" +
           std::string(to_string(error->reason)) + "\"}";
  }
  const auto& call = std::get<Call>(entry);
  return R"({"block":)" + std::to_string(call.block) + R"(,"type":"call","name":)" + cli::print_string(call.name) +
         R"(,"args":)" + cli::squeeze(call.args_text.value_or("{}")) + "}";
}

TEST(Corpus, EveryFullLengthReplyGivesTheEntriesWrittenForItByHand) {
  std::size_t calls = 0;
  std::size_t errors = 0;
  const std::vector<fs::path> replies = test::list_folder(test::in_source("corpus/replies"));
  const fs::path expected = test::in_source("tests/corpus_entries");
  EXPECT_GE(replies.size(), 20U);
  EXPECT_EQ(replies.size(), test::list_folder(expected).size());
  for (const fs::path& path : replies) {
    std::vector<std::string> outlines;
    for (const Entry& entry : parse_tool_calls(test::read_file(path))) {
      outlines.push_back(outline_of(entry));
      ++(std::holds_alternative<Call>(entry) ? calls : errors);
    }
    EXPECT_EQ(outlines, test::read_lines(expected / path.filename().replace_extension(".jsonl"))) << path;
  }
  EXPECT_GE(calls, 40U);
  EXPECT_GE(errors, 12U);
}

}  // namespace
}  // namespace callfence
