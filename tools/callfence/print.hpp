#pragma once

#include <callfence/entry.hpp>
#include <callfence/notes.hpp>
#include <callfence/reading.hpp>
#include <string>
#include <string_view>

namespace callfence::cli {

// One line of JSON each, without a newline. The member order is part of the interface: see README.md.

/// {"block":1,"type":"call",...} or {"block":2,"type":"error",...}
std::string print(const Entry& entry);

/// {"type":"note",...}
std::string print(const Note& note);

/// The members of a reading, without braces: "object":{...},"emotions":[...]
std::string print_members(const Reading& reading);

/// {"object":{...},"emotions":[...],"span":[...]}
std::string print(const Reading& reading);

/// `text` as a JSON string.
std::string print_string(std::string_view text);

/// Accepted JSON with only the white space between its tokens dropped.
std::string squeeze(std::string_view json);

}  // namespace callfence::cli
