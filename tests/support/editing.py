"""An editor without a screen: a real client of the language server, in memory or over standard input and output of `hoyle lsp`."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Coroutine, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from interpreter.editor import server, service
from interpreter.editor.positions import lines_of

T = TypeVar("T")
PATIENCE = 30
"""Seconds that an answer may take on a busy machine."""
LATER = 3600.0
"""Seconds after which the server would check by itself: tests ask for checks, so that none runs between them."""


def edited(folders: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Editor]:
    """The editor of this process, with nothing open and an empty folder."""
    monkeypatch.setattr(service, "DEBOUNCE", LATER)
    folder = folders.getbasetemp() / "editor"
    folder.mkdir(exist_ok=True)
    found = _editor(folder)
    yield found
    found.clear()


@cache
def _editor(folder: Path) -> Editor:
    return Editor(folder)


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
        self.service: service.Service | None = None
        self.published: dict[str, list[types.Diagnostic]] = {}
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._published(params))
        self.can = self.run(self._begin(words, locale))

    async def _begin(self, words: tuple[str, ...], locale: str) -> types.ServerCapabilities:
        if words:
            await self.client.start_io(sys.executable, "-m", "interpreter", *words)
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
        def served(*given: Any) -> service.Service:
            self.service = service.Service(*given)
            return self.service

        with patch.object(server, "Service", served):
            made = server.made()
        self.client.protocol.set_writer(Line(self.loop, made.protocol), include_headers=False)
        made.protocol.set_writer(Line(self.loop, self.client.protocol), include_headers=False)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    def clear(self) -> None:
        """Close all texts, forget what was told, and remove all files."""
        for uri in list(self.texts):
            self.close(uri)
        self.run(asyncio.sleep(0.001))
        assert self.service is not None
        if self.service.awaited is not None:
            self.service.awaited.cancel()
        for kept in (self.service.unchecked, self.service.found, self.service.told, self.service.sound):
            kept.clear()
        self.published.clear()
        for place in self.folder.iterdir():
            place.unlink()

    def end(self) -> None:
        """End a server process."""

        async def leave() -> None:
            await self.client.shutdown_async(None)
            self.client.exit(None)
            stop: Any = self.client.stop
            await stop()

        self.run(leave())
        self.loop.close()

    # ---- texts -------------------------------------------------------------------------------------------------------

    def uri(self, name: str | Path) -> str:
        return (self.folder / name).as_uri()

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        self.published[params.uri] = list(params.diagnostics)

    def open(self, name: str | Path, text: str | None = None) -> str:
        """Opens a file, with this text if one is given; its uri."""
        uri = self.uri(name)
        said = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        self.texts[uri], self.versions[uri] = said, 1
        item = types.TextDocumentItem(uri=uri, language_id="hoyle", version=1, text=said)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        return uri

    def change(self, uri: str, text: str) -> None:
        """Replaces the text, as an editor tells of it: the stretch that differs."""
        old, self.texts[uri] = self.texts[uri], text
        self.versions[uri] += 1
        start = next((i for i, (a, b) in enumerate(zip(old, text, strict=False)) if a != b), min(len(old), len(text)))
        same = 0
        while same < min(len(old), len(text)) - start and old[-1 - same] == text[-1 - same]:
            same += 1
        lines = lines_of(old)
        places = [types.Position(*lines.position(at)) for at in (start, len(old) - same)]
        change = types.TextDocumentContentChangePartial(range=types.Range(*places), text=text[start : len(text) - same])
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri]),
                content_changes=[change],
            )
        )

    def close(self, uri: str) -> None:
        self.published.pop(uri, None)
        del self.texts[uri]
        name = types.TextDocumentIdentifier(uri=uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=name))

    def told(self, uri: str) -> list[types.Diagnostic]:
        """The problems of a file, when everything has been checked; those of a server process as soon as it tells them."""
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
            self.service._await()
            assert self.service.awaited is not None
            await self.service.awaited

    # ---- questions ---------------------------------------------------------------------------------------------------

    def at(self, uri: str, mark: str) -> dict[str, Any]:
        """The document, and the place in its text that is marked in this piece of it."""
        before, _, after = mark.partition("‸")
        found = self.texts[uri].index(before + after) + len(before)
        place = types.Position(*lines_of(self.texts[uri]).position(found))
        return {"text_document": types.TextDocumentIdentifier(uri=uri), "position": place}

    def text_at(self, uri: str, place: types.Range) -> str:
        """What stands in a range of a text that is open."""
        lines = lines_of(self.texts[uri])
        start, end = (lines.offset((p.line, p.character)) for p in (place.start, place.end))
        return self.texts[uri][start:end]

    def hover(self, uri: str, mark: str) -> str:
        found: Any = self.run(self.client.text_document_hover_async(types.HoverParams(**self.at(uri, mark))))
        return str(found.contents.value) if found is not None else ""
