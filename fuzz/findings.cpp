#include "findings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>

#include "text.hpp"

namespace callfence::fuzz {
namespace {

bool are_equal(const OptionValues& one, const OptionValues& other) {
  const auto all = [](const OptionValues& v) {
    return std::tie(v.fences, v.tags, v.max_depth, v.max_members, v.name_key, v.args_key);
  };
  return all(one) == all(other);
}

Options check(const OptionValues& values) {
  const auto made = make_options(values);
  if (const auto* error = std::get_if<OptionsError>(&made)) throw CLI::ValidationError(std::string(error->sentence));
  return std::get<Options>(made);
}

// A verdict as bytes: nothing where the property holds; else the sizes of the finding's first two texts, a newline and
// its three texts.

std::string pack(const Verdict& verdict) {
  if (!verdict) return "";
  return fmt::format("{} {}\n{}{}{}", verdict->property.size(), verdict->ours.size(), verdict->property, verdict->ours,
                     verdict->theirs);
}

Finding unpack(std::string_view packed) {
  const std::size_t line = packed.find('\n');
  const std::string sizes(packed.substr(0, line));
  const std::size_t name = std::stoul(sizes);
  const std::size_t ours = std::stoul(sizes.substr(sizes.find(' ')));
  packed.remove_prefix(line + 1);
  return {std::string(packed.substr(0, name)), std::string(packed.substr(name, ours)),
          std::string(packed.substr(name + ours))};
}

}  // namespace

void parse_arguments(CLI::App& app, int argc, char** argv) {
  std::vector<std::string> arguments;
  bool options = true;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    options = options && argument != "--";
    const bool is_empty = options && argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    arguments.emplace_back(is_empty ? argument.substr(0, argument.size() - 1) : argument);
    if (is_empty) arguments.emplace_back();
  }
  std::reverse(arguments.begin(), arguments.end());  // As CLI11 takes them.
  app.parse(std::move(arguments));
}

void add_options(CLI::App& app, AskedOptions& asked) {
  app.add_option("--fences", asked.fences, "reference or strict; with any of these options, nothing else is tried")
      ->check(CLI::IsMember({"reference", "strict"}).description(""))
      ->type_name("RULE")
      ->group("Options of the parser");
  const auto add = [&](const char* option, auto& value, const char* what) {
    app.add_option(option, value, what)->capture_default_str()->group("Options of the parser");
  };
  add("--name-key", asked.values.name_key, "the member that names the tool");
  add("--args-key", asked.values.args_key, "the member that holds its arguments");
  add("--max-depth", asked.values.max_depth, "deepest nesting of JSON that is accepted");
  add("--max-members", asked.values.max_members, "most members of one object");
  app.callback([&app, &asked] {
    for (const char* option : {"--fences", "--name-key", "--args-key", "--max-depth", "--max-members"}) {
      asked.any = asked.any || app.count(option) > 0;
    }
    asked.values.fences = asked.fences == "strict" ? FenceRule::strict : FenceRule::reference;
    check(asked.values);
  });
}

std::vector<Rule> rules_for(std::string_view input, const AskedOptions& asked) {
  if (asked.any) return {{"asked", check(asked.values)}};
  std::vector<Rule> rules;
  for (const Options& options : both_fence_rules()) {
    rules.push_back({options.values().fences == FenceRule::strict ? "strict" : "reference", options});
  }
  if (are_equal(options_for(input, FenceRule::reference).values(), rules.front().options.values())) return rules;
  rules.push_back({"drawn", options_for(input, FenceRule::reference)});
  rules.push_back({"drawn, strict", options_for(input, FenceRule::strict)});
  return rules;
}

std::string print_options(const Options& options) {
  const OptionValues& values = options.values();
  const OptionValues defaults;
  std::string printed;
  if (values.fences == FenceRule::strict) printed += " --fences=strict";
  if (values.name_key != defaults.name_key) printed += " --name-key=" + quote_for_shell(values.name_key);
  if (values.args_key != defaults.args_key) printed += " --args-key=" + quote_for_shell(values.args_key);
  if (values.max_depth != defaults.max_depth) printed += fmt::format(" --max-depth={}", values.max_depth);
  if (values.max_members != defaults.max_members) printed += fmt::format(" --max-members={}", values.max_members);
  return printed.empty() ? printed : printed.substr(1);
}

std::vector<Property> choose_properties(const std::vector<std::string>& names) {
  const std::vector<Property>& all = list_properties();
  std::vector<Property> chosen;
  for (const Property& property : all) {
    if (names.empty() || std::count(names.begin(), names.end(), property.name) > 0) chosen.push_back(property);
  }
  for (const std::string& name : names) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const Property& one) { return one.name == name; });
    if (known) continue;
    std::string list;
    for (const Property& one : all) list += fmt::format("{}{}", list.empty() ? "" : ", ", one.name);
    throw CLI::ValidationError("--property", fmt::format("there is no property '{}'; there are {}", name, list));
  }
  return chosen;
}

Judgement judge(const Property& property, std::string_view input, const Options& options, const ApartLimits& limits) {
  Judgement judgement;
  const auto work = [&] {
    const std::vector<char> copy(input.begin(), input.end());  // Just its size, so that a byte too far is seen.
    return pack(property.check({copy.data(), copy.size()}, options));
  };
  judgement.run = run_apart(work, limits);
  const bool is_long = input.size() > longest_for_limits;
  switch (judgement.run.ending) {
    case Ending::crashed: judgement.outcome = Outcome::crashes; return judgement;
    case Ending::out_of_time: judgement.outcome = is_long ? Outcome::not_finished : Outcome::hangs; return judgement;
    case Ending::out_of_memory:
      judgement.outcome = is_long ? Outcome::not_finished : Outcome::takes_too_much_memory;
      return judgement;
    case Ending::finished: break;
  }
  if (judgement.run.result.empty()) return judgement;
  judgement.outcome = Outcome::does_not_hold;
  judgement.finding = unpack(judgement.run.result);
  judgement.run.result.clear();
  return judgement;
}

bool is_bad(Outcome outcome) { return outcome != Outcome::holds && outcome != Outcome::not_finished; }

std::string name(const Judgement& judgement) {
  switch (judgement.outcome) {
    case Outcome::holds: return "holds";
    case Outcome::does_not_hold: return "does not hold";
    case Outcome::crashes: return "crashes";
    case Outcome::hangs: return "hangs";
    case Outcome::takes_too_much_memory: return "takes too much memory";
    case Outcome::not_finished: break;
  }
  return "not finished";
}

void warn(std::string_view tool, std::string_view sentence) {
  const std::string line = fmt::format("{}: {}\n", tool, make_visible(sentence));
  std::fflush(stdout);
  std::fputs(line.c_str(), stderr);
}

std::string quote_for_shell(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:+@%=";
  if (!word.empty() && word.find_first_not_of(plain) == npos) return std::string(word);
  std::string quoted = "'";
  for (const char byte : word) quoted += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
  return quoted + "'";
}

std::string quote_file(std::string_view name) {
  return quote_for_shell(name.starts_with('-') ? "./" + std::string(name) : std::string(name));
}

int run_tool(const char* name, int (*run)(int argc, char** argv), int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // NOLINT(cert-err33-c): a closed pipe is then a failed write
  try {
    const int code = run(argc, argv);
    if (std::fflush(stdout) == 0) return code;
    warn(name, "cannot write to standard output");
  } catch (const std::bad_alloc&) {
    warn(name, "not enough memory");
  } catch (const std::exception& error) {
    warn(name, error.what());
  }
  return 2;
}

}  // namespace callfence::fuzz
