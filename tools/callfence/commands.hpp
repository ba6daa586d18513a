#pragma once

#include <callfence/options.hpp>
#include <string>

namespace callfence::cli {

/// What `parse`, `read` and `batch` are asked for, one struct each. The functions return the exit code, 0 or 1, and
/// throw ToolError for 2.

struct ParseRequest {
  std::string file = "-";
  OptionValues options;
  bool notes = false;
};
int run_parse(const ParseRequest& request);

struct ReadRequest {
  std::string file = "-";
  OptionValues options;
  bool json = false;
  bool log = false;
};
int run_read(const ReadRequest& request);

struct BatchRequest {
  std::string file = "-";
  OptionValues options;
  std::string id_key = "id";
  std::string reply_key = "reply";
  bool notes = false;
  bool read = false;
};
int run_batch(const BatchRequest& request);

/// The options, or a ToolError.
Options check_options(const OptionValues& values);

/// The versions of this program, the contract, and the libraries it runs with, one a line.
std::string list_versions();

}  // namespace callfence::cli
