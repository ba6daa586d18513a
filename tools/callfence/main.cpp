#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "commands.hpp"
#include "files.hpp"

namespace callfence::cli {
namespace {

constexpr int wrong_use = 2;

void add_file(CLI::App& command, std::string& file, const char* what) {
  command.add_option("FILE", file, std::string(what) + "; standard input without it, or for -")->type_name("");
}

/// An option that takes a whole number, written in digits.
void add_number(CLI::App& command, const char* name, std::size_t& number, const char* what) {
  const auto set = [name, &number](const std::string& text) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return;
    throw CLI::ValidationError(name, "'" + text + "' is no whole number that can be used");
  };
  command.add_option_function<std::string>(name, set, what)->type_name("N=" + std::to_string(number));
}

void add_limits(CLI::App& command, OptionValues& values) {
  add_number(command, "--max-depth", values.max_depth, "deepest nesting of JSON that is accepted, 1 to 4096");
  add_number(command, "--max-members", values.max_members, "most members of one object, at least 1");
}

void add_call_options(CLI::App& command, OptionValues& values) {
  const auto set = [&values](const std::string& rule) {
    values.fences = rule == "strict" ? FenceRule::strict : FenceRule::reference;
  };
  command
      .add_option_function<std::string>("--fences", set,
                                        "which lines open and close fences: reference (default) or strict")
      ->check(CLI::IsMember({"reference", "strict"}).description(""))
      ->type_name("RULE");
  command.add_option("--name-key", values.name_key, "the member that names the tool")->capture_default_str();
  command.add_option("--args-key", values.args_key, "the member that holds its arguments")->capture_default_str();
  add_limits(command, values);
}

void add_tag_option(CLI::App& command, OptionValues& values) {
  const auto set = [&values](const std::string& rule) {
    values.tags = rule == "everywhere" ? TagRule::everywhere : TagRule::strict;
  };
  command
      .add_option_function<std::string>("--tags", set,
                                        "emotion tags: strict (default) leaves them, everywhere cuts them first")
      ->check(CLI::IsMember({"strict", "everywhere"}).description(""))
      ->type_name("RULE");
}

void add_parse(CLI::App& app, ParseRequest& request) {
  CLI::App& command = *app.add_subcommand("parse", "Print the entries of a reply, one line of JSON each");
  add_file(command, request.file, "the reply");
  command.add_flag("--notes", request.notes, "also print what nearly was a call");
  add_call_options(command, request.options);
  command.footer("Exit code: 0 no error entry; 1 at least one; 2 wrong use or unreadable input.");
}

void add_read(CLI::App& app, ReadRequest& request) {
  CLI::App& command = *app.add_subcommand("read", "Print the first JSON object of a reply, as written");
  add_file(command, request.file, "the reply");
  command.add_flag("--json", request.json, "print a line of JSON with the object, the emotions and the span");
  command.add_flag("--log", request.log, "log the head and the tail of a reply whose object does not decode");
  add_tag_option(command, request.options);
  add_limits(command, request.options);
  command.footer("Exit code: 0 read; 1 no object that can be read; 2 wrong use or unreadable input.");
}

void add_batch(CLI::App& app, BatchRequest& request) {
  CLI::App& command = *app.add_subcommand("batch", "Read records, one a line, and print a line for each");
  add_file(command, request.file, R"(records such as {"id":7,"reply":"..."})");
  command.add_option("--id", request.id_key, "the member that is copied to the answer")->capture_default_str();
  command.add_option("--reply", request.reply_key, "the member that holds the reply")->capture_default_str();
  CLI::Option* notes = command.add_flag("--notes", request.notes, "also print what nearly was a call");
  command.add_flag("--read", request.read, "read the first object of each reply instead of its calls")->excludes(notes);
  add_call_options(command, request.options);
  add_tag_option(command, request.options);
  command.footer("Exit code: 0 every line was a record; 1 some were not; 2 wrong use or unreadable input.");
}

/// The arguments, last one first, as CLI11 takes them. An empty value ("--id=") becomes an argument of its own, for
/// CLI11 would take the argument after it instead.
std::vector<std::string> split_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  bool options = true;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    options = options && argument != "--";
    const bool is_empty = options && argument.rfind("--", 0) == 0 && argument.find('=') == argument.size() - 1;
    arguments.push_back(is_empty ? argument.substr(0, argument.size() - 1) : argument);
    if (is_empty) arguments.emplace_back();
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

int run(int argc, char** argv) {
  CLI::App app("Reads tool calls, or the first JSON object, out of a model's replies.", "callfence");
  app.set_version_flag("--version", list_versions());
  app.require_subcommand(1);
  ParseRequest parse;
  ReadRequest read;
  BatchRequest batch;
  add_parse(app, parse);
  add_read(app, read);
  add_batch(app, batch);
  try {
    app.parse(split_arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      const bool named = argc > 1 && app.get_subcommands().empty();
      write_warning(
          named ? fmt::format("'{}' is neither an option nor one of parse, read and batch (see --help)", argv[1])
                : fmt::format("{} (see --help)", error.what()));
      return wrong_use;
    }
    std::ostringstream help;
    app.exit(error, help, help);
    write_out(help.str());
    return 0;
  }
  if (app.got_subcommand("parse")) return run_parse(parse);
  if (app.got_subcommand("read")) return run_read(read);
  return run_batch(batch);
}

}  // namespace
}  // namespace callfence::cli

int main(int argc, char** argv) {
  using namespace callfence::cli;
  std::signal(SIGPIPE, SIG_IGN);  // A closed pipe is then a failed write, which has a message.
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    write_warning("not enough memory");
  } catch (const std::exception& error) {
    write_warning(error.what());
  }
  return wrong_use;
}
