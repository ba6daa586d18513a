#!/usr/bin/env python3
"""What tools/regress promises: a case that the tests take, made of what parser and oracle agree on, or no case.

Use: regress_test.py SOURCE BUILD [unittest's arguments]
"""

import os
import subprocess

import support
from support import WRONG_NAME, ToolTest, canary_input

WHY = "A line on why this case is here."
REPLY = b'Hi\n```json\n{"name":"a","args":{"x": 1.50,"x":12345678901234567890123}}\n```\n```JSON\n{"b":1\n'


class RegressTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.into = self.folder / "regression"
        self.into.mkdir()

    def regress(self, file, *options, code, name="a-case", why=WHY, build=None, **more):
        return self.run_program(support.SOURCE / "tools" / "regress", file, "--name", name, "--why", why,
                                "--into", self.into, "--build", build or support.BUILD, *options, code=code, **more)

    def names(self):
        return sorted(path.name for path in self.into.iterdir())

    def use_canary(self):
        """A build folder whose reproducer has a parser that can be told to be wrong."""
        folder = self.folder / "build" / "fuzz"
        folder.mkdir(parents=True)
        (folder / "callfence_reproduce").symlink_to(support.BUILD / "fuzz" / "canaries" / "reproduce_canary")
        return folder.parent


class Cases(RegressTest):
    def test_hold_the_reply_its_entries_its_notes_and_the_reason(self):
        out, _ = self.regress(self.write("reply", REPLY), "--yes", code=0)
        case = self.into / "a-case"
        self.assertEqual(sorted(path.name for path in case.iterdir()),
                         ["entries.jsonl", "notes.jsonl", "reply.txt", "why.md"])
        self.assertEqual((case / "reply.txt").read_bytes(), REPLY)
        self.assertEqual((case / "why.md").read_text(), f"rules: T6 T7 N6 N7\n{WHY}\n")
        entries = (case / "entries.jsonl").read_text().splitlines()
        self.assertEqual(entries[0], '{"block":1,"type":"call","name":"a","args":{"x":1.50,'
                                     '"x":12345678901234567890123},"span":[3,74]}')
        self.assertEqual(len(entries), 2)
        for line in entries:
            self.assertIn(line, out)

    def test_made_anew_are_those_of_the_tree(self):
        """Byte for byte: the tool writes what the tests expect."""
        for case in sorted((support.SOURCE / "regression").iterdir())[::9]:
            if not (case / "reply.txt").exists():
                continue
            rules, why = (case / "why.md").read_text(encoding="utf-8").splitlines()
            options = ["--reading"] if (case / "reading.json").exists() else []
            with self.subTest(case=case.name):
                self.regress(case / "reply.txt", "--yes", "--rules", rules.removeprefix("rules: "), *options,
                             name=case.name, why=why, code=0)
                differ = subprocess.run(["diff", "-r", case, self.into / case.name], capture_output=True, check=False)
                self.assertEqual(differ.stdout.decode("utf-8", "replace"), "")
        self.assertGreater(len(self.names()), 15)

    def test_of_strict_fences_need_their_rules(self):
        file = self.write("reply", b"````json\n{}\n````\n")
        _, err = self.regress(file, "--yes", code=2)
        self.assertIn("which of F1, F2 and F3", err)
        self.assertEqual(self.names(), [])
        self.regress(file, "--yes", "--rules", "T3 F1 T3 N1", code=0)
        self.assertTrue((self.into / "a-case" / "why.md").read_text().startswith("rules: T3 F1 N1\n"))
        self.assertTrue((self.into / "a-case" / "notes-strict.jsonl").exists())
        self.assertFalse((self.into / "a-case" / "entries-strict.jsonl").exists())

    def test_of_a_reading_have_a_second_file_where_tags_everywhere_differ(self):
        self.regress(self.write("reply", b'{"a": "x[emotion:sad]"}'), "--reading", "--yes", code=0)
        case = self.into / "a-case"
        self.assertEqual((case / "reading.json").read_text(),
                         '{"object":{"a":"x[emotion:sad]"},"emotions":[],"span":[0,23]}\n')
        self.assertIn('"x"', (case / "reading-everywhere.json").read_text())
        self.assertFalse((case / "entries.jsonl").exists())


class Refusals(RegressTest):
    def refused(self, sentence, *arguments, code, **more):
        out, err = self.regress(*arguments, code=code, **more)
        self.assertIn(sentence, err)
        self.assertEqual(self.names(), more.get("there", []))
        return out, err

    def test_where_parser_and_oracle_differ_and_both_are_shown(self):
        build = self.use_canary()
        _, err = self.refused("parser and oracle differ", canary_input(WRONG_NAME), "--yes", code=1, build=build,
                              fault=WRONG_NAME)
        self.assertIn('  ! parser {"block":1,"type":"call","name":"getorder"', err)
        self.assertIn('  ! oracle {"block":1,"type":"call","name":"getOrder"', err)
        self.regress(canary_input(WRONG_NAME), "--yes", code=0, build=build)  # Once mended.

    def test_without_a_yes(self):
        out, _ = self.refused("Nobody can be asked", self.write("reply", REPLY), code=2)
        self.assertIn("entries.jsonl", out)

    def test_of_bad_names_reasons_and_rules(self):
        file = self.write("reply", REPLY)
        for more in ({"name": "Upper"}, {"name": "a/b"}, {"name": ".."}, {"name": ""}, {"name": "two--hyphens"},
                     {"why": "short"}, {"why": "two\nlines of a reason"}):
            with self.subTest(more=more):
                self.regress(file, "--yes", code=2, **more)
        self.refused("'T99' is none", file, "--yes", "--rules", "T3 T99", code=2)
        self.refused("cannot read", self.folder / "nowhere", "--yes", code=2)
        self.refused("cannot read", self.folder, "--yes", code=2)
        self.refused("cannot run", file, "--yes", code=2, build=self.folder)

    def test_of_what_is_too_long_or_no_file(self):
        self.refused("tools/minimize", self.write("long", b"a" * (256 * 1024 + 1)), "--yes", code=2)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.refused("no regular file", pipe, "--yes", code=2)

    def test_of_what_is_there_already(self):
        file = self.write("reply", REPLY)
        self.regress(file, "--yes", code=0)
        before = (self.into / "a-case" / "why.md").stat().st_mtime_ns
        _, err = self.regress(self.write("other", b"Hi\n"), "--yes", code=1)
        self.assertIn("There is a case 'a-case' already", err)
        _, err = self.regress(file, "--yes", name="another", code=1)
        self.assertIn("The case 'a-case' has this reply already", err)
        self.assertEqual(self.names(), ["a-case"])
        self.assertEqual((self.into / "a-case" / "why.md").stat().st_mtime_ns, before)


if __name__ == "__main__":
    support.main()
