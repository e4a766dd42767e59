"""Tetrahedra inside a surface, kept so that a scene built twice has the same mesh.

fTetWild gives another mesh every time. A run that is resumed, or compared with another, needs the
one it had; and filling takes seconds that only the first build should cost.
"""

from __future__ import annotations

import hashlib
import logging
import warnings
from pathlib import Path

import numpy as np

from pliant.mesh import Mesh, Surface, generators
from pliant.resources import cache_folder, find_kept, keep

from .status import Status, silent

log = logging.getLogger("pliant")
FILLED_VERSION = b"1"  # of what is kept; another number forgets it all


def kept_mesh(
    surface: Surface,
    edge_length: float | None,
    *,
    progress: bool | None = None,
    tell: Status = silent,
) -> Mesh:
    """The tetrahedra of a surface, from the cache if it was filled before; it warns as it did then."""
    file = cache_folder("meshes") / f"{_key(surface, edge_length)}.npz"
    found = _find(file)
    if found is None:
        tell(f"filling {len(surface.sizes)} faces with tetrahedra")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            mesh = generators.tetrahedralise(surface, edge_length=edge_length, progress=progress)
        found = mesh, [str(warning.message) for warning in caught]
        texts = np.array(found[1], dtype=np.str_)
        keep(file, {"points": mesh.points, "tets": mesh.cells["tet4"], "said": texts})
    for said in found[1]:
        warnings.warn(said, stacklevel=2)
    return found[0]


def _key(surface: Surface, edge_length: float | None) -> str:
    digest = hashlib.sha256(FILLED_VERSION)
    for array in (surface.points, surface.sizes, surface.corners):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(repr(edge_length).encode())
    return digest.hexdigest()[:32]


def _find(file: Path) -> tuple[Mesh, list[str]] | None:
    kept = find_kept(file)
    if kept is None:
        return None
    try:
        return Mesh(kept["points"], {"tet4": kept["tets"]}), [str(s) for s in kept["said"]]
    except (KeyError, ValueError) as error:  # of another program: fill again, and replace it
        log.warning("%s cannot be used and is made again: %s", file, error)
        return None
