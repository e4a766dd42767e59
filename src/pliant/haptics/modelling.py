"""Bodies and probes as the haptic loop has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.compliance import Compliance, point_normals
from pliant.control import Release, Settle, decay_rate
from pliant.given import gravity_of
from pliant.mesh import Skin
from pliant.problem import Loads
from pliant.reduced import LineBasis, ReducedShape, ReducedSystem, SubspaceSystem, oscillators
from pliant.touch import Probe

from .model import TouchModel

Array = np.ndarray
#: A compliance of more nodes is too large a matrix.
MOST = 1500


def modelled(
    body: Deformable | Probe, *, dt: float, radius: float, coupling: float, gravity: Any
) -> TouchModel:
    """The model of a body for steps of dt [s]."""
    if isinstance(body, Probe):
        return _of_compliance(body.compliance, body.radius, coupling)
    system = body.system()
    few = isinstance(system, ReducedSystem) and not isinstance(system, SubspaceSystem)
    if not (isinstance(system, ReducedSystem) and few) or isinstance(system.basis, LineBasis):
        raise ValueError(
            f"Loop: got {type(body).__name__}, whose step takes too long for a hand; expected pl.Modal, "
            "pl.BoundaryElements, or a pl.Probe on another body"
        )
    if system.basis.free or not body.pins_fixed:
        raise ValueError(f"{body.name}: expected a body that is held, by pins that stand still")
    return _of_coordinates(body, system, dt, radius, coupling, gravity_of(gravity, 3))


def motion_after(
    damping: Settle, release: tuple[float, float, float], dt: float
) -> tuple[float, float, float, float]:
    """The motion of all coordinates over a step of dt [s] under the law, for a body let go like this."""
    decay = decay_rate(damping.rest_in, damping.bounces, damping.within, Release(*release))
    move = oscillators(damping, np.ones(1), decay).over(dt)
    a, b, c, d = (float(np.ravel(v)[0]) for v in (move.a, move.b, move.c, move.d))
    return a, b, c, d


def _of_coordinates(
    body: Deformable,
    system: ReducedSystem,
    dt: float,
    radius: float,
    coupling: float,
    gravity: Array,
) -> TouchModel:
    state = system.taken_up(body.state)
    assert isinstance(state.x, ReducedShape)
    if state.x.frame.turned:
        raise ValueError(f"{body.name}: expected a body that is not turned against its mesh")
    loads = Loads(body, system.undeformed, 0.0, gravity)
    load = system.load(loads).on(np.eye(3), turned=False)
    damping = body.damping
    decay = 0.0
    if isinstance(damping, Settle):
        decay = decay_rate(damping.rest_in, damping.bounces, damping.within, Release())
    move = system.propagator(damping, decay, dt)
    surface = np.unique(body.mesh.cells["tri3"]) if body.static else np.unique(body.skin.nodes)
    basis = system.basis
    columns = basis.columns.reshape(*basis.points.shape, len(basis))[surface]
    return TouchModel(
        points=basis.points[surface] + state.x.frame.centre - basis.centre,
        normals=normals_of(body)[surface],
        held=system.pinned[surface],
        columns=np.ascontiguousarray(columns),
        eigenvalues=basis.eigenvalues,
        motion=(move.a, move.b, move.c, move.d),
        load=np.asarray(load),
        q=np.array(state.x.q),
        p=np.array(state.v.p),
        radius=radius,
        coupling=coupling,
    )


def _of_compliance(of: Compliance, radius: float, coupling: float) -> TouchModel:
    """A static model: u = C f, C = L L^T; the columns of L are those of coordinates of stiffness 1."""
    free = np.flatnonzero(~of.held)
    n = len(of.nodes)
    if len(free) > MOST:
        raise ValueError(
            f"Loop: got a probe on {len(free)} free nodes; expected at most {MOST}, or pl.Modal of "
            "the body"
        )
    C = of.block(free).reshape(3 * len(free), -1)
    C = 0.5 * (C + C.T)
    try:
        L = np.linalg.cholesky(C)
    except np.linalg.LinAlgError:  # some nodes only move with others, as those of long elements
        values, vectors = np.linalg.eigh(C)
        there = values > 1e-12 * values[-1]
        L = vectors[:, there] * np.sqrt(values[there])
    columns = np.zeros((n, 3, L.shape[1]))
    columns[free] = L.reshape(len(free), 3, -1)
    none = np.zeros(columns.shape[2])
    return TouchModel(
        points=of.nodes,
        normals=of.normals,
        held=of.held,
        columns=columns,
        eigenvalues=np.ones(len(none)),
        motion=(0.0, 0.0, 0.0, 0.0),
        load=none,
        q=none,
        p=none,
        radius=radius,
        coupling=coupling,
    )


def normals_of(body: Deformable) -> Array:
    """Outward normals of the points of a body; those inside have none."""
    bare = Skin.bare(body.mesh)
    out = np.zeros_like(body.mesh.points)
    out[bare.nodes[:, 0]] = point_normals(bare.surface)
    return out
