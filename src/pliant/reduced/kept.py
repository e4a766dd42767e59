"""Bases of large bodies, kept on disk: their modes take a minute, and are the same every time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from pliant.resources import cache_folder, find_kept, keep

from .modes import RestStiffness, find_modes, residual_columns

Array = np.ndarray

#: Of what is kept; another number forgets it all.
VERSION = b"1"
#: Bodies of fewer unknowns are quicker to solve than to keep.
LEAST = 20_000


def columns_of(of: RestStiffness, count: int, loads: Sequence[Array]) -> tuple[Array, Array]:
    """Eigenvalues [1/s^2] and columns (n d, r): `count` modes, and what static answers have beyond.

    Those of a large body are looked for in the cache first, by a hash of its stiffness, masses and
    loads.
    """
    if len(of.masses) < LEAST:
        return _computed(of, count, loads)
    file = cache_folder("modes") / f"{_key(of, count, loads)}.npz"
    known = find_kept(file)
    if known is not None and _fits(known, of, count):
        return known["eigenvalues"], known["columns"]
    values, columns = _computed(of, count, loads)
    keep(file, {"eigenvalues": values, "columns": columns})
    return values, columns


def _computed(of: RestStiffness, count: int, loads: Sequence[Array]) -> tuple[Array, Array]:
    inverse = of.solver()
    values, modes = find_modes(of, count, inverse)
    more, columns = residual_columns(of, values, modes, loads, inverse)
    return np.concatenate([values, more]), np.column_stack([modes, columns])


def _fits(known: dict[str, Array], of: RestStiffness, count: int) -> bool:
    """Whether a file has what its name promises."""
    values, columns = known.get("eigenvalues"), known.get("columns")
    if values is None or columns is None or values.ndim != 1 or len(values) < count:
        return False
    shape = (len(of.masses), len(values))
    return columns.shape == shape and bool((values > 0.0).all() and np.isfinite(columns).all())


def _key(of: RestStiffness, count: int, loads: Sequence[Array]) -> str:
    digest = hashlib.sha256(VERSION)
    matrix = of.matrix
    for array in (matrix.data, matrix.indices, matrix.indptr, of.masses, of.positions, *loads):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(repr((count, len(loads), of.rigid.shape)).encode())
    return digest.hexdigest()[:32]
