// Shrinks a file to the smallest one on which the same property fails in the same way.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <unordered_set>

#include "files.hpp"
#include "findings.hpp"
#include "generator.hpp"
#include "lines.hpp"
#include "show.hpp"
#include "text.hpp"

namespace callfence::fuzz {
namespace {

constexpr unsigned wrong_use = 2;

/// What has to stay: a property that fails, under which options, and how.
struct Failure {
  Property property{};
  Rule rule;
  Outcome outcome = Outcome::does_not_hold;
  std::string cause;
};

std::string show_bytes(std::size_t count) { return show_count(count) + (count == 1 ? " byte" : " bytes"); }

std::string describe(const Failure& failure) {
  Judgement judgement;
  judgement.outcome = failure.outcome;
  const std::string cause = failure.cause.empty() ? "" : ": " + failure.cause;
  return fmt::format("'{}' ({}) {}{}", failure.property.name, failure.rule.name, name(judgement), cause);
}

std::optional<Failure> find_failure(std::string_view input, const std::vector<Rule>& rules,
                                    const std::vector<Property>& properties, const ApartLimits& limits) {
  for (const Rule& rule : rules) {
    for (const Property& property : properties) {
      const Judgement judgement = judge(property, input, rule.options, limits);
      if (is_bad(judgement.outcome)) return Failure{property, rule, judgement.outcome, judgement.run.cause};
    }
  }
  return std::nullopt;
}

/// Tries inputs and keeps the smallest that fails as the first one did.
class Minimizer {
 public:
  Minimizer(std::string input, Failure failure, ApartLimits limits, bool shows_progress)
      : best_(std::move(input)), failure_(std::move(failure)), limits_(limits), shows_progress_(shows_progress) {
    limits_.leaks = failure_.outcome == Outcome::crashes;
  }

  /// Until nothing more can be taken away or made simpler.
  void run() {
    for (std::string before; before != best_;) {
      before = best_;
      remove_lines();
      remove_blocks();
      remove_pairs_of_lines();
      remove_tokens();
      remove_bytes();
      simplify_runs();
      simplify_bytes();
    }
    if (shows_progress_) fmt::print(stderr, "\r\033[K");
  }

  [[nodiscard]] const std::string& best() const { return best_; }
  [[nodiscard]] std::size_t tried() const { return tried_; }

 private:
  /// Whether `candidate` fails in the same way; then it is the best so far.
  bool take(std::string candidate) {
    if (candidate.size() <= longest_remembered && !seen_.insert(candidate).second) return false;
    ++tried_;
    show_progress();
    const Judgement judgement = judge(failure_.property, candidate, failure_.rule.options, limits_);
    if (judgement.outcome != failure_.outcome || judgement.run.cause != failure_.cause) return false;
    best_ = std::move(candidate);
    return true;
  }

  bool take_without(std::size_t begin, std::size_t end) { return take(best_.substr(0, begin) + best_.substr(end)); }

  bool take_without(std::size_t begin, std::size_t end, std::size_t other_begin, std::size_t other_end) {
    return take(best_.substr(0, begin) + best_.substr(end, other_begin - end) + best_.substr(other_end));
  }

  void show_progress() {
    using Clock = std::chrono::steady_clock;
    if (!shows_progress_ || Clock::now() < next_line_) return;
    next_line_ = Clock::now() + std::chrono::milliseconds(100);
    fmt::print(stderr, "\r\033[K{} left, {} inputs tried", show_bytes(best_.size()), show_count(tried_));
  }

  /// Removes runs of lines: half of them, a quarter, down to one.
  void remove_lines() {
    for (std::size_t size = std::max<std::size_t>(line_begins().size() / 2, 1); size > 0; size /= 2) {
      for (std::size_t first = 0;;) {
        const std::vector<std::size_t> begins = line_begins();
        if (first + 1 >= begins.size()) break;
        const std::size_t last = std::min(first + size, begins.size() - 1);
        if (!take_without(begins[first], begins[last])) first += size;
      }
    }
  }

  /// An opening and its closing line: neither goes without the other.
  void remove_pairs_of_lines() {
    constexpr std::size_t most = 64;
    for (std::size_t i = 0; line_begins().size() <= most && i + 1 < line_begins().size(); ++i) {
      for (std::size_t j = i + 1; j + 1 < line_begins().size(); ++j) {
        const std::vector<std::size_t> begins = line_begins();
        if (take_without(begins[i], begins[i + 1], begins[j], begins[j + 1])) j = i;
      }
    }
  }

  /// Removes blocks of bytes: half of them, a quarter, down to two.
  void remove_blocks() {
    for (std::size_t size = best_.size() / 2; size > 1; size /= 2) {
      for (std::size_t begin = 0; begin < best_.size();) {
        if (!take_without(begin, std::min(begin + size, best_.size()))) begin += size;
      }
    }
  }

  /// Removes each byte that can go, until none can: what is left is 1-minimal.
  void remove_bytes() {
    for (std::size_t before = best_.size() + 1; before != best_.size();) {
      before = best_.size();
      for (std::size_t at = 0; at < best_.size();) {
        if (!take_without(at, at + 1)) ++at;
      }
    }
  }

  /// Removes runs of tokens, such as a member with its comma, and brackets that belong together.
  void remove_tokens() {
    constexpr std::size_t most = 4000;
    for (std::size_t length = 12; length > 0; --length) {
      for (std::size_t first = 0;;) {
        const std::vector<std::size_t> begins = token_begins();
        if (begins.size() > most || first + length >= begins.size()) break;
        if (!take_without(begins[first], begins[first + length])) ++first;
      }
    }
    for (std::size_t at = 0; at < best_.size(); ++at) {
      const std::size_t other = closing_of(at);
      if (other == npos) continue;
      if (take_without(at, other + 1) || take_without(at, at + 1, other, other + 1)) --at;
      if (at == npos) at = 0;
    }
  }

  /// Makes runs of letters, digits, white space or other bytes simple, each at one go.
  void simplify_runs() {
    for (std::size_t begin = 0, end = 0; begin < best_.size(); begin = end) {
      end = begin;
      while (end < best_.size() && rank_of(best_[end]) / 10 == rank_of(best_[begin]) / 10) ++end;
      std::string candidate = best_;
      for (std::size_t at = begin; at < end; ++at) candidate[at] = simple_of(best_[at]).front();
      if (candidate != best_) take(std::move(candidate));
    }
  }

  void simplify_bytes() {
    for (std::size_t at = 0; at < best_.size(); ++at) {
      for (const char simple : simple_of(best_[at])) {
        if (rank_of(simple) >= rank_of(best_[at])) continue;
        std::string candidate = best_;
        candidate[at] = simple;
        if (take(std::move(candidate))) break;
      }
    }
  }

  /// How simple a byte is, the simplest first; the tens tell its kind. Only what has a lower rank takes a byte's place,
  /// so that this comes to an end.
  static int rank_of(char byte) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == 'a') return 0;
    if (byte == 'A') return 1;
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')) return 2;
    if (byte == '0') return 10;
    if (byte == '1') return 11;
    if (byte >= '2' && byte <= '9') return 12;
    if (byte == ' ') return 20;
    if (byte == '\t' || byte == '\r') return 21;
    if (byte == '\n') return 22;
    return code > 0x20 && code < 0x7F ? 30 : 40;
  }

  /// What may take a byte's place; the first is for a whole run of its kind.
  static std::string_view simple_of(char byte) {
    constexpr std::array<std::string_view, 5> simple{"aA", "0a", " a", "a0 ", "a0 "};
    return simple.at(static_cast<std::size_t>(rank_of(byte)) / 10);
  }

  /// Where each line begins, and the end.
  [[nodiscard]] std::vector<std::size_t> line_begins() const {
    std::vector<std::size_t> begins;
    for_each_line(best_, [&](std::string_view, std::size_t begin) { begins.push_back(begin); });
    begins.push_back(best_.size());
    return begins;
  }

  /// Where each word, number, run of backticks or single byte begins, and the end.
  [[nodiscard]] std::vector<std::size_t> token_begins() const {
    const auto kind = [](char byte) { return byte == '`' ? -1 : byte == '_' ? 0 : rank_of(byte) / 10; };
    std::vector<std::size_t> begins;
    for (std::size_t at = 0; at < best_.size(); ++at) {
      const int now = kind(best_[at]);
      if (at == 0 || now == 3 || now != kind(best_[at - 1])) begins.push_back(at);
    }
    begins.push_back(best_.size());
    return begins;
  }

  /// The bracket or quote that belongs to the one at `at`, or npos.
  [[nodiscard]] std::size_t closing_of(std::size_t at) const {
    constexpr std::string_view opening = "{[\"";
    constexpr std::string_view closing = "}]\"";
    const std::size_t kind = opening.find(best_[at]);
    if (kind == npos) return npos;
    if (opening[kind] == closing[kind]) return best_.find(closing[kind], at + 1);
    std::size_t depth = 0;
    for (std::size_t i = at; i < best_.size(); ++i) {
      if (best_[i] == opening[kind]) ++depth;
      if (best_[i] == closing[kind] && --depth == 0) return i;
    }
    return npos;
  }

  static constexpr std::size_t longest_remembered = 1 << 14;

  std::string best_;
  Failure failure_;
  ApartLimits limits_;
  bool shows_progress_;
  std::size_t tried_ = 0;
  std::chrono::steady_clock::time_point next_line_;
  std::unordered_set<std::string> seen_;
};

struct Request {
  std::string file;
  std::string out;
  std::vector<std::string> properties;
  AskedOptions options;
  ApartLimits limits;
};

/// Writes beside `path` first, so that it is never there in part.
void write_file(const std::string& path, std::string_view bytes) {
  const std::string part = path + ".part";
  const auto fail = [&](const char* what) {
    return cli::ToolError(fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno)));
  };
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) throw fail("write");
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (std::fclose(file) == 0 && written && std::rename(part.c_str(), path.c_str()) == 0) return;
  const cli::ToolError error = fail("write");
  std::remove(part.c_str());
  throw error;  // NOLINT(misc-throw-by-value-catch-by-reference,cert-err09-cpp): errno is of before the remove
}

void check_out(const Request& request) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (request.file != "-" && fs::equivalent(request.file, request.out, error)) {
    throw cli::ToolError(fmt::format("'{}' is the input itself, which is never written over", request.out));
  }
  if (fs::is_directory(request.out, error)) throw cli::ToolError(fmt::format("'{}' is a folder", request.out));
  const fs::file_status there = fs::symlink_status(request.out, error);  // What is written takes its place.
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    throw cli::ToolError(fmt::format("'{}' is no regular file, and would be replaced", request.out));
  }
}

/// For by-construction an input is only a seed, and a smaller one means another reply: what is built from it is
/// minimized instead, where another property fails on it. True where one does.
bool go_to_built_reply(std::string& input, std::optional<Failure>& failure, const Request& request) {
  const std::vector<Property> properties = choose_properties({});
  for (const bool strict : {false, true}) {
    std::string built = build_reply(seed_for(input), strict).reply;
    const Options& options = both_fence_rules().at(strict ? 1 : 0);
    auto found = find_failure(built, {{strict ? "strict" : "reference", options}}, properties, request.limits);
    if (!found || std::string_view(found->property.name) == "by-construction") continue;
    failure = std::move(found);
    input = std::move(built);
    return true;
  }
  return false;
}

int minimize(const Request& request) {
  std::string input = cli::Input(request.file).read_all();
  const std::size_t before = input.size();
  auto failure =
      find_failure(input, rules_for(input, request.options), choose_properties(request.properties), request.limits);
  if (!failure) {
    const char* what =
        request.properties.empty() ? "no property fails on it" : "what was asked for does not fail on it";
    warn("minimize", fmt::format("'{}': {}, so there is nothing to minimize", request.file, what));
    return 1;
  }
  fmt::print("{}: {}, {}\n", show_text(request.file), show_bytes(before), describe(*failure));
  if (std::string_view(failure->property.name) == "by-construction") {
    if (!go_to_built_reply(input, failure, request)) {
      warn("minimize",
           "for by-construction a file is only a seed, and on the reply that is built from it no other "
           "property fails; tools/reproduce shows that reply, and --built prints it");
      return 1;
    }
    fmt::print("That is a seed; the reply that is built from it has {}, and {}\n", show_bytes(input.size()),
               describe(*failure));
  }
  std::fflush(stdout);

  Minimizer minimizer(std::move(input), *failure, request.limits, ::isatty(STDERR_FILENO) == 1);
  minimizer.run();
  write_file(request.out, minimizer.best());
  fmt::print("{}: {}, the same ({} inputs tried)\n{}", show_text(request.out), show_bytes(minimizer.best().size()),
             show_count(minimizer.tried()), show_reply(minimizer.best(), false));
  const std::string options = print_options(failure->rule.options);
  const bool is_plain = options.empty() || options == "--fences=strict";
  const std::string out = quote_file(request.out);
  if (is_plain) {
    fmt::print("Next: tools/reproduce {0}, and once the fault is mended: tools/regress {0} --name NAME --why \"...\"\n",
               out);
  } else {
    fmt::print(
        "It fails under {0} and perhaps under nothing else; a regression case cannot hold that, a test can.\n"
        "Next: tools/reproduce {0} {1}\n",
        options, out);
  }
  return 0;
}

constexpr const char* footer =
    R"(The first property that fails is the one that has to keep failing, under the same options and in the same way (for a crash,
by the same signal or sanitizer finding). Lines are removed first, then blocks of bytes, tokens and single bytes; what is left
is made simpler byte by byte. No single byte of the result can be removed. The same input gives the same result.

Exit code: 0 minimized, also where nothing could go; 1 no property fails; 2 wrong use, or a file cannot be read or written.)";

int run(int argc, char** argv) {
  Request request;
  request.limits.seconds = 10;
  CLI::App app("Shrinks FILE to the smallest input on which the same property fails.", "minimize");
  app.add_option("FILE", request.file, "an input on which a property fails; - for standard input")
      ->required()
      ->type_name("");
  app.add_option("-o,--out", request.out, "where the result goes (FILE.min)")->type_name("OUT");
  app.add_option("--property", request.properties, "this property, and not the first that fails")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--timeout", request.limits.seconds, "seconds for a property, more of which is a hang (10)")
      ->check(CLI::Range(1U, 1000000U).description(""))
      ->type_name("S");
  app.add_option("--memory", request.limits.megabytes, "megabytes for a property (2048); not under sanitizers")
      ->check(CLI::Range(64U, 1000000U).description(""))
      ->type_name("MB");
  add_options(app, request.options);
  app.footer(footer);
  try {
    parse_arguments(app, argc, argv);
    choose_properties(request.properties);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    warn("minimize", fmt::format("{} (see --help)", error.what()));
    return wrong_use;
  }
  if (app.count("--out") > 0 && request.out.empty()) throw cli::ToolError("--out takes the name of a file");
  if (request.out.empty() && request.file == "-") throw cli::ToolError("standard input needs -o OUT for the result");
  if (request.out.empty()) request.out = request.file + ".min";
  check_out(request);
  return minimize(request);
}

}  // namespace
}  // namespace callfence::fuzz

int main(int argc, char** argv) { return callfence::fuzz::run_tool("minimize", callfence::fuzz::run, argc, argv); }
