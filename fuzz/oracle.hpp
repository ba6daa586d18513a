#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// A second reading of a reply by the contract, naive on purpose: lines are split, a state is kept, JSON is decoded by
/// another library, and what that library does otherwise is dealt with beside it. It shares no code with parser/.
namespace callfence::oracle {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct Value;
using Array = std::vector<Value>;
/// In order of first appearance; of equal keys the last value.
using Object = std::vector<std::pair<std::string, Value>>;

/// A JSON value. Integers of the 64-bit types are kept as such (J5), other numbers are doubles (J6).
struct Value {
  using Data = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

  Value() = default;
  Value(Data from) : data(std::move(from)) {}
  Value(const Value&) = default;
  Value(Value&&) noexcept = default;
  Value& operator=(const Value&) = default;
  Value& operator=(Value&&) noexcept = default;
  ~Value();  // Not recursive: sanitizers without optimisation need megabytes of stack for 4,096 levels.

  Data data;
};

struct Limits {
  std::size_t max_depth = 512;
  std::size_t max_members = 4096;
};

struct Rules {
  bool strict_fences = false;
  bool tags_everywhere = false;
  Limits limits;
  std::string name_key = "name";
  std::string args_key = "args";
};

/// A call where `reason` is empty, an error with that reason elsewhere.
struct Entry {
  std::size_t block = 0;
  std::string reason;
  std::string name;
  Object args;
  bool has_args = false;
  std::string args_text;
  Span span;
  Span body;
};

struct Note {
  int rule = 0;  // 1 to 7: N1 to N7
  Span span;
};

struct Tag {
  std::string emotion;
  Span span;
};

/// What a reading gives: an object, or one of the errors "had no JSON object" and "was not valid JSON".
struct Reading {
  std::string error;
  Object object;
  std::string text;
  Span span;
  std::vector<Tag> emotions;
};

/// Whether `text` is JSON by rules J, and its value.
bool decode(std::string_view text, const Limits& limits, Value& value);

std::vector<Entry> parse(std::string_view reply, const Rules& rules = {});
std::vector<Note> find_notes(std::string_view reply, const Rules& rules = {});
std::vector<Tag> find_tags(std::string_view text);
std::string strip_tags(std::string_view text);
Reading read(std::string_view reply, const Rules& rules = {});

/// Values, entries, notes and readings in one form, to compare and to show: numbers with their type, doubles to the
/// bit.
std::string print(const Value& value);
std::string print(const Entry& entry);
std::string print(const Note& note);
std::string print(const Reading& reading);

}  // namespace callfence::oracle
