"""Where each value of a TOML text stands.

The standard library's reader says what a file holds but not where. This one says where and trusts
that the text is valid: `tomllib` has read it before.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

Path = tuple["str | int", ...]

BARE = re.compile(r"[A-Za-z0-9_-]+")
SPACE = re.compile(r"[ \t]*")
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
SCALAR = re.compile(r"[^,\]}#\r\n]*")


@dataclass(frozen=True)
class Place:
    """The line (from 1) of a value or table, and the span of characters it takes.

    kind: "value" has the span of the value; "header" that of its `[table]` line; a table that is
    only implied, by a longer header or a dotted key, has none of its own.
    """

    line: int
    start: int
    end: int
    kind: Literal["value", "header", "implied"]


def find_places(text: str) -> dict[Path, Place]:
    """The place of every key, of every item of arrays, and of every table."""
    return _Scan(text).places


class _Scan:
    def __init__(self, text: str):
        self.text, self.at = text, 0
        self._ends = [end.start() for end in re.finditer("\n", text)]  # of lines
        self.places: dict[Path, Place] = {}
        self._counts: dict[Path, int] = {}  # how many tables an array of tables has so far
        table: Path = ()
        self._skip(BLANK)
        while self.at < len(text):
            if text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(BLANK)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def _line(self, at: int) -> int:
        return bisect_left(self._ends, at) + 1

    def _imply(self, path: Path, at: int) -> None:
        if path and path not in self.places:
            self.places[path] = Place(self._line(at), at, at, "implied")

    def _header(self) -> Path:
        start = self.at
        double = self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        keys = self._keys()
        self.at += 2 if double else 1
        path: Path = ()
        for i, key in enumerate(keys):
            path = (*path, key)
            if double and i == len(keys) - 1:
                self._imply(path, start)
                self._counts[path] = self._counts.get(path, 0) + 1
            if path in self._counts:  # a header below an array of tables means its last table
                self._imply(path, start)
                path = (*path, self._counts[path] - 1)
            self._imply(path, start)
        self.places[path] = Place(self._line(start), start, self.at, "header")
        return path

    def _pair(self, table: Path) -> None:
        start = self.at
        keys = self._keys()
        for i in range(1, len(keys)):
            self._imply((*table, *keys[:i]), start)
        self._skip(SPACE)
        self.at += 1  # =
        self._skip(SPACE)
        self._value((*table, *keys), self._line(start))

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._skip(SPACE)
            start = self.at
            if self.text[self.at] in "\"'":
                self._string()
                quoted = self.text[start : self.at]
                keys.append(quoted[1:-1] if quoted[0] == "'" else _unquoted(quoted))
            else:
                self._skip(BARE)
                keys.append(self.text[start : self.at])
            self._skip(SPACE)
            if self.text[self.at : self.at + 1] != ".":
                return keys
            self.at += 1

    def _value(self, path: Path, line: int) -> None:
        start = self.at
        self.places[path] = Place(line, start, start, "value")  # before its items, in reading order
        first = self.text[self.at]
        if first in "\"'":
            self._string()
        elif first == "[":
            self._array(path)
        elif first == "{":
            self._inline_table(path)
        else:
            self._skip(SCALAR)
            self.at = start + len(self.text[start : self.at].rstrip())
        self.places[path] = Place(line, start, self.at, "value")

    def _array(self, path: Path) -> None:
        self.at += 1
        self._skip(BLANK)
        index = 0
        while self.text[self.at] != "]":
            self._value((*path, index), self._line(self.at))
            index += 1
            self._comma()
        self.at += 1

    def _inline_table(self, path: Path) -> None:
        self.at += 1
        self._skip(BLANK)
        while self.text[self.at] != "}":
            self._pair(path)
            self._comma()
        self.at += 1

    def _comma(self) -> None:
        self._skip(BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self._skip(BLANK)

    def _string(self) -> None:
        quote = self.text[self.at]
        long = self.text.startswith(3 * quote, self.at)
        mark = 3 * quote if long else quote
        self.at += len(mark)
        while not self.text.startswith(mark, self.at):
            self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
        self.at += len(mark)
        while long and self.text.startswith(quote, self.at):  # up to two quotes may end the text
            self.at += 1


def _unquoted(quoted: str) -> str:
    """The text of a basic string; TOML's escapes are JSON's and the eight-digit one."""
    eight = re.sub(r"\\U([0-9a-fA-F]{8})", lambda m: chr(int(m[1], 16)), quoted)
    return str(json.loads(eight, strict=False))
