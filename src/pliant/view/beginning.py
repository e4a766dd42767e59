"""How a body on the stage began, to go back to."""

from __future__ import annotations

from pliant.bodies import Deformable
from pliant.control import Damping
from pliant.given import is_due

#: What is not put back as it was: what the panel sets, and what is put back in another way.
SETTINGS = ("_damping", "_damped_since", "_damped_later", "_system", "_state", "_pins")


class Beginning:
    """A body as the stage got it: its mesh, which cuts and tears change, its start and its dampings.

    damping: the one that it began with; keys: those that were to come, which the stage gives it itself,
    since a hand or the panel may have given it another one by then.
    """

    def __init__(self, body: Deformable):
        self.body, self.damping, self.keys = body, body.damping, body.drop_keys()
        self._mesh, self._pins = body.mesh, body.pins
        self._state, self._positions, self._velocity = body.state, body.positions, body.velocity
        self._kept = [(name, value) for _, name, value in body.kept() if name not in SETTINGS]

    def damping_at(self, time: float) -> Damping | None:
        """The damping that the scene gives the body at a time [s]."""
        due = [damping for at, damping in self.keys if is_due(at, time)]
        return due[-1] if due else self.damping

    def put_back(self) -> bool:
        """Make the body as it was; returns whether it got its first mesh back."""
        body, kept, changed = self.body, [], self.body.mesh is not self._mesh
        if changed:
            kept = [*self._kept, ("_pins", self._pins)]
            self._pins = self._pins.copy()  # a hand changes those of the body
        if changed or body.state.history is not self._state.history:  # or springs were cut
            kept.append(("_system", None))
        for name, value in kept:
            setattr(body, name, value)
        body.take_up(self._state)
        body.place(self._positions)
        body.velocity = self._velocity
        return changed
