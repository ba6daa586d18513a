#include <callfence/options.hpp>

namespace callfence {

std::variant<Options, OptionsError> make_options(OptionValues values) {
  const auto& [fences, tags, depth, members, name, args] = values;
  if (depth < 1 || depth > 4096) return OptionsError{"max_depth must lie between 1 and 4096"};       // J3
  if (members < 1) return OptionsError{"max_members must be at least 1"};                            // J8
  if (name.empty() || args.empty()) return OptionsError{"name_key and args_key must not be empty"};  // T6
  if (name == args) return OptionsError{"name_key and args_key must differ"};
  return Options(std::move(values));
}

}  // namespace callfence
