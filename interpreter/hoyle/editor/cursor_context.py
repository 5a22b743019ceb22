"""Finds out where in a ruleset somebody is typing. Scans the text up to the cursor alone, which need not be valid YAML."""

from __future__ import annotations

import re

from msgspec import Struct

from hoyle.reading.shape import Path

_LINE = re.compile(r"(?P<indent> *)(?P<items>(?:-(?: +|$))*)(?P<rest>.*)")
_BLOCK_HEADER = re.compile(r"[|>][+-]?\d?(?: |$)")
"""The first characters of a literal or folded text."""
_KEY = re.compile(
    r"""(?P<key>"[^"]*"|'[^']*'|[^\s'"{}\[\],#&*!|>%@`](?:[^#]*?[^\s#])??) *:(?: +(?P<value>.*)|$)""",
)
_QUOTED = re.compile(r"""(?P<quote>['"])(.*)(?P=quote)""")
_WORD = re.compile(r"[\w-]*\Z")


class CursorContext(Struct, frozen=True):
    """The place of the cursor in the structure of a ruleset.

    path      the keys that lead to the value being typed, or to the map of the key being typed
    in_value  a value is being typed, not a key
    text      that value or key up to the cursor
    """

    path: Path
    in_value: bool
    text: str = ""

    @property
    def word(self) -> str:
        """The part of a name just before the cursor."""
        match = _WORD.search(self.text)
        return match[0] if match else ""


def find_context(text: str, offset: int) -> CursorContext:
    """Return the context at an offset."""
    scanner = _Scanner()
    *lines, last = text[:offset].split("\n")
    for line in lines:
        scanner.scan_line(line)
    return scanner.scan_last_line(last)


class _Frame(Struct):
    """An open key of a block map (str) or item of a block list (int), and its value so far."""

    indent: int
    name: str | int
    value: str = ""


class _Bracket(Struct):
    """An open bracket: its current key or item number, whether the value has begun, and the text of that so far."""

    is_map: bool
    key: str = ""
    number: int = 0
    in_value: bool = False
    text: str = ""


class _Scanner:
    def __init__(self) -> None:
        self.frames: list[_Frame] = []
        self.brackets: list[_Bracket] = []
        self.quote = ""

    # ---- lines -------------------------------------------------------------------------------------------------------

    def scan_line(self, text: str) -> None:
        if self.brackets:
            self._scan_flow(text)
            return
        line = _LINE.fullmatch(text)
        if line is None or not (line["rest"].strip() or line["items"]) or line["rest"].startswith("#"):
            return
        if self._continues_text(text):
            self.frames[-1].value += f" {text.strip()}"
        else:
            self._enter(line)

    def scan_last_line(self, text: str) -> CursorContext:
        """Scan the line of the cursor, up to it."""
        line = _LINE.fullmatch(text)
        if self.brackets:
            self._scan_flow(text)
        elif line is not None and self._continues_text(text):
            above = _BLOCK_HEADER.sub("", self.frames[-1].value, count=1)
            return CursorContext(self._build_path(), True, _skip_quote(f"{above} {text.lstrip(' ')}".lstrip()))
        elif line is not None:
            key = _KEY.fullmatch(line["rest"])
            if key is None and not line["items"] and line["rest"][:1] not in ("{", "["):
                self._leave(len(line["indent"]), False)
                return CursorContext(self._build_path(), False, _skip_quote(line["rest"]))
            self._enter(line)
            if not self.brackets:
                value = (key["value"] or "") if key is not None else line["rest"]
                return CursorContext(self._build_path(), True, _skip_quote(value))
        if not self.brackets:
            return CursorContext(self._build_path(), True)
        top = self.brackets[-1]
        return CursorContext(
            self._build_path(), top.in_value or not top.is_map, _skip_quote(top.text.removesuffix(" "))
        )

    def _continues_text(self, text: str) -> bool:
        """Return whether a line continues a text that began in an earlier line."""
        indent = len(text) - len(text.lstrip(" "))
        return bool(self.frames) and indent > self.frames[-1].indent and self.frames[-1].value != ""

    def _build_path(self) -> Path:
        path: list[str | int] = [frame.name for frame in self.frames]
        path += [top.key if top.is_map else top.number for top in self.brackets if top.in_value or not top.is_map]
        return tuple(path)

    # ---- blocks ------------------------------------------------------------------------------------------------------

    def _enter(self, line: re.Match[str]) -> None:
        """Open the items and the key at the start of a line, and begin its value."""
        indent = len(line["indent"])
        self._leave(indent, bool(line["items"]))
        for item in re.finditer(r"- *", line["items"]):
            last = self.frames[-1] if self.frames else None
            if last is not None and last.indent == indent and isinstance(last.name, int):
                last.name += 1
            else:
                self.frames.append(_Frame(indent, 0))
            indent += len(item[0])
        key = _KEY.fullmatch(line["rest"])
        if key is not None:
            self.frames.append(_Frame(indent, _unquote(key["key"])))
        elif not line["items"] and line["rest"][:1] not in ("{", "["):
            return
        text = (key["value"] or "") if key is not None else line["rest"]
        value = re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip()
        if value[:1] in ("{", "["):
            self._scan_flow(text)
        elif self.frames:
            self.frames[-1].value = value

    def _leave(self, indent: int, is_item: bool) -> None:
        """Close the frames that a line with this indent is not in."""
        while self.frames and self.frames[-1].indent >= indent:
            last = self.frames[-1]
            if is_item and last.indent == indent:
                in_list = len(self.frames) > 1 and self.frames[-2].indent == indent
                if isinstance(last.name, int) or (last.value == "" and not in_list):  # a list may be as deep as its key
                    return
            self.frames.pop()

    # ---- brackets ----------------------------------------------------------------------------------------------------

    def _scan_flow(self, text: str) -> None:
        """Scan text inside brackets, or text that begins with one."""
        for at, letter in enumerate(text):
            top = self.brackets[-1] if self.brackets else None
            if self.quote:
                self.quote = "" if letter == self.quote else self.quote
                self._append(letter)
            elif letter == "#" and (at == 0 or text[at - 1].isspace()):
                return
            elif letter in "'\"" and top is not None and not top.text.strip():
                self.quote = letter
                self._append(letter)
            elif letter in "{[":
                self.brackets.append(_Bracket(letter == "{"))
            elif letter in "}]":
                self.brackets.pop()
            elif top is not None and letter == ",":
                top.text, top.key, top.in_value, top.number = "", "", False, top.number + 1
            elif _ends_key(top, letter, text[at + 1 : at + 2]):
                assert top is not None
                top.key, top.text, top.in_value = _unquote(top.text.strip()), "", True
            else:
                self._append(letter)
            if not self.brackets:
                return
        self._append(" ")

    def _append(self, letter: str) -> None:
        if self.brackets and (self.brackets[-1].text or not letter.isspace()):
            self.brackets[-1].text += letter


def _ends_key(top: _Bracket | None, letter: str, following: str) -> bool:
    is_colon = letter == ":" and following in ("", " ")
    return is_colon and top is not None and top.is_map and not top.in_value


def _unquote(text: str) -> str:
    quoted = _QUOTED.fullmatch(text)
    return quoted[2] if quoted else text


def _skip_quote(text: str) -> str:
    """Return a text without its opening quotation mark."""
    return text[1:] if text[:1] in ("'", '"') else text
