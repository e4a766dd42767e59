"""Takes as NumPy archives: the arrays of `arrays.py` by name, without pickle."""

from __future__ import annotations

import json
import zipfile
import zlib
from pathlib import Path

import numpy as np

from pliant.take import Take

from .arrays import facts, make_take, track_arrays
from .atomic import whole
from .registry import reads, writes


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
    try:
        with zipfile.ZipFile(path), np.load(path, allow_pickle=False) as archive:
            arrays = dict(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise ValueError(
            f"{path} is broken or no archive of numpy; expected one that take.save writes"
        ) from None
    if not {"times", "facts"} <= arrays.keys():
        raise ValueError(
            f"{path} has arrays {sorted(arrays)[:6]}; expected those of a take, as "
            'take.save("name.npz") writes them'
        )
    return make_take(arrays["times"], arrays, json.loads(str(arrays["facts"])))
