"""The games there are: by family, with what may be chosen in each, in the words of a language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from hoyle import packs
from hoyle.diagnostics import Diagnostic, Refused, similar
from hoyle.game.game import load as load_game
from hoyle.language.model import Option, Ruleset
from hoyle.language.sentences import LANGUAGES
from hoyle.players.bots import KINDS
from hoyle.reading.sources import read
from hoyle.reading.translation import translated
from hoyle.reading.tree import Node, texts_of
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped
from hoyle.running.naming import in_language
from hoyle.web.display import word

LIBRARY = "R613"
"""Only a game can be played."""


class Own(Struct, frozen=True):
    """Where a ruleset is, and for how many it is, as the shelf says it."""

    path: Path
    players: str

    @property
    def recorded(self) -> str:
        """What records call it: its file, without the folder."""
        return self.path.stem


Owned = Mapping[str, Own]
"""By the names of the games."""


def opened(files: Iterable[Path]) -> tuple[dict[str, Own], list[Diagnostic]]:
    """Those of these files that are games and may be played, and what is wrong with the others. A library is no game, and nothing is wrong with it;
    of several of one name the last counts."""
    found: dict[str, Own] = {}
    wrong: list[Diagnostic] = []
    for path in files:
        try:
            game = load_game(path)
        except Refused as refused:
            wrong += [one for one in refused.diagnostics if one.code != LIBRARY]
            continue
        may = game.ruleset.may_play
        found[game.name] = Own(game.merged.files[-1].resolve(), f"{may[0]}–{may[-1]}" if len(may) > 1 else str(may[0]))
    return found, wrong


def by_name() -> tuple[dict[str, Own], list[Diagnostic]]:
    """Those that are found by name, as `opened` gives them. What an installed package brings takes the place of nothing that is there already."""
    meant = [found[0] for found in packs.every().values() if found[0].place.origin != "shipped"]
    brought, wrong = opened(one.path for one in meant if one.place.origin == "package")
    mine, more = opened(one.path for one in reversed(meant) if one.place.origin != "package")
    kept = {name: own for name, own in brought.items() if name not in shipped()}
    return {**kept, **mine}, [*wrong, *more]


def files_of(owned: Owned) -> dict[str, Path]:
    """All rulesets by name: one's own in the place of a shipped one that is called so."""
    return {**shipped(), **{name: own.path for name, own in owned.items()}}


HEADS = ("title", "players", "library", "extends", "use", "flow", "moves", "game")
SHORT = 4
"""Words of fewer letters are like too many others."""
_LETTERS = re.compile(r"\w+")
LEVELS = ("normal", "easy", "strong", *(kind for kind in KINDS if kind not in ("normal", "easy", "strong", "search")))
"""Who may play a seat, the usual first."""
Game = dict[str, Any]


def shelf(lang: str, own: Owned | None = None) -> list[Game]:
    """Every shipped game, and those of one's own: its name, title and number of players, the game that it varies, and its family: `alone`, or what its
    library is called. One's own are not looked for among the variants of what they vary."""
    own = own or {}
    heads = _heads(tuple(sorted(files_of(own).items())))
    games = [name for name, head in heads.items() if head.get("library") is None]
    return [_game(name, heads, lang) | (_owned(own[name]) if name in own else {}) for name in games]


def _owned(own: Own) -> Game:
    return {"own": True, "extends": None, "players": own.players}


@lru_cache(maxsize=1)
def _heads(files: tuple[tuple[str, Path], ...]) -> dict[str, Node]:
    """The first sections of all files, with the words of other languages; without those that cannot be read."""
    found = {}
    for name, path in files:
        try:
            found[name] = translated(load(read(path), only=HEADS), path, _words).root
        except Refused:
            continue
    return found


_words = partial(lambda path: load(read(path), only=(*HEADS, "words")))


def _game(name: str, heads: Mapping[str, Node], lang: str) -> Game:
    parent = _parent(name, heads)
    return {
        "name": name,
        "title": _title(heads[name], lang, name),
        "players": _players(name, heads),
        "extends": parent,
        **_family(name, heads, lang),
        "words": _other_names(name, heads),
    }


def _other_names(name: str, heads: Mapping[str, Node]) -> str:
    """What else it may be looked for by: its titles and its family's in all languages, its name, and what its kind is called."""
    families = [_family(name, heads, lang) for lang in LANGUAGES]
    kinds = [word(lang, "said.alone") for lang in LANGUAGES if families[0]["family"] == "alone"]
    titles = [_title(heads[name], lang, name) for lang in LANGUAGES]
    return " ".join(dict.fromkeys([*titles, name, *(one["family_title"] for one in families), *kinds]))


def near(text: str, lang: str, own: Owned | None = None) -> list[str]:
    """The games that are called so, but for the spelling: by a title or by a word of one."""
    found: dict[str, set[str]] = {}
    for game in shelf(lang, own):
        for called in {game["title"], game["name"], *_LETTERS.findall(game["words"])}:
            if len(called) >= SHORT:
                found.setdefault(called.casefold(), set()).add(game["name"])
    meant = [one for one in (similar(part, found) for part in _LETTERS.findall(text.casefold())) if one is not None]
    return sorted(set.intersection(*(found[one] for one in meant))) if meant else []


def _parent(name: str, heads: Mapping[str, Node]) -> str | None:
    found = heads[name].get("extends")
    return found.raw if found is not None and found.raw in heads and found.raw != name else None


def _title(head: Node, lang: str, name: str) -> str:
    found = head.get("title")
    return in_language(texts_of(found), lang, name) if found is not None and found.kind == "map" else name


def _players(name: str, heads: Mapping[str, Node]) -> str:
    """As the game says it, or what it varies or uses."""
    head = heads[name]
    own = head.get("players")
    if own is not None and own.raw_of("count"):
        return str(own.raw_of("count")).replace("..", "–")
    below = [_parent(name, heads), *(item.raw for item in head.items_of("use") if item.raw in heads)]
    return next((found for other in below if other is not None and (found := _players(other, heads))), "")


def _family(name: str, heads: Mapping[str, Node], lang: str) -> Game:
    """What its library is called that is not only a pack of cards, or the one that stands under it; games for one belong together."""
    while (parent := _parent(name, heads)) is not None:
        name = parent
    if _players(name, heads) == "1":
        return {"family": "alone", "family_title": ""}
    family, title = "", ""
    while used := [item.raw for item in heads[name].items_of("use") if _plays(heads.get(item.raw))]:
        name = family = used[0]
        title = _title(heads[name], lang, name)
    return {"family": family, "family_title": title}


def _plays(head: Node | None) -> bool:
    return head is not None and (head.get("flow") is not None or head.get("moves") is not None)


# ---- one game --------------------------------------------------------------------------------------------------------


def options(found: Ruleset, lang: str) -> list[Game]:
    """What may be chosen, in words."""
    return [_option(option, lang) for option in found.options.values() if option.name not in found.idle]


def _option(option: Option, lang: str) -> Game:
    value = option.choices[option.value] if option.choices else option.value
    said: Game = {"name": option.name, "label": in_language(option.words, lang, _spoken(option.name)), "value": value}
    if option.choices:
        words = zip(option.choices, option.choice_words, strict=True)
        return {**said, "choices": [[name, in_language(of, lang, _spoken(name))] for name, of in words]}
    if option.kind.name == "number":
        return {**said, "low": option.kind.low, "high": option.kind.high}
    return said


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def seats(found: Ruleset, lang: str) -> list[list[str]]:
    """Each seat and what it is called."""
    return [[seat, in_language(found.seat_words[seat], lang, seat)] for seat in found.seats]
