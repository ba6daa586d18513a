#include <gtest/gtest.h>
#include <pthread.h>

#include <boost/json/serialize.hpp>
#include <functional>
#include <thread>

#include "print.hpp"
#include "support.hpp"

namespace callfence {
namespace {

using test::repeat;

constexpr std::size_t stack_size = (test::is_sanitized ? 2048U : test::is_slow_build ? 512U : 256U) * 1024U;

/// Runs `work` on a thread with that much stack.
void run_on_stack(std::size_t size, std::function<void()> work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, size), 0);
  pthread_t thread{};
  const auto start = [](void* context) -> void* {
    (*static_cast<std::function<void()>*>(context))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, start, &work), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

/// A call whose body is nested `depth` deep, in objects or in arrays.
std::string nested_call(std::size_t depth, bool objects) {
  const std::size_t inner = depth - 2;
  const std::string nest =
      objects ? repeat("{\"k\":", inner) + "1" + repeat("}", inner) : repeat("[", inner) + repeat("]", inner);
  return test::in_block("{\"name\":\"a\",\"args\":{\"k\":" + nest + "}}");
}

/// Decodes, copies, compares, prints and destroys what a reply gives.
void live_with(const std::string& reply, bool is_call) {
  const std::vector<Entry> entries = parse_tool_calls(reply);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(std::holds_alternative<Call>(entries.front()), is_call);
  const std::vector<Entry> copy = entries;
  EXPECT_EQ(copy, entries);
  EXPECT_FALSE(cli::print(copy.front()).empty());
  if (const auto* call = std::get_if<Call>(&copy.front())) {
    EXPECT_EQ(boost::json::serialize(call->args), *call->args_text);
  }
  EXPECT_TRUE(find_notes(reply).empty());
}

TEST(Stack, J3_DepthAtTheLimitAndOverIsSafeOnASmallStack) {
  for (const bool objects : {false, true}) {
    run_on_stack(stack_size, [&] { live_with(nested_call(512, objects), true); });
    run_on_stack(stack_size, [&] { live_with(nested_call(513, objects), false); });
  }
  run_on_stack(stack_size, [] { live_with(test::in_block(repeat("[", 100000) + repeat("]", 100000)), false); });
}

std::string call_with_members(std::size_t count) {
  std::string members;
  for (std::size_t i = 0; i < count; ++i)
    members += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":" + std::to_string(i);
  return test::in_block("{\"name\":\"a\",\"args\":{" + members + "}}");
}

TEST(Stack, J8_MembersAtTheLimitAndOverAreSafeOnASmallStack) {
  run_on_stack(stack_size, [] { live_with(call_with_members(4096), true); });
  run_on_stack(stack_size, [] { live_with(call_with_members(4097), false); });
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
