"""Half-spaces, capsules and balls, which bodies cannot enter."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from pliant.contact import ContactBody
from pliant.declared import Quantity, accept
from pliant.errors import shown
from pliant.given import unit_vectors
from pliant.mesh import Surface

from .motion import ObstacleMotion
from .obstacle import Friction, Margin, Name, Obstacle, Path, place, vector
from .obstacle_surfaces import tube, wall

#: In the order of messages.
__all__ = ["Sphere", "HalfSpace", "Capsule", "Obstacle", "obstacle_of"]  # noqa: RUF022

Radius = Annotated[float, Quantity("", "m", above=0.0, example=0.3)]


class HalfSpace(Obstacle):
    """All that is behind a plane: a floor, a wall.

    point: any on the plane [m]; normal: where bodies are, of any length. margin [m], friction [-],
    name and path as of every obstacle.

        scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0)))
    """

    kind, word = 0, "half_space"

    def __init__(
        self,
        point: Annotated[Any, place("any point of the plane")],
        normal: Annotated[Any, place("where bodies are, of any length", "-", (0.0, 1.0, 0.0))],
        *,
        margin: Margin = None,
        friction: Friction = None,
        name: Name = None,
        path: Path = None,
    ):
        super().__init__(margin=margin, friction=friction, name=name, path=path)
        self.point, n = vector(self, "point", point), vector(self, "normal", normal)
        if n.shape != self.point.shape or not n.any():
            raise ValueError(
                f"HalfSpace: got normal={shown(normal)}; expected {len(self.point)} numbers, not "
                "all zero"
            )
        self.normal = unit_vectors(n)
        self._follow(self.point[None])

    def _place(self, motion: ObstacleMotion, time: float) -> None:
        assert motion.pose is not None
        pose = motion.pose(time)
        self.point, self.normal = (
            pose.of(self.point[None])[0],
            unit_vectors(pose.turn @ self.normal),
        )

    def numbers(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Point and normal."""
        return self.point, self.normal, 0.0

    def nearest(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances and normals."""
        return (x - self.point) @ self.normal, np.broadcast_to(self.normal, x.shape)

    def shape(self) -> dict[str, Any]:
        """Point and normal."""
        return {"point": self.point.tolist(), "normal": self.normal.tolist()}

    def surface(self, middle: np.ndarray, size: float) -> Surface:
        """A square three sizes wide; in 2D a strip."""
        return wall(self.point, self.normal, middle, size)


class Capsule(Obstacle):
    """All that is within a radius of a line from a to b: a pole, a limb.

    a, b, radius [m]; margin [m], friction [-], name and path as of every obstacle.

        scene.add(pl.Capsule((0, 0, 0), (0, 1, 0), 0.1))
    """

    kind, word = 1, "capsule"

    def __init__(
        self,
        a: Annotated[Any, place("where the line begins")],
        b: Annotated[Any, place("where it ends", example=(0.0, 1.0, 0.0))],
        radius: Radius,
        *,
        margin: Margin = None,
        friction: Friction = None,
        name: Name = None,
        path: Path = None,
    ):
        super().__init__(margin=margin, friction=friction, name=name, path=path)
        self.a, self.b = vector(self, "a", a), vector(self, "b", b)
        if self.a.shape != self.b.shape:
            raise ValueError(
                f"{type(self).__name__}: got a={shown(a)}, b={shown(b)}; expected as many numbers"
            )
        (self.radius,) = accept(self, radius=radius)
        self._follow(np.stack([self.a, self.b]))

    def _place(self, motion: ObstacleMotion, time: float) -> None:
        self.a, self.b = motion.of(np.stack([self.a, self.b]), time)

    def numbers(self) -> tuple[np.ndarray, np.ndarray, float]:
        """The ends of its line and its radius."""
        return self.a, self.b, self.radius

    def nearest(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances and normals."""
        along = self.b - self.a
        length = along @ along
        share = (
            np.clip((x - self.a) @ along / length, 0.0, 1.0) if length > 0.0 else np.zeros(len(x))
        )
        away = x - self.a - share[:, None] * along
        far = np.linalg.norm(away, axis=1)
        up = np.eye(self.dim)[1]  # for what is in the middle of it
        normals = np.where(far[:, None] > 0.0, away / np.maximum(far, 1e-300)[:, None], up)
        return far - self.radius, normals

    def contact_body(self, gap: float) -> ContactBody:
        """Its line with its radius."""
        how: dict[str, Any] = {"radius": self.radius, "gap": gap, "given": True}
        if np.array_equal(self.a, self.b):
            return ContactBody(self.a[None], loose=np.array([0]), **how)
        return ContactBody(np.stack([self.a, self.b]), edges=np.array([[0, 1]]), **how)

    def contact_points(self, time: float) -> np.ndarray:
        """The ends of its line; its centre if these are the same."""
        ends = np.stack([self.a, self.b])[: 1 if np.array_equal(self.a, self.b) else 2]
        return ends if self.motion is None else self.motion.of(ends, time)

    def shape(self) -> dict[str, Any]:
        """The ends of its line and its radius."""
        return {"a": self.a.tolist(), "b": self.b.tolist(), "radius": self.radius}

    def surface(self, middle: np.ndarray, size: float) -> Surface:
        """All of it."""
        return tube(self.a, self.b, self.radius)


class Sphere(Capsule):
    """A ball; a disk in 2D.

    centre, radius [m]; margin [m], friction [-], name and path as of every obstacle.

        scene.add(pl.Sphere((0, 0, 0), 0.3, friction=0.3))
    """

    word = "sphere"

    def __init__(
        self,
        centre: Annotated[Any, place("of the ball, a disk in 2D")],
        radius: Radius,
        *,
        margin: Margin = None,
        friction: Friction = None,
        name: Name = None,
        path: Path = None,
    ):
        c = vector(self, "centre", centre)
        super().__init__(c, c, radius, margin=margin, friction=friction, name=name, path=path)

    @property
    def centre(self) -> np.ndarray:
        """[m], (d,)."""
        return self.a

    def shape(self) -> dict[str, Any]:
        """Centre and radius."""
        return {"centre": self.a.tolist(), "radius": self.radius}


def obstacle_of(facts: dict[str, Any]) -> Obstacle:
    """The obstacle that `facts` of one describe."""
    numbers = dict(facts)
    word = numbers.pop("kind", None)
    numbers.pop("motion", None)  # the frames of a take say where it is
    if word == "mesh":
        from .mesh_obstacle import mesh_obstacle_of

        return mesh_obstacle_of(numbers)
    for kind in (Sphere, HalfSpace, Capsule):
        if kind.word == word:
            return kind(**numbers)
    raise ValueError(
        f"got an obstacle of kind {shown(word)}; expected sphere, half_space, capsule or mesh: a newer "
        "pliant may know it"
    )
