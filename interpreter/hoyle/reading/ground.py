"""What a ruleset is built on: the file that a name in `extends` or `use` means."""

from __future__ import annotations

from pathlib import Path

from hoyle import packs
from hoyle.diagnostics import Diagnostic, Refused, replacing, similar
from hoyle.language.sentences import said
from hoyle.reading.opened import unsaved_beside
from hoyle.reading.tree import Node, listed
from hoyle.resources import beside


def grounds(own: Node) -> list[Node]:
    """The names of what a file is built on, libraries first."""
    return [name for key in ("use", "extends") for name in listed(own.get(key)) if not name.is_null]


def found(name: Node, path: Path) -> Path:
    """The file that a name in a file means. Raises Refused."""
    file = meant(name.raw, path)
    if file is not None:
        return file
    close = similar(name.raw, packs.known())
    raise Refused(
        [
            Diagnostic(
                "R604",
                said("files.no_ruleset", name=name.raw),
                name.span,
                notes=(said("files.a_name_is"),),
                help=said("similar", close=close) if close else said("files.shipped"),
                fixes=replacing(name.span, name.raw, close),
            )
        ]
    )


def meant(name: str, path: Path) -> Path | None:
    """A file beside or below the one that names it, or one that is found by name. A file that names itself means the one whose name it has taken."""
    near = beside(name, path.parent) or unsaved_beside(name, path.parent)
    if near is None:
        return packs.named(name)
    if near.resolve() != path.resolve():
        return near
    several = [one.path.resolve() for one in packs.candidates(name)]
    hidden = several[several.index(path.resolve()) + 1 :] if path.resolve() in several else several
    return next(iter(hidden), near)


def instead_of_shipped(name: str, path: Path) -> Path | None:
    """The file that a name means in a file, where it is that of another ruleset, which is shipped. A path means what it says."""
    if packs.is_path(name) or (shipped := packs.shipped_as(name)) is None:
        return None
    near = meant(name, path)
    return near if near is not None and near.resolve() != shipped.resolve() else None


def taken_names(own: Node, path: Path) -> list[Diagnostic]:
    """A warning of each name that means another ruleset here than elsewhere."""
    return [
        Diagnostic(
            "R619",
            said("files.not_the_shipped", name=name.raw, file=near.name),
            name.span,
            help=said("files.write_the_file", name=name.raw, file=near.name),
            fixes=replacing(name.span, name.raw, near.name),
        )
        for name in grounds(own)
        if (near := instead_of_shipped(name.raw, path)) is not None
    ]
