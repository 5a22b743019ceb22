"""The rules of a variant as they are in force: each move, each obligation, what happens by itself, with its sentence and its clause."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode

from hoyle.cli.catalogue import speaking, t
from hoyle.cli.commands.describe import description
from hoyle.game.game import Game
from hoyle.web.speech import word


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
