"""Sentences of the language server, in the language of the editor."""

from __future__ import annotations

from pathlib import Path

from hoyle.language.sentences import FALLBACK, LANGUAGES, fill_sentence, load_catalogue

_HERE = Path(__file__).resolve().parent


def choose_language(locale: str | None) -> str:
    """Return the language of an editor's locale (`fr`, `fr-CH`), or the fallback if it is not available."""
    lang = (locale or FALLBACK).replace("_", "-").partition("-")[0].casefold()
    return lang if lang in LANGUAGES else FALLBACK


def translate(lang: str, key: str, **values: object) -> str:
    """Return a sentence of `en.json` and its translations."""
    return fill_sentence(load_catalogue(_HERE, lang)[key], lang, values)
