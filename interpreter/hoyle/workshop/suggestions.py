"""Completions and hover texts of a draft."""

from __future__ import annotations

from typing import Any

from hoyle.editor.completion import complete
from hoyle.editor.cursor_context import find_context
from hoyle.editor.hover import find_hover
from hoyle.workshop.drafts import Draft, Workspace
from hoyle.workshop.offsets import Offsets

MOST_ITEMS = 300
Json = dict[str, Any]


def complete_draft(workspace: Workspace, draft: Draft, at: int, lang: str) -> Json:
    """Return what can stand at an offset, the likeliest first. Names come from the last text that could be read."""
    offsets = Offsets(draft.text)
    offset = offsets.from_units(at)
    analysis = workspace.analyse_soundly(draft)
    end = draft.text.find("\n", offset)
    has_colon = draft.text[offset : end if end >= 0 else None].lstrip().startswith(":")
    offers = complete(analysis, draft.file, draft.text, offset, lang)[:MOST_ITEMS]
    return {
        "from": offsets.to_units(offset - len(find_context(draft.text, offset).word)),
        "items": [
            {
                "label": offer.name,
                "detail": offer.detail,
                "meaning": offer.meaning,
                "insert": offer.name if has_colon or not offer.text else offer.text,
                "kind": offer.category,
            }
            for offer in offers
        ],
    }


def describe_place(draft: Draft, at: int, lang: str) -> Json:
    """Return a text in Markdown about what stands at an offset; empty if nothing is known of it."""
    offsets = Offsets(draft.text)
    hover = find_hover(draft.analysis, draft.file, offsets.from_units(at), lang)
    if hover is None:
        return {}
    own = draft.find_own_span(hover.span) or (offsets.from_units(at),) * 2
    return {"from": offsets.to_units(own[0]), "to": offsets.to_units(own[1]), "text": hover.text}
