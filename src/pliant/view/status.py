"""What the panel says: what happens, how fast, and what went wrong."""

from __future__ import annotations

import html
import math

import numpy as np

from pliant.take import AT_REST

from .snapshot import BodySnapshot, StageSnapshot

#: A step that takes this much longer than usual [s] is reported before it ends.
LONG = 1.0
#: A body whose centre moves faster than this [its sizes per second] is not said to be at rest.
MOVES = 0.02
#: So many bodies besides the one in focus have a line.
OTHERS = 6
ALARM, WARNING, LOUD = "#b91c1c", "#92600a", "#c2410c"


def status(snapshot: StageSnapshot, now: float | None = None, ago: float = 0.0) -> str:
    """What happens now, as a few lines of HTML; now: on the clock of `snapshot.made` [s].

    ago: how many seconds of the scene before its end the picture is that is shown.
    """
    lines = [_head(snapshot, ago), *_others(snapshot)]
    lines.append(f'<span style="opacity:0.6">{_pace(snapshot, now)}</span>')
    if snapshot.retries:
        times = "once" if snapshot.retries == 1 else f"{snapshot.retries} times"
        how = "; the hand pulls more gently" if snapshot.held is not None else ""
        lines.append(_coloured(f"a step had to be tried again, {times} in the last second{how}"))
    if snapshot.cuts:
        lines.append(_coloured(_cut_short(snapshot.cuts)))
    if snapshot.contacts is not None:
        lines.append(_touches(snapshot.contacts.forces))
    if snapshot.message:
        hint = " Press Reset." if snapshot.failed else ""
        lines.append(_coloured(snapshot.message + hint, ALARM if snapshot.failed else WARNING))
    body = "<br>".join(lines)
    return f'<div style="padding:0 0.9em 0.4em;font-size:0.85em;line-height:1.5">{body}</div>'


def _cut_short(steps: int) -> str:
    """What a time budget means for the promise."""
    count = "1 step" if steps == 1 else f"{steps} steps"
    return f"{count} of the last second took too long and ended early: rest may come late"


def _touches(forces: np.ndarray) -> str:
    """How many places touch, and the largest force."""
    if not len(forces):
        return "nothing touches"
    largest = float(np.linalg.norm(forces, axis=1).max())
    places = "1 place touches" if len(forces) == 1 else f"{len(forces)} places touch"
    return f"{places}, with up to {largest:.3g} N"


def _head(snapshot: StageSnapshot, ago: float) -> str:
    if ago > 0.0:
        return f"<b>replay</b>, {ago:.2f} s before now"
    if snapshot.failed:
        return f"<b>stopped at {snapshot.time:.2f} s</b>"
    if snapshot.waiting:
        return "waiting for the page"
    if not snapshot.steps and not snapshot.paused:
        return "getting ready; the first run compiles its kernels"
    said = _doing(snapshot.body)
    return said if len(snapshot.bodies) == 1 else f"{html.escape(snapshot.body.name)}: {said}"


def _others(snapshot: StageSnapshot) -> list[str]:
    """A line for each body that is not in focus, as far as there is room."""
    others = [body for i, body in enumerate(snapshot.bodies) if i != snapshot.focus]
    lines = [
        f'<span style="opacity:0.75">{html.escape(body.name)}: {_doing(body, brief=True)}</span>'
        for body in others[:OTHERS]
    ]
    if len(others) > OTHERS:
        lines.append(f'<span style="opacity:0.75">and {len(others) - OTHERS} more</span>')
    return lines


def _doing(body: BodySnapshot, *, brief: bool = False) -> str:
    """What a body does."""
    if body.held:
        return "in your hand" if brief else "in your hand: let go, and it comes to rest"
    if body.rested is not None:
        how = " by its envelope" if body.bounces and not body.landing and not brief else ""
        said = f"<b>at rest after {body.rested:.2f} s</b>{how}, asked for {body.asked:.2f} s"
        falls = ", while it moves on" if body.speed > MOVES * body.size else ""
        return f'<span title="{html.escape(AT_REST)}">{said}</span>{falls}'
    if body.landing:
        return body.landing
    if len(body.curve[0]):
        return f"{body.curve[0][-1]:.1f} s since it was let go"
    moves = body.speed > MOVES * body.size
    if body.asked is None:
        said = "not on cue"
    else:
        said = "its shape is at rest, while it moves on" if moves else "at rest"
    return said if brief else f"{said}: grab {'it' if moves else 'the body'} and pull"


def _pace(snapshot: StageSnapshot, now: float | None) -> str:
    parts = [f"{1e3 * snapshot.cost:.1f} ms per step"]
    wanted = "real time" if snapshot.scale == 1.0 else f"{snapshot.scale:g} × real time"
    overdue = LONG + snapshot.dt / snapshot.scale + 3.0 * snapshot.cost
    if snapshot.waiting:
        parts.append("it begins when the page is there")
    elif snapshot.paused:
        parts.append("stopped" if snapshot.failed else "paused")
    elif now is not None and snapshot.steps and now - snapshot.made > overdue:
        parts.append(_bold(f"this step has taken {now - snapshot.made:.0f} s so far"))
    elif math.isinf(snapshot.slowness):
        parts.append(_bold("the clock stands still"))
    elif snapshot.slowness > 1.0:
        parts.append(_bold(f"{snapshot.slowness:.1f} × slower than {wanted}"))
    elif snapshot.rate is not None:
        parts.append(wanted)
    if snapshot.recorded is not None:
        parts.append(_bold(f"recording {snapshot.recorded:.1f} s"))
    return " · ".join(parts)


def _bold(words: str) -> str:
    return f'<b style="color:{LOUD}">{words}</b>'


def _coloured(words: str, colour: str = WARNING) -> str:
    return f'<span style="color:{colour}">{html.escape(words)}</span>'
