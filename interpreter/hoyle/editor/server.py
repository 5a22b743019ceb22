"""The language server: what of the protocol is answered, and by what."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from hoyle.editor import telling
from hoyle.editor.answers import answers
from hoyle.editor.desk import Analysis, own_tree
from hoyle.editor.hovering import hover
from hoyle.editor.outline import folds, outline
from hoyle.editor.service import Service
from hoyle.editor.speech import language
from hoyle.resources import ENDINGS, VERSION


def made(lang: str = "") -> LanguageServer:
    """A server, ready to be started. `lang`: the language it speaks; empty for that of the editor."""
    server = LanguageServer("hoyle", VERSION)
    service = Service(server, language(lang))
    if not lang:
        server.feature(types.INITIALIZE)(_greeting(service))
    for name, handler in _notices(service).items():
        server.feature(name)(handler)
    for name, handler, options in [*_answers(service), *answers(service)]:
        server.feature(name, options)(handler)
    return server


def _greeting(service: Service) -> Any:
    def greet(params: types.InitializeParams) -> None:
        service.lang = language(params.locale)

    return greet


def _notices(service: Service) -> dict[str, Any]:
    """What the editor tells: texts that are opened, changed and closed, and files that something else writes."""

    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        service.opened(params.text_document.uri, params.text_document.text)

    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        service.opened(uri, str(service.server.workspace.get_text_document(uri).source))

    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        service.closed(params.text_document.uri)

    async def written(params: types.DidChangeWatchedFilesParams) -> None:
        service.changed_outside(change.uri for change in params.changes)

    async def ready(params: types.InitializedParams) -> None:
        await _watch(service.server)

    return {
        types.INITIALIZED: ready,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES: written,
        types.TEXT_DOCUMENT_DID_OPEN: opened,
        types.TEXT_DOCUMENT_DID_CHANGE: changed,
        types.TEXT_DOCUMENT_DID_CLOSE: closed,
    }


async def _watch(server: LanguageServer) -> None:
    """Asks the editor to tell of files that are written by something else, if it can be asked."""
    workspace = server.client_capabilities.workspace
    watches = workspace.did_change_watched_files if workspace is not None else None
    if watches is None or not watches.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(glob_pattern=f"**/*{ending}") for ending in ENDINGS]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    watched = types.Registration("rulesets", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await server.client_register_capability_async(types.RegistrationParams([watched]))


def _answers(service: Service) -> list[tuple[str, Any, Any]]:
    """What the editor asks, with what answers it and what it must know of that beforehand."""

    async def hovered(params: types.HoverParams) -> types.Hover | None:
        def answer(known: Analysis, place: str) -> types.Hover | None:
            found = hover(known, place, service.offset(place, params.position), service.lang)
            if found is None:
                return None
            text = types.MarkupContent(kind=types.MarkupKind.Markdown, value=found.text)
            return types.Hover(contents=text, range=telling.whole_range(found.span) if found.span else None)

        return await service.asked("hover", params.text_document.uri, answer)

    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        def answer(known: Analysis, place: str) -> list[types.DocumentSymbol] | None:
            tree = own_tree(place, known.texts)
            return [telling.symbol(item) for item in outline(tree)] if tree is not None else None

        return await service.asked("outline", params.text_document.uri, answer)

    async def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        def answer(known: Analysis, place: str) -> list[types.FoldingRange] | None:
            tree = own_tree(place, known.texts)
            return telling.folding(folds(tree)) if tree is not None else None

        return await service.asked("folding", params.text_document.uri, answer)

    return [
        (types.TEXT_DOCUMENT_HOVER, hovered, None),
        (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, symbols, None),
        (types.TEXT_DOCUMENT_FOLDING_RANGE, folding, None),
    ]
