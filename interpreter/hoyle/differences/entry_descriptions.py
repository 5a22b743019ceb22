"""Describe an entry for people: name, value, sentence and clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.differences.changes import Side
from hoyle.differences.compared_ruleset import ComparedRuleset
from hoyle.differences.name_mapping import NAMED_BY, KeyPath
from hoyle.differences.outline import Part
from hoyle.differences.wording import has_sentence, join_words, key_word, say
from hoyle.language.model import Option, Texts, text_in, texts_of
from hoyle.language.sentences import FALLBACK, format_integer, join_names
from hoyle.prose.grammar import quote
from hoyle.prose.voice import find_table_noun
from hoyle.reading.tree import STEPS_INSIDE
from hoyle.reading.tree import texts_of as texts_in
from hoyle.running.naming import in_language

_SPACES = ("piles", "phases", "moves", "obligations", "state", "pieces")


def word_part(edition: ComparedRuleset, path: KeyPath, part: Part) -> Texts:
    """Return the words of a part that is no formula in each language, or nothing if people know no word for it."""
    found = _count_copies(edition, path)
    if found is not None:
        return texts_of(lambda lang: format_integer(found, lang))
    raw = " ".join(part.node.raw.split()) if part.node.kind == "scalar" else ""
    told = texts_of(lambda lang: _word(edition, path[-1], raw, lang))
    return told if raw and all(text for _, text in told) else ()


def _count_copies(edition: ComparedRuleset, path: KeyPath) -> int | None:
    """Return `room`, `columns` or `copies` as a number, after the options are applied."""
    section, name, key = (path[0], path[1], path[-1]) if len(path) == 3 else ("", "", "")
    rules = edition.rules
    if section == "piles" and key in ("room", "columns") and name in rules.piles:
        return rules.piles[name].room if key == "room" else rules.piles[name].columns
    if section == "pieces" and key == "copies" and name in rules.pieces:
        return rules.pieces[name].copies
    return None


def _word(edition: ComparedRuleset, key: str, raw: str, lang: str) -> str:
    if has_sentence(f"value.{key}.{raw}", lang):
        return say(f"value.{key}.{raw}", lang)
    if raw in ("true", "false"):
        return say("yes" if raw == "true" else "no", lang)
    if re.fullmatch(r"-?\d+", raw):
        return format_integer(int(raw), lang)
    bounds = re.fullmatch(r"(-?\d+)\s*\.\.\s*(-?\d+)", raw)
    if bounds:
        low, high = (format_integer(int(bound), lang) for bound in bounds.groups())
        return say("value.bounds", lang, low=low, high=high)
    option = edition.rules.options.get(raw)
    return word_value(option, lang) if option is not None else _entry_words(edition, raw, lang)


def _entry_words(edition: ComparedRuleset, raw: str, lang: str) -> str:
    """Return the noun of a table, or the names of other entries."""
    if raw in edition.rules.tables:
        return say("value.each_of", lang, noun=find_table_noun(raw, edition.words.voice(lang)))
    own = edition.labels(lang)
    names = [next((own[space][name] for space in _SPACES if name in own[space]), "") for name in re.split(r",\s*", raw)]
    return join_names([quote(name, lang) for name in names], lang) if all(names) else ""


def word_value(option: Option, lang: str) -> str:
    if option.choices:
        words = option.choice_words[option.value]
        return words.get(lang) or words.get("en") or option.choices[option.value].replace("_", " ")
    if option.type.name == "bool":
        return say("yes" if option.value else "no", lang)
    return format_integer(int(option.value), lang)


_DESCRIBED = ("pieces", "piles")
"""Sections whose entries are described by their keys if they have no sentence."""
_UNSAID = ("layout", "from", "holds", "columns")
"""Keys that are for drawing, or need no words."""
_USING = ("moves", "obligations", "whenever", "flow", "state", "piles")
"""Sections that tell where a term affects play."""
MOST_ROWS = 16
"""Longest table whose rows are named."""
MOST_USERS = 3
"""Most users of a term that are named."""


def describe_entry(edition: ComparedRuleset, path: KeyPath, part: Part, unsaid: frozenset[str] = frozenset()) -> Side:
    """Describe the entry at a path. `unsaid` are clauses that need not be repeated."""
    called = texts_of(lambda lang: _entry_name(edition, path, part, lang))
    said = _sentence_or_clauses(edition, path, part, unsaid)
    bears = texts_of(lambda lang: _word_uses(edition, path, lang)) if path[0] == "terms" else ()
    return Side(
        part.key.raw,
        called,
        bears,
        part.written,
        _word_value(edition, path, part),
        said,
        written_at(part),
        span=part.span,
    )


def _word_value(edition: ComparedRuleset, path: KeyPath, part: Part) -> Texts:
    """Return the words of a formula, step, phase or row."""
    words = edition.words
    found: Texts = ()
    if path[:1] == ("result",) and len(path) == 2:
        found = words.of_result(path[1])
    elif path[0] == "flow" and len(path) == 2:
        found = words.of_phase(path[1])
    elif path[0] == "tables" and len(path) == 2:
        found = _row_names(edition, path[1])
    elif path[0] == "tables" and path[2:3] == ("rows",) and len(path) > 3:
        found = _cell(edition, path, part) if len(path) > 4 else _word_cells(edition, path, part)
    elif part.node.kind == "map" and set(part.inner) != {"is"}:
        found = words.of_step(tuple(name for n, name in enumerate(path) if n < 2 or name not in STEPS_INSIDE))
    elif part.node.kind != "list":
        found = words.of_formula(part.formula) or word_part(edition, path, part)
    return found or _word_keys(edition, path, part)


def _word_keys(edition: ComparedRuleset, path: KeyPath, part: Part) -> Texts:
    """Describe an entry by its keys: `one for each player, face down`."""
    if path[0] not in _DESCRIBED or len(path) != 2:
        return ()
    inner = [(one.name, word_part(edition, (*path, one.name), one)) for one in part.inner.values() if not one.inner]
    known = [(key, value) for key, value in inner if value and key not in _UNSAID]
    return texts_of(lambda lang: ", ".join(f"{key_word(key, lang)} {text_in(value, lang)}" for key, value in known))


def _row_names(edition: ComparedRuleset, table: str) -> Texts:
    """Return the names of the rows of a short table."""
    found = edition.rules.tables.get(table)
    if found is None or not 0 < len(found.rows) <= MOST_ROWS:
        return ()
    return texts_of(lambda lang: join_names([edition.labels(lang)[f"tables/{table}"][row] for row in found.rows], lang))


def _cell(edition: ComparedRuleset, path: KeyPath, part: Part) -> Texts:
    found = edition.words.of_cell(path[1], path[3].replace(" ", "_"), path[4]) if part.node.kind == "scalar" else ()
    return found or edition.words.of_formula(part.formula)


def _word_cells(edition: ComparedRuleset, path: KeyPath, part: Part) -> Texts:
    """Return the cells of a row under their columns, and a hint if long ones are left out."""
    cells = [(name, _cell(edition, (*path[:3], part.name, name), cell), cell) for name, cell in part.inner.items()]

    def describe(lang: str) -> str:
        named = [(column_name(edition, path[1], name, lang), text_in(value, lang), cell) for name, value, cell in cells]
        told = [f"{name} {value}" for name, value, _ in named if name and value]
        left = any(name and not value and cell.node.raw != "none" for name, value, cell in named)
        return join_words([*told, say("more", lang)] if told and left else told, lang)

    return texts_of(describe) if cells else ()


def column_name(edition: ComparedRuleset, table: str, name: str, lang: str) -> str:
    """Return the name of a column for people, or an empty text."""
    return dict(edition.words.of_column(table, name)).get(lang, "")


def describe_detail(edition: ComparedRuleset, path: KeyPath, part: Part) -> Side:
    """Describe a part of an entry: conditions and rows by name, others by key."""
    named = path[:1] == ("tables",) or "if" in path[2:3]
    called = texts_of(lambda lang: _part_name(edition, path, part, lang)) if named else ()
    said = _text_of(part) if path[-1] in ("rule", "en") else ()
    items = tuple(item.raw for item in part.node.items)
    value = () if items or path[-1] in ("rule", "en") else _word_value(edition, path, part)
    known = _item_names(edition, path, items)
    return Side(
        part.key.raw,
        called,
        source=part.written,
        value=value,
        said=said,
        at=written_at(part),
        items=items,
        items_called=known,
        span=part.span,
    )


def _part_name(edition: ComparedRuleset, path: KeyPath, part: Part, lang: str) -> str:
    """Return the name of a part; of a cell, row and column."""
    if path[0] == "tables" and path[2:3] == ("columns",):
        return column_name(edition, path[1], path[3], lang) if len(path) > 3 else ""
    if path[0] != "tables" or len(path) < 5 or path[2] != "rows":
        return _entry_name(edition, path, part, lang)
    return ", ".join(
        name
        for name in (_entry_name(edition, path[:4], part, lang), column_name(edition, path[1], path[4], lang))
        if name
    )


def _text_of(part: Part) -> Texts:
    """Return the words of a sentence or of an entry's words."""
    return tuple(texts_in(part.node).items()) if part.node.kind == "map" else ()


def _item_names(edition: ComparedRuleset, path: KeyPath, items: tuple[str, ...]) -> tuple[Texts, ...]:
    """Return the names of a list's items; empty if only authors have names for them."""
    space = f"options/{path[1]}" if path[0] == "options" else NAMED_BY.get(path[-1], "")
    return tuple(texts_of(lambda lang, item=item: _item(edition, space, item, lang)) for item in items)  # type: ignore[misc]


def _item(edition: ComparedRuleset, space: str, item: str, lang: str) -> str:
    return edition.labels(lang).get(space, {}).get(item.replace(" ", "_") if "/" in space else item, "")


def describe_option(edition: ComparedRuleset, option: Option, part: Part) -> Side:
    """Describe an option with its value, at `set`, at its declaration, or without place."""
    given = edition.root.get("set")
    node = given.get(option.name) if given is not None and given.kind == "map" else None
    written = node or part.node.get("default") or part.key
    return Side(
        key=option.name,
        called=texts_of(lambda lang: in_language(option.words, lang, option.name)),
        source=_written(option),
        value=texts_of(lambda lang: word_value(option, lang)),
        said=_sentence_or_clauses(edition, ("options", option.name), part, frozenset()),
        at=written_at(part),
        span=written.span if option.value == option.default else None,
    )


def describe_players(edition: ComparedRuleset, part: Part) -> Side:
    """Describe number and sides of players."""
    number = len(edition.rules.seats)
    count = part.inner.get("count")
    return Side(
        key="players",
        called=texts_of(lambda lang: say("playing", lang)),
        source=f"players: {number}",
        value=texts_of(lambda lang: _playing(edition, lang)),
        at=written_at(part),
        span=count.span if count is not None else part.key.span,
    )


def _playing(edition: ComparedRuleset, lang: str) -> str:
    number, seats = len(edition.rules.seats), edition.labels(lang)["seats"]
    sides = [join_names([seats[edition.rules.seats[n]] for n in side], lang) for side in edition.rules.sides]
    together = number > 1 and any(len(side) > 1 for side in edition.rules.sides)
    said = say("players", lang, count=number)
    return say("in_sides", lang, players=said, sides=say("against", lang).join(sides)) if together else said


def _written(option: Option) -> str:
    value = option.choices[option.value] if option.choices else str(option.value).lower()
    return f"{option.name}: {value}"


def written_at(part: Part) -> str:
    """Return the `at` of an entry as written."""
    node = part.node
    rule = node.get("rule") if node.kind == "map" else None
    found = (
        rule.get("at") if rule is not None and rule.kind == "map" else node.get("at") if node.kind == "map" else None
    )
    return found.raw if found is not None else ""


def list_clauses(edition: ComparedRuleset, path: KeyPath, part: Part) -> frozenset[str]:
    """Return the clauses that an entry cites and those at home in it."""
    known = edition.rules.clauses
    home = "/".join(path)
    at_home = {name for name, clause in known.items() if _without_parameters(clause.home) == home}
    return frozenset(at_home | ({*re.findall(r"[^\s,;]+", written_at(part))} & known.keys()))


def _without_parameters(home: str) -> str:
    """Return the path of an entry, terms without parameters."""
    return re.sub(r"\(.*\)", "", "/".join(p.strip() for p in home.split("/")))


def _sentence_or_clauses(edition: ComparedRuleset, path: KeyPath, part: Part, unsaid: frozenset[str]) -> Texts:
    """Return the rule's sentence, or its clauses if there is none or the source differs."""
    rule = part.node.get("rule") if part.node.kind == "map" else None
    own = texts_in(rule) if rule is not None and rule.kind == "map" else {}
    if own and "rule" in unsaid:
        return ()
    clauses = [
        edition.rules.clauses[name].words
        for name in sorted(list_clauses(edition, path, part) - unsaid, key=_clause_order)
    ]
    told = [own] if own else [words for words in clauses if words]
    return texts_of(lambda lang: " ".join(dict.fromkeys(in_language(words, lang) for words in told))) if told else ()


def _clause_order(name: str) -> tuple[str, int]:
    """Return a sort key that puts B9 before B10."""
    found = re.fullmatch(r"(.*?)(\d+)\w*", name)
    return (found[1], int(found[2])) if found else (name, 0)


# ---- names -----------------------------------------------------------------------------------------------------------


def _entry_name(edition: ComparedRuleset, path: KeyPath, part: Part, lang: str) -> str:
    """Return the players' name of an entry, or an empty text."""
    if path[0] == "terms":
        return dict(edition.words.of_term(path[1])).get(lang, "")
    if path[0] == "flow":
        return " › ".join(_enclosing_steps(edition, path, part, lang))
    if path == ("result",):
        return say("section.result", lang)
    space = f"{path[0]}/{path[1]}" if len(path) > 2 else path[0]  # rows of a table, conditions of a move, or entries
    known = edition.labels(lang).get(space, {}) or edition.labels(lang).get("state" if path[0] == "display" else "", {})
    return known.get(path[-1], "") or _own_words(part, lang, part.key.raw)


def _word_uses(edition: ComparedRuleset, path: KeyPath, lang: str) -> str:
    """Tell where a term without words is used."""
    names = [quote(name, lang) for name in dict.fromkeys(_term_users(edition, path[1], lang))]
    return say("used", lang, names=join_names(names, lang)) if 0 < len(names) <= MOST_USERS else ""


def _term_users(edition: ComparedRuleset, term: str, lang: str) -> Iterator[str]:
    """Yield the entries that use a term without words, through other terms too."""
    terms, known = edition.sections["terms"].inner, {term}
    while more := {name for name, part in terms.items() if known & part.words} - known:
        known |= more
    for section in _USING:
        for name, part in edition.sections[section].inner.items() if section in edition.sections else ():
            label = _entry_name(edition, (section, name), part, lang) if known & part.words else ""
            if label:
                yield label


def _enclosing_steps(edition: ComparedRuleset, path: KeyPath, part: Part, lang: str) -> list[str]:
    """Return the names of the phase and steps on the way to a step."""
    way = [edition.part(path[:end]) for end in range(3, len(path)) if path[end - 1] not in STEPS_INSIDE]
    phase = edition.part(path[:2]) if len(path) > 2 else part
    label = edition.labels(lang)["phases"].get(path[1], "")
    first = label if label != path[1] else _own_words(phase, lang, path[1]) if phase is not None else ""
    steps = [_own_words(step, lang, "") for step in (*way, *([part] if len(path) > 2 else [])) if step is not None]
    return [name for name in (first, *steps) if name]


def _own_words(part: Part, lang: str, raw: str) -> str:
    """Return the entry's own words; authors' names are English."""
    own = texts_in(part.node) if part.node.kind == "map" else {}
    return own.get(lang, "") or (raw.replace("_", " ") if lang == FALLBACK else "")
