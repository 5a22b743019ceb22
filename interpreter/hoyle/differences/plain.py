"""What the parts of an entry say that are no formulas with a meaning in play: numbers that are known, names, sorts of faces."""

from __future__ import annotations

import re

from hoyle.differences.edition import Edition
from hoyle.differences.outline import Part
from hoyle.differences.speech import knows, quoted, say
from hoyle.language.model import Option, Texts, texts_of
from hoyle.language.sentences import integer, listed
from hoyle.prose.voice import table_noun

Paths = tuple[str, ...]
_SPACES = ("piles", "phases", "moves", "obligations", "state", "pieces")


def plainly(edition: Edition, path: Paths, part: Part) -> Texts:
    """The part at `path`, which begins with its section, in each language; nothing where that is no word people know."""
    found = _counted(edition, path)
    if found is not None:
        return texts_of(lambda lang: integer(found, lang))
    raw = " ".join(part.node.raw.split()) if part.node.kind == "scalar" else ""
    told = texts_of(lambda lang: _word(edition, path[-1], raw, lang))
    return told if raw and all(text for _, text in told) else ()


def _counted(edition: Edition, path: Paths) -> int | None:
    """A number that the options settle."""
    section, name, key = (path[0], path[1], path[-1]) if len(path) == 3 else ("", "", "")
    rules = edition.rules
    if section == "piles" and key in ("room", "columns") and name in rules.piles:
        return rules.piles[name].room if key == "room" else rules.piles[name].columns
    if section == "pieces" and key == "copies" and name in rules.pieces:
        return rules.pieces[name].copies
    return None


def _word(edition: Edition, key: str, raw: str, lang: str) -> str:
    if knows(f"value.{key}.{raw}", lang):
        return say(f"value.{key}.{raw}", lang)
    if raw in ("true", "false"):
        return say("yes" if raw == "true" else "no", lang)
    if re.fullmatch(r"-?\d+", raw):
        return integer(int(raw), lang)
    bounds = re.fullmatch(r"(-?\d+)\s*\.\.\s*(-?\d+)", raw)
    if bounds:
        low, high = (integer(int(bound), lang) for bound in bounds.groups())
        return say("value.bounds", lang, low=low, high=high)
    option = edition.rules.options.get(raw)
    return value_of(option, lang) if option is not None else _name(edition, raw, lang)


def _name(edition: Edition, raw: str, lang: str) -> str:
    """Of a table what one of it is called, of other things their names."""
    if raw in edition.rules.tables:
        return say("value.each_of", lang, noun=table_noun(raw, edition.words.voice(lang)))
    own = edition.labels(lang)
    names = [next((own[space][name] for space in _SPACES if name in own[space]), "") for name in re.split(r",\s*", raw)]
    return listed([quoted(name, lang) for name in names], lang) if all(names) else ""


def value_of(option: Option, lang: str) -> str:
    """The value of an option in words."""
    if option.choices:
        words = option.choice_words[option.value]
        return words.get(lang) or words.get("en") or option.choices[option.value].replace("_", " ")
    if option.kind.name == "bool":
        return say("yes" if option.value else "no", lang)
    return integer(int(option.value), lang)
