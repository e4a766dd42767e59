"""What the paper claims about stability: which damping allows the larger step."""

from __future__ import annotations

import numpy as np

from pliant.lab.claims import Claim, Verdict

from .dampings import PAPER, PROGRAMME_LOCAL
from .measured import Measured
from .results import over
from .scenes import RELEASE
from .search import CLOSE, MOST
from .tremble import predicted


class Steps:
    """The largest steps of the table, by damping: one for each scene."""

    def __init__(self, found: Measured):
        self._table, self.scenes = found.table, list(found.rows)

    def best(self, name: str) -> np.ndarray:
        """With the best strength."""
        return np.array([self._table[scene, name].best.ratio for scene in self.scenes])

    def matched(self, name: str) -> np.ndarray:
        """With the same visible damping."""
        return np.array([self._table[scene, name].matched.ratio for scene in self.scenes])

    def left(self, name: str) -> np.ndarray:
        """Of the response, with the best strength."""
        return np.array([self._table[scene, name].left for scene in self.scenes])

    def told(self, name: str, which: str = "best") -> str:
        """As 1.10, 1.20 and 0.98."""
        *first, last = (over(r) for r in getattr(self, which)(name))
        return f"{', '.join(first)} and {last}" if first else last


def larger(a: np.ndarray, b: np.ndarray) -> Verdict:
    """Whether a is above b by more than the search can err: in all scenes, in some, in none."""
    above = a > CLOSE * b
    return Verdict.HOLDS if above.all() else Verdict.PARTLY if above.any() else Verdict.FAILS


def stability_claims(found: Measured) -> list[Claim]:
    """Sections 1, 2, 4 and 5."""
    s = Steps(found)
    return [
        _any(s),
        _figure_1(s, found),
        _predicted(s),
        _iterated(s),
        _unconditional(s, found),
        _relative(s),
        _figure_2_and_3(s),
        _combined(s),
        _global(s),
        _local(s),
        _programme(s, found),
        _omitted(s, found),
    ]


def _any(s: Steps) -> Claim:
    return Claim(
        "1",
        "An appropriate damping improves stability; a larger step can be chosen.",
        f"Undamped {s.told('none')} of 2/ω in the three scenes. With spring damping "
        f"{s.told('spring')}, with point damping {s.told('point')}, with its tetrahedra damped and "
        f"the torque left {s.told('local, torque left')}.",
        larger(np.maximum(s.best("spring"), s.best("local, torque left")), s.best("none")),
    )


def _figure_1(s: Steps, found: Measured) -> Claim:
    bare, damped = s.best("none")[0], s.best("spring")[0]
    verdict = Verdict.HOLDS if damped > 1.5 * bare else Verdict.PARTLY
    late = {
        name: np.mean(run.energy[run.clock > RELEASE])
        for name in ("none", "spring", PAPER)
        if (run := found.flights["sneaker", name])
    }
    return Claim(
        "5, figure 1",
        "The undamped sneaker finally fails; the spring-damped one keeps stable even with a "
        "significantly enlarged step.",
        f"Undamped it holds up to {bare:.2f} of 2/ω and fails beyond. With spring damping it holds "
        f"up to {damped:.2f}: {100 * (damped / bare - 1):.0f} % more. In the air its potential "
        f"energy is {100 * late['spring'] / late['none']:.0f} % of the undamped one's at full "
        f"strength (the paper's: {100 * late[PAPER] / late['none']:.0f} %). Short edges are the "
        "stiffest, and get no more damping than others.",
        verdict if damped > CLOSE * bare else Verdict.FAILS,
    )


def _predicted(s: Steps) -> Claim:
    old, new = "spring, old velocities", "spring"
    return Claim(
        "2",
        "Predicted velocities improve the damping forces.",
        f"Largest steps {s.told(new)} with them, {s.told(old)} with those of the start of the step.",
        larger(s.best(new), s.best(old)),
    )


def _iterated(s: Steps) -> Claim:
    return Claim(
        "1.1, 3",
        "Iterating spring damping within a step improves stability.",
        f"Ten iterations allow {s.told('spring, iterated')}, one {s.told('spring')}; ten without "
        f"the projection {s.told('spring, iterated, not projected')}.",
        larger(s.best("spring, iterated"), s.best("spring")),
    )


def _unconditional(s: Steps, found: Measured) -> Claim:
    name = "global, torque left"
    free, law = s.best(name) >= MOST, found.law
    close = all(abs(r / predicted(g) - 1.0) < 0.05 for g, r in law.items())
    return Claim(
        "4",
        "The forces (7) damp all relative movement and lead to an unconditionally stable simulation.",
        f"With γ = 1 steps of {s.told(name)} undamped limits are stable ({MOST:.0f} is the longest "
        "tried). What ends them, where something does, is what (7) leaves alone: bodies as a "
        "whole, against their pins and in contact. But nothing deforms any more: of the depth to "
        "which membrane and bridge sink "
        + " and ".join(f"{100 * r:.0f} %" for r in s.left(name)[1:])
        + " are left, and no spin. With any γ below 1 the limit is √((2 − γ)/(2 − 2γ)) of the "
        f"undamped one: γ = 0.5 buys a quarter ({law[0.5]:.2f} found, {predicted(0.5):.2f} by "
        "theory" + (")." if close else "; not all γ agree)."),
        Verdict.HOLDS if free.all() else Verdict.PARTLY if free.any() else Verdict.FAILS,
    )


def _relative(s: Steps) -> Claim:
    verdict = larger(s.best(PAPER), s.best("spring"))
    return Claim(
        "abstract, 6",
        "The new approach allows larger steps than existing methods.",
        f"As in the paper (global by distances, then tetrahedra by directions): {s.told(PAPER)}; "
        f"spring damping: {s.told('spring')}. At the same visible damping "
        f"{s.told(PAPER, 'matched')} against {s.told('spring', 'matched')}; ten spring iterations, "
        f"which keep momentum just as well, reach {s.told('spring, iterated')}. What removes the "
        "torque removes most of what (7) gains.",
        verdict,
    )


def _figure_2_and_3(s: Steps) -> Claim:
    ours, spring = s.best(PAPER)[1:], s.best("spring")[1:]
    return Claim(
        "5, figures 2, 3",
        "With global and local damping the membrane and the bridge stay stable at a step at which "
        "spring damping fails.",
        "Largest steps: "
        + ", ".join(
            f"{over(a)} against {over(b)} of spring damping ({scene})"
            for scene, a, b in zip(s.scenes[1:], ours, spring, strict=True)
        )
        + ". Each was given its best strength.",
        larger(ours, spring) if len(ours) else Verdict.FAILS,
    )


def _combined(s: Steps) -> Claim:
    alone = np.maximum(s.best("global, distances"), s.best("local, directions"))
    return Claim(
        "5",
        "A global step followed by a local one yields the best results.",
        f"Both: {s.told(PAPER)}; global alone {s.told('global, distances')}, local alone "
        f"{s.told('local, directions')}.",
        larger(s.best(PAPER), alone),
    )


def _global(s: Steps) -> Claim:
    others = np.maximum(s.best("global, directions"), s.best("global, programme"))
    return Claim(
        "4",
        "For global damping the projection onto distances is best; directions and the programme "
        "keep momentum only as a whole, which is not strong enough.",
        f"Distances {s.told('global, distances')}, directions {s.told('global, directions')}, "
        f"programme {s.told('global, programme')}. Giving back only the rotation (ours) reaches "
        f"{s.told('global, rotation')} and keeps momentum only as a whole, too (at γ = 1 it is a "
        "rigid body): it is not locality that the others lack, they leave vibrations in.",
        larger(s.best("global, distances"), others),
    )


def _local(s: Steps) -> Claim:
    return Claim(
        "4",
        "For local damping directions to the centre of mass are the better choice.",
        f"Directions {s.told('local, directions')}, distances {s.told('local, distances')}; the "
        f"rotation of each tetrahedron taken out (ours) {s.told('local, rotation')}.",
        larger(s.best("local, directions"), s.best("local, distances")),
    )


def _programme(s: Steps, found: Measured) -> Claim:
    left = {
        n: found.steps[n].vibration
        for n in (
            "global, distances",
            "global, directions",
            "global, programme",
            "local, distances",
            "local, directions",
            PROGRAMME_LOCAL.name,
        )
    }
    worse = larger(
        np.minimum(s.best("global, distances"), s.best("global, directions")),
        s.best("global, programme"),
    )
    return Claim(
        "4",
        "Both projections show better results than the linear programme, for tetrahedra as well.",
        "Global steps: see above. In one step at γ = 1 the programme leaves "
        f"{100 * left['global, programme']:.0f} % of the energy of random vibrations, distances "
        f"{100 * left['global, distances']:.0f} %, directions "
        f"{100 * left['global, directions']:.0f} %; for tetrahedra "
        f"{100 * left[PROGRAMME_LOCAL.name]:.0f}, {100 * left['local, distances']:.0f} and "
        f"{100 * left['local, directions']:.0f} %. It costs a hundred times as much there, which is "
        "why it was not run.",
        worse,
    )


def _omitted(s: Steps, found: Measured) -> Claim:
    name = "local, torque left"
    others = np.maximum(s.best("local, directions"), s.best("local, distances"))
    return Claim(
        "4",
        "Omitting the projection in local damping improves stability greatly; orientation is affected.",
        f"{s.told(name)} without it, {s.told('local, directions')} with directions; it then takes "
        f"{100 * found.steps[name].spin:.0f} % of a spin in one step at γ = 1. With the rotation of "
        f"each tetrahedron kept (ours): {s.told('local, rotation')}, and no spin is lost.",
        larger(s.best(name), others),
    )
