#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace callfence::bench {

/// What is asked of a reply: its calls, or its first object.
enum class Job { tool_calls, reading };

/// Replies of one kind, parsed one after the other, and the JSON in them. Made the same on every machine.
struct Workload {
  std::string name;
  Job job = Job::tool_calls;
  std::vector<std::string> replies;
  std::vector<std::string> bodies;  ///< Of the json blocks that are closed; for a reading, the object.
  std::size_t calls = 0;            ///< What every contender must find.
};

/// The names, in the order of the report.
std::vector<std::string_view> list_workloads();

/// Throws std::runtime_error where there is no such workload, or the corpus cannot be read.
Workload build_workload(std::string_view name);

/// The replies of corpus/replies, whole and in the order of their names.
std::vector<std::string> read_corpus();

std::size_t size_of(const std::vector<std::string>& texts);

/// A reply with one call whose args have so many members, of `bytes` bytes if there is room.
std::string build_call(std::size_t members, std::size_t bytes);

}  // namespace callfence::bench
