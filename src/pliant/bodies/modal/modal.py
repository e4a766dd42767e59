"""A solid that moves in its modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.backend import resident
from pliant.compliance import Compliance
from pliant.control import Damping
from pliant.declared import Quantity, accept
from pliant.energies import Energy, Load
from pliant.errors import Advice, UnstableError, prefixed, warn_user
from pliant.given import gravity_of
from pliant.materials import Material
from pliant.problem import System
from pliant.reduced import Expanded, ReducedShape, ReducedSystem

from ..condensing import condensed
from ..deformable import Deformable
from ..example import ExampleBased
from ..no_wind import refuse_wind
from ..solid import Body
from .report import ModalReport, report_of

#: A start is told of if more than this share of it is not in the columns.
MISSED = 0.1
#: Starts that are nearer to the mesh than this share of its size are the mesh.
STILL = 1e-6


class Modal(Deformable):
    """A solid in small deformation: sums of its lowest modes, each of which moves exactly.

        x = X + U q,     K U = M U diag(lambda),     q_i'' + c_i q_i' + lambda_i q_i = U_i . load

    body: a `pl.Body` that is held, or one part that is free, with its pins, loads, start and damping;
    it stays as it is. modes: how many. Each load adds the static answer to it, so that the rest shape is
    that of the full body however few modes there are, in the linear theory of small deformation about
    the mesh. A free body falls, spins and tumbles with exact momentum.

    Steps of any length end on one path: each coordinate has a closed form. Under `pl.Settle` all
    coordinates follow the law of the wish; `pl.Rayleigh` damps each mode by its own ratio; without
    damping it rings for ever. A step takes microseconds; positions are computed when they are asked for.

        body = pl.Body(mesh, material)
        body.fix(mesh.points[:, 0] < 1e-9)
        quick = pl.Modal(body, modes=60)
        quick.damping = pl.Settle(rest_in=0.75, bounces=2)

    It touches and may be tied to other bodies and obstacles, and never itself. A step in which it
    touches something is a minimisation over its coordinates, with everything that it touches.

    Pins stand still or are driven: as one, however far, or groups of them against each other, each as
    one, with small turns.

    Not for deflections of more than a tenth of the length: linear modes do not turn, and swell. Not for
    wind, which is refused. Loads act on the rest shape; what spins vibrates as if it did not.
    Source: [hughes2000] 7; `docs/reduced.md`.
    """

    word = ""  # files have `reduce` beside `material`
    in_modes = True

    def __init__(
        self,
        body: Body,
        modes: Annotated[
            int,
            Quantity("lowest modes that it moves in", "-", at_least=1, whole=True, example=20),
        ] = 60,
        *,
        damping: Damping | None = None,
        name: str | None = None,
    ):
        who = type(self).__name__
        if not isinstance(body, Body) or isinstance(body, ExampleBased):
            raise TypeError(
                f"{who}: got body of type {type(body).__name__}; expected pl.Body, a solid of one "
                "material"
            )
        if not isinstance(body.material, Material):
            raise ValueError(
                f"{who}: got {body.name!r} of {body.material!r}; expected an elastic material: modes "
                "know one rest shape. Keep the pl.Body as it is"
            )
        self._modes: int
        (self._modes,) = accept(self, modes=modes)
        _require_enough(who, body, self._modes)
        self._full = body
        super().__init__(
            body.mesh,
            body.masses,
            damping=body.damping if damping is None else damping,
            name=body.name if name is None else name,
        )
        if damping is None:
            self._damped_later = body._damped_later
        self._skin = body.skin
        self._pins = body.pins
        for load in body.loads:
            self._loads.add(self._fitting(load))
        self.place(body.positions)
        self.velocity = body.velocity

    def __repr__(self) -> str:
        what = f"{len(self)} points in {self._modes} modes, {self.material!r}, {self.damping!r}"
        return f"<{type(self).__name__} {self.name!r}: {what}>"

    @property
    def modes(self) -> int:
        """How many modes it moves in. Fixed."""
        return int(self._modes)

    @property
    def material(self) -> Material:
        """What it is made of. Fixed: make another from another body."""
        material = self._full.material
        assert isinstance(material, Material)  # the constructor sees to it
        return material

    @property
    def density(self) -> float:
        """[kg/m^3]. Fixed."""
        return self._full.density

    @property
    def thickness(self) -> float:
        """[m], of 2D bodies. Fixed."""
        return self._full.thickness

    @property
    def frequencies(self) -> np.ndarray:
        """Of its modes, from the lowest [Hz], (modes,), or as many as it has coordinates."""
        system = self.system()
        assert isinstance(system, ReducedSystem)
        count = min(self._modes, system.basis.own)
        found: np.ndarray = np.sqrt(system.modes(self.mesh.points, count)[0])
        return found / (2.0 * np.pi)

    @property
    def coordinates(self) -> np.ndarray:
        """q at present [m sqrt(kg)], (modes and static answers,)."""
        self.system()
        shape = self._state.x
        assert isinstance(shape, ReducedShape)
        return np.array(shape.q)

    def report(self, gravity: Any = None) -> ModalReport:
        """What its modes leave out, and what they cost."""
        system = self.system()
        assert isinstance(system, ReducedSystem)
        x = system.loaded(self._state.x)
        return self._report_of(self.loads_at(x, 0.0, gravity_of(gravity, self.dim)))

    def energies(self, *, device: str) -> Sequence[Energy]:
        """Those of the full body, whose stiffness at rest the modes are of."""
        return self._full.energies(device=device)

    def compliance(self, gravity: Any = None) -> Compliance:
        """That of the full body, about its rest shape under gravity [m/s^2] and loads."""
        return condensed(self, gravity)

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return self._full.facts() | {"modes": self._modes}

    def _report_of(self, load: np.ndarray) -> ModalReport:
        system, shape = self.system(), self._state.x
        assert isinstance(system, ReducedSystem) and isinstance(shape, ReducedShape)
        turn = shape.frame.rotation[: self.dim, : self.dim]
        return report_of(system, load @ turn)

    def _load_of(self, given: dict[str, Any], on: Any) -> Load:
        return self._fitting(self._full._load_of(given, on))

    def _fitting(self, load: Load) -> Load:
        instead = "force=, traction=, pressure= or volume= on a body in its modes, or the full body"
        return refuse_wind(self.name, load, self.mesh.points, instead=instead)

    def _prepared_of(self) -> tuple[Any, ...]:
        return (*self.loads, *(group.tobytes() for group in self.pins.groups))

    def _made_system(self, energies: Sequence[Energy], **given: Any) -> System:
        self._require_able()
        try:
            with resident(False):
                return ReducedSystem(
                    energies,
                    modes=self._modes,
                    loads=self._patterns(),
                    groups=self.pins.groups,
                    **given,
                )
        except (UnstableError, ValueError) as error:
            raise type(error)(prefixed(f"{self.name}: ", error)) from None

    def _patterns(self) -> list[np.ndarray]:
        """Forces [N] of which all that acts on it is a sum, each (n, d)."""
        pushes = (load.patterns(self.mesh.points) for load in self.loads)
        return [*self._of_masses(), *(pattern for each in pushes for pattern in each)]

    def _of_masses(self) -> list[np.ndarray]:
        """What gravity is a sum of; of a free body, which it does not deform, what spinning is."""
        m, axes = self._masses[:, None], np.eye(self.dim)
        if self.pinned.any():
            return [m * axis for axis in axes]
        x = self.mesh.points
        arms = x - (m * x).sum(axis=0) / m.sum()
        pairs = [(i, j) for i in range(self.dim) for j in range(i + 1)]
        return [m * (arms[:, [i]] * axes[j] + arms[:, [j]] * axes[i]) for i, j in pairs]

    def _require_able(self) -> None:
        """Refuse what a body in its modes cannot do."""
        if not self.touches_itself:
            raise ValueError(
                f"{self.name}: got contact of its own parts; a body in its modes does not touch itself: "
                "expected the full body for that"
            )

    def _met_system(self, system: System) -> None:
        assert isinstance(system, ReducedSystem)
        try:
            state = system.taken_up(self._state)
        except ValueError as error:
            raise ValueError(prefixed(f"{self.name}: ", error)) from None
        if state is not self._state:
            self._tell_missed(state.x)
            self._state = state

    def _tell_missed(self, shape: ReducedShape) -> None:
        """Warn of a start that the modes cannot have."""
        wanted = self._state.x
        if isinstance(wanted, Expanded):
            return
        home, m = ReducedShape(shape.basis, 0.0 * shape.q, shape.frame), self._masses[:, None]
        away = float((m * (wanted - home.expand()) ** 2).sum())
        left = float((m * (wanted - shape.expand()) ** 2).sum())
        still = float(self._masses.sum()) * (STILL * self.mesh.size) ** 2
        if left > MISSED**2 * away and away > still:
            warn_user(
                f"{self.name}: {100.0 * np.sqrt(left / away):.0f} % of the start shape is not in its "
                f"modes and is left out; pl.{type(self).__name__}(body, modes={2 * self._modes}) would "
                "hold more of it"
            )


def _require_enough(who: str, body: Body, modes: int) -> None:
    """Refuse more modes than a body has ways to deform."""
    d, pinned = body.dim, body.pinned
    available = int(d * (~pinned).sum()) - (0 if pinned.any() else d * (d + 1) // 2)
    if available < 1:
        raise ValueError(
            Advice(
                f"{body.name}: pins hold all of its points; expected some that are free to move: ",
                "hold fewer with body.fix(...)",
                "hold fewer with fix",
            )
        )
    if modes > available:
        raise ValueError(
            Advice(
                f"{body.name}: got modes={modes}; it has {available} ways to deform: ",
                f"expected pl.{who}(body, modes={available}) or fewer",
                f"expected modes = {available} or fewer in reduce",
            )
        )
