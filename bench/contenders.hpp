#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "workloads.hpp"

namespace callfence::bench {

/// Something that is timed on a workload. `run` returns how many calls it found, where `counts` says that it looks for
/// them at all.
struct Contender {
  std::string_view name;
  std::function<std::size_t()> run;
  bool counts = true;
};

/// What is compared on this workload: callfence first. `workload` must live as long.
std::vector<Contender> list_contenders(const Workload& workload);

/// callfence alone, for the worst replies: each way to ask for what is in one.
std::vector<Contender> list_jobs(std::string_view reply, Job job);

}  // namespace callfence::bench
