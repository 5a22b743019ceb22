"""The legal moves of a state, as people name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.checking.reads import all_formulas
from hoyle.diagnostics import Diagnostic, Refused, Said
from hoyle.game.compiled import Compiled
from hoyle.game.moves.phrases import spoken, spoken_turned
from hoyle.game.moves.verbs import piles_used, rewordings
from hoyle.game.pieces import hand_places
from hoyle.game.spelling import plain_words
from hoyle.language.evaluate import Names, Setting, evaluate, everything
from hoyle.language.ir import ABSENT, Chosen, Expr, Item, Var, WordCall
from hoyle.language.kinds import List, Piece, families_of
from hoyle.language.model import Move as Definition
from hoyle.language.model import Rule, Texts, text_in, texts_of
from hoyle.language.phrases import stem
from hoyle.language.sentences import FALLBACK, LANGUAGES, said
from hoyle.running.state import Action, Core
from hoyle.running.wording import Seen, hangs_on, move_text, pieces_told, short_text


def in_words(game: Compiled, move: Definition, action: Sequence[Any], seen: Seen) -> str:
    """The move as somebody is told of it."""
    text, shown, places = (
        move_text(game.namer, move, tuple(action), seen),
        game.namer.shown(seen.lang),
        hand_places(game),
    )
    for pieces in sets(game, move, action):
        held = sorted(pieces, key=lambda piece: places[piece >> 1])
        written, arranged = (" ".join(shown[piece >> 1] for piece in some) for some in (pieces, held))
        text = text.replace(written, arranged)
    return text


def sets(game: Compiled, move: Definition, action: Sequence[Any]) -> Iterator[tuple[int, ...]]:
    """The pieces of each subset that it is bound to, and of each list out of a hand."""
    return (action[place] for place in places_of_sets(game, move))


def places_of_sets(game: Compiled, move: Definition) -> tuple[int, ...]:
    """Where they stand in its actions."""
    key = ("sets", move.number)
    places: tuple[int, ...] | None = game.kept.get(key)
    if places is None:
        places = game.kept[key] = tuple(_places_of_sets(game, move))
    return places


def _places_of_sets(game: Compiled, move: Definition) -> Iterator[int]:
    for var, items in move.withs:
        if not isinstance(var.kind, List) or not isinstance(piece := var.kind.item, Piece):
            continue
        if (isinstance(items, WordCall) and items.word == "subsets") or _in_hand(game, piece):
            yield 1 + move.bindings.index(var)


def _in_hand(game: Compiled, piece: Piece) -> bool:
    """Does it certainly lie where only its player sees it, in an order of his own?"""
    return bool(piece.families) and all(game.ruleset.piles[name].face == "owner" for name in piece.families)


def actions_of(game: Compiled, core: Core, move: Definition) -> Iterator[Action]:
    """Every binding of a move as an action, for whoever acts."""
    setting = game.setting(core)
    for bound in _bindings(core, move, setting, {move.me: core.actor}):
        values = (bound[v] for v in move.bindings)
        yield (move.number, *(tuple(v) if isinstance(v, list) else v for v in values))


def names_of(move: Definition, action: Action, actor: int) -> Names:
    """The names that the formulas of a move see."""
    return {move.me: actor, **dict(zip(move.bindings, action[1:], strict=True))}


def sources_of(game: Compiled, core: Core, move: Definition) -> list[int]:
    """The piles a move takes from."""
    setting, names = game.setting(core), {move.me: core.actor}
    found = [n for take in move.takes for n in piles_in(take.source, setting, names)]
    return list(dict.fromkeys(found))


def piles_in(expr: Expr, setting: Setting, names: Names) -> list[int]:
    """The piles that a formula means, one or several; without those that are not there."""
    found = evaluate(expr, setting, names)
    return [n for n in ([found] if expr.kind.name == "pile" else found) if n >= 0]


def _bindings(core: Core, move: Definition, setting: Setting, names: Names) -> Iterator[Names]:
    for taken in _taken(core, move, setting, names):
        for chosen in _chosen(move.withs, setting, taken):
            if move.put is None or move.target is None:
                yield chosen
                continue
            for place in piles_in(move.put, setting, chosen):
                yield {**chosen, move.target: place}


def _taken(core: Core, move: Definition, setting: Setting, names: Names) -> Iterator[Names]:
    if move.taken is None:
        yield names
        return
    origin, card = move.taken
    for take in move.takes:
        for pile in piles_in(take.source, setting, names):
            pieces = core.piles[pile]
            for piece in dict.fromkeys(pieces if take.any_piece else pieces[-1:]):
                yield {**names, origin: pile, card: piece}


def _chosen(withs: list[tuple[Var, Expr]], setting: Setting, names: Names) -> Iterator[Names]:
    if not withs:
        yield names
        return
    var, items = withs[0]
    for item in evaluate(items, setting, names):
        yield from _chosen(withs[1:], setting, {**names, var: item})


class Move(Struct, frozen=True, eq=False):
    """A legal move. `id` is stable and unique in its position; `action` is what the machine carries out; `sets` are the pieces, by their signs, of
    each subset that it is bound to: their order means nothing. Its words are made when they are asked for: most moves are never read."""

    id: str
    name: str
    seat: str
    rule: Rule
    fault: str | None
    action: Action
    _languages: tuple[str, ...]
    _told: Callable[[str], str]
    _short: Callable[[str], str]
    _sets: Callable[[], tuple[tuple[str, ...], ...]] = tuple

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        return self._sets()

    @property
    def texts(self) -> Texts:
        """The move in words, in every language of its ruleset."""
        return texts_of(self._told, self._languages)

    def text(self, lang: str = "en") -> str:
        """The move in words."""
        found = self._told(lang) if lang in self._languages else ""
        return found or text_in(self.texts, lang)

    def short(self, lang: str = "en") -> str:
        """The move in the notation of its game, which is the same in every language but for the letters of pieces; empty where it has none."""
        return self._short(lang)

    def _same(self) -> tuple[object, ...]:
        return self.id, self.name, self.seat, self.fault, self.action

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self._same() == other._same()

    def __hash__(self) -> int:
        return hash(self._same())


def legal_moves(game: Compiled, core: Core) -> list[Move]:
    """The legal moves of whoever acts; none when the game is over. Raises Refused where nobody decides."""
    if core.over:
        return []
    if core.pc not in game.machine.points:
        raise Refused([Diagnostic("R712", said("no_place"), help=said("write_at"))])
    ids = game.namer.ids(core, core.acts, core.actor)
    known = {m.number: m for m in game.machine.points[core.pc].moves}
    now = _now(game, core, known.values())
    return [
        _move(game, known[action[0]], action, ident, _fault(game, core, i), now)
        for i, (ident, action) in enumerate(zip(ids, core.acts, strict=True))
    ]


def _now(game: Compiled, core: Core, moves: Iterable[Definition]) -> Core:
    """What words need of a state, as it is now: they may be asked for later."""
    now, whole = core.lent(), any(game.machine.needs(move.number).lets for move in moves)
    now.piles = [pile[:] if whole else pile[-1:] for pile in core.piles]
    now.actor = core.actor
    return now


def _move(game: Compiled, move: Definition, action: Action, ident: str, fault: str | None, now: Core) -> Move:
    def told(lang: str) -> str:
        return in_words(game, move, action, seen_now(game, now, move, action, lang))

    def short(lang: str) -> str:
        return short_text(game.namer, move, action, seen_now(game, now, move, action, lang))

    def signs() -> tuple[tuple[str, ...], ...]:
        return tuple(_sets(game, move, action))

    seat, languages = game.seats[now.actor], tuple(game.ruleset.languages)
    return Move(ident, move.name, seat, move.rule, fault, action, languages, told, short, signs)


def seen_now(game: Compiled, core: Core, move: Definition, action: Action, lang: str) -> Seen:
    """An action as whoever acts is told of it in this state."""
    needs = game.machine.needs(move.number)
    return Seen(core.actor, lang, core.piles, lets=needs.given(core, action))


def _sets(game: Compiled, move: Definition, action: Action) -> Iterator[tuple[str, ...]]:
    for pieces in sets(game, move, action):
        yield tuple(game.namer.signs[piece >> 1] for piece in pieces)


def listed(moves: Sequence[Move]) -> Said:
    """Moves as one may write them: by their ids, which are English, or in the words shown."""
    ids = ", ".join(f"`{move.id}`" for move in moves)
    others = [lang for lang in LANGUAGES if lang != FALLBACK]
    return Said(ids, {lang: ", ".join(f"`{move.text(lang)}`" for move in moves) for lang in others})


Fits = Callable[[Sequence["Part"], Sequence[str]], bool]


class Part(Struct, frozen=True):
    """One of the things that a move is bound to, as its id writes it; each item of a list by itself."""

    var: Var
    text: str
    items: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def in_any_order(self) -> bool:
        return isinstance(self.var.kind, List) and len(self.items) in (0, len(self.words))

    def taken_from(self, words: Sequence[str]) -> int | None:
        """How many of these words, from the first on, write this; None if it is something else."""
        own, given = self.words, tuple(words[: len(self.words)])
        return len(own) if given == own or (self.in_any_order and sorted(given) == sorted(own)) else None


def parts(game: Compiled, move: Definition, action: Action, actor: int) -> list[Part]:
    """What an action is bound to, in the order of its id."""
    namer, values = game.namer, dict(zip(move.bindings, action[1:], strict=True))

    def part(var: Var, text: str) -> Part:
        items = [namer.token(v, var.kind.of_item, actor) for v in values[var]] if isinstance(var.kind, List) else [text]
        return Part(var, text, tuple(items), tuple(_plain(game, text).split()))

    return [part(var, text) for var, text in namer.bound(move, action, actor)]


def plain_names(move: Definition) -> set[str]:
    """How a move begins in an id, and in each language."""
    return {plain_words(name) for name in (move.name, *map(stem, move.telling.phrases.values()))}


def named(moves: Iterable[Definition], wanted: str) -> list[tuple[Definition, list[str]]]:
    """The moves whose name, in an id or in some language, plain words begin with, and the words behind; only the longest names."""
    found = [
        (move, wanted[len(name) :].split(), len(name))
        for move in moves
        for name in plain_names(move)
        if name and f"{wanted} ".startswith(f"{name} ")
    ]
    longest = max((length for _, _, length in found), default=0)
    return [(move, words) for move, words, length in found if length == longest]


def names_it(bound: Sequence[Part], words: Sequence[str]) -> bool:
    """Do the words behind a move's name say what it is bound to? The pieces of a list may stand in any order."""
    for part in bound:
        taken = part.taken_from(words)
        if taken is None:
            return False
        words = words[taken:]
    return not words


def _begins_it(bound: Sequence[Part], words: Sequence[str]) -> bool:
    """The same, if words are still to come; some of the pieces of a list may be among them."""
    for part in bound:
        taken = part.taken_from(words)
        if taken is None:
            return part.in_any_order and Counter(words) <= Counter(part.words)
        words = words[taken:]
    return not words


def exactly(game: Compiled, core: Core, moves: Sequence[Move], text: str) -> list[Move]:
    """The legal moves that a text names in full: by id, in the words shown, or with a list in another order."""
    folded = " ".join(text.split()).casefold()
    exact = [m for m in moves if m.id.casefold() == folded]
    wanted = plain_words(text, game.namer.readings) if not exact else ""
    if not wanted:
        return exact[:1]
    known = {m.number: m for m in game.machine.points[core.pc].moves} if moves else {}
    shown = [
        m
        for m in moves
        if wanted == _plain(game, m.id) or wanted in written_as(game, core, known[m.action[0]], m.action)
    ]
    return shown if len(shown) == 1 else _bound_so(game, core, moves, wanted, names_it)


def _bound_so(game: Compiled, core: Core, moves: Sequence[Move], wanted: str, fits: Fits) -> list[Move]:
    if not moves:  # nobody is asked
        return []
    called = [(d.number, words) for d, words in named(game.machine.points[core.pc].moves, wanted)]
    known = {m.number: m for m in game.machine.points[core.pc].moves}
    return [
        m
        for m in moves
        for number, words in called
        if number == m.action[0] and fits(parts(game, known[number], m.action, core.actor), words)
    ]


def meant(game: Compiled, core: Core, moves: Sequence[Move], text: str) -> list[Move]:
    """The legal moves that a text may mean: the one that it names in full, or all that begin so, or all that are about these pieces."""
    found = exactly(game, core, moves, text)
    wanted = plain_words(text, game.namer.readings) if len(found) != 1 else ""
    if not wanted or (not found and _is_an_id(game, core, wanted)):
        return found
    some = _bound_so(game, core, moves, wanted, _begins_it)
    return (
        [m for m in moves if begun(_plain(game, m.id), wanted) or m in some]
        or [m for m in moves if any(begun(_plain(game, words), wanted) for _, words in m.texts)]
        or with_pieces(game, core, moves, wanted)
        or _spoken(game, core, moves, wanted)
        or _otherwise(game, core, moves, wanted)
        or _turned(game, core, moves, wanted)
    )


def _turned(game: Compiled, core: Core, moves: Sequence[Move], wanted: str) -> list[Move]:
    """The legal moves that this may mean with the place before the piece, unless it says another move that is not legal."""
    found = said_turned(game, core, moves, wanted)
    points = game.machine.points[core.pc].moves if found else ()
    every = ((move, action) for move in points for action in actions_of(game, core, move))
    return found if not spoken(game, core, every, wanted) else []


def said_turned(game: Compiled, core: Core, moves: Sequence[Move], wanted: str) -> list[Move]:
    """The legal moves that plain words name with the place before the piece."""
    known = {m.number: m for m in game.machine.points[core.pc].moves} if moves else {}
    found = {action for _, action in spoken_turned(game, core, ((known[m.action[0]], m.action) for m in moves), wanted)}
    return [m for m in moves if m.action in found]


def _otherwise(game: Compiled, core: Core, moves: Sequence[Move], wanted: str) -> list[Move]:
    """The legal moves that begin with another word for the same, or whose steps take from the pile that is named."""
    others = rewordings(wanted)
    ways = ((m, [_plain(game, words) for words in (m.id, *(text for _, text in m.texts))]) for m in moves if others)
    found = [m for m, said in ways if any(begun(way, other) for way in said for other in others)]
    known = {m.number: m for m in game.machine.points[core.pc].moves} if moves else {}
    return found or [m for m in moves if wanted in piles_used(game, known[m.action[0]])]


def _spoken(game: Compiled, core: Core, moves: Sequence[Move], wanted: str) -> list[Move]:
    """The legal moves of which somebody may have said this."""
    known = {m.number: m for m in game.machine.points[core.pc].moves} if moves else {}
    found = {action for _, action in spoken(game, core, ((known[m.action[0]], m.action) for m in moves), wanted)}
    return [m for m in moves if m.action in found]


def _is_an_id(game: Compiled, core: Core, wanted: str) -> bool:
    """Does it name an action in full, though that is not legal?"""
    point = game.machine.points.get(core.pc)
    return point is not None and any(
        names_it(parts(game, move, action, core.actor), words)
        for move, words in named(point.moves, wanted)
        for action in actions_of(game, core, move)
    )


def with_pieces(game: Compiled, core: Core, moves: Sequence[Move], wanted: str) -> list[Move]:
    """The legal moves that are about just these pieces."""
    if not moves:
        return []
    known = {m.number: m for m in game.machine.points[core.pc].moves}
    return [m for m in moves if about(game, core, known[m.action[0]], m.action, wanted)]


def about(game: Compiled, core: Core, move: Definition, action: Action, wanted: str) -> bool:
    """Are these plain words just the pieces that a move is about, in any order?"""
    pieces = pieces_told(game.namer, move, action, Seen(core.actor, FALLBACK, core.piles))
    words = [word for piece in pieces for word in _plain(game, game.namer.signs[piece >> 1]).split()]
    return words != [] and sorted(words) == sorted(wanted.split())


_ON_TOP = re.compile(r" \(([^()]*)\)")


def written_as(game: Compiled, core: Core, move: Definition, action: Action) -> frozenset[str]:
    """The words of a move in every language and its notation, as they are compared: also without the pieces on top of the piles that it
    aims at, and without what is only added."""
    full = seen_now(game, core, move, action, FALLBACK)
    key = ("written", action, *hangs_on(move, action, full))
    if key not in game.kept:
        game.kept[key] = _written_as(game, move, action, full)
    written: frozenset[str] = game.kept[key]
    return written


def _written_as(game: Compiled, move: Definition, action: Action, full: Seen) -> frozenset[str]:
    found = set[str]()
    for lang in game.ruleset.languages:
        for seen in (replace(full, lang=lang), replace(full, lang=lang, bare=True)):
            text = in_words(game, move, action, seen)
            short = short_text(game.namer, move, action, seen)
            found |= {_plain(game, text), _plain(game, _uncovered(game, text)), _plain(game, short)}
    return frozenset(found - {""})


def _uncovered(game: Compiled, text: str) -> str:
    """Without pieces on top of piles."""
    signs = game.namer.folded_signs
    return _ON_TOP.sub(lambda found: "" if _plain(game, found[1]) in signs else found[0], text)


def _plain(game: Compiled, text: str) -> str:
    """The plain words of an id, of a sign or of words that were made here. They are kept, so what somebody typed does not come here."""
    found: str | None = game.kept.get(("plain", text))
    if found is None:
        found = game.kept["plain", text] = plain_words(text, game.namer.readings)
    return found


def begun(words: str, typed: str) -> bool:
    """Do these words begin so? A number is typed whole: `2` begins neither `20` nor `2h`."""
    return words.startswith(typed) and not (typed[-1:].isdigit() and words[len(typed) :][:1].isalnum())


def unasked(game: Compiled, core: Core, moves: Sequence[Move]) -> Move | None:
    """Of the legal moves here the one that is made for people who do not ask to make another; None if there is none, or it could be made
    in several ways."""
    named = game.machine.points[core.pc].unasked
    found = [move for move in moves if move.action[0] == named]
    return found[0] if len(found) == 1 else None


def _fault(game: Compiled, core: Core, i: int) -> str | None:
    """The obligation that this action would break."""
    number = core.faults[i] if i < len(core.faults) else ABSENT
    if number == ABSENT:
        return None
    return next((o.name for o in game.ruleset.obligations.values() if o.number == number), None)


def folded(game: Compiled, core: Core, moves: Sequence[Move]) -> list[Move]:
    """The moves, of those alone that come to the same the first."""
    found: dict[object, Move] = {}
    for move in moves:
        found.setdefault(_what_it_comes_to(game, core, move), move)
    return list(found.values())


def _what_it_comes_to(game: Compiled, core: Core, move: Move) -> object:
    definition = game.ruleset.moves[move.name]
    if definition.target is None:
        return move.action
    pile = move.action[len(definition.bindings)]
    family = game.namer.family(pile)
    if core.piles[pile] or not family.has_columns or family.name in _told_apart(game):
        return move.action
    return _without_target(move.action, len(definition.bindings)), family.name, game.namer.member(pile)


def _without_target(action: Action, at: int) -> Action:
    return (*action[:at], None, *action[at + 1 :])


def _told_apart(game: Compiled) -> frozenset[str]:
    """The families of which some formula picks a column by its number, or asks for the number."""
    found: frozenset[str] | None = game.kept.get(("told apart",))
    if found is None:
        formulas = (part for formula in all_formulas(game.ruleset) for part in everything(formula))
        found = game.kept["told apart",] = frozenset(_picked(formulas))
    return found


def _picked(parts: Iterable[Expr]) -> Iterable[str]:
    for part in parts:
        if part.kind.name == "pile" and (isinstance(part, Item | Chosen) or _is_first(part)):
            yield from families_of(part.kind)
        elif isinstance(part, WordCall) and part.word == "index":
            yield from families_of(part.args[0].kind)


def _is_first(part: Expr) -> bool:
    """Does a word pick one of several, by its place among them? Of those where nothing lies each is as good as another."""
    return isinstance(part, WordCall) and part.word != "vacant"
