"""Texts that people edit in the browser, with what was computed from each. Nothing is written to a disk.

A draft has a path in a folder that does not exist. Its `use` and `extends` therefore reach rulesets by name only.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hoyle import packs
from hoyle.checking import build
from hoyle.checking.sections.options import PLAYERS
from hoyle.diagnostics import Diagnostic, Problems, Refused, Span
from hoyle.editor.analysis import Analysis, analyse, load_tree, resolve_path
from hoyle.game.compiled import compile_ruleset
from hoyle.game.examples.static_checks import check_examples
from hoyle.game.game import Game
from hoyle.language.model import Ruleset
from hoyle.reading.merge import Merged
from hoyle.reading.sources import read, unsaved, words_of
from hoyle.reading.tree import Node
from hoyle.resources import language_of, pause_collection, shipped
from hoyle.running.hit_counts import Watch
from hoyle.web.shelf import OwnRulesets

LONGEST_TEXT = 300_000
"""Characters of a draft."""
MOST_DRAFTS, MOST_GAMES, MOST_CLIENTS = 5, 5, 30
"""Limits: drafts of one client, games of one draft (one for each choice of options), and clients."""
USUAL_NAME = "draft"
_NAME = re.compile(r"[^\W_][\w-]{0,59}")
_FOLDER = Path(os.sep, "workshop")
_IN_FOLDER = re.compile(re.escape(f"{_FOLDER}{os.sep}") + r"\d+" + re.escape(os.sep))
Result = TypeVar("Result")
Counted = Literal["nothing", "rules", "formulas"]
Options = Mapping[str, Any]
"""Option values by name."""


def is_name(name: str) -> bool:
    """Return whether a draft may have this name: letters, digits and hyphens, no path and no ending."""
    return _NAME.fullmatch(name) is not None


def hide_folder(text: str) -> str:
    """Return a message that names drafts without the folder that does not exist."""
    return _IN_FOLDER.sub("", text)


class CheckedDraft(Struct, frozen=True):
    """All problems of a draft. `ruleset`: with the default options; None if it cannot be played."""

    problems: tuple[Diagnostic, ...]
    ruleset: Ruleset | None
    merged: Merged | None

    @property
    def is_sound(self) -> bool:
        """Return whether no problem is an error."""
        return all(problem.severity != "error" for problem in self.problems)


class Draft:
    """A text under a name. Each result is computed once. Only one thread may check it; others may play meanwhile."""

    def __init__(self, path: Path, texts: Mapping[str, str]) -> None:
        """`texts`: the text at the real path of `path`, and those of rulesets beside it."""
        self.path, self.texts = path, texts
        self.file = resolve_path(path)
        self.text = texts[self.file]
        self._games: dict[tuple[str, Counted], Game] = {}
        self._cache: dict[tuple[str, ...], Any] = {}

    def reading(self) -> AbstractContextManager[None]:
        """Let everything inside read this text as the file of its path."""
        return unsaved(self.texts)

    # No `cached_property`: in Python 3.11 one thread computes it for one object at a time, whatever the client.

    @property
    def analysis(self) -> Analysis:
        """The check of all formulas, with their places and types."""
        return self.cached(("analysis",), lambda: analyse(self.path, self.texts))

    @property
    def tree(self) -> Node | None:
        """The tree of the text alone; None if it cannot be read."""
        return self.cached(("tree",), lambda: load_tree(self.path, self.texts))

    @property
    def checked(self) -> CheckedDraft:
        """The whole check, continued from the analysis."""
        return self.cached(("checked",), self._check)

    def _check(self) -> CheckedDraft:
        problems, analysis = Problems(), self.analysis
        with self.reading(), pause_collection():
            del self._cache[
                "analysis",
            ]  # an analysis is continued once; if this is interrupted, the next check begins anew
            ruleset, merged = build.finish_check(self.path, analysis.check, analysis.trace, problems)
            self._cache["analysis",] = analysis
            if ruleset is None or merged is None or problems.errors:
                return CheckedDraft(tuple(problems), None, merged)
            digest = analysis.trace.compute_digest
            ruleset = replace(ruleset, digest=digest() if digest is not None else "")
            check_examples(ruleset, merged, problems)
        return CheckedDraft(tuple(filter(self._concerns_text, problems)), ruleset, merged)

    def _concerns_text(self, problem: Diagnostic) -> bool:
        """Return whether a problem is more than a warning about words that the shelf keeps in another file."""
        name = problem.span.source.name if problem.span is not None else self.file
        return problem.severity == "error" or not language_of(Path(name))

    # ---- games -------------------------------------------------------------------------------------------------------

    def load_game(self, options: Options, counted: Counted = "nothing") -> Game:
        """Return the game with these options; names that the draft has no longer are left out.

        counted: what the game counts while it is played: uses of rules, or also of every step and condition.

        Raises:
            Refused: the draft has errors, is a library, or an option has a wrong value.
        """
        changed = self._list_changes(options)
        key = repr(sorted(changed.items())), counted
        if key not in self._games:
            game = self._games[key] = self._compile(changed, counted)
            for other in [*self._games][:-MOST_GAMES]:
                self._games.pop(other, None)
            return game
        return self._games[key]

    def load_for_examples(self, options: Options) -> Game:
        """Return the game with the options of a worked example, all of which must be right. Only the usual one is cached."""
        return self._compile(options, "nothing") if options else self.load_game(options)

    def _list_changes(self, options: Options) -> dict[str, Any]:
        """Return the values that differ from the defaults, for options that there are."""
        ruleset = self.checked.ruleset
        if ruleset is None:
            return {}
        changed = {}
        for name, value in options.items():
            option = ruleset.options.get(name)
            if option is not None:
                usual = option.choices[option.default] if option.choices else option.default
                if value != usual or type(value) is not type(usual):
                    changed[name] = value
            elif name == PLAYERS and len(ruleset.may_play) > 1 and value != len(ruleset.seats):
                changed[name] = value
        return changed

    def _compile(self, changed: Options, counted: Counted) -> Game:
        checked = self.checked
        with self.reading(), pause_collection():
            if checked.ruleset is not None and checked.merged is not None and not changed:
                rules = checked.ruleset, checked.merged
            else:
                rules = build.load_ruleset(self.path, changed)
            watch = Watch() if counted == "formulas" else None
            return Game(compile_ruleset(*rules, trace=counted != "nothing", watch=watch), engine="python")

    # ---- results of other modules ------------------------------------------------------------------------------------

    def cached(self, key: tuple[str, ...], make: Callable[[], Result]) -> Result:
        """Return the result of `make`, called once for a key. The key names its use first."""
        if key not in self._cache:
            self._cache[key] = make()
        found: Result = self._cache[key]
        return found

    def find_own_span(self, span: Span | None) -> tuple[int, int] | None:
        """Return the offsets of a span of this text; None for one in another file."""
        return (span.start, span.end) if span is not None and span.source.name == str(self.path) else None


# ---- the drafts of a client ------------------------------------------------------------------------------------------


class Workspace:
    """The drafts of one client. They have one folder, so that what did not change in a text is not read again."""

    def __init__(self, folder: Path, shelf_texts: Mapping[str, str]) -> None:
        """`shelf_texts`: by file name, the rulesets of the server that are not found by name."""
        self._folder, self._shelf_texts = folder, shelf_texts
        self._drafts: dict[tuple[str, str], Draft] = {}
        self._sound: dict[str, Draft] = {}

    def open(self, name: str, text: str) -> Draft:
        """Return the draft with this name and text. The name must be one (see is_name)."""
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        key = name, sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        draft = self._drafts.pop(key, None) or self._make(name, text)
        self._drafts[key] = draft
        while len(self._drafts) > MOST_DRAFTS:
            del self._drafts[next(iter(self._drafts))]
        return draft

    def _make(self, name: str, text: str) -> Draft:
        path = self._folder / f"{name}.yaml"
        own = {path.name: text}
        if name in shipped():  # its words stay with it
            own |= {words.name: read(words).text for words in words_of(shipped()[name])}
        texts = {**self._shelf_texts, **own}
        return Draft(path, {resolve_path(self._folder / file): words for file, words in texts.items()})

    def analyse_soundly(self, draft: Draft) -> Analysis:
        """Return the analysis of a draft if it has a tree, else that of its last text that had one."""
        name = draft.path.name
        if draft.analysis.merged is not None or name not in self._sound:
            while len(self._sound) >= MOST_DRAFTS:
                del self._sound[next(iter(self._sound))]
            self._sound[name] = draft
        return self._sound[name].analysis


class Workspaces:
    """The workspaces of all clients; those used least recently are dropped."""

    def __init__(self, own: OwnRulesets) -> None:
        self._shelf_texts = _read_unnamed(own)
        self._numbers = itertools.count(1)
        self._by_client: dict[str, Workspace] = {}

    def of(self, client: str) -> Workspace:
        workspace = self._by_client.pop(client, None)
        if workspace is None:
            workspace = Workspace(_FOLDER / str(next(self._numbers)), self._shelf_texts)
        self._by_client[client] = workspace
        while len(self._by_client) > MOST_CLIENTS:
            del self._by_client[next(iter(self._by_client))]
        return workspace


def _read_unnamed(own: OwnRulesets) -> dict[str, str]:
    """Return the texts of own rulesets and of what they are built on, by file name, if no name leads to them."""
    rulesets = {file for ruleset in own.values() for file in _list_rulesets(ruleset.path)}
    unnamed = [file for file in sorted(rulesets) if packs.find(file.stem) != file]
    return {file.name: read(file).text for ruleset in unnamed for file in (ruleset, *words_of(ruleset))}


def _list_rulesets(path: Path) -> Iterable[Path]:
    """Return a ruleset and what it is built on; nothing if it cannot be read any more."""
    try:
        return build.merge_files(path).files
    except Refused:
        return ()
