"""Passes over generated functions: link blocks, find what functions read, and use idioms of Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import (
    ACTS,
    A,
    Add,
    Ask,
    Assign,
    Call,
    Choice,
    Compare,
    Comprehension,
    Do,
    Function,
    If,
    Item,
    Label,
    List,
    Literal,
    Method,
    Name,
    Not,
    Open,
    Return,
    S,
    Slice,
    Star,
    Statement,
    Tuple,
    Unpack,
    Use,
    Value,
    calls_in,
    every_statement,
    mentioned_names,
    number,
    replace_value,
    walk,
)
from hoyle.running.machine import Facts

_SHORT, _LONGEST = 4, 300
"""Greatest size of a block that is copied to each jump to it, and of a block after linking, in statements."""
_MOST_REPEATED = 10_000
"""Greatest number of statements that are copied in all."""


def link(functions: list[Function]) -> None:
    """Append a block with one predecessor to it, and a short block to all its predecessors.

    Every block stays callable, since a position may begin at it.
    """
    for function in functions:
        _cut(function.body)
    blocks = {f.label: f for f in functions if f.role == "block"}
    _append(functions, blocks, Counter(label for f in functions for label in labels_in(f)))
    resolve(functions)


def resolve(functions: list[Function]) -> None:
    """Redirect each jump to a block that only jumps on."""
    onward = {f.label: to for f in functions if f.role == "block" and (to := _only_jump(f)) is not None}

    def last(label: int) -> int:
        seen = set[int]()
        while label in onward and label not in seen:
            seen.add(label)
            label = onward[label]
        return label

    for function in functions:
        for statement in _returns(function):
            if statement.value is not None:
                statement.value = _relabelled(statement.value, last)


def labels_in(function: Function) -> Iterator[int]:
    """Yield the numbers of the blocks that a function may jump to."""
    for statement in _returns(function):
        if statement.value is not None:
            yield from (node.number for node in walk([statement.value]) if isinstance(node, Label))


def _returns(function: Function) -> Iterator[Return]:
    return (node for node in every_statement(function.body) if isinstance(node, Return))


def _relabelled(value: Value, last: Callable[[int], int]) -> Value:
    match value:
        case Label(number=number):
            return Label(last(number))
        case Choice(test=test, yes=yes, no=no):
            return Choice(test, _relabelled(yes, last), _relabelled(no, last))
    return value


def _only_jump(function: Function) -> int | None:
    """Return the next block if the function does nothing but jump, else None."""
    return _tail(function) if sum(not isinstance(node, Open) for node in function.body) == 1 else None


def _cut(body: list[Statement]) -> None:
    """Drop unreachable statements after a jump."""
    end = next((n for n, node in enumerate(body, 1) if isinstance(node, Return)), len(body))
    del body[end:]


def _size(body: Sequence[Statement]) -> int:
    """Return the number of statements, including nested ones."""
    return sum(1 for _ in every_statement(body))


def _append(functions: list[Function], blocks: dict[int, Function], references: Counter[int]) -> None:
    original = {number: ([*f.body], _size(f.body)) for number, f in blocks.items()}
    sizes, repeated = {f.name: _size(f.body) for f in functions}, 0
    waiting, once = _beginnings(functions, blocks, references)
    for function in waiting:
        seen: set[int] = set()
        while (label := _tail(function)) is not None and label not in seen and label in blocks:
            seen.add(label)
            body, size = original[label]
            repeated += size
            if (
                not (size <= _SHORT or label in once)
                or repeated > _MOST_REPEATED
                or blocks[label].file != function.file
                or sizes[function.name] + size > _LONGEST
            ):
                waiting += [blocks[label]] if label in once else []
                break
            function.body[-1:] = [node for node in body if not isinstance(node, Open)]
            sizes[function.name] += size


def _beginnings(
    functions: list[Function], blocks: dict[int, Function], references: Counter[int]
) -> tuple[list[Function], set[int]]:
    """Return the functions that others are appended to, and the blocks with one predecessor.

    Such a block is only called alone if a position begins there. Nothing need be appended to it.
    """
    once = {label for f in functions if (label := _tail(f)) in blocks and references.get(label) == 1}
    names = {f"b{label}" for label in once}
    return [f for f in functions if f.name not in names], once


def _tail(function: Function) -> int | None:
    """Return the block that a function always jumps to at its end, else None."""
    match function.body:
        case [*_, Return(value=Label(number=number))]:
            return number
    return None


_GOOD = Name("good")


def use_idioms(function: Function) -> None:
    """Rewrite a function with idioms that CPython runs faster."""
    for statement in code.every_statement(function.body):
        match statement:
            case Do(call=Call("move_pieces", (state, Tuple((piece,)), Tuple((source,)), to, Literal(-1), fault))) as do:
                do.call = Call("move_piece", (state, piece, source, to, fault))
    if isinstance(function.body[-2:][0] if function.body else None, Ask):
        _keep_as_listed(function.body)
    elif function.role != "block":
        _drop_only_test(function.body)


class _Place(Struct, frozen=True):
    """A statement and its position in a statement list."""

    body: list[Statement]
    at: int
    in_loop: bool

    @property
    def statement(self) -> Statement:
        return self.body[self.at]


def _every(body: list[Statement], in_loop: bool = False) -> Iterator[_Place]:
    for at, statement in enumerate(body):
        yield _Place(body, at, in_loop)
        looped = in_loop or not isinstance(statement, If)
        for inner in (getattr(statement, "body", []), getattr(statement, "otherwise", [])):
            yield from _every(inner, looped)


def _drop_only_test(body: list[Statement]) -> None:
    """Drop the test for the move of an action if only one move is offered."""
    tests = [statement for statement in body if isinstance(statement, If) and _is_of_move(statement.test)]
    if len(tests) == 1 and body[-1] is tests[0]:
        body[-1:] = tests[0].body


def _is_of_move(test: Value) -> bool:
    return isinstance(test, Compare) and test.left == Item(A, number(0)) and test.operator == "=="


# ---- decisions -------------------------------------------------------------------------------------------------------


def _keep_as_listed(body: list[Statement]) -> None:
    """Let obligations filter items instead of actions. Actions are then made only from the remaining items.

    Possible if all actions come from one list and differ only in its items.
    """
    places = [*_every(body)]
    makers = [place for place in places if _adds_action(place.statement)]
    if len(makers) != 1 or makers[0].in_loop:
        return
    [maker] = makers
    match maker.statement:
        case Add(value=Comprehension(Tuple((move, *bindings)) as action, Name() as one, items, None)):
            if bindings.count(one) != 1 or not all(
                _is_known(place.statement, bindings.index(one) + 1) for place in places
            ):
                return
            if len(bindings) == 1 and _leave_unmade(maker, places, move, items):
                return
            maker.body[maker.at] = Assign(ACTS, items, origin=maker.statement.origin)
            for place in places:
                match place.statement:
                    case Assign(target=Name("good"), value=Comprehension(test=Value() as test)) as good:
                        asked = replace_value(test, Item(A, number(bindings.index(one) + 1)), A)
                        good.value = Comprehension(A, A, ACTS, asked)
                    case Ask() as ask:
                        ask.actions = Comprehension(action, one, ACTS)


def _adds_action(statement: Statement) -> bool:
    match statement:
        case Add(target=Name("acts")) | Do(call=Method(Name("acts"), "append")):
            return True
    return False


def _is_known(statement: Statement, binding: int) -> bool:
    """Return whether a statement reads nothing of a decision's actions but this binding."""
    match statement:
        case Assign(target=Name("good"), value=Comprehension(Name("a"), Name("a"), Name("acts"), Value() as test)):
            asked = sum(part == Item(A, number(binding)) for part in code.walk([test]))
            return [*mentioned_names(test)].count("a") == asked
        case Assign(target=Name("acts"), value=List(()) | Name("good")) | Ask(actions=Name("acts")):
            return True
        case If(test=Compare(Call("len", (Name("acts"),)), ">", Literal())):
            return True
        case If(test=Not(Name("acts")), body=then):
            return all(isinstance(each, Use | Return) for each in then)
        case If(test=test):
            return test == _FEWER or _mentions_none(test)
        case Add(target=Name("acts")):
            return True
        case code.For(items=items):
            return _mentions_none(items)
        case code.Forever():
            return True
    return _mentions_none(statement)


_FEWER = code.And((_GOOD, Compare(code.call("len", _GOOD), "<", code.call("len", ACTS))))


def _mentions_none(node: code.Node) -> bool:
    return not {"acts", "good"} & {*mentioned_names(node)}


def _leave_unmade(maker: _Place, places: list[_Place], move: Value, items: Value) -> bool:
    """Build a subset only when its action is taken, if no obligation reads the subsets.

    Returns whether this was possible.
    """
    before = maker.body[maker.at - 1] if maker.at else None
    is_sorted = any(isinstance(p.statement, Assign) and p.statement.target == _GOOD for p in places)
    match before:
        case Assign(target=subsets, value=Call("w_subsets", (_, whole, Name() | Literal() as size))) if (
            subsets == items
        ):
            if not is_sorted:
                chosen = Assign(ACTS, Call("choices", (move, whole, size)), origin=maker.statement.origin)
                maker.body[maker.at - 1 : maker.at + 1] = [chosen]
                return True
    return False


# ---- look-ahead ------------------------------------------------------------------------------------------------------


def copy_for_shared_piles(function: Function) -> Function | None:
    """Return `c7` for `a7`: an action's function for a state that shares its piles with another state.

    None if it does more than move pieces.
    """
    body = _spare_body(function.body)
    if body is None:
        return None
    return Function(f"c{function.label}", function.parameters, function.file, function.line, body)


def _spare_body(body: list[Statement]) -> list[Statement] | None:
    spared = list[Statement]()
    for statement in body:
        one = _spare(statement)
        if one is None:
            return None
        for each in one:
            each.origin = statement.origin
        spared += one
    return spared


def _spare(statement: Statement) -> list[Statement] | None:
    match statement:
        case Do(call=Method(Item(Name("P"), _) as pile, "pop")):
            return [Assign(pile, Slice(pile, -1))]
        case Do(call=Method(Item(Name("P"), _) as pile, "append", (item,))):
            return [Assign(pile, List((Star(pile), item)))]
        case Do(call=Method(Item(Name("P"), _) as pile, "remove") as removed):
            return [Assign(pile, Slice(pile, None)), Do(removed)]
        case Do(call=Call("move_piece", args)):
            return [Do(Call("spare_piece", args))]
        case Do(call=Call("say" | "score")) | Open():
            return [statement]
        case If(test=test, body=body, otherwise=otherwise) if not _gives_state(test):
            then, other = _spare_body(body), _spare_body(otherwise)
            return [If(test, then, other)] if then is not None and other is not None else None
        case Assign(target=Name() | Item(Name("C"))) | Add(target=Item(Name("C"))) | Unpack() | Return():
            return [statement] if not _gives_state(statement) else None
    return None


def _gives_state(node: code.Node) -> bool:
    """Return whether a node calls a function that may change the piles of the state."""
    return any(S in call.args[:1] for call in calls_in(node))


_READING = frozenset(("maximise", "never_twice", "remember"))
"""Calls that read pieces without having them as arguments."""


class _Own(Struct):
    """Facts of one function alone, and the functions it calls."""

    asks: list[int] = []
    reads: bool = False
    calls: set[str] = set()


def facts_of(functions: Sequence[Function], columns: Mapping[str, tuple[str, ...]]) -> dict[str, Facts]:
    """Return the facts of each function and of everything it calls, also through columns of tables."""
    own = {function.name: _own_facts(function, columns) for function in functions}
    reading = {name for name, one in own.items() if one.reads}
    while more := {name for name, one in own.items() if name not in reading and one.calls & reading}:
        reading |= more
    return {name: Facts(tuple(one.asks), name in reading) for name, one in own.items()}


def _own_facts(function: Function, columns: Mapping[str, tuple[str, ...]]) -> _Own:
    found = _Own()
    moved = list[code.Value]()
    for node in code.walk(function.body):
        match node:
            case code.Ask(decision=decision):
                found.asks.append(decision)
            case code.Method(code.Item(code.Name("P")) as pile):
                moved.append(pile)
            case code.Item(code.Name("P")) if node in moved:
                moved.remove(node)  # moving a piece to or from a pile does not read it
            case code.Item(code.Name("P")):
                found.reads = True
            case code.Call(name):
                found.calls.add(name)
                found.reads |= name in _READING
            case code.RowCall(column):
                found.calls.update(columns[column])
            case code.ForChosen(effect=effect):
                found.calls.add(effect)
    return found
