"""Where a run can be taken up again: one file in its take, replaced whole every few seconds."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.stepping import System
from pliant.stepping.checkpoint import pack, unpack

from .chunks import replace_file

if TYPE_CHECKING:
    from pliant.scene import Scene

NAME = "checkpoint.npz"


def save(folder: Path, scene: Scene, systems: Sequence[System], frame: int) -> None:
    """Write what all bodies remember at a frame."""
    states = {
        f"body{i}": pack(body.state, system)
        for i, (body, system) in enumerate(zip(scene.bodies, systems, strict=True))
    }
    arrays: dict[str, np.ndarray] = {}
    # What was to be cut at this frame will be in the next step; earlier cuts were made.
    times = {"frame": frame, "time": scene.time, "due": scene.time - scene.settings["dt"]}
    said = _without_arrays(times | states, "", arrays)
    file = io.BytesIO()
    np.savez(file, said=np.array(json.dumps(said)), **arrays)  # type: ignore[arg-type]
    replace_file(folder / NAME, file.getvalue())


def restore(folder: Path, scene: Scene, *, device: str) -> int:
    """Put the bodies of a scene back; returns the frame that they are at."""
    path = folder / NAME
    if not path.exists():
        raise ValueError(
            f"{folder} cannot be taken up: its run ended before its first frame; run it "
            "without --resume"
        )
    with np.load(path, allow_pickle=False) as archive:
        arrays = dict(archive)
    said = _with_arrays(json.loads(str(arrays.pop("said"))), arrays)
    for i, body in enumerate(scene.bodies):
        packed = said[f"body{i}"]
        body.due(said.get("due", said["time"]))
        if packed["x"].shape != body.state.x.shape:
            raise ValueError(
                f"{folder}: {body.name} had {len(packed['x'])} points and has {len(body)} now; run "
                "the scene without --resume"
            )
        unpack(packed, body.state, body.system(device=device))
    scene.time = said["time"]
    return int(said["frame"])


def _without_arrays(
    tree: Mapping[str, Any], at: str, arrays: dict[str, np.ndarray]
) -> dict[str, Any]:
    """A tree with its arrays taken out into `arrays`, each by its path."""
    kept: dict[str, Any] = {}
    for name, value in tree.items():
        path = f"{at}/{name}"
        if isinstance(value, np.ndarray):
            arrays[path] = value
            kept[name] = {"array": path}
        else:
            kept[name] = _without_arrays(value, path, arrays) if isinstance(value, dict) else value
    return kept


def _with_arrays(tree: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    for name, value in tree.items():
        if isinstance(value, dict):
            path = str(value.get("array"))
            whole[name] = arrays[path] if path in arrays else _with_arrays(value, arrays)
        else:
            whole[name] = value
    return whole
