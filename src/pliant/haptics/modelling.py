"""Bodies and probes as the haptic loop has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.compliance import Compliance, point_normals
from pliant.control import Damping, Rayleigh, Release, Settle, decay_rate
from pliant.given import gravity_of
from pliant.mesh import Skin, Surface
from pliant.problem import Loads
from pliant.reduced import LineBasis, ReducedShape, ReducedSystem, SubspaceSystem, oscillators
from pliant.touch import Probe

from .balanced import SettlingCoordinates, SwingingCoordinates
from .coordinates import Coordinates, Departure, LinearCoordinates, Motion
from .model import TouchModel

Array = np.ndarray
#: A compliance of more nodes is too large a matrix.
MOST = 1500
#: The law needs a wish to come nearer to rest than this.
MOST_WITHIN = 0.5
#: The motion of a static model: at rest at the end of every step.
AT_ONCE: Motion = (0.0, 0.0, 0.0, 0.0)


def modelled(
    body: Deformable | Probe, *, dt: float, radius: float, coupling: float, gravity: Any
) -> TouchModel:
    """The model of a body for steps of dt [s]."""
    if isinstance(body, Probe):
        return _of_compliance(body.compliance, body.radius, coupling)
    system = body.system()
    if not isinstance(system, ReducedSystem) or isinstance(system.basis, LineBasis):
        raise ValueError(
            f"Loop: got {type(body).__name__}, whose step takes too long for a hand; expected pl.Modal, "
            "pl.Subspace, pl.BoundaryElements, or a pl.Probe on another body"
        )
    require_in_space(body)
    if system.basis.free or not body.pins_fixed:
        raise ValueError(f"{body.name}: expected a body that is held, by pins that stand still")
    return _of_coordinates(body, system, dt, radius, coupling, gravity_of(gravity, 3))


def require_in_space(body: Deformable) -> None:
    """Refuse bodies of the plane."""
    if body.dim != 3:
        raise ValueError(
            f"{body.name}: got {body.mesh!r}; expected a solid in 3D: a hand is in space"
        )


def motion_after(damping: Settle, left: Departure, dt: float) -> tuple[float, float, float, float]:
    """The motion of all coordinates over a step of dt [s] under the law, for a body let go so."""
    # Near rest the body is linear, as it need not be where it was let go.
    within = min(damping.within * left.share, MOST_WITHIN)
    release = Release(left.uu, left.up, left.pp)
    decay = decay_rate(damping.rest_in, damping.bounces, within, release)
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
    load = np.asarray(system.load(loads).on(np.eye(3), turned=False))
    if isinstance(system, SubspaceSystem):
        coordinates: Coordinates = _far(body, system, load, dt, gravity)
    else:
        motion = _motion(body.damping, system, dt)
        coordinates = LinearCoordinates(system.basis.eigenvalues, motion, load)
    coordinates.place(np.array(state.x.q), np.array(state.v.p))
    surface = np.unique(body.mesh.cells["tri3"]) if body.static else np.unique(body.skin.nodes)
    basis = system.basis
    columns = basis.columns.reshape(*basis.points.shape, len(basis))
    shift = state.x.frame.centre - basis.centre
    at_rest = basis.points + columns @ coordinates.goal + shift
    return TouchModel(
        points=basis.points[surface] + shift,
        normals=normals_of(body, at_rest)[surface],
        held=system.pinned[surface],
        columns=np.ascontiguousarray(columns[surface]),
        coordinates=coordinates,
        radius=radius,
        coupling=coupling,
    )


def _motion(damping: Damping, system: ReducedSystem, dt: float) -> Motion:
    """The motion over a step of a body that is let go at rest."""
    decay = 0.0
    if isinstance(damping, Settle):
        decay = decay_rate(damping.rest_in, damping.bounces, damping.within, Release())
    move = system.propagator(damping, decay, dt)
    return move.a, move.b, move.c, move.d


def _far(
    body: Deformable, system: SubspaceSystem, load: Array, dt: float, gravity: Array
) -> SettlingCoordinates | SwingingCoordinates:
    """Coordinates of a body in large deformation, at rest."""
    goal = np.array(system.shape_at(body.rest_shape(gravity)).q)
    cells, damping = system.weighed, body.damping
    if isinstance(damping, Settle):
        motion = _motion(damping, system, dt)
        return SettlingCoordinates(cells, motion, load, goal, system.span)
    viscosity = (0.0, 0.0)
    if isinstance(damping, Rayleigh):
        viscosity = damping.mass, damping.stiffness
    return SwingingCoordinates(cells, viscosity, load, goal, system.span, dt)


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
        coordinates=LinearCoordinates(np.ones(len(none)), AT_ONCE, none),
        radius=radius,
        coupling=coupling,
    )


def normals_of(body: Deformable, x: Array) -> Array:
    """Outward normals of the points of a body at x [m], (n, 3); those inside have none."""
    bare = Skin.bare(body.mesh)
    points = bare.nodes[:, 0]
    out = np.zeros_like(body.mesh.points)
    out[points] = point_normals(Surface(x[points], bare.surface.sizes, bare.surface.corners))
    return out
