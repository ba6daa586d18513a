#include "shape_check.hpp"

#include "json_fault.hpp"

namespace callfence {

static std::string name_kind(const boost::json::value* value) {
  if (value == nullptr) return "nothing";
  if (value->is_string()) return value->get_string().empty() ? "an empty string" : "a string";
  if (value->is_structured()) return value->is_array() ? "an array" : "an object";
  return value->is_null() ? "null" : value->is_bool() ? "true or false" : "a number";
}

void add_entry(std::vector<Entry>& entries, const Block& block, std::string_view body, const Options& options) {
  const auto& [fences, tags, max_depth, max_members, name_key, args_key] = options.values();
  const auto fail = [&](Reason reason, Detail detail) {
    entries.emplace_back(Error{block.number, reason, block.span, block.body, std::move(detail)});
  };
  const auto place_of = [&](std::size_t at) { return place_in(body, at, {block.body.begin, block.opening.line + 1}); };
  const auto show = [](const boost::json::value* member, std::string_view key) {
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
  if (object == nullptr)
    return fail(Reason::not_an_object,
                {place_of(skip_space(body, 0)), Cause::unknown, name_kind(&decoded->value), "an object"});
  const boost::json::value* name = object->if_contains(name_key);
  if (name == nullptr || !name->is_string() || name->get_string().empty())
    return fail(Reason::missing_name,
                {block.opening, Cause::unknown, show(name, name_key), "a string that is not empty"});
  boost::json::value* args = object->if_contains(args_key);
  const std::string_view text = args == nullptr ? "" : member_text(body, args_key, *decoded);
  if (args != nullptr && !args->is_object()) {
    const Place place = place_of(static_cast<std::size_t>(text.data() - body.data()));
    return fail(Reason::args_not_an_object, {place, Cause::unknown, show(args, args_key), "an object"});
  }
  Call call{block.number, std::string(name->get_string()), {}, {}, block.span, block.body};
  Call& added = std::get<Call>(entries.emplace_back(std::move(call)));
  if (args == nullptr) return;  // T6: an empty object; J7: without text
  added.args = std::move(args->get_object());
  added.args_text = text;  // J7
}

}  // namespace callfence
