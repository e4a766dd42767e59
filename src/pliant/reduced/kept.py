"""Bases of large bodies, kept on disk: they take minutes, and are the same every time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from pliant.resources import cache_folder, find_kept, keep

from .modes import Inverse, RestStiffness, find_modes, residual_columns

Array = np.ndarray

#: Of what is kept; another number forgets it all.
VERSION = b"1"
#: Bodies of fewer unknowns are quicker to solve than to keep.
LEAST = 20_000


def columns_of(of: RestStiffness, count: int, loads: Sequence[Array]) -> tuple[Array, Array]:
    """Eigenvalues [1/s^2] and columns (n d, r): modes, and what static answers have beyond them.

    Those of a large body are looked for in the cache first: modes by a hash of stiffness and masses,
    static answers by one of the loads as well, so that another load needs no other modes.
    """

    @cache
    def inverse() -> Inverse:
        return of.solver()

    def modes() -> dict[str, Array]:
        return dict(zip(("values", "columns"), find_modes(of, count, inverse()), strict=True))

    own = [np.array(count)]
    low = kept(of, own, modes)

    def statics() -> dict[str, Array]:
        found = residual_columns(of, low["values"], low["columns"], loads, inverse())
        return dict(zip(("values", "columns"), found, strict=True))

    more = kept(of, [*own, *loads], statics)
    values = np.concatenate([low["values"], more["values"]])
    return values, np.column_stack([low["columns"], more["columns"]])


def kept(
    of: RestStiffness, given: Sequence[Array], make: Callable[[], dict[str, Array]]
) -> dict[str, Array]:
    """What is made of a body and given arrays, from the cache if it was made before.

    It has eigenvalues, `values`, their `columns`, and what else `make` returns.
    """
    if len(of.masses) < LEAST:
        return make()
    K = of.matrix
    digest = hashlib.sha256(VERSION + repr((len(given), of.rigid.shape)).encode())
    for array in (K.data, K.indices, K.indptr, of.masses, of.positions, *given):
        digest.update(np.ascontiguousarray(array).tobytes())
    file = cache_folder("modes") / f"{digest.hexdigest()[:32]}.npz"
    known = find_kept(file)
    if known is not None and _fits(known, of):
        return known
    made = make()
    keep(file, made)
    return made


def _fits(known: dict[str, Array], of: RestStiffness) -> bool:
    """Whether a file has columns of this body."""
    values, columns = known.get("values"), known.get("columns")
    if values is None or columns is None or values.ndim != 1:
        return False
    whole = columns.shape == (len(of.masses), len(values))
    return whole and bool((values > 0.0).all() and np.isfinite(columns).all())
