"""A case: which input is tried, reproducible from its name and a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """The input with this number of a family, for a seed."""

    family: str
    number: int
    seed: int

    @classmethod
    def of(cls, name: str, seed: int) -> Case:
        """The case that `takes:123` names."""
        family, colon, number = name.partition(":")
        if not colon or not number.isdigit():
            raise ValueError(f"got the case {name!r}; expected FAMILY:NUMBER, e.g. takes:123")
        return cls(family, int(number), seed)

    def __str__(self) -> str:
        return f"{self.family}:{self.number}"

    def random(self) -> random.Random:
        """The choices of this case."""
        return random.Random(f"{self.seed}/{self.family}/{self.number}")

    @property
    def command(self) -> str:
        """What runs it again."""
        return f"python -m tests.fuzz --seed {self.seed} --case {self}"
