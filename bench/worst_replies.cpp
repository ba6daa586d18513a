#include "worst_replies.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <callfence/tool_calls.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <stdexcept>

namespace callfence::bench {
namespace {

std::string repeat(std::string_view piece, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text += piece;
  return text;
}

std::string block(std::string_view body) { return fmt::format("```json\n{}\n```\n", body); }

// --- Keys that collide -----------------------------------------------------------------------------------------------

constexpr std::size_t most_members = 4096;  // J8

/// What somebody can aim at who knows the low bits of the address of an object's table. Boost.JSON hashes a key with
/// FNV-1a, which begins at a constant plus the address, and the bucket is the hash modulo the table's size. Where that
/// is a multiple of a power of two, low bits decide so much of it.
struct Attack {
  std::size_t members;    // Of each object,
  std::uint64_t buckets;  // and the power of two that the keys' hashes are equal modulo.
};

// All members that J8 lets through, which is a power of two; and as many as make a table of 32 times 129, the most of a
// power of two that callfence leaves in any large table.
constexpr std::array<Attack, 2> attacks{{{most_members, most_members}, {4064, 32}}};

bool is_plain(std::uint64_t byte) { return byte >= ' ' && byte < 0x7F && byte != '"' && byte != '\\'; }

/// Keys for a table that stands at an address with these low bits. Three bytes are counted through and the last one is
/// solved for.
std::vector<std::string> find_colliding_keys(const Attack& attack, std::uint64_t low_bits) {
  constexpr std::uint64_t prime = 1099511628211U;
  std::uint64_t inverse = 1;  // Of the prime, among the numbers of 64 bits.
  for (int i = 0; i < 6; ++i) inverse *= 2 - prime * inverse;
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; keys.size() < attack.members && i < 95UL * 95 * 95; ++i) {
    std::string key{static_cast<char>(' ' + i % 95), static_cast<char>(' ' + i / 95 % 95),
                    static_cast<char>(' ' + i / 9025)};
    std::uint64_t hash = 14695981039346656037U + low_bits;
    bool good = true;
    for (const char byte : key) {
      good = good && is_plain(static_cast<unsigned char>(byte));
      hash = (hash ^ static_cast<unsigned char>(byte)) * prime;
    }
    std::uint64_t last = (hash ^ inverse) & (attack.buckets - 1);  // Bucket 1: what times the prime is 1.
    while (last < ' ') last += attack.buckets;
    if (good && is_plain(last)) keys.push_back(key + static_cast<char>(last));
  }
  return keys;
}

/// A block whose args are such an object.
const std::string& colliding_block(const Attack& attack, std::uint64_t low_bits) {
  static std::map<std::pair<std::size_t, std::uint64_t>, std::string> blocks;
  std::string& text = blocks[{attack.members, low_bits}];
  if (text.empty()) {
    for (const std::string& key : find_colliding_keys(attack, low_bits)) text += fmt::format(R"(,"{}":0)", key);
    text = block(R"({"name":"a","args":{)" + text.substr(1) + "}}");
  }
  return text;
}

/// Where the table of each call's args stands: its header of 16 bytes is in front of the first member. Keys that
/// collide at one address collide at that plus a multiple of 128, since no byte of a key reaches beyond its seven bits.
std::vector<std::uint64_t> low_bits_of(const std::vector<Entry>& entries) {
  std::vector<std::uint64_t> bits;
  for (const Entry& entry : entries) {
    bits.push_back((reinterpret_cast<std::uintptr_t>(std::get<Call>(entry).args.begin()) - 16) % 128);
  }
  return bits;
}

/// Chooses the keys the way somebody would who knows the machine: such a reply is parsed before, and where its tables
/// stood is where they are expected to stand again. The slowest reply of all tries counts.
std::string build_colliding_reply(std::size_t bytes) {
  // glibc gives a new process each large block at the same place of pages of its own, until one is given back. Here it
  // does so for ever, so that every parse is like the first one of a process, which an attacker can foretell.
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  std::string worst;
  std::chrono::duration<double> most{0};  // For a byte.
  for (const Attack& attack : attacks) {
    std::vector<std::uint64_t> expected(std::max<std::size_t>(1, bytes / colliding_block(attack, 0).size()), 0);
    for (int i = 0; i < 3; ++i) {
      std::string reply;
      for (const std::uint64_t low_bits : expected) reply += colliding_block(attack, low_bits);
      const auto begin = std::chrono::steady_clock::now();
      const std::vector<Entry> entries = parse_tool_calls(reply);
      const auto time = (std::chrono::steady_clock::now() - begin) / static_cast<double>(reply.size());
      if (time > most) {
        most = time;
        worst = std::move(reply);
      }
      expected = low_bits_of(entries);
    }
  }
  return worst;
}

// --- All of them -----------------------------------------------------------------------------------------------------

/// Objects of 4,096 members each, in a list.
std::string list_objects(std::size_t bytes, const std::function<std::string(std::size_t)>& write_key) {
  std::string object;
  for (std::size_t i = 0; i < most_members; ++i) object += fmt::format(R"({}"{}":0)", i == 0 ? "" : ",", write_key(i));
  return block("[" + repeat("{" + object + "},", bytes) + "0]");
}

/// One object with as many members as there is room for, which is refused (J8).
std::string one_object(std::size_t bytes, const std::function<std::string(std::size_t)>& write_key) {
  std::string object = "{\"name\":\"a\"";
  for (std::size_t i = 0; object.size() < bytes; ++i) object += fmt::format(R"(,"{}":0)", write_key(i));
  return block(object + "}");
}

std::string number_key(std::size_t i) { return fmt::format("{:x}", i); }
std::string equal_key(std::size_t /*i*/) { return "k"; }

}  // namespace

const std::vector<WorstReply>& list_worst_replies() {
  using Build = std::function<std::string(std::size_t)>;
  const auto text = [](std::string_view piece) -> Build {
    return [piece](std::size_t bytes) { return repeat(piece, bytes); };
  };
  const auto list = [](std::string_view element) -> Build {
    return [element](std::size_t bytes) { return block("[" + repeat(element, bytes) + "1]"); };
  };
  const auto string = [](std::string_view piece, std::string_view end = "\"]") -> Build {
    return [piece, end](std::size_t bytes) { return block("[\"" + repeat(piece, bytes) + std::string(end)); };
  };
  static const std::vector<WorstReply> replies{
      {"white space, then backticks", Job::tool_calls,
       [](std::size_t bytes) { return std::string(bytes, ' ') + "```json\n"; }},
      {"lines of white space, then a backtick", Job::tool_calls, text("                               `\n")},
      {"wide white space and backticks", Job::tool_calls, text("\xE2\x80\x80`")},
      {"wide white space", Job::tool_calls, text("\xE2\x80\x80")},
      {"newlines", Job::tool_calls, text("\n")},
      {"a backtick on every line", Job::tool_calls, text("`\n")},
      {"backticks without a newline", Job::tool_calls, text("`")},
      {"an opening line without an end", Job::tool_calls,
       [](std::size_t bytes) { return "```" + std::string(bytes, 'a'); }},
      {"opening lines, never closed", Job::tool_calls, text("```json\n")},
      {"other fences, opened and closed", Job::tool_calls, text("```\n```\n")},
      {"near misses of a fence", Job::tool_calls, text("> ```json5\n")},
      {"empty blocks", Job::tool_calls, text("```json\n```\n")},
      {"smallest calls", Job::tool_calls, text("```json\n{\"name\":\"a\"}\n```\n")},
      {"calls with empty args", Job::tool_calls, text("```json\n{\"name\":\"a\",\"args\":{}}\n```\n")},
      {"blocks with a trailing comma", Job::tool_calls, text("```json\n[1,]\n```\n")},
      {"deep arrays", Job::tool_calls,
       [](std::size_t bytes) {
         return block("[" + repeat(std::string(511, '[') + std::string(511, ']') + ",", bytes) + "0]");
       }},
      {"deep objects", Job::tool_calls,
       [](std::size_t bytes) {
         const std::string deep = repeat("{\"\":", 511 * 4) + "0" + std::string(511, '}') + ",";
         return block("[" + repeat(deep, bytes) + "0]");
       }},
      {"one level too deep, over and over", Job::tool_calls,
       [](std::size_t bytes) { return repeat(block(std::string(513, '[')), bytes); }},
      {"small escapes", Job::tool_calls, string("\\n")},
      {"escapes of four digits", Job::tool_calls, string("\\u00e9")},
      {"half-surrogates", Job::tool_calls, string("\\ud83d\\ude00", "\\ud83d\"]")},
      {"a bad escape behind good ones", Job::tool_calls, string("\\n", "\\x\"]")},
      {"a bad byte behind good ones", Job::tool_calls, string("\xC3\xA4", "\xFF\"]")},
      {"a string that never ends", Job::tool_calls, string("a", "")},
      {"a huge integer", Job::tool_calls, [](std::size_t bytes) { return block(std::string(bytes, '7')); }},
      {"a huge fraction", Job::tool_calls,
       [](std::size_t bytes) { return block("0." + std::string(bytes, '0') + "1e9"); }},
      {"an array of ones", Job::tool_calls, list("1,")},
      {"an array of doubles", Job::tool_calls, list("1e9,")},
      {"an array of empty strings", Job::tool_calls, list("\"\",")},
      {"an array of empty arrays", Job::tool_calls, list("[],")},
      {"an array of objects", Job::tool_calls, list("{\"\":0},")},
      {"a trailing comma behind ones", Job::tool_calls,
       [](std::size_t bytes) { return block("[" + repeat("1,", bytes) + "]"); }},
      {"a bad word behind good ones", Job::tool_calls,
       [](std::size_t bytes) { return block("[" + repeat("true,", bytes) + "tru]"); }},
      {"a million keys in one object", Job::tool_calls,
       [](std::size_t bytes) { return one_object(bytes, number_key); }},
      {"a million keys in objects of 4,096", Job::tool_calls,
       [](std::size_t bytes) { return list_objects(bytes, number_key); }},
      {"a million equal keys in one object", Job::tool_calls,
       [](std::size_t bytes) { return one_object(bytes, equal_key); }},
      {"a million equal keys in objects of 4,096", Job::tool_calls,
       [](std::size_t bytes) { return list_objects(bytes, equal_key); }},
      {"keys that share a bucket", Job::tool_calls, build_colliding_reply},
      {"a million tags", Job::reading, [](std::size_t bytes) { return repeat("[emotion:a]", bytes) + "{}"; }},
      {"half-tags", Job::reading, [](std::size_t bytes) { return repeat("[emotion:", bytes) + "{}"; }},
      {"a tag that never ends", Job::reading,
       [](std::size_t bytes) { return "[emotion:" + std::string(bytes, 'a') + "{}"; }},
      {"braces", Job::reading, text("{")},
      {"no JSON, bytes that are not UTF-8", Job::reading,
       [](std::size_t bytes) { return "{" + repeat("\xFF", bytes); }},
  };
  return replies;
}

const WorstReply& find_worst_reply(std::string_view name) {
  for (const WorstReply& reply : list_worst_replies()) {
    if (reply.name == name) return reply;
  }
  throw std::runtime_error(fmt::format("There is no worst reply '{}'; --list names them.", name));
}

}  // namespace callfence::bench
