"""The stage: a live scene in the browser, to grab and to let go.

One thread owns the bodies and steps them (`engine`); others leave wishes for it (`mailbox`), which
it carries out between two steps. viser shows the newest snapshot, and its socket is guarded: only
who has the token may enter (`guard`, `door`), and only what a page may say is heard (`packets`).
"""

from .engine import Engine
from .stage import Stage, play

__all__ = ["Engine", "Stage", "play"]
