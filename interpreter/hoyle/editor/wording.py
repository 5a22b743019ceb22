"""What the language server says itself, in the language of the editor."""

from __future__ import annotations

from pathlib import Path

from hoyle.language.sentences import FALLBACK, LANGUAGES, catalogue, filled

_HERE = Path(__file__).resolve().parent


def language(asked: str | None) -> str:
    """The language of an editor's locale (`fr`, `fr-CH`), if it is spoken here."""
    found = (asked or FALLBACK).replace("_", "-").partition("-")[0].casefold()
    return found if found in LANGUAGES else FALLBACK


def word(lang: str, key: str, **values: object) -> str:
    """A sentence of `en.json` and its like beside this module."""
    return filled(catalogue(_HERE, lang)[key], lang, values)
