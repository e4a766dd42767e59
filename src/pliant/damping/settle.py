"""Rest on cue."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pliant.errors import check_size, is_finite, is_whole
from pliant.given import shown
from pliant.pacing import MOST_BOUNCES, MOST_STEPS

from .base import Damping
from .inertia import Inertia
from .law import Law, longest_dt, solve_law
from .moment import Moment
from .unison import Unison

if TYPE_CHECKING:
    from .report import SettleReport

log = logging.getLogger("pliant")

#: Distances below this share of the body's size are rounding, not motion.
STILL = 1e-9
#: A rest shape that moves by less than this share of the distance to it leaves the clock alone.
CHANGE = 0.1
#: A step that misses its distance by more than this share is solved again with a better weight.
MISS = 0.005
#: A bounce that goes more than this many times as far as the law has leapt into another shape.
LEAP = 2.0


class Settle(Damping):
    """Damping by wish: at rest `rest_in` seconds after release, after so many bounces.

    rest_in [s]: when the distance to the rest shape has fallen to `within` of what it was. The clock
    starts at the last change of pins, loads or positions; while the rest shape keeps moving the body
    pursues it with the asked time constant.
    bounces: None moves without inertia (the thesis's method, a quick start); 0 starts and ends
    softly and does not overshoot; m > 0 makes m full oscillations, and the promise is their envelope.
    law: "every-shape" keeps the promise for any start; "first-mode" is the fixed law for the slowest
    mode, in which stiffer shapes vanish sooner (or, with bounces, ring on).
    swing: whether what hangs by one point, or by points in a line, swings on as it would undamped.
    False brings its swing to rest as well: for sheets held at two corners, ropes, pendants.

    Free fall, spin and the shape at rest are unchanged: only deformation is brought to rest, and the
    swing if asked. Without inertia (bounces None or 0) a start velocity of
    deformation is dropped; with bounces it counts. No promise yet in contact.
    Source: [young2007] (2.22), (5.4) and `docs/theory.md`.
    """

    controlled = needs_rest = resident = True

    def __init__(
        self,
        rest_in: float,
        bounces: int | None = None,
        within: float = 0.01,
        *,
        law: Literal["every-shape", "first-mode"] = "every-shape",
        swing: bool = True,
    ):
        if not (is_finite(rest_in) and rest_in > 0.0):
            raise ValueError(
                f"Settle: got rest_in={shown(rest_in)}; expected seconds > 0, e.g. rest_in=1"
            )
        check_size("Settle", "rest_in", rest_in, "s")
        if bounces is not None and not (is_whole(bounces) and bounces >= 0):
            raise ValueError(f"Settle: got bounces={shown(bounces)}; expected None, 0, 1, 2, ...")
        if bounces is not None and bounces > MOST_BOUNCES:
            raise ValueError(
                f"Settle: got bounces={shown(bounces)}; expected at most {MOST_BOUNCES}: a bounce "
                f"takes 4 steps or more, and a run has at most {MOST_STEPS:.0e}"
            )
        if not (is_finite(within) and 0.0 < within < 1.0):
            raise ValueError(
                f"Settle: got within={shown(within)}; expected a share between 0 and 1, e.g. within=0.01"
            )
        if not (isinstance(law, str) and law in ("every-shape", "first-mode")):
            raise ValueError(
                f'Settle: got law={shown(law)}; expected "every-shape" or "first-mode"'
            )
        if not isinstance(swing, bool):
            raise ValueError(f"Settle: got swing={shown(swing)}; expected True or False")
        self.rest_in, self.within, self.law = float(rest_in), float(within), law
        self.swing = swing
        self.bounces = None if bounces is None else int(bounces)

    def __repr__(self) -> str:
        return (
            f"Settle(rest_in={self.rest_in}, bounces={self.bounces}, within={self.within}, "
            f"law={self.law!r}, swing={self.swing})"
        )

    def gains(self, dt: float) -> Law:
        """The gains of the law at this time step."""
        return solve_law(self.rest_in, dt, self.bounces, self.within)

    @property
    def longest_dt(self) -> float:
        """The longest time step at which the wish can be met [s]."""
        return longest_dt(self.rest_in, self.bounces, self.within)

    def report(self, body: Any, *, dt: float = 1 / 60, gravity: Any = None) -> SettleReport:
        """What this wish means for a body: lambda_1, its natural period, kappa, w, longest dt."""
        from .report import explain

        return explain(self, body, dt=dt, gravity=gravity)

    def inertia(self, moment: Moment) -> Inertia:
        """The inertia of this step."""
        law, memory = self.gains(moment.dt), moment.memory
        memory.setdefault("clock", 0.0)
        if self._pulls(moment):
            calm = None if self.bounces else self.bounces
            return self._schedule(moment, solve_law(self.rest_in, moment.dt, calm, self.within))
        # A swing is one mode, of little strain; all that is stiffer vanishes sooner.
        if self.law == "first-mode" or (self.bounces and moment.mechanics.hangs):
            return self._first_mode(moment, law)
        if self.bounces:
            unison = memory.get("unison")
            if unison is None or not unison.suits(moment):
                unison = Unison(moment, memory.pop("unison packed", None))
            memory["unison"], inertia = unison.inertia(moment, law)
            return inertia
        return self._schedule(moment, law)

    def review(self, moment: Moment, inertia: Inertia, x_new: Any) -> Inertia | None:
        """Solve again if the scheduled distance was missed: d falls as 1/(1 + lambda/weight)."""
        if self._leapt(moment, inertia, x_new):
            log.warning("t = %g s: step leapt, retried with a plainer inertia", moment.time)
            moment.memory["leapt"] = moment.time
            return self.retreat(moment, inertia)
        plan = moment.memory.get("plan")
        if plan is None or inertia.energies or plan["d"] <= STILL * moment.memory["scale"]:
            return None
        reached = moment.distance(x_new)
        if inertia.anchor is not moment.x:  # pulled: hold on tighter if the body runs ahead
            ahead = reached < 0.97 * plan["target"]
            return Inertia(8.0 * inertia.weight, inertia.anchor) if ahead else None
        if abs(reached / plan["target"] - 1.0) <= MISS or reached <= 0.0:
            return None
        if reached >= plan["d"]:  # not on its way to the rest shape: the quotient means nothing
            return None
        effective = inertia.weight * (plan["d"] / reached - 1.0)
        weight = effective / (plan["d"] / plan["target"] - 1.0)
        return Inertia(weight, moment.x)

    def retreat(self, moment: Moment, inertia: Inertia) -> Inertia | None:
        """Leave out the stiffness of loads, indefinite far from rest; then pull harder and harder."""
        if inertia.quadratics:
            return Inertia(inertia.weight, inertia.anchor, inertia.energies)
        if inertia.energies or inertia.anchor is moment.x:
            moment.memory["retreats"] = moment.memory.get("retreats", 0) + 1
            if moment.memory["retreats"] == 3:
                log.warning("t = %g s: pulled straight to the rest shape from now on", moment.time)
                self.pull_home(moment)
                moment.memory["gave up"] = True
            pace = self.within ** (moment.dt / self.rest_in)
            return Inertia(moment.stiffness_scale(), moment.towards_rest(pace))
        return Inertia(10.0 * inertia.weight, inertia.anchor)

    def _leapt(self, moment: Moment, inertia: Inertia, x_new: Any) -> bool:
        """Whether a bounce has gone where the stiffness of loads, indefinite far from rest, lures it.

        The law goes from u by (kappa dt v - W u)/(1 + W), and ends within (u + kappa dt v)/(1 + W).
        """
        again = moment.memory.get("leapt") == moment.time
        if not (inertia.energies and moment.mechanics.solids and (inertia.quadratics or again)):
            return False
        v, W = moment.vectors, self.gains(moment.dt).W
        way, d = (math.sqrt(v.weighted(y, moment.x)) for y in (inertia.anchor, moment.rest))
        near = STILL * moment.span
        far = moment.moved(x_new) > LEAP * (way + W * d) / (1.0 + W) + near
        return far or moment.distance(x_new) > LEAP * (way + d) / (1.0 + W) + near

    def pull_home(self, moment: Moment) -> None:
        """Go the straight way to the rest shape until no cell is inside out."""
        moment.memory["pull"] = True
        for name in ("unison", "start", "plan"):
            moment.memory.pop(name, None)
        moment.memory["clock"] = 0.0

    def _pulls(self, moment: Moment) -> bool:
        """Whether to pull: from inside out there is no physical way home, elastic forces may lock."""
        memory = moment.memory
        if memory.get("pull", True):
            inverted = moment.inside_out()
            if inverted and "pull" not in memory:
                log.warning(
                    "t = %g s: cells are inside out; the body goes straight towards its rest shape "
                    "until they are not",
                    moment.time,
                )
            if not inverted:
                memory.pop("plan", None)
            memory["pull"] = inverted
        return memory["pull"] or memory.get("gave up", False)

    def lost(self, moment: Moment, x_new: Any) -> bool:
        """Whether the body has stood still away from its rest shape for a while.

        A body that pursues its rest shape moves by a share of the distance in every step. It may
        pause at the turn of a bounce, or wait for a schedule that it is ahead of.
        """
        memory = moment.memory
        if memory["pull"] or memory.get("gave up"):
            return False
        d = moment.distance(x_new)
        away = d > max(1e-4 * memory.setdefault("farthest", d), 1e-6 * moment.span)
        waits = "plan" in memory and d < 1.05 * memory["plan"]["target"]
        stands = False
        if away and not waits and not moment.moving:
            stands = moment.moved(x_new) < 0.02 * min(1.0, moment.dt / self.rest_in) * d
        memory["stands"] = memory.get("stands", 0) + 1 if stands else 0
        return memory["stands"] >= max(3, 0.05 * self.rest_in / moment.dt)

    def finish(self, moment: Moment, x_new: Any) -> None:
        """Advance the clock."""
        if "unison" in moment.memory:
            moment.memory["unison"] = moment.memory["unison"].finished(moment, x_new)
        plan = moment.memory.get("plan")
        if plan is not None:
            moment.memory["step"] = plan["d"] - moment.distance(x_new)
        moment.memory["clock"] += moment.dt

    def _first_mode(self, moment: Moment, law: Law) -> Inertia:
        memory = moment.memory
        if "lambda" not in memory:
            rest = moment.mechanics.lower(moment.rest)
            memory["lambda"] = float(moment.mechanics.modes(rest, 1)[0][0])
        return Inertia(memory["lambda"] / law.W, moment.onward(law.kappa))

    def _schedule(self, moment: Moment, law: Law) -> Inertia:
        """No inertia; the weight that brings the distance to where the schedule wants it."""
        memory, d = moment.memory, moment.departure()
        k = memory["clock"] / moment.dt  # not a count: a run may go on with another dt
        restart = "start" not in memory or moment.shift > CHANGE * d
        if restart:
            memory["start"], memory["clock"], k = d, 0.0, 0.0
        elif moment.moving:  # go on from here as if on schedule
            memory["start"] = d / float(law.amplitude(np.array(k)))
        if "scale" not in memory:
            memory["scale"] = moment.span
        pursuit = self.within ** (moment.dt / self.rest_in)
        target = float(law.amplitude(np.array(k + 1.0))) * memory["start"]
        pursues = moment.moving and restart
        if pursues or d <= STILL * memory["scale"] or target <= STILL * memory["scale"]:
            target = pursuit * d
        # A schedule can be behind (the step shrinks little) but never asks the body to turn back.
        target = min(max(target, 1e-3 * d), (1.0 - 1e-4) * d)
        if memory["pull"] or memory.get("gave up"):
            memory["plan"] = {"d": d, "target": target}
            anchor = moment.towards_rest(target / d if d > 0.0 else 0.0)
            return Inertia(moment.stiffness_scale(), anchor)
        if d <= STILL * memory["scale"]:
            stiffness = memory["lambda"] if "lambda" in memory else moment.stiffness_scale()
        else:
            work = moment.work()
            # Where it is not convex the size of the force still sets a rate.
            stiffness = work / d**2 if work > 0.0 else math.sqrt(moment.strength()) / d
        memory["lambda"] = stiffness
        memory["plan"] = {"d": d, "target": target}
        weight = stiffness / (d / target - 1.0) if d > 0.0 else stiffness
        last = memory.pop("step", 0.0)
        onward = (d - target) / last if last > 0.0 else 0.0
        return Inertia(weight, moment.x, onward=onward if onward < 2.0 else 0.0)
