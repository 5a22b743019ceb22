"""The sentences of this room, by language (`en.json` and its like beside this)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hoyle.language.sentences import FALLBACK, LANGUAGES, catalogue, filled

_HERE = Path(__file__).parent


def say(sentence: str, lang: str, /, **values: object) -> str:
    """A sentence with its places filled."""
    return filled(catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)[sentence], lang, values)


def knows(sentence: str, lang: str) -> bool:
    """Is there a sentence of this key?"""
    return sentence in catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)


def word_for(key: str, lang: str) -> str:
    """What a key of a ruleset means; nothing where it is a name that its author gave."""
    return say(f"key.{key}", lang) if knows(f"key.{key}", lang) else ""


def quoted(name: str, lang: str) -> str:
    return say("quoted", lang, text=name)


def together(parts: Sequence[str], lang: str) -> str:
    return say("and", lang).join(part for part in parts if part)


def upper(text: str) -> str:
    """With a capital letter, behind whatever mark it begins with; what is written in a ruleset is left as it is."""
    return re.sub(r"^([“«(\s]*)(\w)", lambda found: found[1] + found[2].upper(), text, count=1)
