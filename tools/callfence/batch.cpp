#include <fmt/format.h>

#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>

#include "commands.hpp"
#include "files.hpp"
#include "json_fault.hpp"
#include "print.hpp"
#include "text.hpp"

namespace callfence::cli {
namespace {

/// Reads records, one a line, and writes a line for each.
class Batch {
 public:
  explicit Batch(const BatchRequest& request) : request_(request), options_(check_options(request.options)) {}

  int run() {
    Input input(request_.file);
    for (std::string_view piece = input.read(); !piece.empty(); piece = input.read()) {
      for (std::size_t newline = piece.find('\n'); newline != std::string_view::npos; newline = piece.find('\n')) {
        line_ += piece.substr(0, newline);
        take_line();
        piece.remove_prefix(newline + 1);
      }
      line_ += piece;
      flush();  // Before the next read, which may have to wait.
    }
    if (!line_.empty()) take_line();
    flush();
    if (lines_ == 0) write_warning("the input is empty: no records");
    return failed_ ? 1 : 0;
  }

 private:
  void take_line() {
    ++lines_;
    out_ += answer(line_) + "\n";
    line_.clear();
  }

  void flush() {
    write_out(out_);
    out_.clear();
  }

  std::string refuse(const std::string& sentence) {
    failed_ = true;
    return fmt::format(R"({{"line":{},"error":{}}})", lines_, print_string(sentence));
  }

  /// The line for a record. A record is an object by rules J with their default limits.
  std::string answer(std::string_view record) {
    const auto decoded = decode_json(record, {});
    if (!decoded) {
      const Detail fault = explain_fault(record, {});
      const std::size_t column = count_characters(record.substr(0, fault.place.byte)) + 1;
      return refuse(fmt::format("the record is not JSON: {} (column {})", to_string(fault), column));
    }
    const auto* object = decoded->value.if_object();
    if (object == nullptr) return refuse("the record is not an object");
    const auto* reply = object->if_contains(request_.reply_key);
    if (reply == nullptr) return refuse(fmt::format("the record has no member '{}'", make_visible(request_.reply_key)));
    if (!reply->is_string())
      return refuse(fmt::format("the record's '{}' is not a string", make_visible(request_.reply_key)));
    const std::string_view id = member_text(record, request_.id_key, *decoded);
    const std::string_view text(reply->get_string().data(), reply->get_string().size());
    return fmt::format(R"({{"id":{},{}}})", id.empty() ? "null" : id, request_.read ? read(text) : parse(text));
  }

  [[nodiscard]] std::string parse(std::string_view reply) const {
    std::vector<std::string> entries;
    std::vector<std::string> notes;
    for (const Entry& entry : parse_tool_calls(reply, options_)) entries.push_back(print(entry));
    if (!request_.notes) return fmt::format(R"("entries":[{}])", fmt::join(entries, ","));
    for (const Note& note : find_notes(reply, options_)) notes.push_back(print(note));
    return fmt::format(R"("entries":[{}],"notes":[{}])", fmt::join(entries, ","), fmt::join(notes, ","));
  }

  [[nodiscard]] std::string read(std::string_view reply) const {
    const auto result = read_first_object(reply, options_);
    if (const auto* reading = std::get_if<Reading>(&result)) return print_members(*reading);
    return fmt::format(R"("error":{})", print_string(to_string(std::get<ReadingError>(result))));
  }

  BatchRequest request_;
  Options options_;
  std::string line_;  // The record that has not ended yet.
  std::string out_;
  std::size_t lines_ = 0;
  bool failed_ = false;
};

}  // namespace

int run_batch(const BatchRequest& request) { return Batch(request).run(); }

}  // namespace callfence::cli
