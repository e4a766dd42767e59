"""Samples alone, without cells: what kind of body they are of, and how much of it is around each."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from pliant.errors import LARGEST, SMALLEST, check_positive, shown
from pliant.given import floats_or_nan
from pliant.mesh import Mesh, accept_points, name_some

from .between import between, tangents

#: Samples spread less than this in a direction, beside the widest, in squares, do not fill it.
SPREAD = 0.05
#: So many of the samples tell the dimension; the others are at edges, branches or bends.
MOST_OVERLAP = 0.6
KIND = {1: "line", 2: "tri", 3: "tet"}
SHAPE_WORDS = {1: "curve", 2: "surface", 3: "volume"}


def joined(samples: Any, dimension: Any, spacing: Any) -> Mesh:
    """The mesh of what lies between samples (n, 3) [m] of a curve, a surface or a volume; or a mesh.

    dimension: 1, 2 or 3, by default what the neighbours of most samples span. spacing [m]: the usual
    distance of neighbours, by default that of each sample to those nearest to it.
    """
    if isinstance(samples, Mesh):
        if not (dimension is None and spacing is None):
            raise ValueError(
                f"Elastons: got dimension={shown(dimension)}, spacing={shown(spacing)} and a mesh, "
                "whose cells say so; expected None, or mesh.points in place of the mesh"
            )
        return samples
    X = accept_points(samples)
    if X.shape[1] != 3:
        raise ValueError(
            f"Elastons: got points of shape {X.shape}; expected points in 3D, as in "
            "np.insert(points, 2, 0.0, axis=1)"
        )
    if len(X) < 2:
        raise ValueError(f"Elastons: got {len(X)} sample; expected two or more")
    if not (dimension is None or (type(dimension) is int and dimension in SHAPE_WORDS)):
        raise ValueError(
            f"Elastons: got dimension={shown(dimension)}; expected 1, 2, 3 or None to find it"
        )
    _refuse_twins(X)
    if dimension is None:
        dimension = _dimension(X, spacing)
    each = _spacing(X, spacing, dimension)
    cells = between(X, dimension, each)
    alone = np.setdiff1d(np.arange(len(X)), cells)
    if len(alone):
        raise ValueError(
            f"Elastons: got {len(alone)} of {len(X)} samples with too few neighbours for a "
            f"{SHAPE_WORDS[dimension]}: samples {name_some(alone)}; expected more samples there, fewer "
            f"dimensions, or a wider spacing than {np.median(each):.3g} m, as in spacing="
            f"{2.0 * np.median(each):.2g}"
        )
    return Mesh(X, {KIND[dimension]: cells})


def _refuse_twins(X: np.ndarray) -> None:
    pairs = cKDTree(X).query_pairs(1e-9 * np.ptp(X, axis=0).max(), output_type="ndarray")
    if len(pairs):
        some = "; ".join(f"{i} and {j}" for i, j in pairs[:3])
        raise ValueError(
            f"Elastons: got {len(pairs)} pairs of samples at one place: samples {some}; expected "
            "every place once, as in np.unique(points, axis=0)"
        )


def _spacing(X: np.ndarray, given: Any, dimension: int) -> np.ndarray:
    """The usual distance of each sample to its neighbours [m], (n,)."""
    if given is not None:
        check_positive("Elastons", "spacing", given, "m")
        return np.full(len(X), float(given))
    count = min(len(X) - 1, 2 * dimension)  # as many neighbours as on a lattice
    far, near = cKDTree(X).query(X, k=count + 1)
    # At ends and edges they are farther; the median around there knows better.
    return np.asarray(np.median(far[:, 1:].mean(axis=1)[near], axis=1))


def _dimension(X: np.ndarray, spacing: Any) -> int:
    """The dimension of the samples: the number of directions in which most have neighbours."""
    for dimension in (1, 2):
        spread, _ = tangents(X, _spacing(X, spacing, dimension))
        found = (spread > SPREAD * spread[:, :1]).sum(axis=1)
        if (found <= dimension).mean() > MOST_OVERLAP:
            return dimension
    return 3


def volumes(given: Any, found: np.ndarray) -> np.ndarray:
    """The volume of each sample [m^3], (n,), as given or estimated.

    given: of each sample; or of all, in the shares that were found; or None.
    """
    if given is None:
        return found
    volume = floats_or_nan(given)
    if (
        volume.shape not in ((), found.shape)
        or not ((volume >= SMALLEST) & (volume <= LARGEST)).all()
    ):
        raise ValueError(
            f"Elastons: got volume={shown(given)}; expected that of the body, or of each of its "
            f"{len(found)} samples, above 0 [m^3]"
        )
    return volume if volume.ndim else volume * found / found.sum()
