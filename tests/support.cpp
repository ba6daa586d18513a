#include "support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "print.hpp"

namespace callfence::test {

Options options_of(OptionValues values) {
  const auto options = make_options(std::move(values));
  if (const auto* error = std::get_if<OptionsError>(&options)) ADD_FAILURE() << error->sentence;
  return std::holds_alternative<Options>(options) ? std::get<Options>(options) : Options();
}

Options strict_fences() { return options_of({.fences = FenceRule::strict}); }
Options tags_everywhere() { return options_of({.tags = TagRule::everywhere}); }

std::string in_block(std::string_view body) { return "```json\n" + std::string(body) + "\n```\n"; }

static std::string outline_of(const Entry& entry) {
  if (const auto* error = std::get_if<Error>(&entry)) return "error " + std::string(to_string(error->reason));
  const auto& call = std::get<Call>(entry);
  return "call " + call.name + " " + cli::squeeze(call.args_text.value_or("{}"));
}

std::vector<std::string> outline(std::string_view reply, const Options& options) {
  std::vector<std::string> outlines;
  for (const Entry& entry : parse_tool_calls(reply, options)) outlines.push_back(outline_of(entry));
  return outlines;
}

std::string outcome(std::string_view body, const Options& options) {
  const std::vector<std::string> outlines = outline(in_block(body), options);
  if (outlines.size() != 1) ADD_FAILURE() << outlines.size() << " entries for one block";
  return outlines.empty() ? "" : outlines.front();
}

Error error_of(std::string_view body, const Options& options) {
  const std::vector<Entry> entries = parse_tool_calls(in_block(body), options);
  if (entries.size() == 1 && std::holds_alternative<Error>(entries.front())) return std::get<Error>(entries.front());
  ADD_FAILURE() << "no error for this body: " << body.substr(0, 200);
  return {};
}

std::vector<std::string> print_all(const std::vector<Entry>& entries) {
  std::vector<std::string> lines;
  for (const Entry& entry : entries) lines.push_back(cli::print(entry));
  return lines;
}

std::vector<std::string> print_all(const std::vector<Note>& notes) {
  std::vector<std::string> lines;
  for (const Note& note : notes) lines.push_back(cli::print(note));
  return lines;
}

std::string print_reading(std::string_view reply, const Options& options) {
  const ReadingResult result = read_first_object(reply, options);
  if (const auto* reading = std::get_if<Reading>(&result)) return cli::print(*reading);
  return R"({"error":)" + cli::print_string(to_string(std::get<ReadingError>(result))) + "}";
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string repeated;
  repeated.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) repeated += text;
  return repeated;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) ADD_FAILURE() << "cannot read " << path;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::istringstream file(read_file(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) paths.push_back(entry.path());
  if (paths.empty()) ADD_FAILURE() << "nothing in " << folder;
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::filesystem::path in_source(const std::filesystem::path& path) {
  return std::filesystem::path(CALLFENCE_SOURCE_DIR) / path;
}

}  // namespace callfence::test
