#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace callfence::cli {

/// Wrong use or unreadable input: exit code 2, with this sentence on standard error.
struct ToolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file, or standard input for "-", read in pieces. Throws ToolError where it cannot be read.
class Input {
 public:
  explicit Input(const std::string& path);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  /// The next bytes, as soon as there are any; nothing at the end. Borrowed until the next call.
  std::string_view read();

  /// All that is left.
  std::string read_all();

 private:
  std::string name_;
  int file_ = 0;
  std::string piece_;
};

/// Writes all of `text` to standard output. Throws ToolError where that fails: a full disk, a closed pipe.
void write_out(std::string_view text);

/// A line on standard error, after the command's name; what would break the line is shown escaped.
void write_warning(std::string_view sentence) noexcept;

}  // namespace callfence::cli
