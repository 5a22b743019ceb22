"""A merged tree → a checked `Ruleset`. Goes on after a mistake as far as it makes sense, so that one run tells everything."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from hoyle.checking.actions import ActionChecker
from hoyle.checking.clauses import clauses_of
from hoyle.checking.constraints import Constraints
from hoyle.checking.digest import digest
from hoyle.checking.display import display_of
from hoyle.checking.entries import optional_form
from hoyle.checking.flow import FlowChecker
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.obligations import ObligationChecker
from hoyle.checking.reader import words_of
from hoyle.checking.sections import Sections
from hoyle.checking.statements import Statements
from hoyle.checking.whole import check_whole
from hoyle.checking.world import Hearing, Scope, World
from hoyle.diagnostics import Problems
from hoyle.language.ir import Const, Expr, Var
from hoyle.language.kinds import SOME_NUMBER, number
from hoyle.language.model import Move, Obligation, Result, Ruleset, Words
from hoyle.language.sentences import FALLBACK, LANGUAGES, said
from hoyle.reading.merge import Merged
from hoyle.reading.shape_errors import example_of_key
from hoyle.reading.tree import Node, texts_of


def check(
    merged: Merged,
    problems: Problems,
    values: dict[str, Any],
    doubtful: frozenset[str] = frozenset(),
    hearing: Hearing | None = None,
) -> Ruleset | None:
    """The ruleset with these option values, or None if a section that everything needs is missing. `doubtful`: names of what has been
    left out of the tree, or not wholly read. `hearing`: each form is noted there, and what only the whole ruleset can tell is not asked yet; the
    ruleset is only looked at then, so it has no digest. The tree becomes that which is told under these options."""
    root = merged.root
    world = World(
        problems,
        doubtful=set(doubtful),
        own=root.span,
        removed={name.split("(")[0].replace("_", " "): span for (_, name), span in merged.removed.items()},
    )
    if hearing is not None:
        hearing.world, world.heard = world, hearing.forms
    checker = FormulaChecker(world)
    _names(root, world)
    sections = Sections(root, world, checker, dict(values))
    sections.read()
    if not _can_go_on(root, world):
        return None
    statements = Statements(root, world, checker)
    told = statements.read()
    constraints = Constraints(told, world, checker).read()
    actions, flow = ActionChecker(told, world, checker), FlowChecker(told, world, checker)
    moves = actions.moves(flow)
    duties = ObligationChecker(told, world, checker)
    obligations = duties.obligations()
    flow.phase("game", False, told)
    whenever = actions.whenever(flow)
    _judge(duties, flow, moves, obligations)
    _unreached(flow, world)
    result = _result(root, world, checker)
    found = Ruleset(
        name=_text(root, "game"),
        title=_title(root),
        seats=world.seats,
        may_play=world.may_play,
        seat_words=_seat_words(root, world),
        sides=world.sides,
        side=world.side,
        away=world.away,
        options=world.options,
        constraints=constraints,
        tables=world.tables,
        pieces=world.pieces,
        piles=world.piles,
        state=world.state,
        attributes=world.attributes,
        moves=moves,
        obligations=obligations,
        judged=duties.judged,
        apart=duties.apart,
        phases=flow.phases,
        whenever=whenever,
        result=result,
        source=_strings(root.get("source")),
        clauses=clauses_of(told, statements.left_out),
        summary=_texts(told.get("summary")),
        glossary=_entries(told.get("glossary")),
        notes=_strings(root.get("notes")),
        terms=world.terms,
        instances=world.instances,
        digest=digest(root, world) if hearing is None else "",
        files=tuple(str(f) for f in merged.files),
        languages=(*LANGUAGES, *sorted(merged.spoken.difference(LANGUAGES))),
        uses=frozenset(name for section, name in world.used if section == "words"),
        display=display_of(root, world),
    )
    rest = partial(check_whole, found, world, flow, root, merged)
    if hearing is not None:
        hearing.world = replace(world, instances=dict(world.instances))
        world.heard, hearing.rest = None, None if doubtful else rest
    elif not doubtful:
        rest()
    merged.root = told
    return found


def _names(root: Node, world: World) -> None:
    for section, into in (("moves", world.moves), ("obligations", world.obligations)):
        node = root.get(section)
        for name in node.pairs if node is not None and node.kind == "map" else ():
            into[name] = len(into)
    flow = root.get("flow")
    for name, key, _ in flow.entries() if flow is not None and flow.kind == "map" else ():
        world.phases[name] = key.span


def _can_go_on(root: Node, world: World) -> bool:
    missing = [s for s in ("players", "pieces", "piles", "flow", "result") if _is_missing(root, s)]
    for section in missing:
        own = next((root.key(name).span for name in (section, "game") if root.get(name) is not None), root.span)
        message = said("ruleset.needs_section", section=section)
        world.problems.add("R103", message, own, help=example_of_key(section))
    if "flow" not in missing and "game" not in world.phases:
        own = next(root.key(name).span for name in ("flow", "game", "library") if _is_own(root, name))
        world.problems.add(
            "R547",
            said("ruleset.no_phase_game"),
            world.removed.get("game", own),
            help=said("ruleset.play_starts"),
        )
        return False
    return not missing


def _is_missing(root: Node, section: str) -> bool:
    """Is it not there, or taken away with `~`, or is there nothing in it that could be played with?"""
    node = root.get(section)
    return node is None or node.is_null or (section in ("pieces", "piles") and not node.pairs)


def _is_own(root: Node, section: str) -> bool:
    """Does the file say it itself?"""
    return root.get(section) is not None and root.key(section).span.shares_file(root.span)


def _judge(
    duties: ObligationChecker, flow: FlowChecker, moves: dict[str, Move], obligations: dict[str, Obligation]
) -> None:
    every = list(moves.values())
    lacking = {var.name: var.kind for move in every for var in move.names}
    for offer in flow.offers:
        for obligation in (obligations[name] for name in offer.obey if name in obligations):
            for move in (moves[name] for name in offer.moves if name in moves):
                duties.judge(obligation, move, every, lacking)
    duties.tell()


def _unreached(flow: FlowChecker, world: World) -> None:
    """Phases nobody runs are checked all the same, and said to be unused."""
    reached = {name for name, _ in flow.phases}
    for name, span in world.phases.items():
        if name not in reached:
            if span.shares_file(flow.root.span):  # what a library offers need not be taken up
                world.problems.add("R530", said("ruleset.no_step_runs", name=name), span)
            entry = flow.entry(name)
            assert entry is not None
            flow.phase(name, True, entry[0])


def _result(root: Node, world: World, checker: FormulaChecker) -> Result:
    node = root["result"]
    p = Var("p", world.side)
    scope = Scope(me=None).bind(p)
    best = node.get("best")
    nodes = best.items if best is not None and best.kind == "list" else [best] if best is not None else []
    found = [e for n in nodes if (e := _number(n, world, checker, scope)) is not None]
    if not nodes:
        world.problems.add(
            "R103",
            said("ruleset.who_wins"),
            root.key("result").span,
            help=said("ruleset.best_is"),
        )
    nothing = Const(number(0, 0), node.span, 0)
    score = _number(node.get("score"), world, checker, scope)
    plain, won = Scope(), optional_form(world, node.get("won"))
    return Result(
        found or [nothing],
        score or (found or [nothing])[0],
        _number(node.get("stake"), world, checker, plain),
        _number(node.get("margin"), world, checker, plain),
        p,
        checker.condition(won, scope) if won is not None else None,
    )


def _number(node: Node | None, world: World, checker: FormulaChecker, scope: Scope) -> Expr | None:
    form = optional_form(world, node)
    return checker.need(form, scope, SOME_NUMBER, what=partial(said, "ruleset.the_result")) if form else None


def _seat_words(root: Node, world: World) -> dict[str, Words]:
    words = root["players"].get("words")
    given = (
        {name: words_of(node, name) for name, _, node in words.entries()}
        if words is not None and words.kind == "map"
        else {}
    )
    return {seat: given.get(seat, {FALLBACK: seat.replace("_", " ")}) for seat in world.seats}


def _text(root: Node, key: str) -> str:
    node = root.get(key)
    return node.raw if node is not None else ""


def _title(root: Node) -> dict[str, str]:
    node = root.get("title")
    if node is None:
        return {FALLBACK: _text(root, "game")}
    return words_of(node, _text(root, "game"))


def _texts(node: Node | None) -> Words:
    return texts_of(node) if node is not None and node.kind == "map" else {}


def _entries(node: Node | None) -> dict[str, Words]:
    return {name: _texts(value) for name, _, value in node.entries()} if node is not None else {}


def _strings(node: Node | None) -> dict[str, str]:
    if node is None or node.kind != "map":
        return {}
    return {name: value.raw for name, _, value in node.entries() if value.kind == "scalar"}
