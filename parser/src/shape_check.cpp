#include "shape_check.hpp"

#include "json_fault.hpp"

namespace callfence {

static std::string name_kind(const boost::json::value* value) {
  if (value == nullptr) return "nothing";
  if (value->is_string()) return value->get_string().empty() ? "an empty string" : "a string";
  if (value->is_structured()) return value->is_array() ? "an array" : "an object";
  return value->is_null() ? "null" : value->is_bool() ? "true or false" : "a number";
}

Entry make_entry(const Block& block, std::string_view body, const Options& options) {
  const auto& [fences, tags, max_depth, max_members, name_key, args_key] = options.values();
  const auto fail = [&](Reason reason, Detail detail) -> Entry {
    return Error{block.number, reason, block.span, block.body, std::move(detail)};
  };
  const auto place_of = [&](std::size_t at) { return place_in(body, at, block.body_begin); };
  const auto describe = [](const boost::json::value* member, std::string_view key) {
    return name_kind(member) + " as '" + make_visible(key) + "'";
  };
  if (!block.closed) {  // T7: never decoded
    return fail(Reason::unclosed_block, {block.opening, Cause::cut_short, "the end of the reply", "a closing fence"});
  }
  auto decoded = decode_json(body, {max_depth, max_members});  // T6: decoded, then these checks in this order
  if (!decoded) {
    Detail detail = explain_fault(body, {max_depth, max_members});
    detail.place = place_of(detail.place.byte);
    return fail(Reason::invalid_json, std::move(detail));
  }
  boost::json::object* object = decoded->value.if_object();
  if (object == nullptr) {
    const Place place = place_of(skip_space(body, 0));
    return fail(Reason::not_an_object, {place, Cause::unknown, name_kind(&decoded->value), "an object"});
  }
  const boost::json::value* name = object->if_contains(name_key);
  if (name == nullptr || !name->is_string() || name->get_string().empty()) {
    const std::string found = describe(name, name_key);
    return fail(Reason::missing_name, {block.opening, Cause::unknown, found, "a string that is not empty"});
  }
  Call call{block.number, std::string(name->get_string()), {}, {}, block.span, block.body};
  boost::json::value* args = object->if_contains(args_key);
  if (args == nullptr) return call;  // T6: an empty object; J7: without text
  const std::string_view text = member_text(body, args_key);
  if (!args->is_object()) {
    const Place place = place_of(static_cast<std::size_t>(text.data() - body.data()));
    return fail(Reason::args_not_an_object, {place, Cause::unknown, describe(args, args_key), "an object"});
  }
  call.args = std::move(args->get_object());
  call.args_text = text;  // J7
  return call;
}

}  // namespace callfence
