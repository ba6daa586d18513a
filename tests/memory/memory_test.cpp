// This program's own operator new counts what is asked of it and can be made to fail.

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

#include "support.hpp"

namespace {

constexpr std::size_t never = static_cast<std::size_t>(-1);
std::atomic<std::size_t> allocations_left{never};
std::atomic<std::size_t> bytes_asked{0};
std::atomic<long> blocks_held{0};
std::atomic<std::size_t> bytes_held{0};

void* allocate(std::size_t size) {
  if (allocations_left.load() != never && allocations_left.fetch_sub(1) == 0) {
    allocations_left = 0;  // This one fails, and all that follow.
    throw std::bad_alloc();
  }
  bytes_asked += size;
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  ++blocks_held;
  bytes_held += ::malloc_usable_size(block);
  return block;
}

void release(void* block) noexcept {
  if (block != nullptr) --blocks_held;
  bytes_held -= ::malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }

namespace callfence {
namespace {

using test::in_block;
using test::repeat;

/// Runs `work` with the first allocation failing, then with the second, and so on until none fails. Each time the only
/// exception is std::bad_alloc, and nothing stays allocated. Returns the number of allocations that were made to fail.
std::size_t fail_each_allocation(const std::function<void()>& work) {
  for (std::size_t count = 0;; ++count) {
    const long before = blocks_held;
    bool done = false;
    allocations_left = count;
    try {
      work();
      done = true;
    } catch (const std::bad_alloc&) {
    }
    allocations_left = never;
    EXPECT_EQ(blocks_held, before) << "at allocation " << count;
    if (done) return count;
  }
}

const std::string& rich_reply() {
  static const std::string reply =
      "[emotion:happy] Well:\n> ```json\n" +
      in_block(R"({"name":"a long name that needs the heap","args":{"list":[1,2.5,"\u00e9 and a good deal more text",)"
               R"({"deep":{"deeper":[true,null]}}],"list":2e400}})") +
      in_block(R"({"name":"x","arguments":{"a":1,"a":2}})") + in_block("{\"name\": \"caf\xC3\xA9\", oops}") +
      in_block("[1]") + in_block(R"({"name":"b","args":null})") + in_block("\"a\\ud83d\"") +
      "```py\n```json\n```\n```json\n{\"name\":";
  return reply;
}

TEST(Memory, T9_AFailedAllocationThrowsBadAllocAndLeaksNothing) {
  static_cast<void>(find_emotion_tags("[emotion:warm]"));  // RE2 compiles its pattern here, once.
  const std::string& reply = rich_reply();
  const std::string half = reply.substr(0, reply.size() / 2);
  const Options strict = test::strict_fences();
  const Options everywhere = test::tags_everywhere();
  EXPECT_GT(fail_each_allocation([&] { static_cast<void>(parse_tool_calls(reply)); }), 30U);
  EXPECT_GT(fail_each_allocation([&] { static_cast<void>(parse_tool_calls(reply, strict)); }), 20U);
  EXPECT_GT(fail_each_allocation([&] { static_cast<void>(find_notes(reply)); }), 50U);
  EXPECT_GT(fail_each_allocation([&] { static_cast<void>(find_prose(reply)); }), 2U);
  EXPECT_GT(fail_each_allocation([&] { static_cast<void>(read_first_object(reply)); }), 10U);
  EXPECT_GT(fail_each_allocation([&] { static_cast<void>(read_first_object(reply, everywhere)); }), 10U);
  EXPECT_GT(fail_each_allocation([&] { static_cast<void>(read_first_object("[emotion:x]{\"a\":tru}", everywhere)); }),
            2U);
  EXPECT_GT(fail_each_allocation([&] { static_cast<void>(strip_emotion_tags(reply)); }), 0U);
  EXPECT_GT(fail_each_allocation([&] {
              ToolCallStream stream(strict);
              static_cast<void>(stream.feed(half));
              static_cast<void>(stream.feed(std::string_view(reply).substr(half.size())));
              static_cast<void>(stream.finish());
            }),
            30U);
  EXPECT_GT(fail_each_allocation([&] {
              for (const Entry& entry : parse_tool_calls(reply)) {
                if (const auto* error = std::get_if<Error>(&entry)) static_cast<void>(to_string(*error, Form::full));
              }
            }),
            60U);
  EXPECT_GT(fail_each_allocation([&] {
              static_cast<void>(make_options({.name_key = "a name longer than any small string", .args_key = "x"}));
            }),
            0U);
}

TEST(Memory, T10_AReplyWithoutBlocksAllocatesNothing) {
  const std::string reply = repeat("Some prose with `code`.\n- a list\n```py\nx = 1\n```\n", 1000);
  const std::size_t before = bytes_asked;
  const std::vector<Entry> entries = parse_tool_calls(reply);
  EXPECT_EQ(bytes_asked, before);
  EXPECT_TRUE(entries.empty());
}

TEST(Memory, AStreamKeepsTheOpenBlockAndTheUnfinishedLineOnly) {
  constexpr std::size_t much = 10'000'000;
  constexpr std::size_t little = 200'000;
  const std::size_t before = bytes_held;
  ToolCallStream stream;
  EXPECT_TRUE(stream.feed(repeat("some prose\n", 1'000'000)).empty());
  EXPECT_LT(bytes_held - before, little) << "prose that has ended is not kept";
  EXPECT_TRUE(stream.feed(std::string(much, 'x')).empty());
  EXPECT_TRUE(stream.feed("\n").empty());
  EXPECT_LT(bytes_held - before, little) << "nor is the room of a long line";
  EXPECT_EQ(stream.feed("```json\n" + std::string(much, ' ') + "\n```\n").size(), 1U);
  EXPECT_LT(bytes_held - before, little) << "nor that of a long block";
  EXPECT_TRUE(stream.feed("```py\n" + repeat("code\n", 1'000'000)).empty());
  EXPECT_LT(bytes_held - before, little) << "nor what is in another fence";
}

/// The bytes that `work` asks for.
std::size_t bytes_of(const std::function<void()>& work) {
  const std::size_t before = bytes_asked;
  work();
  return bytes_asked - before;
}

struct Growth {
  const char* name;
  std::function<std::string(std::size_t)> make;
};

/// Replies of about `size` bytes that try to make a parser do more than its share.
std::vector<Growth> list_growths() {
  const auto fill = [](std::string_view front, std::string_view unit, std::string_view back = "") {
    return [=](std::size_t size) { return std::string(front) + repeat(unit, size / unit.size()) + std::string(back); };
  };
  return {
      {"backticks", fill("", "`")},
      {"a backtick on every line", fill("", "`\n")},
      {"white space before backticks", fill("", "     \xE3\x80\x80```\n")},
      {"openings", fill("", "```json\n")},
      {"empty blocks", fill("", "```json\n```\n")},
      {"small calls", fill("", "```json\n{\"name\":\"a\"}\n```\n")},
      {"open brackets", fill("```json\n", "[", "\n```")},
      {"deep objects", fill("```json\n", "{\"a\":", "\n```")},
      {"one string of escapes", fill("```json\n{\"name\":\"", "\\u00e9", "\"}\n```")},
      {"one bad string of escapes", fill("```json\n{\"name\":\"", "\\u00e9", "\\q\"}\n```")},
      {"one huge number", fill("```json\n{\"name\":\"a\",\"args\":{\"n\":", "9", "}}\n```")},
      {"equal keys", fill("```json\n{\"name\":\"a\",\"args\":{", "\"a\":1,", "\"b\":1}}\n```")},
      {"small objects", fill("```json\n{\"name\":\"a\",\"args\":{\"l\":[", "{\"a\":1},", "1]}}\n```")},
      {"tags", fill("{", "[emotion:a]", "}")},
      {"half tags", fill("{}", "[emotion:")},
      {"half surrogates", fill("```json\n\"", "\\ud83d", "\"\n```")},
  };
}

TEST(Memory, T10_GrowsNoFasterThanTheReply) {
  for (const Growth& growth : list_growths()) {
    std::vector<std::size_t> bytes;
    for (const std::size_t size : {std::size_t{1} << 16U, std::size_t{1} << 17U}) {
      const std::string reply = growth.make(size);
      bytes.push_back(bytes_of([&] {
        static_cast<void>(parse_tool_calls(reply));
        static_cast<void>(find_notes(reply));
        static_cast<void>(read_first_object(reply));
        static_cast<void>(read_first_object(reply, test::tags_everywhere()));
      }));
    }
    EXPECT_LE(static_cast<double>(bytes[1]), 2.1 * static_cast<double>(bytes[0]) + 4096) << growth.name;
  }
}

}  // namespace
}  // namespace callfence
