"""Finds the place in the text of a draft where an entry of a section is inserted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hoyle.workshop.drafts import Draft


def place_entry(draft: Draft, section: str, lines: Sequence[str], flow: str) -> tuple[int, str]:
    """Return an offset and the text to be inserted there, behind the entries that the section has.

    The entry is given as `lines` of a block, and as `flow` for a section in braces. A missing section is written, too.
    """
    tree, text = draft.tree, draft.text
    pair = tree.pairs.get(section) if tree is not None and tree.kind == "map" else None
    if pair is None:
        gap = "" if text.endswith("\n") or not text else "\n"
        return len(text), f"{gap}\n{section}:\n{_join(lines, 2)}\n"
    key, node = pair
    entries = [*node.entries()] if node.kind == "map" else []
    if node.kind == "map" and node.style == "flow":
        end = max((value.span.end for _, _, value in entries), default=node.span.start + 1)
        return end, f", {flow}" if entries else flow
    end = max([key.span.end, *(max(name.span.end, value.span.end) for _, name, value in entries)])
    at = text.find("\n", end)
    written = _join(lines, entries[0][1].span.column - 1 if entries else 2)
    return (at, f"\n{written}") if at >= 0 else (len(text), f"\n{written}\n")


def indent(lines: Iterable[str], by: int = 2) -> Iterator[str]:
    return (" " * by + line if line else line for line in lines)


def _join(lines: Iterable[str], by: int) -> str:
    return "\n".join(indent(lines, by))
