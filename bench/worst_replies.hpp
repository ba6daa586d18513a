#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads.hpp"

namespace callfence::bench {

/// A kind of reply that costs the most that we could find, of any size.
struct WorstReply {
  std::string_view name;
  Job job = Job::tool_calls;
  std::function<std::string(std::size_t bytes)> build;
};

const std::vector<WorstReply>& list_worst_replies();

/// Throws std::runtime_error where there is none of that name.
const WorstReply& find_worst_reply(std::string_view name);

}  // namespace callfence::bench
