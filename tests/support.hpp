#pragma once

#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#if defined(__has_feature)
#define CALLFENCE_HAS_FEATURE(feature) __has_feature(feature)
#else
#define CALLFENCE_HAS_FEATURE(feature) 0
#endif

namespace callfence::test {

#if defined(__SANITIZE_ADDRESS__) || CALLFENCE_HAS_FEATURE(address_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#if defined(__OPTIMIZE__)
constexpr bool is_slow_build = is_sanitized;
#else
constexpr bool is_slow_build = true;
#endif

/// Options that are known to be good.
Options options_of(OptionValues values);
Options strict_fences();
Options tags_everywhere();

/// A reply that is one json block with this body.
std::string in_block(std::string_view body);

/// The entries of a reply in short: `call NAME ARGS` or `error REASON`, one each.
std::vector<std::string> outline(std::string_view reply, const Options& options = {});

/// The one entry of `in_block(body)`, in short; for a call, `call NAME ARGS`.
std::string outcome(std::string_view body, const Options& options = {});

/// The error of a body that is refused; fails the test where it is a call.
Error error_of(std::string_view body, const Options& options = {});

/// The printed lines of entries and notes, as the command line gives them.
std::vector<std::string> print_all(const std::vector<Entry>& entries);
std::vector<std::string> print_all(const std::vector<Note>& notes);

/// A reading in one line: its printed form, or {"error":"..."} with the sentence.
std::string print_reading(std::string_view reply, const Options& options = {});

/// `text`, `count` times.
std::string repeat(std::string_view text, std::size_t count);

/// A file's bytes, and its lines without their newlines. Both fail the test where there is no such file.
std::string read_file(const std::filesystem::path& path);
std::vector<std::string> read_lines(const std::filesystem::path& path);

/// The paths of a folder, in order; fails the test where there are none.
std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder);

/// A path in the source tree.
std::filesystem::path in_source(const std::filesystem::path& path);

}  // namespace callfence::test
