"""Things that bodies cannot enter: they stand still, or move along a path."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Annotated, Any

import numpy as np

from pliant.contact import ContactBody
from pliant.declared import Declared, Described, InPython, Numbers, Quantity, accept
from pliant.energies import MARGIN
from pliant.errors import shown, usable
from pliant.given import floats, unit_vectors
from pliant.mesh import Surface

from .keyframes import RigidMotion
from .motion import ObstacleMotion, motion_of
from .obstacle_surfaces import tube, wall

#: In the order of messages.
__all__ = ["Sphere", "HalfSpace", "Capsule", "Obstacle", "obstacle_of"]  # noqa: RUF022

Margin = Annotated[
    float | None,
    Quantity(
        "an older name of the gap of contact; with XPBD how near points are pushed back",
        "m",
        at_least=0.0,
    ),
]
Friction = Annotated[
    float | None,
    Quantity("Coulomb's; that of `contact` if left out, without contact 0", "-", at_least=0.0),
]
Name = Annotated[str | None, Described("by which contact knows it", kind=str, example="floor")]
Path = Annotated[Any, InPython("where it is over time; in files `path = { keyframes = ... }`")]
Radius = Annotated[float, Quantity("", "m", above=0.0, example=0.3)]


def _place(about: str, unit: str = "m", example: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Any:
    """The declaration of a point or a direction."""
    return Numbers(about, unit, counts=(2, 3), like="[0, 1, 0]", spatial=True, example=example)


class Obstacle(Declared, ABC):
    """Something that keeps bodies out. It stands still, or moves along a `path`.

        scene = pl.Scene([cloth], gravity=(0, -9.81, 0))
        scene.add(pl.Sphere((0, 0, 0), 0.3, friction=0.3))

    Bodies touch it as they touch each other (`pl.Contact`): a barrier begins at the gap, and nothing
    passes through. friction [-]: Coulomb's; that of the scene's contact if left out. margin [m]: an
    older name of the gap.

    `pl.XPBD` keeps points out by itself: within the margin, by default 0.005 of the longest side of each
    body, they are pushed out by

        W = sum_i m_i omega^2/2 min(0, d(x_i) - margin)^2,     omega = 500/s

    d: distance from its surface, below zero inside. A body that begins within it is thrown off, which
    the run says. A point that a step leaves inside all the same is put on the surface. Friction left out
    is none there. Only points are kept out: an edge of length h cuts a sphere of radius r by h^2/(8 r),
    and what is thinner than a step's way is not seen. The same push, without friction, acts on CUDA on
    bodies with `pl.Settle` that are held, in scenes that say nothing of contact.

    path: how it moves rigidly, not for `pl.XPBD`: offsets [m] from where it was made as a
    function of time [s] or as (times, offsets), (d + 1, d + 1) matrices [[R, offset], [0, 1]] in their
    place, or `pl.Keyframes(...)`. What is in its way is pushed, and friction drags it along.

        scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0), path=lambda t: (0, 0.1 * t, 0), name="lift"))
    """

    kind: int  # in kernels
    word: str  # in files
    needs_contact = False  # whether only steppers with contact know of it

    def __init__(
        self,
        *,
        margin: Margin = None,
        friction: Friction = None,
        name: Name = None,
        path: Path = None,
    ):
        given, own = accept(self, margin=margin, friction=friction)
        if name is not None and not (isinstance(name, str) and name):
            raise TypeError(f"{type(self).__name__}: got name={shown(name)}; expected text")
        #: [-], that it was given; None: that of the scene's contact
        self.own_friction: float | None = own
        self.friction = 0.0 if own is None else own
        self.name = name or self.word
        #: [m]; where none was given, of a body of 1 m
        self.margin: float = MARGIN if given is None else given
        self.scaled = given is None  # with the size of the body
        self._path = path
        self.motion: ObstacleMotion | None = None  # see `_follow`

    def _follow(self, points: np.ndarray, *, deforms: bool = False) -> None:
        """Take up the path that was given, of an obstacle of these points (n, d) [m]."""
        self.motion = motion_of(self._path, points, who=type(self).__name__, deforms=deforms)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.shape().values()))})"

    @property
    def dim(self) -> int:
        """2 or 3."""
        return len(self.numbers()[0])

    @abstractmethod
    def numbers(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Two vectors and a length that kernels know it by."""

    @abstractmethod
    def nearest(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances (n,) [m] of points from the surface, below zero inside, and normals (n, d)."""

    @property
    def moves(self) -> bool:
        """Whether it has a path."""
        return self.motion is not None

    def at(self, time: float) -> Obstacle:
        """What it is at a time [s]: one that stands still there."""
        still = copy.copy(self)
        still.motion = None
        if self.motion is not None:
            still._place(self.motion, time)
        return still

    @abstractmethod
    def _place(self, motion: ObstacleMotion, time: float) -> None:
        """Move it, once and for all, to where it is at a time [s]."""

    def contact_body(self, gap: float) -> ContactBody | None:
        """What bodies touch of it, from a gap [m] on; None for a plane, which `numbers` tells."""
        return None

    def contact_points(self, time: float) -> np.ndarray:
        """Where the points of `contact_body` are at a time [s], (k, d) [m]."""
        return np.zeros((0, self.dim))

    @abstractmethod
    def shape(self) -> dict[str, Any]:
        """The numbers it was made of, by name, as JSON can hold them."""

    @abstractmethod
    def surface(self, middle: np.ndarray, size: float) -> Surface:
        """What is drawn of it [m]; of a plane a square near bodies of a middle (3,) and size.

        In 2D it is flat, in the plane z = 0.
        """

    def facts(self) -> dict[str, Any]:
        """All about it, as JSON can hold it: `obstacle_of` makes it again."""
        margin = None if self.scaled else self.margin
        name = {} if self.name == self.word else {"name": self.name}
        near = {"margin": margin, "friction": self.own_friction}
        return {"kind": self.word} | self.shape() | near | name | self.motion_facts()

    def motion_facts(self) -> dict[str, Any]:
        """How it moves: frames of a take say where it is."""
        if self.motion is None:
            return {}
        return {"motion": "rigid" if self.motion.points is None else "points"}

    def pose(self, time: float) -> RigidMotion:
        """Its rigid motion by a time [s]."""
        if self.motion is None or self.motion.pose is None:
            return RigidMotion(np.eye(self.dim), np.zeros(self.dim))
        return self.motion.pose(time)


class HalfSpace(Obstacle):
    """All that is behind a plane: a floor, a wall.

    point: any on the plane [m]; normal: where bodies are, of any length. margin [m], friction [-],
    name and path as of every obstacle.

        scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0)))
    """

    kind, word = 0, "half_space"

    def __init__(
        self,
        point: Annotated[Any, _place("any point of the plane")],
        normal: Annotated[Any, _place("where bodies are, of any length", "-", (0.0, 1.0, 0.0))],
        *,
        margin: Margin = None,
        friction: Friction = None,
        name: Name = None,
        path: Path = None,
    ):
        super().__init__(margin=margin, friction=friction, name=name, path=path)
        self.point, n = _vector(self, "point", point), _vector(self, "normal", normal)
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
        a: Annotated[Any, _place("where the line begins")],
        b: Annotated[Any, _place("where it ends", example=(0.0, 1.0, 0.0))],
        radius: Radius,
        *,
        margin: Margin = None,
        friction: Friction = None,
        name: Name = None,
        path: Path = None,
    ):
        super().__init__(margin=margin, friction=friction, name=name, path=path)
        self.a, self.b = _vector(self, "a", a), _vector(self, "b", b)
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
        centre: Annotated[Any, _place("of the ball, a disk in 2D")],
        radius: Radius,
        *,
        margin: Margin = None,
        friction: Friction = None,
        name: Name = None,
        path: Path = None,
    ):
        c = _vector(self, "centre", centre)
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


def _vector(obstacle: Obstacle, what: str, given: Any) -> np.ndarray:
    try:
        v = floats(given)
    except (TypeError, ValueError):
        v = np.empty(0)
    if v.shape not in ((2,), (3,)) or not usable(v):
        raise ValueError(
            f"{type(obstacle).__name__}: got {what}={shown(given)}; expected 2 or 3 finite numbers [m]"
        )
    return v
