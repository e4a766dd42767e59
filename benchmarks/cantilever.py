"""The cantilever that everyone is timed on, as a file that needs nothing but numpy to be read.

4 x 1 x 1 m, clamped at x = 0, E = 1e6, nu = 0.35, rho = 1000, gravity along -y, frames of 1/60 s.
Under its own weight it hangs down by most of its length. Under a hundredth of its weight it is a
linear problem, whose static answer `scene.equilibrium()` every simulator must find on this mesh.

`python -m benchmarks.cantilever FOLDER SIZE` writes FOLDER/SIZE.npz, in a process of its own: a
child inherits the peak memory of the process that starts it, so the one that does stays small.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SIZES = {"1k": (10, 4, 4), "6k": (20, 7, 7), "48k": (40, 14, 14), "200k": (64, 23, 23)}
#: Where the small-load answer is looked for; above, it costs minutes and says nothing new.
STATIC = ("1k", "6k", "48k")
YOUNG, POISSON, DENSITY = 1e6, 0.35, 1000.0
GRAVITY, SMALL_GRAVITY = 9.81, 0.0981
WEIGHT = 4.0 * DENSITY * GRAVITY
DT = 1 / 60


@dataclass(frozen=True)
class Cantilever:
    """points (n, 3) [m], tets (m, 4), clamped (n,), masses (n,) [kg], lumped; static: the drop of the
    tip under the small load [m], nan if unknown.
    """

    points: np.ndarray
    tets: np.ndarray
    clamped: np.ndarray
    masses: np.ndarray
    static: float

    @classmethod
    def read(cls, folder: Path, size: str) -> Cantilever:
        """The case that `write` wrote."""
        with np.load(folder / f"{size}.npz") as data:
            arrays = {key: data[key] for key in ("points", "tets", "clamped", "masses")}
            return cls(**arrays, static=float(data["static"]))

    def drop(self, positions: np.ndarray) -> float:
        """How far the end face has sunk, on average [m]."""
        tip = self.points[:, 0] > self.points[:, 0].max() - 1e-9
        return float((self.points - positions)[tip, 1].mean())


def write(folder: Path, size: str) -> None:
    """Write the mesh and, where it is in `STATIC`, its answer to the small load."""
    import pliant as pl

    mesh = pl.meshes.box((4, 1, 1), SIZES[size])
    body = pl.Body(mesh, pl.StableNeoHookean(young=YOUNG, poisson=POISSON), density=DENSITY)
    clamped = mesh.points[:, 0] < 1e-9
    body.fix(clamped)
    (tets,) = mesh.cells.values()
    case = Cantilever(mesh.points, tets, clamped, body.masses, float("nan"))
    static = float("nan")
    if size in STATIC:
        scene = pl.Scene([body], gravity=(0, -SMALL_GRAVITY, 0), contact=False)
        static = case.drop(scene.equilibrium().positions[0])
    np.savez(
        folder / f"{size}.npz",
        points=case.points,
        tets=tets,
        clamped=clamped,
        masses=case.masses,
        static=static,
    )


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2])
