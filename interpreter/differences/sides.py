"""What people read of an entry: its name, its value, the sentence of its rule, what the clauses of the source say of it."""

from __future__ import annotations

import re

from interpreter.differences.changes import Side
from interpreter.differences.edition import Edition
from interpreter.differences.outline import Part
from interpreter.differences.speech import say, together
from interpreter.language.model import Option, Texts, text_in, texts_of
from interpreter.reading.tree import STEPS_INSIDE
from interpreter.reading.tree import texts_of as texts_in
from interpreter.running.naming import in_language

Paths = tuple[str, ...]
_NAMES = {
    "choose": "moves",
    "play": "moves",
    "prefer": "moves",
    "over": "moves",
    "until": "moves",
    "obey": "obligations",
}
"""Lists of names, and what they are names of."""


def side(edition: Edition, path: Paths, part: Part, unsaid: frozenset[str] = frozenset()) -> Side:
    """The entry at `path`, which begins with its section; `unsaid`: clauses that need not be repeated."""
    called = texts_of(lambda lang: _name(edition, path, part, lang))
    said = _said(edition, path, part, unsaid)
    return Side(part.key.raw, called, part.written, _value(edition, path, part), said, at_of(part), span=part.span)


def _value(edition: Edition, path: Paths, part: Part) -> Texts:
    """What a formula gives, what a step does, what the cells of a row are."""
    words = edition.words
    if path[0] == "flow" and len(path) > 2 and part.node.kind == "map":
        return words.of_step(tuple(name for name in path[1:] if name not in STEPS_INSIDE))
    if path[0] == "tables" and len(path) > 3 and path[2] == "rows":
        return _cell(edition, path, part) if len(path) > 4 else _cells(edition, path, part)
    return words.of_formula(part.formula) if part.node.kind == "scalar" or set(part.inner) == {"is"} else ()


def _cell(edition: Edition, path: Paths, part: Part) -> Texts:
    found = edition.words.of_cell(path[1], path[3].replace(" ", "_"), path[4]) if part.node.kind == "scalar" else ()
    return found or edition.words.of_formula(part.formula)


def _cells(edition: Edition, path: Paths, part: Part) -> Texts:
    """The cells of a row, each under the name of its column."""
    cells = [(name, cell, _cell(edition, (*path[:3], part.name, name), cell)) for name, cell in part.inner.items()]

    def told(lang: str) -> str:
        return together(
            [
                f"{column(edition, path[1], name, lang)} {text_in(value, lang) or f'`{cell.written}`'}"
                for name, cell, value in cells
            ],
            lang,
        )

    return texts_of(told) if cells else ()


def column(edition: Edition, table: str, name: str, lang: str) -> str:
    """What a column is called, or its name as it is written."""
    known = dict(edition.words.of_column(table, name))
    return in_language(known, lang) if known else f"`{name}`"


def detail_side(edition: Edition, path: Paths, part: Part) -> Side:
    """A part of an entry: a condition of a move and a row of a table have names, other parts are known by their keys."""
    named = path[:1] == ("tables",) or "if" in path[2:3]
    called = texts_of(lambda lang: _part_name(edition, path, part, lang)) if named else ()
    said = _text_of(part) if path[-1] in ("rule", "en") else ()
    items = tuple(item.raw for item in part.node.items)
    value = () if items or path[-1] in ("rule", "en") else _value(edition, path, part)
    return Side(
        part.key.raw, called, part.written, value, said, at_of(part), items, _items(edition, path, items), part.span
    )


def _part_name(edition: Edition, path: Paths, part: Part, lang: str) -> str:
    """Of a cell the row and the column."""
    if path[0] != "tables" or len(path) < 5 or path[2] != "rows":
        return _name(edition, path, part, lang)
    return f"{_name(edition, path[:4], part, lang)}, {column(edition, path[1], path[4], lang)}"


def _text_of(part: Part) -> Texts:
    """Of a sentence its words; of the words of an entry these."""
    return tuple(texts_in(part.node).items()) if part.node.kind == "map" else ()


def _items(edition: Edition, path: Paths, items: tuple[str, ...]) -> tuple[Texts, ...]:
    """What the items of a list are called: names of moves and obligations in words, others as they are written."""
    space = _NAMES.get(path[-1], "")
    return tuple(_item(edition, space, item) for item in items)


def _item(edition: Edition, space: str, item: str) -> Texts:
    return texts_of(lambda lang: edition.labels(lang).get(space, {}).get(item) or f"`{item}`")


def option_side(edition: Edition, option: Option, part: Part) -> Side:
    """An option with its value, where that is said: in the file's `set`, beside its declaration, or by nobody but the command line."""
    given = edition.root.get("set")
    node = given.get(option.name) if given is not None and given.kind == "map" else None
    written = node or part.node.get("default") or part.key
    return Side(
        key=option.name,
        called=texts_of(lambda lang: in_language(option.words, lang, option.name)),
        source=_written(option),
        value=texts_of(lambda lang: value_of(option, lang)),
        said=_said(edition, ("options", option.name), part, frozenset()),
        at=at_of(part),
        span=written.span if option.value == option.default else None,
    )


def players_side(edition: Edition, part: Part) -> Side:
    """How many play."""
    number = len(edition.rules.seats)
    count = part.inner.get("count")
    return Side(
        key="players",
        called=texts_of(lambda lang: say("playing", lang)),
        source=f"players: {number}",
        value=texts_of(lambda lang: say("players", lang, count=number)),
        at=at_of(part),
        span=count.span if count is not None else part.key.span,
    )


def value_of(option: Option, lang: str) -> str:
    """The value of an option in words."""
    if option.choices:
        return in_language(option.choice_words[option.value], lang, option.choices[option.value])
    if option.kind.name == "bool":
        return say("yes" if option.value else "no", lang)
    return str(option.value)


def _written(option: Option) -> str:
    value = option.choices[option.value] if option.choices else str(option.value).lower()
    return f"{option.name}: {value}"


def at_of(part: Part) -> str:
    """The clauses that an entry cites, as they are written."""
    node = part.node
    rule = node.get("rule") if node.kind == "map" else None
    found = (
        rule.get("at") if rule is not None and rule.kind == "map" else node.get("at") if node.kind == "map" else None
    )
    return found.raw if found is not None else ""


def clauses_of(edition: Edition, path: Paths, part: Part) -> frozenset[str]:
    """The clauses that an entry cites, and those that are at home in it."""
    known = edition.rules.clauses
    home = "/".join(path)
    at_home = {name for name, clause in known.items() if _bare(clause.home) == home}
    return frozenset(at_home | ({*re.findall(r"[^\s,;]+", at_of(part))} & known.keys()))


def _bare(home: str) -> str:
    """The path of an entry; a term by its name alone."""
    return re.sub(r"\(.*\)", "", "/".join(p.strip() for p in home.split("/")))


def _said(edition: Edition, path: Paths, part: Part, unsaid: frozenset[str]) -> Texts:
    """The sentence of its rule; where it has none, or is said to be otherwise by the source, what the clauses say."""
    rule = part.node.get("rule") if part.node.kind == "map" else None
    own = texts_in(rule) if rule is not None and rule.kind == "map" else {}
    clauses = [
        edition.rules.clauses[name].words for name in sorted(clauses_of(edition, path, part) - unsaid, key=_counted)
    ]
    told = [own] if own else [words for words in clauses if words]
    return texts_of(lambda lang: " ".join(dict.fromkeys(in_language(words, lang) for words in told))) if told else ()


def _counted(name: str) -> tuple[str, int]:
    """Clauses in their order: B9 before B10."""
    found = re.fullmatch(r"(.*?)(\d+)\w*", name)
    return (found[1], int(found[2])) if found else (name, 0)


# ---- names -----------------------------------------------------------------------------------------------------------


def _called(edition: Edition, path: Paths, part: Part) -> Texts:
    return texts_of(lambda lang: _name(edition, path, part, lang))


def _name(edition: Edition, path: Paths, part: Part, lang: str) -> str:
    if path[0] == "terms":
        return f"`{part.key.raw}`"
    if path[0] == "flow":
        return " › ".join(_steps(edition, path, part, lang))
    if path == ("result",):
        return say("section.result", lang)
    space = f"{path[0]}/{path[1]}" if len(path) > 2 else path[0]  # rows of a table, conditions of a move, or entries
    known = edition.labels(lang).get(space, {})
    own = texts_in(part.node) if part.node.kind == "map" else {}
    return known.get(path[-1]) or in_language(own, lang, part.key.raw.replace("_", " "))


def _steps(edition: Edition, path: Paths, part: Part, lang: str) -> list[str]:
    """The names of a phase and of the steps in it on the way to a step, which may have another name on the other side."""
    way = [edition.part(path[:end]) for end in range(2, len(path)) if path[end - 1] not in STEPS_INSIDE or end == 2]
    return [_labelled(step, lang) for step in (*way, part) if step is not None]


def _labelled(part: Part, lang: str) -> str:
    own = texts_in(part.node) if part.node.kind == "map" else {}
    return in_language(own, lang, part.key.raw.replace("_", " "))
