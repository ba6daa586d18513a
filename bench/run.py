#!/usr/bin/env python3
"""Runs the benchmark's programs, and prints, stores and draws what they measured. tools/bench builds them first."""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bars
import report

ROOT = Path(__file__).resolve().parent.parent
MEGABYTE = 1 << 20
RECORDS = 14000


class Failed(Exception):
    """A program that could not be run, or a file that could not be written: exit code 1."""


class Wrong(Exception):
    """Wrong use: exit code 2."""


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def run(command, **options):
    try:
        done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, **options)
    except OSError as error:
        raise Failed(f"'{command[0]}' cannot be run: {error.strerror}.") from error
    if done.returncode != 0:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it said nothing"]
        raise Failed(f"'{' '.join(str(part) for part in command)}' ended with exit code {done.returncode}: {last[0]}")
    return done.stdout.decode()


# Times ----------------------------------------------------------------------------------------------------------------


class Programs:
    def __init__(self, build, quick, folder):
        self.times = build / "bench" / "callfence_bench_times"
        self.memory = build / "bench" / "callfence_bench_memory"
        self.command = build / "callfence"
        self.about = build / "bench" / "build.json"
        self.folder = folder
        self.repetitions = 3 if quick else 9
        self.seconds = 0.02 if quick else 0.2
        self.sizes = [MEGABYTE, 2 * MEGABYTE, (8 if quick else 64) * MEGABYTE]
        self.quick = quick
        for path in (self.times, self.memory, self.command, self.about):
            if not path.is_file():
                raise Wrong(f"There is no '{path}'; tools/bench builds it.")

    def names(self, kind):
        rows = [line.split("\t") for line in run([self.times, "--list"]).splitlines()]
        return [row[1] for row in rows if row[0] == kind]

    def time_all(self, *arguments, repetitions=None, seconds=None):
        """Each name and its seconds of processor time, once for each repetition; the repetitions are interleaved."""
        output = run([self.times, *arguments, "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
                      f"--benchmark_repetitions={repetitions or self.repetitions}",
                      f"--benchmark_min_time={seconds or self.seconds}"])
        times = {}
        for row in json.loads(output)["benchmarks"]:
            if row["run_type"] == "iteration":
                name = row["name"].rpartition("/repeats:")[0] or row["name"]
                times.setdefault(name.partition("/")[2], []).append(row["cpu_time"] / 1e9)
        return times


def time_workloads(programs):
    run([programs.times, "--write", programs.folder])
    times = {}
    for name in programs.names("workload"):
        say(f"Timing '{name}'.")
        rounds = programs.time_all("--workload", name)
        if name != "prose 64 MB":
            output = run([sys.executable, ROOT / "bench" / "python_times.py", programs.folder, "--workload", name,
                          "--seconds", programs.seconds, "--repetitions", programs.repetitions])
            rounds["Python reference"] = json.loads(output)[name]
        times[name] = {contender: statistics.median(seconds) for contender, seconds in rounds.items()}
    return times


def time_worst(programs):
    """For each worst reply and each way to ask for what is in it: seconds a byte at each size."""
    rows = {}
    for name in programs.names("worst"):
        say(f"Timing the worst: '{name}'.")
        for size in programs.sizes:
            arguments = ["--worst", name, "--bytes", size]
            if programs.quick:
                arguments.append("--first-job-only")
            repetitions = 1 if programs.quick or size > 2 * MEGABYTE else 5
            rounds = programs.time_all(*arguments, repetitions=repetitions, seconds=0.01)
            for job, seconds in rounds.items():
                rows.setdefault((name, job), []).append(statistics.median(seconds) / size)
    return [{"reply": name, "job": job, "seconds_a_byte": each} for (name, job), each in rows.items()]


# Memory ---------------------------------------------------------------------------------------------------------------


def count_memory(programs):
    """The most of each kind and name, over the replies and the sizes."""
    say("Counting allocations and memory.")
    most = {}
    for size in programs.sizes[:1] if programs.quick else programs.sizes[::2]:
        for line in run([programs.memory, "--bytes", size]).splitlines():
            kind, name, *numbers = line.split("\t")
            bytes_, allocations, peak = map(int, numbers)
            row = {"kind": kind, "name": name, "bytes": bytes_, "allocations": allocations, "peak": peak,
                   "allowed": bars.most_memory(kind, name, bytes_)}
            before = most.get((kind, name))
            if before is None or row["peak"] / row["allowed"] > before["peak"] / before["allowed"]:
                most[kind, name] = row
    return list(most.values())


# Batch ----------------------------------------------------------------------------------------------------------------


def time_batch(programs, file):
    """Seconds of processor time, of the fastest run: the machine can only make it slower."""
    best = float("inf")
    for _ in range(2 if programs.quick else 5):
        before = os.times()
        with open(os.devnull, "wb") as nowhere:
            code = subprocess.run([programs.command, "batch", file], stdout=nowhere, check=False).returncode
        if code != 0:
            raise Failed(f"'callfence batch' ended with exit code {code}.")
        after = os.times()
        best = min(best, after.children_user + after.children_system - before.children_user - before.children_system)
    return best


def peak_of_batch(programs, file):
    """The most memory that `batch` had when all its answers were there: read while it waits for more input."""
    lines = file.read_bytes().splitlines(keepends=True)
    with subprocess.Popen([programs.command, "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        # Ten records of at most a few KB fit into the pipe, and so do their answers.
        for begin in range(0, len(lines), 10):
            some = lines[begin:begin + 10]
            process.stdin.write(b"".join(some))
            process.stdin.flush()
            for _ in some:
                if not process.stdout.readline():
                    raise Failed("'callfence batch' ended before its input did.")
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        process.stdin.close()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


def measure_batch(programs):
    say("Running 'callfence batch'.")
    few, many = programs.folder / "few.jsonl", programs.folder / "many.jsonl"
    run([programs.times, "--records", few, "--count", RECORDS // 10])
    run([programs.times, "--records", many, "--count", RECORDS])
    size = many.stat().st_size
    return {"records": RECORDS, "bytes": size, "mb_per_second": size / time_batch(programs, many) / 1e6,
            "peak_for_tenth": peak_of_batch(programs, few), "peak": peak_of_batch(programs, many)}


# About the run --------------------------------------------------------------------------------------------------------


def name_processor():
    try:
        match = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        match = None
    return match[1] if match else platform.machine() or "unknown"


def name_commit():
    """The commit, and whether the sources differ from it; nothing where this is no checkout."""
    git = ["git", "-C", str(ROOT)]
    try:
        commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
        where = ["--", "parser", "bench", "tools/callfence", "CMakeLists.txt", "cmake"]
        changed = subprocess.run([*git, "status", "--porcelain", *where], check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return commit + (", with changes" if changed else "")


def describe(programs):
    build = json.loads(programs.about.read_text())
    versions = run([programs.command, "--version"]).strip()
    return {"commit": name_commit(), "date": time.strftime("%Y-%m-%d", time.gmtime()), "quick": programs.quick,
            "processor": name_processor(), "system": f"{platform.system()} {platform.release()}",
            "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1), "compiler": build["compiler"],
            "flags": build["flags"], "hardened": build["hardened"], "callfence": versions,
            "libraries": build["libraries"] | {"Python": platform.python_version()}}


def measure(build, quick):
    with tempfile.TemporaryDirectory(prefix="callfence-bench-") as folder:
        programs = Programs(build, quick, Path(folder))
        about = describe(programs)
        if about["load"] > 0.5:
            say(f"Other programs are running (load {about['load']}); the times will be rough.")
        return {"about": about, "seconds": time_workloads(programs), "memory": count_memory(programs),
                "batch": measure_batch(programs), "sizes": programs.sizes, "worst": time_worst(programs)}


# Files ----------------------------------------------------------------------------------------------------------------


def write(path, text):
    try:
        part = path.with_name(path.name + ".part")
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise Failed(f"'{path}' cannot be written: {error.strerror}.") from error


def load(path):
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
        report.list_rows(results)  # So that a file of another kind is told before anything is written.
        return results
    except OSError as error:
        raise Wrong(f"Cannot read '{path}': {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise Wrong(f"'{path}' holds no results of this benchmark.") from error


def write_readme(results, path):
    text = path.read_text(encoding="utf-8")
    changed = report.replace_block(text, report.write_block(results))
    if changed is None:
        raise Failed(f"'{path}' has no line '{report.BEGIN}' with a line '{report.END}' after it.")
    write(path, changed)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--build", type=Path, help="where the programs are")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--readme", action="store_true")
    return parser.parse_args()


def main():
    options = parse_arguments()
    stored = ROOT / "bench" / "results.json"
    try:
        if options.readme:
            results = load(stored)
            write_readme(results, ROOT / "README.md")
            write(ROOT / "bench" / "results.svg", report.draw(results))
            return 0
        if options.table:
            results = load(options.table)
        else:
            target = options.json
            if target and not target.resolve().parent.is_dir():
                raise Wrong(f"There is no folder for '{target}'.")
            results = measure(options.build, options.quick)
            if target:
                write(target, json.dumps(results, indent=1) + "\n")
        print(report.write_table(results))
        return 0 if all(row.met is not False for row in report.list_rows(results)) else 3
    except Wrong as error:
        say(error)
        return 2
    except Failed as error:
        say(error)
        return 1
    except KeyboardInterrupt:
        say("Stopped; nothing was stored.")
        return 130


if __name__ == "__main__":
    sys.exit(main())
