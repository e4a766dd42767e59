"""Skeletons and motion in BVH files, as motion capture leaves them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from .rig import RawRig

Array = np.ndarray
#: Bones hang on each other at most this deep.
DEEPEST = 400


def read_bvh(file: Path) -> RawRig:
    """The rig of a file: joints by offsets, and their channels in each frame."""
    words = BvhWords(file)
    words.expect("HIERARCHY")
    joints: list[BvhJoint] = []
    while words.next() == "ROOT":
        read_joint(words, joints, -1, 1)
    words.back()
    words.expect("MOTION")
    words.expect("Frames:")
    count = words.whole()
    words.expect("Frame")
    words.expect("Time:")
    dt = words.number()
    width = sum(len(joint.channels) for joint in joints)
    rows = words.rest(count * width).reshape(count, width)
    if count and not dt > 0.0:
        raise words.error(f"got a frame time of {dt:g}; expected seconds above 0")
    places = np.zeros((len(joints), 3))
    for i, joint in enumerate(joints):
        places[i] = joint.offset + (places[joint.parent] if joint.parent >= 0 else 0.0)
    bind = np.tile(np.eye(4), (len(joints), 1, 1))
    bind[:, :3, 3] = places
    ends = np.array(
        [at if j.end is None else at + j.end for at, j in zip(places, joints, strict=True)]
    )
    parents = [joint.parent for joint in joints]
    for i in range(len(joints)):
        children = [k for k, p in enumerate(parents) if p == i]
        if children and joints[i].end is None:
            ends[i] = places[children].mean(axis=0)
    poses = _poses(joints, places, rows) if count else None
    times = dt * np.arange(count) if count else None
    return RawRig([j.name for j in joints], parents, bind, ends, times, poses)


class BvhJoint:
    """One joint: where it is from its parent, where its end is from it, and what moves it."""

    def __init__(self, name: str, parent: int):
        self.name, self.parent = name, parent
        self.offset: Array = np.zeros(3)
        self.end: Array | None = None
        self.channels: list[str] = []


class BvhWords:
    """The words of a file, one after the other."""

    def __init__(self, file: Path):
        self._name = file.name
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            raise ValueError(f"{file.name} is no text; expected a BVH file") from None
        self._words = [(word, i) for i, line in enumerate(lines, 1) for word in line.split()]
        self._at = 0

    def next(self) -> str:
        """The next word."""
        if self._at >= len(self._words):
            raise ValueError(
                f"{self._name} ends too early; expected HIERARCHY, MOTION and all frames"
            )
        self._at += 1
        return self._words[self._at - 1][0]

    def back(self) -> None:
        """Go back by a word."""
        self._at -= 1

    def error(self, message: str) -> ValueError:
        """An error that says where it is."""
        line = self._words[max(self._at - 1, 0)][1] if self._words else 1
        return ValueError(f"{self._name}:{line}: {message}")

    def expect(self, word: str) -> None:
        """Go past a word that must come."""
        got = self.next()
        if got.upper() != word.upper():
            raise self.error(f"got {got[:40]!r}; expected {word}, as BVH files have it")

    def number(self) -> float:
        """A finite number."""
        got = self.next()
        try:
            value = float(got)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise self.error(f"got {got[:40]!r}; expected a finite number")
        return value

    def whole(self) -> int:
        """A whole number from 0."""
        value = self.number()
        if value < 0 or value != int(value):
            raise self.error(f"got {value:g}; expected a whole number from 0")
        return int(value)

    def rest(self, count: int) -> Array:
        """All numbers that are left; there must be so many."""
        left = self._words[self._at :]
        if len(left) != count:
            raise self.error(
                f"got {len(left)} numbers of motion; expected {count}: channels times frames"
            )
        return np.array([self.number() for _ in left])


def read_joint(words: BvhWords, joints: list[BvhJoint], parent: int, depth: int) -> None:
    """One joint, and all that hang on it; its keyword is read."""
    if depth > DEEPEST:
        raise words.error(f"joints hang on each other more than {DEEPEST} deep; expected fewer")
    joint = BvhJoint(words.next(), parent)
    number = len(joints)
    joints.append(joint)
    words.expect("{")
    while (word := words.next()) != "}":
        if word == "OFFSET":
            joint.offset = np.array([words.number() for _ in range(3)])
        elif word == "CHANNELS":
            joint.channels = [words.next().lower() for _ in range(words.whole())]
            unknown = [c for c in joint.channels if c[1:] not in ("position", "rotation")]
            if unknown or any(c[0] not in "xyz" for c in joint.channels):
                raise words.error(
                    f"got channels {joint.channels}; expected such as Xposition, Zrotation"
                )
        elif word == "JOINT":
            read_joint(words, joints, number, depth + 1)
        elif word == "End":
            words.expect("Site")
            words.expect("{")
            words.expect("OFFSET")
            joint.end = np.array([words.number() for _ in range(3)])
            words.expect("}")
        else:
            raise words.error(f"got {word[:40]!r}; expected OFFSET, CHANNELS, JOINT or End Site")


def _poses(joints: list[BvhJoint], places: Array, rows: Array) -> Array:
    """Maps from rest (f, b, 3, 4)."""
    frames = len(rows)
    turns = np.zeros((frames, len(joints), 3, 3))
    heads = np.zeros((frames, len(joints), 3))
    column = 0
    for i, joint in enumerate(joints):
        turn: Any = Rotation.identity(frames)
        offset = np.tile(joint.offset, (frames, 1))
        if any(c.endswith("position") for c in joint.channels):
            offset = np.zeros((frames, 3))  # its position is said in place of its offset
        for channel in joint.channels:
            values, axis = rows[:, column], "xyz".index(channel[0])
            column += 1
            if channel.endswith("position"):
                offset[:, axis] += values
            else:
                turn = turn * Rotation.from_euler(channel[0], values[:, None], degrees=True)
        own = turn.as_matrix()
        if joint.parent < 0:
            turns[:, i], heads[:, i] = own, offset
        else:
            up = turns[:, joint.parent]
            turns[:, i] = up @ own
            heads[:, i] = heads[:, joint.parent] + np.einsum("fij,fj->fi", up, offset)
    shifts = heads - np.einsum("fbij,bj->fbi", turns, places)
    return np.concatenate([turns, shifts[..., None]], axis=3)
