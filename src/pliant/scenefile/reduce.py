"""`reduce`: a solid that moves in its modes."""

from __future__ import annotations

from typing import Any

from pliant.bodies import Body, Modal

from .tables import table_of

_Reduced: Any = table_of(Modal)


class ReduceTable(_Reduced):  # type: ignore[misc]
    """How many modes a solid moves in."""

    def make(self, plain: Body) -> Modal:
        """The body in its modes, with the pins, loads, start and damping of another."""
        return Modal(plain, **self.arguments())
