"""How the tips of a chain of bones swing home on cue: the law of pliant's Settle, for a few points.

Every tip is u away from where its bone is animated, and its velocity v there obeys

    u'' + 2 s u' + (s^2 + w^2) u = -p a,      w = 2 pi bounces/rest_in,

with s from the wish and a the acceleration of the animated place. p grows with the square of the way
along the chain, as a clamped rod bends. Between two samples places go straight, so a is a jump of the
velocity at each sample, and a step of any length is exact.
"""

from dataclasses import dataclass

import numpy as np

#: What is left at rest, of the largest distance.
WITHIN = 0.01


@dataclass(frozen=True)
class Swing:
    """A wish: s [1/s] and w [1/s]."""

    s: float
    w: float

    @classmethod
    def of(cls, rest_in, bounces):
        """Rest in so many seconds after so many bounces."""
        w = 2.0 * np.pi * bounces / rest_in

        def left(s):
            if not bounces:
                return (1.0 + s * rest_in) * np.exp(-s * rest_in)
            return np.hypot(1.0, s / w) * np.exp(-s * rest_in)

        low, high = 0.0, 100.0 / rest_in
        for _ in range(80):  # halves, to rounding
            middle = 0.5 * (low + high)
            low, high = (middle, high) if left(middle) > WITHIN else (low, middle)
        return cls(high, w)

    def step(self, h):
        """The matrix (2, 2) that takes u and v to what they are h seconds later."""
        cos, sin = np.cos(self.w * h), h * np.sinc(self.w * h / np.pi)
        stiff = self.s**2 + self.w**2
        turn = [[cos + self.s * sin, sin], [-stiff * sin, cos - self.s * sin]]
        return np.exp(-self.s * h) * np.array(turn)


def shares(lengths):
    """How far along its chain each tip pulls, (n,): the square of the way, 1 at the end."""
    along = np.cumsum(lengths)
    return (along / along[-1]) ** 2


def swing(wish, places, each, share, u, v):
    """Where tips are beside their animated places, in every sample, (k, n, 3).

    places (k, n, 3): animated, `each` seconds apart; share (n,): how much their motion pulls; u, v
    (n, 3): beside them at the first sample, and the velocity there, of what was let go.
    """
    step, found = wish.step(each), np.empty_like(places)
    jumps = _jumps(places, each) * share[:, None]
    found[0] = u
    for k in range(1, len(places)):
        v = v - jumps[k - 1]
        u, v = step[0, 0] * u + step[0, 1] * v, step[1, 0] * u + step[1, 1] * v
        found[k] = u
    return found


def loop(wish, places, each, share):
    """The same for places that go round, whose last sample is the first: no seam, and no run-up."""
    start = np.zeros_like(places[0])
    jumps = _jumps(places, each)
    jumps[0] = (places[1] - places[0] - places[-1] + places[-2]) / each
    step, u, v = wish.step(each), start, start
    for jump in jumps[:-1] * share[:, None]:
        v = v - jump
        u, v = step[0, 0] * u + step[0, 1] * v, step[1, 0] * u + step[1, 1] * v
    # The answer to the pull alone; the start that it ends at again is added.
    round_trip = np.linalg.matrix_power(step, len(places) - 1)
    first = np.linalg.solve(np.eye(2) - round_trip, np.stack([u, v]).reshape(2, -1))
    u, v = first.reshape(2, *start.shape)
    return swing(wish, places, each, share, u, v - jumps[0] * share[:, None])


def _jumps(places, each):
    """How the velocity of places jumps at each sample, (k, n, 3); 0 at the first and last."""
    jumps = np.zeros_like(places)
    jumps[1:-1] = (places[2:] - 2.0 * places[1:-1] + places[:-2]) / each
    return jumps
