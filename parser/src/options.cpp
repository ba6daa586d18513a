#include <callfence/options.hpp>

#include "text.hpp"

namespace callfence {

static bool is_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size(); at += sequence_length(text, at)) {
    if (sequence_length(text, at) == 0) return false;
  }
  return true;
}

std::variant<Options, OptionsError> make_options(OptionValues values) {
  const auto& [fences, tags, depth, members, name, args] = values;
  if (depth < 1 || depth > 4096) return OptionsError{"the depth limit must lie between 1 and 4096"};  // J3
  if (members < 1) return OptionsError{"the member limit must be at least 1"};                        // J8
  if (name.empty() || args.empty()) return OptionsError{"a member name must not be empty"};           // T6
  if (name == args) return OptionsError{"the two member names must differ"};
  if (!is_utf8(name) || !is_utf8(args)) return OptionsError{"a member name must be UTF-8"};
  return Options(std::move(values));
}

}  // namespace callfence
