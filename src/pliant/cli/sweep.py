"""`pliant sweep SCENE`: many variants of a scene file, on all cores or on a cluster."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .failures import print_line
from .options import Device, Dt, Progress, Seconds, changes, say

if TYPE_CHECKING:
    from pliant.many import Security, Sweep, VariantResult

Asked = Annotated[
    Path, typer.Argument(help="A scene file, or the folder of a sweep, which goes on.")
]
Values = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="A field and its values, e.g. --set body.settle.rest_in=0.5,1,2; of several fields all "
        "combinations.",
    ),
]
Pairs = Annotated[
    bool, typer.Option("--pairs", help="The first values together, then the second ones.")
]
Table = Annotated[
    Path | None,
    typer.Option(help="A CSV file: fields in the first line, a variant in each other."),
]
Sample = Annotated[
    int | None,
    typer.Option(help="Draw so many variants from ranges, e.g. --set body.material.young=1e4:1e6."),
]
Targets = Annotated[
    list[Path] | None,
    typer.Option(
        "--out",
        "-o",
        help="The folder, e.g. beam.sweep; and takes side by side by suffix: .html .png .mp4 .gif.",
        show_default="SCENE.sweep",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(help="A scheduler of dask that runs, e.g. tcp://farm:8786.", show_default=False),
]
Workers = Annotated[
    int | None,
    typer.Option(
        help="Processes on this machine; 0: this one.", min=0, show_default="one per core"
    ),
]
Shown = Annotated[
    Progress,
    typer.Option(
        help="A bar; lines of JSON for other programs: variant, state, done, of and seconds_left, "
        "then written; or nothing."
    ),
]


def sweep(
    scene: Asked,
    values: Values = None,
    pairs: Pairs = False,
    table: Table = None,
    sample: Sample = None,
    seed: Annotated[int, typer.Option(help="Of --sample.")] = 0,
    out: Targets = None,
    scheduler: Scheduler = None,
    workers: Workers = None,
    retry: Annotated[bool, typer.Option("--retry", help="Run again what failed.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew.")] = False,
    seconds: Seconds = None,
    dt: Dt = None,
    device: Device = None,
    progress: Shown = Progress.bar,
    tls_ca_file: Annotated[Path | None, typer.Option(help="TLS: of the authority.")] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="TLS: our certificate.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="TLS: its key.")] = None,
) -> None:
    """Run all variants of a scene that are not run yet; Ctrl-C keeps takes, a second call goes on."""
    from pliant import many, scenefile as scene_files

    folder, pictures = targets(out)
    for picture in pictures:
        many.check_picture(picture)
    if scene.is_dir():
        if values or pairs or table or sample or seconds or dt or device or folder:
            raise ValueError(
                f"{scene} is a sweep, which goes on as it is; expected the scene file beside --set, "
                "--pairs, --table, --sample, --seconds, --dt, --device and a folder"
            )
        asked = many.Sweep(scene if scene.name else scene.resolve(), fresh=fresh)
    else:
        file = scene_files.read(
            scene, overrides=changes(None, seconds=seconds, dt=dt, device=device)
        )
        fields = many.fields_of(values or [], ranges=sample is not None)
        asked = many.Sweep(
            file,
            fields,
            pairs=pairs,
            table=table,
            sample=sample,
            seed=seed,
            folder=folder or Path(scene.stem + many.SUFFIX),
            fresh=fresh,
        )
    security = tls(tls_ca_file, tls_cert, tls_key)
    found = followed(
        asked, progress, scheduler=scheduler, workers=workers, security=security, retry=retry
    )
    report(asked, found, pictures, progress)


def targets(out: list[Path] | None) -> tuple[Path | None, list[Path]]:
    """The folder of a sweep, and the pictures beside it, by suffix."""
    folders = [path for path in out or [] if path.suffix.lower() in (".sweep", "")]
    if len(folders) > 1:
        raise ValueError(f"-o: got {len(folders)} folders; expected one, e.g. -o beam.sweep")
    return (folders[0] if folders else None), [path for path in out or [] if path not in folders]


def tls(ca_file: Path | None, cert: Path | None, key: Path | None) -> Security | None:
    """The files of TLS, all or none."""
    from pliant.many import Security

    if ca_file is None and cert is None and key is None:
        return None
    if ca_file is None or cert is None or key is None:
        raise ValueError("expected --tls-ca-file, --tls-cert and --tls-key together")
    return Security(ca_file, cert, key)


def followed(asked: Sweep, progress: Progress, **how: Any) -> list[VariantResult]:
    """Run a sweep to its end, or to Ctrl-C, and say how far it is."""
    began, found, of = time.perf_counter(), list[Any](), len(asked.variants)
    if progress is Progress.json:
        say(doing=f"checking {of} variants")
    try:
        for result in asked.run(progress=None if progress is Progress.bar else False, **how):
            found.append(result)
            if progress is Progress.json:
                left = (time.perf_counter() - began) / len(found) * (of - len(found))
                told = {"variant": result.variant.name, "state": result.outcome.state.value}
                say(**told, done=len(found), of=of, seconds_left=round(left, 2))
    except KeyboardInterrupt:
        path = asked.folder.path
        done = f"{len(found)} of {of} variants"
        typer.echo(f"stopped  {path} has {done}; pliant sweep {path} goes on", err=True)
        raise typer.Exit(130) from None
    return found


def report(
    asked: Sweep, found: list[VariantResult], pictures: list[Path], progress: Progress
) -> None:
    """What came of all variants, and where it is; leaves with 1 if one is not whole."""
    states = Counter(result.outcome.state.value for result in found)
    told = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    count = "1 variant" if len(found) == 1 else f"{len(found)} variants"
    told, path = f"{count}: {told}", asked.folder.path
    say(result=told) if progress is Progress.json else typer.echo(told)
    progress.tell("drawing the takes")
    for file in (path / "results.csv", *asked.draw(pictures)):
        say(written=str(file)) if progress is Progress.json else typer.echo(f"written  {file}")
    bad = [result for result in found if result.outcome.state.value != "done"]
    for result in bad:
        print_line(
            result.outcome.state.value,
            "bold red",
            f"{result.variant.name}: {result.outcome.trouble}",
        )
    if bad:
        again = " --retry" if states["failed"] else ""
        print_line("note", "bold", f"pliant sweep {path}{again} runs them again")
        raise typer.Exit(1)
