"""The language server: what of the protocol is answered, and by what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from hoyle.diagnostics import Refused
from hoyle.editor import protocol
from hoyle.editor.analysis import Analysis, analysed, own_tree
from hoyle.editor.completion import completions
from hoyle.editor.cursor_context import where
from hoyle.editor.edits import repairs, tidied
from hoyle.editor.hover import hover, signature
from hoyle.editor.names.references import Analyser, definitions, references, target
from hoyle.editor.names.renaming import NoRename, renamed
from hoyle.editor.names.symbols import folds, outline
from hoyle.editor.positions import lines_of
from hoyle.editor.protocol import LEGEND, semantic_tokens
from hoyle.editor.service import Service
from hoyle.editor.wording import language, word
from hoyle.resources import ENDINGS, VERSION


def answers(service: Service) -> list[tuple[str, Any, Any]]:
    """(what is asked, what answers it, what the editor is told of that beforehand)"""
    return [
        (
            types.TEXT_DOCUMENT_COMPLETION,
            _completion(service),
            types.CompletionOptions(trigger_characters=[".", "[", "{"]),
        ),
        (
            types.TEXT_DOCUMENT_SIGNATURE_HELP,
            _signature(service),
            types.SignatureHelpOptions(trigger_characters=["(", ","]),
        ),
        (types.TEXT_DOCUMENT_DEFINITION, _definition(service), None),
        (types.TEXT_DOCUMENT_REFERENCES, _references(service), None),
        (types.TEXT_DOCUMENT_PREPARE_RENAME, _prepared(service), None),
        (types.TEXT_DOCUMENT_RENAME, _rename(service), types.RenameOptions(prepare_provider=True)),
        (types.TEXT_DOCUMENT_CODE_ACTION, _actions(service), None),
        (types.TEXT_DOCUMENT_FORMATTING, _formatting(service), None),
        (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _colours(service), LEGEND),
    ]


def _completion(service: Service) -> Any:
    async def complete(params: types.CompletionParams) -> list[types.CompletionItem] | None:
        def answer(known: Analysis, place: str) -> list[types.CompletionItem]:
            text, at = service.texts[place], service.offset(place, params.position)
            lines = lines_of(text)
            start = at - len(where(text, at).word)
            span = types.Range(protocol.position(lines.position(start)), params.position)
            rest = text[at : lines.end(lines.position(at)[0])].lstrip()
            offers = completions(known, place, text, at, service.lang)
            return [protocol.completion(offer, span, rest.startswith(":")) for offer in offers]

        return await service.asked("completion", params.text_document.uri, answer, sound=True)

    return complete


def _signature(service: Service) -> Any:
    async def sign(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        def answer(known: Analysis, place: str) -> types.SignatureHelp | None:
            found = signature(known, service.texts[place], service.offset(place, params.position), service.lang)
            return protocol.signature(found) if found is not None else None

        return await service.asked("signature", params.text_document.uri, answer, sound=True)

    return sign


def _definition(service: Service) -> Any:
    async def define(params: types.DefinitionParams) -> list[types.Location] | None:
        def answer(known: Analysis, place: str) -> list[types.Location]:
            found = definitions(known, place, service.offset(place, params.position))
            return [protocol.location(span, service.uri) for span in found]

        return await service.asked("definition", params.text_document.uri, answer, sound=True)

    return define


def _analyser(service: Service, known: Analysis) -> Analyser:
    """Analyses of other rulesets with the same texts."""

    def analyse(place: str) -> Analysis:
        other = service.fresh.get(place)
        return other if other is not None and other.holds(known.texts) else analysed(Path(place), known.texts)

    return analyse


def _references(service: Service) -> Any:
    async def refer(params: types.ReferenceParams) -> list[types.Location] | None:
        def answer(known: Analysis, place: str) -> list[types.Location]:
            found = target(known, place, service.offset(place, params.position))
            uses = references(known, found, _analyser(service, known)) if found is not None else []
            return [protocol.location(use.span, service.uri) for use in uses]

        return await service.asked("references", params.text_document.uri, answer, slow=True)

    return refer


def _prepared(service: Service) -> Any:
    async def prepare(params: types.PrepareRenameParams) -> types.Range | None:
        def answer(known: Analysis, place: str) -> types.Range | None:
            found = target(known, place, service.offset(place, params.position))
            return protocol.whole_range(found.span) if found is not None else None

        return await service.asked("rename", params.text_document.uri, answer)

    return prepare


def _rename(service: Service) -> Any:
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        def answer(known: Analysis, place: str) -> types.WorkspaceEdit | NoRename:
            found = target(known, place, service.offset(place, params.position))
            if found is None:
                return NoRename(word(service.lang, "rename.nothing"))
            try:
                analyser = _analyser(service, known)
                edits = renamed(known, found, params.new_name, analyser, service.is_own, service.lang)
            except NoRename as refused:
                return refused
            return protocol.workspace_edit(edits, service.uri, service.with_ends)

        found = await service.asked("rename", params.text_document.uri, answer, slow=True)
        if isinstance(found, NoRename):
            raise service.refusal(str(found))
        return found

    return rename


def _actions(service: Service) -> Any:
    async def act(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        def answer(known: Analysis, place: str) -> list[types.CodeAction]:
            told = [d for several in list(service.found.values()) for d in several]  # a check may add to it meanwhile
            found = repairs([*known.problems, *told], place, service.texts[place])
            near = [repair for repair in found if protocol.touches(repair.fix.span, params.range)]
            return [protocol.action(repair, service.uri, service.with_ends, service.lang) for repair in near]

        return await service.asked("repair", params.text_document.uri, answer)

    return act


def _formatting(service: Service) -> Any:
    """There is one way to write a ruleset well, so what the editor is set to (tabs, widths) is not looked at."""

    async def tidy(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        def answer(known: Analysis, place: str) -> list[types.TextEdit] | Refused:
            try:
                edits = tidied(service.texts[place], place)
            except Refused as refused:
                return refused
            return [protocol.edit(one, service.with_ends) for one in edits]

        found = await service.asked("format", params.text_document.uri, answer)
        if isinstance(found, Refused):
            raise service.refusal(protocol.unreadable(found, service.lang))
        return found

    return tidy


def _colours(service: Service) -> Any:
    async def colour(params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        def answer(known: Analysis, place: str) -> types.SemanticTokens:
            return types.SemanticTokens(data=semantic_tokens(known, place))

        return await service.asked("colours", params.text_document.uri, answer)

    return colour


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
            return types.Hover(contents=text, range=protocol.whole_range(found.span) if found.span else None)

        return await service.asked("hover", params.text_document.uri, answer)

    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        def answer(known: Analysis, place: str) -> list[types.DocumentSymbol] | None:
            tree = own_tree(place, known.texts)
            return [protocol.symbol(item) for item in outline(tree)] if tree is not None else None

        return await service.asked("outline", params.text_document.uri, answer)

    async def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        def answer(known: Analysis, place: str) -> list[types.FoldingRange] | None:
            tree = own_tree(place, known.texts)
            return protocol.folding(folds(tree)) if tree is not None else None

        return await service.asked("folding", params.text_document.uri, answer)

    return [
        (types.TEXT_DOCUMENT_HOVER, hovered, None),
        (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, symbols, None),
        (types.TEXT_DOCUMENT_FOLDING_RANGE, folding, None),
    ]
