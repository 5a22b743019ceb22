"""Random formulas that have a kind, over the ruleset of `everything`; `formulas.yaml` says how each sort is written."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

_DATA: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
LISTS: dict[str, list[str]] = _DATA["lists"]
SORTS, LISTED = tuple(_DATA["makers"]), tuple(LISTS)
Choose = Callable[[int], int]
"""A number below n."""
_HOLE = re.compile(r"\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}|[][]|\bx\b")


@dataclass
class Maker:
    """Writes formulas. `some(sort)` may be absent, `sure(sort)` is not."""

    choose: Choose
    names: list[tuple[str, str]] = field(default_factory=list)
    count: int = 0

    def pick(self, options: list[Any]) -> Any:
        return options[self.choose(len(options))]

    def some(self, sort: str, depth: int) -> str:
        known = [name for name, kind in self.names if kind == sort]
        if known and self.choose(3) == 0:
            return str(self.pick(known))
        makers = _DATA["leaves"][sort]
        if depth > 0:
            more = _DATA["any"]["single"] + _DATA["any"]["listed"] * (sort in LISTED)
            makers = [*makers, *_DATA["makers"][sort] * 2, *more]
        return self._made(self.pick(makers), sort, depth - 1)

    def sure(self, sort: str, depth: int) -> str:
        return f"({self.some(sort, depth)} otherwise {_DATA['sure'][sort]})"

    def list(self, sort: str, depth: int) -> str:
        makers = LISTS[sort]
        if depth > 0:
            makers = [*makers, *_DATA["any"]["list"], *_DATA["own_lists"].get(sort, [])]
        return self._made(self.pick(makers), sort, depth - 1)

    def _made(self, template: Any, sort: str, depth: int) -> str:
        """Fill in a template, or a pair of one and the sorts that it may be for."""
        text, sorts = template if isinstance(template, list) else (template, None)
        self.count += 1
        new = f"x{self.count}", self.pick(sorts.split() if sorts else [*LISTED]) if "K}" in text else sort
        kinds = {"self": sort, "K": new[1]}

        def part(found: re.Match[str]) -> str:
            if found[0] in "[]":
                self.names[len(self.names) :] = [new] if found[0] == "[" else []
                if found[0] == "]":
                    self.names.pop()
                return ""
            inside = found[0][1:-1]
            if found[0] == "x":
                return new[0]
            if len(ways := _split(inside)) > 1:
                return _HOLE.sub(part, self.pick(ways))
            kind = inside.lstrip("!*")
            make = {"!": self.sure, "*": self.list}.get(inside[0], self.some)
            return make(kinds.get(kind, kind), depth)

        return _HOLE.sub(part, text)


def _split(text: str) -> list[str]:
    """The alternatives, which `|` separates outside of inner braces."""
    found, depth = [""], 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if sign == "|" and not depth:
            found.append("")
        else:
            found[-1] += sign
    return found
