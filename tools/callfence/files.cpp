#include "files.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "text.hpp"

namespace callfence::cli {

Input::Input(const std::string& path) : name_(path == "-" ? "standard input" : fmt::format("'{}'", path)) {
  if (path != "-") file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) throw ToolError(fmt::format("cannot open {}: {}", name_, std::strerror(errno)));
  struct stat status {};
  if (::fstat(file_, &status) == 0 && S_ISDIR(status.st_mode)) {
    throw ToolError(fmt::format("cannot read {}: it is a folder", name_));
  }
  if (::isatty(file_) == 1) write_warning("reading from the terminal; Ctrl-D on a line of its own ends the input");
}

Input::~Input() {
  if (file_ > 0) ::close(file_);
}

std::string_view Input::read() {
  constexpr std::size_t most = 1 << 16;
  piece_.resize(most);
  ssize_t size = -1;
  do size = ::read(file_, piece_.data(), piece_.size());
  while (size < 0 && errno == EINTR);
  if (size < 0) throw ToolError(fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
  return std::string_view(piece_).substr(0, static_cast<std::size_t>(size));
}

std::string Input::read_all() {
  std::string all;
  for (std::string_view piece = read(); !piece.empty(); piece = read()) all += piece;
  return all;
}

void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(STDOUT_FILENO, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) {  // The other end of a pipe may have asked for that.
      pollfd out{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&out, 1, -1);
      continue;
    }
    if (size < 0) throw ToolError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

void write_warning(std::string_view sentence) noexcept {
  try {
    const std::string line = "callfence: " + make_visible(sentence) + "\n";
    // Where standard error cannot be written to there is nobody to tell.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace callfence::cli
