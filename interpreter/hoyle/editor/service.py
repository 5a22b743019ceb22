"""What the server keeps while it runs: the texts that are open, what was found in each ruleset, and what the editor was told of it."""

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
from pygls import uris as names
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from hoyle.diagnostics import Diagnostic
from hoyle.editor import protocol
from hoyle.editor.analysis import Analysis, analysed, checked_with, dependents, is_ours, judged, judged_anew, real
from hoyle.editor.positions import lines_of
from hoyle.editor.wording import word
from hoyle.language.sentences import FALLBACK

DEBOUNCE = 0.08
"""Seconds without a key pressed before what was typed is checked."""
IDLE = 0.7
"""Seconds more before files that are not open, and are built on one that is, are checked too."""
T = TypeVar("T")


class Service:
    """One editor's desk."""

    def __init__(self, server: LanguageServer, lang: str = FALLBACK) -> None:
        self.server, self.lang = server, lang
        self.texts: dict[str, str] = {}
        self.uris: dict[str, str] = {}
        self.crlf: set[str] = set()
        """The open texts whose lines end with a carriage return and a line feed."""
        self.sound: dict[str, Analysis] = {}
        """The last analysis of each ruleset that had a tree."""
        self.fresh: dict[str, Analysis] = {}
        self.found: dict[str, tuple[Diagnostic, ...]] = {}
        """By the ruleset that was checked."""
        self.told: dict[str, list[types.Diagnostic]] = {}
        self.awaited: asyncio.Task[None] | None = None
        self.unchecked: set[str] = set()
        """What has changed, or may have, and is checked when nobody types any more."""
        self.quick, self.thorough = ThreadPoolExecutor(1), ThreadPoolExecutor(1)

    # ---- files -------------------------------------------------------------------------------------------------------

    def uri(self, name: str) -> str:
        """What the editor calls a file."""
        place = real(name)
        return self.uris.get(place) or str(names.from_fs_path(place))

    def place(self, uri: str) -> str:
        """The real path of what an editor calls so."""
        return real(names.to_fs_path(uri) or uri)

    def opened(self, uri: str, text: str) -> None:
        """A text is open, or has changed."""
        place = self.place(uri)
        if is_ours(text) or place in self.texts:
            if place not in self.texts:
                self.told.pop(place, None)  # who opens it wants to know, whatever was told before
                self.fresh.clear()  # and files that are not open may have changed since
            (self.crlf.add if "\r\n" in text else self.crlf.discard)(place)
            self.texts[place] = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
            self.uris[place] = uri
            self._await(place)

    def with_ends(self, name: str, text: str) -> str:
        """A new text for a file, with the line ends that the file has."""
        return text.replace("\n", "\r\n") if real(name) in self.crlf else text

    def closed(self, uri: str) -> None:
        place = self.place(uri)
        self.texts.pop(place, None)
        self.found.pop(place, None)
        self.publish()
        self._await(*(text for text in self.texts if text == real(checked_with(Path(place)))))

    def changed_outside(self, uris: Iterable[str]) -> None:
        """Files have been written by something else. Of those that are open what is on the screen counts."""
        if any(self.place(uri) not in self.texts for uri in uris):
            self.fresh.clear()
            self._await(*self.texts)

    # ---- checks ------------------------------------------------------------------------------------------------------

    def _await(self, *places: str) -> None:
        """Checks when nobody types any more."""
        self.unchecked.update(places)
        if self.awaited is not None:
            self.awaited.cancel()
        self.awaited = asyncio.get_running_loop().create_task(self._check_soon())

    async def _check_soon(self) -> None:
        try:
            await asyncio.sleep(DEBOUNCE)
            texts, built = dict(self.texts), list[str]()
            for place in sorted(self.unchecked):
                built += await self._check_with_built(place, texts)
                self.unchecked.discard(place)
            await asyncio.sleep(IDLE)
            for other in dict.fromkeys(p for p in built if p not in texts):
                self._note(other, await self._in(self.thorough, partial(judged_anew, Path(other), texts)))
        except asyncio.CancelledError:
            raise
        except Exception as fault:
            self.fault("check", fault)

    async def _check_with_built(self, place: str, texts: dict[str, str]) -> list[str]:
        """Checks the ruleset of a text, and those built on it that are open; all that are built on it."""
        own = real(checked_with(Path(place)))
        built = await self._in(self.quick, lambda: dependents(own, texts))
        await self._check(own, texts)
        for other in (p for p in built if p in texts):
            await self._check(other, texts)
        return built

    async def _check(self, place: str, texts: dict[str, str]) -> None:
        """Tells what each formula says at once, and what only the whole ruleset can tell when that is known."""
        first = await self.analysis(place, texts)
        if any(d.severity == "error" for d in first.problems):
            self._note(place, first.problems)
        self._note(place, await self._in(self.thorough, partial(judged, first)))

    def _note(self, place: str, problems: tuple[Diagnostic, ...]) -> None:
        self.found[place] = problems
        self.publish()

    async def analysis(self, place: str, texts: dict[str, str] | None = None) -> Analysis:
        """What is known of the ruleset at this place, as it is now."""
        now = dict(self.texts) if texts is None else texts
        known = self.fresh.get(place)
        if known is None or not known.holds(now):
            known = self.fresh[place] = await self._in(self.quick, lambda: analysed(Path(place), now))
            if known.merged is not None:
                self.sound[place] = known
        return known

    async def _in(self, crew: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(crew, work)

    async def _sound(self, place: str) -> Analysis:
        """The last that had a tree: of the texts that were open then, else of the files on the disk."""
        known = await self.analysis(place)
        if known.merged is None and place not in self.sound:
            self.sound[place] = await self._in(self.quick, lambda: analysed(Path(place), {}))
        return known if known.merged is not None else self.sound[place]

    def is_own(self, place: str) -> bool:
        """Does a file belong to whoever writes here: does it lie in a folder that is open, or beside a text that is?"""
        opened = [self.place(folder) for folder in self.server.workspace.folders]
        folders = opened or [os.path.dirname(text) for text in self.texts]
        return any(place.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)

    def refusal(self, why: str) -> Exception:
        """What tells the editor why something is not done."""
        return JsonRpcException(why, code=types.LSPErrorCodes.RequestFailed)

    # ---- what the editor is told -------------------------------------------------------------------------------------

    def publish(self) -> None:
        """Tells the problems of each file of which there is something new to tell."""
        for place, problems in self._by_file().items():
            said = [protocol.diagnostic(d, self.lang, self.uri) for d in problems]
            if said != self.told.get(place):
                self.told[place] = said
                params = types.PublishDiagnosticsParams(uri=self.uri(place), diagnostics=said)
                self.server.text_document_publish_diagnostics(params)

    def _by_file(self) -> dict[str, list[Diagnostic]]:
        """What was found in all rulesets, once for each place; nothing of files that were looked at, or told of before."""
        looked_at = [place for place in self.texts if real(checked_with(Path(place))) in self.found]
        found: dict[str, dict[tuple[object, ...], Diagnostic]] = {place: {} for place in (*self.told, *looked_at)}
        for root, problems in self.found.items():
            for d in problems:
                place = real(d.span.source.name) if d.span is not None else root
                start = d.span.start if d.span is not None else -1
                found.setdefault(place, {}).setdefault((d.code, d.message, start), d)
        return {place: list(several.values()) for place, several in found.items()}

    def fault(self, what: str, fault: Exception) -> None:
        """A mistake of this program: noted where programs note such things, and the server lives on."""
        traceback.print_exception(fault, file=sys.stderr)
        message = f"{word(self.lang, 'server.fault', what=what)}: {type(fault).__name__}: {fault}"
        self.server.window_log_message(types.LogMessageParams(type=types.MessageType.Error, message=message))

    # ---- what the editor asks ----------------------------------------------------------------------------------------

    async def asked(
        self, what: str, uri: str, answer: Callable[[Analysis, str], T], sound: bool = False, slow: bool = False
    ) -> T | None:
        """An answer about a file that is open, from what is known of it; None where that is nothing. `sound`: the last analysis that had a tree will
        do; `slow`: it may take seconds."""
        place = self.place(uri)
        if place not in self.texts:
            return None
        try:
            own = real(checked_with(Path(place)))
            known = await self._sound(own) if sound else await self.analysis(own)
            return await self._in(self.thorough if slow else self.quick, lambda: answer(known, place))
        except Exception as fault:
            self.fault(what, fault)
            return None

    def offset(self, place: str, at: types.Position) -> int:
        """Where the editor's pointer stands in an open text."""
        return lines_of(self.texts[place]).offset((at.line, at.character))
