"""Bodies that can tear."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.energies import Energy, Flowing, Tearing
from pliant.given import select
from pliant.materials import Tear
from pliant.mesh import CutSurface, MeshChange, MeshError, connected
from pliant.problem import Flow, History

from .cuttable import Cuttable
from .deformable import Deformable
from .tearing import CellsApart, Tears


class Tearable(Cuttable):
    """A body whose faces open where its stress is beyond the strength of a `pl.Tear`.

    What has torn is the last flow of its history, so it is kept when a step is accepted and only then.
    Faces open between steps.
    """

    _tear: Tear | None = None
    _tears: Tears | None = None
    # The part that each point is in, where open faces that hold on join parts.
    _joined: np.ndarray | None = None
    # The faces that are open and hold on.
    _frayed: np.ndarray | None = None

    @property
    def tear(self) -> Tear | None:
        """How it tears; None: it does not."""
        return self._tear

    @property
    def tears(self) -> bool:
        """Whether it was given a `pl.Tear`."""
        return self._tear is not None

    @property
    def torn_area(self) -> float:
        """The area of one side of what has torn [m^2]; faces that hold on by the share that is lost."""
        return 0.0 if self._tears is None else self._tears.torn_area(self._tearing)

    @property
    def torn_energy(self) -> float:
        """The energy that tearing has taken [J]."""
        return 0.0 if self._tears is None else self._tears.lost(self._tearing)

    @property
    def components(self) -> np.ndarray:
        """Label of the connected part each point is in; sides that hold each other are one part."""
        return super().components if self._joined is None else self._joined

    @property
    def parts(self) -> Sequence[Deformable]:
        """Itself if it tears: its parts may be many, and may tear further."""
        return super().parts if self._tears is None else (self,)

    @property
    def touches_itself(self) -> bool:
        """Not if it tears: the sides of what opens lie on each other."""
        return self._tears is None and super().touches_itself

    def apply_events(self, time: float) -> None:
        """Cut what was to be cut by now, and open the faces whose traction has grown too large."""
        super().apply_events(time)
        if self._tears is not None:
            self._open_faces(self._tears, time)
            self._release(self._tears)
            folds = self._frays(self._tears)
            if self._lets_go(self._tears.torn(self._tearing)) or folds:
                self._system = None

    def _accept_tear(self, tear: Any) -> None:
        """Tear by this from now on; None: not at all. The last of a constructor."""
        self._joined = None
        if tear is None:
            return
        if not isinstance(tear, Tear):
            raise TypeError(
                f"{type(self).__name__}: got tear of type {type(tear).__name__}; expected e.g. "
                "tear=pl.Tear(strength=1e5, energy=100.0)"
            )
        self._tear, on = tear, None
        if tear.on is not None:
            on = np.zeros(len(self), dtype=bool)
            on[select(tear.on, len(self), "Tear(on=...)")] = True
        self._begin_tears(tear, on).require_any()

    def _begin_tears(self, tear: Tear, on: np.ndarray | None) -> Tears:
        """Tear by the faces of its mesh from now on; on: the points between which, None: all."""
        self._tears, self._frayed = Tears(tear, self.mesh, self._cells_apart(tear), on), None
        self._follow_tears(self._tears)
        return self._tears

    def _follow_tears(self, tears: Tears) -> None:
        """Take what else depends on the faces of a mesh of which nothing is open."""

    @abstractmethod
    def _cells_apart(self, tear: Tear) -> CellsApart:
        """Its cells, each by itself."""

    @property
    def _tearing(self) -> Tearing:
        """What has torn."""
        assert self._tears is not None
        flow = None if self._state.history is None else self._state.history.flow
        if flow is None:
            return self._tears.whole
        last = flow.each[-1]
        assert isinstance(last, Tearing)  # `_cohesion` is the last of its energies
        return last

    def take_up_events(self, time: float) -> None:
        """Cut what was to be cut; faces that had opened are known from the changes of the mesh."""
        super().apply_events(time)

    def take_up_flow(self, arrays: Sequence[Mapping[str, np.ndarray]]) -> None:
        """Go on with what has torn, before the state is taken up: its energies depend on it."""
        if self._tears is None or not arrays:
            return
        energies = self.system().flowing
        flows = [e.unpacked_flow(own) for e, own in zip(energies, arrays, strict=True)]
        self._state, self._system = replace(self._state, history=Flow(tuple(flows))), None
        self._release(self._tears)
        self._lets_go(self._tears.torn(self._tearing))
        self._frays(self._tears)

    def _begin_history(self, before: History | None) -> History | None:
        """What has torn stays torn."""
        flow = None if before is None else before.flow
        if self._tears is None or flow is None:
            return super()._begin_history(before)
        others = _virgin(self.system().flowing[:-1])
        return Flow((*others, flow.each[-1]), flow.count + 1)

    def _lets_go(self, torn: np.ndarray) -> bool:
        """Drop what else joins the sides of faces that have begun to tear; whether there was any.

        torn: a mask over the faces.
        """
        return False

    def _cohesion(self, device: str) -> Sequence[Energy]:
        """What holds the sides of open faces together, as the last of its energies."""
        if self._tears is None:
            return []
        given = self._tearing, self.mesh
        found: list[Energy] = [self._tears.energy(*given, device=device)]
        if self._tears.frayed(self._tearing).any():
            found.insert(0, self._tears.folding(*given, device=device))
        return found

    def _frays(self, tears: Tears) -> bool:
        """Whether other faces than before are open and hold on."""
        before, self._frayed = self._frayed, tears.frayed(self._tearing)
        return before is None or not np.array_equal(self._frayed, before)

    def _cut(self, surface: CutSurface, time: float, width: float | None) -> None:
        if self._tears is not None:
            flow = None if self._state.history is None else self._state.history.flow
            if flow is not None or self._tearing.opened.any():
                raise MeshError(
                    f"cut: faces of {self.name} have opened, or it has flowed; expected to cut a body "
                    "that tears before it is pulled that far"
                )
            if width == 0.0:
                raise MeshError(
                    "cut: got width=0 for a body that tears; expected a blade with a width, which "
                    "tells a cut from a tear"
                )
        super()._cut(surface, time, width)

    def _change_mesh(self, change: MeshChange, time: float) -> list[int]:
        gained = super()._change_mesh(change, time)
        tears, tear = self._tears, self._tear
        # Where faces open, points are copied and cells stay; a cut makes pieces, or draws copies back.
        tears_open = (np.diff(change.points.indptr) == 1).all() and len(change.cells) == len(
            np.unique(change.cells)
        )
        if tears is not None and tear is not None and not tears_open:
            self._begin_tears(tear, change.members(tears.on))
        return gained

    def _open_faces(self, tears: Tears, time: float) -> None:
        """Open the faces that are to open with the body as it is."""
        system = self.system() if self.prepared is None else self.prepared
        self.to_host(system)
        flow = None if self._state.history is None else self._state.history.flow
        others = _virgin(system.flowing[:-1]) if flow is None else flow.each[:-1]
        tearing = tears.beyond(self._tearing, self.mesh, self._state.x, others)
        if tearing is None:
            return
        history: History | None = self._state.history
        # Cells stay as they are, so what has flowed in them does.
        self._state = replace(self._state, history=None)
        self._change_mesh(tears.change(tearing, self.mesh), time)
        after = Flow((*others, tearing), 1 if flow is None else flow.count + 1)
        history = after if history is None else history.with_flow(after)
        self._state = replace(self._state, history=history)

    def _release(self, tears: Tears) -> None:
        """Let go what has parted: its sides are parts of their own now."""
        first, other = tears.held(self._tearing, self.mesh).T
        labels = self.mesh.components
        if len(first):
            count = int(labels.max()) + 1
            labels = connected(labels[first], labels[other], count)[labels]
        if not np.array_equal(labels, self.components):
            self._joined, self._system = labels, None
            self._changed()


def _virgin(energies: Sequence[Flowing[Any]]) -> tuple[Any, ...]:
    return tuple(energy.virgin() for energy in energies)
