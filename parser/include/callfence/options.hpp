#pragma once

#include <callfence/version.hpp>
#include <string>
#include <variant>

namespace callfence {

/// Which lines open and close fences: rules T3 and T4 as they stand, or F1-F3 (closer to Markdown).
enum class FenceRule { reference, strict };

/// How a reading treats emotion tags: R4 (they play no part) or R5 (cut from the whole reply first).
enum class TagRule { strict, everywhere };

/// What a caller may set. Plain values, not yet checked: `make_options` does that.
struct OptionValues {
  FenceRule fences = FenceRule::reference;
  TagRule tags = TagRule::strict;
  std::size_t max_depth = 512;     ///< J3: 1 to 4,096.
  std::size_t max_members = 4096;  ///< J8: at least 1.
  std::string name_key = "name";   ///< T6: the member that names the tool.
  std::string args_key = "args";   ///< T6: the member that holds its arguments.
};

/// Why there are no such options: a sentence for a person. Static text, lives for ever.
struct OptionsError {
  std::string_view sentence;
};

/// Checked options: only `make_options` makes others than the defaults, so the parser never meets a value out of range
/// (they are copied, never moved from, for that reason). Reading one from many threads is safe.
class Options {
 public:
  Options() = default;
  Options(const Options&) = default;
  Options& operator=(const Options&) = default;

  /// Borrowed from the options.
  [[nodiscard]] const OptionValues& values() const noexcept { return values_; }

 private:
  explicit Options(OptionValues values) noexcept : values_(std::move(values)) {}
  friend CALLFENCE_EXPORT std::variant<Options, OptionsError> make_options(OptionValues values);

  OptionValues values_;
};

/// The options that hold `values`, or the first thing wrong with them: a depth outside 1 to 4,096 (J3), no members
/// allowed (J8), a member name that is empty, or two that are equal (T6). Throws nothing but std::bad_alloc. Safe on
/// any thread.
[[nodiscard]] CALLFENCE_EXPORT std::variant<Options, OptionsError> make_options(OptionValues values);

}  // namespace callfence
