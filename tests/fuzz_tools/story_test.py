#!/usr/bin/env python3
"""A newcomer's story: a CI job hands over a crash file; three commands later it is understood, minimised and in
regression/.

Use: story_test.py SOURCE BUILD [unittest's arguments]
"""

import os
import subprocess

import support
from support import WRONG_NAME, ToolTest

CRASH = b"""Sure, let me look that up for you.

```json
{"name": "getWeather", "args": {"city": "Oslo", "days": [1, 2, 3], "unit": "celsius"}}
```

```text
and a fence that is none of our business
```
"""


class Story(ToolTest):
    def target(self, *files, fault=None):
        """The exit code and the messages of a fuzz target over files, as a CI job has them."""
        environment = {name: value for name, value in os.environ.items() if name != "CALLFENCE_CANARY"}
        if fault:
            environment["CALLFENCE_CANARY"] = fault
        program = support.BUILD / "fuzz" / "canaries" / "tool_calls_oracle_canary"
        run = subprocess.run([program, *files], env=environment, cwd=self.folder, capture_output=True, check=False,
                             timeout=120)
        return run.returncode, run.stderr.decode("utf-8", "replace")

    def test_of_a_crash_file(self):
        crash = self.write("crash-4f1a", CRASH)
        code, message = self.target(crash, fault=WRONG_NAME)
        self.assertNotEqual(code, 0)
        self.assertIn("property: oracle", message)

        # The first command: what is wrong?
        out, _ = self.canary("reproduce", WRONG_NAME, crash, code=1)
        self.assertRegex(out, r"(?m)^oracle +does not hold")
        self.assertRegex(out, r'  ! 1 call "getweather" .*\| 1 call "getWeather"')
        self.assertIn(f"Next: tools/minimize {crash}", out)

        # The second: on what little input?
        out, _ = self.canary("minimize", WRONG_NAME, crash, code=0)
        small = self.folder / "crash-4f1a.min"
        self.assertEqual(small.read_bytes(), b'```json\n{"name":"A"}\n```')
        self.assertIn("tools/regress", out)
        self.assertNotEqual(self.target(small, fault=WRONG_NAME)[0], 0)

        # The third: a regression case. Not while the fault is there,
        into = self.folder / "regression"
        into.mkdir()
        build = self.folder / "build" / "fuzz"
        build.mkdir(parents=True)
        (build / "callfence_reproduce").symlink_to(support.BUILD / "fuzz" / "canaries" / "reproduce_canary")
        command = [support.SOURCE / "tools" / "regress", small, "--name", "name-with-a-capital", "--why",
                   "The letters of a name are kept as they are.", "--into", into, "--build", build.parent, "--yes"]
        _, err = self.run_program(*command, code=1, fault=WRONG_NAME)
        self.assertIn("parser and oracle differ", err)
        self.assertEqual(list(into.iterdir()), [])
        # and at once when it is mended.
        self.run_program(*command, code=0)
        case = into / "name-with-a-capital"
        self.assertEqual((case / "entries.jsonl").read_text(),
                         '{"block":1,"type":"call","name":"A","args":{},"span":[0,24]}\n')

        # From then on the fault is caught by a replay.
        self.assertNotEqual(self.target(case / "reply.txt", fault=WRONG_NAME)[0], 0)
        self.assertEqual(self.target(case / "reply.txt")[0], 0)


if __name__ == "__main__":
    support.main()
