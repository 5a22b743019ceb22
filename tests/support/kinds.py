"""Kinds as goldens write them."""

from __future__ import annotations

from hoyle.language.kinds import Kind


def in_full(kind: Kind) -> str:
    """The kind with everything that is known of it."""
    found: str = kind.name
    match kind.name:
        case "number":
            found = f"{kind.low}..{kind.high}"
        case "list":
            found = f"{kind.least}..{kind.most} of [{in_full(kind.item)}]"
        case "row":
            found = kind.table
        case "choice":
            found = kind.option
        case "piece" | "pile":
            known = [kind.of, *sorted(kind.families), *["mine"] * kind.mine]
            known += [f"room {kind.room}", f"numbers {kind.first}..{kind.last}"] if kind.name == "pile" else []
            found = f"{kind.name}({' '.join(filter(None, known))})"
    return found + "?" * kind.optional
