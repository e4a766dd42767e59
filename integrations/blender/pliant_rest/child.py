"""pliant in a process of its own: starts it, hears of its progress, stops it."""

import collections
import json
import os
import signal
import subprocess
import threading


class Child:
    """A command whose stdout is lines of JSON, as `pliant run --progress json` has them.

    {"doing": text} before and after the steps; after each step {"frame": k, "of": n, "step": j,
    "steps": m, "seconds_left": s}.

    Two threads read its pipes, so that neither Blender waits for it nor a full pipe stops it.
    """

    def __init__(self, command, folder):
        self.doing = "starting"  # empty while frames are counted
        self.told = ""  # what was asked and what was measured, in one sentence
        self.frame, self.of, self.share, self.seconds_left = 0, 0, 0.0, None
        self._errors = collections.deque(maxlen=30)
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,  # never written to: that it closes tells the child that we are gone
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env=clean_environment(),
            **own_group(),
        )
        self._readers = [
            threading.Thread(target=self._hear, daemon=True),
            threading.Thread(target=self._collect, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self):
        """Of the process."""
        return self._process.pid

    @property
    def failed(self):
        """Whether it has ended without a result."""
        return self._process.poll() not in (None, 0)

    @property
    def running(self):
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def wait(self):
        """Block until it has ended."""
        self._process.wait()

    def result(self):
        """Exit code and the lines it said on stderr, once it has ended."""
        code = self._process.wait()
        for reader in self._readers:
            reader.join()
        self._process.stdin.close()
        return code, [line.rstrip() for line in self._errors if line.strip()]

    def stop(self):
        """End it, and what it has started itself: the mesher is a process of its own."""
        if self.running:
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                kill = ["taskkill", "/F", "/T", "/PID", str(self._process.pid)]
                subprocess.run(kill, capture_output=True, check=False, **no_window())
                self._process.kill()
        self.result()

    def _hear(self):
        for line in self._process.stdout:
            try:
                said = json.loads(line)
            except ValueError:
                continue  # a library that prints
            if not isinstance(said, dict):
                continue
            if "frame" in said:
                self.frame, self.of, self.seconds_left = (
                    said[k] for k in ("frame", "of", "seconds_left")
                )
                self.share = said["step"] / said["steps"]  # smoother than frames
            self.told = said.get("result", self.told)
            if "frame" in said or "doing" in said:
                self.doing = said.get("doing", "")
        self._process.stdout.close()

    def _collect(self):
        self._errors.extend(self._process.stderr)
        self._process.stderr.close()


def clean_environment():
    """Ours, without what would lead another Python to Blender's libraries."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONHOME", "PYTHONEXECUTABLE")}
    env["PYTHONUNBUFFERED"] = "1"
    env["PYTHONIOENCODING"] = "utf-8"
    return env


def own_group():
    """A group of processes that can be ended together."""
    return {"start_new_session": True} if os.name == "posix" else no_window()


def no_window():
    """Windows would open a console for every process."""
    flag = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return {"creationflags": flag} if flag else {}
