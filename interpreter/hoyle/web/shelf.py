"""The shelf: all games that can be played here, by family, and what can be chosen in each. Includes users' own rulesets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from hoyle import packs
from hoyle.diagnostics import Diagnostic, Refused, find_close_name
from hoyle.game.game import load as load_game
from hoyle.language.model import Option, Ruleset
from hoyle.language.sentences import LANGUAGES
from hoyle.players.bots import KINDS
from hoyle.reading.sources import read
from hoyle.reading.translation import apply_translations
from hoyle.reading.tree import Node, texts_of
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped
from hoyle.running.naming import in_language
from hoyle.web.display import translate

LEVELS = ("normal", "easy", "strong", *(kind for kind in KINDS if kind not in ("normal", "easy", "strong", "search")))
"""The kinds of bots, the usual ones first."""
Json = dict[str, Any]
_IS_LIBRARY = "R613"
"""The diagnostic of loading a library as a game."""
_HEAD_SECTIONS = ("title", "players", "library", "extends", "use", "flow", "moves", "game")
_SHORTEST_WORD = 4
"""Letters: shorter words resemble too many others."""
_WORD = re.compile(r"\w+")


# ---- users' own rulesets ---------------------------------------------------------------------------------------------


class OwnRuleset(Struct, frozen=True):
    """A user's ruleset. `players`: the number of players as text."""

    path: Path
    players: str

    @property
    def recorded(self) -> str:
        """The name that records have for it: the name of its file."""
        return self.path.stem


OwnRulesets = Mapping[str, OwnRuleset]
"""By the name of the game."""


def load_rulesets(files: Iterable[Path]) -> tuple[dict[str, OwnRuleset], list[Diagnostic]]:
    """Return the games among files and the problems of the others. Libraries are skipped. The last of equal names wins."""
    games: dict[str, OwnRuleset] = {}
    problems: list[Diagnostic] = []
    for path in files:
        try:
            game = load_game(path)
        except Refused as refused:
            problems += [problem for problem in refused.diagnostics if problem.code != _IS_LIBRARY]
            continue
        counts = game.ruleset.may_play
        players = f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else str(counts[0])
        games[game.name] = OwnRuleset(game.merged.files[-1].resolve(), players)
    return games, problems


def load_installed() -> tuple[dict[str, OwnRuleset], list[Diagnostic]]:
    """Load the rulesets that are found by name. Installed packages do not replace shipped games."""
    installed = [places[0] for places in packs.list_all().values() if places[0].place.origin != "shipped"]
    packaged, problems = load_rulesets(entry.path for entry in installed if entry.place.origin == "package")
    users, more = load_rulesets(entry.path for entry in reversed(installed) if entry.place.origin != "package")
    return {**{n: own for n, own in packaged.items() if n not in shipped()}, **users}, [*problems, *more]


def list_files(own: OwnRulesets) -> dict[str, Path]:
    """Return all rulesets by name. Own ones replace shipped ones of the same name."""
    return {**shipped(), **{name: ruleset.path for name, ruleset in own.items()}}


# ---- the list of games -----------------------------------------------------------------------------------------------


def list_games(lang: str, own: OwnRulesets | None = None) -> list[Json]:
    """Describe every game: name, title, players, parent, family and words to search by. Own games have no parent."""
    own = own or {}
    heads = _read_heads(tuple(sorted(list_files(own).items())))
    games = [_describe_game(name, heads, lang) for name, head in heads.items() if head.get("library") is None]
    for game in games:
        if game["name"] in own:
            game |= {"own": True, "extends": None, "players": own[game["name"]].players}
    return games


@lru_cache(maxsize=1)
def _read_heads(files: tuple[tuple[str, Path], ...]) -> dict[str, Node]:
    """Read the first sections of all files with their translations. Files that cannot be read are left out."""
    heads = {}
    for name, path in files:
        try:
            heads[name] = apply_translations(load(read(path), only=_HEAD_SECTIONS), path, _load_words).root
        except Refused:
            continue
    return heads


_load_words = partial(lambda path: load(read(path), only=(*_HEAD_SECTIONS, "words")))


def _describe_game(name: str, heads: Mapping[str, Node], lang: str) -> Json:
    families = [_find_family(name, heads, other) for other in LANGUAGES]
    words = [_get_title(heads[name], other, name) for other in LANGUAGES] + [name]
    words += [family["family_title"] for family in families]
    if families[0]["family"] == "alone":
        words += [translate(other, "said.alone") for other in LANGUAGES]
    return {
        "name": name,
        "title": _get_title(heads[name], lang, name),
        "players": _count_players(name, heads),
        "extends": _find_parent(name, heads),
        **_find_family(name, heads, lang),
        "words": " ".join(dict.fromkeys(words)),
    }


def find_similar(text: str, lang: str, own: OwnRulesets | None = None) -> list[str]:
    """Return the names of games with a title or word that resembles each word of a text."""
    games_by_word: dict[str, set[str]] = {}
    for game in list_games(lang, own):
        for word in {game["title"], game["name"], *_WORD.findall(game["words"])}:
            if len(word) >= _SHORTEST_WORD:
                games_by_word.setdefault(word.casefold(), set()).add(game["name"])
    matches = [find_close_name(part, games_by_word) for part in _WORD.findall(text.casefold())]
    games = [games_by_word[word] for word in matches if word is not None]
    return sorted(set.intersection(*games)) if games else []


def _find_parent(name: str, heads: Mapping[str, Node]) -> str | None:
    parent = heads[name].get("extends")
    return parent.raw if parent is not None and parent.raw in heads and parent.raw != name else None


def _get_title(head: Node, lang: str, name: str) -> str:
    title = head.get("title")
    return in_language(texts_of(title), lang, name) if title is not None and title.kind == "map" else name


def _count_players(name: str, heads: Mapping[str, Node]) -> str:
    """Return the number of players as the file says it, or a file that it is built on."""
    head = heads[name]
    players = head.get("players")
    if players is not None and players.raw_of("count"):
        return str(players.raw_of("count")).replace("..", "–")
    bases = [_find_parent(name, heads), *(item.raw for item in head.items_of("use") if item.raw in heads)]
    return next((count for base in bases if base is not None and (count := _count_players(base, heads))), "")


def _find_family(name: str, heads: Mapping[str, Node], lang: str) -> Json:
    """Return the family of a game: the lowest library with rules of play that it uses. Games for one are a family."""
    while (parent := _find_parent(name, heads)) is not None:
        name = parent
    if _count_players(name, heads) == "1":
        return {"family": "alone", "family_title": ""}
    family, title = "", ""
    while used := [item.raw for item in heads[name].items_of("use") if _has_play(heads.get(item.raw))]:
        name = family = used[0]
        title = _get_title(heads[name], lang, name)
    return {"family": family, "family_title": title}


def _has_play(head: Node | None) -> bool:
    return head is not None and (head.get("flow") is not None or head.get("moves") is not None)


# ---- one game --------------------------------------------------------------------------------------------------------


def describe_options(ruleset: Ruleset, lang: str) -> list[Json]:
    """Describe the options that have an effect."""
    return [_describe_option(option, lang) for option in ruleset.options.values() if option.name not in ruleset.idle]


def _describe_option(option: Option, lang: str) -> Json:
    label = in_language(option.words, lang, option.name.replace("_", " "))
    if option.choices:
        words = zip(option.choices, option.choice_words, strict=True)
        choices = [[name, in_language(texts, lang, name.replace("_", " "))] for name, texts in words]
        return {"name": option.name, "label": label, "value": option.choices[option.value], "choices": choices}
    described = {"name": option.name, "label": label, "value": option.value}
    if option.type.name == "number":
        described |= {"low": option.type.low, "high": option.type.high}
    return described


def describe_seats(ruleset: Ruleset, lang: str) -> list[list[str]]:
    """Return each seat and its name in a language."""
    return [[seat, in_language(ruleset.seat_words[seat], lang, seat)] for seat in ruleset.seats]
