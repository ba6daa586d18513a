#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support.hpp"

namespace callfence {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

/// An example of SPEC.md: rule ids, a command with its options, a reply, and what comes out.
struct Example {
  std::size_t line = 0;
  std::string rules;
  Lines command;
  std::string reply;
  Lines output;
};

/// <U+00A0> is that code point in UTF-8, <0xFF> that byte, and <END> at the end says that no newline follows.
std::string decode_reply(std::string text) {
  static const std::regex escape("<(U\\+|0x)([0-9A-F]+)>");
  const std::string end = "<END>\n";
  if (text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0) {
    text.resize(text.size() - end.size());
  }
  std::string reply;
  for (std::smatch match; std::regex_search(text, match, escape); text = match.suffix()) {
    const unsigned long code = std::stoul(match[2], nullptr, 16);
    const auto add = [&](unsigned long byte) { reply += static_cast<char>(byte); };
    const auto tail = [&](unsigned shift) { add(0x80U | (code >> shift & 0x3FU)); };
    reply += match.prefix();
    if (match[1] == "0x" || code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xC0U | code >> 6U), tail(0);
    } else if (code < 0x10000) {
      add(0xE0U | code >> 12U), tail(6), tail(0);
    } else {
      add(0xF0U | code >> 18U), tail(12), tail(6), tail(0);
    }
  }
  return reply + text;
}

Lines split_words(const std::string& text) {
  std::istringstream stream(text);
  Lines words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<Example> list_examples() {
  const Lines lines = test::read_lines(test::in_source("SPEC.md"));
  std::vector<Example> examples;
  const std::string opening = "~~~~~~ example ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].substr(0, opening.size()) != opening) continue;
    Example example;
    example.line = i + 1;
    const std::string info = lines[i].substr(opening.size());
    const std::size_t bar = info.find('|');
    example.rules = info.substr(0, bar);
    example.command = bar == std::string::npos ? Lines{"parse"} : split_words(info.substr(bar + 1));
    std::string reply;
    for (++i; i < lines.size() && lines[i] != "--" && lines[i] != "~~~~~~"; ++i) reply += lines[i] + "\n";
    if (i == lines.size() || lines[i] != "--") {
      ADD_FAILURE() << "SPEC.md:" << example.line << " has no line with -- alone";
    }
    for (++i; i < lines.size() && lines[i] != "~~~~~~"; ++i) example.output.push_back(lines[i]);
    example.reply = decode_reply(reply);
    examples.push_back(example);
  }
  return examples;
}

/// Runs an example's command by way of the library, as the command line does.
Lines run(const Example& example) {
  OptionValues values;
  bool notes = false;
  bool json = false;
  for (std::size_t i = 1; i < example.command.size(); ++i) {
    const std::string& option = example.command[i];
    const std::string value = option.substr(option.find('=') + 1);
    if (option == "--notes") {
      notes = true;
    } else if (option == "--json") {
      json = true;
    } else if (option == "--fences=strict") {
      values.fences = FenceRule::strict;
    } else if (option == "--tags=everywhere") {
      values.tags = TagRule::everywhere;
    } else if (option.rfind("--max-depth=", 0) == 0) {
      values.max_depth = std::stoul(value);
    } else if (option.rfind("--max-members=", 0) == 0) {
      values.max_members = std::stoul(value);
    } else if (option.rfind("--name-key=", 0) == 0) {
      values.name_key = value;
    } else if (option.rfind("--args-key=", 0) == 0) {
      values.args_key = value;
    } else {
      ADD_FAILURE() << "SPEC.md:" << example.line << " has an option that no example may have: " << option;
    }
  }
  const Options options = test::options_of(values);
  if (example.command.at(0) == "read") {
    const ReadingResult result = read_first_object(example.reply, options);
    if (const auto* error = std::get_if<ReadingError>(&result)) return {to_string(*error)};
    if (json) return {test::print_reading(example.reply, options)};
    Lines text;
    std::istringstream stream(std::get<Reading>(result).text);
    for (std::string line; std::getline(stream, line);) text.push_back(line);
    return text;
  }
  EXPECT_EQ(example.command.at(0), "parse") << "SPEC.md:" << example.line;
  Lines output = test::print_all(parse_tool_calls(example.reply, options));
  if (notes) {
    for (std::string& line : test::print_all(find_notes(example.reply, options))) output.push_back(std::move(line));
  }
  return output;
}

TEST(Spec, EveryExampleGivesWhatItSays) {
  const std::vector<Example> examples = list_examples();
  EXPECT_GE(examples.size(), 50U);
  for (const Example& example : examples) EXPECT_EQ(run(example), example.output) << "SPEC.md:" << example.line;
}

std::string read_spec() { return test::read_file(test::in_source("SPEC.md")); }

/// All that `pattern`'s first group matches in `text`.
std::vector<std::string> find_all(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match) {
    found.push_back((*match)[1]);
  }
  return found;
}

TEST(Spec, HasEachRuleOnceAndTheContractsVersion) {
  std::vector<std::string> ids = find_all(read_spec(), "\\*\\*([TFJRN][0-9]+)");
  std::vector<std::string> expected;
  const std::map<char, int> counts{{'F', 3}, {'J', 8}, {'N', 7}, {'R', 9}, {'T', 10}};
  for (const auto& [letter, count] : counts) {
    for (int i = 1; i <= count; ++i) expected.push_back(letter + std::to_string(i));
  }
  std::sort(ids.begin(), ids.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(ids, expected);
  EXPECT_NE(read_spec().find("version " CALLFENCE_CONTRACT_VERSION), std::string::npos);
}

TEST(Spec, EachRuleIsNamedByATestOrARegressionCase) {
  std::set<std::string> named;
  const auto add = [&](const std::string& text, const std::string& pattern) {
    for (const std::string& match : find_all(text, pattern)) {
      for (const std::string& id : find_all(match, "([TFJRN][0-9]+)")) named.insert(id);
    }
  };
  for (const fs::path& folder : test::list_folder(test::in_source("regression"))) {
    add(test::read_file(folder / "why.md"), "rules: ([A-Z0-9 ]+)");
  }
  for (const auto& file : fs::recursive_directory_iterator(test::in_source("tests"))) {
    if (file.path().extension() == ".cpp") add(test::read_file(file.path()), "TEST\\(\\w+,\\s*((?:[TFJRN][0-9]+_)+)");
  }
  for (const std::string& id : find_all(read_spec(), "\\*\\*([TFJRN][0-9]+)")) EXPECT_EQ(named.count(id), 1U) << id;
}

TEST(Spec, EachRuleIsNamedBesideTheLineThatKeepsIt) {
  std::string sources;
  for (const char* folder : {"parser/src", "parser/include/callfence"}) {
    for (const fs::path& file : test::list_folder(test::in_source(folder))) sources += test::read_file(file);
  }
  for (const std::string& id : find_all(read_spec(), "\\*\\*([TFJRN][0-9]+)")) {
    const std::regex in_comment("//[^\\n]*\\b" + id + "\\b");
    EXPECT_TRUE(std::regex_search(sources, in_comment) || id == "R9" || id == "T10") << id;
  }
}

struct Verdict {
  std::string file;
  bool accepted = false;
};

std::vector<Verdict> list_frozen() {
  const std::regex row("\\| (i_[^ ]+\\.json) \\| (accepted|refused) \\| ([TJ][0-9]+)[^|]*\\|");
  std::vector<Verdict> frozen;
  for (const std::string& line : test::read_lines(test::in_source("SPEC.md"))) {
    std::smatch match;
    if (std::regex_match(line, match, row)) frozen.push_back({match[1], match[2] == "accepted"});
  }
  return frozen;
}

/// Whether a file of the suite decodes, asked by way of a json block.
bool is_accepted(const fs::path& file) { return test::outcome(test::read_file(file)) != "error invalid json"; }

TEST(JsonTestSuite, J1_AllMustsAreKeptAndTheRestIsFrozenInTheSpec) {
  const std::vector<Verdict> frozen = list_frozen();
  EXPECT_EQ(frozen.size(), 35U);
  const fs::path suite(CALLFENCE_JSON_TEST_SUITE);
  if (suite.empty()) {
    GTEST_SKIP()
        << "318 checks were not made: set CALLFENCE_JSON_TEST_SUITE to a copy of JSONTestSuite's folder, which is "
           "published as nst/JSONTestSuite";
  }
  std::map<char, int> counts;
  for (const fs::path& file : test::list_folder(suite / "test_parsing")) {
    const std::string name = file.filename();
    ++counts[name[0]];
    if (name[0] == 'i') continue;
    EXPECT_EQ(is_accepted(file), name[0] == 'y') << name;
  }
  for (const Verdict& verdict : frozen) {
    EXPECT_EQ(is_accepted(suite / "test_parsing" / verdict.file), verdict.accepted) << verdict.file;
  }
  EXPECT_EQ(counts, (std::map<char, int>{{'i', 35}, {'n', 188}, {'y', 95}}));
}

}  // namespace
}  // namespace callfence
