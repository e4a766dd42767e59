"""Takes as NumPy archives: the arrays of `arrays.py` by name, without pickle."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import IO

import numpy as np

from pliant.take import Frames, Take

from .arrays import facts, shared_arrays, track_arrays
from .atomic import atomic_write
from .plain_files import parse_json
from .registry import reads, writes
from .stored import archive_arrays, read_text
from .take_reader import read_take


@writes(".npz")
def save_npz(take: Take, path: Path) -> None:
    """Write every array of a take, compressed; `facts` is the JSON beside them."""
    arrays = {"times": take.times, "facts": np.array(json.dumps(facts(take)))}
    shared, by_row = shared_arrays(take)
    arrays |= shared
    for i, track in enumerate(take.tracks):
        small, rows = track_arrays(track)
        arrays |= {f"body{i}/{name}": array for name, array in small.items()}
        by_row |= {f"body{i}/{name}": frames for name, frames in rows.items()}
    with atomic_write(path) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
        for name, frames in by_row.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                _write_rows(member, frames)


def _write_rows(member: IO[bytes], values: Frames) -> None:
    """Write frames one after the other, as NumPy writes the array of them."""
    first = np.asarray(values[0])
    head = np.lib.format.header_data_from_array_1_0(first)
    shape = (len(values), *first.shape)
    np.lib.format.write_array_header_1_0(member, head | {"shape": shape, "fortran_order": False})
    for frame in values:
        member.write(np.ascontiguousarray(frame).tobytes())


@reads(".npz")
def load_npz(path: Path, retime: float | None = None) -> Take:
    """Read a take that `take.save("name.npz")` wrote."""
    arrays = archive_arrays(path, follow=True)
    if not {"times", "facts"} <= arrays.keys():
        raise ValueError(
            f"{path} has arrays {sorted(arrays)[:6]}; expected those of a take, as "
            'take.save("name.npz") writes them'
        )
    facts = parse_json(read_text(path, arrays.pop("facts")), str(path))
    return read_take(path, facts, arrays, retime=retime)
