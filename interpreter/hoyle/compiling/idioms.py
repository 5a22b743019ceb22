"""The last touch before Python compiles it: what CPython has a quicker way of saying. A back end that reads functions gets them without it.

It goes by how lines are written in this room, and leaves alone what is written otherwise. What it makes of a function says the same.
"""

from __future__ import annotations

import re

from hoyle.compiling.code import OPENING, Function, Line, Writer

_OF_MOVE = "if a[0] == "
_MADE = re.compile(r"acts \+= \[\((\d+), (.+),\) for (\w+) in (.+)\]")
_KEPT = re.compile(r"good = \[a for a in acts if (.*)\]")
_STOPS = "s.acts = acts; "
_ALSO = re.compile(
    r"acts = \[\]|acts = good|if len\(acts\) > \d:|if good and len\(good\) < len\(acts\):|if not acts: .*"
)
"""Other lines that may tell of the actions of a decision."""


_ONE_PIECE = re.compile(r"move_pieces\(s, \(([^,]+),\), \(([^,]+),\), ([^,]+), -1, (\d+)\)")


def polish(function: Function) -> None:
    """The lines of one function, said in Python's own way."""
    lines = function.writer.lines
    for line in lines:
        if line.text.startswith("move_pieces("):
            line.text = _ONE_PIECE.sub(r"move_piece(s, \1, \2, \3, \4)", line.text)
    if function.name.startswith("b"):
        _kept_as_listed(lines)
    else:
        _only_move(lines)


def _only_move(lines: list[Line]) -> None:
    """Where only one move is offered, it need not be asked whether an action is of that move."""
    tests = [n for n, line in enumerate(lines) if line.indent == 1 and line.text.startswith(_OF_MOVE)]
    if len(tests) == 1 and all(line.indent > 1 for line in lines[tests[0] + 1 :]):
        lines[tests[0] :] = [Line(line.indent - 1, line.text, line.origin) for line in lines[tests[0] + 1 :]]


# ---- decisions -------------------------------------------------------------------------------------------------------


def _kept_as_listed(lines: list[Line]) -> None:
    """Where all actions come from one list and differ in nothing else, obligations look at the list, and what is left of it becomes actions."""
    makers = [n for n, line in enumerate(lines) if line.text.startswith(("acts += ", "acts.append("))]
    found = _MADE.fullmatch(lines[makers[0]].text) if len(makers) == 1 and not _in_loop(lines, makers[0]) else None
    if found is None:
        return
    number, values, one, items = found.groups()
    bindings = values.split(", ")
    texts = [_asking(line.text, bindings.index(one) + 1) for line in lines] if bindings.count(one) == 1 else [None]
    if None in texts:
        return
    only = len(bindings) == 1
    actions = f"[({number}, {values},) for {one} in acts]"
    if only and _left_unmade(lines, makers[0], number, items):
        return
    for line, text in zip(lines, texts, strict=True):
        assert text is not None
        line.text = text.replace(_STOPS, f"s.acts = {actions}; ")
    lines[makers[0]].text = f"acts = {items}"


def _left_unmade(lines: list[Line], place: int, number: str, items: str) -> bool:
    """Subsets that no obligation looks at are only made if somebody asks for them."""
    subsets = re.fullmatch(r"(\w+) = w_subsets\(P, (.+), (\w+)\)", lines[place - 1].text)
    if subsets is None or subsets[1] != items or any(line.text.startswith("good = ") for line in lines):
        return False
    lines[place].text = f"acts = choices({number}, {subsets[2]}, {subsets[3]})"
    del lines[place - 1]
    return True


def _in_loop(lines: list[Line], place: int) -> bool:
    indent = lines[place].indent
    for line in reversed(lines[:place]):
        if line.indent < indent:
            if line.text.startswith(("for ", "while ")):
                return True
            indent = line.indent
    return False


def _asking(text: str, place: int) -> str | None:
    """The line, where an action `a` is known by its binding at this place; none if it asks for more."""
    kept = _KEPT.fullmatch(text)
    if kept is not None:
        test = kept[1].replace(f"a[{place}]", "\0")
        return None if re.search(r"\ba\b", test) else f"good = [a for a in acts if {test}]".replace("\0", "a")
    if "acts" not in text and "good" not in text:
        return text
    return text if text.startswith(_STOPS) or _ALSO.fullmatch(text) or _MADE.fullmatch(text) else None


# ---- looking ahead ---------------------------------------------------------------------------------------------------

_TAKEN = (
    (re.compile(r"P\[(.+)\]\.pop\(\)"), r"P[\1] = P[\1][:-1]"),
    (re.compile(r"P\[(.+)\]\.append\((.+)\)"), r"P[\1] = [*P[\1], \2]"),
    (re.compile(r"P\[(.+)\]\.remove\((.+)\)"), r"P[\1] = P[\1][:]; P[\1].remove(\2)"),
)
"""What an action does to a pile, and the same to a copy of it that takes its place."""
_HARMLESS = re.compile(r"C\[.*|_, .*|if .*:|else:|return .*|[a-z]+_\d+ = .*")
_GIVES_STATE = re.compile(r"\(s[,)]")
_NO_PILES = ("say(", "score(", OPENING)
"""What changes no pile: nothing else is given the state."""


def sparing(function: Function) -> Function | None:
    """What an action does to a state whose piles are another's, too: `c7` for `a7`. None if it does more than take pieces and lay them."""
    lines = []
    for line in function.writer.lines:
        text = _spared(line.text)
        if text is None:
            return None
        lines.append(Line(line.indent, text, line.origin))
    return Function(f"c{function.name[1:]}", function.parameters, function.file, function.line, Writer(lines))


def _spared(text: str) -> str | None:
    for taken, copied in _TAKEN:
        if taken.fullmatch(text):
            return taken.sub(copied, text)
    if text.startswith("move_piece("):
        return f"spare_{text.removeprefix('move_')}"
    harmless = _HARMLESS.fullmatch(text) and not _GIVES_STATE.search(text)
    return text if harmless or text.startswith(_NO_PILES) else None
