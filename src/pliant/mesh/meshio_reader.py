"""meshio in a process of its own: `python -m pliant.mesh.meshio_reader FILE GIVEN MADE.npz`.

Some of its readers never end where a file does, others make room for as many points as a header
claims, and the files they open are named by other files. So it runs with limits, and opens nothing
but the file and what lies beside it.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Indices
from .errors import MeshError
from .files import check_suffix, one_line, quiet
from .groups import named_points
from .kinds import CELL_KINDS, FROM_MESHIO, KINDS
from .topology import referenced

#: Characters of what meshio says that are worth repeating.
CHARACTERS_SAID = 200


def read_with_meshio(path: Path, dim: int | None) -> tuple[Any, ...]:
    """Read points [m], cells of the highest dimension and named groups of points from a file."""
    import meshio

    check_suffix(path)
    # An .msh file is of gmsh or of ANSYS; meshio would try both, and tell of one.
    gmsh = path.suffix.lower() == ".msh" and path.open("rb").read(11) == b"$MeshFormat"
    with quiet() as said:
        try:
            file = meshio.read(path, file_format="gmsh" if gmsh else None)
            points = np.asarray(file.points, dtype=np.float64)
            if points.ndim != 2 or points.shape[1] not in (2, 3):
                raise ValueError(f"points have shape {points.shape}")
            cells = _highest_cells(file.cells, path)
            return _in_space(points, cells, dim), cells, named_points(file)
        except MeshError:
            raise
        except (Exception, SystemExit) as error:  # meshio exits when it cannot read
            reason = one_line(said) or f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise MeshError(
                f"cannot read {str(path)!r} as a {path.suffix} mesh: {reason[:CHARACTERS_SAID]}"
            ) from None


def _highest_cells(blocks: list[Any], path: Path) -> dict[str, Indices]:
    blocks = [block for block in blocks if len(block) and block.dim > 0]
    if not blocks:
        raise MeshError(
            f"{str(path)!r} has no solid cells, only points; expected some of "
            f"{', '.join(CELL_KINDS)}"
        )
    top = max(block.dim for block in blocks)
    cells: dict[str, list[Indices]] = {}
    for block in blocks:
        if block.dim < top:
            continue
        if block.type not in FROM_MESHIO:
            raise MeshError(
                f"{str(path)!r} has {len(block)} cells of type {block.type!r}; expected "
                f"{', '.join(FROM_MESHIO)}: split or convert the others in the mesher"
            )
        cells.setdefault(FROM_MESHIO[block.type], []).append(np.asarray(block.data, dtype=np.int64))
    return {kind: np.concatenate(parts) for kind, parts in cells.items()}


def _in_space(points: Floats, cells: dict[str, Indices], dim: int | None) -> Floats:
    """Drop a constant z unless told to stay in space."""
    if points.shape[1] == 2:
        return np.column_stack([points, np.zeros(len(points))]) if dim == 3 else points
    solid = max(KINDS[kind].dim for kind in cells) == 3
    if dim == 2 and solid:
        raise MeshError(f"dim=2 asked, but the file has solid cells: {', '.join(cells)}; use dim=3")
    stray = any(nodes.min() < 0 or nodes.max() >= len(points) for nodes in cells.values())
    if dim == 3 or solid or stray:  # indices out of range are refused later, with their cells
        return points
    used = points[referenced(cells, len(points))]
    thickness = float(np.ptp(used[:, 2]))
    constant = thickness <= 1e-12 * np.ptp(used, axis=0).max()
    if dim == 2 and not constant:
        raise MeshError(f"dim=2 asked, but z varies by {thickness:.3g} m; use dim=3")
    return np.asarray(points[:, :2] if constant else points)


def stay_beside(path: Path) -> None:
    """From now on, refuse to open any file but those in the folder of `path`, and Python's own."""
    folders = {os.path.realpath(path.parent), os.path.dirname(os.path.realpath(path))}
    own = [os.path.realpath(p) for p in {*sys.path, sys.prefix, sys.base_prefix} if p]

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event != "open" or not isinstance(arguments[0], (str, bytes, os.PathLike)):
            return
        there = os.path.realpath(os.fsdecode(arguments[0]))
        if there == os.devnull or any(there.startswith(home + os.sep) for home in own):
            return
        if os.path.dirname(there) not in folders:
            raise MeshError(
                f"{path.name} names the file {there!r}, which is not opened; expected it in the "
                "folder of the mesh"
            )
        if os.path.exists(there) and not stat.S_ISREG(os.stat(there).st_mode):
            raise MeshError(f"{path.name} names {there!r}, which is no regular file")

    sys.addaudithook(watch)


def limit(seconds: int, bytes_: int) -> None:
    """End this process when it has taken so much processor time; refuse it more memory."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))


def _main(file: str, options: str, made: str) -> None:
    import meshio  # noqa: F401  (what it opens for itself is opened now)

    path, given = Path(file), json.loads(options)
    out = open(made, "wb")  # noqa: SIM115  (before files elsewhere are refused)
    limit(given["seconds"], given["bytes"])
    stay_beside(path)
    try:
        points, cells, groups = read_with_meshio(path, given["dim"])
    except MeshError as error:
        np.savez(out, error=_text(str(error)))
    else:
        arrays = [points, *cells.values(), *groups.values()]
        names = _text(json.dumps([list(cells), list(groups)]))
        np.savez(out, names, *arrays)
    out.close()


def _text(said: str) -> NDArray[np.uint8]:
    return np.frombuffer(said.encode("utf-8", errors="surrogateescape"), dtype=np.uint8)


if __name__ == "__main__":
    _main(*sys.argv[1:])
