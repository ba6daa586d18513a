#!/usr/bin/env python3
"""Times the Python reference on files, and prints JSON: for each workload the seconds of a run over all its replies,
once for each repetition. FOLDER has read/NAME/* and parse/NAME/*, as callfence_bench_times --write makes them."""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "reference"))
import reference  # noqa: E402

JOBS = {"parse": reference.parse, "read": reference.read}


def time_once(job, replies, runs):
    begin = time.process_time()
    for _ in range(runs):
        for reply in replies:
            job(reply)
    return (time.process_time() - begin) / runs


def time_workload(job, folder, seconds, repetitions):
    replies = [path.read_bytes() for path in sorted(folder.iterdir())]
    runs = max(1, round(seconds / max(time_once(job, replies, 1), 1e-6)))
    return [time_once(job, replies, runs) for _ in range(repetitions)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workload", help="only this one")
    parser.add_argument("--seconds", type=float, default=0.2, help="of a repetition")
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    times = {}
    for name, job in JOBS.items():
        for folder in sorted((options.folder / name).glob("*")):
            if options.workload in (None, folder.name):
                times[folder.name] = time_workload(job, folder, options.seconds, options.repetitions)
    if not times:
        sys.exit("python_times: There is nothing to time.")
    json.dump(times, sys.stdout)


if __name__ == "__main__":
    main()
