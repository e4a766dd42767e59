"""A process with limits that reads one mesh file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from pliant.resources import memory

from .arrays import Floats, Indices
from .errors import MeshError

Arrays = tuple[Floats, dict[str, Indices], dict[str, Indices]]
#: Processor time [s], and what each byte of the file adds: text is read at some 5 MB/s.
LEAST_SECONDS, PER_BYTE = 8.0, 5e-6
#: Bytes of memory beside what each byte of the file adds; compressed files grow to a few times.
LEAST_BYTES, MEMORY_FACTOR = 2e9, 64.0


def read_confined(path: Path, dim: int | None) -> Arrays:
    """Points, cells and groups of a file, read by meshio in a process of its own."""
    size = path.stat().st_size
    seconds = LEAST_SECONDS + PER_BYTE * size
    space = min(memory(), LEAST_BYTES + MEMORY_FACTOR * size)
    with tempfile.TemporaryDirectory(prefix="pliant-") as folder:
        made, log = Path(folder) / "made.npz", Path(folder) / "said.txt"
        given = {"dim": dim, "seconds": int(seconds) + 1, "bytes": int(space)}
        command = [sys.executable, "-m", "pliant.mesh.meshio_reader"]
        # Paths that this process added by hand, as programs with a Python inside do, go along.
        paths = os.pathsep.join(os.path.abspath(p) for p in sys.path if p)
        own = {"PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "HDF5_USE_FILE_LOCKING": "FALSE"}
        with log.open("wb") as said:
            try:
                code = subprocess.run(
                    [*command, str(path.absolute()), json.dumps(given), str(made)],
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=said,
                    env=os.environ | own,
                    cwd=folder,
                    timeout=10.0 * seconds,  # other processes may have the cores
                    check=False,
                ).returncode
            except subprocess.TimeoutExpired:
                code = -9
        if code == 0 and made.is_file():
            return _arrays(made)
        lines = log.read_text(errors="replace").strip().splitlines()
        raise MeshError(_why(path, code, lines[-1] if lines else "", seconds, space))


def _arrays(made: Path) -> Arrays:
    with np.load(made) as found:
        if "error" in found:
            raise MeshError(found["error"].tobytes().decode("utf-8", errors="replace"))
        kinds, names = json.loads(found["arr_0"].tobytes())
        arrays = [found[f"arr_{i}"] for i in range(1, 2 + len(kinds) + len(names))]
    cells = dict(zip(kinds, arrays[1 : 1 + len(kinds)], strict=True))
    return arrays[0], cells, dict(zip(names, arrays[1 + len(kinds) :], strict=True))


def _why(path: Path, code: int, said: str, seconds: float, space: float) -> str:
    if code is None or (code < 0 and -code in (9, 24)):  # killed, or out of processor time
        what = f"it was not read in {seconds:.0f} s"
    elif "MemoryError" in said:
        what = f"it would take more than {space / 1e9:.3g} GB of memory"
    else:
        what = said[:200] or f"its reader ended with code {code}"
    return (
        f"cannot read {str(path)!r} as a {path.suffix} mesh: {what}; expected a whole file that another "
        "program reads"
    )
