"""Columns that a user gives: shapes that a body can have, such as those of a lattice around it."""

from __future__ import annotations

import numpy as np

from pliant.errors import Advice

from .modes import RestStiffness, ritz

Array = np.ndarray

#: Shapes that move pins by less than this share of what they move others leave them where they are.
STILL = 1e-9
#: A shape that others make up but for this share adds nothing.
NOTHING_NEW = 1e-7


def given_columns(of: RestStiffness, shapes: Array, free: Array, least: int) -> Array:
    """M-orthonormal columns (n d, r) of what shapes (k, n, d) can do, the softest first.

    free (n,): points that no pin holds. Only sums of shapes that leave the pins where they are count,
    and of a free body what is left of them without its rigid motions.
    """
    count = len(shapes)
    moving = shapes[:, free].reshape(count, -1)
    pins = shapes[:, ~free].reshape(count, -1)
    if pins.size:
        held, sizes, _ = np.linalg.svd(pins, full_matrices=True)
        rank = int((sizes > STILL * np.abs(shapes).max() * np.sqrt(pins.shape[1])).sum())
        moving = held[:, rank:].T @ moving
    root = np.sqrt(of.masses)
    columns = (root * moving).T
    if of.rigid.shape[1]:
        rigid = root[:, None] * of.rigid
        columns = columns - rigid @ (rigid.T @ columns)
    found, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    whole = np.linalg.norm(root * shapes[:, free].reshape(count, -1), axis=1).max(initial=0.0)
    found = found[:, sizes > NOTHING_NEW * whole] / root[:, None]
    if found.shape[1] < least:
        raise ValueError(
            Advice(
                f"got a basis of {count} shapes, {found.shape[1]} of which leave its pins where they "
                f"are and differ from each other; expected modes={least} of them or more: ",
                f"give more, or pl.Subspace(body, modes={max(found.shape[1], 1)}, basis=...)",
                "give more",
            )
        )
    return ritz(found, of.matrix @ found, of.masses)[1]
