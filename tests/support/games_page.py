"""`docs/games.md`: the shipped games by family, as their rulesets tell of themselves."""

from collections import defaultdict
from collections.abc import Iterator

from hoyle.checking.build import load_ruleset
from hoyle.language.model import Option, Ruleset
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.language.value_types import BOOL, get_bounds
from hoyle.reading.sources import read
from hoyle.reading.translation import wrap_plain_texts
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load
from hoyle.resources import shipped

HEAD = """# The games

What is shipped, by family: where the rules of each game are taken from, what may be chosen with `--set`, and its variants, which are files of
a few lines. `hoyle describe GAME` tells more of each. A test writes this page from the rulesets (`UPDATE_GOLDEN=1`).
"""
ALONE, OTHERS = "Patience", "Other games"


def page() -> str:
    heads = {name: wrap_plain_texts(load(read(path))) for name, path in shipped().items()}
    games = {name: head for name, head in heads.items() if head.get("library") is None}
    families: dict[str, list[str]] = defaultdict(list)
    for name, head in games.items():
        if head.get("extends") is None:
            families[_family(name, heads)].append(name)
    order = sorted(families, key=lambda family: (family == OTHERS, family))
    return "\n".join([HEAD, *(line for family in order for line in _chapter(family, families[family], games))])


def _family(name: str, heads: dict[str, Node]) -> str:
    """What its library is called that is not only a pack of cards, or the one that stands under it; games for one are patiences."""
    if _count(heads[name]) == "1":
        return ALONE
    family = OTHERS
    while used := [u for item in heads[name].items_of("use") if (u := heads[item.raw]).get("flow") or u.get("moves")]:
        name, family = used[0]["library"].raw, used[0]["title"][FALLBACK].raw
    return family


def _chapter(family: str, names: list[str], games: dict[str, Node]) -> Iterator[str]:
    yield f"## {family}\n"
    for name in sorted(names):
        rules, merged = load_ruleset(name, {})
        yield f"**{rules.title[FALLBACK]}** (`{name}`): {_players(merged.root)}. {_source(rules)}"
        options = ", ".join(f"`{o.name}` ({_values(o)})" for o in rules.options.values())
        variants = ", ".join(f"`{v}` ({games[v]['title'][FALLBACK].raw})" for v in _variants(name, games))
        yield from (
            line for line in (options and f"Options: {options}.", variants and f"Variants: {variants}.") if line
        )
        yield ""


def _count(own: Node) -> str:
    players = own.get("players")
    return players.raw_of("count") if players is not None else ""


def _players(root: Node) -> str:
    count = _count(root)
    sides = " in sides" if root["players"].get("sides") else ""
    return f"{count.replace('..', ' to ')} {'player' if count == '1' else 'players'}{sides}"


def _source(rules: Ruleset) -> str:
    return f"{', '.join(said for key, said in rules.source.items() if key not in LANGUAGES)}."


def _values(option: Option) -> str:
    if option.choices:
        return ", ".join(option.choices)
    return "yes or no" if option.type == BOOL else "{}–{}".format(*get_bounds(option.type))


def _variants(name: str, games: dict[str, Node]) -> Iterator[str]:
    for other, own in games.items():
        if own.get("extends") is not None and own["extends"].raw == name:
            yield other
            yield from _variants(other, games)
