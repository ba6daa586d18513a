// The command line, run as a process. What the parser makes of a reply is the other tests' matter; here it is what goes
// in, what comes out, and the exit code.

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "run_command.hpp"

namespace callfence::cli::test {
namespace {

using ::testing::IsSubstring;

/// A json block with this body, without a newline at the end.
std::string block(const std::string& body) { return "```json\n" + body + "\n```"; }

/// `lines` with dots for details, sentences and errors, whose wording is the library's matter.
std::string mask_details(const std::string& lines) {
  return std::regex_replace(lines, std::regex(R"re(("detail"|"sentence"|"error"):"(\\.|[^"\\])*")re"), R"($1:"...")");
}

const std::string order = block(R"({"name": "get_order", "args": {"id": "A-17"}})");
const std::string order_line = R"({"block":1,"type":"call","name":"get_order","args":{"id":"A-17"},"span":[0,57]})";

const std::string tagged = R"({"summary": "ok" [emotion:happy]})";

struct Case {
  Args options;
  std::string input;
  std::string expected;  // A line, or a part of a sentence.
};

// What parse and batch make of a reply, with each option.

struct ReplyCase {
  Args options;
  std::string reply;
  std::vector<std::string> entries;
  std::vector<std::string> notes = {};
};

/// A call of `f` by the first block, and an error.
std::string call_line(const std::string& args, const std::string& span) {
  return R"({"block":1,"type":"call","name":"f","args":)" + args + R"(,"span":)" + span + "}";
}
std::string error_line(const std::string& reason, const std::string& place_and_span) {
  return R"({"block":1,"type":"error","reason":")" + reason + R"(","detail":"...",)" + place_and_span + "}";
}
std::string note_line(const std::string& kind, const std::string& span) {
  return R"({"type":"note","kind":")" + kind + R"(","span":)" + span + R"(,"sentence":"..."})";
}

std::vector<ReplyCase> reply_cases() {
  const std::string plain = block(R"({"name":"f"})");
  const std::string in_tildes = "~~~\n" + plain + "\n~~~";
  const std::string deep = block(R"({"name":"f","args":{"a":[]}})");  // Depth 3; no object has more than 2 members.
  const std::string tool = block(R"({"tool":"f","input":{"x":1}})");
  const std::string nearly = block(R"({"name":"f","arguments":{}})") + "\n~~~json\n~~~";
  const std::string blanks = "{\t\"a b\" : [ \" x \\\" , y\" ,\r\n true , { } ] }";
  // clang-format off
  return {
      {{}, "no call here", {}},
      {{}, "", {}},
      {{}, order, {order_line}},
      {{}, plain, {call_line("{}", "[0,24]")}},
      {{}, block(R"({"name":"f","args":{"n":2512292042121000001}})"), {call_line(R"({"n":2512292042121000001})", "[0,57]")}},
      {{}, block(R"({"name":"f","args":{"n":[1.10,1E+02,-0]}})"), {call_line(R"({"n":[1.10,1E+02,-0]})", "[0,53]")}},
      {{}, block(R"({"name":"f","args":{"\u0061\/":"\u00e9\n"}})"), {call_line(R"({"\u0061\/":"\u00e9\n"})", "[0,55]")}},
      {{}, block(R"({"name":"f","args": )" + blanks + " }"), {call_line(R"({"a b":[" x \" , y",true,{}]})", "[0,76]")}},
      {{}, block(R"({"name":"\u00e9\n\"\\"})"), {R"({"block":1,"type":"call","name":"é\n\"\\","args":{},"span":[0,35]})"}},
      {{}, block(repeat("[", 100'000)), {error_line("invalid json", R"("line":2,"column":513,"byte":520,"span":[0,100012])")}},
      {{}, "é\n\u00A0" + block("{}"), {error_line("missing name", R"("line":2,"column":2,"byte":5,"span":[5,19])")}},
      {{}, block("{\"é日\": x}"), {error_line("invalid json", R"("line":2,"column":8,"byte":18,"span":[0,24])")}},
      {{}, block("{\"name\":\"f\",\n\"args\":[]}"), {error_line("args not an object", R"("line":3,"column":8,"byte":28,"span":[0,35])")}},
      {{}, block("[]"), {error_line("not an object", R"("line":2,"column":1,"byte":8,"span":[0,14])")}},
      {{}, "\n```json\n{", {error_line("unclosed block", R"("line":2,"column":1,"byte":1,"span":[1,10])")}},
      {{}, in_tildes, {call_line("{}", "[4,28]")}},
      {{"--fences=reference"}, in_tildes, {call_line("{}", "[4,28]")}},
      {{"--fences=strict"}, in_tildes, {}},
      {{"--max-depth=3"}, deep, {call_line(R"({"a":[]})", "[0,40]")}},
      {{"--max-depth", "2"}, deep, {error_line("invalid json", R"("line":2,"column":25,"byte":32,"span":[0,40])")}},
      {{"--max-depth=4096"}, deep, {call_line(R"({"a":[]})", "[0,40]")}},
      {{"--max-members=2"}, deep, {call_line(R"({"a":[]})", "[0,40]")}},
      {{"--max-members", "1"}, deep, {error_line("invalid json", R"("line":2,"column":13,"byte":20,"span":[0,40])")}},
      {{"--name-key=tool", "--args-key=input"}, tool, {call_line(R"({"x":1})", "[0,40]")}},
      {{"--name-key", "tool"}, tool, {call_line("{}", "[0,40]")}},
      {{"--args-key=input"}, tool, {error_line("missing name", R"("line":1,"column":1,"byte":0,"span":[0,40])")}},
      {{}, nearly, {call_line("{}", "[0,39]")}},
      {{"--notes"}, nearly, {call_line("{}", "[0,39]")}, {note_line("other members", "[0,39]"), note_line("nearly an opening", "[40,47]")}},
  };
  // clang-format on
}

TEST(ParseCommand, PrintsALineForEachEntryThenEachNote) {
  for (const ReplyCase& row : reply_cases()) {
    SCOPED_TRACE(join(row.options, " ") + "\n" + row.reply.substr(0, 200));
    Outcome outcome = run_command(Args{"parse"} + row.options, row.reply);
    outcome.out = mask_details(outcome.out);
    std::string lines;
    for (const std::string& line : row.entries + row.notes) lines += line + "\n";
    const std::string warning = row.reply.empty() ? "callfence: the reply is empty\n" : "";
    expect_outcome(outcome, lines.find(R"("type":"error")") == std::string::npos ? 0 : 1, lines, warning);
  }
}

TEST(BatchCommand, EntriesAreThoseOfParse) {
  for (const ReplyCase& row : reply_cases()) {
    SCOPED_TRACE(join(row.options, " ") + "\n" + row.reply.substr(0, 200));
    Outcome outcome = run_command(Args{"batch"} + row.options, R"({"id":1,"reply":)" + quote(row.reply) + "}");
    outcome.out = mask_details(outcome.out);
    std::string line = R"({"id":1,"entries":[)" + join(row.entries, ",") + "]";
    if (row.options == Args{"--notes"}) line += R"(,"notes":[)" + join(row.notes, ",") + "]";
    expect_outcome(outcome, 0, line + "}\n");  // Exit code 0, whatever the entries.
  }
}

TEST(ParseCommand, PrintsTheDetailOfAnError) {
  const std::string reply = order + "\nthen\n" + block(R"({"name": "cancel_order", "args": {"id": "A-17"},})");
  const std::string error = R"({"block":2,"type":"error","reason":"invalid json","detail":"trailing comma before '}'",)"
                            R"("line":6,"column":49,"byte":119,"span":[63,124]})";
  expect_outcome(run_command({"parse"}, reply), 1, order_line + "\n" + error + "\n");
}

TEST(ParseCommand, ColumnsCountAByteThatIsNotUtf8AsOne) {
  const Outcome parsed = run_command({"parse"}, block("{\"é\": \"\xFF\"}"));
  EXPECT_PRED_FORMAT2(IsSubstring, R"("line":2,"column":8,"byte":16)", parsed.out);
  const Outcome reading = run_command({"read"}, "\xFF\xE2\x82 {x");  // E2 82 is two bytes of a sequence of three.
  EXPECT_PRED_FORMAT2(IsSubstring, "(line 1, column 6, byte 5)", reading.err);
}

TEST(ParseCommand, BinaryInputIsReadWithAWarning) {
  std::string bytes;
  for (int i = 0; i < 70'000; ++i) bytes += static_cast<char>(i + 1);
  const std::string call = R"({"block":1,"type":"call","name":"get_order","args":{"id":"A-17"},"span":[70001,70058]})";
  const std::string warning = "callfence: the reply is binary: byte 255 is zero\n";
  expect_outcome(run_command({"parse"}, bytes + "\n" + order), 0, call + "\n", warning);
  const Outcome inside = run_command({"parse"}, block(std::string("\0\n\x1B", 3)));
  EXPECT_EQ(inside.code, 1);
  EXPECT_PRED_FORMAT2(IsSubstring, R"("detail":"found '\\u0000')", inside.out);
}

TEST(ParseCommand, PrintsThousandsOfErrors) {
  const Outcome outcome = run_command({"parse"}, repeat(block("") + "\n", 20'000));  // 13 bytes each
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 20'000);
  EXPECT_PRED_FORMAT2(IsSubstring, R"("line":59999,"column":1,"byte":259995,"span":[259987,259999]})", outcome.out);
}

TEST(ReadCommand, PrintsWhatItsOptionsAskFor) {
  const std::string object = "{\"a\" : 1.10,\r\n \"b\\u0041\":[2512292042121000001] , \"c\":\"[emotion:sad]\"}";
  // clang-format off
  const std::vector<Case> rows{
      {{}, "Sure [emotion:happy]:\n" + object + " {\"b\": 2} bye", object},
      {{"--json"}, R"([emotion:sad] {"a": [1.10, "x y"]} [emotion:so-so])", R"({"object":{"a":[1.10,"x y"]},"emotions":[{"emotion":"sad","span":[0,13]},{"emotion":"so-so","span":[35,50]}],"span":[14,34]})"},
      {{"--json"}, R"({ })", R"({"object":{},"emotions":[],"span":[0,3]})"},
      {{"--json", "--tags=everywhere"}, tagged, R"({"object":{"summary":"ok"},"emotions":[{"emotion":"happy","span":[17,32]}],"span":[0,33]})"},
      {{"--tags", "everywhere"}, tagged, R"({"summary": "ok" })"},
      {{"--log"}, "{}", "{}"},
      {{"--max-depth=1"}, R"({"a":1})", R"({"a":1})"},
      {{"--max-members=1"}, R"({"a":1})", R"({"a":1})"},
  };
  // clang-format on
  for (const auto& [options, reply, line] : rows) {
    SCOPED_TRACE(join(options, " ") + "\n" + reply);
    expect_outcome(run_command(Args{"read"} + options, reply), 0, line + "\n");
  }
}

TEST(ReadCommand, SaysInASentenceWhyThereIsNoObject) {
  const std::vector<Case> rows{
      {{}, "no brace", "had no JSON object"},
      {{"--log"}, "no brace", "had no JSON object"},  // Which is not logged.
      {{}, tagged, "was not valid JSON: found '[', expected ',' or '}' (line 1, column 18, byte 17)"},
      {{"--json"}, tagged, "(line 1, column 18, byte 17)"},
      {{"--tags=strict"}, tagged, "(line 1, column 18, byte 17)"},
      {{"--max-depth=1"}, R"({"a":[]})", "(line 1, column 6, byte 5)"},
      {{"--max-members=1"}, "{\"a\":1,\n\"b\":2}", "(line 2, column 1, byte 8)"},
      {{"--max-depth=4096"}, repeat(R"({"a":)", 100'000), "(line 1, column 20481, byte 20480)"},
  };
  for (const auto& [options, reply, part] : rows) {
    SCOPED_TRACE(join(options, " ") + "\n" + reply.substr(0, 200));
    expect_refusal(run_command(Args{"read"} + options, reply), part, 1);
    if (!options.empty() && options[0].find('=') == std::string::npos) continue;
    const Outcome batch = run_command(Args{"batch", "--read"} + options, R"({"reply":)" + quote(reply) + "}");
    EXPECT_EQ(batch.code, 0);
    EXPECT_PRED_FORMAT2(IsSubstring, part, batch.out);
  }
}

TEST(ReadCommand, LogsHeadAndTailOfAnUnreadableReply) {
  const std::string reply = "{\n" + repeat("é", 1000) + "\xFF";
  const Outcome quiet = run_command({"read"}, reply);
  EXPECT_EQ(quiet.err.rfind("callfence: The reply was not valid JSON: ", 0), 0U) << quiet.err;
  const std::string log = "callfence: unreadable reply of 2003 bytes; begins: {\\u000A" + repeat("é", 298) +
                          "; ends: " + repeat("é", 299) + "\\xFF\n";
  expect_outcome(run_command({"read", "--log"}, reply), 1, "", log + quiet.err);
}

// Files and streams, for every subcommand

TEST(EveryCommand, ReadsStandardInputOrOneFile) {
  const WorkFolder folder;
  const Args names{"plain", "two  blanks", "-dash", "--help", "parse", "-- x"};
  for (const std::string command : {"parse", "read", "batch"}) {
    const std::string input = command == "batch" ? R"({"reply":)" + quote(order) + "}\n" : order;
    const Outcome expected = run_command({command}, input);
    EXPECT_NE(expected.out, "");
    expect_outcome(run_command({command, "-"}, input), 0, expected.out);
    for (const std::string& name : names) {
      SCOPED_TRACE(command + " " + name);
      WorkFolder::write(name, input);
      expect_outcome(run_command({command, "--", name}), 0, expected.out);
    }
  }
}

TEST(EveryCommand, RefusesAFileThatCannotBeRead) {
  const WorkFolder folder;
  // /proc/self/mem opens, but its first byte cannot be read, not even by root.
  for (const std::string command : {"parse", "read", "batch"}) {
    expect_refusal(run_command({command}, "", {.in = "/"}), "standard input");
    for (const std::string name : {"missing", "/", "/proc/self/mem", "", "two\nlines"}) {
      SCOPED_TRACE(command + " " + name);
      expect_refusal(run_command({command, name}), name == "two\nlines" ? "two" : "'" + name + "'");
    }
  }
}

TEST(EveryCommand, TakesAnEmptyInput) {
  for (const Args& file : {Args{}, Args{"/dev/null"}}) {
    for (const std::string command : {"parse", "read", "batch"}) {
      SCOPED_TRACE(command);
      const Outcome outcome = run_command(Args{command} + file);
      EXPECT_EQ(outcome.code, command == "read" ? 1 : 0);
      EXPECT_EQ(outcome.out, "");
      EXPECT_PRED_FORMAT2(IsSubstring, command == "read" ? "had no JSON object" : "is empty", outcome.err);
    }
  }
}

TEST(EveryCommand, SaysThatItCannotWrite) {
  const std::string record = R"({"reply":"{}"})";
  const std::string records = repeat(record + "\n", 100'000);
  const std::vector<std::pair<Args, std::string>> runs{{{"parse"}, order},   {{"read"}, "{}"}, {{"batch"}, record},
                                                       {{"batch"}, records}, {{"--help"}, ""}, {{"--version"}, ""}};
  for (const auto& [args, input] : runs) {
    SCOPED_TRACE(args[0]);
    expect_refusal(run_command(args, input, {.out = Streams::closed_pipe}), "standard output: Broken pipe");
    expect_refusal(run_command(args, input, {.out = "/dev/full"}), "standard output: No space left on device");
  }
}

TEST(EveryCommand, EndsByItselfWhereStandardErrorIsUnwritable) {
  for (const char* err : {Streams::closed_pipe, "/dev/full"}) {
    SCOPED_TRACE(err);
    EXPECT_EQ(run_command({"parse", "/missing"}, "", {.err = err}).code, 2);
    EXPECT_EQ(run_command({"frobnicate"}, "", {.err = err}).code, 2);
    EXPECT_GT(run_command({"read", "--log"}, "{x", {.err = err}).code, 0);
    EXPECT_GE(run_command({"parse"}, "", {.err = err}).code, 0);
  }
}

TEST(EveryCommand, RefusesWrongUse) {
  const WorkFolder folder;
  WorkFolder::write("f", "");
  const std::vector<std::pair<Args, std::string>> rows{
      {{}, "subcommand"},
      {{"frobnicate"}, "frobnicate"},
      {{"--frobnicate"}, "--frobnicate"},
      {{"parse", "f", "g"}, "g"},
      {{"batch", "-", "-"}, "-"},
      {{"parse", "--frobnicate"}, "--frobnicate"},
      {{"parse", "-n\n-x"}, "-n"},
      {{"read", "--notes"}, "--notes"},
      {{"batch", "--read", "--notes"}, "--notes"},
      {{"parse", "--fences=loose"}, "loose"},
      {{"read", "--tags=some"}, "some"},
      {{"parse", "--max-depth"}, "--max-depth"},
      {{"parse", "--max-depth=many"}, "many"},
      {{"parse", "--max-depth=0"}, "depth"},
      {{"read", "--max-depth=4097"}, "depth"},
      {{"batch", "--max-depth=-1"}, "depth"},
      {{"parse", "--max-depth=99999999999999999999"}, "depth"},
      {{"parse", "--max-members=0"}, "member"},
      {{"read", "--max-members=-1"}, "member"},
      {{"parse", "--name-key", ""}, "empty"},
      {{"batch", "--args-key", ""}, "empty"},
      {{"parse", "--name-key=", "f"}, ""},
      {{"batch", "--name-key=x", "--args-key=x"}, "differ"},
  };
  for (const auto& [args, part] : rows) {
    SCOPED_TRACE(join(args, " "));
    expect_refusal(run_command(args, R"({"reply":"{}"})"), part);
  }
}

TEST(EveryCommand, HelpNamesEveryOption) {
  const std::vector<std::pair<Args, Args>> rows{
      {{}, {"--version", "parse", "read", "batch"}},
      {{"parse"}, {"FILE", "--notes", "--fences", "--max-depth", "--max-members", "--name-key", "--args-key", "Exit"}},
      {{"read"}, {"FILE", "--json", "--tags", "--log", "--max-depth", "--max-members", "Exit"}},
      {{"batch"}, {"FILE", "--id", "--reply", "--notes", "--read", "--fences", "--tags", "Exit"}},
      {{"batch"}, {"--max-depth", "--max-members", "--name-key", "--args-key"}}};
  for (const auto& [args, words] : rows) {
    const Outcome outcome = run_command(args + Args{"--help"});
    expect_outcome(outcome, 0, outcome.out);
    EXPECT_PRED_FORMAT2(IsSubstring, "Usage: " + join(Args{"callfence"} + args, " "), outcome.out);
    for (const std::string& word : words) EXPECT_PRED_FORMAT2(IsSubstring, word, outcome.out);
  }
}

TEST(VersionOption, NamesTheLibrariesThatAreLoaded) {
  const Outcome outcome = run_command({"--version"});
  expect_outcome(outcome, 0, outcome.out);
  std::smatch lines;
  const std::regex form("callfence \\d+\\.\\d+\\.\\d+\ncontract \\d+\\.\\d+\nBoost (\\d+\\.\\d+\\.\\d+)\nRE2 (.+)\n");
  ASSERT_TRUE(std::regex_match(outcome.out, lines, form)) << outcome.out;
  CommandRun run({"batch"});
  run.feed("\n");
  ASSERT_TRUE(run.wait_for_output(1, std::chrono::seconds(10)));  // It has been loaded.
  const std::string maps = run.proc_file("maps");
  const auto expect_loaded = [&maps](const std::string& library, const std::string& version) {
    std::smatch found;
    if (!std::regex_search(maps, found, std::regex(library + "\\.so\\.(\\S+)"))) return;  // It was linked in.
    EXPECT_EQ(version, found[1]);
  };
  expect_loaded("libboost_json", lines[1]);
  expect_loaded("libre2", lines[2]);
}

TEST(BatchCommand, AnswersEachRecord) {
  // clang-format off
  const std::vector<Case> rows{
      {{}, R"({"id":7,"reply":"x"})", R"({"id":7,"entries":[]})"},
      {{}, R"( { "reply" : "x" , "id" : 7 } )", R"({"id":7,"entries":[]})"},
      {{}, R"({"reply":"x"})", R"({"id":null,"entries":[]})"},
      {{}, R"({"id":{"a b": [1,  {}] ,"c":"}"},"reply":"x"})", R"({"id":{"a b": [1,  {}] ,"c":"}"},"entries":[]})"},
      {{}, R"({"id":123456789012345678901234567890,"reply":"x"})", R"({"id":123456789012345678901234567890,"entries":[]})"},
      {{}, R"({"id":1.10,"reply":"x"})", R"({"id":1.10,"entries":[]})"},
      {{}, R"({"id":"\u0041\"\\\/,","reply":"x"})", R"({"id":"\u0041\"\\\/,","entries":[]})"},
      {{}, R"({"\u0069d":1,"reply":"x"})", R"({"id":1,"entries":[]})"},
      {{}, R"({"id":1,"a":{"id":2},"id":3,"reply":"x"})", R"({"id":3,"entries":[]})"},
      {{}, R"({"reply":"\u0000\n```json\n{\"name\":\"\\u0041\"}\n```"})", R"({"id":null,"entries":[{"block":1,"type":"call","name":"A","args":{},"span":[2,31]}]})"},
      {{}, R"({"reply":"{1}","reply":"```json\n{"})", R"({"id":null,"entries":[{"block":1,"type":"error","reason":"unclosed block","detail":"...","line":1,"column":1,"byte":0,"span":[0,9]}]})"},
      {{"--id=key", "--reply=text"}, R"({"id":1,"key":"k","reply":"{","text":"x"})", R"({"id":"k","entries":[]})"},
      {{"--read"}, R"({"id":1,"reply":"[emotion:sad] {\"a\": [1.10]}"})", R"({"id":1,"object":{"a":[1.10]},"emotions":[{"emotion":"sad","span":[0,13]}]})"},
      {{"--read"}, R"({"id":1,"reply":"{}","reply":"{\"last\":1}"})", R"({"id":1,"object":{"last":1},"emotions":[]})"},
      {{"--read"}, R"({"id":1,"reply":"\u0000{\"a\":\"\\u0000\"}"})", R"({"id":1,"object":{"a":"\u0000"},"emotions":[]})"},
      {{"--read"}, R"({"id":1,"reply":"{[emotion:sad]}"})", R"({"id":1,"error":"..."})"},
      {{"--read", "--tags=everywhere"}, R"({"id":1,"reply":"{[emotion:sad]}"})", R"({"id":1,"object":{},"emotions":[{"emotion":"sad","span":[1,14]}]})"},
      {{"--read", "--max-depth=1"}, R"({"id":1,"reply":"{\"a\":[]}"})", R"({"id":1,"error":"..."})"},
  };
  // clang-format on
  for (const auto& [options, record, answer] : rows) {
    for (const std::string newline : {"\n", "\r\n"}) {
      SCOPED_TRACE(join(options, " ") + "\n" + record);
      const std::string input = record + newline + record;  // The last one without a newline.
      Outcome outcome = run_command(Args{"batch"} + options, input);
      outcome.out = mask_details(outcome.out);
      expect_outcome(outcome, 0, answer + "\n" + answer + "\n");
    }
  }
}

TEST(BatchCommand, RefusesWhatIsNoRecordAndGoesOn) {
  const std::vector<Case> rows{
      {{}, "", "empty"},
      {{}, "\r", "empty"},
      {{}, "é", "'é'"},
      {{}, R"({"é":1,"reply":"x"} y)", "column 21"},
      {{}, R"({"reply":"\ud83d"})", "lone surrogate"},
      {{}, R"({"reply":"x","a":"\udc00\ud83d"})", "lone surrogate"},
      {{}, "{\"reply\":\"\xFF\"}", "UTF-8"},
      {{}, std::string("{\0}", 3), "found '\\\\u0000'"},
      {{}, repeat("[", 100'000), "too deep"},
      {{}, R"(["reply"])", "not an object"},
      {{}, R"({"id":1,"Reply":"x"})", "no member 'reply'"},
      {{"--id=reply", "--reply=id"}, R"({"reply":"x"})", "no member 'id'"},
      {{}, R"({"id":1,"reply":["x"]})", "'reply' is not a string"},
  };
  for (const auto& [options, record, part] : rows) {
    SCOPED_TRACE(join(options, " ") + "\n" + record.substr(0, 200));
    const std::string good = R"({"id":"","reply":""})";
    const Outcome outcome = run_command(Args{"batch"} + options, good + "\n" + record + "\n" + good + "\n");
    std::smatch error;
    const std::string answers = R"(\{"id":"","entries":\[\]\}\n)";
    const std::regex form(answers + R"re(\{"line":2,"error":"(.*)"\}\n)re" + answers);
    expect_outcome(outcome, 1, outcome.out);
    ASSERT_TRUE(std::regex_match(outcome.out, error, form)) << outcome.out;
    EXPECT_PRED_FORMAT2(IsSubstring, part, error[1]);
  }
}

TEST(BatchCommand, KeepsTheOrder) {
  std::string records;
  std::string answers;
  for (int i = 0; i < 5000; ++i) {
    records += R"({"reply":"","id":)" + std::to_string(i) + "}\n";
    answers += R"({"id":)" + std::to_string(i) + ",\"entries\":[]}\n";
  }
  expect_outcome(run_command({"batch"}, records), 0, answers);
}

TEST(BatchCommand, TakesARecordOfManyMegabytes) {
  const std::string reply = repeat("word \\ \"quoted\"\n", 400'000) + order;  // 16 bytes each
  const std::string answer = R"({"id":1,"entries":[{"block":1,"type":"call","name":"get_order","args":{"id":"A-17"},)"
                             R"("span":[6400000,6400057]}]})";
  expect_outcome(run_command({"batch"}, R"({"id":1,"reply":)" + quote(reply) + "}\n"), 0, answer + "\n");
}

TEST(BatchCommand, AnswersWhileTheInputStaysOpen) {
  const std::string answer = "{\"id\":1,\"entries\":[]}\n";
  CommandRun run({"batch"});
  const std::string first =
      "{\"id\":1,\"reply\":\"x\"}\n{\"id\":1,";  // And the start of a second, which is yet to end.
  for (const std::string& input : {first, std::string("\"reply\":\"x\"}\n"), first}) {
    run.feed(input);
    ASSERT_TRUE(run.wait_for_output(answer.size(), std::chrono::seconds(10)));
    EXPECT_EQ(run.take_output(), answer);
  }
  run.feed("\"reply\":\"x\"}");
  expect_outcome(run.finish(), 0, answer);
}

TEST(BatchCommand, MemoryStaysTheSameOverManyRecords) {
  constexpr std::size_t records = 200'000;
  const std::string record = R"({"id":1,"reply":)" + quote(order + "\n" + repeat("and on it goes ", 8)) + "}\n";
  const std::string answer = "{\"id\":1,\"entries\":[" + order_line + "]}\n";
  const std::string thousand = repeat(record, 1000);
  std::size_t out_size = 0;
  CommandRun run({"batch"});
  for (std::size_t i = 0; i < records; i += 1000) {
    run.feed(thousand);
    out_size += run.take_output().size();
  }
  ASSERT_TRUE(run.wait_for_output(records * answer.size() - out_size, std::chrono::seconds(60)));
  // Not from wait4, whose ru_maxrss counts what this process had when it forked.
  const std::string status = run.proc_file("status");
  std::smatch peak;
  ASSERT_TRUE(std::regex_search(status, peak, std::regex("VmHWM:\\s*(\\d+) kB")));
  // The address sanitizer keeps up to 256 MB of freed memory, and has shadow memory of its own.
  EXPECT_LT(std::stoul(peak[1]), with_asan ? 600'000U : 40'000U);
  EXPECT_EQ(run.finish().code, 0);
}

}  // namespace
}  // namespace callfence::cli::test
