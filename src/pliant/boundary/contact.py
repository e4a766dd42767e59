"""What the bodies of a scene do where they touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pliant.declared import Checked, Declared, Flag, Quantity, accept, refuse
from pliant.errors import is_finite, shown

#: Names of two bodies or obstacles, in any order.
Pair = tuple[str, str]


@dataclass(frozen=True)
class NamePairs(Checked):
    """A list of pairs of names."""

    def accept(self, who: str, what: str, value: Any) -> tuple[Pair, ...]:
        """The pairs that a constructor was given."""
        if not _are_pairs(value):
            raise ValueError(
                f'{who}: got {what}={shown(value)}; expected pairs of names, as [("a", "b")]'
            )
        return tuple((a, b) for a, b in value)

    def check(self, given: Any) -> tuple[Pair, ...]:
        """The pairs of a file."""
        if not _are_pairs(given):
            refuse('pairs of names, as [["a", "b"]]')
        return tuple((a, b) for a, b in given)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        name = {"type": "string"}
        pair = {"maxItems": 2, "minItems": 2, "prefixItems": [name, name], "type": "array"}
        return {"items": pair, "type": "array"}


@dataclass(frozen=True)
class PairFriction(Quantity):
    """One number, or in Python numbers of pairs of names."""

    def accept(self, who: str, what: str, value: Any) -> Any:
        """The number or the numbers that a constructor was given."""
        if not isinstance(value, Mapping):
            return super().accept(who, what, value)
        fits = [_is_pair(pair) and is_finite(mu) and mu >= 0.0 for pair, mu in value.items()]
        if not all(fits):
            raise ValueError(
                f"{who}: got {what}={shown(value)}; expected numbers of 0 or more by pairs of names, "
                'e.g. {("cloth", "floor"): 0.2}'
            )
        for (a, b), mu in value.items():
            if value.get((b, a), mu) != mu:
                raise ValueError(
                    f"{who}: got {what} {mu:g} and {value[b, a]:g} of {a!r} and {b!r}; "
                    "expected each pair once"
                )
        return {(a, b): float(mu) for (a, b), mu in value.items()}

    def check(self, given: Any) -> Any:
        """The number of a file."""
        if isinstance(given, Mapping):
            refuse(
                "one number, e.g. 0.3: files have the friction of single obstacles in [[obstacle]]"
            )
        return super().check(given)


#: Friction of pairs that are not named.
USUAL = 0.3


@dataclass(frozen=True, repr=False)
class Contact(Declared):
    """Bodies touch each other, themselves and all obstacles, and nothing passes through anything.

        scene = pl.Scene([cloth, ball], gravity=(0, -9.81, 0), contact=pl.Contact(friction=0.4))

    friction [-]: Coulomb's, of all pairs, or of some by their names, {("cloth", "floor"): 0.2}, and 0.3
    of the others. The friction of an obstacle counts if it has one. gap [m]: how near surfaces come
    before they repel each other; by default 1e-3 of the size of the smaller body. self_contact: whether
    a body touches itself. ignore: pairs of names that never touch, [("a", "b")]. record: whether takes
    have points and forces of contacts, `take.contacts`, and the energy of the barrier.

    Where surfaces are nearer than the gap a barrier pushes them apart, W = kappa gap A b(d/gap), with
    b(y) = -(y - 1)^2 ln y and kappa a tenth of the Young's modulus of the softer one; every search ends
    before anything touches. So no frame has an intersection if the start has none. Friction is a
    potential of bristles, which hold what sticks. Pins ignore obstacles. For all
    steppers but `pl.XPBD`. Source: [li2020].
    """

    friction: Annotated[
        Any, PairFriction("Coulomb's, of all that has none of its own", "-", at_least=0.0)
    ] = USUAL
    gap: Annotated[
        float | None,
        Quantity(
            "where surfaces begin to repel each other; 1e-3 of the size of the smaller body",
            "m",
            above=0.0,
        ),
    ] = None
    self_contact: Annotated[bool, Flag("whether bodies touch themselves")] = True
    ignore: Annotated[
        Sequence[Pair], NamePairs('pairs of names that never touch, as [["a", "b"]]')
    ] = ()
    record: Annotated[bool, Flag("whether takes have points and forces of contacts")] = True

    def __post_init__(self) -> None:
        given = {"friction": self.friction, "gap": self.gap}
        given |= {"self_contact": self.self_contact, "ignore": self.ignore, "record": self.record}
        for name, value in zip(given, accept(self, **given), strict=True):
            object.__setattr__(self, name, value)

    def between(self, a: str, b: str, own: float | None) -> float:
        """The friction of two names; own: that of the obstacle among them, if it has any."""
        if isinstance(self.friction, Mapping):
            for pair in ((a, b), (b, a)):
                if pair in self.friction:
                    return float(self.friction[pair])
            return USUAL if own is None else own
        return float(self.friction) if own is None else own

    def names(self) -> set[str]:
        """All names that it mentions."""
        pairs = [*self.ignore, *(self.friction if isinstance(self.friction, Mapping) else ())]
        return {name for pair in pairs for name in pair}

    def facts(self) -> dict[str, Any]:
        """All about it, as JSON can hold it."""
        friction: Any = self.friction
        if isinstance(friction, Mapping):
            friction = [[a, b, mu] for (a, b), mu in friction.items()]
        ignore = [list(pair) for pair in self.ignore]
        return {
            "friction": friction,
            "gap": self.gap,
            "self_contact": self.self_contact,
            "ignore": ignore,
        }


def _are_pairs(given: Any) -> bool:
    listed = isinstance(given, Sequence) and not isinstance(given, str)
    return listed and all(_is_pair(pair) for pair in given)


def _is_pair(given: Any) -> bool:
    if not isinstance(given, Sequence) or isinstance(given, str):
        return False
    return len(given) == 2 and all(isinstance(name, str) for name in given)
