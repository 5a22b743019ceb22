"""Finds English in texts and problems that should be French, and characters that no text for people should have."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import hoyle
from hoyle.diagnostics import Diagnostic, LocalizedText
from hoyle.resources import folder

_WORD = re.compile(r"[^\W\d_]{3,}")
_NAMED = re.compile(r"\{[^{}:]*(:[^{}]*)?\}")
_QUOTED = re.compile(r"\[[^\]]*\]|`[^`]*`|hoyle [a-z]+|\bbar/|/off\b")
"""Places in a source, what is to be typed as it is, and notation: none is in anybody's language."""
_SMALL = """the of and is are was were be been it its this that these those which who whose what where when why how there here with without
not from into onto to for at in by if then than they them their he his she her you your we our each every some any none all both only
nothing something nobody anybody somebody everybody anything everything has have had does did can cannot could may might must should will would
give given gives named called used before after between because while until already other another same such more most less least many much
few first last next one two three no yes new old like too very also once twice just even ever never"""
SMALL = frozenset(_SMALL.split())
"""Words that hardly an English sentence does without, and that no French one has."""
_TYPED = re.compile(
    r"`[^`]*`|\[[^\]]*\]|hoyle [a-z]+|« [^»]* »|\{[^{}]*\}|--?[a-z][\w-]*|https?:\S+|\b[\w./-]+\.(?:md|yaml|json\w*|html|svg|png|txt)\b"
)
"""Parts that are typed as they are, quoted, filled in, or a place in a source."""
_WORDS = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")


def small(text: str) -> set[str]:
    return set(_WORDS.findall(_TYPED.sub(" ", spaced(text).lower()))) & SMALL


def words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def texts(found: Any) -> Iterator[str]:
    if isinstance(found, dict):
        for value in found.values():
            yield from texts(value)
    elif isinstance(found, list):
        for value in found:
            yield from texts(value)
    else:
        yield str(found)


def names(found: Any) -> Iterator[str]:
    """The keys, which players are shown where something has no words."""
    if isinstance(found, dict):
        for key, value in found.items():
            yield str(key)
            yield from names(value)


@cache
def of_language(lang: str) -> frozenset[str]:
    """All that the interpreter and the shipped rulesets say in a language."""
    rooms = Path(hoyle.__file__).parent.rglob(f"{lang}.json")
    said = [text for room in rooms for text in texts(json.loads(room.read_text(encoding="utf-8")))]
    for path in sorted(folder("rulesets").glob("*.yaml")):
        written = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        if path.name.endswith(".fr.yaml"):
            said += texts({**written, "source": None}) if lang == "fr" else ()
        elif lang == "en":
            said += [*texts(written), *names(written)]
    return frozenset(words(_NAMED.sub(r"\1", _QUOTED.sub("", " ".join(said)))))


def english(shown: str) -> set[str]:
    """The words of English that nothing in French has."""
    return (words(_QUOTED.sub("", shown)) & of_language("en")) - of_language("fr")


_LETTERS = re.compile(r"[^\W\d_]{2,}")
_QUOTED_TEXT = re.compile(r"`[^`]*`")
_LISTED = re.compile(r":\s+\w+(, \w+)+$|\w+_\w+|\w+ at \d+: \d+|attendu \w+, trouvé \w+")
"""Keys and verbs one after the other, names, piles with how much lies there, and values as examples write them."""
ALIKE = {"condition", "obligation"}
"""Words that are the same in French."""


def sentences(problem: Diagnostic) -> list[LocalizedText]:
    return [problem.message, problem.label, *problem.notes, problem.help, *(word for _, word in problem.related)]


def left_in_english(problems: Iterable[Diagnostic]) -> list[str]:
    """Find English in French problems: a sentence that is the same in both languages, or small English words. What
    stands as it is in every language (`verbatim`), and the words of an author who has none in French, are none of ours."""
    found = []
    for problem in problems:
        french = problem.in_language("fr")
        assert french.lang == "fr", problem
        for own, other in zip(sentences(problem), sentences(french), strict=True):
            here, there = _LISTED.sub("", own), _LISTED.sub("", other)
            worded = bool(_LETTERS.search(_QUOTED_TEXT.sub("", here)))
            same = there == here and not set(_LETTERS.findall(_QUOTED_TEXT.sub("", here))) <= ALIKE
            if "fr" in own.texts and worded and (same or small(there)):
                found.append(f"{problem.code}: {there}")
    return found


def spaced(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")


ENGLISH = re.compile(r"\b(?:the|of|is|and|from|with|for|each|player|cards|not|if|by|his|at)\b")
FORMULA = re.compile(r"\b\w+\([a-z]|[{}]|\w_\w|[<>=]=|\b\d\.\.\d")


def foreign(text: str, lang: str) -> bool:
    """Is some of it no language that a player reads, or another than his?"""
    return FORMULA.search(text) is not None or (lang != "en" and ENGLISH.search(text) is not None)
