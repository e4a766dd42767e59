"""Says that kernels are being compiled: a first run would otherwise begin with a silent pause."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import warp as wp

log = logging.getLogger("pliant")

#: What Warp says of a module that was not in its cache.
COMPILED = re.compile(r"took ([\d.]+) ms.*\(compiled\)")


class Compilation:
    """Counts what Warp compiles, and tells of it as warnings of the log "pliant".

    Where no logging was set up these are lines on stderr, above a progress bar if there is one;
    `logging.getLogger("pliant").setLevel(logging.ERROR)` silences them. Nothing is said of kernels
    that come from the cache.
    """

    def __init__(self) -> None:
        self.modules, self.seconds = 0, 0.0  # not yet told of
        self._begun = self._told = False
        self._used: str | None = None  # a cache that has kernels

    def expect(self) -> None:
        """Kernels will be launched: on a fresh machine it is certain that they must be compiled."""
        cache = wp.config.kernel_cache_dir
        if self._begun or cache == self._used:
            return
        if any(Path(cache or "").glob("wp_*")):
            self._used = cache  # and it is not looked through for every energy
        else:
            self._begin()

    def hear(self, message: str) -> bool:
        """Listen to a message of Warp's, which come after the fact; whether it was a compilation."""
        found = COMPILED.search(message)
        if found is None:
            return False
        self._begin()
        self.modules += 1
        self.seconds += 1e-3 * float(found[1])
        return True

    def over(self) -> None:
        """Report how long the compilations since the last call took."""
        if not self.modules:
            return
        which = "more" if self._told else "its"
        told = "pliant compiled %s kernels in %.1f s (modules: %d)"
        log.warning(told, which, self.seconds, self.modules)
        self.modules, self.seconds, self._told = 0, 0.0, True

    def _begin(self) -> None:
        if not self._begun:
            log.warning(
                "pliant compiles its kernels for this machine, once; they are kept in %s",
                wp.config.kernel_cache_dir,
            )
        self._begun = True


#: Of this process.
compilation = Compilation()
