"""A viser server that keeps to its address."""

from __future__ import annotations

import contextlib
import io
import socket
from typing import TYPE_CHECKING

from pliant.errors import MissingExtraError

if TYPE_CHECKING:
    import viser


def open_server(host: str, port: int) -> viser.ViserServer:
    """Listen on one address [host:port], or the next free port; 0 takes any."""
    try:
        import viser
    except ImportError:
        raise MissingExtraError("stages", "viser", "view") from None
    try:
        # viser would try a thousand ports on an address that is not ours, and then wait for ever.
        socket.create_server((host, 0)).close()
    except OSError as error:
        raise ValueError(
            f"play: cannot listen on host={host!r} ({error}); expected an address of this machine, "
            'e.g. host="127.0.0.1"'
        ) from None
    with quiet():
        server = viser.ViserServer(host=host, port=port, verbose=False)
    # Any page that reaches the server may ask viser for a tunnel to the outside: not from here.
    server.request_share_url = lambda verbose=True: None  # type: ignore[method-assign]
    return server


def quiet() -> contextlib.AbstractContextManager[object]:
    """viser prints a banner of its own; the stage says where it is in one line."""
    return contextlib.redirect_stdout(io.StringIO())
