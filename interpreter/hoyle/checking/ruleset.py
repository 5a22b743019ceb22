"""Builds the checked `Ruleset` of a merged tree, with its digest, and runs the global checks.

Checking goes on after a mistake as far as it makes sense, so that one run reports everything.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from hoyle.checking.analysis import EffectReader
from hoyle.checking.cost import check_costs
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import CheckTrace, Scope, SymbolTable
from hoyle.checking.lints.constant_conditions import check_constant_conditions
from hoyle.checking.lints.declarations import DeclarationChecks, find_idle_options
from hoyle.checking.lints.inlined_flow import find_places
from hoyle.checking.lints.stale_sentences import check_stale_sentences
from hoyle.checking.lints.stale_state import StaleStateCheck
from hoyle.checking.lints.termination import TerminationCheck
from hoyle.checking.sections.display import read_display
from hoyle.checking.sections.flow import FlowChecker
from hoyle.checking.sections.moves import MoveChecker, ObligationChecker
from hoyle.checking.sections.options import ConstraintReader
from hoyle.checking.sections.pieces import read_declarations
from hoyle.checking.sections.reader import list_pairs, parse_optional, read_words
from hoyle.checking.sections.references import check_references, read_clauses
from hoyle.checking.sections.texts import SentenceFiller
from hoyle.diagnostics import Problems
from hoyle.language.ir import Const, Expr, Var
from hoyle.language.model import Result, Ruleset, Words
from hoyle.language.sentences import FALLBACK, LANGUAGES, make_message
from hoyle.language.value_types import SOME_NUMBER, make_number_type
from hoyle.reading.merge import Merged
from hoyle.reading.shape_errors import example_of_key
from hoyle.reading.tree import Node, is_text_key, list_items, texts_of


def build_ruleset(
    merged: Merged,
    problems: Problems,
    values: dict[str, Any],
    doubtful: frozenset[str] = frozenset(),
    trace: CheckTrace | None = None,
) -> Ruleset | None:
    """Build the ruleset with these option values; None if an indispensable section is missing.

    Replaces the tree of `merged` by the one whose sentences are filled in for these values.

    doubtful: names that were dropped from the tree because they are damaged
    trace: records each form and the global checks, which are then not run; such a ruleset has no digest
    """
    root = merged.root
    symbols = SymbolTable(
        problems,
        doubtful=set(doubtful),
        own=root.span,
        removed={name.split("(")[0].replace("_", " "): span for (_, name), span in merged.removed.items()},
    )
    if trace is not None:
        trace.symbols, symbols.heard = symbols, trace.forms
    checker = FormulaChecker(symbols)
    for section, numbers in (("moves", symbols.moves), ("obligations", symbols.obligations)):
        numbers.update({name: n for n, (name, _, _) in enumerate(list_pairs(root.get(section)))})
    symbols.phases.update({name: key.span for name, key, _ in list_pairs(root.get("flow"))})
    read_declarations(root, symbols, checker, dict(values))
    if not _has_required_sections(root, symbols):
        return None
    filler = SentenceFiller(root, symbols, checker)
    tree = filler.read()
    constraints = ConstraintReader(tree, symbols, checker).read()
    move_checker, flow = MoveChecker(tree, symbols, checker), FlowChecker(tree, symbols, checker)
    moves = move_checker.read_moves(flow)
    judge = ObligationChecker(tree, symbols, checker)
    obligations = judge.read_obligations()
    flow.check_phase("game", False, tree)
    whenever = move_checker.read_whenever(flow)
    judge.judge_offers(moves, obligations)
    _check_unreached(flow, symbols)
    result = _read_result(root, symbols, checker)
    game, title, seat_words = root.raw_of("game"), root.get("title"), root["players"].get("words")
    ruleset = Ruleset(
        name=game,
        title=read_words(title, game) if title is not None else {FALLBACK: game},
        seats=symbols.seats,
        may_play=symbols.may_play,
        seat_words={
            seat: read_words(words, seat)
            if (words := seat_words.get(seat) if seat_words is not None else None) is not None
            else {FALLBACK: seat.replace("_", " ")}
            for seat in symbols.seats
        },
        sides=symbols.sides,
        side=symbols.side,
        away=symbols.away,
        options=symbols.options,
        constraints=constraints,
        tables=symbols.tables,
        pieces=symbols.pieces,
        piles=symbols.piles,
        state=symbols.state,
        attributes=symbols.attributes,
        moves=moves,
        obligations=obligations,
        judged=judge.judged,
        apart=judge.groups,
        phases=flow.phases,
        whenever=whenever,
        result=result,
        source=_read_strings(root.get("source")),
        clauses=read_clauses(tree, filler.left_out),
        summary=_read_texts(tree.get("summary")),
        glossary={name: _read_texts(value) for name, _, value in list_pairs(tree.get("glossary"))},
        notes=_read_strings(root.get("notes")),
        terms=symbols.terms,
        instances=symbols.instances,
        digest=compute_digest(root, symbols) if trace is None else "",
        files=tuple(str(f) for f in merged.files),
        languages=(*LANGUAGES, *sorted(merged.spoken.difference(LANGUAGES))),
        uses=frozenset(name for section, name in symbols.used if section == "words"),
        display=read_display(root, symbols),
    )
    finish = partial(_finish, ruleset, symbols, root, merged)
    if trace is not None:
        trace.compute_digest = partial(compute_digest, root, symbols)
        trace.symbols = replace(symbols, instances=dict(symbols.instances))
        symbols.heard, trace.rest = None, None if doubtful else finish
    elif not doubtful:
        finish()
    merged.root = tree
    return ruleset


def _finish(ruleset: Ruleset, symbols: SymbolTable, root: Node, merged: Merged) -> None:
    """Run the global checks and complete the ruleset with what they find out. After an error, run only those that cannot follow from it."""
    check_references(symbols, root, merged)
    if any(d.code not in ("R543", "R607") for d in symbols.problems.errors):
        return
    reader, declarations = EffectReader(ruleset), DeclarationChecks(ruleset, symbols, root)
    declarations.check_moves()
    declarations.check_stores()
    check_costs(ruleset, symbols)
    places = find_places(ruleset, symbols)
    if places is None:
        return
    ruleset.places = places
    TerminationCheck(ruleset, symbols, reader).check()
    check_constant_conditions(ruleset, symbols, root)
    declarations.check_asks()
    declarations.check_announced_pieces()
    check_stale_sentences(symbols, root)
    declarations.check_indistinguishable()
    StaleStateCheck(ruleset, symbols, reader).check(root)
    declarations.check_terms()
    idle_options = find_idle_options(ruleset, symbols, root)
    ruleset.idle, ruleset.only_shown = idle_options.idle, idle_options.only_shown
    declarations.check_options(idle_options)
    declarations.check_unused(merged)
    declarations.check_state_and_piles(reader)


def _has_required_sections(root: Node, symbols: SymbolTable) -> bool:
    missing = []
    for section in ("players", "pieces", "piles", "flow", "result"):
        node = root.get(section)
        if node is None or node.is_null or (section in ("pieces", "piles") and not node.pairs):
            missing.append(section)
            place = next((root.key(name).span for name in (section, "game") if root.get(name) is not None), root.span)
            symbols.report("R103", "ruleset.needs_section", place, section=section, help=example_of_key(section))
    if "flow" not in missing and "game" not in symbols.phases:
        keys = (root.key(name).span for name in ("flow", "game", "library") if root.get(name) is not None)
        place = symbols.removed.get("game", next(span for span in keys if span.shares_file(root.span)))
        symbols.report("R547", "ruleset.no_phase_game", place, help="ruleset.play_starts")
        return False
    return not missing


def _check_unreached(flow: FlowChecker, symbols: SymbolTable) -> None:
    """Check the phases that no step runs, too. Warn of those of the file itself; a library may offer more than is used."""
    reached = {name for name, _ in flow.phases}
    for name, span in symbols.phases.items():
        if name not in reached:
            if span.shares_file(flow.root.span):
                symbols.report("R530", "ruleset.no_step_runs", span, name=name)
            flow.check_phase(name, True, flow.root["flow"].key(name))


def _read_result(root: Node, symbols: SymbolTable, checker: FormulaChecker) -> Result:
    node, p = root["result"], Var("p", symbols.side)
    scope = Scope().bind(p)

    def check_number(node: Node | None, scope: Scope) -> Expr | None:
        form = parse_optional(symbols, node)
        return (
            checker.check_as(form, scope, SOME_NUMBER, what=partial(make_message, "ruleset.the_result"))
            if form
            else None
        )

    nodes = list_items(node.get("best"))
    if not nodes:
        symbols.report("R103", "ruleset.who_wins", root.key("result").span, help="ruleset.best_is")
    best = [e for n in nodes if (e := check_number(n, scope)) is not None] or [
        Const(make_number_type(0, 0), node.span, 0)
    ]
    score = check_number(node.get("score"), scope)
    won = parse_optional(symbols, node.get("won"))
    stake, margin = (check_number(node.get(key), Scope()) for key in ("stake", "margin"))
    return Result(
        best, score or best[0], stake, margin, p, checker.check_condition(won, scope) if won is not None else None
    )


def _read_texts(node: Node | None) -> Words:
    return texts_of(node) if node is not None and node.kind == "map" else {}


def _read_strings(node: Node | None) -> dict[str, str]:
    return {name: value.raw for name, _, value in list_pairs(node) if value.kind == "scalar"}


_WORD = re.compile(r"[^\W\d]\w*")
_UNPLAYED = ("examples", "display", "summary", "in_words", "glossary", "unaffected")
"""Sections that do not change what is played."""


def compute_digest(root: Node, symbols: SymbolTable) -> str:
    """Hash all that changes play: the options in force and the tree without examples, translations, hints and texts."""
    told = list[str]()
    pairs = {name: _drop_texts(value, told) for name, _, value in root.entries() if name not in _UNPLAYED}
    told += _drop_move_texts(pairs)
    if told:
        _drop_text_terms(pairs, told)
    values = {name: option.value for name, option in symbols.options.items()}
    text = json.dumps([pairs, values, symbols.seats], sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _drop_move_texts(pairs: dict[str, Any]) -> list[str]:
    """Drop values of `let` that only the words of moves use, and their places there. Return the formulas of these values."""
    moves = [move for move in _get_map(pairs, "moves").values() if isinstance(move, dict)]
    lets = {name: formula for move in moves for name, formula in _get_map(move, "let").items()}
    if not lets:
        return []
    bare = [{key: value for key, value in move.items() if key not in ("en", "short", "let")} for move in moves]
    told = lets.keys() - _list_words([_as_json({**pairs, "moves": bare}), *map(_as_json, lets.values())])
    formulas = [_as_json(move["let"].pop(name)) for move in moves for name in told & _get_map(move, "let").keys()]
    for move in moves:
        for key in ("en", "short"):
            for name in told:
                if isinstance(words := move.get(key), str):
                    move[key] = re.sub(rf"\{{{name}(:[^{{}}]*)?\}}", "", words)
        if not move.get("let", True):
            del move["let"]
    return formulas


def _drop_text_terms(pairs: dict[str, Any], told: Iterable[str]) -> None:
    """Drop terms that only texts name."""
    terms = _get_map(pairs, "terms")
    bodies = {name.partition("(")[0]: _as_json(value) for name, value in terms.items()}
    text_only = _list_named(told, bodies) - _list_named([_as_json({**pairs, "terms": None})], bodies)
    pairs["terms"] = {name: value for name, value in terms.items() if name.partition("(")[0] not in text_only}


def _get_map(pairs: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the map under a name; empty if it was removed or is damaged."""
    return value if isinstance(value := pairs.get(name), dict) else {}


def _as_json(value: object) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


def _list_named(texts: Iterable[str], terms: dict[str, str]) -> set[str]:
    """List the terms that texts name, themselves or through other terms."""
    named, new = set[str](), _list_words(texts) & terms.keys()
    while new:
        named |= new
        new = (_list_words(terms[name] for name in new) & terms.keys()) - named
    return named


def _list_words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text)}


def _drop_texts(node: Node, told: list[str]) -> Any:
    """Return the value as plain data without what is only announced, in any language. Formulas of that are added to `told`."""
    if node.kind != "map":
        return node.plain()
    announces = node.get("score") is not None or node.get("say") is not None
    if announces and node.get("of") is not None:
        told.append(str(node["of"].plain()))
    kept = {}
    for name, _, value in node.entries():
        is_end = name != "of" and value.kind == "map" and value.get("ends") is not None
        if (name == FALLBACK or not is_text_key(name)) and not is_end and not (name == "of" and announces):
            kept[name] = _drop_texts(value, told)
    if isinstance(words := kept.get("words"), dict):
        kept["words"] = {name: text for name, text in words.items() if text}
    for name in ("words", "symbol", "letter"):
        if not kept.get(name, True) and node[name].pairs:
            del kept[name]
    return kept["is"] if set(kept) == {"is"} else kept  # a condition that is a formula alone
