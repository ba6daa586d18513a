// Says of each file what every property makes of it, where parser and oracle part, and what the reply looks like line
// by line. Each property runs in a process of its own, so that a crash is a verdict too.

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <optional>

#include "answers.hpp"
#include "digest.hpp"
#include "files.hpp"
#include "findings.hpp"
#include "generator.hpp"
#include "lines.hpp"
#include "show.hpp"
#include "text.hpp"

namespace callfence::fuzz {
namespace {

constexpr unsigned seconds_for_long_inputs = 10;
constexpr std::size_t cell = 22;

struct Request {
  std::vector<std::string> files;
  std::vector<std::string> properties;
  AskedOptions options;
  ApartLimits limits;
  bool full = false;
  bool digest = false;
  std::string answers;
  std::string built;
};

/// What has become of a file, the worst last.
enum class Result { holds, not_finished, does_not_hold };

/// The width of the terminal, or of the lines in a log.
std::size_t width_of_output() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");  // NOLINT(concurrency-mt-unsafe): before any thread
  std::size_t width = 0;
  const std::string_view text = columns != nullptr ? columns : "";
  std::from_chars(text.data(), text.data() + text.size(), width);
  return width >= 60 && width <= 1000 ? width : 120;
}

std::string indent(std::string_view text) {
  std::string indented;
  for_each_line(text,
                [&](std::string_view line, std::size_t) { indented += fmt::format("    {}\n", show_text(line)); });
  return indented;
}

/// What a program printed before it crashed: the last lines, since sanitizers print many.
std::string show_log(std::string_view log, bool full) {
  constexpr std::size_t most = 40;
  const auto lines = static_cast<std::size_t>(std::count(log.begin(), log.end(), '\n'));
  if (full || lines <= most) return indent(log);
  std::size_t end = 0;
  for (std::size_t i = 0; i < most; ++i) end = log.find('\n', end) + 1;
  return indent(log.substr(0, end)) + fmt::format("    … {} more lines (--full shows them) …\n", lines - most);
}

/// Says all that is wrong where a judgement is bad.
std::string explain(const Judgement& judgement, const Property& property, const Rule& rule, const Request& request) {
  const std::string where = fmt::format("{} ({}) {}", property.name, rule.name, name(judgement));
  switch (judgement.outcome) {
    case Outcome::crashes:
      return fmt::format("{}: {}\n{}", where, judgement.run.cause, show_log(judgement.run.log, request.full));
    case Outcome::hangs: return fmt::format("{}: more than {} s\n", where, request.limits.seconds);
    case Outcome::takes_too_much_memory: return fmt::format("{}: more than {} MB\n", where, request.limits.megabytes);
    default: break;
  }
  const std::string_view property_name = property.name;
  const bool two_readers = property_name == "oracle" || property_name == "notes" || property_name == "reading" ||
                           property_name == "decode" || property_name == "tags";
  const Sides sides{two_readers ? "parser" : "ours", judgement.finding.ours, two_readers ? "oracle" : "theirs",
                    judgement.finding.theirs};
  return fmt::format("{}:\n{}", where, show_sides(sides, width_of_output(), request.full));
}

/// The replies that by-construction builds from an input, with where they fail to be read.
std::string show_built(std::string_view input, bool full) {
  std::string shown;
  for (const bool strict : {false, true}) {
    const std::string reply = build_reply(seed_for(input), strict).reply;
    const char* rule = strict ? "strict" : "reference";
    shown += fmt::format(
        "For by-construction the input is a seed. What is built from it for {} fences ({} bytes; --built={} "
        "prints it):\n{}",
        rule, reply.size(), rule, show_reply(reply, full));
  }
  return shown;
}

/// One file's judgements: a row for each property, a column for each rule, then what is wrong.
class Table {
 public:
  Table(std::string_view input, const Request& request) : input_(input), request_(request) {
    limits_ = request.limits;
    rules_ = rules_for(input, request.options);
  }

  Result run() {
    fmt::print("\n{:<16}", "");
    for (const Rule& rule : rules_) print_cell(rule.name, rule);
    for (const Property& property : choose_properties(request_.properties)) run_row(property);
    for (const Rule& rule : rules_) {
      const std::string options = print_options(rule.options);
      if (rule.name != "reference" && rule.name != "strict")
        fmt::print("({}: {})\n", rule.name, options.empty() ? "the defaults" : options);
    }
    fmt::print("{}{}", explanations_.empty() ? "" : "\n", explanations_);
    return result_;
  }

 private:
  void run_row(const Property& property) {
    fmt::print("{:<16}", property.name);
    bool finishes = true;
    std::string last;
    for (const Rule& rule : rules_) {
      std::string text = "not tried";
      if (finishes) {
        const Judgement judgement = judge(property, input_, rule.options, limits_);
        finishes = judgement.outcome != Outcome::not_finished;
        text = name(judgement);
        if (!finishes) {
          text += judgement.run.ending == Ending::out_of_time ? fmt::format(", {} s", limits_.seconds)
                                                              : fmt::format(", {} MB", limits_.megabytes);
        } else if (judgement.run.seconds > 1)
          text += fmt::format(" ({:.1f} s)", judgement.run.seconds);
        note(judgement, property, rule, last);
      }
      print_cell(text, rule);
    }
  }

  void print_cell(const std::string& text, const Rule& rule) {
    const bool is_last = &rule == &rules_.back();
    fmt::print("{:<{}}{}", text, is_last ? 0 : cell, is_last ? "\n" : "");
    std::fflush(stdout);
  }

  void note(const Judgement& judgement, const Property& property, const Rule& rule, std::string& last) {
    if (judgement.outcome == Outcome::not_finished) result_ = std::max(result_, Result::not_finished);
    if (!is_bad(judgement.outcome)) return;
    result_ = Result::does_not_hold;
    const std::string sides = judgement.finding.ours + '\0' + judgement.finding.theirs + judgement.run.cause;
    if (sides == last) {
      explanations_ += fmt::format("{} ({}) {}, in the same way\n", property.name, rule.name, name(judgement));
      return;
    }
    explanations_ += explain(judgement, property, rule, request_);
    if (last.empty() && std::string_view(property.name) == "by-construction") {
      explanations_ += show_built(input_, request_.full);
    }
    last = sides;
  }

  std::string_view input_;
  const Request& request_;
  ApartLimits limits_;
  std::vector<Rule> rules_;
  std::string explanations_;
  Result result_ = Result::holds;
};

/// What the work says, or why it says nothing.
std::string try_apart(const std::function<std::string()>& work, const ApartLimits& limits) {
  const ApartRun run = run_apart(work, limits);
  switch (run.ending) {
    case Ending::finished: return run.result;
    case Ending::crashed: return fmt::format("none, since the parser crashes: {}\n", run.cause);
    case Ending::out_of_time: return fmt::format("not finished in {} s\n", limits.seconds);
    case Ending::out_of_memory: break;
  }
  return fmt::format("not finished in {} MB\n", limits.megabytes);
}

/// The entries under reference fences, shortened, and in how many lines more there is more.
std::string show_answers(std::string_view input, bool full) {
  constexpr std::size_t most = 20;
  std::string shown;
  std::size_t count = 0;
  const std::string answers = list_answers(input, Side::parser);
  for_each_line(answers, [&](std::string_view line, std::size_t) {
    if (++count > most && !full) return;
    std::string text(line);
    std::replace(text.begin(), text.end(), '\t', ' ');
    shown += fmt::format("  {}\n", full ? show_text(text) : cut_middle(show_text(text), width_of_output() - 2));
  });
  if (count > most && !full)
    shown += fmt::format("  … {} more lines (--full shows them) …\n", show_count(count - most));
  return shown;
}

Result reproduce(const std::string& file, std::string_view input, const Request& given) {
  Request request = given;
  if (request.limits.seconds == 0 && !request.limits.in_process) {
    request.limits.seconds = input.size() > longest_for_limits ? seconds_for_long_inputs : ApartLimits().seconds;
  }
  const ApartLimits& limits = request.limits;
  fmt::print("{}: {} {}\n", show_text(file), show_count(input.size()), input.size() == 1 ? "byte" : "bytes");
  fmt::print("{}", try_apart([&] { return show_reply(input, request.full); }, limits));
  const Result result = Table(input, request).run();
  fmt::print("\nWhat it gives (entries, notes, reading):\n{}",
             try_apart([&] { return show_answers(input, request.full); }, limits));
  fmt::print("verdict digest: {}", try_apart([&] { return fmt::format("{:016x}\n", digest_verdicts(input)); }, limits));
  return result;
}

const char* describe(Result result) {
  switch (result) {
    case Result::holds: return "every property holds";
    case Result::not_finished: return "every property that finished holds";
    case Result::does_not_hold: break;
  }
  return "a property does not hold";
}

bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

/// What to do next.
void advise(Result result, const std::string& file, const Request& request) {
  if (file == "-") return;  // Standard input cannot be read again.
  if (result == Result::does_not_hold) {
    fmt::print("Next: tools/minimize {}\n", quote_file(file));
  } else if (result == Result::not_finished) {
    fmt::print("Some properties did not finish on so long a file; --timeout and --memory give them more.\n");
  } else if (!is_sanitized() && !request.limits.in_process) {
    fmt::print("A read out of bounds may not show in this build. To look further: tools/reproduce --sanitized {}\n",
               quote_file(file));
  }
}

/// The files one after the other; those that cannot be read are told and passed over.
template <typename Visit>
bool for_each_file(const Request& request, Visit&& visit) {
  bool all_read = true;
  for (const std::string& file : request.files) {
    std::optional<std::string> input;
    try {
      input = cli::Input(file).read_all();
    } catch (const cli::ToolError& error) {
      all_read = false;
      warn("reproduce", error.what());
    }
    if (input) visit(file, *input);
  }
  return all_read;
}

int run_files(const Request& request) {
  std::array<std::size_t, 3> counts{};
  Result worst = Result::holds;
  const bool all_read = for_each_file(request, [&](const std::string& file, const std::string& input) {
    const Result result = reproduce(file, input, request);
    fmt::print("\n{}: {}.\n", show_text(file), describe(result));
    advise(result, file, request);
    if (request.files.size() > 1) fmt::print("\n");
    ++counts.at(static_cast<std::size_t>(result));
    worst = std::max(worst, result);
  });
  if (request.files.size() > 1) {
    const std::size_t read = counts[0] + counts[1] + counts[2];
    fmt::print(
        "{} files: on {} every property holds, on {} one does not, on {} some did not finish; {} could not be read.\n",
        request.files.size(), counts[0], counts[2], counts[1], request.files.size() - read);
  }
  if (!all_read) return 2;
  return worst == Result::does_not_hold ? 1 : worst == Result::not_finished ? 3 : 0;
}

/// For other programs: one text for each file and nothing else.
int run_plain(const Request& request) {
  bool finished = true;
  std::size_t number = 0;
  const bool all_read = for_each_file(request, [&](const std::string& file, const std::string& input) {
    const ApartRun run = run_apart(
        [&, input = std::string_view(input)] {
          if (!request.built.empty()) return build_reply(seed_for(input), request.built == "strict").reply;
          if (request.digest) return fmt::format("{:016x}  {}\n", digest_verdicts(input), file);
          const std::string answers = list_answers(input, request.answers == "oracle" ? Side::oracle : Side::parser);
          std::string numbered;
          for_each_line(answers,
                        [&](std::string_view line, std::size_t) { numbered += fmt::format("{}\t{}\n", number, line); });
          return numbered;
        },
        request.limits);
    cli::write_out(run.result);
    ++number;
    if (run.ending == Ending::finished) return;
    finished = false;
    warn("reproduce",
         fmt::format("'{}' has no answer: the work {}", file,
                     run.ending == Ending::crashed ? "crashes: " + run.cause : "is out of time or memory"));
  });
  return !all_read ? 2 : finished ? 0 : 1;
}

constexpr const char* footer =
    R"(For each property: holds, does not hold, crashes, hangs, takes too much memory. On a file of more than 64 KB one that
runs out of time or memory is 'not finished', since that says nothing of it, and it is not tried under the other rules.
Rules: reference and strict fences; then, with either, options drawn from a hash of the file, as some targets draw them.

Exit code: 0 every property holds; 1 one does not, or crashes, hangs or takes too much memory; 2 wrong use, or a file
cannot be read; 3 every property that finished holds, and one did not finish.)";

int run(int argc, char** argv) {
  Request request;
  request.limits.seconds = 0;  // By the size of the file.
  CLI::App app("Says of each FILE what every property makes of it, and where parser and oracle part.", "reproduce");
  app.add_option("FILE", request.files, "a crash input, or any reply; - for standard input")->required()->type_name("");
  app.add_flag("--full", request.full, "leave nothing out of long lines, long replies and long logs");
  app.add_option("--property", request.properties, "only this property; may be given again")
      ->type_name("NAME")
      ->allow_extra_args(false);
  CLI::Option* here = app.add_flag("--in-process", request.limits.in_process,
                                   "no process of its own for each property, and no limits: for a debugger");
  app.add_option("--timeout", request.limits.seconds, "seconds for a property (60; 10 for a file of more than 64 KB)")
      ->check(CLI::Range(1U, 1000000U).description(""))
      ->excludes(here)
      ->type_name("S");
  app.add_option("--memory", request.limits.megabytes, "megabytes for a property (2048); not under sanitizers")
      ->check(CLI::Range(64U, 1000000U).description(""))
      ->excludes(here)
      ->type_name("MB");
  CLI::Option_group* plain = app.add_option_group("For other programs: one answer for each file, and nothing else");
  plain->add_flag("--digest", request.digest, "print the verdict digest and the file's name");
  plain->add_option("--answers", request.answers, "print what the parser or the oracle gives")
      ->check(CLI::IsMember({"parser", "oracle"}).description(""))
      ->type_name("SIDE");
  plain->add_option("--built", request.built, "print the reply that by-construction builds from the file")
      ->check(CLI::IsMember({"reference", "strict"}).description(""))
      ->type_name("RULE");
  plain->require_option(0, 1);
  add_options(app, request.options);
  app.footer(footer);
  try {
    parse_arguments(app, argc, argv);
    choose_properties(request.properties);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    warn("reproduce", fmt::format("{} (see --help)", error.what()));
    return 2;
  }
  const bool is_plain = request.digest || !request.answers.empty() || !request.built.empty();
  return is_plain ? run_plain(request) : run_files(request);
}

}  // namespace
}  // namespace callfence::fuzz

int main(int argc, char** argv) { return callfence::fuzz::run_tool("reproduce", callfence::fuzz::run, argc, argv); }
