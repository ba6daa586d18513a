// Counts what callfence asks of the allocator: how often, and how many bytes are held at the most, the reply included.
// Of a worst reply, which is large, the bytes at the most are those of the machine's memory that its parse takes: what
// is asked for and never touched takes none. Prints a line for each workload and worst reply: kind, name, reply's
// bytes, allocations, bytes at the most.

#include <fmt/format.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <new>
#include <stdexcept>

#include "worst_replies.hpp"

namespace {

std::size_t allocations = 0;
std::size_t held = 0;
std::size_t held_at_most = 0;

void release(void* block) noexcept {
  if (block != nullptr) held -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  ++allocations;
  held += malloc_usable_size(block);  // What the block really takes.
  held_at_most = std::max(held_at_most, held);
  return block;
}
void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { release(block); }

namespace callfence::bench {
namespace {

void print_use(std::string_view kind, std::string_view name, Job job, const std::string& reply) {
  (void)find_emotion_tags("");  // RE2's pattern is compiled once in a process.
  const std::size_t before = held;
  allocations = 0;
  held_at_most = held;
  if (job == Job::reading) {
    const ReadingResult result = read_first_object(reply);
  } else {
    const std::vector<Entry> entries = parse_tool_calls(reply);
  }
  fmt::print("{}\t{}\t{}\t{}\t{}\n", kind, name, reply.size(), allocations, held_at_most - before + reply.size());
}

/// A figure of this process in bytes, such as VmRSS: what it has of the machine's memory now. VmHWM is the most so far.
std::size_t read_status(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stoul(line.substr(name.size() + 1)) * 1024;
  }
  throw std::runtime_error(fmt::format("/proc/self/status has no '{}'.", name));
}

/// In a process of its own, where nothing was freed before that could be taken again.
void print_resident(const WorstReply& worst, std::size_t bytes) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("Cannot start a process.");
  if (child > 0) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0)
      throw std::runtime_error(fmt::format("'{}' could not be measured.", worst.name));
    return;
  }
  const std::string reply = worst.build(bytes);
  (void)find_emotion_tags("");
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // VmHWM begins again.
  const std::size_t before = read_status("VmRSS");
  allocations = 0;
  if (worst.job == Job::reading) {
    const ReadingResult result = read_first_object(reply);
  } else {
    const std::vector<Entry> entries = parse_tool_calls(reply);
  }
  const std::size_t taken = std::max(read_status("VmHWM"), before) - before;
  fmt::print("worst\t{}\t{}\t{}\t{}\n", worst.name, reply.size(), allocations, taken + reply.size());
  std::fflush(stdout);
  std::_Exit(0);
}

void run(std::size_t worst_bytes) {
  for (const std::string_view name : list_workloads()) {
    const Workload workload = build_workload(name);
    for (const std::string& reply : workload.replies) print_use("workload", name, workload.job, reply);
  }
  for (const std::size_t members : {1U, 10U, 50U, 100U, 200U, 300U}) {
    print_use("members", std::to_string(members), Job::tool_calls, build_call(members, 4096));
  }
  for (const WorstReply& worst : list_worst_replies()) {
    print_resident(worst, worst_bytes);
  }
}

}  // namespace
}  // namespace callfence::bench

int main(int count, char** arguments) {
  std::size_t bytes = 1U << 20U;
  CLI::App app("Counts allocations and the bytes held at the most, of callfence alone.");
  app.add_option("--bytes", bytes, "The size of the worst replies")->capture_default_str();
  CLI11_PARSE(app, count, arguments);
  try {
    callfence::bench::run(bytes);
  } catch (const std::exception& error) {
    std::cerr << "callfence_bench_memory: " << error.what() << "\n";
    return 1;
  }
}
