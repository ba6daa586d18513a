"""What the tests of the tools share: SOURCE and BUILD from the command line, running a program, planted faults."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(".")
BUILD = Path(".")

# Two faults of fuzz/canaries/canary.cpp, each with a reply that shows it.
WRONG_NAME = "tool_calls_oracle.oracle"  # A name's capital letters are lost.
BUILT_WRONG = "built_reply.by-construction"


def main():
    global SOURCE, BUILD
    if len(sys.argv) < 3:
        sys.exit(f"Use: {Path(sys.argv[0]).name} SOURCE BUILD [unittest's arguments]")
    SOURCE, BUILD = (Path(argument).resolve() for argument in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])


class ToolTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def run_program(self, *command, code, fault=None, text=b"", seconds=120):
        """Standard output and standard error, after the exit code was found to be `code`."""
        environment = {name: value for name, value in os.environ.items() if name != "CALLFENCE_CANARY"}
        environment["COLUMNS"] = "120"
        if fault:
            environment["CALLFENCE_CANARY"] = fault
        run = subprocess.run([str(part) for part in command], cwd=self.folder, env=environment, input=text,
                             capture_output=True, timeout=seconds, check=False)
        out, err = run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace")
        self.assertEqual(run.returncode, code, f"{command}\n{out}\n{err}")
        self.assertNotIn("Traceback", err)
        return out, err

    def reproduce(self, *arguments, code, **more):
        return self.run_program(BUILD / "fuzz" / "callfence_reproduce", *arguments, code=code, **more)

    def minimize(self, *arguments, code, **more):
        return self.run_program(BUILD / "fuzz" / "callfence_minimize", *arguments, code=code, **more)

    def canary(self, tool, fault, *arguments, code, **more):
        """The tool with a parser that has the fault."""
        program = BUILD / "fuzz" / "canaries" / f"{tool}_canary"
        return self.run_program(program, *arguments, code=code, fault=fault, **more)


def canary_input(fault):
    return SOURCE / "fuzz" / "canaries" / f"{fault}.txt"


def is_sanitized():
    cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    return any(line.startswith("CALLFENCE_SANITIZE:") and "address" in line for line in cache.splitlines())
