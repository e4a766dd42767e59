"""The guard in front of viser's socket; the one file that knows how viser opens it.

viser has no option for who may connect. It opens its socket with `websockets.asyncio.server.serve`,
in a thread, while a `ViserServer` is made. `open_guarded` replaces that function for so long, and
adds the guard by options that websockets has: process_request, create_connection, max_size, logger.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import viser
import websockets.asyncio.server as sockets
from websockets.exceptions import ConnectionClosedError
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from .guard import Guard
from .packets import MOST_CHARACTERS, fault

Answer = Callable[[sockets.ServerConnection, Request], "Response | None"]

REFUSED = """403: this is a stage of pliant, and the address is not its own.
Open the whole address that `pliant play` printed; it ends with a token.
"""
#: The page's address holds the token: it goes into no cache and to no other site.
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
log = logging.getLogger("pliant.stage")
#: Codes that websockets closes a connection with by itself, for what was received.
SENSELESS = (CloseCode.PROTOCOL_ERROR, CloseCode.INVALID_DATA, CloseCode.MESSAGE_TOO_BIG)
_making = threading.Lock()


def open_guarded(guard: Guard, host: str, port: int) -> viser.ViserServer:
    """A viser server that answers only what the guard lets in."""
    with _guarding(guard) as guarded:
        server = viser.ViserServer(host=host, port=port, verbose=False)
    if not guarded:
        server.stop()
        raise RuntimeError(
            f"viser {viser.__version__} opens its socket in a way that pliant cannot guard, and any "
            "web page could drive the stage; expected: pip install 'viser==1.1.1'"
        )
    return server


@contextlib.contextmanager
def _guarding(guard: Guard) -> Iterator[list[int]]:
    """While this lasts viser opens its sockets behind the guard; yields the ports that it tried."""
    ports: list[int] = []

    # The options are those that viser chooses. If this raised, viser would wait for ever.
    def serve(handler: Any, host: Any = None, port: Any = None, **options: Any) -> Any:
        if not str(getattr(handler, "__module__", "")).startswith("viser."):
            return original(handler, host, port, **options)
        ports.append(port)
        asyncio.get_running_loop().set_exception_handler(_complain)
        options["process_request"] = _doorman(guard, options.get("process_request"))
        options["create_connection"] = Connection
        options["max_size"], options["logger"] = MOST_CHARACTERS, _logger(guard)
        # viser counts ports up until one is free; after the last one any will do.
        return original(handler, host, port if port < 1 << 16 else 0, **options)

    with _making:
        original = sockets.serve
        sockets.serve = serve  # type: ignore[assignment, misc]
        try:
            yield ports
        finally:
            sockets.serve = original  # type: ignore[misc]


def _doorman(guard: Guard, answer: Answer | None) -> Answer:
    """Answers requests that may enter as viser does, the others with 403."""

    def process(connection: sockets.ServerConnection, request: Request) -> Response | None:
        headers = request.headers
        refusal = guard.refusal(
            request.path,
            hosts=headers.get_all("Host"),
            origins=headers.get_all("Origin"),
            port=connection.local_address[1],
        )
        if refusal is not None:
            guard.report(refusal)
            return connection.respond(403, REFUSED)
        if answer is None:
            return None
        response = answer(connection, replace(request, path=guard.without_token(request.path)))
        if response is not None:
            response.headers.update(HEADERS)
        return response

    return process


class Connection(sockets.ServerConnection):
    """A connection that closes itself at the first packet that viser could not take."""

    async def recv(self, decode: bool | None = None) -> Any:
        """The next good packet."""
        try:
            packet = await super().recv(decode)
        except ConnectionClosedError as error:
            if error.sent is not None and error.sent.code in SENSELESS:
                log.warning("the stage closed a connection: %s", _in_line(error.sent))
            raise
        wrong = fault(packet)
        if wrong is None:
            return packet
        log.warning("the stage closed a connection: bad packet: %s", _in_line(wrong))
        await self.close(CloseCode.POLICY_VIOLATION, "bad packet")
        while True:  # what came after it is not heard; in the end this raises
            await super().recv(decode)


def _complain(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """For what fails inside viser while it handles a packet: one line instead of a traceback."""
    error = context.get("exception") or context.get("message")
    log.warning("the stage could not use what a page sent: %s", _in_line(error))


def _logger(guard: Guard) -> logging.Logger:
    """For what websockets logs of one server: a line where it has a traceback, and each line once."""

    def one_line(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            cause = error.__cause__ or error
            # Browsers open connections ahead and close them unused.
            if not isinstance(cause, (EOFError, ConnectionError)):
                guard.report(_in_line(f"{record.getMessage()}: {cause}"))
        return error is None

    logger = logging.Logger("pliant.stage")  # one of its own, since viser adds a filter each time
    logger.parent = log.parent
    logger.addFilter(one_line)
    return logger


def _in_line(what: object) -> str:
    """Text in one line without what a terminal would obey."""
    line = " ".join(str(what).split())[:200]
    return "".join(c if c.isprintable() else "?" for c in line)
