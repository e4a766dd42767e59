"""A program that uses pliant and is typed strictly; a type checker reads it, nothing runs it."""

from pathlib import Path

import numpy as np

import pliant as pl


def beam(rest_in: float) -> pl.Body:
    mesh: pl.Mesh = pl.meshes.box(size=(4, 1, 1), cells=(8, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.4), density=1000.0)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.05 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    body.damping = pl.Settle(rest_in=rest_in, bounces=2)
    return body


def simulate(body: pl.Body, path: Path) -> float:
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    scene.add(pl.HalfSpace((0, -2, 0), (0, 1, 0), friction=0.3))
    take: pl.Take = scene.run(seconds=2.0, dt=1 / 60, stepper=pl.Implicit())
    positions: np.ndarray = take.positions
    track: np.ndarray = take[body].positions
    written: Path = take.save(path)
    assert positions.shape == track.shape and written.exists()
    return take.rest_time()


asked: list[float] = [0.5, 1.0]
measured: list[float] = [simulate(beam(t), Path("beam.npz")) for t in asked]
