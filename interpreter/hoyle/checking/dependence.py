"""The options on which a formula depends, and those that only decide whether its condition is asked.

An option gates a condition if the condition is settled under some choices and the same formula under all others: `option and hand is empty`.
It changes one that asks something else under another choice: `if option then card.rank is ace else card.suit is hearts`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from hoyle.checking.world import World
from hoyle.language.syntax import Form

_UNSETTLED = ("call", "cell", "of", "at", "attribute", "quantifier", "extreme", "collected")
"""Forms whose value may change during a game."""
_TESTS = ("compare", "is_", "is_not", "in_", "not_in")
_MOST_TESTS = 8
"""Tests of options in one condition whose results are combined; with more, every option counts as changing it."""

Left = bool | str
"""Rest of a condition under some choices: a truth value, or a key that equal formulas share."""


class Dependence:
    """Looks through terms. `reasons` names the options that make no sentence untrue through a term, by `terms/NAME`."""

    def __init__(self, world: World, reasons: Mapping[str, Collection[str]]) -> None:
        self.world, self.reasons = world, reasons
        self._of_terms: dict[str, set[str]] = {}

    def options(self, form: Form) -> set[str]:
        """All options that a formula names, itself or through terms."""
        found = set[str]()
        for part in parts(form):
            if part.op == "name" and part.name in self.world.options:
                found.add(part.name)
            elif self._is_term(part):
                if part.name not in self._of_terms:
                    self._of_terms[part.name] = set()
                    inside = self.options(self.world.terms[part.name].form)
                    self._of_terms[part.name] = inside.difference(self._reasoned(part.name))
                found |= self._of_terms[part.name]
        return found

    def changing(self, form: Form) -> set[str]:
        """The options that change what a formula asks, without those that only gate it."""
        return {option for option in self.options(form) if not self._is_gate(option, form)}

    def is_settled(self, form: Form) -> bool:
        """Return whether a formula depends on options only."""
        return all(self._is_fixed(part) for part in parts(form))

    def inside(self, form: Form, option: str) -> Form | None:
        """The formula of a term, unless its arguments name the option or there is a reason for it."""
        if not self._is_term(form) or option in self._reasoned(form.name):
            return None
        named = set[str]().union(*(self.options(part) for part in form.parts if part is not None))
        return None if option in named else self.world.terms[form.name].form

    def _is_term(self, form: Form) -> bool:
        return form.op in ("name", "call") and form.name in self.world.terms

    def _reasoned(self, term: str) -> Collection[str]:
        return self.reasons.get(f"terms/{term}", ())

    def _is_fixed(self, part: Form) -> bool:
        if self._is_term(part):
            term = self.world.terms[part.name]
            return not term.parameters and self.is_settled(term.form)
        known = part.name in self.world.options or bool(self.world.choice_owners(part.name)) or part.name == "players"
        return known if part.op == "name" else part.op not in _UNSETTLED

    # ---- gates -------------------------------------------------------------------------------------------------------

    def _is_gate(self, option: str, form: Form) -> bool:
        """Return whether every choice of the option settles the condition or leaves the same formula."""
        inner = list(self._inner(form, option, set()))
        tests = {part.span.text: option in self.options(part) for part in inner if self._is_test(part)}
        if len(tests) > _MOST_TESTS or any(option in self.options(p) for p in inner if not self._is_test(p)):
            return False
        left, keys = dict[tuple[bool, ...], set[str]](), dict[tuple[Left, ...], str]()
        for results in product((True, False), repeat=len(tests)):
            given = dict(zip(tests, results, strict=True))
            found = _Reduced(self, option, given, keys).reduce(form)
            others = tuple(result for name, result in given.items() if not tests[name])
            left.setdefault(others, set()).update([found] if isinstance(found, str) else ())
        return all(len(formulas) <= 1 for formulas in left.values())

    def _inner(self, form: Form, option: str, seen: set[str]) -> Iterator[Form]:
        """Yield the operands of `and`, `or`, `not` and `if`, also inside terms."""
        if form.op in ("and_", "or_", "not_", "if_"):
            for part in form.parts:
                yield from self._inner(part, option, seen) if part is not None else ()
        elif (inside := self.inside(form, option)) is None:
            yield form
        elif form.name not in seen:
            seen.add(form.name)
            yield from self._inner(inside, option, seen)

    def _is_test(self, form: Form) -> bool:
        """Return whether only options decide a condition."""
        option = self.world.options.get(form.name) if form.op == "name" else None
        return option.kind.name == "bool" if option is not None else form.op in _TESTS and self.is_settled(form)


class _Reduced:
    """A condition with the results of its tests of options, by their texts, put in. `keys` are those of formulas known so far."""

    def __init__(
        self, by: Dependence, option: str, results: Mapping[str, bool], keys: dict[tuple[Left, ...], str]
    ) -> None:
        self.by, self.option, self.results, self.keys = by, option, results, keys
        self.of_terms: dict[str, Left] = {}

    def reduce(self, form: Form) -> Left:
        text = form.span.text
        if text in self.results:
            return self.results[text]
        inner = [part for part in form.parts if part is not None]
        match form.op:
            case "true" | "false":
                return form.op == "true"
            case "and_" | "or_":
                return self._joined(form.op, *map(self.reduce, inner))
            case "not_":
                return self._opposite(self.reduce(inner[0]))
            case "if_":
                return self._either(*map(self.reduce, inner))
        inside = self.by.inside(form, self.option)
        if inside is None:
            return self._key(text)
        if form.name not in self.of_terms:
            self.of_terms[form.name] = self._key(form.name)
            self.of_terms[form.name] = self.reduce(inside)
        left = self.of_terms[form.name]
        return self._key(text, left) if isinstance(left, str) else left

    def _key(self, *of: Left) -> str:
        return self.keys.setdefault(of, f"#{len(self.keys)}")

    def _opposite(self, left: Left) -> Left:
        return self._key("not", left) if isinstance(left, str) else not left

    def _joined(self, op: str, *several: Left) -> Left:
        ending = op == "or_"
        if ending in several:
            return ending
        asked = sorted({left for left in several if isinstance(left, str)})
        return self._key(op, *asked) if len(asked) > 1 else asked[0] if asked else not ending

    def _either(self, condition: Left, then: Left, otherwise: Left) -> Left:
        if isinstance(condition, bool):
            return then if condition else otherwise
        if isinstance(then, bool):
            return self._joined("or_" if then else "and_", condition if then else self._opposite(condition), otherwise)
        if isinstance(otherwise, bool):
            return self._joined(
                "or_" if otherwise else "and_", self._opposite(condition) if otherwise else condition, then
            )
        return then if then == otherwise else self._key("if", condition, then, otherwise)


def parts(form: Form) -> Iterator[Form]:
    """A form and all inside it."""
    yield form
    for part in form.parts:
        yield from parts(part) if part is not None else ()
