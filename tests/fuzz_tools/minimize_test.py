#!/usr/bin/env python3
"""What tools/minimize promises: the same property fails on a smaller input, and no byte of that can go.

Use: minimize_test.py SOURCE BUILD [unittest's arguments]
"""

import os

import support
from support import BUILT_WRONG, WRONG_NAME, ToolTest, canary_input

STORY = b"""Good morning, I will look into that.

```python
print("not a call")
```

```json
{"name": "getOrder", "args": {"id": "A-17", "lines": [1, 2, 3], "note": "as always"}}
```

And then:

```json
{"name": "wait", "args": {"seconds": 1500}}
```
Done.
"""
# A process takes longer to start with sanitizers, and each input needs one.
SHORT_STORY = STORY[STORY.index(b"```json"):STORY.index(b"And then")]


class Minimize(ToolTest):
    def fails(self, data, fault=WRONG_NAME, name="oracle"):
        """Whether the property fails on `data`, asked of the reproducer."""
        out, _ = self.run_any("reproduce", fault, f"--property={name}", "--fences=reference", self.write("try", data))
        return "does not hold" in out

    def run_any(self, tool, fault, *arguments):
        for code in (0, 1):
            try:
                return self.canary(tool, fault, *arguments, code=code)
            except AssertionError:
                if code == 1:
                    raise
        return None

    def test_the_result_takes_the_place_of_no_pipe_and_no_link(self):
        file = self.write("crash", SHORT_STORY)
        pipe, link = self.folder / "pipe", self.folder / "link"
        os.mkfifo(pipe)
        link.symlink_to(self.write("other", b"kept"))
        for out in (pipe, link):
            _, err = self.canary("minimize", WRONG_NAME, file, "-o", out, code=2)
            self.assertIn("no regular file", err)
        self.assertTrue(pipe.is_fifo() and link.is_symlink())

    def test_a_crash_stays_the_same_crash(self):
        file = self.write("crash", STORY.replace(b"Done.", b"It will not crash."))
        out, _ = self.canary("minimize", "crash", file, code=0)
        self.assertEqual((self.folder / "crash.min").read_bytes(), b"crash")
        self.assertIn("crash", out)

    def test_no_byte_of_the_result_can_go(self):
        file = self.write("crash", STORY)
        out, err = self.canary("minimize", WRONG_NAME, file, code=0)
        small = (self.folder / "crash.min").read_bytes()
        self.assertEqual(file.read_bytes(), STORY)
        self.assertEqual(err, "")
        self.assertLess(len(small), 30)
        self.assertIn(f"crash: {len(STORY)} bytes, 'oracle' (reference) does not hold", out)
        self.assertIn(f"crash.min: {len(small)} bytes", out)
        self.assertIn("tools/regress", out)
        self.assertTrue(self.fails(small))
        for at in range(len(small)):
            self.assertFalse(self.fails(small[:at] + small[at + 1:]), (at, small))

    def test_what_is_left_is_simple(self):
        self.canary("minimize", WRONG_NAME, self.write("crash", SHORT_STORY), code=0)
        self.assertEqual((self.folder / "crash.min").read_bytes(), b'```json\n{"name":"A"}\n```')

    def test_the_same_input_gives_the_same_result(self):
        file = self.write("crash", SHORT_STORY)
        results = []
        for name in ("one", "two"):
            self.canary("minimize", WRONG_NAME, "-o", name, file, code=0)
            results.append((self.folder / name).read_bytes())
        self.assertEqual(results[0], results[1])

    def test_a_result_is_its_own_result(self):
        self.canary("minimize", WRONG_NAME, "-o", "one", self.write("crash", SHORT_STORY), code=0)
        self.canary("minimize", WRONG_NAME, "-o", "two", "one", code=0)
        self.assertEqual((self.folder / "one").read_bytes(), (self.folder / "two").read_bytes())

    def test_standard_input_is_taken_with_a_name_for_the_result(self):
        self.canary("minimize", WRONG_NAME, "-", "-o", "small", code=0, text=SHORT_STORY)
        self.assertLess((self.folder / "small").stat().st_size, 30)
        _, err = self.canary("minimize", WRONG_NAME, "-", code=2, text=SHORT_STORY)
        self.assertIn("-o OUT", err)

    def test_the_property_asked_for_is_the_one_that_stays(self):
        out, _ = self.canary("minimize", WRONG_NAME, "--property=chunks", self.write("crash", SHORT_STORY), code=0)
        self.assertIn("'chunks' (reference) does not hold", out)
        self.assertTrue(self.fails((self.folder / "crash.min").read_bytes(), name="chunks"))

    def test_a_seed_becomes_the_reply_that_is_built_from_it(self):
        out, _ = self.canary("minimize", BUILT_WRONG, "-o", "small", canary_input(BUILT_WRONG), code=0)
        self.assertIn("the reply that is built from it has", out)
        self.assertTrue(self.fails((self.folder / "small").read_bytes(), BUILT_WRONG))

    def test_options_are_kept_and_told(self):
        file = self.write("crash", SHORT_STORY.replace(b'"name"', b'"tool"'))
        out, _ = self.canary("minimize", WRONG_NAME, "--property=oracle", "--name-key=tool", file, code=0)
        self.assertIn("--name-key=tool", out)
        self.assertIn("tools/reproduce --name-key=tool", out)
        self.assertNotIn("tools/regress", out)
        self.assertEqual((self.folder / "crash.min").read_bytes(), b'```json\n{"tool":"A"}\n```')


class NothingToDo(ToolTest):
    def test_is_exit_code_1_and_writes_nothing(self):
        for data in (b"", STORY):
            _, err = self.minimize(self.write("reply", data), code=1)
            self.assertIn("no property fails on it", err)
            self.assertFalse((self.folder / "reply.min").exists())
        _, err = self.canary("minimize", WRONG_NAME, "--property=tags", self.write("reply", STORY), code=1)
        self.assertIn("what was asked for does not fail", err)


class WrongUse(ToolTest):
    def test_has_a_sentence_and_exit_code_2(self):
        file = self.write("crash", STORY)
        for arguments, sentence in (
                ([], "FILE is required"),
                (["nowhere"], "cannot open 'nowhere'"),
                ([self.folder, "-o", "x"], "it is a folder"),
                ([file, "-o", "crash"], "never written over"),
                ([file, "-o", self.folder / "." / "crash"], "never written over"),
                ([file, "-o", self.folder], "is a folder"),
                ([file, "-o", "no/where"], "cannot write 'no/where'"),
                (["--property=nothing", file], "there is no property 'nothing'"),
                (["--property=", file], "there is no property ''"),
                (["--out=", file], "--out takes the name"),
                (["--timeout=0", file], "--timeout")):
            with self.subTest(arguments=arguments):
                _, err = self.canary("minimize", WRONG_NAME, *arguments, code=2)
                self.assertTrue(err.startswith("minimize: "), err)
                self.assertIn(sentence, err)
                self.assertEqual(file.read_bytes(), STORY)

    def test_of_the_script_too(self):
        _, err = self.run_program(support.SOURCE / "tools" / "minimize", code=2)
        self.assertIn("Which FILE?", err)


if __name__ == "__main__":
    support.main()
