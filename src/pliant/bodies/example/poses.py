"""Example poses of a mesh, looked over before they are used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.elements import by_name, shape_gradients
from pliant.errors import Advice
from pliant.given import floats
from pliant.mesh import Mesh

#: Poses that differ by less than this share of their strain count as the same.
SAME_POSE = 1e-4


def checked_poses(mesh: Mesh, examples: Sequence[Any], *, bounded: bool) -> np.ndarray:
    """The poses as one array (m, n, d) [m]; refuses those that cannot serve as examples.

    bounded: whether weights have bounds, which give opposite poses weights of their own.
    """
    try:
        poses = [floats(pose) for pose in examples]
    except (TypeError, ValueError):
        raise ValueError(
            f"ExampleBased: got examples={type(examples).__name__}; expected a list of positions, as "
            "in examples=[pose] with pose of the shape of mesh.points"
        ) from None
    if not poses:
        raise ValueError(
            "ExampleBased: got no examples; expected at least one pose [m], as in examples=[pose]; "
            "without any use pl.Body(mesh, material)"
        )
    for i, pose in enumerate(poses):
        if pose.shape != mesh.points.shape:
            raise ValueError(
                f"ExampleBased: example {i} has the shape {pose.shape}; expected that of mesh.points, "
                f"{mesh.points.shape}, as in examples=[pose]"
            )
        bad = np.flatnonzero(~np.isfinite(pose).all(axis=1))
        if len(bad):
            raise ValueError(
                f"ExampleBased: example {i} is not finite at points {bad[:10].tolist()}"
            )
    strains, sizes = [], []
    ((kind, cells),) = solid_cells(mesh).items()
    grads, weights = shape_gradients(mesh.points, cells, by_name(kind))
    for i, pose in enumerate(poses):
        F = np.einsum("cai,cqaj->cqij", pose[cells], grads)
        inverted = np.flatnonzero((np.linalg.det(F) <= 0.0).any(axis=1))
        if len(inverted):
            raise ValueError(
                f"ExampleBased: example {i} has {len(inverted)} cells inside out (first "
                f"{inverted[:10].tolist()}); expected a pose that could be bent from the rest shape"
            )
        strains.append((np.sqrt(weights)[..., None, None] * _biot(F)).ravel())
        sizes.append(float(np.linalg.norm(strains[-1]) / np.sqrt(weights.sum())))
        if sizes[-1] <= 1e-9:
            raise ValueError(
                f"ExampleBased: example {i} is the rest shape (moved as a whole, without strain), "
                "which is an example already; leave it out"
            )
    _refuse_repeated(np.stack(strains), bounded)
    return np.stack(poses)


def solid_cells(mesh: Mesh) -> dict[str, np.ndarray]:
    """The cells of a mesh that fill space; refuses a mesh of several kinds."""
    found = {k: c for k, c in mesh.cells.items() if by_name(k).dim == mesh.dim}
    if len(found) != 1:
        raise ValueError(
            Advice(
                f"ExampleBased: got cells {', '.join(sorted(found)) or 'none'} in {mesh.dim}D; "
                "expected cells of one kind that fill it, as ",
                'pl.meshes.box(kind="tet") has',
                'box = { kind = "tet" } has',
            )
        )
    return found


def _biot(F: np.ndarray) -> np.ndarray:
    """sqrt(F^T F) - 1: the strain that is blended."""
    _, sizes, turn = np.linalg.svd(F)
    return np.asarray(np.swapaxes(turn, -1, -2) @ (sizes[..., None] * turn) - np.eye(F.shape[-1]))


def _refuse_repeated(strains: np.ndarray, bounded: bool) -> None:
    """Refuse examples that say the same: their weights could not be told apart."""
    units = strains / np.linalg.norm(strains, axis=1, keepdims=True)
    basis: list[np.ndarray] = []
    for i, unit in enumerate(units):
        new = unit
        for _ in range(2):  # twice: once leaves rounding
            new = new - sum(((b @ new) * b for b in basis), np.zeros_like(new))
        if np.linalg.norm(new) > SAME_POSE:
            basis.append(new / np.linalg.norm(new))
            continue
        alike = units[:i] @ unit
        like, mend = int(np.argmax(np.abs(alike))), "leave one of them out"
        same = abs(alike[like]) >= 1.0 - 0.5 * SAME_POSE**2
        if bounded and not (same and alike[like] > 0.0):
            continue  # within bounds a blend or an opposite of others reaches where they do not
        what = f"example {like}, larger or smaller" if same else "a blend of those before it"
        if same and alike[like] < 0.0:
            what = f"example {like}, turned round"
            mend = "leave it out, as opposites are preferred anyway, or give bounds=(0, 1)"
        raise ValueError(
            f"ExampleBased: example {i} has the strains of {what}, so their weights could not be "
            f"told apart; {mend}"
        )
