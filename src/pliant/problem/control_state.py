"""What a damping that controls inertia knows from one step to the next."""

from __future__ import annotations


class ControlState:
    """Base of the states of controllers. They are never changed: a step makes a new one."""

    def displaced(self) -> ControlState:
        """The state after something outside the step, such as an obstacle, has moved points."""
        return self
