"""Encryption of what goes between machines: the files of TLS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pliant.resources import require_file

from .local import require_dask


@dataclass(frozen=True)
class Security:
    """The files of TLS: of the authority, of our certificate, and of its key."""

    ca_file: Path
    cert: Path
    key: Path

    def __post_init__(self) -> None:
        for path in (self.ca_file, self.cert, self.key):
            require_file(path, "file of TLS")

    def of_dask(self) -> Any:
        """The same as dask takes it."""
        return require_dask().Security(
            tls_ca_file=str(self.ca_file),
            tls_client_cert=str(self.cert),
            tls_client_key=str(self.key),
            require_encryption=True,
        )
