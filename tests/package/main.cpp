// Prints the number of calls in a reply that has two of them and an error.
#include <callfence/tool_calls.hpp>
#include <cstdio>

int main() {
  const char* reply =
      "First a light:\n```json\n{\"name\": \"set_light\", \"args\": {\"level\": 0.5}}\n```\n"
      "This one is broken:\n```json\n{'name': 'set_light'}\n```\n"
      "And the doors:\n```json\n{\"name\": \"lock_doors\"}\n```\n";
  int calls = 0;
  for (const callfence::Entry& entry : callfence::parse_tool_calls(reply)) {
    if (std::holds_alternative<callfence::Call>(entry)) ++calls;
  }
  std::printf("%d calls\n", calls);
}
