"""Hover texts and signatures: what a thing is, its type, meaning and value. Results are Markdown, not protocol types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from hoyle.checking import build
from hoyle.checking.formulas.symbols import CheckedForm, SymbolTable
from hoyle.diagnostics import Refused, Span, localize
from hoyle.editor.analysis import Analysis, load_tree
from hoyle.editor.cursor_context import find_context
from hoyle.editor.names.resolution import Spot, look_up
from hoyle.editor.names.symbols import Symbol, describe_declaration, find_wording, list_declarations
from hoyle.editor.schema_lookup import find_description
from hoyle.editor.wording import translate
from hoyle.game.compiled import compile_ruleset
from hoyle.game.examples.examples import Runner
from hoyle.game.game import Game, State
from hoyle.language.evaluate import Setting, evaluate, is_static
from hoyle.language.ir import Expr
from hoyle.language.value_types import Choice, Row, ValueType, describe_type, get_bounds
from hoyle.language.vocabulary import NAMES, WORDS, name_meaning
from hoyle.reading.grammar import translate_schema_text
from hoyle.reading.shape import Path
from hoyle.reading.sources import unsaved
from hoyle.reading.tree import Node

MOST_TYPES = 4


class HoverText(Struct, frozen=True):
    """A text in Markdown, and the span that it describes."""

    text: str
    span: Span | None


def find_hover(analysis: Analysis, file: str, offset: int, lang: str) -> HoverText | None:
    """Describe what stands at an offset; None if nothing is known of it."""
    spot = look_up(analysis, file, offset)
    node, forms = spot.node, spot.checked
    value = _evaluate_in_example(analysis, spot, lang)
    if value is not None and node is not None:
        return HoverText(f"`{node.raw}`\n\n{translate(lang, 'hover.example', value=value)}", node.span)
    if spot.symbol is not None:
        return HoverText("\n\n".join(_describe_symbol(analysis, spot.symbol, lang, forms)), spot.span)
    schema = find_description(spot.path) if spot.on_key else None
    if schema is not None and node is not None:
        return HoverText(f"**{node.raw}**\n\n{translate_schema_text(schema['description'], lang)}", node.span)
    if forms:
        lines = [f"`{' '.join(forms[0].form.span.text.split())}`", *_describe_types(forms, lang)]
        lines += _describe_constant(analysis.trace.symbols, forms, lang)
        return HoverText("\n\n".join(lines), forms[0].form.span)
    return None


# ---- symbols ---------------------------------------------------------------------------------------------------------


def describe_briefly(analysis: Analysis, symbol: Symbol, lang: str) -> list[str]:
    """Return the category and the type of a symbol in a few words."""
    category = translate(lang, f"sort.{symbol.category}", owner=symbol.owner)
    return [category, *_describe_declared_type(symbol, analysis.trace.symbols, lang)]


def _describe_symbol(analysis: Analysis, symbol: Symbol, lang: str, forms: tuple[CheckedForm, ...]) -> list[str]:
    """Return lines on a symbol: category, type, meaning, value."""
    symbols = analysis.trace.symbols
    lines = [f"**{symbol.name}**: {translate(lang, f'sort.{symbol.category}', owner=symbol.owner)}"]
    lines += _describe_types(forms, lang) or _describe_declared_type(symbol, symbols, lang)
    lines += [line for line in [describe_meaning(analysis, symbol, lang)] if line]
    lines += _describe_entry(symbol, symbols, lang)
    if symbol.category in ("terms", "columns"):
        lines += _describe_constant(symbols, forms, lang)
    return lines


def describe_meaning(analysis: Analysis, symbol: Symbol, lang: str) -> str:
    """Return a line on the meaning of a symbol; empty if none is given."""
    if symbol.category == "words":
        word = WORDS.get(symbol.name)
        if word is not None:
            return f"`{word.usage}`: {localize(word.meaning, lang)}"
        return localize(name_meaning(symbol.name), lang) if symbol.name in NAMES else ""
    root = analysis.root
    if symbol.category == "choices" and root is not None:
        return find_choice_words(analysis.trace.symbols, symbol, lang)
    declarations = list_declarations(root) if root is not None else []
    declaration = next((entry for entry in declarations if entry.symbol == symbol), None)
    own = describe_declaration(declaration, lang) if declaration is not None else ""
    return own or find_wording(root, symbol, lang)


def find_choice_words(symbols: SymbolTable | None, symbol: Symbol, lang: str) -> str:
    """Return the words of an option's choice; empty if there are none."""
    option = symbols.options.get(symbol.owner) if symbols is not None else None
    if option is None or symbol.name not in option.choices or not option.choice_words:
        return ""
    words = option.choice_words[option.choices.index(symbol.name)]
    return words.get(lang) or next(iter(words.values()), "")


def _describe_entry(symbol: Symbol, symbols: SymbolTable | None, lang: str) -> Iterator[str]:
    """Describe the value of an option, the room of a pile, the first value of a state, or the rows of a table."""
    name = symbol.name
    if symbols is None:
        return
    if symbol.category == "options" and name in symbols.options:
        option = symbols.options[name]
        yield translate(lang, "hover.set_to", value=_format_value(option.value, option.type, symbols))
    if symbol.category == "piles" and name in symbols.piles:
        pile = symbols.piles[name]
        yield translate(lang, "hover.piles", count=pile.members * pile.columns, room=pile.room, face=pile.face)
    if symbol.category == "state" and name in symbols.state:
        state = symbols.state[name]
        yield translate(lang, "hover.starts", value=_format_value(state.starts, state.type, symbols))
    if symbol.category == "tables" and name in symbols.tables:
        yield translate(lang, "hover.rows", names=", ".join(f"`{row}`" for row in symbols.tables[name].rows[:20]))


# ---- types and values ------------------------------------------------------------------------------------------------


def _describe_types(forms: tuple[CheckedForm, ...], lang: str) -> list[str]:
    """Return a line with the types of a formula. A formula in a term has one for each combination of arguments."""
    types = _format_types((checked.found.type for checked in forms), lang)
    if not types:
        return []
    more = "; …" if len(types) > MOST_TYPES else ""
    return [translate(lang, "hover.gives", kind="; ".join(types[:MOST_TYPES]) + more)]


def _format_types(value_types: Iterable[ValueType], lang: str) -> list[str]:
    known = (value_type for value_type in value_types if value_type.name != "unknown")
    return list(
        dict.fromkeys(
            localize(describe_type(value_type), lang) + (" ∅" if value_type.optional else "") for value_type in known
        )
    )


def _describe_declared_type(symbol: Symbol, symbols: SymbolTable | None, lang: str) -> list[str]:
    """Return a line with the type of a symbol by its declaration."""
    category, name = symbol.category, symbol.name
    value_types: list[ValueType] = []
    if symbols is None:
        return []
    if category == "terms":
        value_types = [term.body.type for key, term in symbols.instances.items() if key[:2] == ("term", name)]
    elif category == "columns" and symbol.owner in symbols.tables:
        columns = symbols.tables[symbol.owner].columns
        value_types = [columns[name].type] if name in columns else []
    elif category in ("options", "state"):
        entries = getattr(symbols, category)
        value_types = [entries[name].type] if name in entries else []
    elif category == "attributes":
        value_types = [piece.attributes[name] for piece in symbols.pieces.values() if name in piece.attributes]
    types = _format_types(value_types, lang)
    return ["; ".join(types[:MOST_TYPES])] if types else []


def _describe_constant(symbols: SymbolTable | None, forms: tuple[CheckedForm, ...], lang: str) -> list[str]:
    """Return a line with the value of a formula that depends on options and tables only."""
    if symbols is None or len({id(checked.form) for checked in forms}) != 1:
        return []
    if any(checked.found.type.name == "unknown" for checked in forms):
        return []
    values = {value for checked in forms if (value := _evaluate_constant(checked.found, symbols)) is not None}
    return [translate(lang, "hover.constant", value=value) for value in values] if len(values) == 1 else []


def _evaluate_constant(formula: Expr, symbols: SymbolTable) -> str | None:
    try:
        if not is_static(formula):
            return None
        setting = Setting(symbols.attributes.by_name, SEATS=len(symbols.seats))
        return _format_value(evaluate(formula, setting, {}), formula.type, symbols)
    except (LookupError, TypeError, AttributeError):  # it names what is bound around it
        return None


def _format_value(value: object, value_type: ValueType, symbols: SymbolTable) -> str:
    """Return a value as formulas write it."""
    if isinstance(value, list | tuple) and value_type.name == "list":
        return "[" + ", ".join(_format_value(item, value_type.item_type, symbols) for item in value) + "]"
    if not isinstance(value, int):
        return "none" if value is None else str(value)
    if value_type.name == "bool":
        return "true" if value else "false"
    if value < 0 and (value_type.name != "number" or value < get_bounds(value_type)[0]):
        return "none"
    names: tuple[str, ...] = ()
    match value_type:
        case Row(table=table):
            names = symbols.tables[table].rows
        case Choice(option=option):
            names = symbols.options[option].choices
        case _ if value_type.name == "player":
            names = symbols.seats
    return names[value] if 0 <= value < len(names) else str(int(value))


# ---- values in worked examples ---------------------------------------------------------------------------------------


def _evaluate_in_example(analysis: Analysis, spot: Spot, lang: str) -> str | None:
    """Return the value of a formula under `values` or `state` of an example, after its moves; else None."""
    path, node = spot.path, spot.node
    if path[:1] != ("examples",) or len(path) < 4 or path[-2] not in ("values", "state") or not spot.on_key:
        return None
    if node is None:
        return None
    try:
        with unsaved(analysis.texts):
            return _play_example(analysis, path).value(node.raw).text(lang)
    except (Refused, LookupError):
        return None


def _play_example(analysis: Analysis, path: Path) -> State:
    """Return the state to which the expectation at a path applies. Raises Refused."""
    tree = load_tree(analysis.path, analysis.texts)
    assert tree is not None
    node = tree["examples"][str(path[1])]
    runner = Runner(lambda options: Game(compile_ruleset(*build.load_ruleset(analysis.path, options)), engine="python"))
    state = runner.start(node)
    if path[2] != "given":
        for move in _list_moves(node, path[2:]):
            state = state.play(move)
    return state


def _list_moves(node: Node, path: Path) -> Iterator[str]:
    """Yield the moves before the expectation at a path: those of `moves`, then those in keys of `after`."""
    for item in node.items_of("moves"):
        yield from (text.strip() for text in item.raw.split(";"))
    if path[0] == "after":
        yield from (text.strip() for text in str(path[1]).split(";"))
        yield from _list_moves(node["after"][str(path[1])], path[2:])


# ---- signatures ------------------------------------------------------------------------------------------------------


class Signature(Struct, frozen=True):
    """The form of a call, its meaning, its parameters, and the index of the parameter at the cursor."""

    label: str
    meaning: str
    parameters: tuple[str, ...]
    active: int


def find_signature(analysis: Analysis, text: str, offset: int, lang: str) -> Signature | None:
    """Return the signature of the innermost call around an offset."""
    name, active = _find_call(find_context(text, offset).text)
    if name in WORDS:
        usage = WORDS[name].usage
        inside = re.findall(r"[^,()]+", usage.partition("(")[2].partition(")")[0])
        return Signature(usage, localize(WORDS[name].meaning, lang), tuple(part.strip() for part in inside), active)
    symbols = analysis.trace.symbols
    term = symbols.terms.get(name) if symbols is not None else None
    if term is None:
        return None
    label = f"{name}({', '.join(term.parameters)})"
    return Signature(label, describe_meaning(analysis, Symbol("terms", name), lang), term.parameters, active)


def _find_call(text: str) -> tuple[str, int]:
    """Return the name before the innermost open bracket, empty if there is none, and the commas since."""
    calls: list[tuple[str, int]] = [("", 0)]
    for match in re.finditer(r"(\w*)\s*\(|[),\[\]]", text):
        if match[0].endswith("("):
            calls.append((match[1], 0))
        elif match[0] == "[":
            calls.append(("", 0))
        elif match[0] == ",":
            calls[-1] = (calls[-1][0], calls[-1][1] + 1)
        elif len(calls) > 1:
            calls.pop()
    return calls[-1]
