"""What is said to one person, in the language that they chose: the words of the terminal, and those of the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct
from msgspec.structs import replace

from hoyle.cli.catalogue import speaking, t
from hoyle.cli.commands.describe import description
from hoyle.cli.drawing.ink import Look
from hoyle.cli.drawing.lines import asked_of, look_of, result_lines, why_lines
from hoyle.cli.playing.interrupting import alternatives, done_before
from hoyle.game.explain.reasons import Why
from hoyle.game.game import Game, State
from hoyle.game.views.labels import names_of
from hoyle.game.views.view import View
from hoyle.language.model import Rule, Ruleset
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, catalogue, filled, typeset
from hoyle.pictures.names import Names
from hoyle.pictures.picture import WIDTH, Fit, picture
from hoyle.pictures.theme import theme
from hoyle.rulebook.book import book
from hoyle.rulebook.writing import html
from hoyle.running.naming import in_language

_HERE = Path(__file__).resolve().parent


def language(asked: object) -> str:
    """The one that was asked for, if there is such a one."""
    return str(asked) if asked in LANGUAGES else FALLBACK


def word(lang: str, key: str, **values: object) -> str:
    """A sentence of the page."""
    return filled(catalogue(_HERE, lang)[key], lang, values)


@cache
def page_words(lang: str) -> dict[str, Any]:
    """All that the page itself says, and which numbers take a singular."""
    found: dict[str, dict[str, str]] = json.loads((_HERE / f"{lang}.json").read_text(encoding="utf-8"))
    said = {part: {key: typeset(text, lang) for key, text in table.items()} for part, table in found.items()}
    return {**said, "singular": Sentence("number.singular")[lang]}


def look(game: Game, lang: str) -> Look:
    """The game's words in a language, without colours of a terminal."""
    key = ("web", lang)
    found: Look | None = game.compiled.kept.get(key)
    if found is None:
        with speaking(lang):
            found = replace(look_of(game), colour=False, unicode=True, width=400, height=None)
        game.compiled.kept[key] = found
    return found


def result(state: State, lang: str) -> list[str]:
    """How the game ended."""
    with speaking(lang):
        return result_lines(state, look(state.game, lang))


def place(state: State, lang: str) -> str:
    """What is to be decided, by the innermost name it has."""
    with speaking(lang):
        return asked_of(state, look(state.game, lang)).rpartition(" / ")[2]


def calls(states: Sequence[State], lang: str) -> tuple[str, list[str]]:
    """What may be said where somebody was not asked, and what was done right before each of these places."""
    with speaking(lang):
        found = look(states[-1].game, lang)
        words = dict.fromkeys(one for state in states for one in alternatives(state, found))
        return ", ".join(words), [done_before(state, found) for state in states]


class Told(Struct, frozen=True):
    """An answer: the sentences that decide, where that stands, what else was looked at, and the clauses of what decides."""

    lines: list[str]
    source: list[str]
    more: list[str]
    at: list[str]


def why(state: State, moves: Sequence[str], seat: str, lang: str) -> Told | None:
    """Why the first of these moves that the game knows is legal or not, as far as the seat can know; None if it knows none of them."""
    told = next((one for one in (state.why(move, seat) for move in moves) if one.known), None)
    if told is None:
        return None
    with speaking(lang):
        lines = why_lines(told, look(state.game, lang))
    first = lines[0].replace(told.move, told.text(lang), 1)
    taken = [word(lang, "said.partly")] if told.rule.at and not told.texts else []
    rule = deciding(told)
    return Told([*taken, first], cited(state.game.ruleset, rule, lang), lines[1:], rule.at.split())


def deciding(told: Why) -> Rule:
    """What forbids a move, else what it is made by."""
    return told.failing.rule if told.failing is not None else told.rule


def cited(rules: Ruleset, rule: Rule, lang: str) -> list[str]:
    """The clauses of what decides, in the words of the source, and what that is called."""
    found = [
        (name, in_language(rules.clauses[name].words, lang, "")) for name in rule.at.split() if name in rules.clauses
    ]
    clauses = [
        word(lang, "said.clause", name=name, text=text) for name, text in found if text and text not in rule.text(lang)
    ]
    return [*clauses, *([source(rules, lang)] if rule.at else [])]


def source(rules: Ruleset, lang: str) -> str:
    """Where the rules stand: in the words of the language, if it has any."""
    own = rules.source.get(lang)
    found = [own] if own else [text for key, text in rules.source.items() if key not in LANGUAGES]
    return word(lang, "said.source", source=", ".join(dict.fromkeys(found)))


class Taste(Struct, frozen=True):
    """`width` and `height`: of the room for the picture; 0: as it likes. `before`: the sizes of the picture that was drawn last for it."""

    lang: str = "en"
    tone: str = "light"
    four_colours: bool = False
    width: int = 0
    height: int = 0
    before: Fit | None = None


NARROW, WIDE, LOW = 320, 1600, 240
"""Pixels between which a picture is as wide as its room, and less than which it is not high."""


def drawn(game: Game, view: View, taste: Taste) -> str:
    """Each pile as a group with its key, each piece with its place and, where it is seen, its sign."""
    width = max(NARROW, min(taste.width, WIDE)) if taste.width else WIDTH
    height = max(LOW, taste.height) if taste.height else None
    look = _colours("dark" if taste.tone == "dark" else "light", taste.four_colours)
    return picture(view, names(game, taste.lang), look, width, height, before=taste.before)


_colours = cache(theme)
"""The same ones each time, so that what is drawn in them is known again."""


def names(game: Game, lang: str) -> Names:
    """The words of a game in a language, made once."""
    key = ("web names", lang)
    found: Names | None = game.compiled.kept.get(key)
    if found is None:
        found = game.compiled.kept[key] = names_of(game.compiled, lang)
    return found


def rules(game: Game, lang: str) -> dict[str, Any]:
    """With where a picture of its table is, and where they are told as a book."""
    with speaking(lang):
        data = description(game.ruleset)
        parts = [
            {"head": t(f"describe.{key}"), "rules": _rules(data[key])} for key in ("moves", "obligations", "whenever")
        ]
        parts.insert(0, {"head": t("describe.options"), "rules": [_chosen(one, lang) for one in data["options"]]})
        clauses = [{"name": one["id"], "text": one["text"], "at": one["home"]} for one in data["clauses"]]
        parts += [{"head": t("describe.clauses"), "rules": clauses}]
    source = [str(text) for text in dict.fromkeys(data["source"].values())]
    told = [part for part in parts if part["rules"]]
    return {"title": data["title"], "source": source, "parts": told, **_places(game, lang)}


def _places(game: Game, lang: str) -> dict[str, str]:
    """The table of this very variant at the start of a game, and its rules as a book."""
    query, place = urlencode({"lang": lang, "options": json.dumps(game.options)}), f"/api/games/{quote(game.name)}"
    return {"picture": f"{place}/picture.svg?{query}", "book": f"{place}/book?{query}"}


def _chosen(one: dict[str, Any], lang: str) -> dict[str, str]:
    """What is played of an option, and not what else could be."""
    labels = dict(zip(one["choices"], one["choice_labels"], strict=False))
    value = one["value"]
    if isinstance(value, bool):
        return {"name": one["label"], "text": word(lang, "said.yes") if value else word(lang, "said.no"), "at": ""}
    said = str(labels.get(value, value))
    return {"name": one["label"], "text": said, "at": ""}


def _rules(data: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"name": one["label"], "text": one["text"], "at": one["at"]} for one in data if one["in_force"]]


KEPT = 32
"""So many pages are kept: making one takes about a second."""
HEADERS = {
    "Cache-Control": "max-age=3600",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
}


@lru_cache(maxsize=KEPT)
def page(game: Game, lang: str) -> str:
    """One page of HTML that needs nothing else."""
    return html(book(game, lang))
