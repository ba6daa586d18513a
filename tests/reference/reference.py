#!/usr/bin/env python3
"""A reference of the contract in Python, written from SPEC.md with the standard library.

It gives entries, notes and readings as values (`parse`, `find_notes`, `read`), the calls of a text (`solve`), and on
the command line the lines that callfence prints, without their details: no `detail`, `line`, `column`, `byte` and
`sentence`.
"""

import argparse
import json
import re
import sys
from dataclasses import dataclass, field

sys.set_int_max_str_digits(0)
sys.setrecursionlimit(50_000)  # json's scanner recurses. What is nested too deep is refused before it starts (J3).

NOTE_KINDS = {
    1: "open fence",
    2: "swallowed",
    3: "nearly an opening",
    4: "nearly a closing",
    5: "other members",
    6: "repeated key",
    7: "inexact number",
}


@dataclass(frozen=True)
class Rules:
    """What a caller may set."""

    strict_fences: bool = False
    tags_everywhere: bool = False
    max_depth: int = 512
    max_members: int = 4096
    name_key: str = "name"
    args_key: str = "args"


@dataclass
class Entry:
    """A call where `reason` is empty, an error elsewhere."""

    block: int
    span: tuple
    body: tuple
    reason: str = ""
    name: str = ""
    args: dict = field(default_factory=dict)
    args_text: bytes | None = None


@dataclass
class Reading:
    """An object, or an error."""

    error: str = ""
    value: dict = field(default_factory=dict)
    text: bytes = b""
    span: tuple = (0, 0)
    emotions: list = field(default_factory=list)  # Pairs of an emotion and its span.


# JSON (J) -------------------------------------------------------------------------------------------------------------


class Invalid(ValueError):
    """A text that is not JSON by rules J."""


# The tokens of a text that is JSON. In another text they are right up to where it goes wrong.
TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][-+.0-9eE]*|[a-z]+|[][{}:,]', re.DOTALL)


def to_text(data):
    """Bytes as text. A byte that is not UTF-8 becomes a lone surrogate, which no valid text has."""
    return data.decode("utf-8", "surrogateescape")


def to_bytes(text):
    return text.encode("utf-8", "surrogateescape")


def check_depth(text, max_depth):
    """Refuses what is nested too deep (J3). Looks no further than the end of the first value."""
    depth = 0
    for token in TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > max_depth:
                raise Invalid("too deep")
        elif token[0] in "]}":
            depth -= 1
            if depth <= 0:
                return


def is_exact(text):
    """Whether an integer's text is in the range of a 64-bit type (J5). A long one is not converted: that is costly."""
    return len(text) <= 20 and -(2**63) <= int(text) < 2**64


def number_from_integer(text):
    return int(text) if is_exact(text) else float(text)


def number_from_float(text):
    exponent = re.search("[eE][-+]?0*([0-9]*)$", text)
    if exponent and len(exponent[1]) > 9:
        raise Invalid("exponent too large")
    return float(text)


def refuse_constant(name):
    raise Invalid(f"{name} is not JSON")


def check_strings(value):
    """Refuses lone surrogates (J2): escaped ones, and those that stand for a byte that is not UTF-8."""
    values = [value]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            values += value.keys()
            values += value.values()
        elif isinstance(value, list):
            values += value
        elif isinstance(value, str) and re.search("[\ud800-\udfff]", value):
            raise Invalid("not UTF-8, or a lone surrogate")


def decode_first(text, rules):
    """The value that `text` begins with, and where it ends."""

    def to_object(members):
        if len(members) > rules.max_members:
            raise Invalid("too many members")
        # Of equal keys dict() keeps the last (J4). A value that loses is checked here, as nobody sees it again.
        if len(members) != len(result := dict(members)):
            check_strings([value for _, value in members])
        return result

    decoder = json.JSONDecoder(
        object_pairs_hook=to_object,
        parse_int=number_from_integer,
        parse_float=number_from_float,
        parse_constant=refuse_constant,
    )
    check_depth(text, rules.max_depth)
    try:
        value, end = decoder.raw_decode(text)
    except json.JSONDecodeError as error:
        raise Invalid(str(error)) from error
    check_strings(value)
    return value, end


def decode(text, rules):
    stripped = text.strip(" \t\n\r")
    value, end = decode_first(stripped, rules)
    if end != len(stripped):
        raise Invalid("text after the value")
    return value


def members_of(text):
    """The members of the object that `text` holds, as pairs: the key, and the value's text."""
    decoder = json.JSONDecoder(parse_int=str, parse_float=str)
    spacing = re.compile(r"[\s,:]*")
    place = spacing.match(text, text.index("{") + 1).end()
    while text[place] != "}":
        key, end = decoder.raw_decode(text, place)
        begin = spacing.match(text, end).end()
        _, end = decoder.raw_decode(text, begin)
        yield key, text[begin:end]
        place = spacing.match(text, end).end()


def drop_white_space(data):
    """The tokens of a JSON text, as they are printed."""
    return "".join(token[0] for token in TOKEN.finditer(to_text(data)))


# Lines and fences (T1 to T4, F1 to F3) --------------------------------------------------------------------------------

JSON_MARK = re.compile("```[jJ][sS][oO][nN]")
# \s and str.strip() know the 29 code points of T2 and no other white space.
NEARLY_JSON_MARK = re.compile(
    "(?:\\s|[-*+>\u200b\u200c\u200d\u2060\ufeff]|[0-9]+[.)])*(?:`{3,}|~{3,})\\s*[jJ][sS][oO][nN]"
)


@dataclass
class Line:
    begin: int
    end: int
    mark: str
    mark_span: tuple
    role: str = "prose"  # Or "opening", "content", "closing".
    fence: str = ""  # "json" or "other", where the line is no prose.


def split(reply):
    begin = 0
    for text in to_text(reply).split("\n"):
        end = begin + len(to_bytes(text))
        mark = text.strip()
        mark_end = begin + len(to_bytes(text.rstrip()))
        mark_begin = mark_end - len(to_bytes(mark))
        yield Line(begin, end, mark, (mark_begin, mark_end))
        begin = end + 1


def opened_fence(mark, strict):
    """The kind of the fence that a line of prose opens, and the pattern of the mark that closes it."""
    if JSON_MARK.fullmatch(mark):
        return "json", "`{3,}" if strict else "```"
    if not strict:
        return ("other", "```") if mark.startswith("```") else None
    if run := re.match("`{3,}(?=[^`]*$)|~{3,}", mark):
        return "other", f"{mark[0]}{{{len(run[0])},}}"
    return None


def classify(reply, rules):
    """The lines of a reply, each with its role."""
    lines = list(split(reply))
    fence = None
    for line in lines:
        if fence is None:
            fence = opened_fence(line.mark, rules.strict_fences)
            if fence:
                line.role, line.fence = "opening", fence[0]
        else:
            line.role, line.fence = "content", fence[0]
            if re.fullmatch(fence[1], line.mark):
                line.role, fence = "closing", None
    return lines


# Entries (T5 to T7) ---------------------------------------------------------------------------------------------------


def find_blocks(reply, rules):
    """The json blocks: span, body, and whether they are closed."""
    opening = None
    body = len(reply)
    for line in classify(reply, rules):
        if line.fence != "json":
            continue
        if line.role == "opening":
            opening = line
            body = min(line.end + 1, len(reply))
        elif line.role == "closing":
            yield (opening.mark_span[0], line.mark_span[1]), (body, max(body, line.begin - 1)), True
            opening = None
    if opening:
        yield (opening.mark_span[0], len(reply)), (body, len(reply)), False


def shape(value, entry, rules):
    """The reason, or the call's name and arguments (T6)."""
    if not isinstance(value, dict):
        entry.reason = "not an object"
    elif not isinstance(value.get(rules.name_key), str) or not value[rules.name_key]:
        entry.reason = "missing name"
    elif not isinstance(value.get(rules.args_key, {}), dict):
        entry.reason = "args not an object"
    else:
        entry.name = value[rules.name_key]
        entry.args = value.get(rules.args_key, {})


def parse(reply, rules=Rules()):
    """The entries of a reply, which is bytes."""
    entries = []
    for span, body, is_closed in find_blocks(reply, rules):
        entry = Entry(len(entries) + 1, span, body)
        entries.append(entry)
        if not is_closed:
            entry.reason = "unclosed block"
            continue
        text = to_text(reply[body[0] : body[1]])
        try:
            value = decode(text, rules)
        except Invalid:
            entry.reason = "invalid json"
            continue
        shape(value, entry, rules)
        if not entry.reason and rules.args_key in value:
            entry.args_text = to_bytes(dict(members_of(text))[rules.args_key])
    return entries


def solve(text):
    """The calls and errors of a text: ("call", name, args) or ("error", block, reason)."""
    entries = parse(text.encode("utf-8", "surrogatepass"))
    return [("error", e.block, e.reason) if e.reason else ("call", e.name, e.args) for e in entries]


# Notes (N) ------------------------------------------------------------------------------------------------------------


def note_lines(reply, rules):
    open_fence = None
    for line in classify(reply, rules):
        is_json_mark = JSON_MARK.fullmatch(line.mark)
        has_fence = line.mark.startswith("```") or line.mark.endswith("```")
        if line.fence == "other" and line.role != "content":
            open_fence = line if line.role == "opening" else None
        if line.role == "content" and line.fence == "other" and is_json_mark:
            yield *line.mark_span, 2
        if line.role in ("prose", "opening") and not is_json_mark and NEARLY_JSON_MARK.match(line.mark):
            yield *line.mark_span, 3
        if line.role == "content" and line.fence == "json" and has_fence:
            yield *line.mark_span, 4
    if open_fence:
        yield *open_fence.mark_span, 1


def is_inexact(text):
    """Whether N7 notes a number's text."""
    if re.fullmatch("-?[0-9]+", text):
        return not is_exact(text)
    digits = re.sub("[eE].*|[-.]", "", text).strip("0")
    value = float(text)
    return len(digits) > 17 or value in (float("inf"), -float("inf")) or (value == 0 and digits != "")


def note_tokens(text, place):
    """The notes on the keys and numbers of a body that decodes."""
    containers = []
    offset = place
    last = 0
    tokens = list(TOKEN.finditer(text))
    for token, following in zip(tokens, tokens[1:] + [None]):
        offset += len(to_bytes(text[last : token.start()]))
        last = token.start()
        span = (offset, offset + len(to_bytes(token[0])))
        if token[0] in "[{":
            containers.append(set())
        elif token[0] in "]}":
            containers.pop()
        elif token[0][0] in "-0123456789" and is_inexact(token[0]):
            yield *span, 7
        elif following and following[0] == ":":
            key = json.loads(token[0])
            if key in containers[-1]:
                yield *span, 6
            containers[-1].add(key)


def note_bodies(reply, rules):
    for span, body, is_closed in find_blocks(reply, rules):
        if not is_closed:
            continue
        text = to_text(reply[body[0] : body[1]])
        try:
            value = decode(text, rules)
        except Invalid:
            continue
        entry = Entry(0, span, body)
        shape(value, entry, rules)
        if not entry.reason and rules.args_key not in value and len(value) > 1:
            yield *span, 5
        yield from note_tokens(text, body[0])


def find_notes(reply, rules=Rules()):
    """The notes of a reply: begin, end and the number of the kind."""
    return sorted([*note_lines(reply, rules), *note_bodies(reply, rules)])


# Reading (R) ----------------------------------------------------------------------------------------------------------

TAG = re.compile(rb"\[emotion:([A-Za-z_-]+)\]")


def original_place(place, tags):
    """Where a byte of the cut text stands in the reply."""
    for _, (begin, end) in tags:
        if place >= begin:
            place += end - begin
    return place


def read(reply, rules=Rules()):
    """The reading of a reply, which is bytes."""
    tags = [(tag[1].decode(), tag.span()) for tag in TAG.finditer(reply)]
    cut = tags if rules.tags_everywhere else []
    text = TAG.sub(b"", reply) if rules.tags_everywhere else reply
    begin = text.find(b"{")
    if begin < 0:
        return Reading(error="had no JSON object")
    rest = to_text(text[begin:])
    try:
        value, length = decode_first(rest, rules)
    except Invalid:
        return Reading(error="was not valid JSON")
    exact = to_bytes(rest[:length])
    span = (original_place(begin, cut), original_place(begin + len(exact) - 1, cut) + 1)
    kept = [tag for tag in tags if rules.tags_everywhere or tag[1][1] <= span[0] or tag[1][0] >= span[1]]
    return Reading(value=value, text=exact, span=span, emotions=kept)


# Lines that are printed -----------------------------------------------------------------------------------------------


def quote(text):
    return json.dumps(text, ensure_ascii=False)


def print_span(span):
    return f"[{span[0]},{span[1]}]"


def print_entry(entry):
    start = f'{{"block":{entry.block},"type":'
    if entry.reason:
        return f'{start}"error","reason":"{entry.reason}","span":{print_span(entry.span)}}}'
    args = "{}" if entry.args_text is None else drop_white_space(entry.args_text)
    return f'{start}"call","name":{quote(entry.name)},"args":{args},"span":{print_span(entry.span)}}}'


def print_note(note):
    return f'{{"type":"note","kind":"{NOTE_KINDS[note[2]]}","span":{print_span(note)}}}'


def print_emotions(reading):
    tags = [f'{{"emotion":"{emotion}","span":{print_span(span)}}}' for emotion, span in reading.emotions]
    return f"[{','.join(tags)}]"


def print_reading(reading):
    if reading.error:
        return f'{{"error":"{reading.error}"}}'
    emotions = print_emotions(reading)
    return f'{{"object":{drop_white_space(reading.text)},"emotions":{emotions},"span":{print_span(reading.span)}}}'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=("parse", "read"))
    parser.add_argument("--notes", action="store_true")
    parser.add_argument("--fences", choices=("reference", "strict"), default="reference")
    parser.add_argument("--tags", choices=("strict", "everywhere"), default="strict")
    parser.add_argument("file")
    options = parser.parse_args()
    rules = Rules(strict_fences=options.fences == "strict", tags_everywhere=options.tags == "everywhere")
    with open(options.file, "rb") as file:
        reply = file.read()
    if options.command == "read":
        lines = [print_reading(read(reply, rules))]
    else:
        lines = [print_entry(entry) for entry in parse(reply, rules)]
        lines += [print_note(note) for note in find_notes(reply, rules) if options.notes]
    sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode())


if __name__ == "__main__":
    main()
