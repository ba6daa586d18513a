#!/usr/bin/env python3
"""What tools/reproduce promises: verdicts, sides, lines, digests, and a clear word on what it cannot take.

Use: reproduce_test.py SOURCE BUILD [unittest's arguments]
"""

import os
import re
import shutil
import subprocess
import unittest

import support
from support import BUILT_WRONG, WRONG_NAME, ToolTest, canary_input

ROW = re.compile(r"^([a-z-]+) +(holds|does not hold|crashes|hangs|not finished|takes too much memory)", re.MULTILINE)
REPLY = b'Hi.\n```json\n{"name":"a"}\n```\n'


class Verdicts(ToolTest):
    def test_every_property_has_a_row_and_holds(self):
        out, _ = self.reproduce(self.write("reply", REPLY), code=0)
        rows = dict(ROW.findall(out))
        self.assertGreaterEqual(len(rows), 20)
        self.assertEqual(set(rows.values()), {"holds"})
        for name in ("total", "oracle", "chunks", "notes", "reading", "tags", "decode", "by-construction"):
            self.assertIn(name, rows)
        self.assertIn("every property holds", out)

    def test_what_is_no_reply_has_a_verdict_too(self):
        files = [self.write("empty", b""), self.write("zeros", bytes(3000)), self.write("all", bytes(range(256)) * 40)]
        out, _ = self.reproduce(*files, code=0)
        self.assertIn("the file is empty", out)
        self.assertIn("3 files: on 3 every property holds", out)

    def test_parser_and_oracle_stand_side_by_side(self):
        out, _ = self.canary("reproduce", WRONG_NAME, canary_input(WRONG_NAME), code=1)
        self.assertEqual(dict(ROW.findall(out))["oracle"], "does not hold")
        self.assertRegex(out, r'(?m)^oracle \(reference\) does not hold:\n +parser +\| oracle\n'
                              r'  ! 1 call "getorder" .* \| 1 call "getOrder" ')
        self.assertIn("oracle (strict) does not hold, in the same way", out)
        self.assertRegex(out, r"verdict digest: [0-9a-f]{16}\n")
        self.assertIn("Next: tools/minimize ", out)

    def test_what_differs_is_seen_in_long_lines_and_all_of_it_with_full(self):
        name = b"Order" + b"x" * 500
        file = self.write("long", b'```json\n{"name":"' + name + b'"}\n```\n')
        out, _ = self.canary("reproduce", WRONG_NAME, "--property=oracle", file, code=1)
        row = next(line for line in out.splitlines() if line.startswith("  !"))
        self.assertLessEqual(len(row), 120)
        self.assertIn("…", row)
        self.assertRegex(row, r'"order.*\|.*"Order')
        out, _ = self.canary("reproduce", WRONG_NAME, "--property=oracle", "--full", file, code=1)
        self.assertIn('"' + name.decode() + '"', out)

    def test_equal_entries_are_not_marked_and_many_are_left_out(self):
        call = b'```json\n{"name":"a"}\n```\n'
        file = self.write("many", call * 30 + b'```json\n{"name":"B"}\n```\n')
        out, _ = self.canary("reproduce", WRONG_NAME, "--property=oracle", "--fences=reference", file, code=1)
        sides = out[out.index("oracle (asked) does not hold"):]
        self.assertEqual(sides.count("\n  ! "), 1)
        self.assertIn("… 28 more lines …", sides)
        self.assertRegex(sides, r'\n    30 call "a"')

    def test_a_seed_shows_what_is_built_from_it(self):
        out, _ = self.canary("reproduce", BUILT_WRONG, canary_input(BUILT_WRONG), code=1)
        self.assertIn("by-construction (reference) does not hold", out)
        self.assertIn("the input is a seed", out)
        built, _ = self.reproduce("--built=reference", canary_input(BUILT_WRONG), code=0)
        self.canary("reproduce", BUILT_WRONG, self.write("built", built.encode("utf-8", "replace")), code=1)

    def test_only_what_is_asked_for_is_tried(self):
        out, _ = self.reproduce("--property=tags", "--property=oracle", "--max-depth=3", self.write("reply", REPLY),
                                code=0)
        self.assertEqual(set(dict(ROW.findall(out))), {"oracle", "tags"})
        self.assertIn("(asked: --max-depth=3)", out)


class Lines(ToolTest):
    def lines(self, data, *options):
        out, _ = self.reproduce("--property=total", *options, self.write("reply", data), code=0)
        return out[out.index("\n") + 1:out.index("\n\n")].splitlines()

    def test_states_and_invisible_bytes_are_shown(self):
        lines = self.lines("Hi\u00a0\u200b \n \u2003```json\r\n{}\n```\n```sh\nx\xff".encode("utf-8").replace(b"\xc3\xbf", b"\xff"))
        self.assertEqual(lines, [
            "       1           | Hi<U+00A0><U+200B><U+0020>",
            "       2 json >    |  <U+2003>```json<U+000D>",
            "       3 json      | {}",
            "       4 json <    | ```",
            "       5 other >   | ```sh",
            "       6 other     | x<0xFF><END>",
        ])

    def test_strict_fences_have_a_column_where_they_differ(self):
        lines = self.lines(b"~~~\n```json\n{}\n```\n~~~\n")
        self.assertEqual(lines, [
            "         reference strict",
            "       1           other > | ~~~",
            "       2 json >    other   | ```json",
            "       3 json      other   | {}",
            "       4 json <    other   | ```",
            "       5           other < | ~~~",
        ])

    def test_long_lines_and_many_lines_are_cut_and_full_shows_them(self):
        lines = self.lines(b"a" * 5000 + b"b\n" + b"c\n" * 999)
        self.assertLess(len(lines), 200)
        self.assertRegex(lines[0], r"^ +1 +\| a+ … 4,\d+ bytes left out … a+b$")
        self.assertIn("         … 840 lines left out …", lines)
        self.assertEqual(lines[-1].split(), ["1000", "|", "c"])
        self.assertEqual(len(self.lines(b"a" * 5000 + b"b\n" + b"c\n" * 999, "--full")), 1000)


class Digests(ToolTest):
    def test_are_the_same_from_replay_and_from_a_property_that_fails(self):
        cases = sorted((support.SOURCE / "regression").glob("*/reply.txt"))[::8]
        ours, _ = self.reproduce("--digest", *cases, code=0)
        replayed, err = self.run_program(support.BUILD / "fuzz" / "json_decode_replay", "--digest", *cases, code=0)
        self.assertEqual(ours, replayed)
        self.assertEqual(err, f"ran {len(cases)} files\n")
        self.assertEqual([line.split("  ", 1)[1] for line in ours.splitlines()], [str(case) for case in cases])
        self.assertRegex(ours.splitlines()[0], "^[0-9a-f]{16}  ")
        self.assertGreater(len({line[:16] for line in ours.splitlines()}), len(cases) / 2)

    def test_tell_another_result(self):
        sound, _ = self.reproduce("--digest", canary_input(WRONG_NAME), code=0)
        wrong, _ = self.canary("reproduce", WRONG_NAME, "--digest", canary_input(WRONG_NAME), code=0)
        self.assertNotEqual(sound, wrong)

    def test_are_those_of_spec_md_counted_over_what_the_command_line_prints(self):
        cases = sorted((support.SOURCE / "regression").glob("*/reply.txt"))[::20]
        ours, _ = self.reproduce("--digest", *cases, code=0)
        self.assertEqual([line[:16] for line in ours.splitlines()], [self.digest(case) for case in cases])

    def digest(self, reply):
        lines = b""
        for command in (["parse", "--notes"], ["parse", "--notes", "--fences=strict"], ["read", "--json"],
                        ["read", "--json", "--tags=everywhere"]):
            run = subprocess.run([support.BUILD / "callfence", *command, reply], capture_output=True, check=False)
            failed = command[0] == "read" and run.returncode == 1
            # A warning may stand in front of the sentence.
            lines += run.stderr.splitlines(True)[-1].removeprefix(b"callfence: ") if failed else run.stdout
        value = 14695981039346656037
        for byte in lines:
            value = (value ^ byte) * 1099511628211 % 2**64
        return f"{value:016x}"


class Sides(ToolTest):
    def test_of_a_reply_are_the_same_but_for_what_the_parser_alone_knows(self):
        file = self.write("reply", REPLY + b"```json5\n~~~\n")
        ours, _ = self.reproduce("--answers=parser", file, code=0)
        theirs, _ = self.reproduce("--answers=oracle", file, code=0)
        self.assertEqual(re.sub(r',"sentence":"[^"]*"', "", ours), theirs)
        self.assertIn('0\tentries\tstrict\t{"block":1,"type":"call","name":"a","args":{},"span":[4,28]}\n', theirs)


class LongFiles(ToolTest):
    def test_what_does_not_finish_is_neither_right_nor_wrong(self):
        if support.is_sanitized():
            self.skipTest("a build with sanitizers has no limit of memory")
        file = self.write("fences", b"```json\n[[[[\n```\n" * 200000)
        out, _ = self.reproduce("--property=oracle", "--memory=64", file, code=3)
        self.assertRegex(out, r"(?m)^oracle +not finished, 64 MB +not tried")
        self.assertIn("every property that finished holds", out)
        self.assertIn("verdict digest: not finished in 64 MB", out)

    def test_megabytes_on_one_line_are_taken(self):
        file = self.write("line", "x\u2003".encode() * 2000000)
        out, _ = self.reproduce("--property=total", "--property=newline", file, code=0)
        self.assertIn("8,000,000 bytes", out)
        self.assertLess(len(out), 20000)


class WrongUse(ToolTest):
    def test_has_a_sentence_and_exit_code_2(self):
        file = self.write("reply", REPLY)
        for arguments, sentence in (
                ([], "FILE is required"),
                (["nowhere"], "cannot open 'nowhere'"),
                ([self.folder], "it is a folder"),
                (["--property=nothing", file], "there is no property 'nothing'; there are total"),
                (["--max-depth=0", file], "max_depth"),
                (["--max-depth=x", file], "--max-depth"),
                (["--timeout=0", file], "--timeout"),
                (["--timeout=5", "--in-process", file], "excludes"),
                (["--property=", file], "there is no property ''"),
                (["--name-key=", file], "name"),
                (["--digest", "--answers=parser", file], "--answers"),
                (["--answers=nobody", file], "--answers"),
                (["--sideways", file], "--sideways")):
            with self.subTest(arguments=arguments):
                out, err = self.reproduce(*arguments, code=2)
                self.assertEqual(out, "")
                self.assertTrue(err.startswith("reproduce: "), err)
                self.assertIn(sentence, err)

    def test_a_file_that_cannot_be_read_does_not_hide_the_others(self):
        out, err = self.reproduce("nowhere", self.write("reply", REPLY), code=2)
        self.assertIn("cannot open 'nowhere'", err)
        self.assertIn("2 files: on 1 every property holds, on 0 one does not, on 0 some did not finish; 1 could not be",
                      out)

    def test_of_the_script_too(self):
        script = support.SOURCE / "tools" / "reproduce"
        for arguments, sentence in (([], "Which FILE?"), (["--gdb", "--valgrind", "x"], "exclude each other"),
                                    (["--sanitized", "--valgrind", "x"], "Valgrind cannot run"),
                                    (["--valgrind", "--timeout", "5", "x"], "--timeout does not go with --valgrind"),
                                    (["--gdb", "--memory=100", "x"], "--memory does not go with --gdb"),
                                    (["--build", "nowhere", "x"], "There is no program"),
                                    (["--build=nowhere", "x"], "There is no program")):
            with self.subTest(arguments=arguments):
                _, err = self.run_program(script, *arguments, code=2)
                self.assertIn(sentence, err)

    def test_a_full_disk_is_told(self):
        command = f"'{support.BUILD}/fuzz/callfence_reproduce' '{self.write('reply', REPLY)}' >/dev/full"
        _, err = self.run_program("sh", "-c", command, code=2)
        self.assertIn("cannot write to standard output", err)


class Advice(ToolTest):
    def test_can_be_typed_as_it_is(self):
        self.write("-crash", canary_input(WRONG_NAME).read_bytes())
        out, _ = self.canary("reproduce", WRONG_NAME, "--property=oracle", "--", "-crash", code=1)
        self.assertIn("Next: tools/minimize ./-crash\n", out)

    def test_is_not_given_for_standard_input(self):
        text = canary_input(WRONG_NAME).read_bytes()
        out, _ = self.canary("reproduce", WRONG_NAME, "--property=oracle", "-", code=1, text=text)
        self.assertNotIn("Next:", out)


class Driver(ToolTest):
    def test_refuses_what_is_no_file_and_a_full_disk(self):
        driver = support.BUILD / "fuzz" / "tool_calls_replay"
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.assertIn("cannot read", self.run_program(driver, pipe, code=2)[1])
        self.assertIn("twice", self.run_program(driver, "--expect=1", "--expect=1", pipe, code=2)[1])
        self.assertIn("Usage", self.run_program(driver, "--help", code=0)[0])
        (self.folder / "case" / "reply.txt").mkdir(parents=True)
        self.assertIn("nothing to run", self.run_program(driver, self.folder / "case", code=2)[1])
        command = f"'{driver}' --digest '{self.write('reply', REPLY)}' >/dev/full"
        self.assertIn("cannot write", self.run_program("sh", "-c", command, code=2)[1])


@unittest.skipIf(shutil.which("valgrind") is None, "valgrind is not here")
class Valgrind(ToolTest):
    def test_finds_nothing_and_the_verdicts_are_the_same(self):
        if support.is_sanitized():
            self.skipTest("Valgrind cannot run a build with sanitizers")
        out, err = self.run_program(support.SOURCE / "tools" / "reproduce", "--build", support.BUILD, "--valgrind",
                                    "--fences=strict", self.write("reply", REPLY), code=0)
        self.assertEqual(set(dict(ROW.findall(out)).values()), {"holds"})
        self.assertNotIn("==", err)


@unittest.skipIf(shutil.which("gdb") is None, "gdb is not here")
class Debugger(ToolTest):
    def test_runs_to_the_end_in_one_process(self):
        out, _ = self.run_program(support.SOURCE / "tools" / "reproduce", "--build", support.BUILD, "--gdb",
                                  self.write("reply", REPLY), code=0)
        self.assertIn("every property holds", out)
        self.assertNotIn("Detaching after fork", out)


if __name__ == "__main__":
    support.main()
