"""Takes as NumPy archives: the arrays of `arrays.py` by name, without pickle."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from pliant.take import Take

from .arrays import facts, track_arrays
from .atomic import whole
from .plain_files import parse_json
from .registry import reads, writes
from .stored import archive_arrays, read_text
from .take_reader import read_take


@writes(".npz")
def save_npz(take: Take, path: Path) -> None:
    """Write every array of a take, compressed; `facts` is the JSON beside them."""
    arrays = {"times": take.times, "facts": np.array(json.dumps(facts(take)))}
    for i, track in enumerate(take.tracks):
        arrays |= {f"body{i}/{name}": array for name, array in track_arrays(track).items()}
    # A file object, because numpy appends ".npz" to a name that ends in ".NPZ".
    with whole(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


@reads(".npz")
def load_npz(path: Path) -> Take:
    """Read a take that `take.save("name.npz")` wrote."""
    arrays = archive_arrays(path, follow=True)
    if not {"times", "facts"} <= arrays.keys():
        raise ValueError(
            f"{path} has arrays {sorted(arrays)[:6]}; expected those of a take, as "
            'take.save("name.npz") writes them'
        )
    return read_take(path, parse_json(read_text(path, arrays.pop("facts")), str(path)), arrays)
