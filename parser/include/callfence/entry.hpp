#pragma once

#include <boost/json/object.hpp>
#include <callfence/version.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace callfence {

/// A half-open range [begin, end) of bytes, counted from the start of the reply.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

/// A place in the reply. Lines and columns count from 1; a line ends at U+000A only (T1), a column is a code point, and
/// a byte that is not UTF-8 counts as one.
struct Place {
  std::size_t byte = 0;
  std::size_t line = 1;
  std::size_t column = 1;

  friend bool operator==(const Place&, const Place&) = default;
};

/// Why a block is no call: a closed set (T6, T7).
enum class Reason : std::uint8_t { invalid_json, not_an_object, missing_name, args_not_an_object, unclosed_block };

// clang-format off
/// What probably went wrong, where it can be told.
enum class Cause : std::uint8_t {
  unknown, trailing_comma, single_quotes, unquoted_key, comment, python_literal, nan_or_infinity, raw_newline,
  control_character, bad_escape, lone_surrogate, invalid_utf8, byte_order_mark, text_after_value, several_values,
  too_deep, too_many_members, exponent_too_large, cut_short, empty
};
// clang-format on

/// Where an error is, what stands there and what could have stood there. An error without a place of its own
/// (`missing name`, `unclosed block`) has the place of its block's opening mark.
struct Detail {
  Place place;
  Cause cause = Cause::unknown;
  std::string found;          ///< For a person, on one line: '}' in quotes, or words.
  std::string_view expected;  ///< Static text, lives for ever.

  friend bool operator==(const Detail&, const Detail&) = default;
};

/// A call that the reply asks for. Owns all it holds.
struct Call {
  std::size_t block = 0;  ///< From 1, among json blocks (T3).
  std::string name;       ///< Never empty; UTF-8.
  boost::json::object args;
  std::optional<std::string> args_text;  ///< J7: as written, byte for byte; none without args.
  Span span;                             ///< Opening mark to closing mark (T5).
  Span body;

  friend bool operator==(const Call&, const Call&) = default;
};

/// A json block that is no call. Owns all it holds.
struct Error {
  std::size_t block = 0;
  Reason reason = Reason::invalid_json;
  Span span;
  Span body;
  Detail detail;

  friend bool operator==(const Error&, const Error&) = default;
};

/// What a json block gives: a call or an error, never both.
using Entry = std::variant<Call, Error>;

enum class Form : std::uint8_t { brief, full };

/// The reason (spelled as in the contract) and the cause in words. Static text, lives for ever.
CALLFENCE_EXPORT std::string_view to_string(Reason reason) noexcept;
CALLFENCE_EXPORT std::string_view to_string(Cause cause) noexcept;

/// What is wrong, on one line. Brief: without the place, such as "trailing comma before '}'". Full: with line, column
/// and byte of the reply, what was found and what was expected. Throws nothing but std::bad_alloc. Safe on any thread.
CALLFENCE_EXPORT std::string to_string(const Detail& detail, Form form = Form::brief);

/// Brief: "block 2: invalid json". Full: that and the full detail, on one line to send back to the model. Throws
/// nothing but std::bad_alloc. Safe on any thread.
CALLFENCE_EXPORT std::string to_string(const Error& error, Form form = Form::brief);

}  // namespace callfence
