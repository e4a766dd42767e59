"""A body of elastons: rods, shells and solids by one rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from pliant.contact import ContactBody, ContactSurface
from pliant.control import Damping
from pliant.declared import InPython, Numbers, Quantity, accept
from pliant.energies import JetEnergy, Load
from pliant.errors import Advice
from pliant.given import select
from pliant.mesh import KINDS, Mesh, Skin, Surface, connected

from ..body_kind import LINEAR_CELLS
from ..deformable import Deformable
from ..matter import RATIO, Density, Up, Young
from .kinds import ElastonKind
from .nodes import ElastonNodes
from .samples import joined, volumes
from .section import hooke
from .skin import skin_of, worn
from .wishes import check_mesh, cross_section, upward

Poisson = Annotated[float, replace(RATIO, below=0.5, says="more than -1 and less than 0.5")]
Thickness = Annotated[
    Any,
    Numbers(
        "of a sheet; of a strand one or two, the second along `up`",
        "m",
        each=Quantity(above=0.0),
        counts=(1, 2),
        like="0.01",
        lone=True,
        example=0.02,
    ),
]
Support = Annotated[
    float,
    Quantity(
        "how far a point reaches, over the distance to the corners of its cells",
        "-",
        above=0.0,
        example=1.1,
    ),
]


class Elastons(Deformable):
    """A rod, a shell or a solid without elements: strain, bending and twist of many small boxes.

        W = sum_e V/2 ( alpha : C : alpha + sum_k h_k^2/12 beta^k : C : beta^k )
        alpha_ij = (x,i . x,j - delta_ij) / 2,    beta^k = d alpha / d X_k

    samples: points of a curve, a surface or a volume, (n, 3) [m]; young [Pa], poisson,
    density [kg/m^3]. thickness [m]: of a shell; of a rod one number or two, the second along `up`, a
    direction (by default the axis that the rod runs along least).

        points = np.linspace((0, 0, 0), (1, 0, 0), 21)
        rod = pl.Elastons(points, young=1e7, poisson=0.3, density=1000.0, thickness=0.02)
        rod.fix(rod.points_of([0]))

    The body is what lies between samples that are neighbours, so some should lie on its boundary.
    dimension: 1 a curve, 2 a surface, 3 a volume, by default what neighbours span. spacing [m]: the
    usual distance of neighbours, by default found around each; holes 1.5 times as wide in radius
    stay open. volume [m^3]: of the body or of each sample, where it is not what lies between. Or
    samples is a mesh, whose cells (line2, tri3, quad4, tet4, hex8) say what is around each point.
    support: how far a sample reaches, as a multiple of the distance to its farthest neighbour.

    Every sample becomes a node with place x and gradient F, between which the map is found by
    generalised moving least squares, by distance alone; between neighbours are elastons, one for each
    of them. The core knows points, so a node is four of them, which move with it: `body.mesh` has
    these, `points_of(nodes)` says which they are (to fix a node, or to push it, a quarter of the force
    on each), `nodes` where the nodes are. `place(f(body.mesh.points))` takes any map f. A fixed node
    holds its place and its section, and lets the body be strained along itself there.

    Sources: [martin2010]; [chen2013] for sums that are integrals, so that constant stress is exact.
    The strain is Green's, which no rotation changes; the source's, Cauchy's, is its derivative at
    rest. Second derivatives that nodes cannot tell, such as the narrowing of a bent rod, are what
    costs least. Shear of a section is constant over it (factor 1 where a rectangle has 5/6), and
    twist is that of an ellipse with the same second moments: 1.19 times too stiff for a square. Thin
    things that are bent want neighbours at sqrt(thickness times radius) or less. Gradients of nodes
    may spin against each other, so that notes of coarse solids are too low, by 8 % with six samples
    along a block that twists, and each sample adds notes of its own. In contact the tube, slab or
    boundary that is drawn touches. Not for tractions and pressures, nor for large solids: there
    `pl.Body` is tens of times faster.
    """

    word, cells, in_space = "elastons", LINEAR_CELLS, True
    points_per_node = 4

    def __init__(
        self,
        samples: Any,
        *,
        young: Young,
        poisson: Poisson = 0.3,
        density: Density = 1000.0,
        thickness: Thickness = None,
        up: Up = None,
        support: Support = 0.9,
        dimension: Annotated[int | None, InPython("of samples; meshes say it by cells")] = None,
        spacing: Annotated[float | None, InPython("of samples; meshes say it by cells")] = None,
        volume: Annotated[
            Any, Quantity("of the body; what lies between its points if left out", "m^3", above=0.0)
        ] = None,
        damping: Damping | None = None,
        name: str = "elastons",
    ):
        mesh = self._samples = joined(samples, dimension, spacing)
        check_mesh(mesh)
        young, density, poisson, support = accept(
            self, young=young, density=density, poisson=poisson, support=support
        )
        self._thickness = cross_section(mesh, thickness)
        self._up = upward(mesh, up)
        self._matter = {"young": young, "poisson": poisson, "density": density}
        self._kinds = [
            ElastonKind(
                mesh,
                cells,
                KINDS[kind].dim,
                thickness=self._thickness,
                up=self._up,
                support=support,
            )
            for kind, cells in mesh.cells.items()
        ]
        found, moments = np.zeros(len(mesh)), np.zeros((len(mesh), 3, 3))
        for kind in self._kinds:
            kind.share(found, moments)
        around = volumes(volume, found)
        self._filled = float(around.sum() / found.sum())
        self._nodes = ElastonNodes.of(mesh.points, moments / found[:, None, None])
        own = Mesh(self._nodes.points, {"tet4": self._nodes.cells})
        masses = np.repeat(self._matter["density"] * around / 4.0, 4)
        super().__init__(own, masses, damping=damping, name=name)

    @property
    def nodes(self) -> np.ndarray:
        """Where the samples are now [m], (nodes, 3)."""
        return np.asarray(self.positions.reshape(-1, 4, 3).mean(axis=1))

    def points_of(self, nodes: Any) -> np.ndarray:
        """Numbers of the points of some nodes (mask or indices), four of each."""
        chosen = select(nodes, len(self._nodes), "points_of")
        return (4 * chosen[:, None] + np.arange(4)).ravel()

    @property
    def components(self) -> np.ndarray:
        """Label of the part each point is in: neighbourhoods connect."""
        stencils = [kind.near[0] for kind in self._kinds]
        first = np.concatenate([np.repeat(s[:, 0], s.shape[1]) for s in stencils])
        others = np.concatenate([s.ravel() for s in stencils])
        return np.repeat(connected(first, others, len(self._nodes)), 4)

    @property
    def skin(self) -> Skin:
        """What is drawn and exported: a tube, a slab or a boundary, or what `wear` put on it."""
        if self._skin is None:
            self._skin = skin_of(self._samples, self._nodes, self._thickness, self._up)
        return self._skin

    @property
    def contact_surface(self) -> ContactBody:
        """The tube, slab or boundary around its nodes, which follows them."""
        skin = skin_of(self._samples, self._nodes, self._thickness, self._up)
        return ContactBody.following(len(self), skin)

    @property
    def contact_young(self) -> float:
        """Its stiffness over the distance of nodes [Pa]: less than Young's modulus where it is thin."""
        edges = ContactSurface([ContactBody.of(self._samples)]).edge_length
        thin = np.prod(np.minimum(self._thickness / edges, 1.0))
        return float(self._matter["young"] * thin)

    def wear(self, surface: Surface | Skin | None) -> None:
        """Show a finer surface, which the map between the nodes carries along; None takes it off.

        The surface lies over the samples [m].
        """
        if isinstance(surface, Surface):
            surface = worn(surface, self._kinds[0], self._nodes)
        super().wear(surface)

    def _load_of(self, given: dict[str, Any], on: Any) -> Load:
        if any(load is not None for what, load in given.items() if what != "force"):
            raise ValueError(
                Advice(
                    "push: elastons have no facets for tractions, pressures or wind; expected forces "
                    "on points, as in ",
                    "body.push(force=(0, -1, 0), on=body.points_of(nodes)), or gravity",
                    'push = [{ force = [0, -1, 0], on = "x > 0.9" }], or gravity in [run]',
                )
            )
        return super()._load_of(given, on)

    def energies(self, *, device: str) -> Sequence[JetEnergy]:
        """The elastons of each kind of cell."""
        C = self._filled * hooke(self._matter["young"], self._matter["poisson"])
        held = np.asarray(self.pinned.reshape(-1, 4).all(axis=1))
        each = [kind.energies(self._nodes, C, held=held, device=device) for kind in self._kinds]
        return [energy for some in each for energy in some]

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return self._matter | {
            "elastons": sum(len(kind) for kind in self._kinds),
            "nodes": len(self._nodes),
            "thickness": self._thickness.tolist(),
            "mass": float(self._masses.sum()),
        }
