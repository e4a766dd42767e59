"""A worker of this machine: `python -m pliant.many.worker ADDRESS NAME GPUS`.

It listens on the loopback only, has one thread and no dashboard, and ends with whoever started it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading


def main() -> None:
    """Work until standard input closes, or the scheduler is gone."""
    import dask

    # Ctrl-C is for the one who asked; who ends this process, too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_input, daemon=True).start()
    dask.config.set({"distributed.worker.http.routes": []})
    asyncio.run(_work(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    os._exit(0)  # not to wait for a run that nobody waits for


async def _work(address: str, name: str, gpus: int) -> None:
    from distributed import Worker

    from .local import LOOPBACK

    worker = Worker(
        address,
        name=name,
        nthreads=1,
        host=LOOPBACK,
        dashboard=False,
        dashboard_address=f"{LOOPBACK}:0",
        memory_limit=0,  # a run asks for its memory itself; to be killed for it would not help
        death_timeout=30,
        resources={"GPU": gpus} if gpus else None,
    )
    async with worker:
        await worker.finished()


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os._exit(130)


if __name__ == "__main__":
    main()
