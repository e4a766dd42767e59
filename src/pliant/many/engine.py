"""Where jobs are done: in this process, or on the workers of a scheduler of `dask.distributed`.

An engine gives back results as they come, and never loses one: what a lost worker had is done again.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Protocol

from pliant.backend import cores

from .local import LocalWorkers, quiet_dask, require_dask
from .security import Security

#: How long a scheduler is waited for, and its first worker [s].
PATIENCE = 30.0
#: How often a job is sent again after the scheduler has given it up, each time after `LOSSES` workers.
SENT_AGAIN = 3
#: How long a result is waited for that is there [s]: a take may come with it.
GATHERED = 300.0
#: A result that has to be waited for once more.
_NOT_YET = object()


class JobEngine(Protocol):
    """Does jobs: `each` yields their names and results as they come, errors as values."""

    def each(
        self, call: Callable[[Any], Any], jobs: Mapping[str, Any], *, gpu: bool = False
    ) -> Iterator[tuple[str, Any]]:
        """Call a function of a module with every job."""

    def everywhere(self, call: Callable[..., Any], *given: Any) -> dict[str, Any]:
        """Call a function on every worker; results, or errors, by the worker's address."""

    def keep_ready(self, name: str, plugin: Any) -> AbstractContextManager[None]:
        """Have what a plugin of workers sets up on all of them, also those that join later."""


class ThisProcess:
    """Does one job after the other, without dask."""

    def each(
        self, call: Callable[[Any], Any], jobs: Mapping[str, Any], *, gpu: bool = False
    ) -> Iterator[tuple[str, Any]]:
        """Call the function with every job."""
        for name, job in jobs.items():
            try:
                result = call(job)
            except Exception as error:
                result = error
            yield name, result

    def everywhere(self, call: Callable[..., Any], *given: Any) -> dict[str, Any]:
        """Call the function here."""
        return {"here": call(*given)}

    @contextmanager
    def keep_ready(self, name: str, plugin: Any) -> Iterator[None]:
        """Nothing has to be set up."""
        yield


class Workers:
    """The workers of a client of `dask.distributed`."""

    def __init__(self, client: Any, local: LocalWorkers | None = None):
        self._client, self._local = client, local

    def each(
        self, call: Callable[[Any], Any], jobs: Mapping[str, Any], *, gpu: bool = False
    ) -> Iterator[tuple[str, Any]]:
        """Send all jobs, and yield results as they come; jobs are cancelled if nobody asks for more."""
        killed, came = require_dask().scheduler.KilledWorker, queue.SimpleQueue[Any]()
        resources = {"GPU": 1} if gpu else None
        pending: dict[Any, str] = {}
        sent, later = dict.fromkeys(jobs, 0), list[Any]()

        def send(name: str) -> None:
            sent[name] += 1
            future = self._client.submit(
                call, jobs[name], pure=False, resources=resources, retries=0
            )
            pending[future] = name
            future.add_done_callback(came.put)

        try:
            for name in jobs:
                send(name)
            while pending:
                try:
                    future = came.get(timeout=0.5)
                except queue.Empty:
                    self._require_workers()
                    while later:
                        came.put(later.pop())
                    continue
                name, result = pending[future], self._result_of(future)
                if result is _NOT_YET:
                    later.append(future)
                    continue
                del pending[future]
                if isinstance(result, killed) and sent[name] <= SENT_AGAIN:
                    send(name)
                    continue
                future.release()
                yield name, result
        finally:
            if pending and self._client.status == "running":
                with suppress(Exception):  # it was lost meanwhile
                    self._client.cancel(list(pending), force=True)

    def _result_of(self, future: Any) -> Any:
        """What came of a job, or `_NOT_YET`: a worker that is lost after it takes the result with it."""
        status = future.status
        if status in ("pending", "lost"):  # it is computed again
            self._require_workers()
            return _NOT_YET
        if status == "error":
            return future.exception()
        if status != "finished":
            raise self._lost()
        try:
            return future.result(timeout=GATHERED)
        except TimeoutError:
            self._require_workers()
            return _NOT_YET
        except Exception:
            if self._client.status != "running":
                raise self._lost() from None
            raise

    def everywhere(self, call: Callable[..., Any], *given: Any) -> dict[str, Any]:
        """Call the function on every worker that there is now."""
        while not self._came():
            self._require_workers()
        found: dict[str, Any] = self._client.run(call, *given, on_error="return")
        return found

    @contextmanager
    def keep_ready(self, name: str, plugin: Any) -> Iterator[None]:
        """Register the plugin while the block runs."""
        self._client.register_plugin(plugin, name=name)
        try:
            yield
        finally:
            if self._client.status == "running":
                with suppress(Exception):
                    self._client.unregister_worker_plugin(name)

    def _came(self) -> bool:
        """Whether a worker has come; those of this machine are waited for as long as they live."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            if self._local is not None:
                return False
            self._require_workers()
            raise ConnectionError(
                f"{self._address}: no worker came within {PATIENCE:g} s; start some, e.g. "
                f"dask worker {self._address} --nthreads 1 --no-dashboard"
            ) from None
        return True

    @property
    def _address(self) -> str:
        return str(self._client.scheduler.address) if self._client.scheduler else "the scheduler"

    def _require_workers(self) -> None:
        if self._local is not None and not self._local.alive:
            raise ConnectionError(
                f"the workers of this machine end at once: {self._local.last_words}"
            )
        if self._client.status not in ("running", "connecting"):
            raise self._lost()

    def _lost(self) -> ConnectionError:
        return ConnectionError(
            "the scheduler was lost; nothing else is: start one, and the same call goes on"
        )


@contextmanager
def workers_of(
    scheduler: str | None,
    *,
    workers: int | None,
    security: Security | None = None,
    gpu: bool = False,
) -> Iterator[JobEngine]:
    """The engine that was asked for: a scheduler by its address, or processes of this machine.

    workers: of this machine; by default one per core, with a GPU one. 0: this process itself.
    """
    if scheduler is None and workers == 0:
        yield ThisProcess()
        return
    if scheduler is not None:
        with _client_of(scheduler, security) as client:
            yield Workers(client)
        return
    local = LocalWorkers(workers or (1 if gpu else cores()), gpus=1 if gpu else 0)
    with local as client:
        yield Workers(client, local)


@contextmanager
def client_at(scheduler: str | None) -> Iterator[Any]:
    """A client of a scheduler; None if none was asked for."""
    if scheduler is None:
        yield None
        return
    with _client_of(scheduler, None) as client:
        yield client


@contextmanager
def _client_of(address: str, security: Security | None) -> Iterator[Any]:
    distributed = require_dask()
    given = None if security is None else security.of_dask()
    with quiet_dask():
        try:
            client = distributed.Client(address, timeout=PATIENCE, security=given)
        except (OSError, TimeoutError, ValueError) as error:
            raise ConnectionError(
                f"--scheduler {address}: no scheduler answers there "
                f"({' '.join(str(error).split())[:200]}); expected the address that dask scheduler "
                "prints, e.g. tcp://farm:8786"
            ) from None
        try:
            yield client
        finally:
            client.close()
