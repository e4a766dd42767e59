"""Takes as NumPy archives: every array by name, readable by `numpy.load` alone and without pickle.

| array | shape | what |
|---|---|---|
| `version` | () | version of pliant that wrote the file |
| `times` | (frames,) | [s] |
| `dt` | () | length of a step [s], 0 for an equilibrium |
| `names` | (bodies,) | names of the bodies; the arrays of body i begin with `body{i}/` |
| `body0/positions`, `body0/velocities` | (frames, n, d) | [m], [m/s] |
| `body0/energies` | (frames,) | records: kinetic, elastic, external, total [J] |
| `body0/solver` | (steps,) | records: time [s], iterations, linear_iterations, residual [N], ... |
| `body0/rest` | (n, d) | the shape the damping aimed for [m]; absent without one |
| `body0/distance` | (frames,) | root-mean-square distance to rest [m]; absent without one |
| `body0/masses`, `body0/pinned` | (n,) | [kg]; whether a point is fixed or driven |
| `body0/points` | (n, d) | points of the mesh [m] |
| `body0/cells/{kind}` | (cells, nodes) | point indices of the cells of each kind |
| `body0/asked` | () | the wish as JSON: rest_in [s], bounces, within |
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.mesh import Mesh

from .registry import writes

if TYPE_CHECKING:
    from pliant.take import BodyTake, Take


@dataclass(frozen=True)
class SavedBody:
    """The frames of one body as read from a file; the fields are those of the table above."""

    name: str
    mesh: Mesh
    masses: np.ndarray
    pinned: np.ndarray
    positions: np.ndarray
    velocities: np.ndarray
    energies: np.ndarray
    solver: np.ndarray
    rest: np.ndarray | None
    distance: np.ndarray | None
    asked: dict[str, Any]


@dataclass(frozen=True)
class SavedTake:
    """A take as read from a file."""

    version: str
    times: np.ndarray
    dt: float
    bodies: list[SavedBody]


@writes(".npz")
def save_npz(take: Take, path: Path) -> None:
    """Write every array of a take, compressed."""
    from pliant import __version__

    arrays: dict[str, Any] = {
        "version": np.array(__version__),
        "times": take.times,
        "dt": np.array(take.dt),
        "names": np.array([body.name for body in take.bodies]),
    }
    for i, body in enumerate(take.bodies):
        for name, array in _arrays(take[body]).items():
            arrays[f"body{i}/{name}"] = array
    # A file object, because numpy appends ".npz" to a name that ends in ".NPZ".
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


def load_npz(path: str | Path) -> SavedTake:
    """Read a take that `take.save("name.npz")` wrote."""
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"load_npz: there is no file {path}")
    with np.load(path, allow_pickle=False) as archive:
        arrays = dict(archive)
    missing = {"version", "times", "dt", "names"} - arrays.keys()
    if missing:
        raise ValueError(
            f"load_npz: {path} has no arrays {sorted(missing)}; expected a file of "
            'take.save("name.npz")'
        )
    return SavedTake(
        version=str(arrays["version"]),
        times=arrays["times"],
        dt=float(arrays["dt"]),
        bodies=[_body(str(n), f"body{i}/", arrays) for i, n in enumerate(arrays["names"])],
    )


def _arrays(frames: BodyTake) -> dict[str, np.ndarray]:
    body = frames.body
    arrays = {
        "positions": frames.positions,
        "velocities": frames.velocities,
        "energies": frames.energies,
        "solver": frames.solver,
        "masses": body.masses,
        "pinned": body.pinned,
        "points": body.mesh.points,
        "asked": np.array(json.dumps(frames.asked)),
    }
    arrays |= {f"cells/{kind}": cells for kind, cells in body.mesh.cells.items()}
    if frames.rest is not None:
        arrays |= {"rest": frames.rest, "distance": frames.distance()}
    return arrays


def _body(name: str, prefix: str, arrays: dict[str, np.ndarray]) -> SavedBody:
    own = {key.removeprefix(prefix): a for key, a in arrays.items() if key.startswith(prefix)}
    cells = {k.removeprefix("cells/"): a for k, a in own.items() if k.startswith("cells/")}
    return SavedBody(
        name=name,
        mesh=Mesh(own["points"], cells),
        masses=own["masses"],
        pinned=own["pinned"],
        positions=own["positions"],
        velocities=own["velocities"],
        energies=own["energies"],
        solver=own["solver"],
        rest=own.get("rest"),
        distance=own.get("distance"),
        asked=json.loads(str(own["asked"])),
    )
