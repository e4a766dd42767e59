"""A four-legged animal with a skeleton and a walk: x is forward, y up, z to its left [m]."""

import numpy as np

import pliant as pl

#: Name, parent, radius of its flesh; joints and tails are told by `bones`.
LEGS = [("left", 0.22), ("right", -0.22)]
GAIT = {"left hind": 0.0, "left fore": 0.25, "right hind": 0.5, "right fore": 0.75}


def bones(legs=0.8, neck=0.5):
    """Names, parents, joints, tails and radii; legs, neck: their lengths [m]."""
    back = legs + 0.12
    rows = [
        ("hips", "", (-0.6, back, 0), (0.0, back + 0.02, 0), 0.24),
        ("chest", "hips", (0.0, back + 0.02, 0), (0.55, back, 0), 0.26),
        (
            "neck",
            "chest",
            (0.6, back + 0.08, 0),
            (0.6 + 0.6 * neck, back + 0.1 + 0.8 * neck, 0),
            0.13,
        ),
        (
            "head",
            "neck",
            (0.6 + 0.6 * neck, back + 0.1 + 0.8 * neck, 0),
            (0.9 + 0.6 * neck, back + 0.8 * neck, 0),
            0.12,
        ),
        ("tail", "hips", (-0.75, back + 0.08, 0), (-1.15, back - 0.25, 0), 0.06),
    ]
    for end, x, parent in (("hind", -0.6, "hips"), ("fore", 0.5, "chest")):
        for side, z in LEGS:
            name, knee = f"{side} {end}", (x, 0.5 * legs, z)
            rows.append((f"{name} thigh", parent, (x, legs, z), knee, 0.11))
            rows.append((f"{name} shank", f"{name} thigh", knee, (x, 0.0, z), 0.08))
    names = [row[0] for row in rows]
    parents = [names.index(row[1]) if row[1] else -1 for row in rows]
    joints, tails = (np.array([row[k] for row in rows], dtype=float) for k in (2, 3))
    return names, parents, joints, tails, np.array([row[4] for row in rows])


class Animal:
    """Skeleton, mesh of bricks, smooth surface, and skin."""

    def __init__(self, legs=0.8, neck=0.5, brick=0.06):
        names, parents, joints, tails, self._radii = bones(legs, neck)
        self.legs = legs
        self.skeleton = pl.shape.Skeleton(joints, parents, names=names, tails=tails)
        self.mesh = self._bricks(brick)
        bare = pl.Body(self.mesh, pl.StableNeoHookean(young=1e5, poisson=0.3)).skin.surface
        self.surface = pl.Surface(self._onto(bare.points), bare.sizes, bare.corners)
        weights = pl.shape.bone_weights(self.skeleton, self.surface.points)
        self.skin = pl.shape.LinearSkin(self.skeleton, self.surface.points, weights)

    def depth(self, points):
        """How far outside of the flesh points are [m]: below zero inside."""
        away = self.skeleton.distances(points) - self._radii
        return -0.03 * np.log(np.exp(-away / 0.03).sum(axis=1))

    def _bricks(self, brick):
        low = np.minimum(self.skeleton.joints, self.skeleton.tails).min(axis=0) - 0.35
        high = np.maximum(self.skeleton.joints, self.skeleton.tails).max(axis=0) + 0.35
        cells = np.ceil((high - low) / brick).astype(int)
        grid = pl.meshes.box(tuple(brick * cells), tuple(cells), kind="hex", origin=tuple(low))
        nodes = grid.cells["hex8"]
        inside = self.depth(grid.points[nodes].mean(axis=1)) < 0.0
        return pl.Mesh(grid.points, {"hex": nodes[inside]}, repair=True)

    def _onto(self, x):
        for _ in range(3):
            step = 1e-5 * np.eye(3)
            slope = np.stack([(self.depth(x + h) - self.depth(x - h)) / 2e-5 for h in step], axis=1)
            x = x - (self.depth(x) / (slope**2).sum(axis=1))[:, None] * slope
        return x

    def landmarks(self):
        """Points of the surface that another animal has too."""
        skeleton = self.skeleton
        tip = dict(zip(skeleton.names, skeleton.tails, strict=True))
        knee = dict(zip(skeleton.names, skeleton.joints, strict=True))
        shanks = [name for name in skeleton.names if "shank" in name]
        places = [tip[name] + [0, -1, 0] for name in shanks]
        places += [knee[name] + [s * 0.3, 0, 0] for name in shanks for s in (-1, 1)]
        places += [tip["head"] + [1, -0.5, 0], tip["tail"] + [-1, -1, 0]]
        places += [skeleton.joints[1] + [0, d, 0] for d in (-1, 1)]
        places += [skeleton.joints[1] + [0, 0, d] for d in (-1, 1)]
        return [int(np.linalg.norm(self.surface.points - p, axis=1).argmin()) for p in places]

    def step(self, t, speed=0.5):
        """The pose of its walk at t [s], one cycle a second."""
        turns = {}
        for leg, phase in GAIT.items():
            angle = 2.0 * np.pi * (t - phase)
            turns[f"{leg} thigh"] = (0, 0, 22.0 * np.sin(angle))
            turns[f"{leg} shank"] = (0, 0, -25.0 * (1.0 + np.cos(angle)) / 2.0)
        turns["neck"] = (0, 0, 4.0 * np.sin(4.0 * np.pi * t))
        turns["tail"] = (0, 20.0 * np.sin(2.0 * np.pi * t), 0)
        turns["chest"] = (0, 3.0 * np.sin(2.0 * np.pi * t), 0)
        return self.skeleton.pose(turns, shift=(speed * t, 0.015 * np.cos(4.0 * np.pi * t), 0.0))

    def walk(self, frames=13):
        """One cycle."""
        times = np.linspace(0.0, 1.0, frames)
        return pl.shape.SkeletonMotion(self.skeleton, times, [self.step(t) for t in times])
