// Times callfence and what it is compared with, with Google Benchmark, whose options come after our own. tools/bench
// runs this; by hand it is for one workload, and for a profiler.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "contenders.hpp"
#include "worst_replies.hpp"

namespace callfence::bench {
namespace {

struct Request {
  std::string workload;
  std::string worst;
  std::size_t bytes = 1U << 20U;
  bool first_job_only = false;
  bool list = false;
  std::string write;
  std::string records;
  std::size_t count = 14000;
};

void add(const std::string& name, const Contender& contender, std::size_t bytes) {
  benchmark::RegisterBenchmark(name.c_str(), [contender, bytes](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(contender.run());
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  });
}

void add_workload(const Workload& workload) {
  for (const Contender& contender : list_contenders(workload)) {
    const std::size_t found = contender.run();
    if (contender.counts && found != workload.calls) {
      throw std::runtime_error(
          fmt::format("'{}' finds {} calls in '{}', and callfence finds {}: times of different work "
                      "cannot be compared.",
                      contender.name, found, workload.name, workload.calls));
    }
    add(workload.name + "/" + std::string(contender.name), contender, size_of(workload.replies));
  }
}

std::ofstream open(const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("Cannot write '{}'.", path.string()));
  return file;
}

void close(std::ofstream& file, const std::filesystem::path& path) {
  file.close();
  if (!file) throw std::runtime_error(fmt::format("Cannot write all of '{}'.", path.string()));
}

/// A folder for each workload, with a file for each reply; prose of 64 MB is left out.
void write_replies(const std::filesystem::path& folder) {
  for (const std::string_view name : list_workloads()) {
    if (name == "prose 64 MB") continue;
    const Workload workload = build_workload(name);
    const std::filesystem::path place = folder / (workload.job == Job::reading ? "read" : "parse") / name;
    std::filesystem::create_directories(place);
    for (std::size_t i = 0; i < workload.replies.size(); ++i) {
      const std::filesystem::path path = place / fmt::format("{:03}.txt", i);
      std::ofstream file = open(path);
      file << workload.replies[i];
      close(file, path);
    }
  }
}

/// Records for `callfence batch`: the corpus, over and over.
void write_records(const std::string& path, std::size_t count) {
  const std::vector<std::string> corpus = read_corpus();
  std::ofstream file = open(path);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string reply = boost::json::serialize(boost::json::string(corpus[i % corpus.size()]));
    file << fmt::format(R"({{"id":{},"reply":{}}})", i, reply) << "\n";
  }
  close(file, path);
}

void print_names() {
  for (const std::string_view name : list_workloads()) fmt::print("workload\t{}\n", name);
  for (const WorstReply& worst : list_worst_replies()) fmt::print("worst\t{}\n", worst.name);
}

void run(const Request& request, std::vector<char*> arguments) {
  if (request.list) return print_names();
  if (!request.write.empty()) return write_replies(request.write);
  if (!request.records.empty()) return write_records(request.records, request.count);
  Workload workload;
  std::string reply;
  if (!request.workload.empty()) {
    workload = build_workload(request.workload);
    add_workload(workload);
  }
  if (!request.worst.empty()) {
    const WorstReply& worst = find_worst_reply(request.worst);
    reply = worst.build(request.bytes);
    for (const Contender& job : list_jobs(reply, worst.job)) {
      add(std::string(worst.name) + "/" + std::string(job.name), job, reply.size());
      if (request.first_job_only) break;
    }
  }
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) throw std::runtime_error("See --help.");
  benchmark::RunSpecifiedBenchmarks();
}

}  // namespace
}  // namespace callfence::bench

int main(int count, char** arguments) {
  callfence::bench::Request request;
  CLI::App app("Times callfence and what it is compared with. Other options are those of Google Benchmark.");
  app.allow_extras();
  app.add_option("--workload", request.workload, "What all are compared on; --list names them");
  app.add_option("--worst", request.worst, "A worst reply, on which callfence alone is timed");
  app.add_option("--bytes", request.bytes, "The size of the worst reply")->capture_default_str();
  app.add_flag("--first-job-only", request.first_job_only, "Of a worst reply, parse or read it and no more");
  app.add_flag("--list", request.list, "Print the names");
  app.add_option("--write", request.write, "Write the workloads' replies to this folder");
  app.add_option("--records", request.records, "Write records for 'callfence batch' to this file");
  app.add_option("--count", request.count, "How many")->capture_default_str();
  CLI11_PARSE(app, count, arguments);
  if (request.workload.empty() && request.worst.empty() && !request.list && request.write.empty() &&
      request.records.empty()) {
    std::cerr << "callfence_bench_times: What shall be timed? See --help.\n";
    return 2;
  }
  std::vector<std::string> extras = app.remaining();
  std::vector<char*> rest{arguments[0]};
  for (std::string& extra : extras) rest.push_back(extra.data());
  try {
    callfence::bench::run(request, rest);
  } catch (const std::exception& error) {
    std::cerr << "callfence_bench_times: " << error.what() << "\n";
    return 1;
  }
}
