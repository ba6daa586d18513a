#include "commands.hpp"

#include <fmt/format.h>

#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>
#include <new>

#include "files.hpp"
#include "print.hpp"

namespace callfence::cli {
namespace {

/// The reply, with a word on standard error where it is probably not what was meant. It is read all the same: every
/// sequence of bytes has a result.
std::string read_reply(const std::string& file) {
  std::string reply = Input(file).read_all();
  const std::size_t zero = reply.find('\0');
  if (zero != std::string::npos) write_warning(fmt::format("the reply is binary: byte {} is zero", zero));
  return reply;
}

/// Head and tail have their control characters escaped already.
void write_log(const UnreadableReply& reply, void* /*context*/) noexcept try {
  write_warning(fmt::format("unreadable reply of {} bytes; begins: {}; ends: {}", reply.bytes, reply.head, reply.tail));
} catch (const std::bad_alloc&) {
}

}  // namespace

Options check_options(const OptionValues& values) {
  const auto options = make_options(values);
  if (const auto* error = std::get_if<OptionsError>(&options)) throw ToolError(std::string(error->sentence));
  return std::get<Options>(options);
}

int run_parse(const ParseRequest& request) {
  const Options options = check_options(request.options);
  const std::string reply = read_reply(request.file);
  if (reply.empty()) write_warning("the reply is empty");
  std::string out;
  bool failed = false;
  for (const Entry& entry : parse_tool_calls(reply, options)) {
    failed = failed || std::holds_alternative<Error>(entry);
    out += print(entry) + "\n";
  }
  if (request.notes) {
    for (const Note& note : find_notes(reply, options)) out += print(note) + "\n";
  }
  write_out(out);
  return failed ? 1 : 0;
}

int run_read(const ReadRequest& request) {
  const Options options = check_options(request.options);
  const std::string reply = read_reply(request.file);
  const auto result = read_first_object(reply, options, request.log ? Log{write_log, nullptr} : Log{});
  if (const auto* error = std::get_if<ReadingError>(&result)) {
    write_warning(to_string(*error));
    return 1;
  }
  const auto& reading = std::get<Reading>(result);
  write_out((request.json ? print(reading) : reading.text) + "\n");
  return 0;
}

}  // namespace callfence::cli
