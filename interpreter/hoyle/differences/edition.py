"""One side of a comparison: a checked ruleset with the tree it was read from, and what of it is in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from hoyle.checking.build import ruleset
from hoyle.checking.force import Force, in_force
from hoyle.differences.forms import Names
from hoyle.differences.lowered import Lowering
from hoyle.differences.names import old
from hoyle.differences.outline import Lowered, Part, outline
from hoyle.differences.words import Words
from hoyle.game.views.labels import labels
from hoyle.language.evaluate import everything, settled
from hoyle.language.ir import TermCall
from hoyle.language.model import Ruleset
from hoyle.language.steps import Step, inner_lists
from hoyle.language.syntax import Form
from hoyle.reading.tree import Node

Paths = tuple[str, ...]
_DECLARING = ("constraints", "tables", "pieces", "piles", "state", "display")


class Edition:
    """A ruleset with its options fixed, and the merged tree that says what its author wrote."""

    def __init__(
        self,
        rules: Ruleset,
        root: Node,
        names: Mapping[str, str] | None = None,
        inlined: frozenset[str] = frozenset(),
    ) -> None:
        """`names`: what the other side calls things of this one; `inlined`: the terms that it does not have."""
        self.rules, self.root, self.names, self.inlined = rules, root, dict(names or {}), inlined
        self._labels: dict[str, dict[str, dict[str, str]]] = {}

    @cached_property
    def sections(self) -> dict[str, Part]:
        rows = {name: table.rows for name, table in self.rules.tables.items()}
        return outline(self.root, rows, self.names, self._lowered)

    def calling(self, names: Mapping[str, str]) -> Edition:
        """The same, where these things have other names wherever they are mentioned."""
        return Edition(self.rules, self.root, {**self.names, **names})

    def beside(self, other: Edition) -> Edition:
        """The same, where terms that the other does not have are written out in formulas."""
        own, known = ({e.names.get(name, name): name for name in e.terms} for e in (self, other))
        return Edition(self.rules, self.root, self.names, frozenset(own[name] for name in own if name not in known))

    def own(self, path: Paths) -> Paths:
        """A path in the names of the other side, as it is here."""
        found = [*path[:1], *(old(path[:end], name, self.names) for end, name in enumerate(path) if end)]
        return tuple(found)

    @property
    def terms(self) -> frozenset[str]:
        """What its terms are called."""
        return frozenset(instance.name for instance in self.rules.instances.values())

    def _lowered(self, form: Form, names: Names) -> Lowered | None:
        """What a formula means for each of the kinds that it is used with; of `for`, what is gone through, and which of it."""
        if form.op == "list" and form.name == "for":
            parts = [self._lowered(part, names) for part in form.parts if part is not None]
            known = [part for part in parts if part is not None]
            return frozenset({("for", *known)}) if len(known) == len(parts) else None
        lowering = Lowering(self.rules, names, self.inlined)
        return frozenset(lowering.of(expr) for expr in self.words.meant(form.span)) or None

    def labels(self, lang: str) -> dict[str, dict[str, str]]:
        """What its things are called, by name space (`game.labels`)."""
        if lang not in self._labels:
            self._labels[lang] = labels(self.rules, lang)
        return self._labels[lang]

    def part(self, path: Paths) -> Part | None:
        """What stands at a path that begins with its section."""
        found = self.sections.get(path[0])
        for name in self.own(path)[1:]:
            found = found.inner.get(name) if found is not None else None
        return found

    @cached_property
    def words(self) -> Words:
        """What its formulas and steps say."""
        return Words(self.rules, self.root)

    @cached_property
    def force(self) -> Force:
        """What the options leave."""
        return in_force(self.rules, self._known)

    @cached_property
    def _known(self) -> Any:
        return partial(settled, attributes=self.rules.attributes.by_name)

    @cached_property
    def living(self) -> frozenset[Paths]:
        """The entries that play can come to with these options, by section and name; of the flow phases and steps, by their names."""
        force = self.force
        named = {"moves": force.moves, "obligations": force.obligations, "whenever": force.whenever}
        found = {(section, name) for section, names in named.items() for name in names}
        called = {part.instance.name for f in force.formulas for part in everything(f) if isinstance(part, TermCall)}
        found |= {("terms", name) for name in called | self._declaring()}
        return frozenset({*found, *self._steps()})

    def _declaring(self) -> set[str]:
        """The terms by which something is declared, directly or through others."""
        terms = self.sections["terms"].inner if "terms" in self.sections else {}
        new = {word for name in _DECLARING if name in self.sections for word in self.sections[name].words}
        found: set[str] = set()
        while new := (new & terms.keys()) - found:
            found |= new
            new = {word for name in new for word in terms[name].words}
        return found

    def _steps(self) -> Iterator[Paths]:
        for (name, _), phase in self.rules.phases.items():
            if name in self.force.phases:
                yield "flow", name
                yield from self._done(phase.steps, ("flow", name))

    def _done(self, steps: tuple[Step, ...], path: Paths) -> Iterator[Paths]:
        for step in steps:
            here = (*path, step.name)
            never = step.when is not None and self._known(step.when) is False
            if not never:
                yield here
            for inner in inner_lists(step) if not never else (step.otherwise,):
                yield from self._done(inner, here)


def edition(game: str | Path, values: Mapping[str, Any]) -> Edition:
    """A game or variant with these values of its options. Raises Refused."""
    rules, merged = ruleset(game, values)
    return Edition(rules, merged.root)
