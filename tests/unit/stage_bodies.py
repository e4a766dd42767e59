"""Bodies on a stage, hands that pull them, and a stepper that fails."""

import pliant as pl
from pliant.view import Engine

DT = 1 / 60
#: What `Settle` promises.
PROMISE = 0.03


def beam(*, rest_in=0.5, bounces=None, young=1e6, material=pl.StableNeoHookean, kind="tet"):
    mesh = pl.meshes.box(size=(2, 0.5, 0.5), cells=(8, 2, 2), kind=kind)
    body = pl.Body(mesh, material(young=young, poisson=0.4), name="beam")
    body.fix(mesh.points[:, 0] < 1e-9)
    body.damping = pl.Settle(rest_in, bounces)
    return body


def plate(**wish):
    mesh = pl.meshes.rectangle(size=(2, 0.5), cells=(12, 3))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.damping = pl.Settle(**wish)
    return body


def engine_of(body, gravity=None, **options):
    return Engine(pl.Scene([body], gravity=gravity), dt=DT, **options)


def tick(engine, seconds):
    engine.tick(steps=round(seconds / DT))
    return engine.snapshot


def hold(engine, at, to, seconds=0.5, body=0):
    """Grab, pull and hold still."""
    engine.grab(body, at)
    engine.pull(to)
    return tick(engine, seconds)


TIP = (2.0, 0.5, 0.25)


class Stubborn:
    """A stepper that fails after some steps."""

    def __init__(self, good, error):
        self._good, self._error, self._real = good, error, pl.Implicit()

    def step(self, *given):
        self._good -= 1
        if self._good < 0:
            raise self._error
        return self._real.step(*given)
