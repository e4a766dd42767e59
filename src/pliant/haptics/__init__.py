"""The haptic loop: a body that pushes back on a hand, a thousand times a second.

A `Loop` runs in a process of its own. It reads where the hand is from a `Device`, moves a `TouchModel`
by one step, and writes the force. `Simulated` is a device that follows a path.
"""

from .device import Device as Device, DeviceError as DeviceError, Simulated as Simulated
from .loop import Loop as Loop
from .model import TouchModel as TouchModel
from .poking import poking as poking
from .report import HapticReport as HapticReport
