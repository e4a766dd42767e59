"""A probe: it presses, pokes and pinches a body, and forces come back."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from pliant.bodies import Deformable
from pliant.compliance import Compliance
from pliant.declared import InPython, Quantity, accept
from pliant.errors import described, is_finite, usable
from pliant.given import floats_or_nan
from pliant.mesh import Surface

from .ball import depths_of
from .contact import TouchedNodes, frames

Array = np.ndarray
#: Touches that are kept prepared.
KEPT = 64
#: Rounds in which all nodes are found that a ball presses, and the share of its depth that counts.
ROUNDS, NEAR = 10, 1e-9


class Probe:
    """A hand on a body: it presses, pokes and pinches, and feels the forces.

        u = C f,     C_cc f_c = u_c

    C: the compliance of the body's surface, u_c: where the hand takes the nodes that it touches. Solved
    for are the forces f_c on these nodes only, by the capacitance matrix C_cc; the matrix of the body is
    never factored again. Positions are computed when they are asked for.

    body: one that is held: `pl.BoundaryElements`, `pl.Body` in 3D (finite elements, condensed to the
    surface), or the same in its modes. radius [m]: of the pad, the ball or the fingers. A touch of a
    single point would be meaningless: its force falls without end as the mesh is refined. gravity
    [m/s^2]: small deformation is about the rest shape under it and the body's loads.

        touch = pl.Probe(body, radius=0.05)
        force = touch.press(at=(0.5, 0.5, 2.0), by=(0, 0, -0.05))      # on the hand [N]
        touch.positions                                                # of the whole surface
        touch.let_go()                                                 # the body moves on in its scene

    A hand cannot pull: nodes that would be pulled are let go. All forces are the gradient of one
    energy, so that no closed path of the hand gains work.

    Not for deflections of more than a tenth of the size: it is linear about the rest shape. Contact of
    the body with others is not seen. Source: [james1999], [james2001], [james2003].
    """

    def __init__(
        self,
        body: Deformable | Compliance,
        *,
        radius: Annotated[float, Quantity("of the pad, ball or finger", "m", above=0.0)],
        gravity: Annotated[Any, InPython("a vector that acts while it is touched")] = None,
    ):
        self._radius: float
        (self._radius,) = accept(self, radius=radius)
        if isinstance(body, Compliance):
            self._body: Deformable | None = None
            self._of = body
        elif isinstance(body, Deformable):
            self._body, self._of = body, body.compliance(gravity)
        else:
            raise TypeError(
                f"Probe: got body of type {type(body).__name__}; expected pl.Body or "
                "pl.BoundaryElements"
            )
        self._known: dict[bytes, TouchedNodes] = {}
        self._nothing = TouchedNodes(self._of, np.zeros(0, dtype=int), np.zeros((0, 3, 3)))
        self._touched, self._forces = self._nothing, np.zeros((0, 3))

    def __repr__(self) -> str:
        return f"<Probe of radius {self._radius:g} m on {len(self._of.nodes)} nodes>"

    @property
    def radius(self) -> float:
        """[m]. Fixed."""
        return self._radius

    # --- what the hand does ----------------------------------------------------------------

    def press(self, *, at: Any, by: Any) -> Array:
        """Put a pad on the surface and move it [m]; returns the force on the hand [N], (3,).

        Nodes within the radius of `at`, a place on the surface at rest, go with the pad by the vector
        `by` along the surface, and at least as far inward. `by` is the whole way since the pad was put
        on: pressing twice is not pressing deeper.
        """
        place, way = _vector("press", "at", at), _vector("press", "by", by)
        touched = self._patch("press", place)
        felt = self._take(touched, np.asarray(touched.directions @ way))
        return np.asarray(felt.sum(axis=0))

    def poke(self, *, at: Any) -> Array:
        """Put the centre of a ball of the radius here [m]; returns the force on the hand [N], (3,).

        The ball slides. Where it does not reach the surface there is no force. Deeper than five sixths
        of its radius it is the round tip of a steep cone.
        """
        centre = _vector("poke", "at", at)
        free = np.flatnonzero(~self._of.held)
        depth, slope = depths_of(self._of, free, centre, self._radius)
        reached = depth > 0.0
        if not reached.any():
            self.release()
            return np.zeros(3)
        for _ in range(ROUNDS):  # what bulges around them, by less than they go in, may be reached
            touched = self._met(free[reached], sticks=False)
            forces = touched.forces(-depth[reached, None])
            others = np.flatnonzero(~reached & (depth > -depth.max()))
            bulges = touched.outward(free[others], forces) + depth[others]
            others = others[bulges > NEAR * depth.max()]
            if not len(others):
                break
            reached[others] = True
        pressed = forces.any(axis=1)
        self._touched = self._met(free[reached][pressed], sticks=False)
        self._forces = forces[pressed]
        pushes = -np.einsum("ki,ki->k", self._forces, self._touched.directions[:, 0])
        return np.asarray(-pushes @ slope[reached][pressed])

    def pinch(self, *, at: Any, by: float) -> Array:
        """Take the body between two fingers and close them [m]; returns the force on each [N], (2, 3).

        at: two places on the surface. Each finger goes half of `by` towards the other.
        """
        places = floats_or_nan(at)
        if places.shape != (2, 3) or not usable(places):
            raise ValueError(
                f"pinch: got at={described(at)}; expected two places on the surface [m], as in "
                "at=((0, 0, 1), (1, 0, 1))"
            )
        if not is_finite(by):
            raise ValueError(f"pinch: got by={described(by)}; expected a number [m]")
        patches = [self._patch("pinch", place) for place in places]
        count = len(patches[0].nodes)
        nodes = np.concatenate([patch.nodes for patch in patches])
        apart = places[1] - places[0]
        if len(np.unique(nodes)) < len(nodes) or not apart.any():
            raise ValueError(
                f"pinch: got at={described(at)}; the fingers of radius {self._radius:g} m would share "
                "points: expected places further apart, or a smaller radius"
            )
        way = np.where(np.arange(len(nodes)) < count, 0.5, -0.5)[:, None]
        way = float(by) * way * apart / np.linalg.norm(apart)
        touched = self._met(nodes, sticks=True)
        felt = self._take(touched, np.einsum("kai,ki->ka", touched.directions, way))
        return np.stack([felt[:count].sum(axis=0), felt[count:].sum(axis=0)])

    def release(self) -> None:
        """Take the hand away: the body is shown as if nothing had touched it."""
        self._touched, self._forces = self._nothing, np.zeros((0, 3))

    def let_go(self) -> None:
        """Take the hand away, and leave the body where it was held, at rest: it moves on in its scene.

        With `pl.Settle` it rests on cue.
        """
        if self._body is None:
            raise ValueError("let_go: this probe has no body, only a compliance; expected a body")
        self._body.place(self._of.whole(self._touched.nodes, self._forces))
        self._body.velocity = np.zeros(3)
        self.release()

    # --- what comes of it ------------------------------------------------------------------

    @property
    def positions(self) -> Array:
        """Where the points of the surface are [m], (m, 3)."""
        u = self._touched.answer(self._forces)
        return np.asarray(self._of.surface.points + self._of.shown(u))

    @property
    def surface(self) -> Surface:
        """The surface as it is now."""
        return replace(self._of.surface, points=self.positions, normals=None)

    @property
    def nodes(self) -> Array:
        """The nodes that the hand takes along, (k,)."""
        return np.array(self._touched.nodes)

    @property
    def forces(self) -> Array:
        """What the hand does to these nodes [N], (k, 3)."""
        return np.array(self._forces)

    @property
    def energy(self) -> float:
        """What the touch has stored in the body [J]."""
        u = self._touched.answer(self._forces)[self._touched.nodes]
        return 0.5 * float(np.vdot(u, self._forces))

    @property
    def compliance(self) -> Compliance:
        """How the surface of the body answers."""
        return self._of

    def _take(self, touched: TouchedNodes, d: Array) -> Array:
        """Take nodes so far along their directions; the forces on the hand [N], (k, 3)."""
        self._forces, self._touched = touched.forces(d), touched
        return -self._forces

    def _patch(self, who: str, place: Array) -> TouchedNodes:
        """What a pad at a place on the surface touches."""
        of = self._of
        away = of.nodes - place
        far = np.sqrt(np.einsum("ni,ni->n", away, away))
        nearest = int(far.argmin())
        if far[nearest] > self._radius:
            raise ValueError(
                f"{who}: got at={_said(place)}; the nearest node of the surface is {far[nearest]:.3g} m "
                f"away, at {_said(of.nodes[nearest])}: expected a place within {self._radius:g} m of "
                "one, or a larger radius"
            )
        near = (far <= self._radius) & (of.normals @ of.normals[nearest] > 0.0) & ~of.held
        if not near.any():
            raise ValueError(
                f"{who}: got at={_said(place)}, where the body is held; expected a place that can move"
            )
        return self._met(np.flatnonzero(near), sticks=True)

    def _met(self, nodes: Array, *, sticks: bool) -> TouchedNodes:
        """These nodes, prepared; those touched lately are known. Nodes that slide have a normal only."""
        key = nodes.tobytes() + bytes([sticks])
        if key not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            normals = self._of.normals[nodes]
            directions = frames(normals) if sticks else normals[:, None]
            self._known[key] = TouchedNodes(self._of, nodes, directions)
        return self._known[key]


def _vector(who: str, what: str, given: Any) -> Array:
    found = floats_or_nan(given)
    if found.shape != (3,) or not usable(found):
        raise ValueError(f"{who}: got {what}={described(given)}; expected three numbers [m]")
    return found


def _said(place: Array) -> str:
    return "(" + ", ".join(f"{v:.4g}" for v in place) + ")"
