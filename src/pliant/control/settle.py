"""Rest on cue."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.declared import accept
from pliant.energies import ObstacleEnergy, Strained
from pliant.given import is_listed
from pliant.problem import ControlState, Damping, Inertia, StepContext

from .beats import Beats
from .follow_through import bouncing, fading, follow_through, touches
from .law import AT_REST, Law, Release, longest_dt, sampled, solve_law
from .laws import Laws
from .leaps import leapt
from .limp_swing import limp_swing
from .painted import PaintedWish
from .part_distances import distances, parts_of, squares
from .past import anchor_of, predicted
from .schedule import STILL, better_weight, schedule
from .settle_state import MOST_PULLS, MOST_RETREATS, PartState, Phase, SettleState
from .strain_inertia import StrainInertia
from .wish_parameters import (
    BeatSeconds,
    BounceCount,
    LawName,
    RestInSeconds,
    Slides,
    Swings,
    WithinShare,
)

if TYPE_CHECKING:
    from .report import SettleReport

log = logging.getLogger("pliant")

#: After a step that strains could not lead they lead again, if so many steps are left for it.
AGAIN = 20
#: Loads that follow the body may do this share of the work on its way to rest: their stiffness is not
#: in the Hessian, and the time to rest errs by about as much; by more where a region is soft.
STIFFLESS = 2e-4
#: A body at this share of its largest distance is led on by a schedule, which ends in no motion at all.
AT_HOME = 1e-5


class Settle(Damping):
    """Damping by wish: at rest `rest_in` seconds after release, after so many bounces.

    rest_in [s]: when the distance to the rest shape has fallen to `within` of what it was. The clock
    starts at the last change of pins, loads or positions; while the rest shape keeps moving the body
    pursues it with the asked time constant. An array has a number for each point: the deformation
    of every place rests at its own time. What is in contact rests at the last of them.
    bounces: None moves without inertia (the thesis's method, a quick start); 0 starts and ends
    softly, and from a start without velocity does not overshoot; m > 0 makes m full oscillations,
    and the promise is their envelope.
    law: "every-shape" keeps the promise for any start; "first-mode" is the fixed law for the slowest
    mode, in which stiffer shapes vanish sooner (or, with bounces, ring on).
    swing: whether what hangs by one point, or by points in a line, swings on as it would undamped.
    False brings its swing to rest as well: for sheets held at two corners, ropes, pendants.
    beats [s]: when each bounce ends, after release, instead of `bounces`: an oscillation where it turns
    back on the side of its start, a hop where it touches again. The last is not after rest_in.
    slide: whether what slides on something goes on as friction lets it. False brings it to rest as well.

    Free fall, spin and the shape at rest are unchanged: only deformation is brought to rest, and the
    swing if asked. A velocity of deformation at release counts: with bounces=0 the body follows
    through, and may then overshoot once. With bounces=None it is dropped. In scenes with `pl.Contact`
    the clock of what flies starts at its first touch, and its bounces are hops (`docs/contact.md`).
    Source: [young2007] (2.22), (5.4) and `docs/theory.md`.
    """

    controlled = needs_rest = resident = True

    def __init__(
        self,
        rest_in: RestInSeconds,
        bounces: BounceCount = None,
        within: WithinShare = 0.01,
        *,
        beats: BeatSeconds = None,
        law: LawName = "every-shape",
        swing: Swings = True,
        slide: Slides = True,
    ):
        self.painted = PaintedWish.of(rest_in) if is_listed(rest_in) else None
        if self.painted is not None:
            rest_in = float(self.painted.seconds.max())
        if beats is not None and bounces is None and np.ndim(beats) == 1:
            bounces = len(beats)
        given = {"rest_in": rest_in, "bounces": bounces, "within": within, "law": law}
        self.rest_in, self.bounces, self.within, self.law, self.swing, self.slide = accept(
            self, **given, swing=swing, slide=slide
        )
        self._beats = None if beats is None else Beats.of(beats, self.rest_in, self.within)
        self.beats = None if self._beats is None else self._beats.times
        if self.beats is not None and self.bounces != len(self.beats):
            raise ValueError(
                f"Settle: got bounces={bounces} with {len(self.beats)} beats; expected beats alone"
            )
        if self.beats is not None and self.painted is not None:
            raise ValueError(
                "Settle: got beats with a rest_in for each point; expected one of them"
            )
        if self.painted is not None and law != "every-shape":
            raise ValueError(
                f'Settle: got law="{law}" with a rest_in for each point; expected law="every-shape"'
            )

    def gains(self, dt: float) -> Law:
        """The gains of the law at this time step."""
        if self._beats is not None:
            return self._beats.first(dt)
        return solve_law(self.rest_in, dt, self.bounces, self.within)

    def wish(self) -> dict[str, Any]:
        """What was asked: rest_in [s], bounces, within; with a wish for each point also these."""
        asked = {"rest_in": self.rest_in, "bounces": self.bounces, "within": self.within}
        if self.beats is not None:
            asked["beats"] = list(self.beats)
        return asked if self.painted is None else asked | {"painted": self.painted.seconds.tolist()}

    def check_dt(self, dt: float) -> None:
        """Refuse a wish that cannot be met with steps of dt [s]."""
        self.gains(dt)
        if self.beats is None:
            solve_law(self.first_rest, dt, self.bounces, self.within)

    def check_body(self, body: Any) -> None:
        """Refuse a wish for each point of a body that has others, or no strains of its places."""
        if self.painted is not None:
            self.painted.require_fit(body)
        if self.beats is not None and body.in_modes:
            raise ValueError(
                f"{body.name}: got Settle(beats=...) of {type(body).__name__}; expected bounces=..., "
                "beats are for bodies that are not in modes"
            )

    def after(self, carried: Callable[[np.ndarray], np.ndarray]) -> Settle:
        """This wish for a body with new points; carried: from numbers of points to theirs."""
        if self.painted is None:
            return self
        new = copy(self)
        new.painted = PaintedWish(carried(self.painted.seconds))
        return new

    @property
    def first_rest(self) -> float:
        """When the place with the shortest wish is to rest [s]; `rest_in` if all have the same."""
        return float(self.rest_in if self.painted is None else self.painted.seconds.min())

    @property
    def longest_dt(self) -> float:
        """The longest time step at which the wish can be met [s]."""
        if self._beats is not None:
            return self._beats.longest_dt
        return longest_dt(self.first_rest, self.bounces, self.within)

    @property
    def shortest_bounce(self) -> float:
        """The time of the shortest bounce [s]; inf without any."""
        if self._beats is not None:
            return self._beats.shortest
        return self.first_rest / self.bounces if self.bounces else math.inf

    def report(
        self, body: Any, *, dt: float = 1 / 60, gravity: Any = None, fall: float | None = None
    ) -> SettleReport:
        """What this wish means for a body: lambda_1, its natural period, kappa, w, longest dt.

        fall [m]: how deep a body falls before it lands; its bounces are hops then.
        """
        from .report import explain

        return explain(self, body, dt=dt, gravity=gravity, fall=fall)

    def plan(
        self, context: StepContext, control: ControlState | None
    ) -> tuple[Inertia, SettleState]:
        """The inertia of this step."""
        if context.limp:
            return limp_swing(self, context, _known(control))
        state = self._released(context, self._looked(context, _known(control)))
        if state.phase is Phase.PULLED and self.bounces and len(state.parts) == 1:
            law = self._laws(context.dt, state)[0]
            anchor = predicted(context, law, state.dt)
            return Inertia(context.stiffness_scale(), anchor), replace(state, plan=None)
        if state.pulled:
            calm = None if self.bounces else self.bounces
            law = solve_law(self.rest_in, context.dt, calm, self.within)
            return schedule(self, law, context, state)
        if self.painted is not None and self._in_painted_strain(context, state):
            laws_of_places = self.painted.laws(self, context, state.release)
            return _with_strains(context, laws_of_places, state)
        # A swing is one mode, of little strain; all that is stiffer vanishes sooner.
        swing = context.mechanics.damps_swing
        if self._beats is not None and state.clock > self._beats.last - 0.5 * context.dt:
            context, state = self._at_last_beat(context, state)
            laws, state = fading(self, context, state, self.rest_in - self._beats.last)
        elif self.bounces and not (swing or self.law == "first-mode"):
            laws, state = bouncing(self, context, state, self._laws(context.dt, state))
        else:
            laws = self._laws(context.dt, state) if self.bounces or self.law == "first-mode" else []
        if self.law == "first-mode" or (self.bounces and swing):
            return self._first_mode(context, laws[0], state)
        if self.bounces:
            return _with_strains(context, Laws.of_parts(context, laws), state)
        pursues = context.moving and not context.turning
        late = state.strains is None and state.retreats > 0
        late = late and self.rest_in - state.clock < AGAIN * context.dt
        led = swing or pursues or late or not state.has_inertia
        if led or not self._in_strain(context, state):
            return self._scheduled(context, replace(state, strains=None))
        followed = follow_through(self, context, state)
        if followed is None:
            return self._scheduled(context, replace(state, strains=None))
        laws, state = followed
        return _with_strains(context, Laws.of_parts(context, laws), state)

    def review(
        self, context: StepContext, control: ControlState | None, inertia: Inertia, x_new: Any
    ) -> tuple[Inertia | None, SettleState]:
        """Solve again if the step leapt or missed its schedule."""
        state = _known(control)
        if context.limp:
            return None, state
        if leapt(self, context, state, inertia, x_new):
            tell = log.warning if self.bounces else log.info  # a schedule keeps the promise as well
            tell("t = %g s: step leapt, retried with a plainer inertia", context.time)
            plainer, state = self.retreat(context, state, inertia)
            return plainer and replace(plainer, afresh=True), state
        return better_weight(context, state, inertia, x_new)

    def retreat(
        self, context: StepContext, control: ControlState | None, inertia: Inertia
    ) -> tuple[Inertia | None, SettleState]:
        """Leave out the stiffness of loads, indefinite far from rest; then pull harder and harder."""
        state = _known(control)
        if context.limp:
            return Inertia(10.0 * inertia.weight, inertia.anchor), state
        if inertia.energies and not self.bounces:
            state = replace(state, strains=None, retreats=state.retreats + 1)
            return self._scheduled(context, state)
        if state.strains and _has_loads(inertia) and inertia.anchor is not context.x:
            return state.strains.plainer(context, inertia), state
        if inertia.energies or inertia.anchor is context.x:
            state = replace(state, retreats=state.retreats + 1)
            if state.retreats == (MOST_PULLS if self.bounces else MOST_RETREATS):
                log.warning("t = %g s: pulled straight to the rest shape from now on", context.time)
                state = state.pulled_home(for_good=True)
            by_law = self._by_law(context, state) if inertia.energies else None
            anchor = self._homeward(context) if by_law is None else by_law
            return Inertia(context.stiffness_scale(), anchor), state
        anchor = self._homeward(context) if self.bounces else inertia.anchor
        return Inertia(10.0 * inertia.weight, anchor), state

    def _homeward(self, context: StepContext) -> Any:
        """Straight towards the rest shape, by as much as brings the body there in time."""
        return context.towards_rest(self.within ** (context.dt / self.rest_in))

    def _by_law(self, context: StepContext, state: SettleState) -> Any:
        """Where a bounce of positions would end the step; None in the first, and where parts differ."""
        if not self.bounces or state.dt is None or len(state.parts) != 1 or context.moving:
            return None
        return predicted(context, self._laws(context.dt, state)[0], state.dt)

    def swings_limply(self, control: ControlState | None) -> bool:
        """Whether its own mass moves a limp body that swings on a hinge."""
        return _known(control).phase is Phase.SWINGS

    def lost(
        self, context: StepContext, control: ControlState | None, x_new: Any
    ) -> tuple[bool, SettleState]:
        """Whether the body has stood still away from its rest shape for a while.

        A body that pursues its rest shape moves by a share of the distance in every step. It may
        pause at the turn of a bounce, or wait for a schedule that it is ahead of.
        """
        state = _known(control)
        if state.pulled or context.limp:
            return False, state
        stands = not context.moving and any(self._stand(context, state, x_new))
        count = state.stands + 1 if stands else 0
        farthest = max(context.distance(x_new), state.farthest)
        state = replace(state, farthest=farthest, stands=count)
        return count >= max(3, 0.05 * self.rest_in / context.dt), state

    def _stand(self, context: StepContext, state: SettleState, x_new: Any) -> list[bool]:
        """Whether each part is away from its rest shape, is not ahead of time, and hardly moves."""
        found, moved = distances(context, x_new), squares(context, x_new, context.x)
        targets = [0.0] * len(found) if state.plan is None else state.plan.targets
        far = [part.farthest for part in state.parts] or found
        least = 0.02 * min(1.0, context.dt / self.rest_in)
        return [
            d > max(1e-4 * farthest, 1e-6 * context.span, 1.05 * target)
            and math.sqrt(way) < least * d
            for d, way, target, farthest in zip(found, moved, targets, far, strict=True)
        ]

    def pull_home(self, control: ControlState | None, *, for_good: bool = False) -> SettleState:
        """Go the straight way to the rest shape, `for_good` or until no cell is inside out."""
        return _known(control).pulled_home(for_good=for_good)

    def finish(self, context: StepContext, control: ControlState | None, x_new: Any) -> SettleState:
        """Advance the clock."""
        state = _known(control)
        if context.limp:
            return replace(state, clock=state.clock + context.dt, dt=context.dt)
        strains = None if state.strains is None else state.strains.finished(context, x_new)
        progress = state.progress
        if state.plan is not None:
            progress = state.plan.distance - context.distance(x_new)
        return replace(
            state,
            strains=strains,
            progress=progress,
            parts=_measured(context, state, x_new),
            clock=state.clock + context.dt,
            dt=context.dt,
        )

    def _looked(self, context: StepContext, state: SettleState) -> SettleState:
        """Pull what is inside out: there is no physical way home, elastic forces may lock."""
        if state.phase not in (Phase.BEGINS, Phase.PULLED):
            return state
        if not context.inside_out():
            if state.phase is Phase.PULLED and not self.bounces:  # the schedule goes on
                return replace(state, phase=Phase.ON_ITS_WAY, plan=None)
            if state.phase is Phase.PULLED and len(state.parts) == 1:
                return replace(state, phase=Phase.ON_ITS_WAY, plan=None)
            return replace(state.let_go(), phase=Phase.ON_ITS_WAY)
        if state.phase is Phase.BEGINS:
            log.warning(
                "t = %g s: cells are inside out; the body goes straight towards its rest shape "
                "until they are not",
                context.time,
            )
        return replace(state, phase=Phase.PULLED)

    def _first_mode(
        self, context: StepContext, law: Law, state: SettleState
    ) -> tuple[Inertia, SettleState]:
        if state.first_mode is None:
            rest = context.mechanics.to_host(context.rest)
            state = replace(state, first_mode=float(context.mechanics.modes(rest, 1)[0][0]))
        assert state.first_mode is not None
        return Inertia(state.first_mode / law.W, anchor_of(context, law, state.dt)), state

    def _in_strain(self, context: StepContext, state: SettleState) -> bool:
        """Whether strains follow the law of a body without bounces.

        Those of solids do. Sheets, rods and nets may be slack, and what is in contact has a rest shape
        that its strains do not lead to: their distance follows a schedule, unless they are let go in
        motion.
        """
        near = STILL * context.span
        if state.dt is None and all(part.farthest <= near for part in state.parts):
            return False  # it begins at rest
        if (
            state.dt
            and not context.complement.rank
            and all(p.reached[0] <= max(AT_HOME * p.farthest, near) for p in state.parts)
        ):
            return False  # it has come to rest
        if self.bounces == 0 and any(part.release != AT_REST for part in state.parts):
            return True
        if state.strains is None and context.loads_follow and not _hardly_pushed(context, state):
            return False
        body = context.mechanics
        other = [e for e in body.assembly.energies if e not in body.solids and len(e.stencils)]
        strained = all(isinstance(e, (Strained, ObstacleEnergy)) for e in other)
        return bool(body.solids) and strained and not touches(context)

    def __repr__(self) -> str:
        if self.painted is None:
            return super().__repr__()
        told = f"rest_in={self.painted!r}"
        return super().__repr__().replace(f"rest_in={self.rest_in!r}", told)

    def _in_painted_strain(self, context: StepContext, state: SettleState) -> bool:
        """Whether the strains of every place follow its own law; else the last wish is that of all."""
        return state.has_inertia and not touches(context)

    def _scheduled(self, context: StepContext, state: SettleState) -> tuple[Inertia, SettleState]:
        return schedule(self, self.gains(context.dt), context, state)

    def _laws(self, dt: float, state: SettleState) -> list[Law]:
        """The gains at this time step for parts that were let go as these were."""
        if self._beats is not None:
            law = self._beats.gains(state.clock, dt, self._beats.decay)
            return [self.gains(dt) if law is None else law] * len(state.parts)
        wish = (self.rest_in, dt, self.bounces, self.within)
        return [solve_law(*wish, part.release) for part in state.parts]

    def _at_last_beat(
        self, context: StepContext, state: SettleState
    ) -> tuple[StepContext, SettleState]:
        """At the last beat a body turns: from there it is let go at rest."""
        assert self._beats is not None
        if state.dt is None or state.clock - state.dt > self._beats.last - 0.5 * context.dt:
            return context, state
        parts = tuple(replace(part, decay=None) for part in state.parts)
        still = replace(context, drift=context.vectors.zeros_like(context.drift))
        return still, replace(state, strains=None, dt=None, parts=parts)

    def drawn(self, clock: float, dt: float, decay: float, law: Law) -> Law:
        """A law of bounces with another decay, of a step; the same if no step has it."""
        if self._beats is None:
            return sampled(decay, law.theta) or law
        return self._beats.gains(clock, dt, decay / dt) or law

    def _released(self, context: StepContext, state: SettleState) -> SettleState:
        """Look how fast the parts of the body deform when its clock starts."""
        if len(state.parts) == max(1, len(parts_of(context.mechanics))):
            return state
        dt, rest = context.dt, context.rest
        here = squares(context, context.x, rest)
        ahead = behind = here
        if self.bounces is not None and not state.pulled:
            ahead, behind = (squares(context, context.extrapolated(h), rest) for h in (1.0, -1.0))
        parts = []
        for uu, on, back in zip(here, ahead, behind, strict=True):
            vv = max(0.5 * (on + back) - uu, 0.0) / dt**2
            release = Release(uu, (on - back) / (4.0 * dt), vv)
            moves = release.moves(self.rest_in) and vv * dt**2 > (STILL * context.span) ** 2
            d = math.sqrt(uu)
            parts.append(PartState(release if moves else AT_REST, d, reached=(d, d)))
        return replace(state, parts=tuple(parts), farthest=math.sqrt(sum(here)))


def _hardly_pushed(context: StepContext, state: SettleState) -> bool:
    """Whether loads that follow the body do next to nothing on its way to rest, as far as is known.

    Of several parts a stiff one would hide what they do on a soft one.
    """
    return len(state.parts) == 1 and context.load_share() <= STIFFLESS


def _measured(context: StepContext, state: SettleState, x_new: Any) -> tuple[PartState, ...]:
    """The parts at the end of a step; none if the law begins anew after it."""
    if not state.parts:
        return ()
    found = distances(context, x_new)
    return tuple(
        replace(part, farthest=max(d, part.farthest), reached=(d, part.reached[0]))
        for part, d in zip(state.parts, found, strict=True)
    )


def _with_strains(
    context: StepContext, laws: Laws, state: SettleState
) -> tuple[Inertia, SettleState]:
    """All deformation in unison, that of every part by its own law."""
    strains = state.strains
    if strains is None:
        strains = StrainInertia.at(context, laws, leads=_leads(context, laws, state))
    else:
        strains = strains.placed(context)
    inertia, strains = strains.inertia(context, laws)
    return inertia, replace(state, strains=strains, plan=None)


def _leads(context: StepContext, laws: Laws, state: SettleState) -> bool:
    """Whether distances are to follow the law of a bounce: of solids that are let go from rest."""
    body = context.mechanics
    plain = len(body.solids) == sum(
        not isinstance(e, ObstacleEnergy) for e in body.assembly.energies
    )
    at_rest = len(state.parts) == len(laws.each) and all(p.release == AT_REST for p in state.parts)
    return bool(laws.slowest.theta and plain and at_rest) and not touches(context)


def _has_loads(inertia: Inertia) -> bool:
    """Whether the stiffness of loads is in it."""
    return bool(inertia.quadratics) or inertia.push is not None


def _known(control: ControlState | None) -> SettleState:
    return control if isinstance(control, SettleState) else SettleState()
