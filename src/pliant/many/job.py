"""One variant as it travels to a worker, and what the worker does with it.

The take is the memory: nothing is done if it is whole, a half one goes on, else it begins.
"""

from __future__ import annotations

import errno
import logging
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pliant.errors import SolverError, in_scene
from pliant.io import TakeFolder, count_frames, load
from pliant.scenefile import SceneFile, Setup, parse
from pliant.take import Take

from .outcome import Outcome, VariantState, measured_of, read_outcome
from .places import home_of, packed
from .versions import differences, host, versions

#: How often it is tried to get a take that another process still writes [times], and the pause [s].
TRIES, PAUSE = 10, 0.5
#: Warnings of a run that its outcome repeats.
MOST_WARNINGS = 5


class GivenUpError(Exception):
    """Nobody waits for this run any more."""


@dataclass(frozen=True)
class VariantJob:
    """A variant, with all that another machine needs but the files, which travel once.

    folder: of the sweep, where the one who asks sees it; token: what `sweep.toml` there says.
    """

    name: str
    text: str
    folder: str
    token: str
    versions: Mapping[str, str]
    energies: bool = True


@dataclass(frozen=True)
class Done:
    """What a worker sends back: the outcome, and the take packed where it does not see the folder."""

    outcome: Outcome
    packed: bytes | None = None


def run_job(job: VariantJob) -> Done:
    """Run a variant as far as it is not run yet; whatever happens is told in the outcome."""
    began, home = time.perf_counter(), home_of(job.folder, job.token)
    heard: list[str] = []
    with _listening(heard):
        try:
            outcome = _run(job, home)
        except GivenUpError:
            outcome = _stopped(job, home, "nobody waited for it any more")
        except SolverError as error:
            outcome = _failed(job, home, in_scene(error))
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                said = f"no space left on device for {home}"
            else:
                said = f"{error.strerror or error} {error.filename or ''}".strip()
            outcome = _stopped(job, home, said)
        except (ValueError, MemoryError) as error:
            outcome = _stopped(job, home, in_scene(error) or "not enough memory")
    told = dict.fromkeys(filter(None, [outcome.trouble, *heard[:MOST_WARNINGS]]))
    seconds = outcome.seconds if outcome.how == "kept" else time.perf_counter() - began
    outcome = replace(outcome, trouble="; ".join(told), seconds=seconds, host=host())
    if outcome.state is not VariantState.stopped and outcome.how != "kept":
        with suppress(OSError):  # a full disk; the client has the outcome, too
            outcome.save(_place(home, job, ".json"))
    away = home != Path(job.folder)
    return Done(outcome, packed(_place(home, job, ".zarr")) if away else None)


def check_job(job: VariantJob) -> str:
    """Build a variant that has no take yet; what is wrong with it, in words, or nothing."""
    home = home_of(job.folder, job.token)
    wrong = differences(versions(), job.versions)
    if wrong:
        return f"{host()} has {wrong}"
    if _frames(_place(home, job, ".zarr")):
        return ""
    try:
        with _listening([]):
            _file(job, home).build(progress=False)
    except (ValueError, OSError, SolverError) as error:
        return in_scene(error)
    return ""


def _run(job: VariantJob, home: Path) -> Outcome:
    wrong = differences(versions(), job.versions)
    if wrong:
        raise ValueError(f"{host()} has {wrong}; expected the same versions everywhere")
    path, kept = _place(home, job, ".zarr"), read_outcome(_place(home, job, ".json"))
    frames = _frames(path)
    if kept is not None and kept.state is VariantState.done and kept.frames == frames:
        return replace(kept, how="kept")
    path.parent.mkdir(parents=True, exist_ok=True)
    file = _file(job, home)
    take = _taken(file.build(progress=False), file, path, job, resume=frames > 0)
    how = "resumed" if frames > 0 else "run"
    how = "kept" if frames == len(take) else how
    return Outcome(job.name, VariantState.done, how, len(take), measured_of(take))


def _taken(setup: Setup, file: SceneFile, path: Path, job: VariantJob, *, resume: bool) -> Take:
    """The whole take of a variant."""
    wanted = _who_waits()

    def step(done: int, of: int) -> None:
        if not wanted():
            raise GivenUpError

    said = {"scene": file.scene_text, "scene_folder": job.folder}
    store = TakeFolder(path, said, energies=job.energies)
    for left in reversed(range(TRIES)):
        try:
            return setup.run_into(store, resume=resume, progress=step)
        except ValueError as error:
            # A worker that is given up holds the take until it ends.
            if "is being written by another run" not in str(error) or not left:
                raise
            time.sleep(PAUSE)
    raise AssertionError("the last try returns or raises")


def _who_waits() -> Callable[[], bool]:
    """A function that says whether the one who asked for this still waits for it."""
    import sys

    if "distributed" not in sys.modules:
        return lambda: True
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:  # this process is none
        return lambda: True
    key, tasks = worker.get_current_task(), worker.state.tasks

    def waits() -> bool:
        task = tasks.get(key)
        return task is not None and task.state == "executing"

    return waits


def _file(job: VariantJob, home: Path) -> SceneFile:
    return parse(job.text, folder=home, name=job.name)


def _place(home: Path, job: VariantJob, suffix: str) -> Path:
    return home / "takes" / f"{job.name}{suffix}"


def _frames(path: Path) -> int:
    """The frames of a take; none if there is none."""
    return count_frames(path) if path.is_dir() else 0


def _failed(job: VariantJob, home: Path, said: str) -> Outcome:
    """A step that could not be solved is a result, with the frames before it."""
    path = _place(home, job, ".zarr")
    frames = _frames(path)
    return Outcome(
        job.name,
        VariantState.failed,
        "run",
        frames,
        measured_of(load(path)) if frames else {},
        trouble=said,
    )


def _stopped(job: VariantJob, home: Path, said: str) -> Outcome:
    frames = 0
    with suppress(OSError, ValueError):
        frames = _frames(_place(home, job, ".zarr"))
    return Outcome(job.name, VariantState.stopped, "run", frames, trouble=said)


@contextmanager
def _listening(heard: list[str]) -> Iterator[None]:
    """Collect what pliant and Python warn of, which no one would see on a worker."""

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(" ".join(record.getMessage().split()))

    log, ear = logging.getLogger("pliant"), Ear(logging.WARNING)
    passed_on = log.propagate
    log.addHandler(ear)
    log.propagate = False
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            yield
        heard += [" ".join(str(w.message).split()) for w in caught if w.category is UserWarning]
    finally:
        log.removeHandler(ear)
        log.propagate = passed_on
