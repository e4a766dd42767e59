"""A thin rod: a curve with a cross-section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from scipy.sparse import csr_array, eye_array, kron

from pliant.contact import ContactBody, SurfaceMap
from pliant.control import Damping
from pliant.declared import InPython, accept
from pliant.energies import JetEnergy, PlasticJets
from pliant.errors import shown
from pliant.forms import RodStrains, SolidMetric
from pliant.given import floats
from pliant.mesh import CutSurface, MeshChange, Skin, cut_mesh

from ..matter import Density, Poisson, Up, YieldStrain, Young, length
from ..thin import Thin
from .frames import frames
from .nodes import RodNodes
from .section import Section
from .strands import Strand, centreline, chained, elements_of
from .tube import prism, sides_of, tube

#: Of the measures of `RodStrains`, those from this one on are bends and twist.
BENDS = 9


class Rod(Thin):
    """A thin rod, a beam, a ring or a strand of hair: it stretches, shears, bends and twists.

        W = 1/2 int  E A alpha_11^2 + E A r_2^2 beta_2^2 + E A r_3^2 beta_3^2 + G J twist^2
                     + k G A (shear_2^2 + shear_3^2) + section  ds

    curve: points in order, (n, 3) [m], or a mesh of lines, of one or many strands, which may branch;
    straight or curved, that is its rest shape. Section: width along d_2 and height along d_3 [m], or
    radius [m]. up: what d_3 points to where a strand begins, or at each node (n, 3); y by default, or
    what is across. closed: whether the last point is joined to the first. yield_strain: at the surface
    of a bend, beyond which it stays bent, as wire does; or twisted, where the energy is that of such
    a bend. It does not flow along itself. young E [Pa], poisson [-],
    density [kg/m^3]; r: radii of gyration, J: Saint-Venant's torsion constant, k: Cowper's for shear.

        turn = np.linspace(0, 20, 100)
        curl = 0.01 * np.stack([np.cos(turn), -turn, np.sin(turn)], axis=1)
        hair = pl.Rod(curl, radius=4e-5, young=4e9, poisson=0.35, density=1300.0)
        hair.fix(hair.node(0))                                        # a clamp

    A node is three points of a third of its mass: their mean is the centreline, their differences
    are the directors d_2 and d_3 of the section, which move and turn freely. So `node(i)` has three
    indices, and a force [N] on a node is a third on each. Where lines branch the joint is rigid, and
    has a fourth point. Fixing a node clamps it; fixing one of its points holds it nearly as a ball
    does. `push` takes forces, and volume forces: q / rod.section.area for q [N/m] along it. Bounces
    of `Settle` keep time, rolled to a quarter circle, under loads that bend it by up to a quarter of
    its length; a soft one that falls until it hangs rests within 4 %.

    Strain is the lecture's, alpha + theta_2 beta^2 + theta_3 beta^3, with inner products in place
    of derivatives, so that rigid motion costs nothing [liulecture] (resultants). Its law is Hooke's
    for a rod whose sides are free, E in place of the full C: with C, rods that bend cannot become
    thinner on one side, and are twice too stiff at a poisson of 0.4. The section shrinks by poisson
    as the rod stretches, and otherwise keeps its shape with the stiffness E. Two-node elements of
    one integration point each do not lock; errors fall with the square of their length, and where the
    curve has a sharp corner with the length itself.

    In contact a round rod is its centreline with its radius, others are their sides. Not for thick rods
    (over a tenth of their length), thin-walled or open sections (their warping), nor strains over
    some 10 %. Explicit steps must be shorter than sound needs
    to cross the section; implicit ones need not care.
    """

    word, cells, in_space = "rod", frozenset({"line2"}), True
    sections = (("radius",), ("width", "height"))
    points_per_node = 3
    has_surface = False  # its cells are the prism of its points, not its sides

    def __init__(
        self,
        curve: Any,
        *,
        young: Young,
        poisson: Poisson = 0.3,
        density: Density = 1000.0,
        radius: Annotated[float | None, length("of a round section")] = None,
        width: Annotated[float | None, length("of a rectangular section, across `up`")] = None,
        height: Annotated[float | None, length("of a rectangular section, along `up`")] = None,
        up: Up = None,
        yield_strain: YieldStrain = None,
        closed: Annotated[
            bool, InPython("of points in order; meshes say it by their lines")
        ] = False,
        damping: Damping | None = None,
        name: str = "rod",
    ):
        young, density, poisson = accept(self, young=young, density=density, poisson=poisson)
        self.section = Section.of(*accept(self, width=width, height=height, radius=radius))
        self._matter = {"young": young, "poisson": poisson}
        self._yield_strain: float | None
        (self._yield_strain,) = accept(self, yield_strain=yield_strain)
        x, strands = centreline(curve, closed)
        nodes = RodNodes.around(x, strands, frames(x, strands, up), self.section)
        volumes = self._strung(nodes, strands, x)
        mesh = prism(self._nodes, self.elements)
        super().__init__(mesh, volumes, density=density, damping=damping, name=name)

    def _strung(self, nodes: RodNodes, strands: list[Strand], x: np.ndarray) -> np.ndarray:
        """Take nodes and strands of a centreline x [m]; returns the volumes of points [m^3]."""
        self._nodes, self._strands = nodes, strands
        self.elements = elements_of(strands)
        ends = x[self.elements]
        self._lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        shares = np.zeros(len(x))
        np.add.at(shares, self.elements, self._lengths[:, None] / 2)
        volumes = np.zeros(len(nodes.points))
        volumes[nodes.of] = (shares * self.section.area / nodes.counts)[:, None]
        return volumes

    def _check_cut(self) -> None:
        super()._check_cut()
        self._refuse_flow(self._yield_strain)
        if (self._nodes.counts == 4).any():
            raise ValueError(
                f"{self.name}: cut: got a rod that branches; expected strands, e.g. one pl.Rod for each"
            )

    def _made_change(
        self, surface: CutSurface, width: float, spared: np.ndarray | None = None
    ) -> MeshChange:
        """A rod is cut at the node that is nearest: no element is split."""
        line = self.mesh.with_parts(self.along(self.mesh.points), {"line2": self.elements}, {})
        nodes = None if spared is None else spared[::3]
        cut = cut_mesh(line, surface, at=self.centreline, width=width, snap=0.5, spared=nodes)
        points = csr_array(kron(cut.points, eye_array(3)))
        mesh = self.mesh.with_parts(
            points @ self.mesh.points, {"tri3": sides_of(cut.mesh.cells["line2"])}, {}
        )
        return MeshChange(mesh, points, np.arange(6 * len(self.elements)))

    def _take_mesh(self, change: MeshChange) -> None:
        # The first triangle of the six of an element has points of both of its nodes.
        first = change.mesh.cells["tri3"][::6] // 3
        strands = chained(first[:, [0, 2]])
        nodes = self._nodes.copied(change.points.indices[::3] // 3, strands)
        self._volumes = self._strung(nodes, strands, nodes.points.reshape(-1, 3, 3).mean(axis=1))

    @property
    def nodes(self) -> int:
        """How many nodes it has: the points of the curve."""
        return len(self._nodes.of)

    @property
    def node_count(self) -> int:
        """How many nodes it has; the fourth points of joints come after all others."""
        return self.nodes

    def bearers_at(self, nodes: np.ndarray) -> np.ndarray:
        """Three of the points of every node: the fourth ones of joints bear nothing."""
        mask = self.points_at(nodes)
        mask[3 * self.nodes :] = False
        return mask

    def node(self, which: Any) -> np.ndarray:
        """The points of a node, or of several, counted along the curve; -1 is the last."""
        try:
            chosen = np.arange(self.nodes)[np.atleast_1d(which)]
        except (IndexError, ValueError, OverflowError):
            raise ValueError(
                f"node: got {shown(which)}; expected nodes of the rod, 0 to {self.nodes - 1}, or a mask"
            ) from None
        return self._nodes.chosen(chosen)

    @property
    def owners(self) -> np.ndarray:
        """The node that each point belongs to, (points,)."""
        return self._nodes.owners

    @property
    def centreline(self) -> np.ndarray:
        """Where its nodes are now [m], (nodes, 3)."""
        return self.along(self.positions)

    @property
    def directors(self) -> np.ndarray:
        """d_2 and d_3 of its nodes now, (nodes, 2, 3) [-]; unit vectors at rest."""
        out: np.ndarray = np.einsum(
            "ci,nid->ncd", self.section.directors, self._triples(self.positions)
        )
        return out

    def along(self, positions: np.ndarray) -> np.ndarray:
        """The centreline (..., nodes, 3) of positions (..., points, 3), as takes have them [m]."""
        x = floats(positions)
        if x.shape[-2:] != self.mesh.points.shape:
            raise ValueError(
                f"along: got shape {x.shape}; expected (..., {len(self)}, 3), e.g. take.positions"
            )
        return np.asarray(self._triples(x).mean(axis=-2))

    @property
    def skin(self) -> Skin:
        """What is drawn and exported: a tube as wide as the section, or what `wear` put on it."""
        if self._skin is None:
            self._skin = tube(self._nodes, self._strands, self.section.outline)
        return self._skin

    @property
    def contact_surface(self) -> ContactBody:
        """The centreline of a round rod, with its radius, or the sides of another.

        Sides of branches go through each other at joints: rods that branch have the radius of what is
        around their section.
        """
        nodes, count = self._nodes, len(self.mesh)
        if not self.section.round and (nodes.counts == 3).all():
            return ContactBody.following(count, tube(nodes, self._strands, self.section.outline))
        weights = np.tile(nodes.centre, (self.nodes, 1))
        return ContactBody(
            self.along(self.mesh.points),
            edges=self.elements,
            radius=0.5 * max(self.section.width, self.section.height),
            carried=SurfaceMap(count, nodes.of, weights),
        )

    @property
    def contact_young(self) -> float:
        """The stiffness of an element over its length [Pa]."""
        soft = self.section.area / float(np.median(self._lengths)) ** 2
        return float(self._matter["young"]) * min(1.0, soft)

    def energies(self, *, device: str) -> Sequence[JetEnergy]:
        """Stretch, shear, bend, twist and section, once in the middle of each element; and joints."""
        of, centre = self._nodes.of, self._nodes.centre
        w = len(centre)
        operators = np.zeros((len(self.elements), 5, 2 * w))
        operators[:, 0] = np.concatenate([-centre, centre]) / self._lengths[:, None]
        ends = [
            (d, np.roll(d, -1, axis=0)) if closed else (d[:-1], d[1:])
            for d, (_, closed) in zip(self._nodes.directors, self._strands, strict=True)
        ]
        operators[:, 1:3, :w] = np.concatenate([a for a, _ in ends])
        operators[:, 3:, w:] = np.concatenate([b for _, b in ends])
        stencils = of[self.elements].reshape(-1, 2 * w)
        where = (RodStrains, self.mesh.points, stencils)
        given: dict[str, Any] = {"operators": operators, "stiffness": self._stiffness()}
        if self._yield_strain is None:
            lines = JetEnergy(*where, **given, device=device)
        else:
            unit = self._roots_of_strain()
            given |= {"first": BENDS, "limit": unit * self._yield_strain, "unit": unit}
            lines = PlasticJets(*where, **given, device=device)
        return [lines] if w == 3 else [lines, self._joints(device)]

    @property
    def flowing_terms(self) -> int:
        """The number of elements, if they flow."""
        return 0 if self._yield_strain is None else len(self.elements)

    def _roots_of_strain(self) -> np.ndarray:
        """Roots of twice the energy of a bend with a strain of one at the surface [sqrt(J)].

        W = E A r^2 l kappa^2 / 2,   strain = kappa h/2: the same for bends about both axes.
        """
        E, A = self._matter["young"], self.section.area
        share = 2.0 * self.section.radii[0] / self.section.width
        return np.asarray(share * np.sqrt(E * A * self._lengths))

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        flows = {} if self._yield_strain is None else {"yield_strain": self._yield_strain}
        return (
            self._matter
            | flows
            | {
                "density": self._density,
                "width": self.section.width,
                "height": self.section.height,
                "round": self.section.round,
                "strands": len(self._strands),
                "mass": float(self._masses.sum()),
            }
        )

    def _joints(self, device: str) -> JetEnergy:
        """The energy that keeps the angles between lines that meet: a block as long as their strands."""
        meet = np.flatnonzero(self._nodes.counts == 4)
        long, first = np.zeros(self.nodes), 0
        for nodes, closed in self._strands:
            last = first + len(nodes) - (not closed)
            np.add.at(long, nodes[[0, -1]], self._lengths[first:last].sum())
            first = last
        firm = self._matter["young"] * self.section.area * long[meet]
        return JetEnergy(
            SolidMetric,
            self.mesh.points,
            self._nodes.of[meet],
            operators=np.tile(self._nodes.triad, (len(meet), 1, 1)),
            stiffness=firm[:, None, None] * np.diag([0.25, 0.25, 0.25, 0.5, 0.5, 0.5]),
            device=device,
        )

    def _stiffness(self) -> np.ndarray:
        """The stiffness of the measures of `RodStrains` [J], (elements, 12, 12)."""
        E, nu = self._matter["young"], self._matter["poisson"]
        G, A = E / (2 * (1 + nu)), self.section.area
        r2, r3 = self.section.radii
        C = np.zeros((12, 12))
        C[0, 0] = E * A
        # Sizes of a section: E A (alpha_22 + nu alpha_11)^2, so that a pull meets E alone; half of
        # the length belongs to either section.
        for size in (1, 2, 4, 5):
            C[[[0], [size]], [0, size]] += E * A / 2 * np.array([[nu * nu, nu], [nu, 1.0]])
        C[[3, 6], [3, 6]] = G * A / 2
        C[[7, 8], [7, 8]] = self.section.shear(nu) * G * A
        turns = np.diag([E * A * r2**2, E * A * r3**2, G * self.section.torsion])
        out: np.ndarray = self._lengths[:, None, None] * C
        out[:, 9:, 9:] = turns / self._lengths[:, None, None]
        return out

    def _triples(self, positions: np.ndarray) -> np.ndarray:
        threes = positions[..., : 3 * self.nodes, :]
        return threes.reshape(*positions.shape[:-2], self.nodes, 3, 3)
