"""Variants of a scene: which fields have which values, and under which name."""

from __future__ import annotations

import csv
import hashlib
import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pliant.errors import is_whole, shown
from pliant.resources import require_file
from pliant.scenefile import parse_keys, parse_value, value_text

#: Characters of a name, which is that of a file, too.
LONGEST_NAME = 100
#: Variants of a sweep: more are a mistake in what was asked.
MOST_VARIANTS = 100_000
#: A range whose ends are farther apart than this factor is drawn from by its logarithm.
WIDE = 10.0


@dataclass(frozen=True)
class Variant:
    """One run of a sweep: the fields of the scene that it changes, each with its value."""

    name: str
    values: dict[str, Any]

    @property
    def overrides(self) -> list[str]:
        """The fields as `--set` takes them."""
        return [f"{field}={value_text(value)}" for field, value in self.values.items()]


def combined(values: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """All combinations; the last field changes fastest."""
    count = math.prod(len(given) for given in values.values())
    if count > MOST_VARIANTS:
        raise ValueError(f"sweep: these are {count} variants; expected at most {MOST_VARIANTS}")
    return [dict(zip(values, row, strict=True)) for row in itertools.product(*values.values())]


def paired(values: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """The first values together, then the second ones; a field of one value keeps it."""
    lengths = {field: len(given) for field, given in values.items() if len(given) != 1}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{count} of {field}" for field, count in lengths.items())
        raise ValueError(f"pairs: got {told}; expected as many values of each field")
    count = next(iter(lengths.values()), 1)
    rows = {f: list(given) * (count if len(given) == 1 else 1) for f, given in values.items()}
    return [{field: given[k] for field, given in rows.items()} for k in range(count)]


def sampled(
    values: Mapping[str, Sequence[Any]], count: int, *, seed: int = 0
) -> list[dict[str, Any]]:
    """Values drawn by a Latin hypercube: of a tuple (low, high) between these, else one of those given.

    Ranges above zero whose ends differ by a factor of `WIDE` or more are drawn from by the logarithm.
    """
    from scipy.stats import qmc

    if not (is_whole(count) and 0 < count <= MOST_VARIANTS):
        raise ValueError(
            f"sample: got {shown(count)}; expected a whole number of variants, e.g. sample=100"
        )
    draws = qmc.LatinHypercube(len(values), rng=seed).random(count)
    columns = [
        [_drawn(given, float(u)) for u in draws[:, k]] for k, given in enumerate(values.values())
    ]
    return [dict(zip(values, row, strict=True)) for row in zip(*columns, strict=True)]


def _drawn(given: Sequence[Any], u: float) -> Any:
    """The value at u, from 0 to 1."""
    if not isinstance(given, tuple):
        return given[min(int(u * len(given)), len(given) - 1)]
    low, high = given
    if low > 0.0 and high >= WIDE * low:
        return float(f"{low * (high / low) ** u:.6g}")
    return float(f"{low + u * (high - low):.6g}")


def from_table(path: str | Path) -> list[dict[str, Any]]:
    """The rows of a CSV file: fields in the first line, a variant in each other; empty: as it is."""
    path = Path(path)
    require_file(path, "table")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        raise ValueError(f"{path}: expected a first line of fields, and a line for each variant")
    fields = [cell.strip() for cell in rows[0]]
    found = []
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(fields):
            raise ValueError(
                f"{path}: row {number} has {len(row)} cells; expected {len(fields)}, as the first line"
            )
        cells = zip(fields, row, strict=True)
        found.append({field: parse_value(cell) for field, cell in cells if cell.strip()})
    return found


def named(rows: Sequence[Mapping[str, Any]]) -> list[Variant]:
    """Variants with names that are made of their values, the same whatever other variants there are.

    Variants that are equal are one.
    """
    fields = list(dict.fromkeys(field for row in rows for field in row))
    for field in fields:
        if not parse_keys(field):
            raise ValueError(
                f"sweep: got the field {shown(field)}; expected one of the scene, e.g. "
                "body.settle.rest_in"
            )
    words = _short_fields(fields)
    found: dict[str, Variant] = {}
    for row in rows:
        name = _name([f"{words[field]}={_shown_value(value)}" for field, value in row.items()])
        if name in found and found[name].values != dict(
            row
        ):  # they differ in what no name can have
            name = _name([name, _digest(repr(dict(row)))])
        found.setdefault(name, Variant(name, dict(row)))
    return list(found.values())


def _short_fields(fields: Sequence[str]) -> dict[str, str]:
    """The last part of each field, or as many parts as it takes to tell it from the others."""
    keys = {field: parse_keys(field) for field in fields}
    words = {}
    for field, parts in keys.items():
        for count in range(1, len(parts) + 1):
            ends = Counter(tuple(other[-count:]) for other in keys.values())
            if ends[tuple(parts[-count:])] == 1:
                break
        words[field] = ".".join(parts[-count:])
    return words


def _shown_value(value: Any) -> str:
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return value if isinstance(value, str) else value_text(value)


def _name(parts: Sequence[str]) -> str:
    """A name that every file system takes."""
    name = re.sub(r"[^A-Za-z0-9._+=,-]+", "_", ",".join(parts)).strip(".") or "scene"
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 9]}-{_digest(name)}"
    return name


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
