"""What the server answers about names: completion, signatures, definitions, uses, other names, repairs, formatting, colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from hoyle.diagnostics import Refused
from hoyle.editor import telling
from hoyle.editor.colours import LEGEND, tokens
from hoyle.editor.completing import completions
from hoyle.editor.desk import Analysis, analysed
from hoyle.editor.fixes import repairs
from hoyle.editor.positions import lines_of
from hoyle.editor.referring import Analyser, definitions, references, target
from hoyle.editor.renaming import NoRename, renamed
from hoyle.editor.service import Service
from hoyle.editor.signatures import signature
from hoyle.editor.speech import word
from hoyle.editor.tidying import tidied
from hoyle.editor.where import where


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
            span = types.Range(telling.position(lines.position(start)), params.position)
            rest = text[at : lines.end(lines.position(at)[0])].lstrip()
            offers = completions(known, place, text, at, service.lang)
            return [telling.completion(offer, span, rest.startswith(":")) for offer in offers]

        return await service.asked("completion", params.text_document.uri, answer, sound=True)

    return complete


def _signature(service: Service) -> Any:
    async def sign(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        def answer(known: Analysis, place: str) -> types.SignatureHelp | None:
            found = signature(known, service.texts[place], service.offset(place, params.position), service.lang)
            return telling.signature(found) if found is not None else None

        return await service.asked("signature", params.text_document.uri, answer, sound=True)

    return sign


def _definition(service: Service) -> Any:
    async def define(params: types.DefinitionParams) -> list[types.Location] | None:
        def answer(known: Analysis, place: str) -> list[types.Location]:
            found = definitions(known, place, service.offset(place, params.position))
            return [telling.location(span, service.uri) for span in found]

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
            return [telling.location(use.span, service.uri) for use in uses]

        return await service.asked("references", params.text_document.uri, answer, slow=True)

    return refer


def _prepared(service: Service) -> Any:
    async def prepare(params: types.PrepareRenameParams) -> types.Range | None:
        def answer(known: Analysis, place: str) -> types.Range | None:
            found = target(known, place, service.offset(place, params.position))
            return telling.whole_range(found.span) if found is not None else None

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
            return telling.workspace_edit(edits, service.uri, service.with_ends)

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
            near = [repair for repair in found if telling.touches(repair.fix.span, params.range)]
            return [telling.action(repair, service.uri, service.with_ends, service.lang) for repair in near]

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
            return [telling.edit(one, service.with_ends) for one in edits]

        found = await service.asked("format", params.text_document.uri, answer)
        if isinstance(found, Refused):
            raise service.refusal(telling.unreadable(found, service.lang))
        return found

    return tidy


def _colours(service: Service) -> Any:
    async def colour(params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        def answer(known: Analysis, place: str) -> types.SemanticTokens:
            return types.SemanticTokens(data=tokens(known, place))

        return await service.asked("colours", params.text_document.uri, answer)

    return colour
