"""Who may enter the stage: whoever has its token, calls it by its own name, and is no other page."""

from __future__ import annotations

import ipaddress
import logging
import re
import secrets
import socket
from collections.abc import Sequence

log = logging.getLogger("pliant")

LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: So many different refusals are logged; a hostile page may try without end.
HEADER_LINES = 20
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:@/\s]+)(?::([0-9]{1,5}))?", re.ASCII)


class Guard:
    """Judges requests to a stage on an address; `token` must be the first part of their path.

    A page from elsewhere can make a browser send requests to this machine, also under a name of its
    own that it points here (DNS rebinding). It can neither choose the headers Host and Origin nor
    know the token. The token is in the path because the page keeps the path when it opens its
    websocket, and not in a cookie because browsers send a cookie to every port of a machine.
    """

    def __init__(self, host: str):
        self.token = secrets.token_urlsafe(16)
        self._everywhere = is_unspecified(host)
        asked = socket.gethostname() if self._everywhere else host
        self._names = {canonical(name) for name in (*LOOPBACK, asked)}
        self._said: set[str] = set()

    def refusal(
        self, path: str, *, hosts: Sequence[str], origins: Sequence[str], port: int
    ) -> str | None:
        """Why a request is refused; None if it may enter.

        hosts, origins: all headers Host and Origin of the request. port: where it arrived. Browsers
        always send Origin when they open a websocket; other programs need not.
        """
        if len(hosts) != 1 or not self._is_ours(hosts[0], port):
            return f"the name {_shown(hosts)} is not that of this stage"
        if any(origin.lower() != f"http://{hosts[0].lower()}" for origin in origins):
            return f"it comes from a page of {_shown(origins)}"
        given = path.partition("?")[0].split("/")[1:2] or [""]
        if not secrets.compare_digest(given[0].encode(errors="replace"), self.token.encode()):
            return "its address has no token, or not that of this stage"
        return None

    def without_token(self, path: str) -> str:
        """The path of a request that may enter, as it would be without a guard."""
        return "/" + path.removeprefix(f"/{self.token}").lstrip("/")

    def report(self, refusal: str) -> None:
        """Log a refusal, unless the same was logged before."""
        if refusal not in self._said and len(self._said) < HEADER_LINES:
            self._said.add(refusal)
            log.warning("the stage refused a request: %s", refusal)

    def _is_ours(self, host: str, port: int) -> bool:
        """Whether the header Host names this stage: by an address or a name that only we have."""
        match = _HOST.fullmatch(host.lower())
        if match is None or int(match[2] or 80) != port:
            return False
        name = canonical(match[1].strip("[]"))
        return name in self._names or (self._everywhere and _address(name) is not None)


def is_unspecified(host: str) -> bool:
    """Whether a server on this host listens on all addresses of the machine."""
    address = _address(host)
    return host == "" or (address is not None and address.is_unspecified)


def canonical(host: str) -> str:
    """One spelling for each name or address."""
    address = _address(host)
    return host.lower() if address is None else address.compressed


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _shown(headers: Sequence[str]) -> str:
    return ascii(", ".join(headers)[:80]) if headers else "(none)"
