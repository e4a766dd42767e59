"""The dampings of several bodies that are tied together, as one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import warp as wp

from pliant.backend import joined
from pliant.contact import Bristles

from .context import StepContext
from .control_state import ControlState
from .damping import Damping
from .difference import Difference
from .inertia import Dissipation, Inertia, IslandInertia, Quadratic

if TYPE_CHECKING:
    from .island_system import IslandSystem


@dataclass(frozen=True)
class IslandControl(ControlState):
    """What the damping of each body knows, and friction.

    bristles: how far those of all contacts are bent when a step begins; laps: how often a step was
    solved since, each time with the pushes that the last one has found.
    """

    members: tuple[ControlState | None, ...]
    bristles: Bristles | None = None
    laps: int = 0


#: How often a step with friction is solved: friction knows the pushes of the last time.
LAPS = 3
#: Pushes that differ from those which friction knew by less than this share are the same.
SAME_PUSH = 1e-2
#: What of a step is an array over the points of all bodies.
SPLIT = (
    "x_old",
    "velocity",
    "x",
    "drift",
    "rest",
    "rest_before",
    "load_at_rest",
    "correction",
    "trend",
)


@dataclass
class _Views:
    """One step as each body sees it, and the positions that were looked at last, body by body."""

    contexts: list[StepContext]
    seen: Any = None
    parts: Sequence[Any] = ()


class IslandDamping(Damping):
    """Every body has the inertia that its own damping wants, in one minimisation.

    If one of them controls inertia, the island is carried rigidly as a whole, and all dampings act on
    the deformation only. A drag then does not slow the rigid motion. members: of each body.
    """

    def __init__(self, island: IslandSystem, dampings: Sequence[Damping]):
        self._island, self.members = island, tuple(dampings)
        self.controlled = any(d.controlled for d in dampings)
        self.needs_rest = any(d.needs_rest for d in dampings)
        self.swing = all(d.swing for d in dampings)
        self.resident = all(d.resident for d in dampings)
        self._known: WeakKeyDictionary[StepContext, _Views] = WeakKeyDictionary()

    def __repr__(self) -> str:
        return " and ".join(map(repr, self.members))

    def plan(
        self, context: StepContext, control: ControlState | None
    ) -> tuple[Inertia, IslandControl]:
        """The inertia of this step."""
        found = [d.plan(view, own) for d, view, own in self._each(context, control)]
        inertias, controls = zip(*found, strict=True)
        outside = () if self.controlled else tuple(context.resisting(context.difference))
        known = control.bristles if isinstance(control, IslandControl) else None
        rubs, _ = self._grip(context, known, context.x_old)
        return joined_inertia(self._island, inertias, outside, rubs), IslandControl(
            controls, known, 1
        )

    def inertia(self, context: StepContext) -> Inertia:
        """The inertia of a step without control."""
        return self.plan(context, None)[0]

    def dissipation(self, context: StepContext) -> Dissipation:
        """What all bodies dissipate in the step."""
        views = self._views_of(context).contexts
        found = [d.dissipation(view) for d, view in zip(self.members, views, strict=True)]
        drags, rate = {loss.drag for loss in found}, 1.0 / context.dt
        same = found[0].drag if len(drags) == 1 else 0.0
        pairs = zip(views, found, strict=True)
        whole = joined_inertia(
            self._island,
            [Inertia(rate * (f.drag - same), c.x, f.energies, f.quadratics) for c, f in pairs],
        )
        return Dissipation(same, whole.energies, whole.quadratics)

    def review(
        self, context: StepContext, control: ControlState | None, inertia: Inertia, x_new: Any
    ) -> tuple[Inertia | None, IslandControl]:
        """A better inertia if any body wants one, or if the pushes that friction knows have changed."""
        seen = iter(self._look(context, x_new))
        better, known = self._changed(
            context, control, inertia, lambda d, view, own, i: d.review(view, own, i, next(seen))
        )
        if known.laps >= LAPS or self._island.friction is None:
            return better, known
        assert isinstance(inertia, IslandInertia)
        rubs, change = self._grip(context, known.bristles, x_new)
        if better is None and change <= SAME_PUSH:
            return None, known
        members = inertia.members if better is None else better.members
        again = joined_inertia(self._island, members, inertia.outside, rubs)
        known = replace(known, laps=known.laps + 1)
        return replace(again, alike=better is None), known

    def _grip(
        self, context: StepContext, bristles: Bristles | None, at: Any
    ) -> tuple[Sequence[Any], float]:
        """Friction of a step with the pushes at some positions, if anything rubs, and their change."""
        friction, array = self._island.friction, self._island.assembly.array
        if friction is None:
            return (), 0.0
        bent, paths = bristles or Bristles.none(self._island.dim), friction.contact.paths
        if paths is None:
            change = friction.grip(array(context.x_old), bent, array(at))
        else:
            before, now = paths.at(context.time - context.dt), paths.at(context.time)
            # The pushes of the last step are those at obstacles where they were.
            friction.contact.aim(*(before if at is context.x_old else now).ends)
            how = (before.points, *now.plane_motions(before))
            change = friction.grip(array(context.x_old), bent, array(at), *how)
            friction.contact.aim(*now.ends)
        return ((friction,) if len(friction) else ()), change

    def retreat(
        self, context: StepContext, control: ControlState | None, inertia: Inertia
    ) -> tuple[Inertia | None, IslandControl]:
        """A more robust inertia of every body that has one."""
        return self._changed(
            context, control, inertia, lambda d, view, own, i: d.retreat(view, own, i)
        )

    def swings_limply(self, control: ControlState | None) -> bool:
        """Whether any body was found to: they swing as one."""
        known = _members(control, len(self.members))
        pairs = zip(self.members, known, strict=True)
        return any(d.swings_limply(own) for d, own in pairs)

    def lost(
        self, context: StepContext, control: ControlState | None, x_new: Any
    ) -> tuple[bool, IslandControl]:
        """Whether any body no longer approaches its rest shape."""
        seen = self._look(context, x_new)
        found = [
            d.lost(view, own, x) if d.needs_rest else (False, own)
            for (d, view, own), x in zip(self._each(context, control), seen, strict=True)
        ]
        return any(lost for lost, _ in found), _with(control, tuple(own for _, own in found))

    def pull_home(self, control: ControlState | None, *, for_good: bool = False) -> IslandControl:
        """Drive all bodies to their rest shapes."""
        known = _members(control, len(self.members))
        pairs = zip(self.members, known, strict=True)
        return _with(control, tuple(d.pull_home(own, for_good=for_good) for d, own in pairs))

    def finish(
        self, context: StepContext, control: ControlState | None, x_new: Any
    ) -> IslandControl:
        """The states that the next step begins with."""
        each = zip(self._each(context, control), self._look(context, x_new), strict=True)
        known = tuple(d.finish(view, own, x) for (d, view, own), x in each)
        friction = self._island.friction
        bristles = None if friction is None else friction.bent(self._island.assembly.array(x_new))
        return IslandControl(known, bristles)

    def _each(self, context: StepContext, control: ControlState | None) -> Any:
        known = _members(control, len(self.members))
        return zip(self.members, self._views_of(context).contexts, known, strict=True)

    def _changed(
        self,
        context: StepContext,
        control: ControlState | None,
        inertia: Inertia,
        ask: Callable[..., tuple[Inertia | None, ControlState | None]],
    ) -> tuple[IslandInertia | None, IslandControl]:
        assert isinstance(inertia, IslandInertia)
        found = [
            ask(d, view, own, i)
            for (d, view, own), i in zip(self._each(context, control), inertia.members, strict=True)
        ]
        controls = _with(control, tuple(own for _, own in found))
        if all(better is None for better, _ in found):
            return None, controls
        pairs = zip(found, inertia.members, strict=True)
        members = [better or before for (better, _), before in pairs]
        return joined_inertia(self._island, members, inertia.outside, inertia.rubs), controls

    def _views_of(self, context: StepContext) -> _Views:
        if context not in self._known:
            self._known[context] = _Views(self._views(context))
        return self._known[context]

    def _views(self, context: StepContext) -> list[StepContext]:
        """The same step as the damping of each body sees it.

        In its load ties pull with the force that they have at rest, so that forces vanish there.
        """
        load = context.load
        if self.needs_rest:
            load = load - self._island.tie_force(context.rest)
        views = []
        for (own, system), damping in zip(self._island.members, self.members, strict=True):
            part: dict[str, Any] = {
                name: None if (a := getattr(context, name)) is None else a[own] for name in SPLIT
            }
            view = replace(
                context,
                mechanics=system,
                load=None if load is None else load[own],
                complement=system.complement(context.x[own])
                if self.controlled
                else system.unrestricted,
                resisting=_nothing,
                scheme=None if context.scheme is None else context.scheme.of(own),
                **part,
            )
            if damping.needs_rest:
                view.tell_gradient(context.rest_products.gradient[own])
            if self.controlled and not damping.controlled:
                # Rates are of the deformation: rigid motion was carried already.
                v, dt = view.vectors, view.dt
                anchor = v.moved(view.x, dt, view.drift)
                scheme = Difference(1.0 / dt**2, anchor, dt, ((1.0, view.x),), view.x)
                view = replace(view, scheme=scheme)
            views.append(view)
        return views

    def _look(self, context: StepContext, x_new: Any) -> Sequence[Any]:
        """The positions of each body in x_new. Each view gets their distance from rest."""
        views, members = self._views_of(context), self._island.members
        if views.seen is not x_new:
            views.seen, views.parts = x_new, [x_new[own] for own, _ in members]
            if not self.controlled:
                return views.parts
            at_rest = self._island.align(context.rest, x_new)
            for (own, _), view, x in zip(members, views.contexts, views.parts, strict=True):
                view.tell_distance(x, math.sqrt(view.vectors.weighted(x, at_rest[own])))
        return views.parts


def joined_inertia(
    island: IslandSystem,
    members: Sequence[Inertia],
    outside: Sequence[Any] = (),
    rubs: Sequence[Any] = (),
) -> IslandInertia:
    """The inertia of all points; outside: what resists to them; rubs: friction between them."""
    anchor = joined([inertia.anchor for inertia in members])
    weights = [inertia.weight for inertia in members]
    weight, quadratics = weights[0], []
    if len(set(weights)) > 1:
        weight, pattern = 0.0, island.assembly.pattern
        each = np.concatenate(
            [w * system.masses for w, (_, system) in zip(weights, island.members, strict=True)]
        )
        blocks = np.zeros((len(pattern), island.dim, island.dim))
        blocks[pattern.diagonal] = each[:, None, None] * np.eye(island.dim)
        quadratics.append(Quadratic(blocks, anchor, 1.0))
    energies = [*outside, *rubs]
    for inertia, (own, system) in zip(members, island.members, strict=True):
        energies += [island.part(e, own) for e in inertia.energies]
        quadratics += [_padded(q, island, own, system) for q in inertia.quadratics]
    push = None
    if any(inertia.push is not None for inertia in members):
        zeros = (np.zeros_like(inertia.anchor) for inertia in members)
        pairs = zip(members, zeros, strict=True)
        push = np.concatenate([zero if i.push is None else i.push for i, zero in pairs])
    extrapolation = {inertia.extrapolation for inertia in members}
    return IslandInertia(
        weight,
        anchor,
        energies,
        quadratics,
        push,
        extrapolation=extrapolation.pop() if len(extrapolation) == 1 else 0.0,
        members=members,
        outside=outside,
        rubs=rubs,
    )


def _members(control: ControlState | None, count: int) -> tuple[ControlState | None, ...]:
    return control.members if isinstance(control, IslandControl) else (None,) * count


def _with(control: ControlState | None, members: tuple[ControlState | None, ...]) -> IslandControl:
    """The same friction with other states of the bodies."""
    if isinstance(control, IslandControl):
        return replace(control, members=members)
    return IslandControl(members)


def _nothing(d: Difference) -> Sequence[Any]:
    return ()


def _padded(q: Quadratic, island: IslandSystem, own: slice, system: Any) -> Quadratic:
    """A term of one body as one of all."""
    pattern, mine = island.assembly.pattern, system.assembly.pattern
    if not island.spaces.of(q.anchor).on_host:  # without ties the blocks of a body stand together
        first = int(pattern.starts[own.start])
        all_blocks: Any = wp.zeros(len(pattern), dtype=q.blocks.dtype, device=island.device)
        wp.copy(all_blocks, q.blocks, dest_offset=first)
        places: Any = wp.zeros(len(island.masses), dtype=q.anchor.dtype, device=island.device)
        wp.copy(places, q.anchor, dest_offset=own.start)
        return Quadratic(all_blocks, places, q.weight, q.definite)
    pairs = np.stack([mine.rows, mine.columns], axis=1) + own.start
    blocks = np.zeros((len(pattern), island.dim, island.dim))
    blocks[pattern.slots(pairs.astype(np.int32))[:, 0, 1]] = q.blocks
    anchor = np.zeros((len(island.masses), island.dim))
    anchor[own] = q.anchor
    low_rank = None
    if q.low_rank is not None:
        low_rank = np.zeros((anchor.size, q.low_rank.shape[1]))
        low_rank[own.start * island.dim : own.stop * island.dim] = q.low_rank
    return Quadratic(blocks, anchor, q.weight, q.definite, low_rank)
