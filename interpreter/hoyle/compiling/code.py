"""The intermediate representation: nodes of generated functions, from which Python and C are printed.

Nodes know nothing of rules. `expressions` to `flow` make them; `python` and the room `native` print them. Names in
them are short:

    s           the state (`running.state.Core`); P its piles, C its cells (state, then registers)
    a           an action: the number of its move, then its bindings; acts has the legal ones, late the faults
    me          the player who acts; in a term, a weight or a settler a parameter
    b7 a7 e7    block 7; the function that plays an action of decision 7; the one that does so for simultaneous choices
    settle_2    tries `whenever` rules; fired says whether one of them applied
    weigh_7_0   returns the worth of an action of decision 7 for obligation 0
    each_7      generates the actions of decision 7; c7 plays one on piles that another state shares (`idioms`)
    rows_0      returns the points of each row of a table, if many formulas have much in common
    t3_name     a term for one combination of types; its parameters are p0, p1, …
    w_name      a word that is a call (`language.vocabulary`); verbs are called by their names (`running.verbs`)
    A_4 F_5 …   constants: a table of attributes (A), the piles of a family (F), a range or rows (R), functions of a
                column (G), a type (K), TALLY and GUARD (`running.verbs`) and AIM (`running.lookahead`)
    f, t, card  source and target pile of a move's piece, and the piece
    done_7      says whether a value that is computed on demand has been computed
    name_5      any other value, with a name that describes it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from typing import Literal as Literal_

from msgspec import Struct


class Value(Struct, frozen=True, gc=False):
    """An expression. Values are immutable, so they can be shared."""


class Statement(Struct, kw_only=True):
    """`origin` is the line of the ruleset that the statement comes from."""

    origin: int = 0


Node = Value | Statement


# ---- values ----------------------------------------------------------------------------------------------------------


class Literal(Value, frozen=True, gc=False):
    value: int | str | None


class Name(Value, frozen=True, gc=False):
    id: str


class Label(Value, frozen=True, gc=False):
    """The number of the next block."""

    number: int


class Field(Value, frozen=True, gc=False):
    """An attribute of the state."""

    name: str


class Item(Value, frozen=True, gc=False):
    items: Value
    place: Value


class Call(Value, frozen=True, gc=False):
    """A call of a generated function, a verb or a word. `absent` is the word's value if there is nothing."""

    function: str
    args: tuple[Value, ...]
    absent: Value | None = None


class RowCall(Value, frozen=True, gc=False):
    """A call of a column's function for a row of its table."""

    column: str
    row: Value
    args: tuple[Value, ...]


class Method(Value, frozen=True, gc=False):
    """`append`, `pop` or `remove` of a list."""

    owner: Value
    name: str
    args: tuple[Value, ...]


class Not(Value, frozen=True, gc=False):
    value: Value


class Minus(Value, frozen=True, gc=False):
    value: Value


class Binary(Value, frozen=True, gc=False):
    """`operator` is one of + - * // % >> & |."""

    left: Value
    operator: str
    right: Value


class Compare(Value, frozen=True, gc=False):
    """`operator` is one of == != < <= > >= in, not in, is, is not."""

    left: Value
    operator: str
    right: Value


class And(Value, frozen=True, gc=False):
    values: tuple[Value, ...]


class Or(Value, frozen=True, gc=False):
    values: tuple[Value, ...]


class Choice(Value, frozen=True, gc=False):
    test: Value
    yes: Value
    no: Value


class List(Value, frozen=True, gc=False):
    items: tuple[Value, ...]


class Tuple(Value, frozen=True, gc=False):
    items: tuple[Value, ...]


class Slice(Value, frozen=True, gc=False):
    """A copy of a list up to an index, or of all of it."""

    items: Value
    end: int | None


class Star(Value, frozen=True, gc=False):
    """The items of a list, spliced into another."""

    value: Value


class Comprehension(Value, frozen=True, gc=False):
    """A list or set with one item for each item of `source` that passes the test."""

    item: Value
    target: Value
    source: Value
    test: Value | None = None
    is_set: bool = False


class EmptyMap(Value, frozen=True, gc=False):
    """An empty dictionary."""


# ---- statements ------------------------------------------------------------------------------------------------------


class Open(Statement):
    """Assigns the piles and cells of the state to P and C."""


class Assign(Statement):
    target: Value
    value: Value


class Add(Statement):
    """target += value"""

    target: Value
    value: Value


class Fill(Statement):
    """Sets a range of cells to one value."""

    first: int
    count: int
    value: Value


class Unpack(Statement):
    """Assigns the bindings of the action `a` to names."""

    names: tuple[Name, ...]


class Do(Statement):
    call: Value


class If(Statement):
    test: Value
    body: list[Statement]
    otherwise: list[Statement] = []


class For(Statement):
    target: Value
    items: Value
    body: list[Statement]


class ForChosen(Statement):
    """Iterates the actions that players chose together, by seat.

    Sets `player`. `effect` plays the action or returns the next block.
    """

    player: Value
    players: Value
    actions: Value
    effect: str


class Forever(Statement):
    body: list[Statement]


class Break(Statement):
    pass


class Return(Statement):
    value: Value | None


class Yield(Statement):
    value: Value


class Ask(Statement):
    """Offers the actions to a player at the decision of this number."""

    actions: Value
    actor: Value
    decision: int


class Use(Statement):
    """Counts the use of a rule, unless a player is looking ahead."""

    counter: int


class LogRule(Statement):
    """Logs that a `whenever` rule applies."""

    rule: int
    player: Value


Role = Literal_["block", "action", "effect", "settler", "weight", "listing", "value"]
"""Role of a function.

block     a block of the flow
action    plays an action of a decision
effect    plays an action that was chosen together with others
settler   tries `whenever` rules
weight    returns the weights of an action
listing   generates the actions of a decision
value     computes a value
"""


class Function(Struct):
    """A generated function. Line numbers of its statements refer to `file`; `label` is its block or decision."""

    name: str
    parameters: tuple[str, ...]
    file: str
    line: int
    body: list[Statement]
    role: Role = "value"
    label: int = -1

    @property
    def gives_label(self) -> bool:
        """Return whether it returns the number of a block, or the phase that a settler leaves."""
        return self.role in ("block", "action", "effect", "settler")


# ---- common nodes ----------------------------------------------------------------------------------------------------

TRUE, FALSE, NONE = Literal(True), Literal(False), Literal(None)
P, C, S, A, ME, ACTS = map(Name, ("P", "C", "s", "a", "me", "acts"))
NO_ITEMS = Name("NONE")
"""A list whose only item is absent."""
EMPTY, NO_LIST = Tuple(()), List(())
LOOKING = Field("looking")
IS_LOGGED = Compare(Field("log"), "is not", NONE)
_NUMBERS = tuple(map(Literal, range(-1, 1024)))


def number(value: int) -> Literal:
    return _NUMBERS[value + 1] if -1 <= value < 1023 else Literal(value)


def value_of(given: Value | int) -> Value:
    return given if isinstance(given, Value) else number(given)


def call(function: str, *args: Value | int) -> Call:
    return Call(function, tuple(map(value_of, args)))


def cell(place: Value | int) -> Item:
    return Item(C, value_of(place))


def pile(place: Value | int) -> Item:
    return Item(P, value_of(place))


def compare(left: Value, operator: str, right: Value | int) -> Compare:
    return Compare(left, operator, value_of(right))


def plus(value: Value, more: int) -> Value:
    return Binary(value, "+", number(more)) if more else value


def append(owner: Value, item: Value) -> Do:
    return Do(Method(owner, "append", (item,)))


def all_of(tests: list[Value]) -> Value:
    """Return the conjunction of one or more tests."""
    return tests[0] if len(tests) == 1 else And(tuple(tests))


def is_between(low: int, value: Value, high: int) -> And:
    """Return the test low <= value < high."""
    return And((Compare(number(low), "<=", value), compare(value, "<", high)))


def is_move(value: int) -> Compare:
    """Return the test that the action `a` is of the move of this number."""
    return Compare(Item(A, number(0)), "==", number(value))


def is_simple(value: Value) -> bool:
    """Return whether a value is a name or a literal, which costs nothing to repeat."""
    return isinstance(value, Name | Literal)


def known_number(value: Value) -> int | None:
    """Return the value of an integer literal, else None."""
    return value.value if isinstance(value, Literal) and type(value.value) is int else None


# ---- traversal -------------------------------------------------------------------------------------------------------


_NODES = (Value, Statement)


def children(node: Node) -> Iterator[Node]:
    for field in node.__struct_fields__:
        held: Any = getattr(node, field)
        if isinstance(held, _NODES):
            yield held
        elif type(held) is tuple or type(held) is list:
            yield from held


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the nodes and all nodes within them, in preorder."""
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [*children(node)][::-1]


def every_statement(body: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements and those within them."""
    for statement in body:
        yield statement
        if isinstance(statement, If):
            yield from every_statement(statement.body)
            yield from every_statement(statement.otherwise)
        elif isinstance(statement, For | Forever):
            yield from every_statement(statement.body)


def mentioned_names(*nodes: Node) -> Iterator[str]:
    """Yield the names that are read or assigned in the nodes, one for each mention."""
    return (node.id for node in walk(nodes) if isinstance(node, Name))


def assigned_names(*nodes: Node) -> Iterator[str]:
    """Yield the names that are assigned in the nodes, one for each mention."""
    for node in walk(nodes):
        match node:
            case Assign(target=target) | Add(target=target) | For(target=target) | Comprehension(target=target):
                targets = target.items if isinstance(target, Tuple) else (target,)
                yield from (one.id for one in targets if isinstance(one, Name))
            case Unpack(names=names):
                yield from (name.id for name in names)


def replace_value(node: Value, old: Value, new: Value) -> Value:
    """Return the value with `old` replaced by `new`."""
    if node == old:
        return new
    held = [_replaced_in(getattr(node, field), old, new) for field in node.__struct_fields__]
    return type(node)(*held)


def _replaced_in(held: Any, old: Value, new: Value) -> Any:
    if isinstance(held, Value):
        return replace_value(held, old, new)
    return tuple([replace_value(each, old, new) for each in held]) if isinstance(held, tuple) else held


def calls_in(*nodes: Node) -> Iterator[Call]:
    return (node for node in walk(nodes) if isinstance(node, Call))
