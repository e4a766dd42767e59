"""Where a run can be taken up again: one file in its take, replaced whole after a frame.

The file ends with a seal over the names and sums of what it holds, so that one which was changed
since pliant wrote it is refused, and not believed.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pliant.backend import one_thread
from pliant.bodies import Deformable
from pliant.errors import is_finite
from pliant.problem import Known, Problem, State, System
from pliant.scene import Scene
from pliant.step import pack, pack_known, unpack, unpack_known

from .chunks import replace_file
from .plain_files import DamagedError, parse_json
from .stored import archive_arrays, member_sums, read_text
from .stored_changes import changes_of, changes_tree

CHECKPOINT, SEAL = "checkpoint.npz", "seal"
#: Raised when states of bodies have other fields than before: older checkpoints are then refused.
LAYOUT = 10
#: The errors that fields raise which are no state of a body.
UNUSABLE = (KeyError, TypeError, AttributeError, IndexError, ValueError, RuntimeError)


def save(folder: Path, scene: Scene, systems: Sequence[System], frame: int) -> None:
    """Write what all bodies remember at a frame."""
    if len(scene.moving) > len(scene.bodies):  # the parts of those that were cut
        systems = scene.problem(scene.settings["device"]).systems
    states = {
        f"body{i}": pack(body.state, system)
        for i, (body, system) in enumerate(zip(scene.moving, systems, strict=True))
    }
    for i, body in enumerate(scene.bodies):
        if body.mesh_changes:
            states[f"changes{i}"] = changes_tree(body.mesh_changes)
            states[f"masses{i}"] = {"kg": body.masses}
    kept, islands = _known(scene)
    states |= {name: pack_known(known) for name, known in kept.items()}
    arrays: dict[str, np.ndarray] = {}
    # What was to be cut at this frame will be in the next step; earlier cuts were made.
    times = {"frame": frame, "time": scene.time, "due": scene.time - scene.settings["dt"]}
    times |= {"layout": LAYOUT, "passing": scene.passing, "islands": islands}
    said = _without_arrays(times | states, "", arrays)
    file = io.BytesIO()
    np.savez(file, said=np.array(json.dumps(said)), **arrays)  # type: ignore[arg-type]
    with zipfile.ZipFile(file, "a") as archive, archive.open(f"{SEAL}.npy", "w") as end:
        sums = {member.filename: member.CRC for member in archive.infolist()}
        np.lib.format.write_array(end, np.array(_seal(sums)))
    replace_file(folder / CHECKPOINT, file.getvalue())


def _known(scene: Scene) -> tuple[dict[str, Known], dict[str, list[int]]]:
    """What solvers keep: `solver` of the first body of an island, `own` of one that is solved alone.

    `touching`: of the first of bodies that touch; second: the numbers of these bodies.
    """
    problem, found = scene.problem(scene.settings["device"]), dict[str, Known]()
    meeting, islands = problem.meeting, dict[str, list[int]]()
    touching = {} if meeting is None else {each.system: each for each in meeting.islands}
    for i, body in enumerate(scene.moving):
        known = body.state.guess.solver
        if not isinstance(known, Known) or any(known is other for other in found.values()):
            continue
        system = known.system()
        if system in touching:
            found[f"touching{i}"] = known
            islands[f"touching{i}"] = list(touching[system].numbers)
        elif system is problem.solved[i]:
            found[f"solver{i}"] = known
        elif system is problem.systems[i]:
            found[f"own{i}"] = known
    return found, islands


def restore(folder: Path, scene: Scene, *, frames: int, device: str) -> int:
    """Put the bodies of a scene back; returns which of the `frames` on disk they are at."""
    path = folder / CHECKPOINT
    if not path.exists():
        raise ValueError(
            f"{folder} cannot be taken up: its run ended before its first frame; run it "
            "with --overwrite"
        )
    said = _read(path)
    if not said["frame"] < frames:
        raise DamagedError(
            f"{folder} has {frames} frames and a checkpoint of frame {said['frame']}"
        )
    due = said.get("due", said["time"])
    for i, body in enumerate(scene.bodies):
        masses = said.get(f"masses{i}", {}).get("kg")
        _cut_again(path, body, said.get(f"changes{i}", {}), due, masses)
    packed: list[Any] = [said.get(f"body{i}") for i in range(len(scene.moving))]
    for body, kept in zip(scene.moving, packed, strict=True):
        _require_body(path, body, kept)
    try:
        for body, kept in zip(scene.moving, packed, strict=True):
            body.take_up_events(due)
            body.take_up_flow(_flows(kept))
        scene.let_pass(said["passing"])
    except UNUSABLE:
        raise _unusable(path) from None
    problem = scene.problem(device)
    try:
        each = zip(scene.moving, packed, problem.systems, strict=True)
        states = [unpack(kept, body.state, system) for body, kept, system in each]
        with one_thread():  # as in a run, in which sums have the same order
            states = _with_known(said, states, problem)
    except UNUSABLE:
        raise _unusable(path) from None
    for body, state in zip(scene.moving, states, strict=True):
        body.take_up(state)
    scene.resume(said["time"])
    return int(said["frame"])


def _cut_again(path: Path, body: Deformable, tree: Any, due: float, masses: Any) -> None:
    """Change the mesh of a body as it was changed until a time [s]; masses: those of then."""
    try:
        changes = changes_of(tree, body.mesh)
        body.take_up_changes(changes[len(body.mesh_changes) :], due, masses)
    except UNUSABLE:
        raise _unusable(path) from None


def _flows(packed: Mapping[str, Any]) -> list[Mapping[str, np.ndarray]]:
    """The arrays of what has flowed in each energy of a body."""
    flow = packed.get("flow")
    each = {} if flow is None else flow["each"]
    return [each[str(i)] for i in range(len(each))]


def _with_known(said: Mapping[str, Any], states: Sequence[State], problem: Problem) -> list[State]:
    """The states of bodies with what their solvers knew; bodies may share a solver."""
    found: list[Known | None] = [None] * len(states)
    for word, systems in (("own", problem.systems), ("solver", problem.solved)):
        for i, system in enumerate(systems):
            if f"{word}{i}" in said:
                known = unpack_known(said[f"{word}{i}"], system)
                found = [known if s is system else f for s, f in zip(systems, found, strict=True)]
    for name, numbers in said["islands"].items():
        if problem.meeting is None or sorted({*numbers} & {*range(len(states))}) != numbers:
            raise ValueError(name)
        known = unpack_known(said[name], problem.meeting.island_of(tuple(numbers)).system)
        for i in numbers:  # one that flew alone has its own
            found[i] = known if found[i] is None else found[i]
    pairs = zip(states, found, strict=True)
    return [replace(s, guess=replace(s.guess, solver=known)) for s, known in pairs]


def _read(path: Path) -> dict[str, Any]:
    """The content of a checkpoint, with its arrays in place."""
    arrays = archive_arrays(path, follow=False)
    if not {"said", SEAL} <= arrays.keys():
        raise _older(path)
    if read_text(path, arrays.pop(SEAL)) != _seal(member_sums(path)):
        raise DamagedError(f"{path} was changed since it was written")
    tree = parse_json(read_text(path, arrays.pop("said")), str(path))
    if not isinstance(tree, dict):
        raise _unusable(path)
    read = {name: array.read() for name, array in arrays.items()}
    if any(array.dtype.kind not in "fib" for array in read.values()):
        raise _unusable(path)
    said = _with_arrays(tree, read)
    if said.get("layout") != LAYOUT:
        raise _older(path)
    frame = said.get("frame")
    if not (type(frame) is int and frame >= 0 and is_finite(said.get("time"))):
        raise _unusable(path)
    if not is_finite(said.get("due", 0.0)):
        raise _unusable(path)
    return said


def _older(path: Path) -> ValueError:
    return ValueError(
        f"{path} is damaged or of another version of pliant; its frames are kept. Run the scene to "
        "another name, or with --overwrite"
    )


def _require_body(path: Path, body: Deformable, packed: Any) -> None:
    """Refuse what is no state of this body."""
    if not isinstance(packed, dict) or not isinstance(packed.get("guess"), dict):
        raise _unusable(path)
    shape, rest = body.state.x.shape, packed.get("rest")
    arrays = {name: packed.get(name) for name in ("x", "v", "drift")}
    arrays |= {name: packed["guess"].get(name) for name in ("correction", "trend", "curve")}
    arrays["rest"] = rest.get("shape") if isinstance(rest, dict) else rest
    for name, array in arrays.items():
        if array is None and name not in ("x", "v"):
            continue
        if not isinstance(array, np.ndarray) or array.dtype.kind != "f":
            raise _unusable(path)
        if name == "x" and array.shape != shape:
            raise ValueError(
                f"{path}: {body.name} had {len(array)} points and has {len(body)} now; run the scene "
                "with --overwrite"
            )
        if array.shape != shape or not np.isfinite(array).all():
            raise _unusable(path)


def _seal(sums: Mapping[str, int]) -> str:
    """A checksum over the names and checksums of all members but the seal itself."""
    members = sorted(item for item in sums.items() if item[0] != f"{SEAL}.npy")
    return hashlib.blake2b(repr(members).encode(), digest_size=16).hexdigest()


def _unusable(path: Path) -> DamagedError:
    return DamagedError(f"{path} holds no state of this scene that can be taken up")


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
