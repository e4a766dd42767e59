"""A viser server that keeps to its address and is guarded."""

from __future__ import annotations

import contextlib
import io
import socket
from typing import TYPE_CHECKING, Any

from pliant.errors import MissingExtraError

from .guard import Guard

if TYPE_CHECKING:
    import viser


def open_server(host: str, port: int, guard: Guard | None = None) -> viser.ViserServer:
    """Listen on one address [host:port], or the next free port; 0 takes any.

    Only requests that the guard lets in are answered; without one given nobody knows the token.
    """
    try:
        from .door import open_guarded
    except ImportError:
        raise MissingExtraError("stages", "viser", "view") from None
    _require_port(port)
    try:
        # viser would try a thousand ports on an address that is not ours, and then wait for ever.
        family = socket.getaddrinfo(host or None, 0, type=socket.SOCK_STREAM)[0][0]
        socket.create_server((host, 0), family=family).close()
    except (OSError, UnicodeError) as error:
        raise ValueError(
            f"play: cannot listen on host={host!r} ({error}); expected an address of this machine, "
            'e.g. host="127.0.0.1"'
        ) from None
    with quiet():
        server = open_guarded(guard or Guard(host), host, port)
    # A page may ask viser for a tunnel to the outside: not from here.
    server.request_share_url = lambda verbose=True: None  # type: ignore[method-assign]
    return server


def quiet() -> contextlib.AbstractContextManager[object]:
    """viser prints a banner of its own; the stage says where it is in one line."""
    return contextlib.redirect_stdout(io.StringIO())


def _require_port(port: Any) -> None:
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 1 << 16:
        raise ValueError(f"play: got port={port!r}; expected 0 to 65535, e.g. port=8080")
