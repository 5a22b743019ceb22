"""What people read of an entry: its name, its value, the sentence of its rule, what the clauses of the source say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.differences.changes import Side
from hoyle.differences.edition import Edition
from hoyle.differences.names import NAMED_BY, KeyPath
from hoyle.differences.outline import Part
from hoyle.differences.words import knows, say, together, word_for
from hoyle.language.model import Option, Texts, text_in, texts_of
from hoyle.language.sentences import FALLBACK, integer, listed
from hoyle.prose.speech import quoted
from hoyle.prose.voice import table_noun
from hoyle.reading.tree import STEPS_INSIDE
from hoyle.reading.tree import texts_of as texts_in
from hoyle.running.naming import in_language

_SPACES = ("piles", "phases", "moves", "obligations", "state", "pieces")


def plainly(edition: Edition, path: KeyPath, part: Part) -> Texts:
    """The part at `path`, which begins with its section, in each language; nothing where that is no word people know."""
    found = _count_copies(edition, path)
    if found is not None:
        return texts_of(lambda lang: integer(found, lang))
    raw = " ".join(part.node.raw.split()) if part.node.kind == "scalar" else ""
    told = texts_of(lambda lang: _word(edition, path[-1], raw, lang))
    return told if raw and all(text for _, text in told) else ()


def _count_copies(edition: Edition, path: KeyPath) -> int | None:
    """A number that the options settle."""
    section, name, key = (path[0], path[1], path[-1]) if len(path) == 3 else ("", "", "")
    rules = edition.rules
    if section == "piles" and key in ("room", "columns") and name in rules.piles:
        return rules.piles[name].room if key == "room" else rules.piles[name].columns
    if section == "pieces" and key == "copies" and name in rules.pieces:
        return rules.pieces[name].copies
    return None


def _word(edition: Edition, key: str, raw: str, lang: str) -> str:
    if knows(f"value.{key}.{raw}", lang):
        return say(f"value.{key}.{raw}", lang)
    if raw in ("true", "false"):
        return say("yes" if raw == "true" else "no", lang)
    if re.fullmatch(r"-?\d+", raw):
        return integer(int(raw), lang)
    bounds = re.fullmatch(r"(-?\d+)\s*\.\.\s*(-?\d+)", raw)
    if bounds:
        low, high = (integer(int(bound), lang) for bound in bounds.groups())
        return say("value.bounds", lang, low=low, high=high)
    option = edition.rules.options.get(raw)
    return value_of(option, lang) if option is not None else _entry_word(edition, raw, lang)


def _entry_word(edition: Edition, raw: str, lang: str) -> str:
    """Of a table what one of it is called, of other things their names."""
    if raw in edition.rules.tables:
        return say("value.each_of", lang, noun=table_noun(raw, edition.words.voice(lang)))
    own = edition.labels(lang)
    names = [next((own[space][name] for space in _SPACES if name in own[space]), "") for name in re.split(r",\s*", raw)]
    return listed([quoted(name, lang) for name in names], lang) if all(names) else ""


def value_of(option: Option, lang: str) -> str:
    """The value of an option in words."""
    if option.choices:
        words = option.choice_words[option.value]
        return words.get(lang) or words.get("en") or option.choices[option.value].replace("_", " ")
    if option.kind.name == "bool":
        return say("yes" if option.value else "no", lang)
    return integer(int(option.value), lang)


_DESCRIBED = ("pieces", "piles")
"""Sections whose entries are described by their keys where nothing else is said of them."""
_UNSAID = ("layout", "from", "holds", "columns")
"""Keys that only say where something is drawn, or what goes without saying."""
_USING = ("moves", "obligations", "whenever", "flow", "state", "piles")
"""Sections whose entries say where a term bears on play."""
MOST_ROWS = 16
"""So many rows of a table are named."""
MOST_USERS = 3
"""A term that more entries use bears on play everywhere."""


def side(edition: Edition, path: KeyPath, part: Part, unsaid: frozenset[str] = frozenset()) -> Side:
    """The entry at `path`, which begins with its section; `unsaid`: clauses that need not be repeated."""
    called = texts_of(lambda lang: _name(edition, path, part, lang))
    said = _said(edition, path, part, unsaid)
    bears = texts_of(lambda lang: _bears(edition, path, lang)) if path[0] == "terms" else ()
    return Side(
        part.key.raw, called, bears, part.written, _value(edition, path, part), said, at_of(part), span=part.span
    )


def _value(edition: Edition, path: KeyPath, part: Part) -> Texts:
    """What a formula gives, what a step or a phase does, what the cells of a row are."""
    words = edition.words
    found: Texts = ()
    if path[:1] == ("result",) and len(path) == 2:
        found = words.of_result(path[1])
    elif path[0] == "flow" and len(path) == 2:
        found = words.of_phase(path[1])
    elif path[0] == "tables" and len(path) == 2:
        found = _rows(edition, path[1])
    elif path[0] == "tables" and path[2:3] == ("rows",) and len(path) > 3:
        found = _cell(edition, path, part) if len(path) > 4 else _cells(edition, path, part)
    elif part.node.kind == "map" and set(part.inner) != {"is"}:
        found = words.of_step(tuple(name for n, name in enumerate(path) if n < 2 or name not in STEPS_INSIDE))
    elif part.node.kind != "list":
        found = words.of_formula(part.formula) or plainly(edition, path, part)
    return found or _parts(edition, path, part)


def _parts(edition: Edition, path: KeyPath, part: Part) -> Texts:
    """Of an entry what its keys say, as far as that has words: `one for each player, face down`."""
    if path[0] not in _DESCRIBED or len(path) != 2:
        return ()
    inner = [(one.name, plainly(edition, (*path, one.name), one)) for one in part.inner.values() if not one.inner]
    known = [(key, value) for key, value in inner if value and key not in _UNSAID]
    return texts_of(lambda lang: ", ".join(f"{word_for(key, lang)} {text_in(value, lang)}" for key, value in known))


def _rows(edition: Edition, table: str) -> Texts:
    """What the rows of a table are called, of a short one."""
    found = edition.rules.tables.get(table)
    if found is None or not 0 < len(found.rows) <= MOST_ROWS:
        return ()
    return texts_of(lambda lang: listed([edition.labels(lang)[f"tables/{table}"][row] for row in found.rows], lang))


def _cell(edition: Edition, path: KeyPath, part: Part) -> Texts:
    found = edition.words.of_cell(path[1], path[3].replace(" ", "_"), path[4]) if part.node.kind == "scalar" else ()
    return found or edition.words.of_formula(part.formula)


def _cells(edition: Edition, path: KeyPath, part: Part) -> Texts:
    """The cells of a row, each under the name of its column, and whether there are more that would be long."""
    cells = [(name, _cell(edition, (*path[:3], part.name, name), cell), cell) for name, cell in part.inner.items()]

    def told(lang: str) -> str:
        named = [(column(edition, path[1], name, lang), text_in(value, lang), cell) for name, value, cell in cells]
        told = [f"{name} {value}" for name, value, _ in named if name and value]
        left = any(name and not value and cell.node.raw != "none" for name, value, cell in named)
        return together([*told, say("more", lang)] if told and left else told, lang)

    return texts_of(told) if cells else ()


def column(edition: Edition, table: str, name: str, lang: str) -> str:
    """What a column is called; nothing where only its author calls it something."""
    return dict(edition.words.of_column(table, name)).get(lang, "")


def detail_side(edition: Edition, path: KeyPath, part: Part) -> Side:
    """A part of an entry: a condition of a move and a row of a table have names, other parts are known by their keys."""
    named = path[:1] == ("tables",) or "if" in path[2:3]
    called = texts_of(lambda lang: _part_name(edition, path, part, lang)) if named else ()
    said = _text_of(part) if path[-1] in ("rule", "en") else ()
    items = tuple(item.raw for item in part.node.items)
    value = () if items or path[-1] in ("rule", "en") else _value(edition, path, part)
    known = _items(edition, path, items)
    return Side(
        part.key.raw,
        called,
        source=part.written,
        value=value,
        said=said,
        at=at_of(part),
        items=items,
        items_called=known,
        span=part.span,
    )


def _part_name(edition: Edition, path: KeyPath, part: Part, lang: str) -> str:
    """Of a cell the row and the column."""
    if path[0] == "tables" and path[2:3] == ("columns",):
        return column(edition, path[1], path[3], lang) if len(path) > 3 else ""
    if path[0] != "tables" or len(path) < 5 or path[2] != "rows":
        return _name(edition, path, part, lang)
    return ", ".join(
        name for name in (_name(edition, path[:4], part, lang), column(edition, path[1], path[4], lang)) if name
    )


def _text_of(part: Part) -> Texts:
    """Of a sentence its words; of the words of an entry these."""
    return tuple(texts_in(part.node).items()) if part.node.kind == "map" else ()


def _items(edition: Edition, path: KeyPath, items: tuple[str, ...]) -> tuple[Texts, ...]:
    """What the items of a list are called; nothing of what only its author calls something."""
    space = f"options/{path[1]}" if path[0] == "options" else NAMED_BY.get(path[-1], "")
    return tuple(texts_of(lambda lang, item=item: _item(edition, space, item, lang)) for item in items)  # type: ignore[misc]


def _item(edition: Edition, space: str, item: str, lang: str) -> str:
    return edition.labels(lang).get(space, {}).get(item.replace(" ", "_") if "/" in space else item, "")


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
    """How many play, and who with whom."""
    number = len(edition.rules.seats)
    count = part.inner.get("count")
    return Side(
        key="players",
        called=texts_of(lambda lang: say("playing", lang)),
        source=f"players: {number}",
        value=texts_of(lambda lang: _playing(edition, lang)),
        at=at_of(part),
        span=count.span if count is not None else part.key.span,
    )


def _playing(edition: Edition, lang: str) -> str:
    number, seats = len(edition.rules.seats), edition.labels(lang)["seats"]
    sides = [listed([seats[edition.rules.seats[n]] for n in side], lang) for side in edition.rules.sides]
    together = number > 1 and any(len(side) > 1 for side in edition.rules.sides)
    said = say("players", lang, count=number)
    return say("in_sides", lang, players=said, sides=say("against", lang).join(sides)) if together else said


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


def clauses_of(edition: Edition, path: KeyPath, part: Part) -> frozenset[str]:
    """The clauses that an entry cites, and those that are at home in it."""
    known = edition.rules.clauses
    home = "/".join(path)
    at_home = {name for name, clause in known.items() if _bare(clause.home) == home}
    return frozenset(at_home | ({*re.findall(r"[^\s,;]+", at_of(part))} & known.keys()))


def _bare(home: str) -> str:
    """The path of an entry; a term by its name alone."""
    return re.sub(r"\(.*\)", "", "/".join(p.strip() for p in home.split("/")))


def _said(edition: Edition, path: KeyPath, part: Part, unsaid: frozenset[str]) -> Texts:
    """The sentence of its rule; where it has none, or is said to be otherwise by the source, what the clauses say."""
    rule = part.node.get("rule") if part.node.kind == "map" else None
    own = texts_in(rule) if rule is not None and rule.kind == "map" else {}
    if own and "rule" in unsaid:
        return ()
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


def _name(edition: Edition, path: KeyPath, part: Part, lang: str) -> str:
    """What players call it; nothing where only its author calls it something."""
    if path[0] == "terms":
        return dict(edition.words.of_term(path[1])).get(lang, "")
    if path[0] == "flow":
        return " › ".join(_steps(edition, path, part, lang))
    if path == ("result",):
        return say("section.result", lang)
    space = f"{path[0]}/{path[1]}" if len(path) > 2 else path[0]  # rows of a table, conditions of a move, or entries
    known = edition.labels(lang).get(space, {}) or edition.labels(lang).get("state" if path[0] == "display" else "", {})
    return known.get(path[-1], "") or _own(part, lang, part.key.raw)


def _bears(edition: Edition, path: KeyPath, lang: str) -> str:
    """Where a term bears on play that has no words of its own."""
    names = [quoted(name, lang) for name in dict.fromkeys(_users(edition, path[1], lang))]
    return say("used", lang, names=listed(names, lang)) if 0 < len(names) <= MOST_USERS else ""


def _users(edition: Edition, term: str, lang: str) -> Iterator[str]:
    """What mentions a term that has no words of its own, through others too."""
    terms, known = edition.sections["terms"].inner, {term}
    while more := {name for name, part in terms.items() if known & part.words} - known:
        known |= more
    for section in _USING:
        for name, part in edition.sections[section].inner.items() if section in edition.sections else ():
            label = _name(edition, (section, name), part, lang) if known & part.words else ""
            if label:
                yield label


def _steps(edition: Edition, path: KeyPath, part: Part, lang: str) -> list[str]:
    """The names of a phase and of the steps in it on the way to a step, as far as players call them something."""
    way = [edition.part(path[:end]) for end in range(3, len(path)) if path[end - 1] not in STEPS_INSIDE]
    phase = edition.part(path[:2]) if len(path) > 2 else part
    label = edition.labels(lang)["phases"].get(path[1], "")
    first = label if label != path[1] else _own(phase, lang, path[1]) if phase is not None else ""
    steps = [_own(step, lang, "") for step in (*way, *([part] if len(path) > 2 else [])) if step is not None]
    return [name for name in (first, *steps) if name]


def _own(part: Part, lang: str, raw: str) -> str:
    """Its own words; names of authors are English."""
    own = texts_in(part.node) if part.node.kind == "map" else {}
    return own.get(lang, "") or (raw.replace("_", " ") if lang == FALLBACK else "")
