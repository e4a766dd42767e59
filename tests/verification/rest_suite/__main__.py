"""Run the suite and print what was found."""

from __future__ import annotations

import argparse
import logging
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

from .measuring import Result, results
from .scenes import random_scene


@dataclass(frozen=True)
class Tried:
    said: str
    results: list[Result]
    trouble: str
    seconds: float


def tried(seed: tuple[int, int]) -> Tried:
    logging.disable(logging.WARNING)
    start = time.perf_counter()
    said = f"{seed[0]}:{seed[1]}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            scene = random_scene(*seed)
            said = str(scene)
            found = results(scene, scene.run())
            return Tried(said, found, "", time.perf_counter() - start)
        except Exception as error:
            return Tried(said, [], f"{type(error).__name__}: {error}", time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only")
    args = parser.parse_args()
    seeds = [(args.seed, k) for k in range(args.count)]
    if args.only:
        a, b = args.only.split(":")
        seeds = [(int(a), int(b))]
    if args.jobs > 1:
        with ProcessPoolExecutor(args.jobs) as pool:
            done = list(pool.map(tried, seeds))
    else:
        done = [tried(s) for s in seeds]
    for t in done:
        for r in t.results:
            worst = max(abs(r.rest - 1), 0 if np.isnan(r.period) else abs(r.period - 1))
            print(
                f"{worst:8.4f} {r.wish:>7} rest={r.rest:.4f} period={r.period:.4f} "
                f"said={r.said:.4f} moving={r.moving_target:.4f} part={r.part} {t.seconds:.1f}s {t.said}"
            )
        if t.trouble:
            print(f"REFUSED {t.said} {t.trouble}")
    for wish in ("None", "0", "bounces"):
        e = np.array([abs(r.rest - 1) for t in done for r in t.results if r.wish == wish])
        if len(e):
            print(
                wish, len(e), "median", np.median(e), "95%", np.quantile(e, 0.95), "worst", e.max()
            )
    p = np.array([abs(r.period - 1) for t in done for r in t.results if r.wish == "bounces"])
    if len(p):
        print(
            "period",
            len(p),
            np.nanmedian(p),
            np.nanquantile(p, 0.95),
            np.nanmax(p),
            np.isnan(p).sum(),
        )
    print(f"{sum(t.seconds for t in done):.0f} s in all", file=sys.stderr)


if __name__ == "__main__":
    main()
