#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "lines.hpp"
#include "print.hpp"

namespace callfence::fuzz {

namespace json = boost::json;

Verdict differ(const char* property, std::string ours, std::string theirs) {
  if (ours == theirs) return std::nullopt;
  return Finding{property, std::move(ours), std::move(theirs)};
}

Span span_of(const Entry& entry) {
  return std::visit([](const auto& block) { return block.span; }, entry);
}

Span body_of(const Entry& entry) {
  return std::visit([](const auto& block) { return block.body; }, entry);
}

std::size_t block_of(const Entry& entry) {
  return std::visit([](const auto& block) { return block.block; }, entry);
}

bool is_unclosed(const Entry& entry) {
  const auto* error = std::get_if<Error>(&entry);
  return error != nullptr && error->reason == Reason::unclosed_block;
}

Place PlaceCounter::at(std::size_t byte) {
  if (byte < line_begin_) line_begin_ = 0, line_ = 1;
  for (std::size_t end = text_.find('\n', line_begin_); end < byte; end = text_.find('\n', line_begin_)) {
    line_begin_ = end + 1;
    ++line_;
  }
  return {byte, line_, count_code_points(text_.substr(line_begin_, byte - line_begin_)) + 1};
}

std::string print(const Place& place) {
  return fmt::format("line {}, column {}, byte {}", place.line, place.column, place.byte);
}

std::string print(const std::vector<Span>& spans) {
  std::string printed;
  for (const Span& span : spans) printed += fmt::format("[{},{})\n", span.begin, span.end);
  return printed;
}

oracle::Value convert(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return {nullptr};
    case json::kind::bool_: return {value.get_bool()};
    case json::kind::int64: return {value.get_int64()};
    case json::kind::uint64: return {value.get_uint64()};
    case json::kind::double_: return {value.get_double()};
    case json::kind::string: return {std::string(value.get_string())};
    case json::kind::array: {
      oracle::Array array;
      for (const json::value& element : value.get_array()) array.push_back(convert(element));
      return {std::move(array)};
    }
    case json::kind::object: break;
  }
  oracle::Object object;
  for (const auto& member : value.get_object()) object.emplace_back(member.key(), convert(member.value()));
  return {std::move(object)};
}

oracle::Object convert(const json::object& object) {
  oracle::Object converted;
  for (const auto& member : object) converted.emplace_back(member.key(), convert(member.value()));
  return converted;
}

oracle::Span convert(Span span) { return {span.begin, span.end}; }

oracle::Entry convert(const Entry& entry) {
  oracle::Entry converted;
  converted.block = block_of(entry);
  converted.span = convert(span_of(entry));
  converted.body = convert(body_of(entry));
  if (const auto* error = std::get_if<Error>(&entry)) {
    converted.reason = to_string(error->reason);
    return converted;
  }
  const auto& call = std::get<Call>(entry);
  converted.name = call.name;
  converted.args = convert(call.args);
  converted.has_args = call.args_text.has_value();
  converted.args_text = call.args_text.value_or("");
  return converted;
}

oracle::Reading convert(const ReadingResult& result) {
  oracle::Reading converted;
  if (const auto* error = std::get_if<ReadingError>(&result)) {
    converted.error = error->failure == ReadingFailure::no_object ? "had no JSON object" : "was not valid JSON";
    return converted;
  }
  const auto& reading = std::get<Reading>(result);
  converted.object = convert(reading.object);
  converted.text = reading.text;
  converted.span = convert(reading.span);
  for (const EmotionTag& tag : reading.emotions) converted.emotions.push_back({tag.emotion, convert(tag.span)});
  return converted;
}

std::string print_ours(const std::vector<Entry>& entries) {
  std::string printed;
  for (const Entry& entry : entries) printed += oracle::print(convert(entry)) + "\n";
  return printed;
}

std::string outline(const std::vector<Entry>& entries) {
  std::string printed;
  for (const Entry& entry : entries) {
    oracle::Entry bare = convert(entry);
    bare.args_text.clear();
    bare.span = bare.body = {};
    printed += oracle::print(bare) + "\n";
  }
  return printed;
}

std::string full(const std::vector<Entry>& entries) {
  std::string printed = print_ours(entries);
  for (const Entry& entry : entries) printed += cli::print(entry) + "\n";
  return printed;
}

namespace {

bool is_same_double(double first, double second) {
  return std::bit_cast<std::uint64_t>(first) == std::bit_cast<std::uint64_t>(second);
}

template <typename Type>
bool holds(const oracle::Value& value, const Type& wanted) {
  const auto* held = std::get_if<Type>(&value.data);
  return held != nullptr && *held == wanted;
}

bool is_same_object(const json::object& ours, const oracle::Object& theirs) {
  return std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), [](const auto& one, const auto& other) {
    return std::string_view(one.key()) == other.first && is_same(one.value(), other.second);
  });
}

}  // namespace

bool is_same(const json::value& ours, const oracle::Value& theirs) {
  switch (ours.kind()) {
    case json::kind::null: return std::holds_alternative<std::nullptr_t>(theirs.data);
    case json::kind::bool_: return holds(theirs, ours.get_bool());
    case json::kind::int64: return holds(theirs, ours.get_int64());
    case json::kind::uint64: return holds(theirs, ours.get_uint64());
    case json::kind::string: return holds(theirs, std::string(ours.get_string()));
    case json::kind::double_: {
      const auto* value = std::get_if<double>(&theirs.data);
      return value != nullptr && is_same_double(*value, ours.get_double());
    }
    case json::kind::array: {
      const auto* value = std::get_if<oracle::Array>(&theirs.data);
      const json::array& array = ours.get_array();
      return value != nullptr &&
             std::equal(array.begin(), array.end(), value->begin(), value->end(),
                        [](const json::value& one, const oracle::Value& other) { return is_same(one, other); });
    }
    case json::kind::object: break;
  }
  const auto* object = std::get_if<oracle::Object>(&theirs.data);
  return object != nullptr && is_same_object(ours.get_object(), *object);
}

bool is_same(const json::value& first, const json::value& second) {
  if (first.kind() != second.kind()) return false;
  if (first.is_double()) return is_same_double(first.get_double(), second.get_double());
  if (first.is_array()) {
    const json::array& one = first.get_array();
    const json::array& other = second.get_array();
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const json::value& a, const json::value& b) { return is_same(a, b); });
  }
  return first.is_object() ? is_same(first.get_object(), second.get_object()) : first == second;
}

bool is_same(const json::object& first, const json::object& second) {
  return std::equal(first.begin(), first.end(), second.begin(), second.end(), [](const auto& one, const auto& other) {
    return one.key() == other.key() && is_same(one.value(), other.value());
  });
}

bool is_same(const Entry& ours, const oracle::Entry& theirs) {
  const Span span = span_of(ours);
  const Span body = body_of(ours);
  if (block_of(ours) != theirs.block || span != Span{theirs.span.begin, theirs.span.end} ||
      body != Span{theirs.body.begin, theirs.body.end}) {
    return false;
  }
  if (const auto* error = std::get_if<Error>(&ours)) return to_string(error->reason) == theirs.reason;
  const auto& call = std::get<Call>(ours);
  return theirs.reason.empty() && call.name == theirs.name && call.args_text.has_value() == theirs.has_args &&
         call.args_text.value_or("") == theirs.args_text && is_same_object(call.args, theirs.args);
}

bool is_same(const ReadingResult& first, const ReadingResult& second) {
  if (first.index() != second.index()) return false;
  if (const auto* error = std::get_if<ReadingError>(&first)) {
    return error->failure == std::get<ReadingError>(second).failure;
  }
  const auto& one = std::get<Reading>(first);
  const auto& other = std::get<Reading>(second);
  const auto is_same_tag = [](const EmotionTag& a, const EmotionTag& b) {
    return a.emotion == b.emotion && a.span == b.span;
  };
  return one.text == other.text && one.span == other.span && is_same(one.object, other.object) &&
         std::equal(one.emotions.begin(), one.emotions.end(), other.emotions.begin(), other.emotions.end(),
                    is_same_tag);
}

}  // namespace callfence::fuzz
