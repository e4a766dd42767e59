"""What all obstacles are: they keep bodies out, stand still or move along a path."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Annotated, Any

import numpy as np

from pliant.contact import ContactBody
from pliant.declared import Declared, Described, InPython, Numbers, Quantity, accept
from pliant.energies import MARGIN
from pliant.errors import shown, usable
from pliant.given import floats
from pliant.mesh import Surface

from .keyframes import RigidMotion
from .motion import ObstacleMotion, motion_of

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


def place(about: str, unit: str = "m", example: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Any:
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


def vector(obstacle: Obstacle, what: str, given: Any) -> np.ndarray:
    """A point or a direction that an obstacle was given, (2,) or (3,)."""
    try:
        v = floats(given)
    except (TypeError, ValueError):
        v = np.empty(0)
    if v.shape not in ((2,), (3,)) or not usable(v):
        raise ValueError(
            f"{type(obstacle).__name__}: got {what}={shown(given)}; expected 2 or 3 finite numbers [m]"
        )
    return v
