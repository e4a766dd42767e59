"""Values that programs stumble over."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

INTEGERS = (
    0, 1, -1, 2, 3, 7, 255, 256, 2**31 - 1, 2**31, -(2**31) - 1, 2**32, 2**53 + 1, 2**63 - 1, 2**63,
    -(2**63) - 1, 2**64, 10**18, 10**25, 10**309, 10**400, -(10**400),
)  # fmt: skip
FLOATS = (
    0.0, -0.0, 0.5, 1.5, -1.0, 1e-3, 1e-9, 1e-30, 5e-324, 1e-310, 1e9, 1e20, 1e150, 1e200, 1e300,
    1.7976931348623157e308, -1e300, float("inf"), float("-inf"), float("nan"), 0.1 + 0.2, 3e200,
)  # fmt: skip
TEXTS = (
    "", " ", "a", "nan", "inf", "1e400", "1/0", "1/60", "0x10", "x < 0", "x", "t", "None", "true",
    "null",
    "é", "\u202e", "\ud7ff", "💥", "﷽" * 50, "a" * 5000, "\0", "a\0b", "\n", "\r\n", "\t",
    "\x1b[31m", "\x7f", "%s", "%n", "{0}",
    "[bold]x[/]", "[/]", "$HOME", "~", "__import__('os').system('true')", "x.__class__",
    "lambda: 1",
    "((((((((((", "1" * 400, "9**9**9**9", "x**1e9", "sin(" * 60, "-" * 300 + "1", "x if x else y",
)  # fmt: skip
#: Names that would leave the folder they are put in; `{precious}` is a neighbour nobody named.
NAMES = (
    "../../../precious.zarr/times", "../../precious/x", "../../../../precious/secret.bin", "../x",
    "../../../../../precious.zarr/times", "a/b", "a/../../../x", ".", "..", "", "/", "//",
    "{precious}/x",
    "{precious}/secret.bin", "con", "nul.txt", "a" * 300, "a/" * 200, "x\0y", "é/ü", "..\\..\\x",
    "c:\\x", " ", "a b",
    ".zarray", ".zattrs", ".zgroup", "0", "0.0", "times", "body0", "positions", "checkpoint.npz",
    "-rf", "\n", "a\nb", "💥", "*",
    "\x1b]0;x\x07", "solver/time", ".writer",
)  # fmt: skip


def integer(rng: random.Random) -> int:
    """A whole number at an edge, or near one."""
    return rng.choice(INTEGERS) + (rng.randint(-1, 1) if rng.random() < 0.2 else 0)


def number(rng: random.Random) -> float:
    """A number at an edge, or any."""
    kind = rng.random()
    if kind < 0.4:
        return rng.choice(FLOATS)
    if kind < 0.8:
        return integer(rng)
    return rng.uniform(-10, 10) * 10.0 ** rng.randint(-20, 20)


def text(rng: random.Random) -> str:
    """A text that parsers dislike, or that would be a dangerous path."""
    kind = rng.random()
    if kind < 0.6:
        return rng.choice(TEXTS)
    if kind < 0.85:
        return rng.choice(NAMES).replace("{precious}", "../precious")
    letters = (rng.choice((rng.randrange(128), rng.randrange(0xD7FF))) for _ in range(12))
    return "".join(map(chr, letters))[: rng.randrange(13)]


def name(rng: random.Random, precious: Path) -> str:
    """A name that must not become a path."""
    return rng.choice(NAMES).replace("{precious}", str(precious))


def deep(rng: random.Random) -> Any:
    """Lists in lists, or tables in tables."""
    inner: Any = 1
    as_list = rng.random() < 0.5
    for _ in range(rng.choice((10, 60))):
        inner = [inner] if as_list else {"a": inner}
    return inner


def deep_text(rng: random.Random, opens: str = "[", closes: str = "]") -> str:
    """The text of nested lists, deeper than a recursive parser can go."""
    levels = rng.choice((100, 400, 1000, 100_000))
    return opens * levels + "1" + closes * rng.choice((levels, levels, levels - 1, 0))


def value(rng: random.Random, depth: int = 2) -> Any:
    """Anything that JSON and TOML can say."""
    kind = rng.random()
    if kind < 0.4:
        return number(rng)
    if kind < 0.6:
        return text(rng)
    if kind < 0.68:
        return rng.random() < 0.5
    if kind < 0.72:
        return deep(rng)
    if depth == 0:
        return rng.choice(([], {}, [[]], ""))
    if kind < 0.88:
        return [value(rng, depth - 1) for _ in range(rng.choice((0, 1, 2, 3, 3, 4, 40)))]
    return {text(rng): value(rng, depth - 1) for _ in range(rng.randrange(4))}
