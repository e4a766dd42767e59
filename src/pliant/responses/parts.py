"""A recording in parts: runs with seeds of their own, done by the workers of a sweep."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.errors import is_whole, optional, shown
from pliant.many import JobEngine, Workers, require_same_versions, workers_of
from pliant.take import Show, progress_bar

from .random_run import Found, ResponseRecording
from .recorded import RecordedResponses, joined

Array = np.ndarray
log = logging.getLogger("pliant")


@dataclass(frozen=True, eq=False)
class PartJob:
    """A run of random pushes, as it travels to a worker: so many entries, by a seed.

    recording: what is recorded, pickled, so that each job has a scene of its own.
    """

    recording: bytes
    count: int
    seed: int | tuple[int, int]
    from_rest: bool


@dataclass(frozen=True, eq=False)
class FreeJob:
    """Some of the free responses, as they travel to a worker; columns and sizes of `RandomRun.free`."""

    recording: bytes
    columns: Array
    small: Array
    which: tuple[int, ...]


def recorded_by(job: PartJob) -> RecordedResponses:
    """What a worker has recorded, in columns of points."""
    run = _loaded(job.recording).run()
    found = run.record(job.count, seed=job.seed, from_rest=job.from_rest, progress=False)
    return run.in_points(found)


def freed_by(job: FreeJob) -> Array:
    """The free responses that a worker has found."""
    return _loaded(job.recording).run().free(job.columns, job.small, job.which, False)


class PartedRecording:
    """A recording in parts. What it finds depends on their number, not on who did them.

    The first part has each push from rest; the others begin with a response that is not kept.
    """

    def __init__(self, recording: ResponseRecording, parts: int, engine: JobEngine, progress: Show):
        pickler = optional("cloudpickle", "recording in parts", "sweep")
        self._packed, self._recording = pickler.dumps(recording), recording
        self._parts, self._engine, self._progress = parts, engine, progress

    def found(self, count: int, seed: int) -> Found:
        """What so many entries are, and the free response of what is in them."""
        parts = self._recorded(count, seed)
        run = self._recording.run()
        return run.found(joined([run.in_states(part) for part in parts]), self._free)

    def _recorded(self, count: int, seed: int) -> list[RecordedResponses]:
        """So many entries, in columns of points. Ctrl-C keeps the parts that are whole."""
        counts = [len(own) for own in np.array_split(np.arange(count), self._parts)]
        jobs = {
            f"{k}": PartJob(self._packed, own, (seed, k) if k else seed, not k)
            for k, own in enumerate(counts)
        }
        found: dict[str, RecordedResponses] = {}
        try:
            self._do(recorded_by, jobs, found, "recording")
        except KeyboardInterrupt:
            if "0" not in found:
                raise
            log.warning("interrupted: %d of %d parts are kept", len(found), len(jobs))
        return [found[name] for name in jobs if name in found]

    def _free(self, columns: Array, small: Array) -> Array:
        """All free responses to states of such columns and sizes."""
        shares = np.array_split(np.arange(len(small)), min(self._parts, len(small)))
        jobs = {
            f"{k}": FreeJob(self._packed, columns, small, tuple(own.tolist()))
            for k, own in enumerate(shares)
        }
        found: dict[str, Array] = {}
        self._do(freed_by, jobs, found, "free responses")
        return np.concatenate([found[name] for name in jobs], axis=1)

    def _do(
        self, call: Callable[[Any], Any], jobs: Mapping[str, Any], found: dict[str, Any], what: str
    ) -> None:
        """Have all jobs done; what came of each is in `found` as soon as it is there."""
        with progress_bar(len(jobs), what, self._progress) as advance:
            for name, result in self._engine.each(call, jobs):
                if isinstance(result, Exception):
                    raise result
                found[name] = result
                advance()


@contextmanager
def engine_of(client: Any, scheduler: str | None, workers: int | None) -> Iterator[JobEngine]:
    """The workers that were asked for, of the same versions as this process."""
    if client is not None:
        engine: JobEngine = Workers(client)
        require_same_versions(engine)
        yield engine
        return
    with workers_of(scheduler, workers=workers) as engine:
        require_same_versions(engine)
        yield engine


def check_parts(parts: Any, count: int, kinds: int) -> int:
    """The number of parts, each of which has every push."""
    most = max(1, count // kinds)
    if not (is_whole(parts) and 1 <= parts <= most):
        raise ValueError(
            f"Responses.record: got parts={shown(parts)}; expected 1 to {most}: so that each of {kinds} "
            f"ways to begin comes in every part of {count} entries. Record more seconds for more parts"
        )
    return int(parts)


def _loaded(packed: bytes) -> ResponseRecording:
    pickler = optional("cloudpickle", "recording in parts", "sweep")
    recording: ResponseRecording = pickler.loads(packed)
    return recording
