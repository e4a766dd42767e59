"""Rest on cue."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from pliant.declared import Described, Flag, Quantity, accept
from pliant.energies import ObstacleEnergy, Strained
from pliant.given import MOST_BOUNCES, MOST_STEPS, is_listed
from pliant.problem import ControlState, Damping, Inertia, StepContext

from .follow_through import bouncing, follow_through, touches
from .law import AT_REST, Law, Release, longest_dt, solve_law
from .laws import Laws
from .limp_swing import limp_swing
from .painted import PaintedWish
from .part_distances import distances, parts_of, squares
from .past import anchor_of
from .schedule import STILL, better_weight, schedule
from .settle_state import MOST_PULLS, MOST_RETREATS, PartState, Phase, SettleState
from .strain_inertia import StrainInertia

if TYPE_CHECKING:
    from .report import SettleReport

log = logging.getLogger("pliant")

#: A bounce that goes more than this many times as far as the law has leapt into another shape.
LEAP = 2.0
#: And it has gone this share of the body's size beyond that.
LEAST_LEAP = 1e-4
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
    swing: whether what hangs by one point, or by points in a line, swings on as it would undamped, and
    so never rests. What that bends far then moves by its own mass, without bounces, while its vibrations
    die out. False brings the swing to rest as well: for sheets held at two corners, ropes, pendants.
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
        rest_in: Annotated[
            float | Sequence[float] | np.ndarray,
            Quantity(
                "seconds from release to rest",
                "s",
                above=0.0,
                says="seconds > 0, e.g. rest_in=1",
                example=0.4,
            ),
        ],
        bounces: Annotated[
            int | None,
            Quantity(
                "full oscillations on the way; 0 none, left out: none and a quick start",
                at_least=0,
                whole=True,
                says="None, 0, 1, 2, ...",
                most=MOST_BOUNCES,
                why=f"a bounce takes 4 steps or more, and a run has at most {MOST_STEPS:.0e}",
            ),
        ] = None,
        within: Annotated[
            float,
            Quantity(
                "at rest is this share of the largest distance",
                "-",
                above=0.0,
                below=1.0,
                says="a share between 0 and 1, e.g. within=0.01",
            ),
        ] = 0.01,
        *,
        law: Annotated[
            Literal["every-shape", "first-mode"],
            Described("whether the promise is for every start or the slowest mode"),
        ] = "every-shape",
        swing: Annotated[
            bool,
            Flag("whether what hangs by a point or a line swings on; false: it rests too"),
        ] = True,
        slide: Annotated[
            bool,
            Flag(
                "whether what slides on something goes on as friction lets it; false: it rests too"
            ),
        ] = True,
    ):
        self.painted = PaintedWish.of(rest_in) if is_listed(rest_in) else None
        if self.painted is not None:
            rest_in = float(self.painted.seconds.max())
        given = {"rest_in": rest_in, "bounces": bounces, "within": within, "law": law}
        self.rest_in, self.bounces, self.within, self.law, self.swing, self.slide = accept(
            self, **given, swing=swing, slide=slide
        )
        if self.painted is not None and law != "every-shape":
            raise ValueError(
                f'Settle: got law="{law}" with a rest_in for each point; expected law="every-shape"'
            )

    def gains(self, dt: float) -> Law:
        """The gains of the law at this time step."""
        return solve_law(self.rest_in, dt, self.bounces, self.within)

    def wish(self) -> dict[str, Any]:
        """What was asked: rest_in [s], bounces, within; with a wish for each point also these."""
        asked = {"rest_in": self.rest_in, "bounces": self.bounces, "within": self.within}
        return asked if self.painted is None else asked | {"painted": self.painted.seconds.tolist()}

    def check_dt(self, dt: float) -> None:
        """Refuse a wish that cannot be met with steps of dt [s]."""
        self.gains(dt)
        solve_law(self.first_rest, dt, self.bounces, self.within)

    def check_body(self, body: Any) -> None:
        """Refuse a wish for each point of a body that has others, or no strains of its places."""
        if self.painted is not None:
            self.painted.require_fit(body)

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
        return longest_dt(self.first_rest, self.bounces, self.within)

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
        if state.pulled:
            calm = None if self.bounces else self.bounces
            law = solve_law(self.rest_in, context.dt, calm, self.within)
            return schedule(self, law, context, state)
        if self.painted is not None and self._in_painted_strain(context, state):
            return _with_strains(context, self.painted.laws(self, context), state)
        # A swing is one mode, of little strain; all that is stiffer vanishes sooner.
        swing = context.mechanics.damps_swing
        if self.law == "first-mode" or (self.bounces and swing):
            laws = self._laws(context.dt, state)
            if self.law != "first-mode":  # a wide swing is no sine
                laws, state = bouncing(self, context, state, laws)
            return self._first_mode(context, laws[0], state)
        if self.bounces:
            laws, state = bouncing(self, context, state, self._laws(context.dt, state))
            return _with_strains(context, Laws.of_parts(context, laws), state)
        pursues = context.moving and not context.turning
        late = state.strains is None and state.retreats > 0
        late = late and self.rest_in - state.clock < AGAIN * context.dt
        led = swing or pursues or late or not state.has_inertia
        if led or not self._in_strain(context, state):
            return self._scheduled(context, replace(state, strains=None))
        laws, state = follow_through(self, context, state)
        return _with_strains(context, Laws.of_parts(context, laws), state)

    def review(
        self, context: StepContext, control: ControlState | None, inertia: Inertia, x_new: Any
    ) -> tuple[Inertia | None, SettleState]:
        """Solve again if the step leapt or missed its schedule."""
        state = _known(control)
        if context.limp:
            return None, state
        if self._leapt(context, state, inertia, x_new):
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
            pace = self.within ** (context.dt / self.rest_in)
            return Inertia(context.stiffness_scale(), context.towards_rest(pace)), state
        return Inertia(10.0 * inertia.weight, inertia.anchor), state

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
            return replace(state.let_go(), phase=Phase.ON_ITS_WAY)
        if state.phase is Phase.BEGINS:
            log.warning(
                "t = %g s: cells are inside out; the body goes straight towards its rest shape "
                "until they are not",
                context.time,
            )
        return replace(state, phase=Phase.PULLED)

    def _leapt(
        self, context: StepContext, state: SettleState, inertia: Inertia, x_new: Any
    ) -> bool:
        """Whether a step has gone elsewhere than the law: buckled, or lured away by the stress of loads.

        The law goes from u by (kappa dt v - W u)/(1 + W), and ends within (u + kappa dt v)/(1 + W).
        """
        body = context.mechanics
        spurious = not (body.survives_inversion or state.pulled or context.inside_out())
        if spurious and len(body.inverted(x_new)):  # such a material does not come back by itself
            return True
        near = LEAST_LEAP * context.span + LEAP * context.shift
        if state.plan is not None and inertia.anchor is context.x:  # a schedule only goes home
            return bool(body.solids) and context.distance(x_new) > LEAP * state.plan.distance + near
        if not (inertia.energies and body.solids):
            return False
        context.measure(x_new)
        way, d = (context.moved(y) for y in (inertia.anchor, context.rest))
        gains = self._gains_by_place(context, inertia)
        farthest = max((share * way + W * d) / (1.0 + W) for share, W in gains)
        beyond = max((share * way + d) / (1.0 + W) for share, W in gains)
        far = context.moved(x_new) > LEAP * farthest + near
        return far or context.distance(x_new) > LEAP * beyond + near

    def _gains_by_place(self, context: StepContext, inertia: Inertia) -> list[tuple[float, float]]:
        """Of every group of cells: kappa over that of the anchor, and W."""
        if self.painted is None:
            return [(1.0, 1.0 / (inertia.stiffness - 1.0))]
        laws = self.painted.laws(self, context)
        common = laws.slowest.kappa or 1.0
        return [(law.kappa / common, law.W) for law in laws.each]

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
        wish = (self.rest_in, dt, self.bounces, self.within)
        return [solve_law(*wish, part.release) for part in state.parts]

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
    strains = StrainInertia.at(context, laws) if strains is None else strains.placed(context)
    inertia, strains = strains.inertia(context, laws)
    return inertia, replace(state, strains=strains, plan=None)


def _has_loads(inertia: Inertia) -> bool:
    """Whether the stiffness of loads is in it."""
    return bool(inertia.quadratics) or inertia.push is not None


def _known(control: ControlState | None) -> SettleState:
    return control if isinstance(control, SettleState) else SettleState()
