"""An editor for tests: a client of the language server, in memory or over standard input and output of `hoyle lsp`."""

from __future__ import annotations

import asyncio
import json
import sys
from bisect import bisect_left
from collections.abc import Coroutine, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from hoyle.editor import server, service
from hoyle.editor.positions import split_lines

T = TypeVar("T")
PATIENCE = 30
"""Seconds: the longest wait for an answer on a busy machine."""
LATER = 3600.0
"""Seconds before the server checks by itself: never during a test, since tests ask for checks."""


def edited(folders: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Editor]:
    monkeypatch.setattr(service, "DEBOUNCE", LATER)
    folder = folders.getbasetemp() / "editor"
    folder.mkdir(exist_ok=True)
    found = _editor(folder)
    yield found
    found.clear()


@cache
def _editor(folder: Path) -> Editor:
    return Editor(folder)


def _count_same(one: str, other: str) -> int:
    return bisect_left(range(min(len(one), len(other))), True, key=lambda n: one[: n + 1] != other[: n + 1])


class Line:
    """One direction of a connection in memory."""

    def __init__(self, loop: asyncio.AbstractEventLoop, other: Any) -> None:
        self.loop, self.other = loop, other

    def write(self, data: bytes) -> None:
        self.loop.call_soon(self.other.handle_message, json.loads(data, object_hook=self.other.structure_message))

    def close(self) -> None:
        pass


class Editor:
    """Opens texts, changes them and asks. `‸` marks the pointer in a text. `words`: those of a server process."""

    def __init__(self, folder: Path, *words: str, locale: str = "en") -> None:
        self.folder = folder
        self.loop = asyncio.new_event_loop()
        self.client = LanguageClient("tests", "1")
        self.service: service.Session | None = None
        self.published: dict[str, list[types.Diagnostic]] = {}
        self.texts: dict[str, str] = {}
        self.version = 0
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._published(params))
        self.can = self.run(self._begin(words, locale))

    async def _begin(self, words: tuple[str, ...], locale: str) -> types.ServerCapabilities:
        if words:
            await self.client.start_io(sys.executable, "-m", "hoyle", *words)
        else:
            self._link()
        found = await self.client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(), locale=locale, root_uri=self.folder.as_uri()
            )
        )
        self.client.initialized(types.InitializedParams())
        return found.capabilities

    def _link(self) -> None:
        def served(*given: Any) -> service.Session:
            self.service = service.Session(*given)
            return self.service

        with patch.object(server, "Session", served):
            made = server.create_server()
        self.client.protocol.set_writer(Line(self.loop, made.protocol), include_headers=False)
        made.protocol.set_writer(Line(self.loop, self.client.protocol), include_headers=False)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    def clear(self) -> None:
        for uri in list(self.texts):
            self.close(uri)
        self.run(asyncio.sleep(0.001))
        assert self.service is not None
        if self.service.pending is not None:
            self.service.pending.cancel()
        for kept in (self.service.unchecked, self.service.problems, self.service.published, self.service.sound):
            kept.clear()
        self.published.clear()
        for place in self.folder.iterdir():
            place.unlink()

    def end(self) -> None:
        async def leave() -> None:
            await self.client.shutdown_async(None)
            self.client.exit(None)
            stop: Any = self.client.stop
            await stop()

        self.run(leave())
        self.loop.close()

    # ---- texts -------------------------------------------------------------------------------------------------------

    def _params(self, method: str, said: dict[str, Any]) -> Any:
        kind: Any = types.METHOD_TO_TYPES[method][2]
        return self.client.protocol._converter.structure(said, kind)

    def tell(self, what: str, **said: Any) -> None:
        """Send a notice of the protocol, such as `textDocument/didOpen`, in its own JSON."""
        self.version += 1
        self.client.protocol.notify(what, self._params(what, said))

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        self.published[params.uri] = list(params.diagnostics)

    def open(self, name: str | Path, text: str | None = None) -> str:
        """Open a file, with this text if one is given; its uri."""
        uri = (self.folder / name).as_uri()
        self.texts[uri] = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        item = {"uri": uri, "languageId": "hoyle", "version": self.version, "text": self.texts[uri]}
        self.tell("textDocument/didOpen", textDocument=item)
        return uri

    def change(self, uri: str, text: str) -> None:
        old, self.texts[uri] = self.texts[uri], text
        start = _count_same(old, text)
        same = _count_same(old[start:][::-1], text[start:][::-1])
        ends = {"start": self._position(old, start), "end": self._position(old, len(old) - same)}
        self.tell(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": self.version},
            contentChanges=[{"range": ends, "text": text[start : len(text) - same]}],
        )

    def close(self, uri: str) -> None:
        self.published.pop(uri, None)
        del self.texts[uri]
        self.tell("textDocument/didClose", textDocument={"uri": uri})

    def told(self, uri: str) -> list[types.Diagnostic]:
        """Return the problems of a file after all checks; of a server process as soon as it publishes them."""
        self.run(self._checked(uri))
        return self.published[uri]

    async def _checked(self, uri: str) -> None:
        if self.service is None:
            while uri not in self.published:
                await asyncio.sleep(0.01)
            return
        for _ in range(5):  # notices are on their way
            await asyncio.sleep(0)
        with patch.multiple(service, DEBOUNCE=0, IDLE=0):
            self.service.schedule_check()
            assert self.service.pending is not None
            await self.service.pending

    # ---- questions ---------------------------------------------------------------------------------------------------

    @staticmethod
    def _position(text: str, at: int) -> dict[str, int]:
        line, character = split_lines(text).find_position(at)
        return {"line": line, "character": character}

    def ask(self, what: str, uri: str, mark: str = "", **more: Any) -> Any:
        """The answer to a request of the protocol, such as `hover`, at the marked place; `more` is in its own JSON."""
        if mark:
            before, _, after = mark.partition("‸")
            at = self.texts[uri].index(before + after) + len(before)
            more["position"] = self._position(self.texts[uri], at)
        method = f"textDocument/{what}"
        params = self._params(method, {"textDocument": {"uri": uri}, **more})

        async def answer() -> Any:
            return await self.client.protocol.send_request_async(method, params)

        return self.run(answer())

    def hover(self, uri: str, mark: str) -> str:
        found = self.ask("hover", uri, mark)
        return str(found.contents.value) if found is not None else ""

    def text_at(self, uri: str, place: types.Range) -> str:
        lines = split_lines(self.texts[uri])
        start, end = (lines.find_offset((p.line, p.character)) for p in (place.start, place.end))
        return self.texts[uri][start:end]

    def edited(self, uri: str, edits: list[types.TextEdit]) -> str:
        """The text of a file, open or not, after these edits."""
        text = self.texts.get(uri) or Path(uri.removeprefix("file://")).read_text(encoding="utf-8")
        lines = split_lines(text)
        for one in sorted(edits, key=lambda e: (-e.range.start.line, -e.range.start.character)):
            start, end = (lines.find_offset((p.line, p.character)) for p in (one.range.start, one.range.end))
            text = text[:start] + one.new_text + text[end:]
        return text
