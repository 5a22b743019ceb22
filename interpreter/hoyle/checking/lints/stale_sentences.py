"""Finds sentences about the rules that stay the same although an option, or a variant, changes what their entry does.

The sentences of an entry are its own rule, or the clauses that it cites in `at` or that name it as their home. The options
that its formulas depend on, through terms, too, are compared with the options that its sentences mention.

An option that only gates a condition need not be mentioned. It gates a condition if the condition is settled under some
choices and the same formula under all others: `option and hand is empty`. It changes a condition that becomes another one:
`if option then card.rank is ace else card.suit is hearts`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from msgspec import Struct

from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.checking.sections.reader import list_pairs
from hoyle.checking.sections.texts import parse_places
from hoyle.diagnostics import Problems, Refused, build_replacement, find_close_name
from hoyle.language.sentences import make_message
from hoyle.language.syntax import Form
from hoyle.reading import parse
from hoyle.reading.shape import Path, formulas
from hoyle.reading.tree import Node, is_text_key, text_nodes

_UNSETTLED = ("call", "cell", "of", "at", "attribute", "quantifier", "extreme", "collected")
"""Forms whose value may change during a game."""
_TESTS = ("compare", "is_", "is_not", "in_", "not_in")
_MOST_TESTS = 8
"""Greatest number of tests of options in one condition whose results are combined; with more, every option changes it."""

Left = bool | str
"""The rest of a condition under some choices: a truth value, or a key that equal formulas share."""


class Dependence:
    """Finds the options that formulas depend on, through terms.

    reasons: the options that have a reason to be left out of a term, by `terms/NAME`
    """

    def __init__(self, symbols: SymbolTable, reasons: Mapping[str, Collection[str]]) -> None:
        self.symbols, self.reasons = symbols, reasons
        self._of_terms: dict[str, set[str]] = {}

    def list_options(self, form: Form) -> set[str]:
        """List the options that a formula names, itself or through terms."""
        found = set[str]()
        for part in list_parts(form):
            if part.op == "name" and part.name in self.symbols.options:
                found.add(part.name)
            elif self._is_term(part):
                if part.name not in self._of_terms:
                    self._of_terms[part.name] = set()
                    inside = self.list_options(self.symbols.terms[part.name].form)
                    self._of_terms[part.name] = inside.difference(self._list_reasons(part.name))
                found |= self._of_terms[part.name]
        return found

    def list_changing(self, form: Form) -> set[str]:
        """List the options that change what a formula asks. Gates are left out."""
        return {option for option in self.list_options(form) if not self._is_gate(option, form)}

    def is_settled(self, form: Form) -> bool:
        """Return whether a formula depends on options only."""
        return all(self._is_fixed(part) for part in list_parts(form))

    def find_formula(self, form: Form, option: str) -> Form | None:
        """Return the formula of a term, unless its arguments name the option or there is a reason for it."""
        if not self._is_term(form) or option in self._list_reasons(form.name):
            return None
        named = set[str]().union(*(self.list_options(part) for part in form.parts if part is not None))
        return None if option in named else self.symbols.terms[form.name].form

    def _is_term(self, form: Form) -> bool:
        return form.op in ("name", "call") and form.name in self.symbols.terms

    def _list_reasons(self, term: str) -> Collection[str]:
        return self.reasons.get(f"terms/{term}", ())

    def _is_fixed(self, part: Form) -> bool:
        if self._is_term(part):
            term = self.symbols.terms[part.name]
            return not term.parameters and self.is_settled(term.form)
        known = (
            part.name in self.symbols.options or bool(self.symbols.choice_owners(part.name)) or part.name == "players"
        )
        return known if part.op == "name" else part.op not in _UNSETTLED

    # ---- gates -------------------------------------------------------------------------------------------------------

    def _is_gate(self, option: str, form: Form) -> bool:
        """Return whether every choice of the option settles the condition or leaves the same formula."""
        inner = list(self._list_operands(form, option, set()))
        tests = {part.span.text: option in self.list_options(part) for part in inner if self._is_test(part)}
        if len(tests) > _MOST_TESTS or any(option in self.list_options(p) for p in inner if not self._is_test(p)):
            return False
        left, keys = dict[tuple[bool, ...], set[str]](), dict[tuple[Left, ...], str]()
        for results in product((True, False), repeat=len(tests)):
            given = dict(zip(tests, results, strict=True))
            rest = _Reduction(self, option, given, keys).reduce(form)
            others = tuple(result for name, result in given.items() if not tests[name])
            left.setdefault(others, set()).update([rest] if isinstance(rest, str) else ())
        return all(len(formulas) <= 1 for formulas in left.values())

    def _list_operands(self, form: Form, option: str, seen: set[str]) -> Iterator[Form]:
        """Yield the operands of `and`, `or`, `not` and `if`, also inside terms."""
        if form.op in ("and_", "or_", "not_", "if_"):
            for part in form.parts:
                yield from self._list_operands(part, option, seen) if part is not None else ()
        elif (inside := self.find_formula(form, option)) is None:
            yield form
        elif form.name not in seen:
            seen.add(form.name)
            yield from self._list_operands(inside, option, seen)

    def _is_test(self, form: Form) -> bool:
        """Return whether only options decide a condition."""
        option = self.symbols.options.get(form.name) if form.op == "name" else None
        return option.type.name == "bool" if option is not None else form.op in _TESTS and self.is_settled(form)


class _Reduction:
    """Reduces a condition whose tests of options have known results.

    results: the results by the text of the test
    keys: the keys of formulas met so far, shared by several reductions
    """

    def __init__(
        self, dependence: Dependence, option: str, results: Mapping[str, bool], keys: dict[tuple[Left, ...], str]
    ) -> None:
        self.dependence, self.option, self.results, self.keys = dependence, option, results, keys
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
                return self._join(form.op, *map(self.reduce, inner))
            case "not_":
                return self._negate(self.reduce(inner[0]))
            case "if_":
                return self._choose(*map(self.reduce, inner))
        inside = self.dependence.find_formula(form, self.option)
        if inside is None:
            return self._key(text)
        if form.name not in self.of_terms:
            self.of_terms[form.name] = self._key(form.name)
            self.of_terms[form.name] = self.reduce(inside)
        left = self.of_terms[form.name]
        return self._key(text, left) if isinstance(left, str) else left

    def _key(self, *of: Left) -> str:
        return self.keys.setdefault(of, f"#{len(self.keys)}")

    def _negate(self, left: Left) -> Left:
        return self._key("not", left) if isinstance(left, str) else not left

    def _join(self, op: str, *several: Left) -> Left:
        ending = op == "or_"
        if ending in several:
            return ending
        asked = sorted({left for left in several if isinstance(left, str)})
        return self._key(op, *asked) if len(asked) > 1 else asked[0] if asked else not ending

    def _choose(self, condition: Left, then: Left, otherwise: Left) -> Left:
        if isinstance(condition, bool):
            return then if condition else otherwise
        if isinstance(then, bool):
            return self._join("or_" if then else "and_", condition if then else self._negate(condition), otherwise)
        if isinstance(otherwise, bool):
            return self._join("or_" if otherwise else "and_", self._negate(condition) if otherwise else condition, then)
        return then if then == otherwise else self._key("if", condition, then, otherwise)


def list_parts(form: Form) -> Iterator[Form]:
    """List a form and all forms inside it."""
    yield form
    for part in form.parts:
        yield from list_parts(part) if part is not None else ()


_SECTIONS = ("tables", "pieces", "piles", "state", "moves", "obligations", "flow", "whenever")
_SAID = ("let", "rule", "at", "words", "short", "symbol", "letter", "say", "as")


class Entry(Struct):
    """An entry that quotes sentences, without the entries inside it that quote their own.

    rule     its own sentence, if it has one
    at       what it cites, if anything
    clauses  the clauses that it cites, or whose home it is
    forms    its formulas, with their places
    own      the first value that a variant changes, by its key, if none of its sentences is changed
    """

    path: Path
    node: Node
    rule: Node | None
    at: Node | None
    clauses: list[Node] = []
    forms: list[tuple[Path, Form]] = []
    own: dict[str, Node] = {}

    @property
    def where(self) -> str:
        return "/".join(map(str, self.path))

    @property
    def sentences(self) -> list[Node]:
        """The sentences that must be true of it: its rule, else its clauses."""
        return [self.rule] if self.rule is not None else self.clauses


Stale = dict[tuple[str, int, str], tuple[Node, list[str]]]
"""Warnings by code, start of the sentence and what changes; each with the sentence and the entries that quote it."""


def check_stale_sentences(symbols: SymbolTable, root: Node) -> None:
    """Warn of sentences that an option or a variant makes untrue, unless `unaffected` gives a reason."""
    _StaleSentences(symbols, root).check()


class _StaleSentences:
    def __init__(self, symbols: SymbolTable, root: Node) -> None:
        self.symbols, self.root = symbols, root
        self.clauses = {name: node for name, _, node in list_pairs(root.get("clauses")) if node.kind == "map"}
        self.given = {name: node.pairs.keys() for name, _, node in list_pairs(root.get("unaffected"))}
        """The options with a reason, by place."""
        self.entries = self._collect_entries()
        self.dependence = Dependence(symbols, self.given)
        self.stale: Stale = {}
        self.needed = set[tuple[str, str]]()
        """The reasons (place, option) that suppress a warning."""

    def check(self) -> None:
        stale = self._find_stale(self.given)
        for (code, _, what), (place, wheres) in stale.items():
            self._report(code, place, wheres, what)
        for name, key, node in list_pairs(self.root.get("unaffected")):
            own = [(what, at) for what, at, _ in node.entries() if at.span.shares_file(self.root.span)]
            if own and self._check_place(name, key):
                for what, at in own:
                    self._check_needed(name, what, at, stale)

    def _find_stale(self, reasons: Mapping[str, Collection[str]]) -> Stale:
        """Find the sentences to warn of. Reasons for terms are applied, reasons for entries are not."""
        self.dependence, self.stale = Dependence(self.symbols, reasons), {}
        for entry in self.entries.values():
            self._check_options(entry)
            for key, value in entry.own.items():
                self._add_stale("R575", value, entry.where, key)
        for name, _, node in list_pairs(self.root.get("options")):
            self._check_question(name, node)
        return self.stale

    def _collect_entries(self) -> dict[Path, Entry]:
        """Collect the entries that quote sentences, by place."""
        entries = {
            e.path: e for s in _SECTIONS if s in self.root.pairs for e in _list_quoting_entries(self.root[s], (s,))
        }
        for node in self.clauses.values():
            path = tuple(part.strip() for part in node.raw_of("home").split("/"))
            home = _find_entry(self.root, path) if path[0] in _SECTIONS and len(path) > 1 else None
            if home is not None:
                entries.setdefault(path, Entry(path, home, None, None)).clauses.append(node)
        for entry in entries.values():
            entry.clauses += [self.clauses[w] for w in _list_words(entry.at) if w in self.clauses]
            if not self._is_reworded(entry):
                entry.own = {str(path[len(entry.path)]): value for path, value in self._list_own_values(entry, entries)}
        for place in formulas(self.root):
            owner = next((p for n in range(len(place.path), 1, -1) if (p := place.path[:n]) in entries), None)
            if owner is not None and not place.is_key:
                entries[owner].forms += [(place.path, form) for form in _parse_formulas(place.node, place.kind)]
        return entries

    # ---- options -----------------------------------------------------------------------------------------------------

    def _check_options(self, entry: Entry) -> None:
        mentioned = set[str]().union(*map(self._list_mentioned, (*entry.sentences, entry.node)))
        for option in sorted(self._list_changing_options(entry) - mentioned) if entry.sentences else ():
            rule = next(iter(text_nodes(entry.rule).values()), None) if entry.rule is not None else None
            self._add_stale("R574", rule or entry.at or entry.clauses[0], entry.where, option)

    def _list_changing_options(self, entry: Entry) -> set[str]:
        """List the options that change what an entry does. A number inside a term changes only how much."""
        options = set[str]()
        for path, form in entry.forms:
            if not self._is_guard(path) and not (
                self.dependence.is_settled(form) and (path[-1] in ("when", "is") or path[-2:-1] == ("if",))
            ):
                named = {part.name for part in list_parts(form) if part.op == "name"}
                options |= {
                    o
                    for o in self.dependence.list_changing(form)
                    if o in named or self.symbols.options[o].type.name != "number"
                }
        return options

    def _is_guard(self, path: Path) -> bool:
        """Return whether the formula is only the guard (`at_most`) of a loop with `until`."""
        loop = _find_entry(self.root, path[:-1]) if path[-1] == "at_most" else None
        return loop is not None and loop.get("until") is not None

    def _check_question(self, option: str, node: Node) -> None:
        """Check the clauses that an option cites, unless they are the question that it settles."""
        at, home = node.get("at"), f"options/{option}"
        cited = {*_list_words(at), *(name for name, clause in self.clauses.items() if clause.raw_of("home") == home)}
        for name in sorted(cited & self.clauses.keys()):
            if option not in self._list_mentioned(self.clauses[name]) and not _is_question(self.clauses[name]):
                text = next(iter(text_nodes(self.clauses[name]).values()), self.clauses[name])
                self._add_stale(
                    "R574", text if text.span.shares_file(self.root.span) else at or text, f"clauses/{name}", option
                )

    def _list_mentioned(self, node: Node) -> set[str]:
        """List the options that a sentence mentions in all its languages, or that decide whether its clause is in force."""
        texts = [self._list_in_places(text) for text in text_nodes(node).values()]
        holds = [form for value in [node.get("if")] if value is not None for form in _parse_formulas(value, "formula")]
        return (set[str].intersection(*texts) if texts else set()).union(*map(self.dependence.list_options, holds))

    def _list_in_places(self, text: Node) -> set[str]:
        return set[str]().union(
            *(self.dependence.list_options(form) for _, form in parse_places(text, Problems()) or ())
        )

    # ---- variants ----------------------------------------------------------------------------------------------------

    def _is_reworded(self, entry: Entry) -> bool:
        """Return whether the file has a sentence of its own for the entry, or cites a clause for it."""
        texts = [
            text for node in (entry.rule, *entry.clauses) if node is not None for text in text_nodes(node).values()
        ]
        said_here = (entry.at, *texts, *entry.clauses)
        return any(node is not None and node.span.shares_file(self.root.span) for node in said_here)

    def _list_own_values(self, entry: Entry, known: dict[Path, Entry]) -> Iterator[tuple[Path, Node]]:
        """Yield the values that the file sets in an inherited entry."""
        for path, node in reversed(list(_list_values(entry.node, entry.path, known))):
            if node.span.shares_file(self.root.span):
                yield path, node

    # ---- what is told ------------------------------------------------------------------------------------------------

    def _add_stale(self, code: str, place: Node, where: str, what: str) -> None:
        if place.span.shares_file(self.root.span):
            self.stale.setdefault((code, place.span.start, what), (place, []))[1].append(where)

    def _report(self, code: str, place: Node, wheres: list[str], what: str) -> None:
        """Warn once of a sentence that several entries quote, unless there is a reason for one of them."""
        reasons = {(where, what) for where in wheres if what in self.given.get(where, ())}
        self.needed |= reasons
        if not reasons:
            message, help = ("option", "mention") if code == "R574" else ("variant", "reword")
            self.symbols.report(
                code, f"readings.{message}", place.span, where=wheres[0], what=what, help=f"readings.{help}"
            )

    def _check_place(self, name: str, key: Node) -> bool:
        """Return whether a place is an entry that quotes sentences, a clause or a term. Reports other places."""
        known = {entry.where for entry in self.entries.values()}.union(f"clauses/{name}" for name in self.clauses)
        known |= {f"terms/{name}" for name in self.symbols.terms}
        if name not in known:
            close = find_close_name(name, known)
            self.symbols.report(
                "R576",
                "readings.nowhere",
                key.span,
                where=name,
                help=make_message("similar", close=close) if close else make_message("clauses.a_path"),
                fixes=build_replacement(key.span, name, close),
            )
        return name in known

    def _check_needed(self, where: str, what: str, place: Node, stale: Stale) -> None:
        """Warn of a reason that suppresses nothing. Reasons for keys are for variants of a game, so a base game may have them."""
        if what not in self.symbols.options and self.root.get("extends") is None:
            return
        others = {name: set(given) - {what if name == where else ""} for name, given in self.given.items()}
        if (where, what) not in self.needed and not (
            where.startswith("terms/") and self._find_stale(others).keys() - stale
        ):
            self.symbols.report("R578", "readings.needless", place.span, where=where, what=what, help="readings.remove")


def _is_question(clause: Node) -> bool:
    """Return whether a sentence is a question. Questions are not told."""
    return all(text.raw.rstrip().endswith("?") for text in text_nodes(clause).values())


def _list_quoting_entries(node: Node, path: Path) -> Iterator[Entry]:
    """List the entries at and below a place that quote sentences."""
    if node.kind != "map":
        return
    rule, at = node.get("rule"), node.get("at")
    own = rule if rule is not None and rule.kind == "map" and text_nodes(rule) else None
    cites = own.get("at") if own is not None else at
    if own is not None or (cites is not None and cites.kind == "scalar"):
        yield Entry(path, node, own, cites)
    for name, _, value in node.entries():
        if not is_text_key(name):
            yield from _list_quoting_entries(value, (*path, name))


def _list_values(node: Node, path: Path, apart: Collection[Path]) -> Iterator[tuple[Path, Node]]:
    """List the values below an entry, without sentences and the entries in `apart`."""
    for name, _, value in node.entries():
        inner = (*path, name)
        if not is_text_key(name) and name not in _SAID and inner not in apart:
            if value.kind == "map":
                yield from _list_values(value, inner, apart)
            else:
                yield inner, value


def _parse_formulas(node: Node, kind: str) -> list[Form]:
    """Parse the formulas of a node; none if they cannot be parsed, which the checker reports."""
    try:
        if kind != "generator":
            return [parse.formula(node)]
        loop = parse.generator(node)
    except Refused:
        return []
    return [loop.source, *([loop.where] if loop.where is not None else [])]


def _list_words(at: Node | None) -> list[str]:
    return at.raw.split() if at is not None and at.kind == "scalar" else []


def _find_entry(root: Node, path: Path) -> Node | None:
    """Find the entry at a place. Terms and rows may be given without their parameters."""
    here: Node | None = root
    for name in path:
        here = here.get(str(name)) if here is not None else None
    return here if here is not None and here.kind == "map" else None
