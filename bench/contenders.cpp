#include "contenders.hpp"

#include <simdjson.h>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/parser.hpp>
#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>
#include <cctype>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

namespace callfence::bench {
namespace {

// --- callfence -------------------------------------------------------------------------------------------------------

Options make_checked(FenceRule fences, TagRule tags = TagRule::strict) {
  OptionValues values;
  values.fences = fences;
  values.tags = tags;
  return std::get<Options>(make_options(values));
}

std::size_t count_calls(const std::vector<Entry>& entries) {
  std::size_t calls = 0;
  for (const Entry& entry : entries) calls += std::holds_alternative<Call>(entry) ? 1 : 0;
  return calls;
}

std::size_t stream(std::string_view reply, std::size_t chunk) {
  ToolCallStream stream;
  std::size_t calls = 0;
  for (; !reply.empty(); reply.remove_prefix(std::min(chunk, reply.size()))) {
    calls += count_calls(stream.feed(reply.substr(0, chunk)));
  }
  return calls + count_calls(stream.finish());
}

std::size_t read(std::string_view reply, const Options& options, Log log = {}) {
  return std::holds_alternative<Reading>(read_first_object(reply, options, log)) ? 1 : 0;
}

void ignore(const UnreadableReply& /*reply*/, void* /*context*/) noexcept {}

// --- What reading the bytes costs ------------------------------------------------------------------------------------

/// For a byte that no workload has, so that it reads them all.
std::size_t search(std::string_view reply) { return std::memchr(reply.data(), '\0', reply.size()) != nullptr ? 1 : 0; }

std::size_t walk_newlines(std::string_view reply) {
  std::size_t lines = 0;
  const char* at = reply.data();
  const char* const end = at + reply.size();
  while ((at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
    ++lines;
    ++at;
  }
  return lines;
}

// --- What the JSON costs ---------------------------------------------------------------------------------------------

std::size_t parse_with_boost(std::string_view body) {
  boost::json::error_code error;
  const boost::json::value value = boost::json::parse(body, error);
  return error ? 0 : 1;
}

/// The parser and its buffer are used again for each body.
class ReusedBoost {
 public:
  std::size_t parse(std::string_view body) {
    boost::json::monotonic_resource resource(buffer_.get(), size);
    parser_.reset(&resource);
    boost::json::error_code error;
    parser_.write(body.data(), body.size(), error);
    std::size_t good = 0;
    if (!error) {
      const boost::json::value value = parser_.release();
      good = 1;
    }
    parser_.reset();
    return good;
  }

 private:
  static constexpr std::size_t size = 1U << 20U;
  std::unique_ptr<unsigned char[]> buffer_{new unsigned char[size]};
  boost::json::parser parser_;
};

// --- What a team would write first -----------------------------------------------------------------------------------

struct PlainCall {
  std::string name;
  nlohmann::json args;
};

std::string strip(const std::string& line) {
  const auto is_space = [](char byte) { return std::isspace(static_cast<unsigned char>(byte)) != 0; };
  std::size_t begin = 0;
  std::size_t end = line.size();
  while (begin < end && is_space(line[begin])) ++begin;
  while (end > begin && is_space(line[end - 1])) --end;
  return line.substr(begin, end - begin);
}

std::vector<PlainCall> split_lines(const std::string& reply) {
  std::vector<PlainCall> calls;
  std::istringstream lines(reply);
  std::string body;
  bool in_json = false;
  bool in_other = false;
  for (std::string line; std::getline(lines, line);) {
    const std::string mark = strip(line);
    if (in_json && mark == "```") {
      in_json = false;
      try {
        nlohmann::json value = nlohmann::json::parse(body);
        nlohmann::json args = value.value("args", nlohmann::json::object());
        if (args.is_object()) calls.push_back({value.at("name").get<std::string>(), std::move(args)});
      } catch (const nlohmann::json::exception&) {
        // No call.
      }
    } else if (in_json) {
      body += line + "\n";
    } else if (in_other) {
      in_other = mark != "```";
    } else if (mark == "```json" || mark == "```JSON") {
      in_json = true;
      body.clear();
    } else {
      in_other = mark.rfind("```", 0) == 0;
    }
  }
  return calls;
}

std::size_t slice_braces(const std::string& reply) {
  const std::size_t begin = reply.find('{');
  const std::size_t end = reply.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return 0;
  try {
    const nlohmann::json value = nlohmann::json::parse(reply.substr(begin, end - begin + 1));
    return 1;
  } catch (const nlohmann::json::exception&) {
    return 0;
  }
}

/// A contender that takes each of `texts`.
template <typename Take>
Contender each(std::string_view name, const std::vector<std::string>& texts, Take take, bool counts = true) {
  return {name,
          [&texts, take]() mutable {
            std::size_t count = 0;
            for (const std::string& text : texts) count += take(text);
            return count;
          },
          counts};
}

void add_ours(const Workload& workload, std::vector<Contender>& list) {
  const std::vector<std::string>& replies = workload.replies;
  if (workload.job == Job::reading) {
    const Options everywhere = make_checked(FenceRule::reference, TagRule::everywhere);
    list.push_back(each("callfence", replies, [](std::string_view reply) { return read(reply, {}); }));
    list.push_back(each("tags everywhere", replies, [=](std::string_view reply) { return read(reply, everywhere); }));
    return;
  }
  const Options strict = make_checked(FenceRule::strict);
  list.push_back(
      each("callfence", replies, [](std::string_view reply) { return count_calls(parse_tool_calls(reply)); }));
  list.push_back(each(
      "strict fences", replies, [=](std::string_view reply) { return count_calls(parse_tool_calls(reply, strict)); },
      false));
  if (size_of(replies) > 1U << 24U) return;
  for (const auto& [name, chunk] :
       {std::pair{"chunks of 1", 1U}, {"chunks of 7", 7U}, {"chunks of 64", 64U}, {"chunks of 4096", 4096U}}) {
    list.push_back(each(name, replies, [=](std::string_view reply) { return stream(reply, chunk); }));
  }
}

}  // namespace

std::vector<Contender> list_contenders(const Workload& workload) {
  std::vector<Contender> list;
  add_ours(workload, list);
  list.push_back(each("memchr", workload.replies, search, false));
  list.push_back(each("newline walk", workload.replies, walk_newlines, false));
  if (workload.job == Job::tool_calls) {
    const bool knows_all =
        workload.name != "corpus replies";  // It misses calls there: a tag in mixed case, wide spaces.
    list.push_back(each(
        "lines + nlohmann-json", workload.replies, [](const std::string& reply) { return split_lines(reply).size(); },
        knows_all));
  }
  if (workload.bodies.empty()) return list;
  const bool counts = workload.bodies.size() == workload.calls;  // Not where a body is no JSON.
  if (workload.bodies.size() == workload.replies.size()) {
    list.push_back(each("brace slice + nlohmann-json", workload.replies, slice_braces));
  }
  list.push_back(each("Boost.JSON", workload.bodies, parse_with_boost, counts));
  list.push_back(each(
      "Boost.JSON, reused", workload.bodies,
      [reused = std::make_shared<ReusedBoost>()](std::string_view body) { return reused->parse(body); }, counts));
  // The copies with the padding that simdjson wants are not timed.
  auto padded = std::make_shared<std::vector<simdjson::padded_string>>();
  for (const std::string& body : workload.bodies) padded->emplace_back(body);
  list.push_back({"simdjson DOM",
                  [padded, parser = std::make_shared<simdjson::dom::parser>()] {
                    std::size_t good = 0;
                    for (const simdjson::padded_string& body : *padded) good += parser->parse(body).error() == 0;
                    return good;
                  },
                  counts});
  return list;
}

std::vector<Contender> list_jobs(std::string_view reply, Job job) {
  const Options strict = make_checked(FenceRule::strict);
  const Options everywhere = make_checked(FenceRule::reference, TagRule::everywhere);
  if (job == Job::reading) {
    return {{"read, with a log", [=] { return read(reply, {}, {ignore}); }, false},
            {"read, tags everywhere", [=] { return read(reply, everywhere, {ignore}); }, false}};
  }
  return {{"parse", [=] { return parse_tool_calls(reply).size(); }, false},
          {"parse, strict fences", [=] { return parse_tool_calls(reply, strict).size(); }, false},
          {"stream, chunks of 64", [=] { return stream(reply, 64); }, false},
          {"notes", [=] { return find_notes(reply).size(); }, false}};
}

}  // namespace callfence::bench
