#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "apart.hpp"
#include "properties.hpp"

/// What reproduce and minimize share: the options that a property is tried under, and what it makes of an input there.
namespace callfence::fuzz {

/// Options with a name for people: "reference" and "strict" fences; "drawn" and "drawn, strict", whose other options
/// come from a hash of the input, as some targets have it; or "asked" (on the command line).
struct Rule {
  std::string name;
  Options options;
};

/// Lets `app` read the command line. An empty value ("--property=") is a value, and not the argument after it.
void parse_arguments(CLI::App& app, int argc, char** argv);

/// Options that were asked for on the command line, one by one.
struct AskedOptions {
  std::string fences;
  OptionValues values;
  bool any = false;
};
void add_options(CLI::App& app, AskedOptions& asked);

/// The rules to try an input under: those that were asked for, or else reference, strict, and what is drawn from the
/// input where that is something else. Throws CLI::ValidationError where what was asked for is out of range.
std::vector<Rule> rules_for(std::string_view input, const AskedOptions& asked);

/// The command line options that ask for these options again; empty for the defaults.
std::string print_options(const Options& options);

/// The properties of these names, in the order of the list; all of them for no name. Throws CLI::ValidationError for a
/// name that is not there.
std::vector<Property> choose_properties(const std::vector<std::string>& names);

enum class Outcome {
  holds,
  does_not_hold,
  crashes,
  hangs,
  takes_too_much_memory,
  not_finished,  ///< Out of time or memory, on an input so long that this says nothing.
};

struct Judgement {
  Outcome outcome = Outcome::holds;
  Finding finding;  ///< Where it does not hold.
  ApartRun run;
};

/// Beyond this size a property may be out of time or memory without being wrong.
inline constexpr std::size_t longest_for_limits = 65536;

/// What a property makes of an input, in a process of its own unless the limits say otherwise.
Judgement judge(const Property& property, std::string_view input, const Options& options, const ApartLimits& limits);

bool is_bad(Outcome outcome);
std::string name(const Judgement& judgement);

/// A line on standard error, after the tool's name; what would break the line is shown escaped.
void warn(std::string_view tool, std::string_view sentence);

/// Runs a tool: what it throws is told in a sentence, and so is a standard output that cannot be written; the exit code
/// is 2 then, and the tool's own elsewhere.
int run_tool(const char* name, int (*run)(int argc, char** argv), int argc, char** argv);

/// `word` as a POSIX shell takes it.
std::string quote_for_shell(std::string_view word);

/// The same of a file's name, one that begins with a dash included.
std::string quote_file(std::string_view name);

}  // namespace callfence::fuzz
