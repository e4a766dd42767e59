"""What happened to a body for good."""

from __future__ import annotations

from dataclasses import dataclass

from pliant.energies import Flowed


class History:
    """Base of what happened to a body for good: cut springs, turned nodes, flow. Never changed."""

    flow: Flow | None = None

    def with_flow(self, flow: Flow) -> History:
        """The same with another flow."""
        raise NotImplementedError(f"{type(self).__name__} has no flow")


@dataclass(frozen=True, eq=False)
class Flow(History):
    """What has flowed in the matter of a body: one value for each energy that is `Flowing`.

    count: in how many steps something flowed, so that two flows of one run are told apart.
    """

    each: tuple[Flowed, ...]
    count: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "flow", self)

    def with_flow(self, flow: Flow) -> History:
        """The other flow."""
        return flow


@dataclass(frozen=True)
class IslandHistory(History):
    """What happened to each of the bodies that make their steps as one."""

    members: tuple[History | None, ...]


def flows(history: History | None) -> int:
    """How often a body, or any of several, has flowed."""
    if isinstance(history, IslandHistory):
        return sum(flows(own) for own in history.members)
    return 0 if history is None or history.flow is None else history.flow.count
