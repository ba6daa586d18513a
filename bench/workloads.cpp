#include "workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <stdexcept>

namespace callfence::bench {
namespace {

/// Numbers that are the same on every machine: a distribution of the standard library need not be.
class Random {
 public:
  std::size_t below(std::size_t limit) { return engine_() % limit; }

  template <typename List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 engine_{4};
};

constexpr std::array<std::string_view, 48> words{
    "the",     "order",   "was",     "checked", "before", "a",        "reply",   "could", "leave",   "and",
    "its",     "total",   "agrees",  "with",    "what",   "customer", "wrote",   "in",    "March",   "however",
    "one",     "of",      "two",     "parcels", "has",    "not",      "arrived", "so",    "I",       "would",
    "look",    "at",      "address", "first",   "then",   "ask",      "carrier", "for",   "results", "it",
    "usually", "answers", "within",  "an",      "hour",   "which",    "is",      "enough"};

std::string write_sentence(Random& random) {
  std::string sentence;
  for (std::size_t left = 6 + random.below(14); left > 0; --left) {
    sentence += random.pick(words);
    sentence += left == 1 ? "." : random.below(9) == 0 ? ", " : " ";
  }
  sentence[0] = static_cast<char>(sentence[0] & ~0x20);
  return sentence;
}

/// Paragraphs, one a line, with lists between them, and no backtick.
std::string write_prose(Random& random, std::size_t bytes) {
  std::string prose;
  while (prose.size() < bytes) {
    const bool list = random.below(4) == 0;
    for (std::size_t left = 2 + random.below(4); left > 0; --left) {
      prose += (list ? "- " : "") + write_sentence(random) + (list ? "\n" : " ");
    }
    prose += "\n\n";
  }
  prose.resize(bytes, '.');
  return prose;
}

std::string quote(const std::string& text) { return boost::json::serialize(boost::json::string(text)); }

std::string fence(std::string_view body) { return fmt::format("```json\n{}\n```\n", body); }

/// A short reply around one call.
std::string wrap(Random& random, std::string_view body) {
  return write_sentence(random) + "\n\n" + fence(body) + "\n" + write_sentence(random) + "\n";
}

std::string write_small_call(Random& random) {
  const std::string text = write_sentence(random) + " " + write_sentence(random);
  return fmt::format(
      R"({{"name": "create_ticket", "args": {{"order_id": "A-{}", "customer": {{"number": {}, "vip": {}}}, )"
      R"("amount": {}.{:02}, "tags": ["parcel", "{}"], "assignee": null, "text": {}}}}})",
      random.below(100000), random.below(10000000), random.below(2) == 0, random.below(1000), random.below(100),
      random.pick(words), quote(text.substr(0, 140)));
}

/// Source code, as a model sends it to a tool that writes files.
std::string write_code(Random& random, std::size_t bytes) {
  constexpr std::array<std::string_view, 10> lines{
      "\tif (line == \"```json\") {\n",
      "\t\treturn fmt.Errorf(\"row %d: \\\"%s\\\" is no date\", i, cell)\n",
      "\t}\n",
      "    for key, value in sorted(rows.items()):\n",
      "        print(f\"{key}\\t{value}\")\n",
      "    path = \"C:\\\\data\\\\2024\\\\in.csv\"\n",
      "\n",
      "const title = 'caf\xC3\xA9 \xE2\x82\xAC' // \"quoted\"\n",
      "    pattern = re.compile(r\"^\\s*(\\w+)\\s*=\\s*\\\"(.*)\\\"$\")\n",
      "}\n"};
  std::string code;
  while (code.size() < bytes) code += random.pick(lines);
  return code;
}

std::string write_list(std::size_t count, const std::function<std::string()>& write) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + write();
  return fmt::format(R"({{"name": "plot", "args": {{"values": [{}]}}}})", list);
}

std::string write_integer(Random& random) {
  std::size_t limit = 10;
  for (std::size_t digits = random.below(12); digits > 0; --digits) limit *= 10;
  return fmt::format("{}{}", random.below(4) == 0 ? "-" : "", random.below(limit) + 1);
}

/// As measured (a few decimals), or as a program prints it (up to 17 digits).
std::string write_double(Random& random) {
  const double value = (static_cast<double>(random.below(1UL << 53U)) / static_cast<double>(1UL << 53U) - 0.5) * 1000;
  return random.below(2) == 0 ? fmt::format("{:.{}f}", value, 1 + random.below(6)) : fmt::format("{}", value);
}

std::string write_members(Random& random, std::size_t count) {
  std::string members;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string value = i % 3 == 0   ? write_integer(random)
                              : i % 3 == 1 ? quote(std::string(random.pick(words)))
                                           : quote(write_sentence(random).substr(0, 30));
    members += fmt::format(R"({}"field_{:03}": {})", i == 0 ? "" : ", ", i, value);
  }
  return fmt::format(R"({{"name": "fill_form", "args": {{{}}}}})", members);
}

/// The bodies of the closed json blocks of a reply.
void add_bodies(const std::string& reply, std::vector<std::string>& bodies) {
  for (const Entry& entry : parse_tool_calls(reply)) {
    const auto* error = std::get_if<Error>(&entry);
    if (error != nullptr && error->reason == Reason::unclosed_block) continue;
    const Span body = error != nullptr ? error->body : std::get<Call>(entry).body;
    bodies.push_back(reply.substr(body.begin, body.end - body.begin));
  }
}

using Replies = std::vector<std::string>;

template <typename Write>
Replies times(std::size_t count, Write&& write) {
  Replies replies;
  for (std::size_t i = 0; i < count; ++i) replies.push_back(write());
  return replies;
}

/// The corpus without its json blocks.
Replies cut_blocks(const Replies& corpus) {
  Replies replies;
  for (const std::string& reply : corpus) {
    std::string prose;
    for (const Span span : find_prose(reply)) prose += reply.substr(span.begin, span.end - span.begin);
    replies.push_back(prose);
  }
  return replies;
}

Replies build_large_prose(Random& random) {
  const std::string part = write_prose(random, 1U << 20U);
  std::string prose;
  prose.reserve(part.size() * 64);
  for (int i = 0; i < 64; ++i) prose += part;
  return {prose};
}

std::string write_reading(Random& random) {
  return fmt::format("[emotion:calm] {}\n\n```json\n{}\n```\n{}\n", write_sentence(random), write_small_call(random),
                     write_sentence(random));
}

std::string write_blocks(Random& random, std::size_t count) {
  std::string reply;
  for (std::size_t i = 0; i < count; ++i) {
    reply += write_sentence(random) + "\n";
    reply += fence(fmt::format(R"({{"name": "move", "args": {{"x": {}, "to": "{}"}}}})", i, random.pick(words)));
  }
  return reply;
}

struct Recipe {
  std::string_view name;
  Job job;
  std::function<Replies(Random&)> build;
};

const std::vector<Recipe>& list_recipes() {
  // Several replies of a kind, so that the processor cannot learn one by heart.
  static const std::vector<Recipe> recipes{
      {"prose 4 KB", Job::tool_calls, [](Random& random) { return Replies{write_prose(random, 4096)}; }},
      {"prose 64 MB", Job::tool_calls, build_large_prose},
      {"prose as written", Job::tool_calls, [](Random&) { return cut_blocks(read_corpus()); }},
      {"small call", Job::tool_calls,
       [](Random& random) { return times(32, [&] { return wrap(random, write_small_call(random)); }); }},
      {"code call", Job::tool_calls,
       [](Random& random) {
         return times(8, [&] {
           const std::string code = quote(write_code(random, 4096));
           return wrap(random,
                       fmt::format(R"({{"name": "write_file", "args": {{"path": "a.py", "text": {}}}}})", code));
         });
       }},
      {"integers", Job::tool_calls,
       [](Random& random) {
         return times(4, [&] { return wrap(random, write_list(1000, [&] { return write_integer(random); })); });
       }},
      {"doubles", Job::tool_calls,
       [](Random& random) {
         return times(4, [&] { return wrap(random, write_list(1000, [&] { return write_double(random); })); });
       }},
      {"100 members", Job::tool_calls,
       [](Random& random) { return times(8, [&] { return wrap(random, write_members(random, 100)); }); }},
      {"64 small blocks", Job::tool_calls,
       [](Random& random) { return times(4, [&] { return write_blocks(random, 64); }); }},
      {"corpus replies", Job::tool_calls, [](Random&) { return read_corpus(); }},
      {"reading", Job::reading, [](Random& random) { return times(32, [&] { return write_reading(random); }); }},
  };
  return recipes;
}

}  // namespace

std::vector<std::string_view> list_workloads() {
  std::vector<std::string_view> names;
  for (const Recipe& recipe : list_recipes()) names.push_back(recipe.name);
  return names;
}

Workload build_workload(std::string_view name) {
  for (const Recipe& recipe : list_recipes()) {
    if (recipe.name != name) continue;
    Random random;
    Workload workload{std::string(name), recipe.job, recipe.build(random), {}, 0};
    for (const std::string& reply : workload.replies) {
      if (recipe.job == Job::reading) {
        workload.bodies.push_back(std::get<Reading>(read_first_object(reply)).text);
        ++workload.calls;
      } else {
        add_bodies(reply, workload.bodies);
        const std::vector<Entry> entries = parse_tool_calls(reply);
        workload.calls += static_cast<std::size_t>(std::count_if(
            entries.begin(), entries.end(), [](const Entry& entry) { return std::holds_alternative<Call>(entry); }));
      }
    }
    return workload;
  }
  throw std::runtime_error(fmt::format("There is no workload '{}'; --list names them.", name));
}

std::vector<std::string> read_corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& file : std::filesystem::directory_iterator(CALLFENCE_SOURCE_DIR "/corpus/replies")) {
    paths.push_back(file.path());
  }
  std::sort(paths.begin(), paths.end());
  Replies replies;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(fmt::format("Cannot read '{}'.", path.string()));
    replies.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (replies.empty()) throw std::runtime_error("corpus/replies has no replies.");
  return replies;
}

std::size_t size_of(const std::vector<std::string>& texts) {
  std::size_t size = 0;
  for (const std::string& text : texts) size += text.size();
  return size;
}

std::string build_call(std::size_t members, std::size_t bytes) {
  std::string args;
  for (std::size_t i = 0; i < members; ++i) args += fmt::format(R"("k{:03}":{},)", i, i % 10);
  const std::string call = fmt::format(R"({{"name":"a","args":{{{}"text":""}}}})", args);
  const std::size_t size = fence(call).size();
  const std::string text(bytes > size ? bytes - size : 0, 'x');
  return fence(fmt::format(R"({{"name":"a","args":{{{}"text":"{}"}}}})", args, text));
}

}  // namespace callfence::bench
