"""Tables of responses as files: NumPy archives without pickle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.io import DamagedError, archive_arrays, atomic_write, read_text
from pliant.resources import require_file

from .entries import Entries
from .excite import Excite

if TYPE_CHECKING:
    from .table import Responses

Array = np.ndarray
FORMAT, VERSION = "pliant responses", 1
#: Arrays of a file; letters are sizes that must agree: E entries, F frames, S numbers of a state.
SHAPES = {
    "kinds": ("E",), "before": ("E", "S"), "after": ("E", "F", "S"), "free": ("F", "S", "S"),
    "metric": ("S", "S"), "rest": ("N", "D"), "columns": ("C", "R"), "values": ("K",),
    "goals": ("P", "S"),
}  # fmt: skip
OF_ENTRIES = ("kinds", "before", "after", "free", "metric")


def write(table: Responses, path: Path) -> None:
    """Write a table, whole or not at all."""
    if path.suffix != ".npz":
        raise ValueError(
            f"Responses.save: got {str(path)!r}; expected a name that ends in .npz, e.g. "
            '"duck.responses.npz"'
        )
    pushes = [
        {
            "on": np.asarray(push.on).tolist(),
            "force": None if push.force is None else push.vector.tolist(),
            "impulse": None if push.impulse is None else push.vector.tolist(),
            "seconds": push.seconds,
        }
        for push in table.excitations
    ]
    facts = {"format": FORMAT, "version": VERSION, "dt": table.dt, "mesh": table.mesh}
    arrays = {name: getattr(table.entries, name) for name in OF_ENTRIES}
    arrays |= {name: getattr(table, name) for name in ("rest", "columns", "values", "goals")}
    arrays["facts"] = np.array(json.dumps(facts | {"excitations": pushes}))
    with atomic_write(path) as draft, open(draft, "wb") as file:
        np.savez_compressed(file, **arrays)


def read(path: Path) -> Responses:
    """The table of a file. Refuses what is no table, and what is damaged."""
    from .table import Responses

    require_file(path, "table of responses")
    stored = archive_arrays(path, follow=True)
    if "facts" not in stored or not set(SHAPES) <= stored.keys():
        raise ValueError(
            f"{path} is no table of responses; expected a file that table.save(...) wrote"
        )
    facts = _facts(path, read_text(path, stored["facts"]))
    sizes: dict[str, int] = {}
    for name, shape in SHAPES.items():
        there = stored[name]
        kinds = "iu" if name == "kinds" else "f"
        fits = len(there.shape) == len(shape) and there.dtype.kind in kinds
        pairs = zip(shape, there.shape, strict=False)
        if not (fits and all(sizes.setdefault(key, n) == n for key, n in pairs)):
            raise DamagedError(f"{path}: {name} has the shape {there.shape}")
    arrays = {name: stored[name].read() for name in SHAPES}
    pushes = facts["excitations"]
    wrong = not all(np.isfinite(a).all() for a in arrays.values())
    wrong |= sizes["S"] != 2 * sizes["R"] or sizes["C"] != sizes["N"] * sizes["D"] or sizes["F"] < 3
    wrong |= not set(arrays["kinds"].tolist()) >= set(range(len(pushes) + 1))
    if wrong or sizes["P"] != len(pushes) or arrays["kinds"].max() > len(pushes):
        raise DamagedError(f"{path}: its entries do not fit its pushes, or are no numbers")
    entries = Entries(*(arrays.pop(name) for name in OF_ENTRIES))
    return Responses(entries, pushes, float(facts["dt"]), mesh=str(facts["mesh"]), **arrays)


def _facts(path: Path, text: str) -> dict[str, Any]:
    try:
        facts = json.loads(text)
    except ValueError:
        facts = None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise ValueError(
            f"{path} is no table of responses; expected a file that table.save(...) wrote"
        )
    if facts.get("version") != VERSION:
        raise ValueError(
            f"{path} has version {facts.get('version')!r} of tables; expected {VERSION}: pip install -U "
            "pliant, or record it again"
        )
    try:
        dt = float(facts["dt"])
        pushes = tuple(Excite(**push) for push in facts["excitations"])
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedError(f"{path}: {error}") from None
    if not (dt > 0.0 and np.isfinite(dt)):
        raise DamagedError(f"{path}: dt is {dt:g}")
    return facts | {"excitations": pushes, "dt": dt}
