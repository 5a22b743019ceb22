"""An editor without a screen: a real client of `hoyle lsp`, over its standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from interpreter.editor.positions import lines_of

T = TypeVar("T")
PATIENCE = 30
"""Seconds that an answer may take on a machine that has much to do."""


def edited(folders: pytest.TempPathFactory) -> Iterator[Editor]:
    """An editor in a folder of its own, for all tests of a file."""
    found = Editor(folders.mktemp("editor"))
    yield found
    found.end()


class Editor:
    """Opens texts, changes them and asks. What `‸` marks in a text is where the pointer stands."""

    def __init__(self, folder: Path, *words: str, locale: str = "en") -> None:
        self.folder = folder
        self.loop = asyncio.new_event_loop()
        self.client = LanguageClient("tests", "1")
        self.published: dict[str, list[types.Diagnostic]] = {}
        self.times: dict[str, int] = {}
        self.logged: list[str] = []
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._published(params))
        self.client.feature(types.WINDOW_LOG_MESSAGE)(lambda params: self.logged.append(params.message))
        self.can = self.run(self._begin(words, locale))

    async def _begin(self, words: tuple[str, ...], locale: str) -> types.ServerCapabilities:
        await self.client.start_io(sys.executable, "-m", "interpreter", "lsp", *words)
        found = await self.client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(), locale=locale, root_uri=self.folder.as_uri()
            )
        )
        self.client.initialized(types.InitializedParams())
        return found.capabilities

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    def end(self) -> None:
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
        self.times[params.uri] = self.times.get(params.uri, 0) + 1

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
        name = types.TextDocumentIdentifier(uri=uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=name))

    def told(self, uri: str, wanted: Any = lambda found: True) -> list[types.Diagnostic]:
        """The problems of a file, once they are as wanted."""

        async def wait() -> None:
            while uri not in self.published or not wanted(self.published[uri]):
                await asyncio.sleep(0.01)

        self.run(wait())
        return self.published[uri]

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
