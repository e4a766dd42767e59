"""The stage: a live scene in the browser, to grab and to let go."""

from .engine import Engine
from .stage import Stage, play

__all__ = ["Engine", "Stage", "play"]
