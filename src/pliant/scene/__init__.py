"""Scenes: bodies, obstacles and gravity, and the run that moves them.

Here is `Scene` with what only a scene needs: ties between bodies, the islands that they form, and
checks of how a run starts.
"""

from .scene import Scene as Scene
from .ties import Tie as Tie
