#pragma once

#include <callfence/reading.hpp>
#include <callfence/tool_calls.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "oracle.hpp"

/// Our results in the oracle's terms, to compare and to show.
namespace callfence::fuzz {

oracle::Span convert(Span span);
oracle::Object convert(const boost::json::object& object);
oracle::Value convert(const boost::json::value& value);
oracle::Entry convert(const Entry& entry);
oracle::Reading convert(const ReadingResult& result);

/// Whether two values are the same: kinds, members and their order, numbers to the bit. Recursive.
bool is_same(const boost::json::value& ours, const oracle::Value& theirs);
bool is_same(const boost::json::value& first, const boost::json::value& second);
bool is_same(const boost::json::object& first, const boost::json::object& second);
bool is_same(const Entry& ours, const oracle::Entry& theirs);
bool is_same(const ReadingResult& first, const ReadingResult& second);  // But for the place of a failure.

Span span_of(const Entry& entry);
Span body_of(const Entry& entry);
std::size_t block_of(const Entry& entry);
bool is_unclosed(const Entry& entry);
inline std::string_view piece(std::string_view text, Span span) {
  return text.substr(span.begin, span.end - span.begin);
}

/// Places of a text, counted naively. Cheap where each byte asked for lies behind the last one.
class PlaceCounter {
 public:
  explicit PlaceCounter(std::string_view text) : text_(text) {}
  Place at(std::size_t byte);

 private:
  std::string_view text_;
  std::size_t line_ = 1;
  std::size_t line_begin_ = 0;
};

std::string print(const Place& place);
std::string print(const std::vector<Span>& spans);

/// Entries one a line, in the oracle's form.
std::string print_ours(const std::vector<Entry>& entries);
/// Without what depends on the bytes around the values: number, reason, name and args.
std::string outline(const std::vector<Entry>& entries);
/// With all their spans, texts and places, as printed for people.
std::string full(const std::vector<Entry>& entries);

template <typename Items>
std::string print_all(const Items& items) {
  std::string printed;
  for (const auto& item : items) printed += oracle::print(item) + "\n";
  return printed;
}

/// A finding where two sides, in words, are not the same.
Verdict differ(const char* property, std::string ours, std::string theirs);

}  // namespace callfence::fuzz
