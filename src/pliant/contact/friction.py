"""Friction that holds: bristles between surfaces that touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from pliant.energies import Pairing, packed
from pliant.solvers import PairBlocks

from .barrier import BarrierContact
from .bristle_kernels import bristle_kernels
from .closest import POINT_PLANE
from .contact_keys import ContactKeys
from .contact_points import of_stencils
from .pair_sums import PairSum
from .pairs import Pairs, sides_of
from .pushes import Touching, barrier_energies, friction_forces

#: A contact sticks if its bristle is bent by less than this share of the most.
STICKS = 0.9
#: How far a bristle bends before it slides, over the size of the smaller body.
BEND = 1e-3


@dataclass(frozen=True, eq=False)
class Bristles:
    """How far the bristles of contacts are bent [m], (m, dim), by the numbers of contacts, sorted."""

    keys: np.ndarray
    bends: np.ndarray

    @classmethod
    def none(cls, dim: int) -> Bristles:
        """No contact has a bristle yet."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros((0, dim)))

    @classmethod
    def joined(cls, parts: Sequence[Bristles]) -> Bristles:
        """The bristles of several bodies."""
        keys = np.concatenate([part.keys for part in parts])
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], np.concatenate([part.bends for part in parts])[order])

    def chosen(self, mask: np.ndarray) -> Bristles:
        """Some of them."""
        return Bristles(self.keys[mask], self.bends[mask])

    def of(self, keys: np.ndarray) -> np.ndarray:
        """The bends of contacts of these numbers; new ones are straight."""
        out = np.zeros((len(keys), self.bends.shape[1]))
        if len(self.keys):
            at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
            known = self.keys[at] == keys
            out[known] = self.bends[at[known]]
        return out


class BristleFriction(Pairing):
    """Coulomb's friction as a potential within one step, with bristles that remember.

        D = sum over contacts  mu N f(|s + T^T (x - before)|),      after the step s = the sum

    N: the push of the barrier, and T: the tangents, both at positions that are given (lagged); s: how
    far the bristle of a contact is bent, at most eps. f is IPC's: up to eps the force grows to mu N.
    So a body that should stick bends bristles and stays, where friction that is smoothed over velocity
    lets it creep. Bristles are kept per point, or edge, and surface, and turn with it.

    friction: mu of bodies and, behind them, of planes, (bodies, bodies + planes), or one number.
    `grip` comes first; then it satisfies `Energy`, with `pair_blocks` as of `BarrierContact`.
    """

    limits_steps = False

    def __init__(
        self,
        contact: BarrierContact,
        friction: float | np.ndarray,
        *,
        bend: np.ndarray | None = None,
        device: Any = "cpu",
    ):
        surface = contact.surface
        bodies, planes = len(surface.bodies), len(surface.planes[0])
        self.contact, self._device, self._dim = contact, device, surface.dim
        self._friction = np.broadcast_to(np.asarray(friction, float), (bodies, bodies + planes))
        #: eps of bodies and planes [m].
        self.bend = _bends(contact) if bend is None else bend
        self._keys = ContactKeys(surface)
        run = bristle_kernels(surface.dim)
        how: dict[str, Any] = {"carrying": contact.carrying, "device": device}
        self._sum = PairSum(run, surface.dim, surface.count, **how)
        self._run, self._pairs = run, Pairs(surface.dim, surface.planes, device=device)
        self._grips: Any = None
        self._numbers = np.zeros(0, dtype=np.int64)
        self._forces = np.zeros(0)

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def stencils(self) -> np.ndarray:
        """Every point for itself: int32, shape (n, 1)."""
        return self.contact.stencils

    def grip(
        self,
        before: Any,
        bristles: Bristles,
        lagged: Any,
        given: np.ndarray | None = None,
        moves: np.ndarray | None = None,
        turns: np.ndarray | None = None,
    ) -> None:
        """Take normal forces and tangents at `lagged`, for a step that begins at `before`.

        given: where given points were before, (m, dim). moves, turns: the rigid motion of planes in the
        step, x -> turn x + move, (planes, dim) and (planes, dim, dim); by default they do not turn.
        """
        contact, found = self.contact, self.touching(lagged)
        strengths = self._friction[found.first, found.second] * found.forces
        found, strengths = found.chosen(strengths > 0.0), strengths[strengths > 0.0]
        stencils, kinds, second = found.stencils, found.kinds, found.second
        self._numbers, self._forces = found.numbers, found.forces
        bends = bristles.of(self._numbers)
        if moves is not None and len(moves):
            flat = kinds == POINT_PLANE
            which = second[flat] - len(contact.surface.bodies)
            ways = moves[which]
            if turns is not None:
                turn, x = turns[which], contact.placed(lagged).numpy()[stencils[flat, 0]]
                ways = x - np.einsum("pij,pi->pj", turn, x - ways)
                bends[flat] = np.einsum("pij,pj->pi", turn, bends[flat])
            bends[flat] -= ways
        numbers = (found.weights, found.normals, bends, strengths, self._lengths(found))
        self._take(stencils, kinds, *numbers)
        start: Any = wp.clone(contact.placed(before))
        if given is not None and len(given):
            start[contact.surface.count :].assign(given)
        self._grips.before = start

    def touching(self, x: Any) -> Touching:
        """All pairs that push each other at x."""
        contact, parts, counts = self.contact, [], []
        for pairs in contact.near(x):
            t = pairs.touch(contact.placed(x))
            push = np.flatnonzero(t.forces > 0.0)
            gaps, laws = t.distances[push], pairs.laws.numpy()[push]
            stencils, kinds = pairs.stencils.numpy()[push], pairs.kinds.numpy()[push]
            parts.append(
                (stencils, kinds, t.forces[push], t.weights[push], t.normals[push], gaps, laws)
            )
            counts.append(len(push))
        stencils, kinds, forces, weights, normals, gaps, laws = (
            np.concatenate(each) for each in zip(*parts, strict=True)
        )
        own = np.repeat([True, False], counts)
        first, second = sides_of(contact.surface, stencils, kinds)
        sides = self._keys.sides(contact.placed(x), stencils, kinds, normals, own)
        numbers = self._keys.numbers(stencils, kinds, second, sides, own)
        energies = barrier_energies(forces, gaps, laws)
        return Touching(stencils, kinds, forces, energies, weights, normals, first, second, numbers)

    def strained(self, found: Touching, bristles: Bristles) -> np.ndarray:
        """The forces [N], (k, dim), on the first sides of pairs whose bristles are bent so far."""
        strengths = self._friction[found.first, found.second] * found.forces
        bends = bristles.of(found.numbers)
        return friction_forces(bends, found.normals, strengths, self._lengths(found))

    def _lengths(self, found: Touching) -> np.ndarray:
        """How far the bristles of pairs bend before they slide [m]."""
        return np.asarray(np.minimum(self.bend[found.first], self.bend[found.second]))

    def value(self, x: Any) -> float:
        """Return D(x) [J]."""
        return self._sum.value(self.contact.placed(x), self._grips, len(self))

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dD/dx [N] to g."""
        self._sum.add_gradient(self.contact.placed(x), self._grips, len(self), g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add the blocks of the diagonal [N/m]."""
        y = self.contact.placed(x)
        self._sum.add_diagonal(y, self._grips, len(self), blocks, slots, project=project)

    def pair_blocks(self, x: Any, project: bool) -> list[PairBlocks]:
        """The blocks off the diagonal [N/m]."""
        if not len(self):
            return []
        y = self.contact.placed(x)
        return [self._sum.off_diagonal(y, self._grips, len(self), project=project)]

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")

    def rubbing(self, x: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Stencils, kinds, weights, and the forces [N] on the first side of all contacts at x."""
        y, grips = self.contact.placed(x).numpy(), self._grips
        if not len(self):
            none = np.zeros((0, 4), dtype=np.int32)
            return none, none[:, 0], none.astype(float), np.zeros((0, self._dim))
        stencils, weights = grips.stencils.numpy(), grips.weights.numpy()
        moved = y - grips.before.numpy()
        w = np.where(stencils < 0, 0.0, weights)
        u = grips.bristles.numpy() + np.einsum("pa,pad->pd", w, moved[np.maximum(stencils, 0)])
        forces = friction_forces(
            u, grips.normals.numpy(), grips.strengths.numpy(), grips.lengths.numpy()
        )
        return stencils, self._pairs.kinds.numpy(), weights, forces

    def bent(self, x: Any) -> Bristles:
        """The bristles after a step that ends at x."""
        if not len(self):
            return Bristles.none(self._dim)
        bends: Any = self._pairs.empty(len(self), self.contact.vec)
        given = [self.contact.placed(x), self._grips, self._pairs.kinds, bends]
        self._pairs.launch(self._run.bend, *given)
        keys, at = np.unique(self._numbers, return_inverse=True)
        # Pairs of one contact have one bristle. Means are by force, and along the mean normal: at rest
        # they change nothing.
        means = [
            _means(at, len(keys), self._forces, each.numpy())
            for each in (bends, self._grips.normals, self._grips.lengths)
        ]
        u, n, eps = means[0], means[1], means[2][:, 0]
        n /= np.maximum(np.linalg.norm(n, axis=1), 1e-300)[:, None]
        u = u - np.einsum("ij,ij->i", u, n)[:, None] * n
        length = np.linalg.norm(u, axis=1)
        return Bristles(keys, u * np.minimum(1.0, eps / np.maximum(length, 1e-300))[:, None])

    def sticking_rows(self, way: np.ndarray, motions: np.ndarray) -> np.ndarray:
        """How fast contacts that stick slip in some motions (n, dim, r) of the points: (k dim, r).

        A contact sticks if a way (n, dim) of the points from `before` does not bend its bristle to the
        end.
        """
        if not (len(self) and motions.shape[2]):
            return np.zeros((0, motions.shape[2]))
        names = ("stencils", "weights", "normals", "bristles", "lengths")
        stencils, weights, normals, bends, eps = (
            getattr(self._grips, name).numpy() for name in names
        )
        carried = self.contact.surface.carried

        def tangential(v: np.ndarray) -> np.ndarray:
            across: np.ndarray = v - np.einsum("kd,ke,ke...->kd...", normals, normals, v)
            return across

        bent = bends + tangential(of_stencils(stencils, weights, way, carried))
        sticks = np.linalg.norm(bent, axis=1) < STICKS * eps
        slips = tangential(of_stencils(stencils, weights, motions, carried))[sticks]
        return np.asarray(slips.reshape(-1, motions.shape[2]))

    def divided(self, bristles: Bristles) -> list[Bristles]:
        """The bristles of each body whose points are unknown; those of obstacles are the first's."""
        body = self._keys.bodies(bristles.keys)
        count = sum(not one.given for one in self.contact.surface.bodies)
        body = np.where(body < count, body, 0)
        return [bristles.chosen(body == k) for k in range(count)]

    def _take(self, stencils: Any, kinds: Any, *numbers: np.ndarray) -> None:
        weights, normals, bends, strengths, eps = numbers
        types, on = self._pairs.types, self._device
        arrays: dict[str, Any] = {
            "stencils": wp.array(stencils.astype(np.int32), dtype=wp.vec4i, device=on),
            "weights": wp.array(weights, dtype=types.four, device=on),
            "normals": wp.array(normals, dtype=types.vec, device=on),
            "bristles": wp.array(bends, dtype=types.vec, device=on),
            "strengths": wp.array(strengths, dtype=wp.float64, device=on),
            "lengths": wp.array(eps, dtype=wp.float64, device=on),
        }
        self._grips = packed(self._run.Grips, arrays)
        laws: Any = wp.zeros(len(stencils), dtype=types.four, device=on)
        kinds = wp.array(kinds.astype(np.int32), dtype=wp.int32, device=on)
        self._pairs.take(arrays["stencils"], kinds, laws)


def _means(at: np.ndarray, count: int, weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The weighted means (count, k) of values (m, k) or (m,) that belong together."""
    values = values.reshape(len(at), -1)
    total = np.bincount(at, weights, count)
    sums = [np.bincount(at, weights * column, count) for column in values.T]
    return np.stack(sums, axis=1) / np.maximum(total, 1e-300)[:, None]


def _bends(contact: BarrierContact) -> np.ndarray:
    """eps of bodies and planes [m]: those of obstacles do not count."""
    surface = contact.surface
    sizes = [
        np.inf if body.given else BEND * float(np.ptp(body.points, axis=0).max(initial=0.0))
        for body in surface.bodies
    ]
    return np.array([*sizes, *(np.inf for _ in surface.planes[0])])
