"""Where in a ruleset somebody is typing: told from the text up to there alone, which is seldom a whole one."""

from __future__ import annotations

import re

from msgspec import Struct

from hoyle.reading.shape import Path

_LINE = re.compile(r"(?P<indent> *)(?P<items>(?:-(?: +|$))*)(?P<rest>.*)")
_HEADER = re.compile(r"[|>][+-]?\d?(?: |$)")
"""The mark with which a literal or folded text begins."""
_KEY = re.compile(
    r"""(?P<key>"[^"]*"|'[^']*'|[^\s'"{}\[\],#&*!|>%@`](?:[^#]*?[^\s#])??) *:(?: +(?P<value>.*)|$)""",
)
_QUOTED = re.compile(r"""(?P<quote>['"])(.*)(?P=quote)""")
_WORD = re.compile(r"[\w-]*\Z")


class Where(Struct, frozen=True):
    """
    path      the keys that lead to what is being written: to a value, or to the map in which a key is
    in_value  is it a value?
    said      what stands there so far, up to the pointer
    word      the end of that: the part of a name that is typed already
    """

    path: Path
    in_value: bool
    said: str = ""

    @property
    def word(self) -> str:
        found = _WORD.search(self.said)
        return found[0] if found else ""


class _Frame(Struct):
    """A key of a block or an item of its list, and the value that stands behind it, so far."""

    indent: int
    name: str | int
    value: str = ""


class _Bracket(Struct):
    """A bracket that is open: its key or number, what is written of that so far, and whether it is the value."""

    is_map: bool
    key: str = ""
    number: int = 0
    in_value: bool = False
    said: str = ""


class _Scanner:
    """Reads lines as far as they tell where something stands."""

    def __init__(self) -> None:
        self.frames: list[_Frame] = []
        self.open: list[_Bracket] = []
        self.quote = ""

    def line(self, text: str) -> None:
        """A whole line."""
        if self.open:
            self._within(text)
            return
        found = _LINE.fullmatch(text)
        if found is None or not (found["rest"].strip() or found["items"]) or found["rest"].startswith("#"):
            return
        if self._continues(text):
            self.frames[-1].value += f" {text.strip()}"
        else:
            self._enter(found)

    def _continues(self, text: str) -> bool:
        """Is the line part of a text that began above?"""
        indent = len(text) - len(text.lstrip(" "))
        frame = self.frames[-1] if self.frames else None
        return frame is not None and indent > frame.indent and frame.value != ""

    def _enter(self, found: re.Match[str]) -> None:
        """The items and the key that a line begins with."""
        at = len(found["indent"])
        self._leave(at, bool(found["items"]))
        for item in re.finditer(r"- *", found["items"]):
            self._item(at)
            at += len(item[0])
        key = _KEY.fullmatch(found["rest"])
        if key is not None:
            self.frames.append(_Frame(at, _unquoted(key["key"])))
        if key is not None or found["items"] or found["rest"][:1] in ("{", "["):
            self._value((key["value"] or "") if key is not None else found["rest"])

    def _item(self, at: int) -> None:
        last = self.frames[-1] if self.frames else None
        if last is not None and last.indent == at and isinstance(last.name, int):
            last.name += 1
        else:
            self.frames.append(_Frame(at, 0))

    def _leave(self, indent: int, is_item: bool) -> None:
        """What a line of this depth is not in is done with."""
        while self.frames and self.frames[-1].indent >= indent:
            if is_item and self.frames[-1].indent == indent and isinstance(self.frames[-1].name, int):
                return
            if is_item and self.frames[-1].indent == indent and self.frames[-1].value == "" and not self._in_list():
                return  # a list may stand as deep as its key
            self.frames.pop()

    def _in_list(self) -> bool:
        return len(self.frames) > 1 and self.frames[-2].indent == self.frames[-1].indent

    def _value(self, text: str) -> None:
        value = re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip()
        if value[:1] in ("{", "["):
            self._within(text)
        elif self.frames:
            self.frames[-1].value = value

    # ---- brackets ----------------------------------------------------------------------------------------------------

    def _within(self, text: str) -> None:
        """Text within brackets, or one that begins with one."""
        for at, letter in enumerate(text):
            top = self.open[-1] if self.open else None
            if self.quote:
                self.quote = "" if letter == self.quote else self.quote
                self._write(letter)
            elif letter == "#" and (at == 0 or text[at - 1].isspace()):
                return
            elif letter in "'\"" and top is not None and not top.said.strip():
                self.quote = letter
                self._write(letter)
            else:
                self._mark(letter, text[at + 1 : at + 2])
            if not self.open:
                return
        self._write(" ")

    def _mark(self, letter: str, after: str) -> None:
        top = self.open[-1] if self.open else None
        if letter in "{[":
            self.open.append(_Bracket(letter == "{"))
        elif letter in "}]":
            self.open.pop()
        elif top is not None and letter == ",":
            top.said, top.key, top.in_value, top.number = "", "", False, top.number + 1
        elif top is not None and letter == ":" and top.is_map and not top.in_value and after in ("", " "):
            top.key, top.said, top.in_value = _unquoted(top.said.strip()), "", True
        else:
            self._write(letter)

    def _write(self, letter: str) -> None:
        if self.open and (self.open[-1].said or not letter.isspace()):
            self.open[-1].said += letter

    # ---- what it comes to --------------------------------------------------------------------------------------------

    def end(self, text: str) -> Where:
        """The line in which the pointer stands, up to it."""
        found = _LINE.fullmatch(text)
        if self.open:
            self._within(text)
        elif found is not None and self._continues(text):
            above = _HEADER.sub("", self.frames[-1].value, count=1)
            return Where(self._path(), True, _opened(f"{above} {text.lstrip(' ')}".lstrip()))
        elif found is not None:
            return self._begun(found)
        return self._bracketed()

    def _begun(self, found: re.Match[str]) -> Where:
        """A line that begins something of its own."""
        key = _KEY.fullmatch(found["rest"])
        if key is None and not found["items"] and found["rest"][:1] not in ("{", "["):
            self._leave(len(found["indent"]), False)
            return Where(self._path(), False, _opened(found["rest"]))
        self._enter(found)
        said = (key["value"] or "") if key is not None else found["rest"]
        return self._bracketed() if self.open else Where(self._path(), True, _opened(said))

    def _bracketed(self) -> Where:
        top = self.open[-1] if self.open else None
        if top is None:
            return Where(self._path(), True)
        said = top.said[:-1] if top.said.endswith(" ") else top.said
        return Where(self._path(), top.in_value or not top.is_map, _opened(said))

    def _path(self) -> Path:
        path: list[str | int] = [frame.name for frame in self.frames]
        path += [top.key if top.is_map else top.number for top in self.open if top.in_value or not top.is_map]
        return tuple(path)


def where(text: str, offset: int) -> Where:
    """Where the pointer stands."""
    scanner = _Scanner()
    lines = text[:offset].split("\n")
    for line in lines[:-1]:
        scanner.line(line)
    return scanner.end(lines[-1])


def _unquoted(text: str) -> str:
    found = _QUOTED.fullmatch(text)
    return found[2] if found else text


def _opened(text: str) -> str:
    """What is written, without the quotation mark that it begins with."""
    return text[1:] if text[:1] in ("'", '"') else text
