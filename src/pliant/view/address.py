"""The address of this machine, as others know it."""

from __future__ import annotations

import socket


def own_address() -> str:
    """An address of this machine that others on its network know, or its name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: asks which way such packets would go
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
