#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Replies that are built, not parsed: each part is made so that the contract leaves one outcome for it. Also the
/// pieces that the mutator shares. It shares no code with parser/.
namespace callfence::fuzz {

/// Choices drawn from a seed. The standard's distributions differ between libraries, its engines do not, so that a seed
/// means the same reply everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t next() { return engine_(); }
  /// A number below `count`, which is at least 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  /// A number from `low` to `high`, both included.
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename Items>
  const auto& pick(const Items& items) {
    return items[below(items.size())];
  }

 private:
  std::mt19937_64 engine_;
};

/// What a json block of a built reply must give: a call where `reason` is empty, an error with that reason elsewhere.
struct BuiltEntry {
  std::size_t block = 0;
  std::string reason;
  std::string name;
  std::string args_text;
  bool has_args = false;
  std::size_t span_begin = 0;
  std::size_t span_end = 0;
  std::size_t body_begin = 0;
  std::size_t body_end = 0;
};

struct BuiltReply {
  std::string reply;
  std::vector<BuiltEntry> entries;
};

/// A reply of prose, other fences and json blocks, with the entries it was built to give under reference or strict
/// fences and the default limits. The same for the same arguments, on every platform.
BuiltReply build_reply(std::uint64_t seed, bool strict_fences);

/// The body of a json block, and what it gives. No line of it is white space and backticks only.
struct BuiltBody {
  std::string text;
  std::string reason;
  std::string name;
  std::string args_text;
  bool has_args = false;
};
BuiltBody build_body(Random& random);

/// A JSON value, nested no deeper than `depth`; a member of an object; both as written.
std::string build_value(Random& random, std::size_t depth);
std::string build_member(Random& random);

/// What no JSON text may hold: a token or a few in the place of a value, and in the place of a member.
std::string build_bad_value(Random& random);
std::string build_bad_member(Random& random);

/// One of the 28 code points that are white space (T2) and end no line, and bytes that only look like one.
std::string_view pick_white_space(Random& random);
std::string_view pick_look_alike(Random& random);

/// `json`, each letter in either case.
std::string build_json_tag(Random& random);

/// The line without its newline, which is prose under the fence rule, however close it comes to opening a fence.
std::string build_prose_line(Random& random, bool strict_fences);

}  // namespace callfence::fuzz
