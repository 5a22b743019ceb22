"""Writes a game, or one formula, as one C text: sizes, state struct, constants, functions, and the runtime."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import chain
from typing import Any

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import Function
from hoyle.compiling.game import FORMULA, Lowered
from hoyle.language.ir import ABSENT
from hoyle.native.block_linking import GO_ON, Lines, advance, apply, blocks
from hoyle.native.inference import Constants, Inference, of_constant
from hoyle.native.layout import Layout, Sizes, Untranslatable, aims_in, in_c, layout
from hoyle.native.loop_idioms import SUMS_ROOM
from hoyle.native.rewriting import rewrite, without_look_ahead
from hoyle.native.stack_lists import ROOM
from hoyle.native.statements import Writer
from hoyle.native.structs import state_struct, traffic
from hoyle.native.values import GoOn
from hoyle.native.visibility_tables import sights
from hoyle.printable import in_code
from hoyle.running.chance import splitmix64
from hoyle.running.lookahead import Aim
from hoyle.running.machine import MOST_BLOCKS, Machine
from hoyle.running.verbs import UP, Guard

ACTS, TRIES = 2048, 64
"""Greatest number of actions that a state offers, and of states in a look-ahead."""
_LISTED = 4096, 1 << 16
"""Greatest number of actions listed before obligations, and of the integers they take. At least ACTS are listed."""
ARENA = 1 << 18
"""Size of the memory for lists, in 64-bit words."""
SEEN, SEEN_TEXT, MEMOS = 512, 1 << 15, 1 << 14


class Unit(Struct, frozen=True):
    """The C text of a game, and the layout of its states."""

    text: str
    layout: Layout


def write_unit(lowered: Lowered) -> Unit:
    """Write the C text of a game. Raises Untranslatable."""
    machine = lowered.machine
    functions = {f.name: rewrite(f) for f in lowered.functions}
    places = layout(machine, aims_in(lowered.namespace.values()))
    types = Inference(functions, lowered.namespace, lowered.columns, places)
    types.run()
    constants = Constants(lowered.namespace)
    slugs = {name: _slug(one, machine) for name, one in functions.items()}
    played = [apply(slugs, machine), *_played(types, constants, slugs, machine.entry)]
    parts = [
        *write_common(machine, types, constants, slugs),
        *played,
        _numbered(constants, types, slugs),
        _result(types, slugs),
        traffic(places, machine),
        *(_array(name, values) for name, values in sights(machine, places).items()),
        *map(named, PLAYING),
    ]
    return Unit("\n".join(parts) + "\n", places)


def write_common(machine: Machine, types: Inference, constants: Constants, slugs: dict[str, str]) -> list[str]:
    """Return declarations and helpers, then the functions that are not blocks. Raises Untranslatable."""
    named = [function for function in types.functions.values() if function.role != "block"]
    written = [_function(types, function, constants, slugs) for function in named]
    heads = [head for head, _ in written]
    return [
        HEAD,
        _sizes(machine, types.places, constants, types),
        state_struct(types.places, machine),
        _tables(machine, types.places),
        *map(resource, CALLED),
        _constants(constants),
        *(f"{head};" for head in heads),
        FORWARD,
        _columns(types, slugs),
        *(text for _, text in written),
    ]


def named(name: str) -> str:
    """Return a C file of the runtime, with its own line numbers."""
    return f'#line 1 "{name}"\n{resource(name)}'


def resource(name: str) -> str:
    return files("hoyle.native").joinpath(name).read_text(encoding="utf-8")


def _slug(function: Function, machine: Machine) -> str:
    """Return a name like `b12_deal_lead`, which contains the path in the flow."""
    return "_".join([function.name, *map(in_code, machine.paths.get(function.label, ())[-2:])])


# ---- functions -------------------------------------------------------------------------------------------------------


def _function(types: Inference, function: Function, constants: Constants, slugs: dict[str, str]) -> tuple[str, str]:
    """Return the head of a function, and its whole text."""
    writer, lines = _lines(types, function, constants, slugs)
    names = types.names[function.name]
    parameters = [f"{in_c(names.get(p, 'I'))} {p}" for p in function.parameters if p not in ("s", "P", "C")]
    if writer.several:
        head = f"static void {slugs[function.name]}({', '.join(['X *x', 'S *s', *parameters, 'I *sums'])})"
    else:
        head = f"static {in_c(writer.result)} {slugs[function.name]}({', '.join(['X *x', 'S *s', *parameters])})"
    return head, "\n".join([f"{head} {{", *map(str, lines), "}"])


def _lines(types: Inference, function: Function, constants: Constants, slugs: dict[str, str]) -> tuple[Writer, Lines]:
    """Return the writer of a function or block, and its lines."""
    writer = Writer(types, function, constants, slugs)
    writer.statements(function.body)
    names = writer.names
    lines: list[str | GoOn] = [
        f"    {in_c(names[n])} {n}{' = 0' if in_c(names[n]) == 'I' else ' = {0}'};"
        for n in names
        if n not in function.parameters and (n != "a" or names[n] != "P") and n not in writer.apart
    ]
    lines += [f"    I {name}[{size}];" for name, size in writer.apart.items()]
    lines += [f"    E {name}_room[{ROOM}];" for name in sorted(writer.roomy)]
    lines += [f"    E {name}_room[{SUMS_ROOM}];" for name in sorted(writer.summed)]
    lines += [f"    I {name}_is = 0;" for name in sorted(writer.absent)]
    lines += ["    I mark = x->used;"] if writer.pure else []
    lines += writer.lines
    if not function.body or not isinstance(function.body[-1], code.Return):
        lines.append(f"    {writer.nothing()}")
    return writer, lines


def _played(types: Inference, constants: Constants, slugs: dict[str, str], entry: int) -> list[str]:
    """Return the function that runs blocks, and a second one for look-ahead if the game needs it."""

    def through(functions: Mapping[str, Function], tried: bool) -> str:
        lines = {block: _lines(types, functions[block], constants, slugs)[1] for block in blocks(functions, entry)}
        return advance(lines, functions, slugs, tried)

    found = [GO_ON, through(types.functions, tried=False)]
    if any(isinstance(c, Aim) for c in constants.numbered):
        without = {function.name: function for function in without_look_ahead([*types.functions.values()])}
        found.append(through({**types.functions, **without}, tried=True))
    return found


def _columns(types: Inference, slugs: dict[str, str]) -> str:
    lines = []
    for name, functions in types.columns.items():
        lines += [
            f"static {_signature(types, functions[0])} = {{{', '.join(slugs[f] for f in functions)}}};".replace(
                "NAME", f"{name}_p"
            )
        ]
    return "\n".join(lines)


def _signature(types: Inference, function: str) -> str:
    names = types.names[function]
    parameters = [in_c(names.get(p, "I")) for p in types.functions[function].parameters if p not in ("P", "C")]
    return f"{in_c(types.values.get(function) or 'I')} (*const NAME[])({', '.join(['X *', 'S *', *parameters])})"


# ---- sizes and constants ---------------------------------------------------------------------------------------------


def _sizes(machine: Machine, places: Layout, constants: Constants, types: Inference) -> str:
    aims = [c for c in constants.numbered if isinstance(c, Aim)]
    sums = max((_sums(types, aim) for aim in aims), default=1)
    sizes = {
        "PILES": len(machine.face),
        "CAP": places.pieces,
        "CELLS": places.cells,
        "STATE": machine.state_size,
        "SEATS": len(machine.ruleset.seats),
        "SIDES": len(machine.ruleset.sides),
        "KINDS": len(machine.homes),
        "ONE_EACH": int(max(machine.copies, default=1) == 1),
        "MOVES": len(machine.ruleset.moves),
        "HITS_N": len(machine.counters),
        "EARLY_N": len(_early(machine)),
        "ENTRY": machine.entry,
        "ACTS": ACTS,
        "WIDTH": places.width,
        "LISTED": max(ACTS, min(_LISTED[0], _LISTED[1] // places.width)),
        "TRIES": TRIES if aims or places.seen else 1,
        "ARENA": ARENA,
        "SEEN": SEEN if places.seen else 0,
        "SEEN_TEXT": SEEN_TEXT,
        "ARRANGED": places.pieces + len(machine.face),
        "TOPS_UP": int(any(machine.top_up)),
        "ANY_LIMITED": int(any(machine.limited)),
        "AIMS_N": len(aims),
        "SUMS": sums,
        "MEMOS": MEMOS if aims else 1,
        "LEVELS": 2 * TRIES + 1 if aims else 1,
        "MOST_BLOCKS": MOST_BLOCKS,
        "TAKES_BACK": int("take_back" in machine.ruleset.uses),
        "TRACKED": int(bool(aims or places.seen) or "take_back" in machine.ruleset.uses),
    }
    lines = [f"#define {name} {value}" for name, value in sizes.items()]
    lines += ["#define COUNTS (6 + MOVES + 2 * SIDES + EARLY_N)", "#define NO_NUMBER (-2147483647ll - 1)"]
    return "\n".join(["typedef long long I;", "typedef int E;", "typedef unsigned long long U;", *lines])


def _sums(types: Inference, aim: Aim) -> int:
    nodes = code.walk(types.functions[f"weigh_{aim.label}_{aim.number}"].body)
    returned = [node.value for node in nodes if isinstance(node, code.Return)]
    sizes = [len(value.items) for value in returned if isinstance(value, code.Tuple)]
    return max(sizes, default=1)  # a decision may have no moves


def _array(name: str, values: Iterable[Any], first: Any = None, kind: str = "I") -> str:
    """Return a constant array. `first` is its item at index -1."""
    items = [*values]
    texts = ", ".join(str(int(v)) for v in ([] if first is None else [first]) + items) or "0"
    if first is None:
        return f"static const {kind} {name}[] = {{{texts}}};"
    return f"static const {kind} {name}_at[] = {{{texts}}};\n#define {name} ({name}_at + 1)"


def _tables(machine: Machine, places: Layout) -> str:
    first = [0 if not isinstance(v, bool | int) else int(v) for v in machine.first_cells]
    first[machine.fault_register] = ABSENT
    return "\n".join(
        [
            _array("FACE", machine.face, 2),
            _array("TOP_UP", machine.top_up, 0),
            _array("ROOM", machine.room, 0),
            _array("LIMITED", machine.limited, 0),
            _array("HANDS", machine.hands, -1),
            _array("HEAP", [n in machine.heaps for n in range(len(machine.face))], 0),
            _array("HOMES", machine.homes),
            *_begin(machine),
            _array("COPIES", machine.copies),
            _array("FIRST", first),
            _array("EARLY", _early(machine)),
            _codes(len(machine.homes)),
        ]
    )


def _begin(machine: Machine) -> list[str]:
    """Return the initial contents and the initial size of each pile."""
    piles = range(len(machine.face))
    lying = [
        [
            2 * kind | (machine.face[pile] == UP)
            for kind, home in enumerate(machine.homes)
            if home == pile
            for _ in range(machine.copies[kind])
        ]
        for pile in piles
    ]
    return [_array("BEGIN", chain.from_iterable(lying), kind="E"), _array("BEGIN_N", map(len, lying))]


def _codes(kinds: int) -> str:
    """Return two 64-bit hash keys for each piece and face."""
    rows = (f"{{{splitmix64(2 * n)}ull, {splitmix64(2 * n + 1)}ull}}" for n in range(2 * kinds))
    return f"static const U CODES[][2] = {{{', '.join(rows)}}};"


def _early(machine: Machine) -> list[int]:
    """Return the counters of `whenever` rules. Series also report their uses before the first decision."""
    return [index for (section, _), index in machine.counters.items() if section == "whenever"]


def _constants(constants: Constants) -> str:
    lines: list[str] = []
    for name, value in constants.used.items():
        _table(lines, f"{name}_", value, of_constant(value) or "L")
        lines.append(f"#define {name}_p ({name}_.p)")
    return "\n".join(lines)


def _table(lines: list[str], name: str, value: Sequence[Any], kind: str) -> None:
    """Add a constant list. Its array begins with a copy of the last item, so that index -1 finds it."""
    kind = "LL" if kind == "L?" and value and not isinstance(value[0], int) else "L" if kind == "L?" else kind
    if kind == "L":
        items = [str(int(v)) for v in value]
        element = "E"
        if any(abs(int(v)) > 2**31 for v in value):
            raise Untranslatable(f"large numbers in {name}")
        items = [v if v != str(-(2**31)) else "(-2147483647 - 1)" for v in items]
    else:
        element = "L" if kind == "LL" else "LL"
        for n, inner in enumerate(value):
            _table(lines, f"{name}{n}", inner, element)
        inside = "E" if element == "L" else "L"
        items = [f"{{({inside} *){name}{n}_at + 1, {len(inner)}, 0}}" for n, inner in enumerate(value)]
    last = items[-1:] or ["{0}" if element != "E" else "0"]
    lines.append(f"static const {element} {name}_at[] = {{{', '.join([*last, *items])}}};")
    lines.append(f"static const {kind} {name} = {{({element} *){name}_at + 1, {len(items)}, 0}};")


HEAD = """\
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-label"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wparentheses-equality"
#else
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif
#ifdef _WIN32
#define PUBLIC __declspec(dllexport)
#else
#define PUBLIC __attribute__((visibility("default")))
#endif"""
"""First lines of each C text. Unused functions and parameters are normal, so their warnings are off."""
CALLED = ("memory.c", "lists.c", "piles.c", "chance.c", "states.c")
"""Runtime files that generated functions call. Each one may use those before it."""
PLAYING = ("search.c", "games.c", "tree.c", "ismcts.c", "ways.c", "endings.c", "lanes.c", "coding.c")
"""Runtime files that call generated functions."""
FORWARD = """\
static U told_in(const E *text, I n);
static void remember(X *x, S *s, const E *a, I guard, L numbers);
static L never_twice(X *x, S *s, L acts, I guard, L numbers);
static L maximise(X *x, S *s, L acts, I me, L most, I aim, L earlier);"""


def _numbered(constants: Constants, types: Inference, slugs: dict[str, str]) -> str:
    """Return the tables of guards and aims."""
    lines: list[str] = []
    guards = [c for c in constants.numbered if isinstance(c, Guard)]
    for n, guard in enumerate(guards):
        lines.append(_array(f"GUARD_{n}_OVER", guard.over))
        lines.append(_array(f"GUARD_{n}_FORGETTING", guard.forgetting))
    if guards:
        rows = [
            f"{{{g.label}, {g.number}, __builtin_offsetof(S, seen{g.register}), {len(g.over)}, {len(g.forgetting)}, GUARD_{n}_OVER, GUARD_{n}_FORGETTING}}"
            for n, g in enumerate(guards)
        ]
        lines.append(f"static const Guard GUARDS[] = {{{', '.join(rows)}}};")
    aims = [c for c in constants.numbered if isinstance(c, Aim)]
    if aims:
        lines.append(
            "static const struct { I label, size, reach, grows; void (*weigh)(X *, S *, I, const E *, I *); I (*spare)(X *, S *, I); I (*ends)(X *, S *, I); } AIMS[] = {"
        )
        for aim in aims:
            ending = f"{aim.label}_{aim.number}"
            spare, ends = (slugs.get(f"{name}_{ending}", "0") for name in ("spare", "ends"))
            reach = f"__builtin_offsetof(S, l{aim.register})" if aim.register is not None else "-1"
            lines.append(
                f"    {{{aim.label}, {_sums(types, aim)}, {reach}, {int(aim.grows)}, {slugs[f'weigh_{ending}']}, {spare}, {ends}}},"
            )
        lines.append("};")
    return "\n".join(lines)


def _result(types: Inference, slugs: dict[str, str]) -> str:
    count = sum(name.startswith("result_best_") for name in types.functions)
    can_win = f"{slugs['result_won']}(x, s, p)" if "result_won" in slugs else "1"
    bests = [f"        best[p][{n}] = {slugs[f'result_best_{n}']}(x, s, p);" for n in range(count)]
    return "\n".join(
        [
            "/* Scores of the sides, and which of them win: of those that can, the best. */",
            "static void ended_with(X *x, S *s, I *to) {",
            f"    I able[SIDES], best[SIDES][{count}];",
            "    for (I p = 0; p < SIDES; p++) {",
            f"        to[p] = {slugs['result_score']}(x, s, p);",
            f"        able[p] = s->over && {can_win};",
            *bests,
            "    }",
            "    for (I p = 0; p < SIDES; p++) {",
            "        to[SIDES + p] = able[p];",
            "        for (I q = 0; q < SIDES; q++) {",
            "            I n = 0;",
            f"            while (n < {count - 1} && best[p][n] == best[q][n]) n++;",
            "            if (able[q] && best[q][n] > best[p][n]) to[SIDES + p] = 0;",
            "        }",
            "    }",
            "}",
            "/* What the sides are ranked by first, so far or at the end. */",
            f"static I standing(X *x, S *s, I p) {{ return {slugs['result_best_0']}(x, s, p); }}",
        ]
    )


def write_formula_unit(lowered: Lowered, sizes: Sizes = ()) -> str:
    """Write the C text of a formula. Raises Untranslatable."""
    functions = {f.name: rewrite(f) for f in lowered.functions}
    types = Inference(functions, lowered.namespace, lowered.columns, _places(lowered.machine))
    types.run()
    if types.values.get(FORMULA) != "I":
        raise Untranslatable("a formula whose value is a list")
    slugs = {name: name for name in functions}
    parts = write_common(lowered.machine, types, Constants(lowered.namespace), slugs)
    known = "".join(f"(pile) == {pile} ? {size} : " for pile, size in sizes)
    return "\n".join([f"#define KNOWN_SIZE(pile) ({known}-1)", *parts, named("formula.c"), ""])


def _places(machine: Machine) -> Layout:
    """Return the layout for formulas, which only read piles and state."""
    none = frozenset[int]()
    return Layout(len(machine.first_cells), {}, none, none, none, {}, none, 1, sum(machine.copies))
