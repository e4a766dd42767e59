"""Generators of meshes along curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.errors import LARGEST, Advice, described
from pliant.given import asked, floats_or_nan

from . import sizes
from .arrays import Floats, Indices
from .elevation import linear_shape, of_kind
from .mesh import Mesh
from .planar import rectangle
from .sections import Sections, sections_of
from .solid import cylinder

TUBE_KINDS = ("tet", "tri", "quad", "tet10", "tet4", "tri3", "quad4")
RIBBON_KINDS = ("tri", "quad", "tri3", "quad4")


def tube(
    curve: Any, radius: Any = 0.1, cells: Sequence[int] = (32, 2), *, kind: str = "tet"
) -> Mesh:
    """Tube around a curve in space, `cells` = (along, rings); around are six cells for each ring.

    curve: such as `pl.shape.BSpline(points)`, divided by length; or points (k, 3) [m], taken
    as they are. One that ends where it began is closed. radius [m]: a number, or a function of the
    share of the length from 0 to 1. `kind="tet"` and "tet10" fill it; "tri" and "quad" are its wall,
    open at the ends, for shells and cloth. Cross sections turn about the curve as little as can be.
    """
    call = "pl.meshes.tube(pl.shape.Bezier([[0, 0, 0], [1, 1, 0], [2, 0, 0]]), radius=0.1)"
    sizes.choice(call, kind, TUBE_KINDS)
    filled = linear_shape(kind) == "tet"
    along, across = sizes.counts(
        call, **dict(zip(("along", "across"), _two(call, cells), strict=True))
    )
    sizes.require_room(call, kind, along * (18 * across**2 if filled else 12 * across))
    found = sections_of(call, curve, along)
    if found.places.shape[1] != 3:
        raise ValueError(
            Advice(
                "curve is 2D; expected one in space. pl.meshes.ribbon makes strips in the plane", ""
            )
        )
    reach = _each(call, "radius", radius, found.shares)
    found.require_slender(call, reach)
    layers = len(found.places) - (not found.closed)
    if filled:
        mould = cylinder(1.0, 1.0, (across, layers))
        flat = mould.points[:, :2]
        layer = np.rint(mould.points[:, 2] * layers).astype(int)
        shape = {"tet4": mould.cells["tet4"]}
    else:
        sheet = rectangle((1.0, 1.0), (layers, 6 * across), kind=kind)
        layer = np.rint(sheet.points[:, 0] * layers).astype(int)
        angle = 2.0 * np.pi * sheet.points[:, 1]
        flat = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        shape = dict(sheet.cells)
    return _swept(found, reach, flat, layer, shape, kind)


def ribbon(
    curve: Any,
    width: Any = 0.1,
    cells: Sequence[int] = (32, 2),
    *,
    facing: Sequence[float] = (0.0, 0.0, 1.0),
    kind: str = "tri",
) -> Mesh:
    """Ribbon along a curve, `cells` = (along, across): a sheet in space, or in 2D a strip of the plane.

    curve: as of `tube`. width [m]: a number, or a function of the share of the length from 0 to 1. In
    space its normal begins as near to `facing` as it can, and turns about the curve as little as can be.
    """
    call = "pl.meshes.ribbon(pl.shape.Bezier([[0, 0, 0], [1, 1, 0], [2, 0, 0]]), width=0.1)"
    sizes.choice(call, kind, RIBBON_KINDS)
    along, across = sizes.counts(
        call, **dict(zip(("along", "across"), _two(call, cells), strict=True))
    )
    normal = np.array(sizes.place(call, facing, 3))
    sizes.require_room(call, kind, 2 * along * across)
    found = sections_of(call, curve, along)
    reach = 0.5 * _each(call, "width", width, found.shares)
    found.require_slender(call, reach)
    layers = len(found.places) - (not found.closed)
    sheet = rectangle((1.0, 1.0), (layers, across), kind=kind)
    layer = np.rint(sheet.points[:, 0] * layers).astype(int) % len(found.places)
    side = (2.0 * sheet.points[:, 1] - 1.0) * reach[layer]
    t = found.tangents
    if found.places.shape[1] == 2:
        sideways = np.stack([-t[:, 1], t[:, 0]], axis=1)
    else:
        sideways = np.cross(found.frames(normal), t)
    points = found.places[layer] + side[:, None] * sideways[layer]
    return Mesh(points, sheet.cells, repair=found.closed)


def _swept(
    found: Sections, reach: Floats, flat: Floats, layer: Indices, cells: dict[str, Any], kind: str
) -> Mesh:
    """Points of cross sections (p, 2), of radius 1, each put into its layer."""
    across = found.frames(np.eye(3)[2])
    beside = np.cross(found.tangents, across)
    i = layer % len(found.places)
    x = reach[i, None] * flat
    points = found.places[i] + x[:, :1] * across[i] + x[:, 1:] * beside[i]
    # Of a closed curve the last layer lies on the first, and of a wall the last row on the first.
    joined = found.closed or kind in RIBBON_KINDS
    return of_kind(Mesh(points, cells, repair=joined), kind)


def _two(call: str, cells: Any) -> tuple[Any, ...]:
    return sizes.several(call, "cells", cells, 2)


def _each(call: str, name: str, given: Any, shares: Floats) -> Floats:
    """A length [m] at each share of the curve, (k,)."""
    if callable(given):
        refusal = f"{name} is {described(given)}; expected a function of shares from 0 to 1"
        given = asked(given, shares, refusal=refusal)
    found = floats_or_nan(given)
    if found.shape not in ((), shares.shape) or not ((found > 0.0) & (found <= LARGEST)).all():
        raise ValueError(
            Advice(
                f"{name} is {described(given)}; expected a length above 0 in metres, or a function of "
                "shares (k,) from 0 to 1 that returns such lengths (k,)",
                f", as in {call}",
            )
        )
    return np.asarray(np.broadcast_to(found, shares.shape))
