"""What is English in a text that should be French."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from spaces import spaced

import hoyle
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
"""What is to be typed as it is, quoted, filled in, or a place in a source."""
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
