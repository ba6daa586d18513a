"""Compares what llvm-cov counted in parser/ with the list of what cannot be reached. tools/coverage runs it."""

import argparse
import collections
import json
import sys
from pathlib import Path
from typing import NamedTuple, Optional

ROOT = Path(__file__).resolve().parent.parent
BRANCH = 4  # llvm-cov's number for a region that is a branch.

HELP = """\
Prints what was not reached and is not listed, what is listed and should not be,
and a line that sums up. Exit code: 0 everything is reached or listed; 1 not so;
2 wrong use, or a file cannot be read."""


class Wrong(Exception):
    """Wrong use, or a file that cannot be read: exit code 2."""


class Branch(NamedTuple):
    outcome: str  # Whether the condition was never true, or never false.
    condition: str


class Place(NamedTuple):
    """What was not reached. Compared without the line's number, which every change above moves."""
    file: str
    line: str
    branch: Optional[Branch]  # None: the line itself.

    def __str__(self):
        return f"never {self.branch.outcome}: {self.branch.condition}" if self.branch else f"never run: {self.line}"


class Counts(NamedTuple):
    lines: int
    outcomes: int
    missed: list  # Of pairs: a Place, and the number of its line.


def squeeze(text):
    return " ".join(text.split())


class Source:
    def __init__(self, path):
        self.name = str(Path(path).resolve().relative_to(ROOT))
        self.lines = read(path).split("\n")

    def line(self, number):
        return squeeze(self.lines[number - 1])

    def piece(self, begin, end):
        """The text from one pair of line and column to another."""
        lines = self.lines[begin[0] - 1:end[0]]
        # Columns count bytes.
        lines[-1] = lines[-1].encode()[:end[1] - 1].decode()
        lines[0] = lines[0].encode()[begin[1] - 1:].decode()
        return squeeze(" ".join(lines))


def read(path):
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise Wrong(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Wrong(f"{path} is not UTF-8.") from error


def read_lines(path):
    """For each source the numbers of its lines with code, and how often each ran."""
    counts = collections.defaultdict(dict)
    for line in read(path).split("\n"):
        key, _, value = line.partition(":")
        if key == "SF":
            source = value
        elif key == "DA":
            number, ran = value.split(",")[:2]
            counts[source][int(number)] = int(ran)
    return counts


def read_branches(path):
    """For each source its conditions by their places, and how often each was true and false, in all their copies."""
    try:
        files = json.loads(read(path))["data"][0]["files"]
    except (ValueError, LookupError, TypeError) as error:
        raise Wrong(f"{path} is not what llvm-cov exports.") from error
    counts = {}
    for file in files:
        conditions = counts[file["filename"]] = collections.defaultdict(lambda: [0, 0])
        for begin_line, begin_column, end_line, end_column, true, false, _, _, kind in file["branches"]:
            if kind == BRANCH:
                outcomes = conditions[(begin_line, begin_column), (end_line, end_column)]
                outcomes[0] += true
                outcomes[1] += false
    return counts


def count(lines_path, branches_path):
    lines, branches = read_lines(lines_path), read_branches(branches_path)
    sources = {path: Source(path) for path in sorted(lines.keys() | branches.keys())}
    counted = {source.name for path, source in sources.items() if path in lines and path in branches}
    for path in sorted(ROOT.glob("parser/src/*.cpp")):  # What is not compiled would pass for covered.
        if str(path.relative_to(ROOT)) not in counted:
            raise Wrong(f"Nothing was counted in {path.relative_to(ROOT)}.")
    missed = []
    for path, source in sources.items():
        for number, ran in lines[path].items():
            if ran == 0:
                missed.append((Place(source.name, source.line(number), None), number))
        for (begin, end), outcomes in branches.get(path, {}).items():
            for outcome, taken in zip(("true", "false"), outcomes):
                if taken == 0:
                    branch = Branch(outcome, source.piece(begin, end))
                    missed.append((Place(source.name, source.line(begin[0]), branch), begin[0]))
    missed.sort(key=lambda one: (one[0].file, one[1]))
    return Counts(sum(map(len, lines.values())), 2 * sum(map(len, branches.values())), missed)


def read_list(path):
    """The places that are listed, and what is wrong with the list."""
    places, faults = {}, []
    for first, paragraph in split_paragraphs(read(path)):
        fields = collections.defaultdict(list)
        for number, line in enumerate(paragraph, first):
            key, _, value = line.partition(": ")
            if key not in ("file", "line", "branch", "reason") or not value.strip():
                faults.append(f"{path}:{number}: there is no such line here: {line}")
            fields[key].append(squeeze(value))
        if [len(fields[key]) for key in ("file", "line", "reason")] != [1, 1, 1]:
            faults.append(f"{path}:{first}: an entry has one file, one line and one reason")
            continue
        for branch in fields["branch"] or [None]:
            if branch is not None:
                outcome, _, condition = branch.partition(" ")
                if outcome not in ("true", "false") or not condition:
                    faults.append(f"{path}:{first}: a branch is 'true' or 'false' and a condition, not '{branch}'")
                branch = Branch(outcome, condition)
            place = Place(fields["file"][0], fields["line"][0], branch)
            if place in places:
                faults.append(f"{path}:{first}: listed twice: {place}")
            places[place] = first
    return places, faults


def split_paragraphs(text):
    """Each paragraph and the number of its first line; lines that begin with # are left out."""
    paragraph = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.startswith("#"):
            continue
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            yield number - len(paragraph), paragraph
            paragraph = []


def find_stale(path, places, missed):
    """What is listed and is not one place that was missed."""
    found = collections.Counter(place for place, _ in missed)
    for place, number in places.items():
        if found[place] == 1:
            continue
        file = ROOT / place.file
        if not file.is_file():
            fault = f"there is no file {place.file}"
        elif place.line not in map(squeeze, read(file).split("\n")):
            fault = f"{place.file} has no such line: {place.line}"
        elif found[place] > 1:
            fault = f"{place.file} has {found[place]} such places, which cannot be told apart: {place.line}"
        elif place.branch and place.branch.condition not in place.line:
            fault = f"there is no such condition in its line: {place.branch.condition}"
        else:
            fault = f"listed as '{place}', and that is not so; take it out"
        yield f"{path}:{number}: {fault}"


def report(counts, list_path):
    places, faults = read_list(list_path)
    faults += find_stale(list_path, places, counts.missed)
    for place, number in counts.missed:
        if place not in places:
            faults.append(f"{place.file}:{number}: {place}")
    for fault in faults:
        print(fault)
    lines = sum(1 for place, _ in counts.missed if place.branch is None)
    outcomes = len(counts.missed) - lines
    listed = sum(1 for place, _ in counts.missed if place in places)
    print(f"parser/: {counts.lines - lines} of {counts.lines} lines, {counts.outcomes - outcomes} of {counts.outcomes} "
          f"branches; {listed} listed with reasons")
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog=HELP,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--branches", required=True, metavar="FILE", help="llvm-cov export -format=text")
    parser.add_argument("--lines", required=True, metavar="FILE", help="llvm-cov export -format=lcov")
    parser.add_argument("--list", required=True, metavar="FILE", help="what cannot be reached, with reasons")
    options = parser.parse_args()
    return report(count(options.lines, options.branches), options.list)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as wrong:
        print(f"coverage: {wrong}", file=sys.stderr)
        sys.exit(2)
