"""Writes the blocks of a game as one C function with jumps between them, and the function that plays an action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hoyle.compiling import code
from hoyle.compiling.code import Function
from hoyle.compiling.code_passes import labels_in
from hoyle.native.values import GoOn
from hoyle.running.machine import Machine

Lines = Sequence[str | GoOn]


def blocks(functions: Mapping[str, Function], entry: int) -> list[str]:
    """Return the names of the blocks that a game beginning at `entry` can reach."""
    found = set[str]()
    begun = {entry, *(n for one in functions.values() if one.role != "block" for n in labels_in(one))}
    while begun:
        name = f"b{begun.pop()}"
        if name in functions and name not in found:
            found.add(name)
            begun |= {*labels_in(functions[name])}
    return [name for name in functions if name in found]


_QUIET = frozenset(("len", "max", "min", "sum"))
_MAKING = (
    *(code.RowCall, code.Method, code.List, code.Tuple, code.Comprehension, code.ForChosen),
    *(code.Ask, code.Use, code.LogRule, code.Unpack),
)


def is_quiet(function: Function) -> bool:
    """Return whether a block neither stops the game nor allocates memory from the arena."""
    nodes = [*code.walk(function.body)]
    calls = (node.function for node in nodes if isinstance(node, code.Call))
    return not any(isinstance(node, _MAKING) for node in nodes) and _QUIET.issuperset(calls)


def advance(
    written: Mapping[str, Lines], functions: Mapping[str, Function], slugs: Mapping[str, str], tried: bool = False
) -> str:
    """Return the C function that runs from block to block, in a game or (`tried`) during a look-ahead.

    `written` has the lines of each block.
    """
    name = "advance_tried" if tried else "advance"
    numbers = [int(name[1:]) for name in written]
    lines = [
        _HEAD.replace("NAME", name),
        *(f"        case {number}: goto b{number};" for number in numbers),
        "        case -1: case -2: goto out;",
        "        default: goto restless;",
        "    }",
    ]
    for at, (block, text) in enumerate(written.items()):
        later, quiet = {*numbers[at + 1 :]}, is_quiet(functions[block])
        lines += [f"{block}: {{ /* {slugs[block]} */", *(_line(line, quiet, later) for line in text), "}"]
    return "\n".join([*lines, _OUT.replace("    DECIDE\n", "" if tried else _DECIDE)])


def _line(line: str | GoOn, quiet: bool, later: set[int]) -> str:
    if isinstance(line, str):
        return line
    space, number = "    " * line.depth, line.number
    if number not in later:
        return f"{space}GO_BACK({number})"
    return f"{space}{{ n++; goto b{number}; }}" if quiet else f"{space}GO_ON({number})"


GO_ON = """\
/* Takes an action at random, and counts it: see `one_game`. Returns the block that comes next. */
static inline I decided(X *x, S *s) {
    I n = s->count, number = n > 1 ? below(&x->pick, n) : 0, *counts = x->counts;
    const E *a = offered(s, number);
    counts[0]++; counts[1] += n > 1; counts[2] += s->actor != x->last; counts[3] += n;
    if (n > counts[4]) counts[4] = n;
    counts[6 + a[0]]++;
    x->last = s->actor;
    s->number = number;
    return apply(x, s, s->pc, a);
}
/* What was made in a block is given back at its end; how many come one after another is looked at where one goes back. */
#define GO_ON(to) { if (x->stop) goto stopped; give_back(x, used); n++; goto b##to; }
#define GO_BACK(to) { if (x->stop) goto stopped; give_back(x, used); if (++n >= MOST_BLOCKS) goto restless; goto b##to; }"""
_HEAD = """\
static void NAME(X *x, S *s, I pc) {
    I used = x->used, n = 0;
next:
    switch (pc) {"""
_DECIDE = """\
    if (pc == -1 && x->counts && x->counts[0] < x->most) {
        pc = decided(x, s);
        n = 0;
        if (x->stop) goto stopped;
        goto next;
    }
"""
"""In a random game of a series, decides without returning to the caller."""
_OUT = """\
out:
    if (x->stop) goto stopped;
    if (++n >= MOST_BLOCKS) goto restless;
    give_back(x, used);
    if (pc >= 0) goto next;
    DECIDE
    if (pc == -2) { s->over = 1; s->count = 0; s->actor = -1; }
    return;
restless:
    x->stop = FAULT;
stopped:
    give_back(x, used);
}"""


def apply(slugs: Mapping[str, str], machine: Machine) -> str:
    acts = [f"        case {label}: return {slugs[f'a{label}']}(x, s, a);" for label in machine.points]
    return "\n".join(
        [
            "static I apply(X *x, S *s, I pc, const E *a) {",
            "    switch (pc) {",
            *acts,
            "    }",
            "    x->stop = FAULT;",
            "    return -2;",
            "}",
        ]
    )
