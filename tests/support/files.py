"""Files of tests."""

from pathlib import Path


def write_anew(place: Path, text: str) -> Path:
    """A text for a file that is there already, and was read before. It is removed first: a file that is cut short and filled again is
    brought to the disk at once by some file systems, which takes longer than to check a ruleset. What is no text stands in it as surrogates."""
    place.unlink(missing_ok=True)
    place.write_bytes(text.encode("utf-8", "surrogateescape"))
    return place
