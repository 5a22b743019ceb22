"""What is told of the thing under the pointer: its sort and kind, what it means, its value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from hoyle.checking import build
from hoyle.checking.world import Heard, World
from hoyle.diagnostics import Refused, Span, told
from hoyle.editor import schema_lookup
from hoyle.editor.analysis import Analysis, own_tree
from hoyle.editor.cursor_context import where
from hoyle.editor.names.resolution import Spot, spot
from hoyle.editor.names.symbols import Symbol, declared, in_words, meaning
from hoyle.editor.wording import word
from hoyle.game.compiled import compiled
from hoyle.game.examples.examples import Runner
from hoyle.game.game import Game, State
from hoyle.language.evaluate import Setting, evaluate, static
from hoyle.language.ir import Expr
from hoyle.language.kinds import Choice, Kind, Row, bounds, describe
from hoyle.language.vocabulary import NAMES, WORDS, name_meaning
from hoyle.reading.grammar import Schema, said_in
from hoyle.reading.shape import Path
from hoyle.reading.sources import unsaved
from hoyle.reading.tree import Node

_ASKED = ("values", "state")
"""Under these keys of an example formulas stand as names."""


def value_posed(analysis: Analysis, found: Spot, lang: str) -> str | None:
    """What the formula there is worth in the example that it stands in; None where none does, or it cannot be told."""
    path = found.path
    if path[:1] != ("examples",) or len(path) < 4 or path[-2] not in _ASKED or found.node is None or not found.on_key:
        return None
    try:
        with unsaved(analysis.texts):
            return _state(analysis, path).value(found.node.raw).text(lang)
    except (Refused, LookupError):
        return None


def _state(analysis: Analysis, path: Path) -> State:
    """The state that the expectation at this path is about. Raises Refused."""
    tree = own_tree(analysis.path, analysis.texts)
    assert tree is not None
    node = tree["examples"][str(path[1])]
    runner = Runner(lambda options: Game(compiled(*build.ruleset(analysis.path, options)), engine="python"))
    state = runner.start(node)
    if path[2] == "given":
        return state
    for move in _moves(node, path[2:]):
        state = state.play(move)
    return state


def _moves(node: Node, path: Path) -> Iterator[str]:
    """The moves that are made before what stands at the path holds."""
    for item in node.items_of("moves"):
        yield from (text.strip() for text in item.raw.split(";"))
    if path[0] == "after":
        yield from (text.strip() for text in str(path[1]).split(";"))
        yield from _moves(node["after"][str(path[1])], path[2:])


MOST_KINDS = 4


class Told(Struct, frozen=True):
    """A text in Markdown, and the stretch that it is about."""

    text: str
    span: Span | None


def hover(analysis: Analysis, file: str, offset: int, lang: str) -> Told | None:
    """What is known of what stands there; None if nothing is."""
    found = spot(analysis, file, offset)
    posed = value_posed(analysis, found, lang)
    if posed is not None and found.node is not None:
        return Told(f"`{found.node.raw}`\n\n{word(lang, 'hover.example', value=posed)}", found.node.span)
    if found.symbol is not None:
        return Told("\n\n".join(about(analysis, found.symbol, lang, found.heard)), found.span)
    key = schema_lookup.described(found.path) if found.on_key else None
    if key is not None and found.node is not None:
        return Told(_key(found.node.raw, key, lang), found.node.span)
    if found.heard:
        return Told("\n\n".join(_formula(analysis, found, lang)), found.heard[0].form.span)
    return None


def _key(name: str, schema: Schema, lang: str) -> str:
    return f"**{name}**\n\n{said_in(schema['description'], lang)}"


def _formula(analysis: Analysis, found: Spot, lang: str) -> Iterator[str]:
    yield f"`{' '.join(found.heard[0].form.span.text.split())}`"
    yield from _kinds(found.heard, lang)
    yield from _constant(analysis.hearing.world, found.heard, lang)


def briefly(analysis: Analysis, symbol: Symbol, lang: str) -> list[str]:
    """What a thing is and its kind, in a few words."""
    return [word(lang, f"sort.{symbol.sort}", owner=symbol.owner), *_kind_of(symbol, analysis.hearing.world, lang)]


def about(analysis: Analysis, symbol: Symbol, lang: str, heard: Iterable[Heard] = ()) -> list[str]:
    """Lines on a thing with a name: what it is, its kind, what it means, its value."""
    heard, world = tuple(heard), analysis.hearing.world
    lines = [f"**{symbol.name}**: {word(lang, f'sort.{symbol.sort}', owner=symbol.owner)}"]
    lines += _kinds(heard, lang) or _kind_of(symbol, world, lang)
    lines += [line for line in [meant(analysis, symbol, lang)] if line]
    lines += _more(symbol, world, lang)
    if symbol.sort in ("terms", "columns"):
        lines += _constant(world, heard, lang)
    return lines


def meant(analysis: Analysis, symbol: Symbol, lang: str) -> str:
    """A line on what it means."""
    if symbol.sort == "words":
        known = WORDS.get(symbol.name)
        if known is not None:
            return f"`{known.usage}`: {told(known.meaning, lang)}"
        return told(name_meaning(symbol.name), lang) if symbol.name in NAMES else ""
    root = analysis.root
    entries = declared(root) if root is not None else []
    found = next((d for d in entries if d.symbol == symbol), None)
    if symbol.sort == "choices" and root is not None:
        return choice_words(analysis.hearing.world, symbol, lang)
    return (meaning(found, lang) if found is not None else "") or in_words(root, symbol, lang)


def choice_words(world: World | None, symbol: Symbol, lang: str) -> str:
    """What a choice of an option is called."""
    option = world.options.get(symbol.owner) if world is not None else None
    if option is None or symbol.name not in option.choices or not option.choice_words:
        return ""
    words = option.choice_words[option.choices.index(symbol.name)]
    return words.get(lang) or next(iter(words.values()), "")


def _kinds(heard: tuple[Heard, ...], lang: str) -> list[str]:
    """The kinds of a value, which may be several in a term that is called with several."""
    said = list(dict.fromkeys(_kind(h.found.kind, lang) for h in heard if h.found.kind.name != "unknown"))
    return (
        [word(lang, "hover.gives", kind="; ".join(said[:MOST_KINDS]) + ("; …" if len(said) > MOST_KINDS else ""))]
        if said
        else []
    )


def _kind(kind: Kind, lang: str) -> str:
    return told(describe(kind), lang) + (" ∅" if kind.optional else "")


def _kind_of(symbol: Symbol, world: World | None, lang: str) -> list[str]:
    """The kind of what is declared, where it is not used."""
    if world is None:
        return []
    if symbol.sort == "terms":
        found = [i.body.kind for key, i in world.instances.items() if key[:2] == ("term", symbol.name)]
    elif symbol.sort == "columns" and symbol.owner in world.tables:
        column = world.tables[symbol.owner].columns.get(symbol.name)
        found = [column.kind] if column is not None else []
    elif symbol.sort in ("options", "state"):
        known = getattr(world, symbol.sort).get(symbol.name)
        found = [known.kind] if known is not None else []
    elif symbol.sort == "attributes":
        found = [p.attributes[symbol.name] for p in world.pieces.values() if symbol.name in p.attributes]
    else:
        found = []
    said = list(dict.fromkeys(_kind(kind, lang) for kind in found if kind.name != "unknown"))
    return ["; ".join(said[:MOST_KINDS])] if said else []


def _more(symbol: Symbol, world: World | None, lang: str) -> Iterator[str]:
    """What is known of an entry besides its kind: the value of an option, the room of a pile, the rows of a table."""
    if world is None:
        return
    if symbol.sort == "options" and symbol.name in world.options:
        option = world.options[symbol.name]
        yield word(lang, "hover.set_to", value=shown(option.value, option.kind, world))
    if symbol.sort == "piles" and symbol.name in world.piles:
        pile = world.piles[symbol.name]
        yield word(lang, "hover.piles", count=pile.members * pile.columns, room=pile.room, face=pile.face)
    if symbol.sort == "state" and symbol.name in world.state:
        entry = world.state[symbol.name]
        yield word(lang, "hover.starts", value=shown(entry.starts, entry.kind, world))
    if symbol.sort == "tables" and symbol.name in world.tables:
        yield word(lang, "hover.rows", names=", ".join(f"`{row}`" for row in world.tables[symbol.name].rows[:20]))


def _constant(world: World | None, heard: tuple[Heard, ...], lang: str) -> list[str]:
    """The value of a formula that hangs on nothing but options and tables."""
    if world is None or len({id(h.form) for h in heard}) != 1 or any(h.found.kind.name == "unknown" for h in heard):
        return []
    values = {value for h in heard if (value := _worth(h.found, world)) is not None}
    return [word(lang, "hover.constant", value=value) for value in values] if len(values) == 1 else []


def _worth(found: Expr, world: World) -> str | None:
    try:
        if not static(found):
            return None
        setting = Setting(world.attributes.by_name, SEATS=len(world.seats))
        return shown(evaluate(found, setting, {}), found.kind, world)
    except (LookupError, TypeError, AttributeError):  # it names what is bound around it
        return None


def shown(value: object, kind: Kind, world: World) -> str:
    """A value as formulas write it."""
    if isinstance(value, list | tuple) and kind.name == "list":
        return "[" + ", ".join(shown(item, kind.of_item, world) for item in value) + "]"
    if not isinstance(value, int):
        return "none" if value is None else str(value)
    if kind.name == "bool":
        return "true" if value else "false"
    if value < 0 and (kind.name != "number" or value < bounds(kind)[0]):
        return "none"
    names = _names(kind, world)
    return names[value] if names is not None and value < len(names) else str(int(value))


def _names(kind: Kind, world: World) -> tuple[str, ...] | None:
    match kind:
        case Row(table=table):
            return world.tables[table].rows
        case Choice(option=option):
            return world.options[option].choices
    return world.seats if kind.name == "player" else None


class Signature(Struct, frozen=True):
    """How a call is written, what it means, its parameters, and at which of them the pointer stands."""

    label: str
    meaning: str
    parameters: tuple[str, ...]
    active: int


def signature(analysis: Analysis, text: str, offset: int, lang: str) -> Signature | None:
    """Of the innermost call around the pointer."""
    called = _call(where(text, offset).said)
    if called is None:
        return None
    name, active = called
    if name in WORDS:
        usage = WORDS[name].usage
        inside = re.findall(r"[^,()]+", usage.partition("(")[2].partition(")")[0])
        return Signature(usage, told(WORDS[name].meaning, lang), tuple(part.strip() for part in inside), active)
    world = analysis.hearing.world
    term = world.terms.get(name) if world is not None else None
    if term is None:
        return None
    label = f"{name}({', '.join(term.parameters)})"
    return Signature(label, meant(analysis, Symbol("terms", name), lang), term.parameters, active)


def _call(said: str) -> tuple[str, int] | None:
    """The name before the bracket that is open last, and how many commas stand since."""
    waiting: list[tuple[str, int]] = []
    for found in re.finditer(r"(\w*)\s*\(|[),\[\]]", said):
        if found[0].endswith("("):
            waiting.append((found[1], 0))
        elif found[0] == "[":
            waiting.append(("", 0))
        elif found[0] in ")]" and waiting:
            waiting.pop()
        elif found[0] == "," and waiting:
            waiting[-1] = (waiting[-1][0], waiting[-1][1] + 1)
    return waiting[-1] if waiting and waiting[-1][0] else None
