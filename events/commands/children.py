"""Processes that `overseer serve` starts next to the web server. They end when it ends, however that happens."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


def start_child(
    command: Sequence[str], folder: Path, *, nice: int = 0, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a command in ``folder``. On Linux the kernel sends it SIGTERM when this process ends, even by SIGKILL."""

    def prepare() -> None:
        if sys.platform == "linux":
            _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        os.nice(nice)

    return subprocess.Popen(  # noqa: S603 - our own interpreter, or the proxy's own program
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, preexec_fn=prepare,
    )  # fmt: skip
