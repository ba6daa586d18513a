#pragma once

#include <string>
#include <string_view>

namespace callfence::fuzz {

enum class Side { parser, oracle };

/// What one side says of a reply: entries and notes under both fence rules, the reading under both tag rules. A line
/// each, `WHAT<tab>RULE<tab>JSON`, such as "entries<tab>strict<tab>{...}". The parser's JSON is that of the command
/// line; the oracle's has the same members but those that only the parser knows (detail, line, column and byte of an
/// error, a note's sentence). A reading that fails is {"error":...}: the parser's sentence, the oracle's few words.
std::string list_answers(std::string_view reply, Side side);

}  // namespace callfence::fuzz
