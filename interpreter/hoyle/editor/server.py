"""The language server: which function answers which request of the protocol."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types
from msgspec import Struct
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from hoyle.diagnostics import Refused
from hoyle.editor import protocol
from hoyle.editor.analysis import Analysis, load_tree
from hoyle.editor.completion import complete
from hoyle.editor.cursor_context import find_context
from hoyle.editor.edits import find_quick_fixes, format_with_edits
from hoyle.editor.hover import find_hover, find_signature
from hoyle.editor.names.references import find_definitions, find_references, find_target
from hoyle.editor.names.renaming import RenameError, rename_symbol
from hoyle.editor.names.symbols import build_outline, list_folds
from hoyle.editor.positions import split_lines
from hoyle.editor.service import Session
from hoyle.editor.wording import choose_language, translate
from hoyle.resources import ENDINGS, VERSION


def create_server(lang: str = "") -> LanguageServer:
    """Return a server that can be started. `lang`: its language; empty: that of the editor."""
    server = LanguageServer("hoyle", VERSION)
    session = Session(server, choose_language(lang))
    if not lang:
        server.feature(types.INITIALIZE)(partial(_initialize, session))
    for method, notice in _list_notices(session).items():
        server.feature(method)(notice)
    for request in _REQUESTS:
        server.feature(request.method, request.options)(partial(_answer, session, request))
    return server


# ---- notices ---------------------------------------------------------------------------------------------------------


def _initialize(session: Session, params: types.InitializeParams) -> None:
    session.lang = choose_language(params.locale)


def _list_notices(session: Session) -> dict[str, Any]:
    """Return handlers of opened, changed and closed texts, and of files that other programs write."""

    async def open_text(params: types.DidOpenTextDocumentParams) -> None:
        session.update_text(params.text_document.uri, params.text_document.text)

    async def change_text(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        session.update_text(uri, str(session.server.workspace.get_text_document(uri).source))

    async def close_text(params: types.DidCloseTextDocumentParams) -> None:
        session.close_text(params.text_document.uri)

    async def note_changes(params: types.DidChangeWatchedFilesParams) -> None:
        session.note_outside_changes(change.uri for change in params.changes)

    async def watch_files(params: types.InitializedParams) -> None:
        """Ask the editor to report files that other programs write, if it can."""
        workspace = session.server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is None or not watching.dynamic_registration:
            return
        watchers = [types.FileSystemWatcher(glob_pattern=f"**/*{ending}") for ending in ENDINGS]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        registration = types.Registration("rulesets", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await session.server.client_register_capability_async(types.RegistrationParams([registration]))

    return {
        types.INITIALIZED: watch_files,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES: note_changes,
        types.TEXT_DOCUMENT_DID_OPEN: open_text,
        types.TEXT_DOCUMENT_DID_CHANGE: change_text,
        types.TEXT_DOCUMENT_DID_CLOSE: close_text,
    }


# ---- requests: each function gets the session, the analysis, the path of the file and the parameters -----------------


class _Request(Struct, frozen=True):
    """A method of the protocol, the function that answers it, and the flags of Session.answer."""

    method: str
    answer: Callable[[Session, Analysis, str, Any], Any]
    options: Any = None
    is_sound: bool = False
    is_slow: bool = False


async def _answer(session: Session, request: _Request, params: Any) -> Any:
    answer = partial(request.answer, session)
    name = request.method.removeprefix("textDocument/")
    return await session.answer(
        name,
        params.text_document.uri,
        lambda known, path: answer(known, path, params),
        request.is_sound,
        request.is_slow,
    )


def _answer_hover(session: Session, known: Analysis, path: str, params: types.HoverParams) -> types.Hover | None:
    hover = find_hover(known, path, session.to_offset(path, params.position), session.lang)
    if hover is None:
        return None
    content = types.MarkupContent(kind=types.MarkupKind.Markdown, value=hover.text)
    return types.Hover(contents=content, range=protocol.to_range(hover.span) if hover.span else None)


def _answer_outline(session: Session, known: Analysis, path: str, params: Any) -> list[types.DocumentSymbol] | None:
    tree = load_tree(path, known.texts)
    return [protocol.to_document_symbol(item) for item in build_outline(tree)] if tree is not None else None


def _answer_folds(session: Session, known: Analysis, path: str, params: Any) -> list[types.FoldingRange] | None:
    tree = load_tree(path, known.texts)
    return protocol.to_folding_ranges(list_folds(tree)) if tree is not None else None


def _answer_completion(
    session: Session, known: Analysis, path: str, params: types.CompletionParams
) -> list[types.CompletionItem]:
    text, at = session.texts[path], session.to_offset(path, params.position)
    lines = split_lines(text)
    start = lines.find_position(at - len(find_context(text, at).word))
    replaced = types.Range(protocol.to_position(start), params.position)
    has_colon = text[at : lines.find_end(lines.find_position(at)[0])].lstrip().startswith(":")
    offers = complete(known, path, text, at, session.lang)
    return [protocol.to_completion_item(offer, replaced, has_colon) for offer in offers]


def _answer_signature(
    session: Session, known: Analysis, path: str, params: types.SignatureHelpParams
) -> types.SignatureHelp | None:
    at = session.to_offset(path, params.position)
    signature = find_signature(known, session.texts[path], at, session.lang)
    return protocol.to_signature_help(signature) if signature is not None else None


def _answer_definition(
    session: Session, known: Analysis, path: str, params: types.DefinitionParams
) -> list[types.Location]:
    spans = find_definitions(known, path, session.to_offset(path, params.position))
    return [protocol.to_location(span, session.to_uri) for span in spans]


def _answer_references(
    session: Session, known: Analysis, path: str, params: types.ReferenceParams
) -> list[types.Location]:
    target = find_target(known, path, session.to_offset(path, params.position))
    analyse = partial(session.analyse_other, texts=dict(known.texts))
    uses = find_references(known, target, analyse) if target is not None else []
    return [protocol.to_location(use.span, session.to_uri) for use in uses]


def _answer_prepare_rename(
    session: Session, known: Analysis, path: str, params: types.PrepareRenameParams
) -> types.Range | None:
    target = find_target(known, path, session.to_offset(path, params.position))
    return protocol.to_range(target.span) if target is not None else None


def _answer_rename(session: Session, known: Analysis, path: str, params: types.RenameParams) -> types.WorkspaceEdit:
    target = find_target(known, path, session.to_offset(path, params.position))
    if target is None:
        raise _refuse(translate(session.lang, "rename.nothing"))
    analyse = partial(session.analyse_other, texts=dict(known.texts))
    try:
        edits = rename_symbol(known, target, params.new_name, analyse, session.is_own, session.lang)
    except RenameError as error:
        raise _refuse(str(error)) from None
    return protocol.to_workspace_edit(edits, session.to_uri, session.restore_line_ends)


def _answer_code_actions(
    session: Session, known: Analysis, path: str, params: types.CodeActionParams
) -> list[types.CodeAction]:
    checked = [problem for problems in list(session.problems.values()) for problem in problems]
    return [
        protocol.to_code_action(quick_fix, session.to_uri, session.restore_line_ends, session.lang)
        for quick_fix in find_quick_fixes([*known.problems, *checked], path, session.texts[path])
        if protocol.shares_line(quick_fix.fix.span, params.range)
    ]


def _answer_format(session: Session, known: Analysis, path: str, params: Any) -> list[types.TextEdit]:
    """Format the text. There is one layout, so the editor's settings for tabs and widths are ignored."""
    try:
        edits = format_with_edits(session.texts[path], path)
    except Refused as refused:
        raise _refuse(protocol.describe_unreadable(refused, session.lang)) from None
    return [protocol.to_text_edit(fix, session.restore_line_ends) for fix in edits]


def _answer_semantic_tokens(session: Session, known: Analysis, path: str, params: Any) -> types.SemanticTokens:
    return types.SemanticTokens(data=protocol.encode_semantic_tokens(known, path))


def _refuse(why: str) -> JsonRpcException:
    """Return the error that tells the editor why a request is refused."""
    return JsonRpcException(why, code=types.LSPErrorCodes.RequestFailed)


_REQUESTS = (
    _Request(types.TEXT_DOCUMENT_HOVER, _answer_hover),
    _Request(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _answer_outline),
    _Request(types.TEXT_DOCUMENT_FOLDING_RANGE, _answer_folds),
    _Request(
        types.TEXT_DOCUMENT_COMPLETION,
        _answer_completion,
        types.CompletionOptions(trigger_characters=[".", "[", "{"]),
        is_sound=True,
    ),
    _Request(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        _answer_signature,
        types.SignatureHelpOptions(trigger_characters=["(", ","]),
        is_sound=True,
    ),
    _Request(types.TEXT_DOCUMENT_DEFINITION, _answer_definition, is_sound=True),
    _Request(types.TEXT_DOCUMENT_REFERENCES, _answer_references, is_slow=True),
    _Request(types.TEXT_DOCUMENT_PREPARE_RENAME, _answer_prepare_rename),
    _Request(types.TEXT_DOCUMENT_RENAME, _answer_rename, types.RenameOptions(prepare_provider=True), is_slow=True),
    _Request(types.TEXT_DOCUMENT_CODE_ACTION, _answer_code_actions),
    _Request(types.TEXT_DOCUMENT_FORMATTING, _answer_format),
    _Request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _answer_semantic_tokens, protocol.LEGEND),
)
