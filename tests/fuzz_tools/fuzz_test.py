#!/usr/bin/env python3
"""What tools/fuzz promises: its exit codes, its table, what it says of a finding, and that nothing fails in silence.

Use: fuzz_test.py SOURCE BUILD [unittest's arguments]

Most targets here are stand-ins: a script that prints what libFuzzer prints and ends as libFuzzer ends, in ways that a
real target cannot be brought to. Four real ones are compiled where clang is there, and where BUILD has real targets
with libFuzzer, one of them runs too.
"""

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SOURCE, BUILD = Path("."), Path(".")

# What it does is in its name, before _fuzzer.
STAND_IN = r'''
import os, pathlib, signal, subprocess, sys, time

name = pathlib.Path(sys.argv[0]).name.removesuffix("_fuzzer")
options = dict(argument[1:].split("=", 1) for argument in sys.argv[1:] if argument.startswith("-"))
inputs = [pathlib.Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")]
pathlib.Path(sys.argv[0] + ".arguments").write_text("\n".join(sys.argv[1:]))


def say(text):
    print(text, file=sys.stderr, flush=True)


def tell_statistics(executions=70000):
    say(f"stat::number_of_executed_units: {executions}\nstat::average_exec_per_sec:     35000\n"
        "stat::new_units_added:          1\nstat::slowest_unit_time_sec:    0\nstat::peak_rss_mb:              40")


def write(kind, data=b"input"):
    path = options["artifact_prefix"] + kind
    pathlib.Path(path).write_bytes(data)
    say(f"artifact_prefix='{options['artifact_prefix']}'; Test unit written to {path}\nBase64: aW5wdXQ=")


def end_with(kind, summary, code):
    say(f"SUMMARY: {summary}")
    write(kind)
    tell_statistics()
    sys.exit(code)


if "runs" in options:
    if name == "breaking":
        end_with("crash-1", "libFuzzer: deadly signal", 77)
    for file in inputs:
        while time.process_time() < 0.0005 * int(options["runs"]):
            pass
        say(f"Running: {file}\nExecuted {file} in 5 ms")
    sys.exit(0)
if name == "silent":
    sys.exit(0)
if name == "deaf":
    say("WARNING: unrecognized flag '-max_leng=4096'; use -help=1 to list all flags")
seeds = sum(len([file for file in files if os.path.getsize(os.path.join(folder, file))])
            for top in inputs[1:] for folder, _, files in os.walk(top))
if seeds:
    say(f"INFO: seed corpus: files: {seeds - (name == 'shortsighted')} min: 1b max: 9b total: 9b rss: 40Mb")
say("#35\tINITED cov: 1111 ft: 2222 corp: 30/9Kb exec/s: 0 rss: 40Mb")
if name == "dying":
    sys.exit(3)
if name == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if name == "property":
    say("  | property: not this one\nproperty: chunks\ninput, 5 bytes:\n  | input")
    say("==1== ERROR: libFuzzer: deadly signal")
    end_with("crash-70", "libFuzzer: deadly signal", 77)
if name == "sanitizer":
    end_with("crash-01", "AddressSanitizer: heap-use-after-free stand_in.cpp:1 in parse", 1)
if name == "leak":
    end_with("leak-77", "AddressSanitizer: 10 byte(s) leaked in 1 allocation(s).", 77)
if name == "timeout":
    end_with("timeout-70", "libFuzzer: timeout", 70)
if name == "memory":
    end_with("oom-71", "libFuzzer: out-of-memory", 71)
if name == "slow":
    write("slow-unit-1")
if name in ("endless", "stubborn"):
    child = subprocess.Popen(["sleep", "1000"])
    if name == "stubborn":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    pathlib.Path(sys.argv[0] + ".pids").write_text(f"{os.getpid()} {child.pid}\n")
    count = 1024
    try:
        while True:
            say(f"#{count}\tpulse  cov: 1234 ft: 5678 corp: 30/9Kb lim: 4096 exec/s: 512 rss: 40Mb")
            count *= 2
            time.sleep(0.2)
    except KeyboardInterrupt:
        tell_statistics()
        os._exit(72)
time.sleep(0.3)
(inputs[0] / "0123").write_bytes(b"new")
say("#70000\tDONE   cov: 1234 ft: 5678 corp: 31/9Kb lim: 4096 exec/s: 35000 rss: 40Mb\nDone 70000 runs in 2 second(s)")
tell_statistics({"idle": 0, "sluggish": seeds + 1}.get(name, 70000))
'''

# With libFuzzer itself, so that what it prints and how it ends are not our own idea of it.
REAL = r"""
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char kind;
static volatile char* volatile place;
int LLVMFuzzerInitialize(int* count, char*** arguments) {
  (void)count;
  kind = strrchr((*arguments)[0], '/')[1];
  return 0;
}
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4 || data[0] != '`') return 0;
  if (kind == 'p') {
    fputs("property: chunks\n", stderr);
    abort();
  }
  if (kind == 'l') place = malloc(10), place = NULL;
  if (kind == 'm') place = malloc((size_t)1 << 30);
  while (kind == 't') continue;
  return 0;
}
"""


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.05)


class Fuzz(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="callfence fuzz "))  # With spaces, as people have them.
        self.addCleanup(shutil.rmtree, self.folder)
        self.programs = self.folder / "build" / "fuzz"
        self.programs.mkdir(parents=True)
        self.seeds = self.folder / "seeds" / "replies"
        self.seeds.mkdir(parents=True)
        block = "Here is the call.\n\n```json\n{\"name\": \"brew_tea\", \"args\": {\"cups\": 2}}\n```\n\n"
        (self.seeds / "long.txt").write_text(block * 30, encoding="utf-8")
        (self.seeds / "short.txt").write_text(block, encoding="utf-8")
        (self.folder / "words.dict").write_text('"```json"\n', encoding="utf-8")
        self.options = self.folder / "one.options"
        self.options.write_text("[libfuzzer]\nmax_len = 4096\ntimeout = 1\nrss_limit_mb = 512\n", encoding="utf-8")

    def add_targets(self, *names, make=None):
        table = self.programs / "targets.tsv"
        lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
        for name in names:
            program = self.programs / f"{name}_fuzzer"
            if make:
                make(program)
            else:
                program.write_text(f"#!{sys.executable}\n{STAND_IN}", encoding="utf-8")
                program.chmod(0o755)
            lines.append(f"{name}_fuzzer\t{self.seeds}\t{self.folder / 'words.dict'}\t{self.options}")
        table.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def command(self, *arguments):
        return [SOURCE / "tools" / "fuzz", "--build", self.folder / "build", "--corpus", self.folder / "kept",
                "--findings", self.folder / "findings", "--time", "2", *arguments]

    def fuzz(self, *arguments, code):
        """What is printed on standard output, and on standard error."""
        done = subprocess.run([str(part) for part in self.command(*arguments)], cwd=self.folder, text=True,
                              capture_output=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout, done.stderr

    def read_rows(self, output):
        """The table's cells, by target."""
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")]
                for line in output.splitlines() if line.startswith("|")]
        return {row[0]: dict(zip(rows[0], row)) for row in rows[2:]}

    def read_arguments(self, name):
        return (self.programs / f"{name}_fuzzer.arguments").read_text(encoding="utf-8").splitlines()

    def read_pids(self, name):
        return [int(pid) for pid in (self.programs / f"{name}_fuzzer.pids").read_text(encoding="utf-8").split()]


class WhatIsFound(Fuzz):
    def test_nothing_found_is_code_0_and_a_table_of_figures(self):
        self.add_targets("quiet", "calm")
        output, _ = self.fuzz(code=0)
        rows = self.read_rows(output)
        self.assertEqual(list(rows), ["quiet_fuzzer", "calm_fuzzer"])
        row = rows["quiet_fuzzer"]
        self.assertEqual(list(row), ["target", "seconds", "executions", "exec/s", "edges", "features", "new inputs",
                                     "findings"])
        self.assertEqual([row[name] for name in ("executions", "edges", "features", "new inputs", "findings")],
                         ["70,000", "1,234", "5,678", "1", "0"])
        self.assertIn("2 targets run: 0 findings.", output)

    def test_new_inputs_are_kept_apart_and_counted_once(self):
        self.add_targets("quiet")
        before = sorted(self.seeds.iterdir())
        self.fuzz(code=0)
        self.assertEqual((self.folder / "kept" / "quiet_fuzzer" / "0123").read_bytes(), b"new")
        self.assertEqual(sorted(self.seeds.iterdir()), before)
        output, _ = self.fuzz(code=0)
        self.assertEqual(self.read_rows(output)["quiet_fuzzer"]["new inputs"], "0")

    def test_a_target_gets_its_options_dictionary_seeds_and_regression_cases(self):
        self.add_targets("quiet")
        self.fuzz("--seed", "7", code=0)
        arguments = self.read_arguments("quiet")
        for argument in ("-max_len=4096", "-timeout=1", "-rss_limit_mb=512", "-max_total_time=2",
                         "-print_final_stats=1",
                         "-seed=7", "-reload=0", f"-dict={self.folder / 'words.dict'}",
                         f"-artifact_prefix={self.folder / 'findings' / 'quiet_fuzzer'}/"):
            self.assertIn(argument, arguments)
        self.assertEqual(arguments[-3:], [str(self.folder / "kept" / "quiet_fuzzer"), str(self.seeds),
                                          str(SOURCE / "regression")])

    def test_empty_begins_with_nothing_and_keeps_what_is_new(self):
        self.add_targets("quiet")
        kept = self.folder / "kept" / "quiet_fuzzer"
        kept.mkdir(parents=True)
        (kept / "old").write_text("old", encoding="utf-8")
        self.fuzz("--empty", code=0)
        folders = [argument for argument in self.read_arguments("quiet") if not argument.startswith("-")]
        self.assertEqual(len(folders), 1)
        self.assertNotEqual(folders[0], str(kept))
        self.assertEqual(sorted(path.name for path in kept.iterdir()), ["0123", "old"])
        self.assertEqual([path.name for path in kept.parent.iterdir()], ["quiet_fuzzer"])

    def check_finding(self, name, file, cause):
        self.add_targets(name)
        output, _ = self.fuzz(code=1)
        path = self.folder / "findings" / f"{name}_fuzzer" / file
        self.assertEqual(path.read_bytes(), b"input")
        self.assertEqual(self.read_rows(output)[f"{name}_fuzzer"]["findings"], "1")
        self.assertIn(f"{name}_fuzzer has a finding: {cause}\n", output)
        shown = path.relative_to(self.folder)
        self.assertIn(f"  reproduce  {SOURCE / 'tools' / 'reproduce'} {shown}\n", output)
        self.assertIn(f"  minimize   {SOURCE / 'tools' / 'minimize'} {shown}\n", output)
        self.assertIn(f"  log        {shown}.log\n", output)
        self.assertIn(f"Test unit written to {path}\n", Path(f"{path}.log").read_text(encoding="utf-8"))

    def test_a_property_is_named_rather_than_the_abort(self):
        self.check_finding("property", "crash-70", "property: chunks")

    def test_a_sanitizer_report_is_a_finding(self):
        self.check_finding("sanitizer", "crash-01", "AddressSanitizer: heap-use-after-free stand_in.cpp:1 in parse")

    def test_a_leak_is_a_finding(self):
        self.check_finding("leak", "leak-77", "AddressSanitizer: 10 byte(s) leaked in 1 allocation(s).")

    def test_a_timeout_is_a_finding(self):
        self.check_finding("timeout", "timeout-70", "libFuzzer: timeout")

    def test_memory_that_runs_out_is_a_finding(self):
        self.check_finding("memory", "oom-71", "libFuzzer: out-of-memory")

    def test_a_slow_unit_is_told_and_is_no_finding(self):
        self.add_targets("slow")
        output, _ = self.fuzz(code=0)
        self.assertEqual(self.read_rows(output)["slow_fuzzer"]["findings"], "0")
        self.assertIn("no finding: findings/slow_fuzzer/slow-unit-1", output)

    def test_the_others_go_on_after_a_finding(self):
        self.add_targets("property", "quiet", "calm")
        output, _ = self.fuzz("--jobs", "1", code=1)
        rows = self.read_rows(output)
        self.assertEqual([row["findings"] for row in rows.values()], ["1", "0", "0"])
        self.assertIn("3 targets run: 1 finding.", output)

    def test_paths_with_spaces_can_be_pasted(self):
        self.add_targets("property")
        output, _ = self.fuzz("--findings", self.folder / "two words", code=1)
        self.assertIn(" 'two words/property_fuzzer/crash-70'\n", output)


class WhatIsNoSuccess(Fuzz):
    def check_failure(self, name, sentence):
        self.add_targets(name, "quiet")
        output, _ = self.fuzz(code=1)
        rows = self.read_rows(output)
        self.assertEqual(rows[f"{name}_fuzzer"]["findings"], "failed")
        self.assertEqual(rows["quiet_fuzzer"]["findings"], "0")
        self.assertIn(f"{name}_fuzzer failed: {sentence}", output)
        self.assertIn("2 targets run: 0 findings, 1 failed.", output)
        return output

    def test_executing_nothing(self):
        self.check_failure("idle", "ended as if all were well, but executed nothing.")

    def test_saying_nothing(self):
        self.check_failure("silent", "ended as if all were well, but executed nothing.")

    def test_an_option_that_is_not_known(self):
        self.check_failure("deaf", "libFuzzer does not know the option -max_leng=4096.")

    def test_getting_through_the_seeds_alone_is_told(self):
        self.add_targets("sluggish", "quiet")
        output, _ = self.fuzz(code=0)
        self.assertRegex(output, r"sluggish_fuzzer only got through its [\d,]+ seeds and tried nothing new")
        self.assertNotIn("quiet_fuzzer only", output)

    def test_seeds_that_are_not_read(self):
        self.check_failure("shortsighted", "read ")

    def test_an_end_that_is_not_libfuzzers(self):
        output = self.check_failure("dying", "ended with code 3 and without a finding.")
        self.assertIn("  log        findings/dying_fuzzer/failed-run.log", output)
        self.assertIn("  | #35     INITED cov: 1111", output)

    def test_an_end_by_a_signal(self):
        self.check_failure("killed", "was ended by SIGKILL and without a finding.")

    def test_not_ending_at_all(self):
        self.add_targets("stubborn")
        output, _ = self.fuzz("--time", "1", "--grace", "1", code=1)
        self.assertIn("stubborn_fuzzer failed: did not end within 1 s after its time.", output)
        wait_until(lambda: not any(map(is_alive, self.read_pids("stubborn"))))

    def test_what_is_missing(self):
        def take_away(path):
            self.add_targets("quiet")
            aside = path.rename(self.folder / "aside")
            try:
                return self.fuzz(code=1)[0]
            finally:
                aside.rename(path)
                (self.programs / "targets.tsv").unlink()

        for path, sentence in ((self.programs / "quiet_fuzzer", "there is no program"),
                               (self.folder / "words.dict", "there is no dictionary"),
                               (self.options, "the options file"), (self.seeds, "there are no seeds in")):
            with self.subTest(sentence):
                self.assertIn(f"quiet_fuzzer failed: {sentence} {path.relative_to(self.folder)}", take_away(path))

    def test_an_options_file_without_its_section(self):
        self.add_targets("quiet")
        for text in ("max_len = 1\n", "[libfuzz]\nmax_len = 1\n", "\0"):
            self.options.write_text(text, encoding="utf-8")
            output, _ = self.fuzz(code=1)
            self.assertIn("quiet_fuzzer failed: the options file", output)


class WrongUse(Fuzz):
    def test_a_target_that_is_not_there(self):
        self.add_targets("quiet", "calm")
        _, errors = self.fuzz("quite", code=2)
        self.assertEqual(errors, "fuzz: There is no target 'quite'. There are: quiet_fuzzer, calm_fuzzer.\n")

    def test_a_full_standard_output(self):
        self.add_targets("quiet")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([str(part) for part in self.command("quiet")], cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr, "fuzz: Cannot write a file or standard output: No space left on device.\n")

    def test_targets_with_and_without_their_ending_run_once(self):
        self.add_targets("quiet", "calm", "mild")
        output, _ = self.fuzz("mild", "--jobs", "1", "quiet_fuzzer", "quiet", code=0)
        self.assertEqual(list(self.read_rows(output)), ["mild_fuzzer", "quiet_fuzzer"])

    def test_options_out_of_range(self):
        self.add_targets("quiet")
        for option in ("--time", "--jobs", "--seed", "--every"):
            for value in ("0", "-1", "x", "1.5", ""):
                _, errors = self.fuzz(f"{option}={value}", code=2)
                self.assertIn(f"takes a whole number from 1, not '{value}'", errors)
        self.fuzz("--tim", "5", code=2)

    def test_new_inputs_and_findings_do_not_go_where_seeds_are(self):
        self.add_targets("quiet")
        for option, folder in (("--corpus", "corpus"), ("--findings", "regression/new")):
            _, errors = self.fuzz(option, SOURCE / folder, code=2)
            self.assertIn(f"{option} must not lie in", errors)
        _, errors = self.fuzz("--corpus", self.options, code=2)
        self.assertIn("--corpus is not a folder", errors)

    def test_a_build_folder_that_is_none(self):
        _, errors = self.fuzz("--build", self.folder, code=2)
        self.assertIn("is no build folder with fuzz targets", errors)

    def test_help_says_what_it_does(self):
        output, _ = self.fuzz("--help", code=0)
        for word in ("--throughput", "--empty", "max_len", "Exit code:"):
            self.assertIn(word, output)


class TheDisplay(Fuzz):
    def test_no_control_codes_without_a_terminal_and_a_line_now_and_then(self):
        self.add_targets("stubborn", "property")
        os.environ["FORCE_COLOR"] = "1"
        self.addCleanup(os.environ.pop, "FORCE_COLOR")
        output, errors = self.fuzz("--time", "2", "--grace", "1", "--every", "1", code=1)
        self.assertNotRegex(output + errors, r"[\x00-\x09\x0b-\x1f]")
        lines = re.findall(r"^stubborn_fuzzer: \d s of 2, ([\d,]+) executions, 512/s, 1,234 edges, 0 findings$", output,
                           re.MULTILINE)
        self.assertGreaterEqual(len(lines), 2)

    def test_a_line_that_changes_in_a_terminal(self):
        self.add_targets("endless", "quiet", "calm")
        ours, theirs = pty.openpty()
        process = subprocess.Popen([str(part) for part in self.command()], stdin=subprocess.DEVNULL, stdout=theirs,
                                   stderr=theirs, cwd=self.folder,
                                   env={**os.environ, "TERM": "xterm", "COLUMNS": "140"})
        os.close(theirs)
        output, asked = b"", False
        while True:
            try:
                if not (more := os.read(ours, 4096)):
                    break
            except OSError:  # How a terminal ends.
                break
            output += more
            if b"calm_fuzzer: " in output and not asked:  # Both others have ended.
                process.send_signal(signal.SIGINT)
                asked = True
        os.close(ours)
        self.assertEqual(process.wait(30), 130)
        text = output.decode("utf-8", "replace")
        self.assertIn("\x1b[", text)
        self.assertRegex(text, r"endless_fuzzer +\d s of 2 +[\d,]+ executions +512/s +1,234 edges +0 findings")
        self.assertIn("1 more target", text)
        self.assertRegex(text, r"\| *quiet_fuzzer *\|")


class TheEnd(Fuzz):
    def begin(self, *arguments):
        process = subprocess.Popen([str(part) for part in self.command("--time", "600", *arguments)], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process

    def wait_for(self, *names):
        for name in names:
            file = self.programs / f"{name}_fuzzer.pids"
            wait_until(lambda file=file: file.exists() and file.read_text(encoding="utf-8").endswith("\n"))

    def test_ctrl_c_ends_the_targets_and_their_children_and_prints_the_table(self):
        self.add_targets("endless", "stubborn", "quiet")
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.begin()
            self.wait_for("endless", "stubborn")
            process.send_signal(number)
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, code, output + errors)
            rows = self.read_rows(output)
            self.assertEqual(list(rows), ["endless_fuzzer", "stubborn_fuzzer"])  # Those that were run.
            self.assertEqual(rows["endless_fuzzer"]["findings"], "0, stopped")
            self.assertEqual(rows["endless_fuzzer"]["executions"], "70,000")  # It was let print its statistics.
            wait_until(lambda: not any(map(is_alive, self.read_pids("endless") + self.read_pids("stubborn"))))
            for name in ("endless", "stubborn"):
                (self.programs / f"{name}_fuzzer.pids").unlink()

    def test_a_target_does_not_outlive_us(self):
        self.add_targets("stubborn")
        process = self.begin()
        self.wait_for("stubborn")
        target, child = self.read_pids("stubborn")
        process.kill()
        process.wait()
        wait_until(lambda: not is_alive(target))
        os.kill(child, signal.SIGKILL)


class Throughput(Fuzz):
    def test_tells_executions_per_second_on_inputs_of_a_kilobyte(self):
        self.add_targets("tool_calls")
        output, _ = self.fuzz("--throughput", code=0)
        row = self.read_rows(output)["tool_calls_fuzzer"]
        self.assertEqual(list(row), ["target", "inputs", "bytes on average", "executions/s", "asserts",
                                     "which costs"])
        self.assertEqual(row["inputs"], "1")
        self.assertTrue(700 <= int(row["bytes on average"].replace(",", "")) <= 1300)
        # The stand-in takes half a millisecond of the processor for each.
        self.assertTrue(1500 <= int(row["executions/s"].replace(",", "")) <= 2500, row)
        self.assertIn("fenced", row["asserts"])

    def test_a_target_that_breaks_is_no_figure(self):
        self.add_targets("breaking")
        output, errors = self.fuzz("--throughput", code=1)
        self.assertEqual(self.read_rows(output)["breaking_fuzzer"]["executions/s"], "failed")
        self.assertIn("breaking_fuzzer failed: ended with code 77 after 0 of 1 inputs", errors)


class RealTargets(Fuzz):
    @unittest.skipUnless(shutil.which("clang"), "clang is not installed")
    def test_libfuzzers_own_findings_are_understood(self):
        source = self.folder / "real.c"
        source.write_text(REAL, encoding="utf-8")
        compiled = self.folder / "real"
        subprocess.run(["clang", "-O1", "-fsanitize=fuzzer,address", source, "-o", compiled], check=True, timeout=120)
        self.add_targets("property", "leak", "memory", "timeout", "none",
                         make=lambda program: shutil.copy(compiled, program))
        output, _ = self.fuzz("--jobs", "5", "--time", "5", code=1)
        for name, kind, cause in (("property", "crash", "property: chunks"), ("leak", "leak", "AddressSanitizer: "),
                                  ("memory", "oom", "libFuzzer: out-of-memory"),
                                  ("timeout", "timeout", "libFuzzer: timeout")):
            self.assertIn(f"{name}_fuzzer has a finding: {cause}", output)
            self.assertRegex(output, rf"  input      findings/{name}_fuzzer/{kind}-[0-9a-f]+\n")
        row = self.read_rows(output)["none_fuzzer"]
        self.assertEqual(row["findings"], "0")
        self.assertNotIn(row["executions"], ("0", "-"))
        self.assertNotIn(row["edges"], ("0", "-"))

    def test_a_target_of_the_build_runs(self):
        table = BUILD / "fuzz" / "targets.tsv"
        name = table.read_text(encoding="utf-8").split("\t")[0] if table.exists() else None
        if not name or not (BUILD / "fuzz" / name).exists():
            self.skipTest("this build has no targets with libFuzzer")
        output, _ = self.fuzz("--build", BUILD, "--time", "1", name, code=0)
        self.assertNotIn(self.read_rows(output)[name]["executions"], ("0", "-"))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("Use: fuzz_test.py SOURCE BUILD [unittest's arguments]")
    SOURCE, BUILD = (Path(argument).resolve() for argument in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
