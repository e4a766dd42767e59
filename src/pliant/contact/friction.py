"""Friction that holds: bristles between surfaces that touch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import to_device
from pliant.energies import Pairing, packed, summed
from pliant.solvers import PairBlocks

from .barrier import BarrierContact
from .bristle_kernels import bristle_kernels
from .bristles import Bristles
from .closest import POINT_PLANE
from .contact_keys import ContactKeys
from .contact_points import of_stencils
from .gathering import scanned
from .grip_kernels import grip_kernels, grip_types
from .pair_sums import PairSum
from .pairs import Pairs, sides_of
from .part_keys import PartKeys
from .pushes import Touching, barrier_energies, friction_forces

#: A contact sticks if its bristle is bent by less than this share of the most.
STICKS = 0.9
#: How far a bristle bends before it slides, over the size of the smaller body.
BEND = 1e-3


class BristleFriction(Pairing):
    """Coulomb's friction as a potential within one step, with bristles that remember.

        D = sum over contacts  mu N f(|s + T^T (x - before)|),      after the step s = the sum

    N: the push of the barrier, and T: the tangents, both at positions that are given (lagged); s: how
    far the bristle of a contact is bent, at most eps. f is IPC's: up to eps the force grows to mu N.
    So a body that should stick bends bristles and stays, where friction that is smoothed over velocity
    lets it creep. Bristles are kept per point, or edge, and surface, and turn with it.

    friction: mu of bodies and, behind them, of planes, (bodies, bodies + planes), or one number.
    `grip` comes first; then it satisfies `Energy`, with `pair_blocks` as of `BarrierContact`.
    stays: whether bristles are arrays of the device, else of numpy. among: of a part of a surface, the
    keys of all of it, and the numbers of the bodies of the part.
    """

    limits_steps = False

    def __init__(
        self,
        contact: BarrierContact,
        friction: float | np.ndarray,
        *,
        bend: np.ndarray | None = None,
        device: Any = "cpu",
        stays: bool = False,
        among: tuple[ContactKeys, Sequence[int]] | None = None,
    ):
        surface = contact.surface
        bodies, planes = len(surface.bodies), len(surface.planes[0])
        self.contact, self._device, self._dim = contact, device, surface.dim
        self._friction = np.broadcast_to(np.asarray(friction, float), (bodies, bodies + planes))
        #: eps of bodies and planes [m].
        self.bend = _bends(contact) if bend is None else bend
        self._keys = ContactKeys(surface)
        self._part = None if among is None else PartKeys(self._keys, *among)
        run = bristle_kernels(surface.dim)
        how: dict[str, Any] = {"carrying": contact.carrying, "device": device}
        self._sum = PairSum(run, surface.dim, surface.count, **how)
        self._run, self._pairs = run, Pairs(surface.dim, surface.planes, device=device)
        self._grips: Any = None
        self._stays, self._gripping = stays, grip_kernels(surface.dim)
        self._known = self._make_known()
        self._numbers: Any = self._pairs.empty(0, wp.int64)
        self._forces: Any = self._pairs.empty(0, wp.float64)
        #: How far obstacles go at contacts in the step [m].
        self._slides = np.zeros((0, surface.dim))

    def _make_known(self) -> Any:
        """What kernels need to know of bodies, edges and friction."""
        surface, known = self.contact.surface, grip_types(self._dim)()
        of: dict[str, Any] = {"device": self._device}
        known.body = wp.array(surface.body, dtype=wp.int32, **of)
        known.friction = wp.array(self._friction, dtype=wp.float64, **of)
        known.bend = wp.array(self.bend, dtype=wp.float64, **of)
        known.edges = wp.array(self._keys.sorted, dtype=wp.int64, **of)
        known.order = wp.array(self._keys.order, dtype=wp.int32, **of)
        known.bodies, known.others = len(surface.bodies), len(self.bend)
        known.unknown = surface.count
        return known

    def __len__(self) -> int:
        return len(self._forces)

    @property
    def numbers(self) -> np.ndarray:
        """Those of the contacts that rub, by which bristles are known, (m,)."""
        return np.asarray(self._numbers.numpy()[: len(self)])

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
    ) -> float:
        """Take normal forces and tangents at `lagged`, for a step that begins at `before`.

        Return by which share of all of them the pushes differ from those that were taken last.

        given: where given points were before, (m, dim). moves, turns: the rigid motion of planes in the
        step, x -> turn x + move, (planes, dim) and (planes, dim, dim); by default they do not turn.
        """
        contact, last = self.contact, (self._numbers, self._forces)
        lists, y = contact.near(lagged), contact.placed(lagged)
        chosen, total = [], 0
        for pairs in lists:
            kept = pairs.empty(len(pairs), wp.int32)
            pairs.launch(self._gripping.rubs, y, pairs.struct, self._known, kept)
            places = wp.zeros_like(kept)
            chosen.append((kept, places, total))
            total += scanned(kept, places)
        grips, kinds = self._room(total)
        given_keys: Any = to_device(bristles.keys, wp.int64, self._device)
        bends: Any = to_device(bristles.bends, contact.vec, self._device)
        out = (given_keys, bends, grips, kinds, self._forces, self._numbers)
        for own, pairs, where in zip((1, 0), lists, chosen, strict=True):
            how = (y, pairs.struct, self._known, own, *where, *out)
            pairs.launch(self._gripping.fill, *how)
        self._slides = np.zeros((total, self._dim))
        if moves is not None and len(moves):
            self._carry_bends(y.numpy(), moves, turns)
        start: Any = wp.clone(contact.placed(before))
        if given is not None and len(given):
            start[contact.surface.count :].assign(given)
            stencils, weights = self._grips.stencils.numpy(), self._grips.weights.numpy()
            moved = contact.placed(lagged).numpy() - start.numpy()
            moved[: contact.surface.count] = 0.0
            used = np.where(stencils < 0, 0.0, weights)
            self._slides -= np.einsum("pa,pad->pd", used, moved[np.maximum(stencils, 0)])
        self._grips.before = start
        return self._changed(*last)

    def _changed(self, keys: Any, forces: Any) -> float:
        """The share of all pushes by which those of equal numbers differ from these."""
        count, more = len(forces), len(self._forces)
        totals = [summed(f) if len(f) else 0.0 for f in (forces, self._forces)]
        if max(totals) <= 0.0:
            return 0.0
        both, order = (self._pairs.empty(2 * (count + more), t) for t in (wp.int64, wp.int32))
        signed = self._pairs.empty(count + more, wp.float64)
        for k, f, at, sign in ((keys, forces, 0, -1.0), (self._numbers, self._forces, count, 1.0)):
            self._launch(self._gripping.append, len(f), k, f, at, wp.float64(sign), both, signed)
        self._launch(self._gripping.number, count + more, order)
        wp.utils.radix_sort_pairs(both, order, count + more)
        apart = self._pairs.empty(count + more, wp.float64)
        self._launch(self._gripping.differ, count + more, both, order, signed, apart)
        return summed(apart) / max(totals)

    def _launch(self, kernel: Any, count: int, *inputs: Any) -> None:
        if count:
            wp.launch(kernel, dim=count, inputs=list(inputs), device=self._device)

    def _room(self, count: int) -> tuple[Any, Any]:
        """Arrays for so many contacts; returns those of the energy, and kinds."""
        empty, types = self._pairs.empty, self._pairs.types
        arrays: dict[str, Any] = {
            "stencils": empty(count, wp.vec4i),
            "weights": empty(count, types.four),
            "normals": empty(count, types.vec),
            "bristles": empty(count, types.vec),
            "strengths": empty(count, wp.float64),
            "lengths": empty(count, wp.float64),
        }
        self._grips = packed(self._run.Grips, arrays)
        self._forces, self._numbers = empty(count, wp.float64), empty(2 * count, wp.int64)
        laws: Any = wp.zeros(count, dtype=types.four, device=self._device)
        self._pairs.take(arrays["stencils"], empty(count, wp.int32), laws)
        return self._grips, self._pairs.kinds

    def _carry_bends(self, x: np.ndarray, moves: np.ndarray, turns: np.ndarray | None) -> None:
        """Let bristles on planes know how these move in the step."""
        stencils, bends = self._grips.stencils.numpy(), self._grips.bristles.numpy().copy()
        flat = self._pairs.kinds.numpy() == POINT_PLANE
        which = -2 - stencils[flat, 1]
        ways = moves[which]
        if turns is not None:
            turn, at = turns[which], x[stencils[flat, 0]]
            ways = at - np.einsum("pij,pi->pj", turn, at - ways)
            bends[flat] = np.einsum("pij,pj->pi", turn, bends[flat])
        bends[flat] -= ways
        self._slides[flat] = ways
        self._grips.bristles.assign(bends)

    def touching(self, x: Any) -> Touching:
        """All pairs that push each other at x, in an order that does not depend on earlier searches."""
        contact, parts, counts = self.contact, [], []
        for pairs in contact.near(x):
            t = pairs.touch(contact.placed(x))
            stencils, kinds = pairs.stencils.numpy(), pairs.kinds.numpy()
            push = np.flatnonzero(t.forces > 0.0)
            push = push[np.lexsort((*stencils[push].T, kinds[push]))]
            gaps, laws = t.distances[push], pairs.laws.numpy()[push]
            stencils, kinds = stencils[push], kinds[push]
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

    def rubbing(self, x: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Stencils, weights, and the forces [N] on the first side of all contacts at x."""
        y, grips = self.contact.placed(x).numpy(), self._grips
        if not len(self):
            none = np.zeros((0, 4), dtype=np.int32)
            return none, none.astype(float), np.zeros((0, self._dim))
        stencils, weights = grips.stencils.numpy(), grips.weights.numpy()
        moved = y - grips.before.numpy()
        w = np.where(stencils < 0, 0.0, weights)
        u = grips.bristles.numpy() + np.einsum("pa,pad->pd", w, moved[np.maximum(stencils, 0)])
        forces = friction_forces(
            u, grips.normals.numpy(), grips.strengths.numpy(), grips.lengths.numpy()
        )
        return stencils, weights, forces

    def bent(self, x: Any) -> Bristles:
        """The bristles after a step that ends at x."""
        if not len(self):
            return Bristles.none(self._dim)
        count, empty = len(self), self._pairs.empty
        bends: Any = empty(count, self.contact.vec)
        given = [self.contact.placed(x), self._grips, self._pairs.kinds, bends]
        self._pairs.launch(self._run.bend, *given)
        # Pairs of one contact have one bristle. Means are by force, and along the mean normal: at rest
        # they change nothing.
        keys, order = wp.clone(self._numbers), empty(2 * count, wp.int32)
        self._pairs.launch(self._gripping.number, order)
        wp.utils.radix_sort_pairs(keys, order, count)
        first, places = empty(count, wp.int32), empty(count, wp.int32)
        self._pairs.launch(self._gripping.begins, keys, first)
        contacts = scanned(first, places)
        out = Bristles(empty(contacts, wp.int64), empty(contacts, self.contact.vec))
        how = (keys, order, first, places, count, self._forces, bends, self._grips)
        self._pairs.launch(self._gripping.mean, *how, out.keys, out.bends)
        return out if self._stays else out.to_host()

    def sticking_rows(self, way: np.ndarray, motions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How fast contacts that stick slip in some motions (n, dim, r) of the points: (k dim, r).

        A contact sticks if a way (n, dim) of the points from `before` does not bend its bristle to the
        end. Second: how far obstacles go there along their surfaces [m], (k dim,).
        """
        if not (len(self) and motions.shape[2]):
            return np.zeros((0, motions.shape[2])), np.zeros(0)
        sticks, count = self._stick(way), motions.shape[2]
        slides = self._tangential(self._slides)[sticks].ravel()
        return self._across(motions)[sticks].reshape(-1, count), slides

    def slip_force(self, way: np.ndarray) -> float:
        """The force [N] of all contacts that slip in a way (n, dim) of the points; 0 if any sticks."""
        moved = np.linalg.norm(self._across(way), axis=1) > 0.0
        if not moved.any() or (self._stick(way) & moved).any():
            return 0.0
        return float(self._grips.strengths.numpy()[moved].sum())

    def _across(self, way: np.ndarray) -> np.ndarray:
        """How far the sides of contacts slip past each other in ways (n, dim, ...): (k, dim, ...)."""
        grips, carried = self._grips, self.contact.surface.carried
        v = of_stencils(grips.stencils.numpy(), grips.weights.numpy(), way, carried)
        return self._tangential(v)

    def _tangential(self, v: np.ndarray) -> np.ndarray:
        """The part of vectors (k, dim, ...) at contacts along the surfaces."""
        normals = self._grips.normals.numpy()
        return np.asarray(v - np.einsum("kd,ke,ke...->kd...", normals, normals, v))

    def _stick(self, way: np.ndarray) -> np.ndarray:
        """The mask of contacts whose bristles a way (n, dim) from `before` does not bend to the end."""
        planes = self._grips.stencils.numpy()[:, 1] < -1  # whose ways bend the bristles already
        slides = self._tangential(np.where(planes[:, None], 0.0, self._slides))
        bent = self._grips.bristles.numpy() + self._across(way) - slides
        return np.asarray(np.linalg.norm(bent, axis=1) < STICKS * self._grips.lengths.numpy())

    def divided(self, bristles: Bristles) -> list[Bristles]:
        """The bristles of each body whose points are unknown, as states have them."""
        body = self._keys.bodies(bristles.keys)
        count = sum(not one.given for one in self.contact.surface.bodies)
        found = [bristles.chosen(body == k) for k in range(count)]
        return found if self._part is None else [self._part.outwards(each) for each in found]

    def joined(self, parts: Sequence[Bristles]) -> Bristles:
        """The bristles of several bodies together, from those that states have."""
        found = Bristles.joined(parts)
        return found if self._part is None else self._part.inwards(found)


def _bends(contact: BarrierContact) -> np.ndarray:
    """eps of bodies and planes [m]: those of obstacles do not count."""
    surface = contact.surface
    sizes = [
        np.inf if body.given else BEND * float(np.ptp(body.points, axis=0).max(initial=0.0))
        for body in surface.bodies
    ]
    return np.array([*sizes, *(np.inf for _ in surface.planes[0])])
