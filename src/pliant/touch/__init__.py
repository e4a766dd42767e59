"""Touch: a probe on a body, with forces back.

`Probe` finds which nodes of a body's `Compliance` it touches, and what they and the hand feel. Time is
not here: a body that is let go moves in a scene as any other.
"""

from .probe import Probe as Probe
