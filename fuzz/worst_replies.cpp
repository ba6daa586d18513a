// Prints what the worst replies known cost, counted and not timed: executed edges of the parser and of Boost.JSON, and
// bytes asked of the allocator, both for a byte of the reply. Each reply has a size and twice that. Exit code: 0 the
// work stays under the bound of the property "work", and twice the reply takes no more than twice the work; 1 it does
// not.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "properties.hpp"
#include "work.hpp"

namespace callfence::fuzz {
namespace {

std::string repeat(std::string_view piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

std::string block(std::string_view body) { return fmt::format("```json\n{}\n```\n", body); }

/// Keys that share a bucket of an object of `members` members, a power of two, whose table stands at an address with
/// these low bits: Boost.JSON hashes keys with FNV-1a from there on, and only low bits decide.
std::vector<std::string> find_colliding_keys(std::uint64_t low_bits, std::size_t members) {
  constexpr std::uint64_t prime = 1099511628211U;
  std::uint64_t inverse = 1;  // Of the prime, among the numbers of 64 bits.
  for (int i = 0; i < 6; ++i) inverse *= 2 - prime * inverse;
  std::vector<std::string> keys;
  const std::uint64_t mask = members - 1;
  std::array<char, 4> key{};
  const auto is_plain = [](std::uint64_t byte) { return byte >= ' ' && byte < 0x7F && byte != '"' && byte != '\\'; };
  for (std::size_t i = 0; keys.size() < members && i < 95UL * 95 * 95; ++i) {
    key = {static_cast<char>(' ' + i % 95), static_cast<char>(' ' + i / 95 % 95), static_cast<char>(' ' + i / 9025), 0};
    std::uint64_t hash = 14695981039346656037U + low_bits;
    for (std::size_t j = 0; j < 3; ++j) hash = (hash ^ static_cast<unsigned char>(key[j])) * prime;
    const std::uint64_t last = (hash ^ inverse) & mask;  // Bucket 1: what times the prime is 1.
    key[3] = static_cast<char>(last);
    if (is_plain(last) &&
        std::all_of(key.begin(), key.end(), [&](char byte) { return is_plain(static_cast<unsigned char>(byte)); })) {
      keys.emplace_back(key.data(), key.size());
    }
  }
  return keys;
}

/// An object of 4,096 members, all in one bucket.
std::string build_colliding_object(std::uint64_t low_bits) {
  std::string object = R"({"name":"a")";
  std::vector<std::string> keys = find_colliding_keys(low_bits, 4096);
  keys.resize(std::min<std::size_t>(keys.size(), 4095));
  for (const std::string& key : keys) object += fmt::format(R"(,"{}":0)", key);
  return block(object + "}");
}

struct Shape {
  const char* name;
  std::function<std::string(std::size_t)> build;
};

std::string list_of(std::string_view element, std::size_t bytes) { return "[" + repeat(element, bytes) + "1]"; }

std::vector<Shape> list_shapes() {
  const auto text = [](std::string_view piece) { return [piece](std::size_t bytes) { return repeat(piece, bytes); }; };
  const auto list = [](std::string_view element) {
    return [element](std::size_t bytes) { return block(list_of(element, bytes)); };
  };
  const auto string = [](std::string_view piece, std::string_view end) {
    return [piece, end](std::size_t bytes) { return block("[\"" + repeat(piece, bytes) + std::string(end)); };
  };
  return {
      {"newlines", text("\n")},
      {"lines of white space", text(" \n")},
      {"wide white space", text("\xE2\x80\x80")},
      {"backticks", text("`")},
      {"other fences, opened and closed", text("```\n```\n")},
      {"near misses of a fence", text("> ```json5\n")},
      {"empty blocks", text("```json\n```\n")},
      {"smallest calls", text("```json\n{\"name\":\"a\"}\n```\n")},
      {"calls with empty args", text("```json\n{\"name\":\"a\",\"args\":{}}\n```\n")},
      {"blocks with a trailing comma", text("```json\n[1,]\n```\n")},
      {"an array of ones", list("1,")},
      {"an array of empty strings", list("\"\",")},
      {"an array of empty arrays", list("[],")},
      {"an array of objects", list("{\"\":0},")},
      {"an array of deep arrays",
       [](std::size_t bytes) { return block(list_of(std::string(500, '[') + std::string(500, ']') + ",", bytes)); }},
      {"an array of doubles", list("1e9,")},
      {"a trailing comma behind ones", [](std::size_t bytes) { return block("[" + repeat("1,", bytes) + "]"); }},
      {"a bad word behind good ones", [](std::size_t bytes) { return block("[" + repeat("true,", bytes) + "tru]"); }},
      {"a bad escape behind good ones", string("\\n", "\\x\"]")},
      {"a lone surrogate behind pairs", string("\\ud83d\\ude00", "\\ud83d\"]")},
      {"a bad byte behind good ones", string("\xC3\xA4", "\xFF\"]")},
      {"a string that never ends", string("a", "")},
      {"emotion tags", text("[emotion:a]")},
      {"emotion tags that never end", text("[emotion:")},
      {"braces", text("{")},
      {"an object behind tags", [](std::size_t bytes) { return repeat("[emotion:a]", bytes) + "{}"; }},
  };
}

/// The work of all that can be asked of a reply, the dearest of it, for one rule of fences.
Work measure(std::string_view reply) {
  const Options options;
  const Parsed parsed(reply, options);
  return parsed.work;
}

double each(std::uint64_t work, std::string_view reply) {
  return static_cast<double>(work) / static_cast<double>(reply.size());
}

/// Whether the bound holds; prints a row.
bool check(const char* name, const std::string& reply, const Work& work) {
  bool good = true;
  for (const Options& options : both_fence_rules()) {
    const Verdict verdict = check_all_work(reply, options);
    good = good && !verdict;
    if (verdict) fmt::print("{}: {}, {}\n", name, verdict->ours, verdict->theirs);
  }
  fmt::print("{:<36} {:>9} {:>8.1f} {:>8.1f}\n", name, reply.size(), each(work.edges, reply), each(work.bytes, reply));
  return good;
}

/// Twice the reply must not take more than twice the work, but for what is done once and for vectors that double.
bool check_growth(const char* name, const Work& once, const Work& twice) {
  const bool good = twice.edges <= once.edges * 21 / 10 + 1000 && twice.bytes <= once.bytes * 5 / 2 + 1000;
  if (!good) fmt::print("{}: twice the reply took more than twice the work\n", name);
  return good;
}

int run() {
  fmt::print("{:<36} {:>9} {:>8} {:>8}\n", "reply", "bytes", "edges", "bytes");
  bool good = counts_edges();
  if (!good) fmt::print("This build counts no edges; the fuzz preset does.\n");
  for (const auto& [name, build] : list_shapes()) {
    Work last;
    for (const std::size_t bytes : {4096U, 65536U, 131072U}) {
      const std::string reply = build(bytes);
      const Work work = measure(reply);
      good = check(name, reply, work) && good;
      if (bytes == 131072) good = check_growth(name, last, work) && good;
      last = work;
    }
  }
  // Where the table of an object stands decides which keys collide; the worst of all places counts.
  std::string worst;
  Work most;
  for (std::uint64_t low_bits = 0; low_bits < 4096; low_bits += 16) {
    const std::string reply = build_colliding_object(low_bits);
    const Work work = measure(reply);
    if (work.edges <= most.edges) continue;
    worst = reply;
    most = work;
  }
  good = check("keys that share a bucket", worst, most) && good;
  return good ? 0 : 1;
}

}  // namespace
}  // namespace callfence::fuzz

int main() { return callfence::fuzz::run(); }
