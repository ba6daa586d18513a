#pragma once

#include <pthread.h>

#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <functional>
#include <string>

#include "print.hpp"
#include "support.hpp"

namespace callfence::test {

/// Runs `work` on a thread with that much stack.
inline void run_on_stack(std::size_t size, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_t thread{};
  const auto start = [](void* context) -> void* {
    (*static_cast<std::function<void()>*>(context))();
    return nullptr;
  };
  if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstacksize(&attributes, size) != 0 ||
      pthread_create(&thread, &attributes, start, &work) != 0 || pthread_join(thread, nullptr) != 0) {
    std::abort();
  }
  pthread_attr_destroy(&attributes);
}

/// A call whose body is nested `depth` deep (3 at least), in objects or in arrays.
inline std::string nested_call(std::size_t depth, bool objects) {
  const std::size_t inner = depth - 2;
  const std::string nest =
      objects ? repeat("{\"k\":", inner) + "1" + repeat("}", inner) : repeat("[", inner) + repeat("]", inner);
  return in_block("{\"name\":\"a\",\"args\":{\"k\":" + nest + "}}");
}

/// Decodes a reply of one block, copies, compares, prints and destroys what it gives. Whether all went as it must: the
/// block is a call or not, and what is printed is what was written.
inline bool live_with(const std::string& reply, bool is_call, const Options& options = {}) {
  const std::vector<Entry> entries = parse_tool_calls(reply, options);
  const std::vector<Entry> copy = entries;
  if (entries.size() != 1 || copy != entries || cli::print(copy.front()).empty()) return false;
  const auto* call = std::get_if<Call>(&copy.front());
  if (call != nullptr && boost::json::serialize(call->args) != *call->args_text) return false;
  return (call != nullptr) == is_call && find_notes(reply, options).empty();
}

}  // namespace callfence::test
