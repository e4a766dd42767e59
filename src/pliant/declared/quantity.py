"""A number with a unit and a range."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from functools import reduce
from operator import and_, ge, gt, le, lt
from typing import Any, ClassVar, NoReturn

import numpy as np

from pliant.errors import LARGEST, SMALLEST, described, is_finite, shown
from pliant.given import floats_or_nan


def refuse(expected: str, *, field: str = "", got: str = "") -> NoReturn:
    """Refuse a field of a file. `field` is one below the table that is checked; NAME is its name.

    Without `got` the error shows the value that was given.
    """
    from pydantic_core import PydanticCustomError

    raise PydanticCustomError(
        "scene", "refused", {"expected": expected, "field": field, "got": got}
    )


@dataclass(frozen=True)
class Note:
    """The declaration of a parameter: one sentence, and how files write it.

    about: says what the parameter is; ": " or "; " begins an aside. unit: its SI unit, "-" for a ratio.
    default: what is meant where a file leaves it out, if that is not the default of the constructor;
    `...` if a file must give it. none: the word for None in files, where None is not the default.
    example: a value that makes sense, for laws and laboratories.
    """

    about: str = ""
    unit: str = ""
    _: KW_ONLY
    default: Any = None
    none: str = ""
    example: Any = None

    file_type: ClassVar[Any] = Any  # for pydantic

    @property
    def description(self) -> str:
        """The sentence with the unit in it."""
        unit = f" [{self.unit}]" if self.unit else ""
        aside = re.search("[:;] ", self.about)
        end = aside.start() if aside else len(self.about)
        return (self.about[:end] + unit + self.about[end:]).strip()

    def accept(self, who: str, what: str, value: Any) -> Any:
        """The value as a constructor keeps it; refused with the words of the declaration."""
        return value

    def check(self, given: Any) -> Any:
        """The value of a file, or an error that says what was expected."""
        return given

    def from_file(self, value: Any) -> Any:
        """The value for the constructor, from that of a file."""
        if isinstance(value, (list, tuple)):
            return tuple(self.from_file(v) for v in value)
        return None if self.none and value == self.none else value


class Checked(Note):
    """A declaration whose own `check` reads files, in place of pydantic's."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(self.check)


@dataclass(frozen=True)
class Quantity(Checked):
    """A number within limits.

    most: a bound that is told only where it is exceeded, with the reason `why`. Without it `why` is said
    of every number that is refused. says: what errors in Python expect, if the range says too little.
    per: what in Python may have a number each, such as "cell".
    """

    _: KW_ONLY
    above: float | None = None
    at_least: float | None = None
    below: float | None = None
    at_most: float | None = None
    whole: bool = False
    most: int | None = None
    per: str = ""
    why: str = ""
    says: str = ""

    @property
    def file_type(self) -> Any:
        """A number."""
        return int if self.whole else float

    def __str__(self) -> str:
        low = f"{self.above:g} < " if self.above is not None else ""
        low = f"{self.at_least:g} <= " if self.at_least is not None else low
        high = f" < {self.below:g}" if self.below is not None else ""
        high = f" <= {self.at_most:g}" if self.at_most is not None else high
        middle = f"{low}NAME{high}"
        if low and not high:  # "NAME > 0" reads better than "0 < NAME"
            middle = f"NAME {'>' if self.above is not None else '>='} {low.split()[0]}"
        kind = "a whole number" if self.whole else "a number"
        unit = f" [{self.unit}]" if self.unit not in ("", "-") else ""
        if not (low or high):
            return f"{kind}{unit}"
        return f"{kind + ', ' if self.whole else ''}{middle}{unit}"

    def _within(self, numbers: Any) -> Any:
        """Whether a number, or each of an array, is within the limits."""
        limits = ((self.above, gt), (self.at_least, ge), (self.below, lt), (self.at_most, le))
        fits = [compare(numbers, limit) for limit, compare in limits if limit is not None]
        fits += [numbers == np.floor(numbers)] if self.whole else []
        return reduce(and_, fits, True)

    def check(self, given: Any) -> Any:
        """The number of a file, or an error that says what was expected."""
        if self.none and given == self.none:
            return given
        expected = f'{self}, or "{self.none}"' if self.none else str(self)
        if isinstance(given, bool) or not is_finite(given):
            refuse(expected)
        if abs(given) > LARGEST or (self.above == 0.0 and 0.0 < given < SMALLEST):
            refuse(f"{self}, from {SMALLEST:g} to {LARGEST:g}")
        if not self._within(given):
            refuse(expected)
        if self.most is not None and given > self.most:
            refuse(f"at most {self.most}{self._because}")
        return int(given) if self.whole else float(given)

    def accept(self, who: str, what: str, value: Any) -> Any:
        """The number that a constructor was given; with `per` also an array of them."""
        if self.per:
            return self.accept_each(who, what, value)
        flag = isinstance(value, bool | np.bool_)
        if flag or not (is_finite(value) and self._within(value)):
            one = "one number " if getattr(value, "shape", ()) else ""
            why = "" if self.most is not None else self._because
            raise ValueError(
                f"{who}: got {what}={described(value)}; expected {one}{self._range(what)}{why}"
            )
        if self.most is not None and value > self.most:
            raise ValueError(
                f"{who}: got {what}={described(value)}; expected at most {self.most}{self._because}"
            )
        number = int(value) if self.whole else float(value)
        self._require_size(who, what, np.array(number))
        return number

    def accept_each(self, who: str, what: str, value: Any, count: int | None = None) -> Any:
        """A new array of one number for all, or one per element; with `count` as many as that."""
        numbers = floats_or_nan(value)
        fits = numbers.ndim < 2 if count is None else numbers.shape in ((), (1,), (count,))
        finite = np.isfinite(numbers).all()
        if not (fits and finite):
            got = f"{what} of shape {numbers.shape}" if finite else f"{what}={shown(value)}"
            got = f"a function for {what}" if callable(value) else got
            many = "a flat array of them" if count is None else count
            raise ValueError(
                f"{who}: got {got}; expected a finite number or {many}, one per {self.per}"
            )
        beyond = numbers[~np.broadcast_to(self._within(numbers), numbers.shape)]
        if beyond.size:
            got = described(value) if count and not numbers.ndim else f"{beyond.flat[0]:g}"
            raise ValueError(
                f"{who}: got {what}={got}; expected {self._range(what)}{self._because}"
            )
        self._require_size(who, what, numbers)
        return numbers if count is None else np.array(np.broadcast_to(numbers, (count,)))

    def holds(self, numbers: np.ndarray) -> bool:
        """Whether all of them are within the limits, and neither too small nor too large to use."""
        usable = (abs(numbers) <= LARGEST) & ((self.above != 0.0) | (numbers >= SMALLEST))
        return bool(np.all(self._within(numbers) & usable))

    def _require_size(self, who: str, what: str, numbers: Any) -> None:
        """Refuse what is too small or too large to compute with."""
        wrong = numbers[(abs(numbers) > LARGEST) | ((self.above == 0.0) & (numbers < SMALLEST))]
        if wrong.size:
            raise ValueError(
                f"{who}: got {what}={wrong.flat[0]:g}; expected {SMALLEST:g} to {LARGEST:g} "
                f"[{self.unit}]"
            )

    @property
    def _because(self) -> str:
        return f": {self.why}" if self.why else ""

    def _range(self, what: str) -> str:
        """The range in words, for Python."""
        if self.says:
            return self.says
        low = self.above if self.at_least is None else self.at_least
        if low is None or self.whole or self.below is not None or self.at_most is not None:
            return str(self).replace("NAME", what)
        unit = f" [{self.unit}]" if self.unit else ""
        return f"{low:g} or more{unit}" if self.above is None else f"more than {low:g}{unit}"

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        limits = {
            "exclusiveMinimum": self.above,
            "minimum": self.at_least,
            "exclusiveMaximum": self.below,
            "maximum": self.at_most,
        }
        number: dict[str, Any] = {"type": "integer" if self.whole else "number"}
        number |= {k: v for k, v in limits.items() if v is not None}
        return {"anyOf": [number, {"const": self.none}]} if self.none else number
