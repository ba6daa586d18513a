"""What the benchmark is held to: the ratios, and how they are computed from the times of one run."""

from dataclasses import dataclass

# Of ratios, the time of what is compared over callfence's: 2 means that callfence takes half of its time.


@dataclass(frozen=True)
class Bar:
    workload: str
    ours: str
    theirs: str
    least: float | None  # None: shown, not required.


def list_bars():
    bars = [
        Bar("prose 64 MB", "callfence", "memchr", 0.9),
        Bar("prose 4 KB", "callfence", "memchr", 0.8),
        Bar("prose 64 MB", "strict fences", "memchr", 0.4),
        Bar("prose 4 KB", "strict fences", "memchr", 0.4),
        Bar("prose as written", "callfence", "newline walk", 0.5),
        Bar("prose as written", "strict fences", "newline walk", None),
        Bar("prose 64 MB", "callfence", "newline walk", None),
        Bar("prose 64 MB", "callfence", "lines + nlohmann-json", None),
    ]
    for theirs, least in [
        ("Boost.JSON", {"small call": 1.4, "code call": 1.2, "integers": 0.95, "doubles": 0.85}),
        ("Boost.JSON, reused", {}),
        ("lines + nlohmann-json", {"small call": 4, "code call": 4, "integers": 3, "doubles": 4}),
        ("brace slice + nlohmann-json", {}),
        ("Python reference", {"small call": 8, "code call": 1.7}),
        ("simdjson DOM", {"small call": 0.3, "code call": 0.2}),
    ]:
        names = ["small call", "code call", "integers", "doubles", "100 members", "64 small blocks", "corpus replies"]
        bars += [Bar(name, "callfence", theirs, least.get(name)) for name in [*names, "reading"]]
    bars += [Bar(name, "callfence", "Python reference", 60) for name in ("prose 4 KB", "prose as written")]
    for chunk in (1, 7, 64, 4096):
        least = 0.5 if chunk == 64 else None
        bars.append(Bar("corpus replies", f"chunks of {chunk}", "callfence", least))
    for name in ("prose 4 KB", "small call", "code call"):
        bars.append(Bar(name, "chunks of 64", "callfence", None))
    return bars


# The rest of the bars.
WORST_GROWTH = 4  # Time a byte at the largest size over that at 1 MB: at most.
WORST_SPEED = 15  # MB/s, at least.
BATCH_SPEED = 100  # MB/s, at least.
BATCH_GROWTH = 1.1  # Memory for 14,000 records over that for 1,400: at most; flat but for the allocator's habits.

MEMORY_LEAN = 4  # Times the reply, and 64 KiB: prose and strings.
MEMORY_LEAN_EXTRA = 65536
MEMORY_ORDINARY = 10  # Times the reply: other ordinary calls,
MEMORY_WORST = 32  # and the worst replies.
LEAN = {"prose 4 KB", "prose 64 MB", "prose as written", "code call"}


def most_memory(kind, name, size):
    """How many bytes a reply may take, itself included."""
    if kind == "worst":
        return MEMORY_WORST * size
    return MEMORY_LEAN * size + MEMORY_LEAN_EXTRA if name in LEAN else MEMORY_ORDINARY * size
