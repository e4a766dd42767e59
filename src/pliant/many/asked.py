"""What users ask of a sweep: values of fields, as the variants that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pliant.errors import described, is_whole, shown

from .variants import combined, from_table, paired, sampled

#: Larger numbers of workers, and larger seeds, are mistakes.
MOST_COUNT = 2**31


def rows_of(
    values: Mapping[str, Sequence[Any]],
    *,
    pairs: bool,
    table: str | Path | None,
    sample: int | None,
    seed: int,
) -> list[dict[str, Any]]:
    """The values of all variants; a table multiplies what is given beside it."""
    if pairs and sample is not None:
        raise ValueError("Sweep: got pairs and sample; expected one of them")
    if sample is not None and not values:
        raise ValueError(
            "Sweep: got sample and nothing to draw; expected ranges, e.g. "
            "--set body.material.young=1e4:1e6, or values={'body.material.young': (1e4, 1e6)}"
        )
    if sample is not None:
        own = sampled(values, sample, seed=seed)
    else:
        own = paired(values) if pairs else combined(values)
    rows = [{}] if table is None else from_table(table)
    return [row | more for row in rows for more in own]


def accepted(values: Any) -> Mapping[str, Sequence[Any]]:
    """Values by field, each a list."""
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(field, str) for field in values):
        raise TypeError(
            f"Sweep: got values={described(values)}; expected lists of values by field, such as "
            '{"body.settle.rest_in": [0.5, 1.0]}'
        )
    for field, given in values.items():
        if isinstance(given, str) or not isinstance(given, Sequence) or not len(given):
            raise ValueError(f"Sweep: got {field}={described(given)}; expected a list of values")
    return values


def whole(what: str, value: Any, least: int) -> int:
    """A whole number that is not absurd."""
    if not is_whole(value) or not least <= value <= MOST_COUNT:
        raise ValueError(f"Sweep: got {what}={shown(value)}; expected a whole number from {least}")
    return int(value)
