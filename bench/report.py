"""What is made of stored results: the table of bars, the README's block and the chart."""

from dataclasses import dataclass
from html import escape
from math import log10

import bars

BEGIN = "<!-- bench begin: written by tools/bench --readme -->"
END = "<!-- bench end -->"


@dataclass
class Row:
    part: str
    what: str
    figure: str
    bar: str = ""
    met: bool | None = None  # None: no bar.


def show_ratio(value):
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


# Rows -----------------------------------------------------------------------------------------------------------------


def list_ratios(results):
    """Each bar with the ratio of the run, where both sides were timed."""
    for bar in bars.list_bars():
        times = results["seconds"].get(bar.workload, {})
        if bar.ours in times and bar.theirs in times:
            yield bar, times[bar.theirs] / times[bar.ours]


def ratio_rows(results):
    for bar, ratio in list_ratios(results):
        ours = bar.workload if bar.ours == "callfence" else f"{bar.workload}, {bar.ours}"
        theirs = "the whole reply" if bar.theirs == "callfence" else bar.theirs
        least = "" if bar.least is None else f"at least {bar.least:g}"
        yield Row("speed", f"{ours} / {theirs}", show_ratio(ratio), least,
                  None if bar.least is None else ratio >= bar.least)


def memory_rows(results):
    for row in results["memory"]:
        if row["kind"] == "members":
            continue
        lean = row["kind"] != "worst" and row["name"] in bars.LEAN
        bar = f"at most {bars.MEMORY_LEAN} and 64 KiB" if lean else f"at most {row['allowed'] / row['bytes']:g}"
        figure = f"{row['peak'] / row['bytes']:.1f} times the reply"
        yield Row("memory", row["name"], figure, bar, row["peak"] <= row["allowed"])


def allocation_rows(results):
    members = {}
    for row in results["memory"]:
        if row["kind"] == "workload":
            prose = row["name"].startswith("prose")
            yield Row("allocations", row["name"], str(row["allocations"]), "none" if prose else "",
                      row["allocations"] == 0 if prose else None)
        if row["kind"] == "members":
            members[int(row["name"])] = row["allocations"]
    fewest = members[min(members)]
    for count in sorted(members):
        yield Row("allocations", f"call of 4 KB with {count} members", str(members[count]), f"at most {fewest}",
                  members[count] <= fewest)


def batch_rows(results):
    batch = results["batch"]
    speed, growth = batch["mb_per_second"], batch["peak"] / batch["peak_for_tenth"]
    each = batch["bytes"] / batch["records"] / 1e3
    what = f"callfence batch, {batch['records']:,} replies of about {each:.1f} KB"
    yield Row("batch", what, f"{speed:.0f} MB/s", f"at least {bars.BATCH_SPEED}", speed >= bars.BATCH_SPEED)
    yield Row("batch", "its memory, over that for a tenth of them", f"{growth:.2f} ({batch['peak'] / 1e6:.1f} MB)",
              f"at most {bars.BATCH_GROWTH}", growth <= bars.BATCH_GROWTH)


def worst_rows(results):
    for row in results["worst"]:
        each = row["seconds_a_byte"]
        growth, speed = each[-1] / each[0], 1e-6 / max(each)
        good = growth <= bars.WORST_GROWTH and speed >= bars.WORST_SPEED
        yield Row("worst", f"{row['reply']}: {row['job']}", f"{speed:.0f} MB/s, growth {growth:.2f}",
                  f"{bars.WORST_SPEED} MB/s, {bars.WORST_GROWTH}", good)


def list_rows(results):
    return [*ratio_rows(results), *memory_rows(results), *allocation_rows(results), *batch_rows(results), *worst_rows(results)]


# Table ----------------------------------------------------------------------------------------------------------------


def describe(results):
    about = results["about"]
    libraries = ", ".join(f"{name} {version}" for name, version in about["libraries"].items())
    lines = [
        f"commit {about['commit']}, {about['date']}" + (", a quick run: rough" if about["quick"] else ""),
        f"{about['processor']}, {about['cores']} cores, load {about['load']} at the start; {about['system']}",
        f"{about['compiler']}, {about['flags']}",
        "callfence is hardened, as the release preset ships it; what it is compared with is not"
        if about["hardened"] else "callfence without the hardening that the release preset ships",
        about["callfence"],
        libraries,
        f"largest worst reply: {results['sizes'][-1] >> 20} MB; a ratio is their time over ours",
    ]
    return "\n".join(lines)


def write_table(results):
    rows = list_rows(results)
    width = max(len(row.what) for row in rows)
    lines = [describe(results), ""]
    for before, row in zip([None, *rows], rows):
        if before is None or before.part != row.part:
            lines.append(f"--- {row.part} ---")
        verdict = {None: "", True: "met", False: "NOT MET"}[row.met]
        lines.append(f"{row.what:<{width}}  {row.figure:<26} {row.bar:<22} {verdict}".rstrip())
    barred = [row for row in rows if row.met is not None]
    missed = sum(not row.met for row in barred)
    lines += ["", f"{len(barred) - missed} of {len(barred)} bars are met."]
    return "\n".join(lines)


# README ---------------------------------------------------------------------------------------------------------------

README_ROWS = ["prose 4 KB", "prose as written", "small call", "code call", "integers", "doubles", "100 members",
               "64 small blocks", "corpus replies", "reading"]
README_COLUMNS = ["Boost.JSON", "simdjson DOM", "lines + nlohmann-json", "Python reference"]


def write_block(results):
    """The lines between the README's markers."""
    about, seconds, batch = results["about"], results["seconds"], results["batch"]
    speeds = [1e-6 / max(row["seconds_a_byte"]) for row in results["worst"]]
    lines = [
        "![How many times as fast as others callfence is](bench/results.svg)",
        "",
        "The other's time over callfence's, from the reply to its entries; Boost.JSON and simdjson get the JSON alone.",
        "",
        "| reply | " + " | ".join(README_COLUMNS) + " |",
        "|---|" + "---|" * len(README_COLUMNS),
    ]
    for name in README_ROWS:
        times = seconds[name]
        cells = [show_ratio(times[other] / times["callfence"]) if other in times else "" for other in README_COLUMNS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    large = seconds["prose 64 MB"]
    lines += [
        "",
        f"Prose of 64 MB takes {large['callfence'] / large['memchr']:.2f} times as long as `memchr` over it. "
        f"`callfence batch` does {batch['mb_per_second']:.0f} MB/s. The worst reply that we know of, up to "
        f"{results['sizes'][-1] >> 20} MB, goes at {min(speeds):.0f} MB/s.",
        "",
        f"Measured on {about['date']}, commit {about['commit'][:12]}, {about['processor']}, {about['compiler']}, "
        f"Boost {about['libraries']['Boost']}; all figures are in [bench/results.json](bench/results.json).",
    ]
    return "\n".join(lines)


def replace_block(text, block):
    """`text` with `block` between the markers, or None where they are not there."""
    lines = text.split("\n")
    if lines.count(BEGIN) != 1 or END not in lines[lines.index(BEGIN):]:
        return None
    begin = lines.index(BEGIN)
    end = lines.index(END, begin)
    return "\n".join([*lines[:begin + 1], *block.split("\n"), *lines[end:]])


# Chart ----------------------------------------------------------------------------------------------------------------

CHART = [("small call", "Boost.JSON"), ("small call", "lines + nlohmann-json"), ("small call", "Python reference"),
         ("code call", "Boost.JSON"), ("code call", "lines + nlohmann-json"), ("code call", "Python reference"),
         ("integers", "Boost.JSON"), ("integers", "lines + nlohmann-json"), ("integers", "Python reference"),
         ("doubles", "Boost.JSON"), ("doubles", "lines + nlohmann-json"), ("doubles", "Python reference"),
         ("prose as written", "lines + nlohmann-json"), ("prose as written", "Python reference")]

# Text takes the colour of the page's theme; bars and lines are seen on both.
STYLE = """text { font: 13px sans-serif; fill: #1f2328 } .note { font-size: 12px; fill: #59636e }
.name { font-weight: bold } .bar { fill: #2f81f7 } .less { fill: #db6d28 } .line { stroke: #8b949e }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .note { fill: #9198a1 } }"""


def position(ratio):
    """Where a ratio stands, from left to right: each step of ten is as wide, since they go from a tenth to hundreds."""
    return 320 + 130 * (log10(min(max(ratio, 0.1), 1000)) + 1)


def draw_bar(y, other, ratio):
    one, end = position(1), position(ratio)
    kind = "bar" if ratio >= 1 else "less"
    return [f'<text x="310" y="{y + 13}" text-anchor="end">{escape(other)}</text>',
            f'<rect class="{kind}" x="{min(one, end):.1f}" y="{y}" width="{max(abs(end - one), 1):.1f}" height="16"/>',
            f'<text x="{max(one, end) + 6:.1f}" y="{y + 13}">{show_ratio(ratio)}</text>']


def draw(results):
    """Bars to the right of 1: callfence is faster; to the left: slower."""
    parts, y, group = [], 46, None
    for name, other in CHART:
        times = results["seconds"][name]
        if other not in times:
            continue
        if name != group:
            y += 8
            parts.append(f'<text class="name" x="10" y="{y + 13}">{escape(name)}</text>')
            group = name
        parts += draw_bar(y, other, times[other] / times["callfence"])
        y += 20
    ticks = []
    for tick in (0.1, 1, 10, 100, 1000):
        x = position(tick)
        opacity = 1 if tick == 1 else 0.35
        ticks += [f'<line class="line" x1="{x}" x2="{x}" y1="44" y2="{y + 4}" stroke-opacity="{opacity}"/>',
                  f'<text class="note" x="{x}" y="{y + 20}" text-anchor="middle">{tick:g}</text>']
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="{y + 30}" viewBox="0 0 900 {y + 30}" '
            'role="img" aria-label="How many times as fast as others callfence is">')
    title = ['<text class="name" x="10" y="20">How many times as fast as others callfence is</text>',
             '<text class="note" x="10" y="37">Their time over ours, reply to entries; Boost.JSON gets the JSON alone. '
             'The scale is logarithmic.</text>']
    return "\n".join([head, f"<style>{STYLE}</style>", *title, *ticks, *parts, "</svg>", ""])
