#include <gtest/gtest.h>

#include <thread>

#include "live.hpp"

namespace callfence {
namespace {

using test::live_with;
using test::nested_call;
using test::repeat;
using test::run_on_stack;

constexpr std::size_t stack_size = std::size_t{1024} * (test::is_sanitized ? 2048 : test::is_slow_build ? 512 : 256);

TEST(Stack, J3_DepthAtTheLimitAndOverIsSafeOnASmallStack) {
  for (const bool objects : {false, true}) {
    run_on_stack(stack_size, [&] { EXPECT_TRUE(live_with(nested_call(512, objects), true)); });
    run_on_stack(stack_size, [&] { EXPECT_TRUE(live_with(nested_call(513, objects), false)); });
  }
  run_on_stack(stack_size,
               [] { EXPECT_TRUE(live_with(test::in_block(repeat("[", 100000) + repeat("]", 100000)), false)); });
}

std::string call_with_members(std::size_t count) {
  std::string members;
  for (std::size_t i = 0; i < count; ++i)
    members += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":" + std::to_string(i);
  return test::in_block("{\"name\":\"a\",\"args\":{" + members + "}}");
}

TEST(Stack, J8_MembersAtTheLimitAndOverAreSafeOnASmallStack) {
  run_on_stack(stack_size, [] { EXPECT_TRUE(live_with(call_with_members(4096), true)); });
  run_on_stack(stack_size, [] { EXPECT_TRUE(live_with(call_with_members(4097), false)); });
}

TEST(Stack, R3_ReadingsAtTheLimitAndOverAreSafeOnASmallStack) {
  for (const std::size_t depth : {512U, 513U, 100000U}) {
    run_on_stack(stack_size, [depth] {
      const ReadingResult result = read_first_object(repeat("{\"k\":", depth - 1) + "{" + repeat("}", depth));
      EXPECT_EQ(std::holds_alternative<Reading>(result), depth == 512);
    });
  }
}

TEST(Threads, MayParseAtTheSameTime) {
  const std::string reply =
      "[emotion:a] x\n" + nested_call(100, true) + "```py\n" + test::in_block("{\"name\":\"b\",}");
  const std::vector<Entry> entries = parse_tool_calls(reply);
  const std::string reading = test::print_reading(reply);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        EXPECT_EQ(parse_tool_calls(reply), entries);
        EXPECT_EQ(test::print_reading(reply), reading);
        EXPECT_EQ(strip_emotion_tags("a[emotion:b]c"), "ac");
        EXPECT_EQ(find_notes(reply).size(), 1U);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace callfence
