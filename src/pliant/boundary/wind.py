"""Wind, as a user describes it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from pliant.declared import Quantity, accept
from pliant.given import over_time

#: The wind at places x (n, d) [m] and a time [s], as (n, d) or (d,) [m/s].
Velocity = Callable[[np.ndarray, float], np.ndarray]


class Wind:
    """Moving air, which pushes surfaces along and resists their motion.

        f = density/2 A (drag |u_n| u_n n + friction |u_t| u_t),    u = wind - velocity of the body

    velocity [m/s]: a vector, a function of time [s], (times, values), or a function of places and
    time, `lambda x, t: ...` with x (n, d) [m], which returns (n, d). (0, 0, 0) is air that stands
    still, and slows falls. density of the air [kg/m^3]. drag C [-]: 1.2 for a plate across the wind.
    friction C_t [-]: the same along the surface, about 0.01. Sheets feel it from both sides; of the
    surface of a solid only what faces it.

        flag.push(wind=(8, 0, 0))
        flag.push(wind=pl.Wind(lambda t: (8 + 2 * np.sin(3 * t), 0, 0), drag=1.0))

    Source: [hoerner1965] for coefficients. Air is a law of every point here: no vortices, no lee, no
    lift but what pressure across a slanted surface is. Implicit steps are stable at any dt, with
    normals and wind held fixed during one; explicit ones while dt < 2 m/(density C A |u|). `pl.Settle`
    aims at the shape that stands still in the wind: of the resistance of the air it keeps what slows
    rigid motion, since how deformation is lost is the wish's.
    """

    def __init__(
        self,
        velocity: Any,
        *,
        density: Annotated[
            float, Quantity("of the air, beside wind", "kg/m^3", at_least=0.0)
        ] = 1.2,
        drag: Annotated[
            float, Quantity("coefficient across the surface, beside wind", "-", at_least=0.0)
        ] = 1.2,
        friction: Annotated[
            float,
            Quantity("coefficient along the surface, beside wind; about 0.01", "-", at_least=0.0),
        ] = 0.0,
    ):
        self.velocity = velocity
        self.density, self.drag, self.friction = accept(
            self, density=density, drag=drag, friction=friction
        )

    def __repr__(self) -> str:
        return (
            f"Wind({self.velocity!r}, density={self.density}, drag={self.drag}, "
            f"friction={self.friction})"
        )

    @property
    def uniform(self) -> bool:
        """Whether it is the same everywhere, and depends on time only."""
        return not (callable(self.velocity) and _takes_places(self.velocity))

    def over(self, points: np.ndarray) -> Velocity:
        """Its velocity as a checked function of places and time, tried at some points."""
        given, what = self.velocity, "push(wind=...)"
        if self.uniform:
            of_time = over_time(given, (points.shape[1],), what=what)
            return lambda x, time: of_time(time)

        def call(x: np.ndarray, time: float) -> np.ndarray:
            return over_time(given(x, time), x.shape, what=f"{what} at t = {time:g} s")(time)

        call(points, 0.0)
        return call


def _takes_places(function: Callable[..., Any]) -> bool:
    """Whether it wants two arguments."""
    try:
        wants = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # one in C, which does not say
        return False
    return sum(p.default is p.empty and p.kind in (0, 1) for p in wants) == 2
