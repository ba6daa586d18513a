#include "print.hpp"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "json_decode.hpp"

namespace callfence::cli {
namespace {

std::string print_span(Span span) { return fmt::format("[{},{}]", span.begin, span.end); }

std::string print_call(const Call& call) {
  return fmt::format(R"({{"block":{},"type":"call","name":{},"args":{},"span":{}}})", call.block,
                     print_string(call.name), call.args_text ? squeeze(*call.args_text) : "{}", print_span(call.span));
}

std::string print_error(const Error& error) {
  const auto [byte, line, column] = error.detail.place;
  return fmt::format(
      R"({{"block":{},"type":"error","reason":"{}","detail":{},"line":{},"column":{},"byte":{},"span":{}}})",
      error.block, to_string(error.reason), print_string(to_string(error.detail)), line, column, byte,
      print_span(error.span));
}

}  // namespace

std::string print_string(std::string_view text) {
  return boost::json::serialize(boost::json::value(boost::json::string_view(text.data(), text.size())));
}

std::string squeeze(std::string_view json) {
  std::string squeezed;
  for (std::size_t at = skip_space(json, 0), end = 0; at < json.size(); at = skip_space(json, end)) {
    end = token_end(json, at);
    squeezed += json.substr(at, end - at);
  }
  return squeezed;
}

std::string print(const Entry& entry) {
  const auto* call = std::get_if<Call>(&entry);
  return call != nullptr ? print_call(*call) : print_error(std::get<Error>(entry));
}

std::string print(const Note& note) {
  return fmt::format(R"({{"type":"note","kind":"{}","span":{},"sentence":{}}})", to_string(note.kind),
                     print_span(note.span), print_string(note.sentence));
}

std::string print_members(const Reading& reading) {
  std::string emotions;
  for (const EmotionTag& tag : reading.emotions) {
    emotions += fmt::format(R"({}{{"emotion":"{}","span":{}}})", emotions.empty() ? "" : ",", tag.emotion,
                            print_span(tag.span));
  }
  return fmt::format(R"("object":{},"emotions":[{}])", squeeze(reading.text), emotions);
}

std::string print(const Reading& reading) {
  return fmt::format(R"({{{},"span":{}}})", print_members(reading), print_span(reading.span));
}

}  // namespace callfence::cli
