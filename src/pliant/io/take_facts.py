"""What is said about a take beside its arrays: time step, names, wishes, and what made it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pliant.boundary import obstacle_of
from pliant.errors import is_finite, shown

from .plain_files import DamagedError


def require_facts(path: Path, facts: Any) -> None:
    """Refuse facts of a take that are not what `arrays.facts` writes."""
    expected = {
        "dt": "a number of seconds",
        "names": "a list",
        "asked": "a list",
        "about": "a table",
    }
    good: dict[str, Callable[[Any], object]] = {
        "dt": lambda v: is_finite(v) and v >= 0.0,
        "names": lambda v: isinstance(v, list) and v and all(isinstance(n, str) for n in v),
        "asked": lambda v: isinstance(v, list) and all(isinstance(a, dict) for a in v),
        "about": lambda v: isinstance(v, dict),
    }
    if not isinstance(facts, dict):
        raise DamagedError(f"{path}: its facts are a {type(facts).__name__}; expected a table")
    for key, fits in good.items():
        if not fits(facts.get(key)):
            raise DamagedError(
                f"{path}: got {key} = {shown(facts.get(key))}; expected {expected[key]}"
            )
    if len(facts["asked"]) != len(facts["names"]):
        raise DamagedError(
            f"{path} has {len(facts['names'])} names and {len(facts['asked'])} wishes"
        )
    for asked in facts["asked"]:
        _require_wish(path, asked)
    _require_surroundings(path, facts["about"])


def _require_wish(path: Path, asked: Any) -> None:
    """Refuse a wish, or one that it took the place of, that is none."""
    while asked is not None:
        if not isinstance(asked, dict):
            raise DamagedError(f"{path}: got the wish {shown(asked)}; expected a table")
        _require_sound(path, asked)
        asked = asked.get("before")


def _require_sound(path: Path, asked: dict[str, Any]) -> None:
    rest_in, bounces = asked.get("rest_in", 1.0), asked.get("bounces")
    within, hops = asked.get("within", 0.01), asked.get("hops", 0)
    flags = [asked.get(name, True) for name in ("swing", "lands", "tied", "promised")]
    lists = [asked.get(name, []) for name in ("painted", "beats")]
    if not (
        all(isinstance(given, list) for given in lists)
        and all(is_finite(each) and each > 0.0 for given in lists for each in given)
        and is_finite(asked.get("since", None if "before" in asked else 0.0))
        and (is_finite(rest_in) and rest_in > 0.0)
        and (bounces is None or (type(bounces) is int and 0 <= bounces < 1 << 31))
        and (is_finite(within) and 0.0 < within < 1.0)
        and all(isinstance(flag, bool) for flag in flags)
        and (type(hops) is int and 0 <= hops < 1 << 31)
    ):
        raise DamagedError(
            f"{path}: got the wish {shown(asked)}; expected rest_in, bounces, within, swing and hops"
        )


def _require_surroundings(path: Path, about: dict[str, Any]) -> None:
    gravity, obstacles = about.get("gravity", []), about.get("obstacles", [])
    if not (isinstance(gravity, list) and len(gravity) <= 3 and all(map(is_finite, gravity))):
        raise DamagedError(f"{path}: got gravity {shown(gravity)}; expected 2 or 3 numbers")
    if not (isinstance(obstacles, list) and all(isinstance(o, dict) for o in obstacles)):
        raise DamagedError(f"{path}: got obstacles {shown(obstacles)}; expected a list of tables")
    for facts in obstacles:
        try:
            obstacle_of(facts)
        except ValueError as error:
            raise DamagedError(f"{path}: obstacle {shown(facts)}: {error}") from None
        except TypeError:  # a number too few or too many
            raise DamagedError(
                f"{path}: got an obstacle {shown(facts)}; expected its numbers"
            ) from None


def group_names(facts: dict[str, Any], body: int, number: int = 0) -> dict[str, list[str]] | None:
    """Names of the groups of a body, which are numbered in the file; None: named by their arrays.

    number: that of its mesh, if cuts have changed it.
    """
    every = facts.get("groups")
    if every is None:
        return None  # of the first version
    own = every[body] if isinstance(every, list) and body < len(every) else {}
    if number:
        cut = own.get("changes") if isinstance(own, dict) else None
        own = cut.get(str(number)) if isinstance(cut, dict) else None
    found = {}
    for kind in ("groups", "skin/groups"):
        names = own.get(kind, []) if isinstance(own, dict) else []
        found[kind] = [str(name) for name in names] if isinstance(names, list) else []
    return found
