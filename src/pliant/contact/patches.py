"""Patches of a contact surface: a few features side by side, which deform nearly alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.backend import Launches

from .features import Features
from .pair_search import PairSearch, Way
from .pairs import Pairs
from .patch_kernels import patch_kernels, patch_types
from .surface import ContactSurface

#: The side of a patch, over the length of edges; the most patches of a body.
SIDE, MOST = 2.0, 1024
#: A patch that is flatter than this, height over width, counts as flat.
FLAT = 0.2
#: Pairs at rest are listed up to this distance beyond their reach, over the length of short edges.
LISTED = 1.0


class Patches:
    """The triangles, edges and points of no edge of all bodies, gathered in patches, for kernels.

    Patches of a body follow each other. Each has the points of its features, a few of them shared with
    its neighbours; `apart` [m] is how near features that may touch are in the rest shape if one of them
    is in the patch, at most `reach` and LISTED.
    """

    def __init__(self, features: Features):
        surface, device, dim = features.surface, features.device, features.dim
        nodes = _features(surface)
        patch, self.body = _gathered(surface, nodes)
        self.count = len(self.body)
        entries = np.unique(np.stack([np.repeat(patch, 3), nodes.ravel()], axis=1), axis=0)
        at, points = entries.T
        begin = np.searchsorted(at, np.arange(self.count + 1))
        sizes = np.diff(begin)[:, None]
        x = surface.rest[points]
        means = np.add.reduceat(x, begin[:-1]) / sizes
        away = x - means[at]
        squares = np.add.reduceat(away[:, :, None] * away[:, None, :], begin[:-1])
        widths, basis = np.linalg.eigh(squares)
        widths, basis = widths[:, ::-1], basis[:, :, ::-1].copy()
        basis[:, :, -1] *= np.sign(np.linalg.det(basis))[:, None]
        kept = widths > np.maximum(FLAT**2 * widths[:, :1], 1e-300)
        inverse = np.where(kept, 1.0 / np.where(kept, widths, 1.0), 0.0)
        fit = np.einsum("pik,pk,pjk->pij", basis, inverse, basis)
        reach = np.maximum.reduceat(2.0 * surface.radius[points] + surface.gap[points], begin[:-1])
        types = patch_types(dim)
        self.struct: Any = types.Patches()
        ends = np.searchsorted(self.body, self.body, side="right")
        own = np.array([surface.allowed[b, b] for b in self.body])
        for name, values, kind in (
            ("begin", begin, wp.int32),
            ("points", points, wp.int32),
            ("away", away, types.vec),
            ("weights", np.einsum("pij,pj->pi", fit[at], away), types.vec),
            ("basis", basis, types.mat),
            ("rank", kept.sum(axis=1), wp.int32),
            ("mean", means, types.vec),
            ("radius", np.sqrt(np.maximum.reduceat((away**2).sum(axis=1), begin[:-1])), wp.float64),
            ("reach", reach, wp.float64),
            ("apart", _apart(features, entries, reach), wp.float64),
            ("low", np.minimum.reduceat(x, begin[:-1]), types.vec),
            ("high", np.maximum.reduceat(x, begin[:-1]), types.vec),
            ("edge", _longest(surface, nodes, patch), wp.float64),
            ("stop", np.where(own, ends, 0), wp.int32),
        ):
            setattr(self.struct, name, wp.array(values, dtype=kind, device=device))
        self.fits: Any = types.Fits()
        for names, kind in (
            (("at_x", "at_y", "low", "high"), types.vec),
            (("map_x", "map_y"), types.mat),
            (("off", "least", "radius"), wp.float64),
        ):
            for name in names:
                setattr(self.fits, name, wp.zeros(self.count, dtype=kind, device=device))
        self._found: Any = wp.zeros(self.count, dtype=wp.int32, device=device)
        self._run, self._launch = patch_kernels(dim), Launches(device)

    def follow(self, x: Any, y: Any) -> None:
        """Fit affine maps to all patches at the ends of a straight way."""
        self._launch(self._run.fit, self.count, [x, y, self.struct, self.fits])

    def meet(self, x: Any, y: Any, spare: float = 0.0) -> bool:
        """Whether any body may come within reach, and `spare` [m], of itself on that way."""
        given = [x, y, self.struct, self.fits, wp.float64(spare), self._found]
        self._launch(self._run.meet, self.count, given)
        return bool(self._found.numpy().any())


def _features(surface: ContactSurface) -> np.ndarray:
    """The points of all triangles, edges of no triangle and points of no edge, repeated, (m, 3)."""
    bare, loose = surface.bare[:, [0, 1, 1]], surface.loose[:, None].repeat(3, axis=1)
    return np.concatenate([surface.triangles, bare, loose])


def _gathered(surface: ContactSurface, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The patch of each feature, by cells of a grid over the rest shape, and the body of each patch."""
    body, middle = surface.body[nodes[:, 0]], surface.rest[nodes].mean(axis=1)
    a, b = surface.rest[surface.edges[:, 0]], surface.rest[surface.edges[:, 1]]
    lengths, of = np.linalg.norm(b - a, axis=1), surface.body[surface.edges[:, 0]]
    places = np.zeros((len(nodes), 1 + surface.dim), dtype=np.int64)
    places[:, 0] = body
    for k in np.unique(body):
        mine = body == k
        edge = float(np.median(lengths[of == k])) if (of == k).any() else 1.0
        side = edge * max(SIDE, np.sqrt(mine.sum() / (2.0 * MOST)))
        places[mine, 1:] = np.floor((middle[mine] - middle[mine].min(axis=0)) / max(side, 1e-300))
    found, patch = np.unique(places, axis=0, return_inverse=True)
    return patch.ravel(), found[:, 0]


def _longest(surface: ContactSurface, nodes: np.ndarray, patch: np.ndarray) -> np.ndarray:
    """The longest edge of each patch in the rest shape [m]."""
    corners, out = surface.rest[nodes], np.zeros(int(patch.max()) + 1)
    edges = np.linalg.norm(corners - corners[:, [1, 2, 0]], axis=2).max(axis=1)
    np.maximum.at(out, patch, edges)
    return out


def _apart(features: Features, entries: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """How near features that may touch are in the rest shape, for each patch [m]."""
    surface, dim, on = features.surface, features.dim, features.device
    pairs = Pairs(dim, (np.zeros((0, dim)), np.zeros((0, dim))), device=on)
    rest: Any = features.struct.rest
    still: Any = wp.zeros(len(surface.bodies), dtype=pairs.types.vec, device=on)
    spare = LISTED * surface.edge_length
    if not PairSearch(features, own=True).find(Way(rest, rest, lambda x: still), spare / 2, pairs):
        return np.zeros(len(reach))
    nearest = np.full(len(surface.rest), np.inf)
    stencils = pairs.stencils.numpy()
    distances = np.broadcast_to(pairs.touch(rest).distances[:, None], stencils.shape)
    known = stencils >= 0
    np.minimum.at(nearest, stencils[known], distances[known])
    out: np.ndarray = reach + spare
    np.minimum.at(out, entries[:, 0], nearest[entries[:, 1]])
    return out
