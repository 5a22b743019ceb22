"""A game in one visitor's language and colours: sentences, the picture of the table, the rules. Nothing here hides pieces."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct
from msgspec.structs import replace

from hoyle.game.game import Game, State
from hoyle.game.views.labels import picture_names
from hoyle.game.views.view import View
from hoyle.language.model import Rule, Ruleset
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, fill_sentence, load_catalogue, typeset
from hoyle.pictures.names import Names
from hoyle.pictures.picture import WIDTH, Fit, draw_picture
from hoyle.pictures.theme import find_theme
from hoyle.presentation.catalogue import t, use_language
from hoyle.presentation.description import describe_ruleset
from hoyle.presentation.look import Look, make_look
from hoyle.presentation.play_text import (
    describe_last_move,
    format_reasons,
    format_result,
    list_alternatives,
    name_decision,
)
from hoyle.rulebook.book import build_book
from hoyle.rulebook.formats import render_html
from hoyle.running.naming import in_language

_HERE = Path(__file__).resolve().parent
NARROW, WIDE, LOW = 320, 1600, 240
"""Pixels: the least and greatest width and the least height of a picture."""


class DisplaySettings(Struct, frozen=True):
    """`width` and `height`: the room for the picture in pixels, 0 for the default. `fit`: the sizes in its last picture."""

    lang: str = "en"
    tone: str = "light"
    four_colours: bool = False
    width: int = 0
    height: int = 0
    fit: Fit | None = None


# ---- sentences -------------------------------------------------------------------------------------------------------


def choose_language(asked: object) -> str:
    """Return the requested language, or the fallback if it is not available."""
    return str(asked) if asked in LANGUAGES else FALLBACK


def translate(lang: str, key: str, **values: object) -> str:
    """Return a sentence of `en.json` and its translations."""
    return fill_sentence(load_catalogue(_HERE, lang)[key], lang, values)


@cache
def load_page_texts(lang: str) -> dict[str, Any]:
    """Return all sentences of the page, and which numbers take the singular."""
    texts: dict[str, dict[str, str]] = json.loads((_HERE / f"{lang}.json").read_text(encoding="utf-8"))
    typeset_texts = {part: {key: typeset(text, lang) for key, text in table.items()} for part, table in texts.items()}
    return {**typeset_texts, "singular": Sentence("number.singular")[lang]}


def get_look(game: Game, lang: str) -> Look:
    """Return the words of a game in a language, without terminal colours. Cached."""
    key = ("web", lang)
    look: Look | None = game.compiled.cache.get(key)
    if look is None:
        with use_language(lang):
            look = replace(make_look(game), colour=False, unicode=True, width=400, height=None)
        game.compiled.cache[key] = look
    return look


def describe_result(state: State, lang: str) -> list[str]:
    with use_language(lang):
        return format_result(state, get_look(state.game, lang))


def describe_decision(state: State, lang: str) -> str:
    """Return the innermost name of the decision to be made."""
    with use_language(lang):
        return name_decision(state, get_look(state.game, lang)).rpartition(" / ")[2]


def describe_calls(states: Sequence[State], lang: str) -> tuple[str, list[str]]:
    """Return what may be called in these states, and for each state the move made just before."""
    with use_language(lang):
        look = get_look(states[-1].game, lang)
        words = dict.fromkeys(word for state in states for word in list_alternatives(state, look))
        return ", ".join(words), [describe_last_move(state, look) for state in states]


class Explanation(Struct, frozen=True):
    """Why a move is legal or not.

    lines   the sentences that decide
    source  the clauses of the deciding rule, and the source that they are in
    more    what else was examined
    at      the ids of these clauses
    """

    lines: list[str]
    source: list[str]
    more: list[str]
    at: list[str]


def explain_move(state: State, moves: Sequence[str], seat: str, lang: str) -> Explanation | None:
    """Explain the first of these moves that the game knows, as far as the seat may know; None if it knows none."""
    why = next((why for why in (state.why(move, seat) for move in moves) if why.known), None)
    if why is None:
        return None
    with use_language(lang):
        lines = format_reasons(why, get_look(state.game, lang))
    first = lines[0].replace(why.move, why.text(lang), 1)
    caveat = [translate(lang, "said.partly")] if why.rule.at and not why.texts else []
    rule = why.failing.rule if why.failing is not None else why.rule
    return Explanation([*caveat, first], _cite(state.game.ruleset, rule, lang), lines[1:], rule.at.split())


def _cite(rules: Ruleset, rule: Rule, lang: str) -> list[str]:
    """Return the clauses of a rule, unless its own sentence repeats them, and the name of the source."""
    if not rule.at:
        return []
    texts = {n: in_language(rules.clauses[n].words, lang, "") for n in rule.at.split() if n in rules.clauses}
    own = rule.text(lang)
    clauses = [translate(lang, "said.clause", name=n, text=s) for n, s in texts.items() if s and s not in own]
    translated = rules.source.get(lang)
    sources = [translated] if translated else [s for key, s in rules.source.items() if key not in LANGUAGES]
    return [*clauses, translate(lang, "said.source", source=", ".join(dict.fromkeys(sources)))]


# ---- pictures --------------------------------------------------------------------------------------------------------


def draw_table(game: Game, view: View, settings: DisplaySettings) -> str:
    """Return a view as SVG: a group with a key for each pile, and for each piece its place and, if seen, its sign."""
    width = max(NARROW, min(settings.width, WIDE)) if settings.width else WIDTH
    height = max(LOW, settings.height) if settings.height else None
    colours = _get_theme("dark" if settings.tone == "dark" else "light", settings.four_colours)
    return draw_picture(view, get_piece_names(game, settings.lang), colours, width, height, before=settings.fit)


_get_theme = cache(find_theme)
"""Returns the same object each time, so that cached drawings are found by it."""


def get_piece_names(game: Game, lang: str) -> Names:
    """Return the words of pieces and piles in a language. Cached."""
    key = ("web names", lang)
    names: Names | None = game.compiled.cache.get(key)
    if names is None:
        names = game.compiled.cache[key] = picture_names(game.compiled, lang)
    return names


# ---- rules -----------------------------------------------------------------------------------------------------------


def describe_rules(game: Game, lang: str) -> dict[str, Any]:
    """Return the options, rules in force and clauses of a game, with the addresses of its picture and its rule book."""
    with use_language(lang):
        data = describe_ruleset(game.ruleset)
        parts = [{"head": t("describe.options"), "rules": [_describe_option(entry, lang) for entry in data["options"]]}]
        parts += [
            {"head": t(f"describe.{key}"), "rules": _describe_entries(data[key])}
            for key in ("moves", "obligations", "whenever")
        ]
        clauses = [{"name": entry["id"], "text": entry["text"], "at": entry["home"]} for entry in data["clauses"]]
        parts.append({"head": t("describe.clauses"), "rules": clauses})
    query, path = urlencode({"lang": lang, "options": json.dumps(game.options)}), f"api/games/{quote(game.name)}"
    return {
        "title": data["title"],
        "source": [str(text) for text in dict.fromkeys(data["source"].values())],
        "parts": [part for part in parts if part["rules"]],
        "picture": f"{path}/picture.svg?{query}",
        "book": f"{path}/book?{query}",
    }


def _describe_option(entry: dict[str, Any], lang: str) -> dict[str, str]:
    """Return an option with its chosen value only."""
    value = entry["value"]
    if isinstance(value, bool):
        text = translate(lang, "said.yes") if value else translate(lang, "said.no")
    else:
        text = str(dict(zip(entry["choices"], entry["choice_labels"], strict=False)).get(value, value))
    return {"name": entry["label"], "text": text, "at": ""}


def _describe_entries(data: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"name": e["label"], "text": e["text"], "at": e["at"]} for e in data if e["in_force"]]


BOOK_HEADERS = {
    "Cache-Control": "max-age=3600",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
}


@lru_cache(maxsize=32)
def render_rule_book(game: Game, lang: str) -> str:
    """Return the rules of a game as one self-contained page of HTML. Takes about a second."""
    return render_html(build_book(game, lang))
