"""Lattices in TOML files: divisions, degree, box, and how control points are moved."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pliant.errors import is_finite, is_whole, shown

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Move = tuple[tuple[int, ...], tuple[float, ...]]
#: What a file of a lattice looks like.
EXAMPLE = "divisions = [4, 4, 4], move = [{ point = [3, 0, 0], by = [0, 0.5, 0] }]"


def read_lattice(file: Path) -> tuple[dict[str, Any], list[Move]]:
    """The arguments of a lattice, and which control points are moved by how much [m]."""
    if not file.is_file():
        raise FileNotFoundError(f"there is no lattice {str(file)!r}")
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file.name} is no TOML: {error}; expected {EXAMPLE}") from None
    moves = given.pop("move", [])
    unknown = set(given) - {"divisions", "degree", "box"}
    if unknown or "divisions" not in given or not isinstance(moves, list):
        raise ValueError(
            f"{file.name}: got {', '.join(sorted(given)) or 'nothing'}; expected divisions, and degree, "
            f"box and move if need be, as in {EXAMPLE}"
        )
    return given, [_move(file, one) for one in moves]


def _move(file: Path, given: Any) -> Move:
    """One moved control point."""
    table: dict[str, Any] = given if isinstance(given, dict) else {}
    point: Any = table.get("point")
    by: Any = table.get("by")
    whole = isinstance(point, list) and all(is_whole(i) and i >= 0 for i in point)
    finite = isinstance(by, list) and all(is_finite(v) for v in by)
    if not (whole and finite and set(table) == {"point", "by"}):
        raise ValueError(f"{file.name}: got move {shown(given)}; expected {EXAMPLE}")
    return tuple(int(i) for i in point), tuple(float(v) for v in by)
