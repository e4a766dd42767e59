"""A body that prefers the poses it was shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.control import Damping
from pliant.declared import InPython, Numbers, Quantity, accept
from pliant.energies import Energy, ExampleEnergy, SolidEnergy
from pliant.errors import SolverError, shown
from pliant.given import array_of, floats, floats_or_nan, one_each
from pliant.materials import Material
from pliant.mesh import Mesh
from pliant.problem import System

from ..solid import Body, Density, Thickness
from .poses import checked_poses, solid_cells


class ExampleBased(Body):
    """A solid that deforms like its examples: leaving them costs more than moving between them.

        W = W_material + min_w  integral of strength E/2 |s - sum_i w_i s_i|^2,    sum_i w_i = 1

    s: the Biot strain of every cell, s_i that of example i; example 0 is the rest shape of the mesh,
    without strain. On a blend of examples the added energy and its forces are zero, so the material
    alone resists; off it the body is about 1 + strength times as stiff. The weights w follow every
    shape, within a step too: they are no memory, and the energy is a function of the shape alone.

    examples: poses of the points of the mesh [m], each (n, d), wherever they lie and however they are
    turned. strength [1]: in units of Young's modulus E of the material. bounds=(lo, hi): of every
    weight, the rest shape's too. (0, 1) keeps to what lies between the examples; without bounds the
    body also prefers to go on beyond them, and to their opposites. Where a bound takes hold, as at rest,
    stiffness jumps: bounces of `pl.Settle` then end early, at a third to nine tenths of the asked time,
    while wishes without bounces are met. regions: a number for each cell; every region has weights of
    its own (tens of regions, not thousands: each weight is a column that fills the Hessian).
    density [kg/m^3] and thickness [m] as for `pl.Body`.

        bar = pl.ExampleBased(mesh, material, examples=[twisted], strength=20.0)
        bar.weights(), bar.misfit()            # of the rest shape and each example; energy [J]
        bar.place(bar.blend([0.5]))            # half-way to the example

    Source: [martin2011]. There a blend is made a shape first, by a minimisation within the
    minimisation; here, as in [schumacher2012], its strains need not fit together. A blended pose then
    keeps a little energy, which `misfit` tells: none between stretches or arcs, for a twist 1e-3 of
    its own energy at 90 degrees over four widths, less by the square of smaller angles. Biot strain
    rather than Green's: blends of bent and stretched poses fit together, and cells that turn inside
    out are not mistaken for upright ones.

    Matter that hardly changes its volume cannot follow examples that do: for nu > 0.45 let the matter
    itself take the pose, held by a few pins, in a scene.equilibrium().

    Not for large bodies: without the multigrid of `pl.Body` a step takes a sparse factor. Not for
    examples that differ from the rest shape by turned parts alone: they have no strain to tell.
    """

    word = ""  # files have `examples` beside `material`
    can_flow = False

    def __init__(
        self,
        mesh: Mesh,
        material: Material,
        *,
        examples: Annotated[Sequence[Any], InPython("poses of the points; files describe shapes")],
        strength: Annotated[
            float,
            Quantity(
                "stiffness off the examples, in units of young",
                "-",
                above=0.0,
                says="a number > 0, in units of the material's stiffness; for 0 use "
                "pl.Body(mesh, material)",
            ),
        ] = 10.0,
        bounds: Annotated[
            tuple[float, float] | None,
            Numbers(
                "of the weight of every example: [0, 1] keeps between them",
                "-",
                counts=(2,),
                like="[0, 1]",
            ),
        ] = None,
        regions: Annotated[Any, InPython("a number for each cell")] = None,
        density: Density = 1000.0,
        thickness: Thickness = 1.0,
        damping: Damping | None = None,
        name: str = "example-based",
    ):
        self._require_mesh(mesh)
        ((_, cells),) = solid_cells(mesh).items()
        self._strength: float
        (self._strength,) = accept(self, strength=strength)
        self._bounds = _checked_bounds(bounds)
        self._regions = None if regions is None else _checked_regions(regions, len(cells))
        self._examples = checked_poses(mesh, examples, bounded=bounds is not None)
        super().__init__(
            mesh, material, density=density, thickness=thickness, damping=damping, name=name
        )

    def _check_cut(self) -> None:
        raise ValueError(
            f"{self.name}: cut: got {type(self).__name__}, whose poses are of all of it; expected a "
            "pl.Body"
        )

    @property
    def examples(self) -> np.ndarray:
        """The poses it was given [m], shape (m, n, d). Fixed."""
        return np.array(self._examples)

    @property
    def strength(self) -> float:
        """How much stiffer it is off the examples, in units of the material. Fixed."""
        return float(self._strength)

    def weights(self, positions: Any = None) -> np.ndarray:
        """The weights of the nearest blend: the rest shape's, then one for each example.

        They are those of the present positions, or of other `positions` [m], (n, d). With regions there
        is one row for each.
        """
        found = self._preference().weights(self._shape("weights", positions))
        return found[0] if self._regions is None else found

    def misfit(self, positions: Any = None) -> float:
        """The added energy [J] of where the body is, or of other positions [m], (n, d)."""
        return self._preference().value(self._shape("misfit", positions))

    def blend(self, weights: Any) -> np.ndarray:
        """The shape whose strains come nearest to a blend of the examples' [m], (n, d).

        weights: one for each example; the rest shape has what they leave of 1. It lies where the mesh
        does. `misfit` of it says how well the blended strains fit together.
        """
        w = floats_or_nan(weights)
        if w.shape != (len(self._examples),) or not np.isfinite(w).all():
            raise ValueError(
                f"blend: got weights {shown(weights)}; expected {len(self._examples)} numbers, one "
                "for each example"
            )
        rest = self.mesh.points
        system = System(
            [self._preference().towards(w)],
            masses=self._masses,
            pinned=np.zeros(len(rest), dtype=bool),
            components=self.components,
            x=rest,
        )
        start = rest + sum(
            a * (system.align(pose, rest) - rest) for a, pose in zip(w, self._examples, strict=True)
        )
        try:
            found, _ = system.equilibrium(start, lambda x: np.zeros_like(x))
        except np.linalg.LinAlgError:
            raise SolverError(
                f"blend: no shape was found for the weights {shown(weights)}; expected numbers from "
                "about -1 to 2"
            ) from None
        return np.asarray(system.align(found, rest))

    def energies(self, *, device: str) -> list[Energy]:
        """The material's, and what it costs to leave the examples."""
        (solid,) = super().energies(device=device)
        assert isinstance(solid, SolidEnergy)  # lines are refused for want of a section
        preference = ExampleEnergy(
            solid,
            self._examples,
            strength=self._strength,
            region=self._regions,
            bounds=self._bounds,
        )
        return [solid, preference]

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return super().facts() | {
            "examples": len(self._examples),
            "strength": self._strength,
            "bounds": self._bounds,
            "regions": 1 if self._regions is None else int(self._regions.max()) + 1,
        }

    def _shape(self, what: str, positions: Any) -> Any:
        """Positions as energies take them; where the body is by default."""
        given = self.positions if positions is None else positions
        return self.system().assembly.array(one_each(given, self.mesh.points.shape, what=what))

    def _preference(self) -> ExampleEnergy:
        energy = self.system().assembly.energies[1]
        assert isinstance(energy, ExampleEnergy)
        return energy


def _checked_bounds(bounds: Any) -> tuple[float, float] | None:
    if bounds is None:
        return None
    try:
        lo, hi = floats(bounds)
    except (TypeError, ValueError):
        lo, hi = np.nan, np.nan
    if not (np.ndim(lo) == 0 and lo <= 0.0 and hi >= 1.0):
        raise ValueError(
            f"ExampleBased: got bounds={shown(bounds)}; expected (lo, hi) with lo <= 0 and hi >= "
            "1, which the rest shape and every example keep, e.g. bounds=(0, 1)"
        )
    return float(lo), float(hi)


def _checked_regions(regions: Any, cells: int) -> np.ndarray:
    try:
        labels = array_of(regions)
    except ValueError:
        labels = np.empty(0)  # refused below
    whole = labels.shape == (cells,) and np.issubdtype(labels.dtype, np.number)
    if not whole or (labels != np.round(labels)).any():
        raise ValueError(
            f"ExampleBased: got regions of shape {labels.shape} and type {labels.dtype}; expected a "
            f"whole number for each of the {cells} cells"
        )
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)
