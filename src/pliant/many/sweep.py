"""`pl.Sweep`: many variants of one scene, each a take, on all cores or on a cluster."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pliant.errors import shown
from pliant.given import flag, path_of
from pliant.io import Lock
from pliant.scenefile import SceneFile, read
from pliant.take import Show, Take, progress_bar

from .asked import accepted, rows_of, whole
from .checks import check, on_gpu, prepared, require_valid
from .engine import JobEngine, Workers, workers_of
from .folder import SUFFIX, SweepFolder
from .job import Done, VariantJob, run_job
from .local import require_dask
from .outcome import Outcome, VariantState
from .pictures import PAGE, check_picture, draw
from .places import unpack
from .results import ResultsTable
from .security import Security
from .variants import Variant, named
from .versions import differences, versions

log = logging.getLogger("pliant")


@dataclass(frozen=True)
class VariantResult:
    """What came of a variant. `take` reads its frames, as far as there are any."""

    variant: Variant
    outcome: Outcome
    path: Path

    @property
    def take(self) -> Take:
        """The take."""
        return Take.read(self.path)


class Sweep:
    """Many variants of a scene file: `pl.Sweep("beam.toml", {"body.settle.rest_in": [0.5, 1, 2]})`.

    scene: a scene file, or the folder of a sweep, which goes on. values: of each field, by default in
    all combinations. pairs: in step instead. table: a CSV file with a variant in each row. sample: so
    many, drawn from ranges, which are tuples (low, high), and lists, by a seed. folder: where takes go.
    fresh: forget the takes that are there, once all new variants were found sound.
    """

    def __init__(
        self,
        scene: str | Path | SceneFile,
        values: Mapping[str, Sequence[Any]] | None = None,
        *,
        pairs: bool = False,
        table: str | Path | None = None,
        sample: int | None = None,
        seed: int = 0,
        folder: str | Path | None = None,
        fresh: bool = False,
    ):
        pairs, self._fresh = flag("Sweep", "pairs", pairs), flag("Sweep", "fresh", fresh)
        table = None if table is None else path_of("Sweep", table)
        folder = None if folder is None else path_of("Sweep", folder)
        values, seed = accepted(values), whole("seed", seed, 0)
        if not isinstance(scene, SceneFile) and path_of("Sweep", scene).is_dir():
            if values or pairs or any(x is not None for x in (table, sample, folder)):
                raise ValueError(
                    f"Sweep: {scene} is a sweep, which goes on as it is; expected the scene file "
                    "beside values, pairs, table, sample and folder"
                )
            self.folder, self._file = SweepFolder.read(Path(scene)), None
            return
        file = scene if isinstance(scene, SceneFile) else read(scene)
        rows = rows_of(values, pairs=pairs, table=table, sample=sample, seed=seed)
        stem = "scene" if isinstance(scene, SceneFile) else Path(scene).stem
        path = Path(stem + SUFFIX) if folder is None else folder
        self.folder = SweepFolder.make(path, file, named(rows), fresh=self._fresh)
        self._file = file
        require_valid(self.folder, file, every=self._fresh)

    def __repr__(self) -> str:
        return f"<Sweep of {len(self.variants)} variants in {self.folder.path}>"

    @property
    def variants(self) -> list[Variant]:
        """The variants, in the order in which they were asked for."""
        return self.folder.variants

    @property
    def results(self) -> list[VariantResult]:
        """What came of the variants that were run."""
        found = [(v, self.folder.outcome(v)) for v in self.variants]
        return [VariantResult(v, o, self.folder.take(v)) for v, o in found if o is not None]

    def draw(self, pictures: Sequence[str | Path] = ()) -> list[Path]:
        """Write the page of all takes on one clock, and others by suffix: .html, .png, .mp4 or .gif.

        The page is left as it is if nothing was run since.
        """
        paths = [Path(p) for p in pictures]
        for path in paths:
            check_picture(path)
        results = self.results
        if not any(result.outcome.frames for result in results):
            return []
        page = self.folder.path / PAGE
        if not self._shows_all(page, results):
            draw(results, page)
        return [page, *(draw(results, path) for path in paths)]

    def _shows_all(self, page: Path, results: Sequence[VariantResult]) -> bool:
        """Whether a page was drawn after all of these."""
        files = [self.folder.outcome_file(result.variant) for result in results]
        return page.exists() and page.stat().st_mtime > max(f.stat().st_mtime for f in files)

    def run(
        self,
        client: Any = None,
        *,
        workers: int | None = None,
        scheduler: str | None = None,
        security: Security | None = None,
        retry: bool = False,
        progress: Show = None,
    ) -> Iterator[VariantResult]:
        """Run what is left, and yield what came of each variant as it comes.

        client: of dask.distributed; without one workers are started on this machine, one per core, or
        `workers` (0: in this process, without dask). scheduler: the address of one that runs. retry:
        run again what failed.
        """
        if workers is not None:
            workers = whole("workers", workers, 0)
        if client is not None and not isinstance(client, require_dask().Client):
            raise TypeError(
                f"Sweep.run: got client={shown(client)}; expected one of dask.distributed, or "
                'scheduler="tcp://farm:8786"'
            )
        self.folder.path.mkdir(parents=True, exist_ok=True)
        lock = Lock(self.folder.path)
        try:
            yield from self._run(
                client, workers, scheduler, security, retry=retry, progress=progress
            )
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise OSError(
                f"no space left on device for {self.folder.path}; all frames are kept: make room, "
                f"then pliant sweep {self.folder.path} goes on"
            ) from None
        finally:
            lock.release()

    def _run(
        self,
        client: Any,
        workers: int | None,
        scheduler: str | None,
        security: Security | None,
        *,
        retry: bool,
        progress: Show,
    ) -> Iterator[VariantResult]:
        with ExitStack() as stack:
            with self.folder.proposed(self._file, fresh=self._fresh):
                table = ResultsTable(self.folder)
                left = self._left(table, retry=retry)
                jobs = {variant.name: self._job(variant) for variant in left}
                gpu = bool(left) and on_gpu(self.folder, left[0])
                if left:
                    given = workers_of(scheduler, workers=workers, security=security, gpu=gpu)
                    engine = Workers(client) if client is not None else stack.enter_context(given)
                    stack.enter_context(prepared(engine, self.folder))
                    check(engine, jobs, gpu=gpu)
            self._fresh = False
            stack.enter_context(table)
            advance = stack.enter_context(
                progress_bar(len(self.variants), self.folder.path.name, progress)
            )
            for variant in self.variants:
                if variant.name not in jobs:
                    advance()
                    kept = replace(table.outcomes[variant.name], how="kept")
                    yield self._result(variant, kept)
            if left:
                yield from self._new(engine, table, left, jobs, advance, gpu=gpu)

    def _left(self, table: ResultsTable, *, retry: bool) -> list[Variant]:
        """The variants that are to be run."""
        ended = (VariantState.done,) if retry else (VariantState.done, VariantState.failed)
        outcomes = [(v, table.outcomes.get(v.name)) for v in self.variants]
        left = [v for v, outcome in outcomes if outcome is None or outcome.state not in ended]
        others = differences(self.folder.versions, versions())
        if left and others and any(self.folder.take(v).is_dir() for v in self.variants):
            log.warning(
                "%s was begun with %s: takes that come now may differ from those in their last digits; "
                "--fresh begins anew",
                self.folder.path,
                others,
            )
        return left

    def _new(
        self,
        engine: JobEngine,
        table: ResultsTable,
        left: Sequence[Variant],
        jobs: Mapping[str, VariantJob],
        advance: Callable[[], None],
        *,
        gpu: bool,
    ) -> Iterator[VariantResult]:
        """Run variants, and yield what came of each."""
        by_name = {variant.name: variant for variant in left}
        for variant in left:
            outcome = table.outcomes.get(variant.name)
            if outcome is not None and outcome.state is VariantState.failed:
                self.folder.forget(variant)
        for name, done in engine.each(run_job, jobs, gpu=gpu):
            outcome = self._received(by_name[name], done)
            table.add(outcome)
            advance()
            yield self._result(by_name[name], outcome)
            if "no space left on device" in outcome.trouble:
                raise OSError(errno.ENOSPC, outcome.trouble)

    def _job(self, variant: Variant) -> VariantJob:
        text = self.folder.parse(variant).scene_text
        path = str(self.folder.path.resolve())
        return VariantJob(variant.name, text, path, self.folder.token, versions())

    def _result(self, variant: Variant, outcome: Outcome) -> VariantResult:
        return VariantResult(variant, outcome, self.folder.take(variant))

    def _received(self, variant: Variant, done: Any) -> Outcome:
        """The outcome of a variant; a take that came packed is put into its place."""
        if not isinstance(done, Done):  # its worker was lost too often, or cannot import pliant
            said = f"{type(done).__name__}: {' '.join(str(done).split())[:300]}"
            return Outcome(variant.name, VariantState.stopped, trouble=said)
        if done.packed is not None:
            unpack(done.packed, self.folder.take(variant))
        if done.outcome.state is not VariantState.stopped and self.folder.outcome(variant) is None:
            done.outcome.save(self.folder.outcome_file(variant))
        return done.outcome
