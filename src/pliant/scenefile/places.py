"""On which line each value of a TOML text stands.

Neither `tomllib` nor `tomlkit` says where a value is. This goes through the words of a text that one of
them has read before, so it is valid, and looks at keys, brackets and commas only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

Path = tuple["str | int", ...]

_TOML_TOKENS = re.compile(
    r'''
    """(?:\\.|(?!""")[^\\])*"{3,5} | \'\'\'(?:(?!\'\'\').)*\'{3,5}  # texts of several lines
    | "(?:\\.|[^"\\])*" | \'[^\']*\'
    | \#[^\n]* | \n | [\[\]{}=,.]
    | [^\s\#\[\]{}=,."\']+                               # bare keys, numbers, dates
    ''',
    re.DOTALL | re.VERBOSE,
)


def find_lines(text: str) -> dict[Path, int]:
    """The line, from 1 on, of every key, of every item of arrays, and of every table."""
    return _Lines(text).found


class _Lines:
    def __init__(self, text: str):
        self.found: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}  # how many tables an array of tables has so far
        self._words = self._read(text)
        self._next()
        table: Path = ()
        while self._word:
            if self._word == "[":
                table = self._header()
            elif self._word == "\n":
                self._next()
            else:
                self._pair(table)

    def _read(self, text: str) -> Iterator[tuple[str, int]]:
        line = 1
        for match in _TOML_TOKENS.finditer(text):
            if not match[0].startswith("#"):
                yield match[0], line
            line += match[0].count("\n")

    def _next(self) -> None:
        self._word, self._line = next(self._words, ("", 0))

    def _skip_lines(self) -> None:
        while self._word == "\n":
            self._next()

    def _header(self) -> Path:
        line = self._line
        self._next()
        several = self._word == "["
        if several:
            self._next()
        path: Path = ()
        keys = self._keys()
        for i, key in enumerate(keys):
            path = (*path, key)
            self.found.setdefault(path, line)
            if several and i == len(keys) - 1:
                self._counts[path] = self._counts.get(path, 0) + 1
            if path in self._counts:  # a header below an array of tables means its last table
                path = (*path, self._counts[path] - 1)
                self.found.setdefault(path, line)
        self.found[path] = line
        while self._word == "]":
            self._next()
        return path

    def _keys(self) -> list[str]:
        keys = []
        while self._word not in ("=", "]"):
            if self._word != ".":
                keys.append(_unquoted(self._word))
            self._next()
        return keys

    def _pair(self, table: Path) -> None:
        line, path = self._line, table
        for key in self._keys():
            path = (*path, key)
            self.found.setdefault(path, line)
        self._next()  # =
        self._value(path)

    def _value(self, path: Path) -> None:
        if self._word == "[":
            self._inside(path, "]")
        elif self._word == "{":
            self._inside(path, "}")
        else:
            while self._word not in ("\n", ",", "]", "}", ""):
                self._next()

    def _inside(self, path: Path, end: str) -> None:
        """The items of an array, or the pairs of an inline table."""
        self._next()
        self._skip_lines()
        index = 0
        while self._word != end:
            if end == "}":
                self._pair(path)
            else:
                inner = (*path, index)
                self.found[inner] = self._line
                self._value(inner)
            index += 1
            self._skip_lines()
            if self._word == ",":
                self._next()
                self._skip_lines()
        self._next()


def _unquoted(word: str) -> str:
    """A key; the escapes of TOML are those of JSON and the one of eight digits."""
    if word.startswith("'"):
        return word[1:-1]
    if not word.startswith('"'):
        return word
    eight = re.sub(r"\\U([0-9a-fA-F]{8})", lambda m: chr(int(m[1], 16)), word)
    return str(json.loads(eight, strict=False))
