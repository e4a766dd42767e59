"""Bases of large bodies, kept on disk: their modes take a minute, and are the same every time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from pliant.resources import cache_folder, find_kept, keep

from .modes import Inverse, RestStiffness, find_modes, residual_columns

Array = np.ndarray
#: Eigenvalues [1/s^2], (r,), and columns (n d, r).
Columns = tuple[Array, Array]

#: Of what is kept; another number forgets it all.
VERSION = b"1"
#: Bodies of fewer unknowns are quicker to solve than to keep.
LEAST = 20_000


def columns_of(of: RestStiffness, count: int, loads: Sequence[Array]) -> Columns:
    """Eigenvalues and columns: `count` modes, and what static answers to loads have beyond them.

    Those of a large body are looked for in the cache first: modes by a hash of stiffness and masses,
    static answers by one of the loads as well, so that another load needs no other modes.
    """

    @cache
    def inverse() -> Inverse:
        return of.solver()

    K = of.matrix
    own = [K.data, K.indices, K.indptr, of.masses, of.positions, np.array(count)]
    values, modes = _kept(of, own, lambda: find_modes(of, count, inverse()))

    def statics() -> Columns:
        return residual_columns(of, values, modes, loads, inverse())

    more, columns = _kept(of, [*own, *loads], statics)
    return np.concatenate([values, more]), np.column_stack([modes, columns])


def _kept(of: RestStiffness, given: Sequence[Array], make: Callable[[], Columns]) -> Columns:
    """What is made of given arrays, from the cache if it was made before."""
    if len(of.masses) < LEAST:
        return make()
    digest = hashlib.sha256(VERSION + repr((len(given), of.rigid.shape)).encode())
    for array in given:
        digest.update(np.ascontiguousarray(array).tobytes())
    file = cache_folder("modes") / f"{digest.hexdigest()[:32]}.npz"
    known = find_kept(file)
    if known is not None and _fits(known, of):
        return known["eigenvalues"], known["columns"]
    values, columns = make()
    keep(file, {"eigenvalues": values, "columns": columns})
    return values, columns


def _fits(known: dict[str, Array], of: RestStiffness) -> bool:
    """Whether a file has columns of this body."""
    values, columns = known.get("eigenvalues"), known.get("columns")
    if values is None or columns is None or values.ndim != 1:
        return False
    whole = columns.shape == (len(of.masses), len(values))
    return whole and bool((values > 0.0).all() and np.isfinite(columns).all())
