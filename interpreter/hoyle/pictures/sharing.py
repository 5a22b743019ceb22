"""What is drawn more than once in one picture, such as the faces of equal cards: it is defined once, and used."""

from __future__ import annotations

import re
from collections import Counter
from zlib import crc32

from hoyle.pictures.svg import element

_FACE = re.compile(
    r'<rect [^>]*/>(?:<g fill="[^"]*" color="[^"]*">(?:<use [^>]*/>)+</g>|<use href="#hoyle-back"[^>]*/>)'
)


def shared(drawn: str) -> tuple[str, str]:
    """What is drawn, and what that uses. A name says what it is for: in another picture of the page it is the same."""
    often = {face for face, times in Counter(_FACE.findall(drawn)).items() if times > 1}
    named = {face: f"hoyle-face-{crc32(face.encode()):08x}" for face in sorted(often)}
    faces = [element("g", face, id=name) for face, name in named.items()]
    return _FACE.sub(lambda found: _used(found[0], named), drawn), "\n".join(faces)


def _used(face: str, named: dict[str, str]) -> str:
    return element("use", href=f"#{named[face]}") if face in named else face
