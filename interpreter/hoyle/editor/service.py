"""The session of one editor: open texts, analyses of their rulesets, and the problems that the editor was told."""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from hoyle.diagnostics import Diagnostic
from hoyle.editor.analysis import (
    Analysis,
    analyse,
    find_all_problems,
    find_dependents,
    find_ruleset,
    is_hoyle_text,
    resolve_path,
)
from hoyle.editor.positions import split_lines
from hoyle.editor.protocol import to_diagnostic
from hoyle.editor.wording import translate
from hoyle.language.sentences import FALLBACK

DEBOUNCE = 0.08
"""Seconds after the last key press before a text is checked."""
IDLE = 0.7
"""Further seconds before dependent files that are not open are checked."""
T = TypeVar("T")


class Session:
    """State of the language server. File names are real paths.

    texts      the open texts by real path, with line feeds only
    fresh      the last analysis of each ruleset
    sound      the last analysis of each ruleset that had a tree
    problems   all problems by the ruleset that was checked
    published  the problems that the editor was told, by file
    unchecked  the files that are checked when nobody types any more, by the task `pending`
    """

    def __init__(self, server: LanguageServer, lang: str = FALLBACK) -> None:
        self.server, self.lang = server, lang
        self.texts: dict[str, str] = {}
        self.fresh: dict[str, Analysis] = {}
        self.sound: dict[str, Analysis] = {}
        self.problems: dict[str, tuple[Diagnostic, ...]] = {}
        self.published: dict[str, list[types.Diagnostic]] = {}
        self.unchecked: set[str] = set()
        self.pending: asyncio.Task[None] | None = None
        self._uris: dict[str, str] = {}
        self._with_crlf: set[str] = set()
        self._quick, self._slow = ThreadPoolExecutor(1), ThreadPoolExecutor(1)

    # ---- files -------------------------------------------------------------------------------------------------------

    def to_uri(self, name: str) -> str:
        """Return the URI that the editor uses for a file."""
        path = resolve_path(name)
        return self._uris.get(path) or str(uris.from_fs_path(path))

    def to_path(self, uri: str) -> str:
        return resolve_path(uris.to_fs_path(uri) or uri)

    def to_offset(self, path: str, position: types.Position) -> int:
        """Return the offset of a position in an open text."""
        return split_lines(self.texts[path]).find_offset((position.line, position.character))

    def restore_line_ends(self, name: str, text: str) -> str:
        """Return a text for a file with the line ends that the file has."""
        return text.replace("\n", "\r\n") if resolve_path(name) in self._with_crlf else text

    def update_text(self, uri: str, text: str) -> None:
        """Note that a text was opened or changed. Files that are not of hoyle are ignored."""
        path = self.to_path(uri)
        if not is_hoyle_text(text) and path not in self.texts:
            return
        if path not in self.texts:
            self.published.pop(path, None)  # an editor that opens a text expects its problems again
            self.fresh.clear()  # files that are not open may have changed since
        (self._with_crlf.add if "\r\n" in text else self._with_crlf.discard)(path)
        self.texts[path] = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        self._uris[path] = uri
        self.schedule_check(path)

    def close_text(self, uri: str) -> None:
        path = self.to_path(uri)
        self.texts.pop(path, None)
        self.problems.pop(path, None)
        self._publish()
        self.schedule_check(*(text for text in self.texts if text == resolve_path(find_ruleset(Path(path)))))

    def note_outside_changes(self, changed: Iterable[str]) -> None:
        """Check everything again after another program changed files. For open files, the editor's text counts."""
        if any(self.to_path(uri) not in self.texts for uri in changed):
            self.fresh.clear()
            self.schedule_check(*self.texts)

    def is_own(self, path: str) -> bool:
        """Return whether a file is in an open folder or, without any, in the folder of an open text."""
        folders = [self.to_path(folder) for folder in self.server.workspace.folders]
        folders = folders or [os.path.dirname(text) for text in self.texts]
        return any(path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)

    # ---- checks ------------------------------------------------------------------------------------------------------

    def schedule_check(self, *paths: str) -> None:
        """Check these files when nobody types any more."""
        self.unchecked.update(paths)
        if self.pending is not None:
            self.pending.cancel()
        self.pending = asyncio.get_running_loop().create_task(self._check_later())

    async def _check_later(self) -> None:
        """Check open texts and open dependents first, then dependents that are not open."""
        try:
            await asyncio.sleep(DEBOUNCE)
            texts, dependents = dict(self.texts), list[str]()
            for path in sorted(self.unchecked):
                ruleset = resolve_path(find_ruleset(Path(path)))
                built = await self._run(self._quick, partial(find_dependents, ruleset, texts))
                for file in (ruleset, *(other for other in built if other in texts)):
                    await self._check(file, texts)
                dependents += built
                self.unchecked.discard(path)
            await asyncio.sleep(IDLE)
            for file in dict.fromkeys(file for file in dependents if file not in texts):
                self._set_problems(file, await self._run(self._slow, partial(_check_anew, file, texts)))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._report_internal_error("check", error)

    async def _check(self, path: str, texts: dict[str, str]) -> None:
        """Publish the errors in formulas at once, and all problems when they are known."""
        first = await self._analyse(path, texts)
        if any(problem.severity == "error" for problem in first.problems):
            self._set_problems(path, first.problems)
        self._set_problems(path, await self._run(self._slow, partial(find_all_problems, first)))

    async def _analyse(self, path: str, texts: dict[str, str] | None = None) -> Analysis:
        """Return the analysis of a ruleset with these open texts, or the current ones."""
        now = dict(self.texts) if texts is None else texts
        known = self.fresh.get(path)
        if known is None or not known.is_current(now):
            known = self.fresh[path] = await self._run(self._quick, lambda: analyse(Path(path), now))
            if known.merged is not None:
                self.sound[path] = known
        return known

    async def _analyse_soundly(self, path: str) -> Analysis:
        """Return the last analysis that had a tree; if there was none, that of the files on the disk."""
        known = await self._analyse(path)
        if known.merged is None and path not in self.sound:
            self.sound[path] = await self._run(self._quick, lambda: analyse(Path(path), {}))
        return known if known.merged is not None else self.sound[path]

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    # ---- problems ----------------------------------------------------------------------------------------------------

    def _set_problems(self, path: str, problems: tuple[Diagnostic, ...]) -> None:
        self.problems[path] = problems
        self._publish()

    def _publish(self) -> None:
        """Send the problems of each file where they changed. A problem that several rulesets have is sent once."""
        checked = [path for path in self.texts if resolve_path(find_ruleset(Path(path))) in self.problems]
        by_file: dict[str, dict[tuple[object, ...], Diagnostic]] = {path: {} for path in (*self.published, *checked)}
        for ruleset, problems in self.problems.items():
            for problem in problems:
                path, start = ruleset, -1
                if problem.span is not None:
                    path, start = resolve_path(problem.span.source.name), problem.span.start
                by_file.setdefault(path, {}).setdefault((problem.code, problem.message, start), problem)
        for path, by_place in by_file.items():
            diagnostics = [to_diagnostic(problem, self.lang, self.to_uri) for problem in by_place.values()]
            if diagnostics != self.published.get(path):
                self.published[path] = diagnostics
                params = types.PublishDiagnosticsParams(uri=self.to_uri(path), diagnostics=diagnostics)
                self.server.text_document_publish_diagnostics(params)

    def _report_internal_error(self, what: str, error: Exception) -> None:
        """Log an internal error to standard error and to the editor."""
        traceback.print_exception(error, file=sys.stderr)
        message = f"{translate(self.lang, 'server.fault', what=what)}: {type(error).__name__}: {error}"
        self.server.window_log_message(types.LogMessageParams(type=types.MessageType.Error, message=message))

    # ---- requests ----------------------------------------------------------------------------------------------------

    async def answer(
        self, what: str, uri: str, answer: Callable[[Analysis, str], T], is_sound: bool = False, is_slow: bool = False
    ) -> T | None:
        """Run `answer` in a thread with the analysis and the path of an open file. Return None for other files.

        `is_sound`: use the last analysis that had a tree. `is_slow`: do not delay quick requests. Internal errors are
        logged and give None; JsonRpcException is passed on.
        """
        path = self.to_path(uri)
        if path not in self.texts:
            return None
        try:
            ruleset = resolve_path(find_ruleset(Path(path)))
            known = await (self._analyse_soundly(ruleset) if is_sound else self._analyse(ruleset))
            return await self._run(self._slow if is_slow else self._quick, lambda: answer(known, path))
        except JsonRpcException:
            raise
        except Exception as error:
            self._report_internal_error(what, error)
            return None

    def analyse_other(self, path: str, texts: dict[str, str]) -> Analysis:
        """Return the analysis of another ruleset with these open texts, cached or new."""
        known = self.fresh.get(path)
        return known if known is not None and known.is_current(texts) else analyse(Path(path), texts)


def _check_anew(path: str, texts: dict[str, str]) -> tuple[Diagnostic, ...]:
    return find_all_problems(analyse(Path(path), texts))
