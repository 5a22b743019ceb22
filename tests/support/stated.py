"""Sentences of a ruleset and the options that what they tell hangs on: which say by hand what an option settles."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hoyle.checking.build import load_ruleset
from hoyle.language.model import Option, Ruleset
from hoyle.language.sentences import LANGUAGES
from hoyle.reading.sources import read
from hoyle.reading.tree import Node, is_text_key, text_nodes, written_text
from hoyle.reading.yaml_tree import load
from hoyle.running.naming import in_language

_DATA: dict[str, Any] = load(read(Path(__file__).parents[1] / "rulesets" / "stated.yaml")).plain()
_WORDS = _DATA["words"]
_APART = ("summary", "glossary")
"""Sections whose sentences may speak of anything: a number that is not small is known to be an option's by the noun behind it."""
_LARGE = 6
_SAID_SO = ("at", "rule", "words")
"""Keys that tell what an entry does, and do nothing."""


class Stated(NamedTuple):
    """A sentence with the number that it says by hand: where it stands, and the option that settles the number."""

    place: str
    option: str
    lang: str
    text: str


def says(text: str, number: int, lang: str, of: str = "") -> bool:
    """Does a sentence say this number, in digits or written out, and if so of one of these things?"""
    written = _WORDS[lang].get(str(number))
    words = rf"|(?<![\w-])(?:{written})(?![\w-])" if written else ""
    nouns = "|".join(re.escape(word) for word in re.findall(r"\w{4,}", of)) or ("$^" if of else "")
    behind = rf"\s+(?:{nouns})\b" if nouns else ""
    found = rf"(?:(?<![\d.,])[-−]?{number}(?!\d|[.,]\d){words}){behind}"
    return re.search(found, text, re.IGNORECASE) is not None


def by_hand(text: Node) -> str:
    """Return the parts of a sentence that no option fills in."""
    return re.sub(r"\{[^{}]*\}", "", written_text(text))


def sentences(root: Node) -> Iterator[tuple[str, Node, frozenset[str]]]:
    """The clauses and sentences of rules of a tree with their places, and the names in the formulas of what they tell of, and of its terms."""
    terms = {name.partition("(")[0].strip(): _names(node) for name, _, node in _entries(root.get("terms"))}
    cited: dict[str, set[str]] = {}
    for path, node in _nodes(root, ()):
        rule = node.get("rule")
        for owner in (node, rule) if rule is not None and rule.kind == "map" else (node,):
            for word in owner.raw_of("at").split():
                cited.setdefault(word, set()).update(_names(node))
        if rule is not None and rule.kind == "map":
            yield "/".join(path), rule, _closed(_names(node), terms)
    options = frozenset(name for name, _, _ in _entries(root.get("options")))
    for path, node in _nodes(root, ()):
        if path[0] in _APART and text_nodes(node):
            yield "/".join(path), node, options
    for name, _, node in _entries(root.get("clauses")):
        home = _at(root, node.raw_of("home"))
        at_home = {*_names(home), *re.split(r"[/(]", node.raw_of("home"))} if home is not None else set()
        yield name, node, _closed(cited.get(name, set()) | at_home, terms)


def _entries(node: Node | None) -> list[tuple[str, Node, Node]]:
    return list(node.entries()) if node is not None and node.kind == "map" else []


def _nodes(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Node]]:
    for name, _, value in node.entries():
        if value.kind == "map" and (path or name not in ("examples", "clauses")):
            yield (*path, name), value
            yield from _nodes(value, (*path, name))


def _names(node: Node | None) -> set[str]:
    if node is None:
        return set()
    found = set(re.findall(r"[^\W\d]\w*", node.raw)) if node.kind == "scalar" else set()
    for item in node.items:
        found |= _names(item)
    for name, _, value in node.entries():
        if not (is_text_key(name) or name in _SAID_SO):
            found |= {*re.findall(r"[^\W\d]\w*", name), *_names(value)}
    return found


def _closed(names: set[str], terms: Mapping[str, set[str]]) -> frozenset[str]:
    found, new = set(names), names & terms.keys()
    while new:
        more = set[str]().union(*(terms[name] for name in new)) - found
        found |= more
        new = more & terms.keys()
    return frozenset(found)


def _at(root: Node, path: str) -> Node | None:
    here: Node | None = root
    for part in path.split("/") if path else ():
        known = {name.partition("(")[0].strip(): value for name, _, value in _entries(here)}
        here = known.get(part.partition("(")[0].strip())
    return here if path else None


def excused(section: str, name: str) -> set[str]:
    """Return the sentences of a ruleset that have a reason."""
    return set(_DATA[section].get(name, {}))


def stated(name: str) -> list[Stated]:
    """The sentences that a ruleset itself writes which say an option's number by hand. Where sentences may speak of anything, only what they say in every language: another thing of that number is seldom called like it in all."""
    found = list(_stated(name))
    said = {(one.place, one.option, one.lang) for one in found}
    everywhere = {(p, o) for p, o, _ in said if all((p, o, lang) in said for lang in LANGUAGES)}
    return [one for one in found if one.place.partition("/")[0] not in _APART or (one.place, one.option) in everywhere]


def _stated(name: str) -> Iterator[Stated]:
    rules, merged = load_ruleset(name, {})
    for place, node, names in sentences(merged.root):
        for lang, text in text_nodes(node).items():
            for option in _settling(rules, names) if lang in LANGUAGES and _is_own(text, merged.files[-1].stem) else ():
                of = in_language(option.words, lang) if place.partition("/")[0] in _APART else ""
                small = of and option.value < _LARGE
                if not small and says(by_hand(text), int(option.value), lang, of):
                    yield Stated(place, option.name, lang, " ".join(text.raw.split()))


def _settling(rules: Ruleset, names: frozenset[str]) -> Iterator[Option]:
    for option in rules.options.values():
        if option.name in names and option.type.name == "number" and option.value > 1 and option.name not in rules.idle:
            yield option


def _is_own(text: Node, name: str) -> bool:
    return text.span.source.name.rpartition("/")[2].partition(".")[0] == name


def elsewhere(name: str) -> Iterator[Stated]:
    """The sentences that go on to tell what would hold if something else were agreed, though an option settles that. What a rule says first of
    all, that it is agreed on, is so where it is quoted."""
    marks: dict[str, str] = _DATA["marks"]
    rules, merged = load_ruleset(name, {})
    for place, node, names in sentences(merged.root):
        options = [o for o in rules.options.values() if o.name in names and o.name not in rules.idle]
        for lang, text in text_nodes(node).items():
            told = lang in marks and node.get("if") is None and _is_own(text, merged.files[-1].stem)
            found = re.search(marks[lang], by_hand(text), re.IGNORECASE) if told and options else None
            if found is not None and (found.start() or "/" not in place):
                yield Stated(place, options[0].name, lang, " ".join(text.raw.split()))
