"""A claim of a source, what we find, and whether it holds.

A verdict is computed from the measured number wherever there is one, so that a change in the code
that breaks a claim changes the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """How a claim fares."""

    HOLDS = "holds"
    PARTLY = "holds in part"
    FAILS = "does not hold"
    MISPRINT = "misprint"


@dataclass(frozen=True)
class Claim:
    """Where it stands, what it says, what we find (HTML), and the verdict."""

    where: str
    says: str
    found: str
    verdict: Verdict


def holds_if(condition: bool) -> Verdict:
    """HOLDS or FAILS."""
    return Verdict.HOLDS if condition else Verdict.FAILS


def power(number: float) -> str:
    """A small number to one digit in HTML, as 8·10^-8; not so small ones as they are."""
    if number == 0.0 or number >= 0.01:
        return f"{number:.2g}"
    digit, exponent = f"{number:.0e}".split("e")
    return f"{digit}·10<sup>{int(exponent)}</sup>".replace("-", "−")
