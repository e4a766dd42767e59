"""fTetWild in a process of its own: it cannot be interrupted from within, and may crash.

python -m pliant.mesh.ftetwild GIVEN.npz MADE.npz
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import numpy as np

from pliant.errors import Advice, MissingExtraError

from .arrays import Floats, Indices
from .errors import MeshError


def tetrahedra(
    points: Floats,
    triangles: Indices,
    *,
    edge_share: float,
    envelope_share: float,
    optimise: bool,
    tick: Callable[[], None],
) -> tuple[Floats, Indices]:
    """Points and tetrahedra inside triangles; lengths are shares of the diagonal of their box.

    tick is called about ten times a second. Whatever it raises, Ctrl-C for one, ends the process.
    """
    if find_spec("pytetwild") is None:
        raise MissingExtraError("tetrahedra from a surface", "pytetwild", "mesh")
    with tempfile.TemporaryDirectory(prefix="pliant-") as folder:
        given, made = Path(folder) / "given.npz", Path(folder) / "made.npz"
        np.savez(
            given,
            points=points,
            triangles=triangles,
            edge=edge_share,
            envelope=envelope_share,
            optimise=optimise,
        )
        _run(given, made, tick)
        with np.load(made) as result:
            return result["points"], result["tets"].astype(np.int64)


def _run(given: Path, made: Path, tick: Callable[[], None]) -> None:
    """Let the process make `made` of `given`, in whose folder it runs."""
    folder, log = given.parent, given.with_name("said.txt")
    command = [sys.executable, "-m", "pliant.mesh.ftetwild", str(given), str(made)]
    # Paths that this process added by hand, as programs with a Python inside do, go along.
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)
    with log.open("wb") as said:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env=os.environ | {"PYTHONPATH": paths},
            cwd=folder,  # fTetWild leaves a file of its own where it runs
        )
        try:
            while True:
                tick()
                try:
                    code = process.wait(timeout=0.1)
                    break
                except subprocess.TimeoutExpired:
                    continue
        finally:
            process.kill()
            process.wait()
    if code != 0 or not made.is_file():
        lines = log.read_text(errors="replace").strip().splitlines()
        how = f"was ended by signal {-code}" if code < 0 else f"failed with code {code}"
        raise MeshError(
            Advice(
                f"fTetWild {how}: {lines[-1] if lines else 'it said nothing'}; expected a surface "
                "that encloses a volume",
                ": print(surface.report())",
            )
        )


def _main(given: str, made: str) -> None:
    # It imports PyVista to add an accessor to its meshes, without asking for it where it is installed.
    accessor = "pytetwild._accessor"
    sys.modules[accessor] = ModuleType(accessor)
    from pytetwild.pytetwild import tetrahedralize

    with np.load(given) as g:
        points, tets = tetrahedralize(
            np.ascontiguousarray(g["points"], dtype=np.float64),
            np.ascontiguousarray(g["triangles"], dtype=np.int32),
            edge_length_fac=float(g["edge"]),
            epsilon=float(g["envelope"]),
            optimize=bool(g["optimise"]),
        )
    np.savez(made, points=points, tets=tets)


if __name__ == "__main__":
    _main(*sys.argv[1:])
