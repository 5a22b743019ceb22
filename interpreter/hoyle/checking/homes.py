"""Where pieces lie when a game begins."""

from __future__ import annotations

from hoyle.checking.world import World, unknown
from hoyle.language.model import Family, PieceKind
from hoyle.language.sentences import said
from hoyle.reading.tree import Node, add_key_fix


def check_homes(world: World, root: Node) -> None:
    """Every kind of piece starts in a pile that has room for it; where each piece does is noted."""
    for kind in world.pieces.values() if world.piles else ():
        home = world.piles.get(kind.home)
        if home is None:
            _no_home(world, kind, root["pieces"][kind.name].get("from"))
            continue
        if home.each is not None and home.each.name == "player" and "owner" not in kind.attributes:
            message, fixes = (
                said("sections.which_players", name=home.name),
                add_key_fix(root["pieces"][kind.name], "each", "player"),
            )
            world.problems.add("R513", message, kind.span, help=said("sections.say_each"), fixes=fixes)
        _fits(world, kind, home, root["piles"][home.name])
        kind.starts = [home.base + (c.get("owner", 0) * home.columns if home.each else 0) for c in kind.classes]


def _no_home(world: World, kind: PieceKind, named: Node | None) -> None:
    """In one file the shape tells what is missing; here an entry may have been meant to change an inherited one."""
    if named is None:
        world.problems.add("R103", said("keys.has_no", place=f"`{kind.name}`", name="from"), kind.span)
    else:
        unknown(world, "R301", "pile", kind.home, list(world.piles), named.span)


def _fits(world: World, kind: PieceKind, home: Family, pile: Node) -> None:
    """All pieces of a kind have room in the pile where they start, which holds such pieces."""
    each = kind.total // len(world.seats) if "owner" in kind.attributes and home.each is not None else kind.total
    if home.holds != kind.name:
        message = said("sections.starts_in", name=kind.name, pile=home.name, holds=home.holds)
        world.problems.add(
            "R427",
            message,
            kind.span,
            help=said("sections.add_holds", name=kind.name),
            fixes=add_key_fix(pile, "holds", kind.name),
        )
    elif each > home.room:
        message = said("sections.no_room", each=each, name=home.name, room=home.room)
        world.problems.add("R410", message, home.span)
