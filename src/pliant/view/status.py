"""What the panel says: what happens, how fast, and what went wrong."""

from __future__ import annotations

import html
import math

from pliant.take import AT_REST

from .snapshot import StageSnapshot

#: A step that takes this much longer than usual [s] is reported before it ends.
LONG = 1.0
ALARM, WARNING, LOUD = "#b91c1c", "#92600a", "#c2410c"


def status(snapshot: StageSnapshot, now: float | None = None) -> str:
    """What happens now, as a few lines of HTML; now: on the clock of `snapshot.made` [s]."""
    lines = [_head(snapshot), f'<span style="opacity:0.6">{_pace(snapshot, now)}</span>']
    if snapshot.retries:
        times = "once" if snapshot.retries == 1 else f"{snapshot.retries} times"
        how = "; the hand pulls more gently" if snapshot.held is not None else ""
        lines.append(_coloured(f"a step had to be tried again, {times} in the last second{how}"))
    if snapshot.message:
        hint = " Press Reset." if snapshot.failed else ""
        lines.append(_coloured(snapshot.message + hint, ALARM if snapshot.failed else WARNING))
    body = "<br>".join(lines)
    return f'<div style="padding:0 0.9em 0.4em;font-size:0.85em;line-height:1.5">{body}</div>'


def _head(snapshot: StageSnapshot) -> str:
    if snapshot.failed:
        return f"<b>stopped at {snapshot.time:.2f} s</b>"
    if not snapshot.steps and not snapshot.paused:
        return "getting ready; the first run compiles its kernels"
    if snapshot.held is not None:
        return "in your hand: let go, and it comes to rest"
    if snapshot.rested is not None:
        how = " by its envelope" if snapshot.bounces and not snapshot.landing else ""
        said = (
            f"<b>at rest after {snapshot.rested:.2f} s</b>{how}, asked for {snapshot.asked:.2f} s"
        )
        return f'<span title="{html.escape(AT_REST)}">{said}</span>'
    if snapshot.landing:
        return snapshot.landing
    if len(snapshot.curve[0]):
        return f"{snapshot.curve[0][-1]:.1f} s since it was let go"
    if snapshot.asked is None:
        return "not on cue: grab the body and pull"
    return "at rest: grab the body and pull"


def _pace(snapshot: StageSnapshot, now: float | None) -> str:
    parts = [f"{1e3 * snapshot.cost:.1f} ms per step"]
    wanted = "real time" if snapshot.scale == 1.0 else f"{snapshot.scale:g} × real time"
    overdue = LONG + snapshot.dt / snapshot.scale + 3.0 * snapshot.cost
    if snapshot.paused:
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
