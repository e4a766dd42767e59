"""The wish of a body as its take tells it: those of its keys, and which of them a take has reached."""

from __future__ import annotations

from typing import Any

from pliant.bodies import Deformable
from pliant.control import Damping, LandingState

#: What is told of a wish after a run: the hops that were made, and that no time was promised.
OUTCOMES = ("hops", "promised")


def asked(body: Deformable, *, touches: bool = False, tied: bool = False) -> dict[str, Any]:
    """The wish of a body's damping, if it has one.

    It counts from the first touch if bodies of the scene touch, and no pin holds this one. Of wishes
    that change it is the last, which counts from its time; the one before is told by `before`. tied:
    whether its ties hold it, so that all of its motion counts.
    """
    found: dict[str, Any] = {}
    lands = touches and not body.pinned.any()
    for k, (damping, since) in enumerate(body.keyed_dampings):
        wish = _wish(damping, lands=lands)
        if wish and tied:
            wish |= {"tied": True}
        if since is not None and (wish or k):
            wish |= {"since": since}
        found = wish | ({"before": found} if k else {})
    return found


def reached(asked: dict[str, Any], end: float) -> dict[str, Any]:
    """The wish that a body has at the end of its take [s]: keys that come later are left out."""
    found = asked
    while "before" in found and found["since"] >= end:
        found = found["before"]
    outcomes = {name: asked[name] for name in OUTCOMES if name in asked}
    own = {name: value for name, value in found.items() if name != "before"} | outcomes
    return own if "rest_in" in own else {k: v for k, v in own.items() if k != "since"}


def _wish(damping: Damping, *, lands: bool) -> dict[str, Any]:
    wish = damping.wish()
    if wish and lands:
        wish = wish | {"lands": True}
    return wish if damping.swing else wish | {"swing": False}


def wish_outcome(body: Deformable) -> dict[str, Any]:
    """What became of the wish of a body that may touch: `OUTCOMES`, as far as there is any to tell.

    Bounces of what pins hold, or of what is tied to that and touches nothing, are oscillations. Of a
    body that was cut: the most hops of a part, and whether all of them were promised a time.
    """
    each = [_part_outcome(part) for part in body.parts]
    hops = [told["hops"] for told in each if "hops" in told]
    promised = all(told.get("promised", True) for told in each)
    return ({"hops": max(hops)} if hops else {}) | ({} if promised else {"promised": False})


def _part_outcome(body: Deformable) -> dict[str, Any]:
    control = body.state.control
    if not isinstance(control, LandingState):
        return {}
    landed = control.touched is not None and not body.pinned.any()
    hopping = body.damping.wish().get("bounces") and control.clock and landed
    hops = {"hops": control.made} if hopping else {}
    return hops | ({} if control.promised else {"promised": False})
