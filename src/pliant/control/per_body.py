"""What is made once for a prepared body and dropped with it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class PerBody(Generic[T]):
    """Objects that depend on the prepared body and a few numbers, as the energies of a viscosity do.

    They are a cache, not a state: every use of one sets what changes from step to step first.
    """

    def __init__(self, make: Callable[..., T]):
        self._make = make
        self._made: WeakKeyDictionary[Any, dict[tuple[Hashable, ...], T]] = WeakKeyDictionary()

    def __call__(self, body: Any, *numbers: Hashable) -> T:
        """The object of this body and these numbers."""
        made = self._made.setdefault(body, {})
        if numbers not in made:
            made[numbers] = self._make(body, *numbers)
        return made[numbers]
