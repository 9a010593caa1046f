"""A process that has read the whole service already and starts servers by forking: a tenth of the time of a new one.

Run by ``serving.Warm``. Each line on its standard input is one start, as JSON: the arguments of gunicorn, the
environment, the file for its log. The answer is the process id. What runs then is gunicorn as ever: its own process
group, its own workers, its own settings.
"""

import ctypes
import gc
import json
import os
import signal
import sys

import gunicorn.app.wsgiapp
import gunicorn.workers.gthread
from sqlalchemy.orm import configure_mappers

import app
from tests.chaos import broken

KNOWN = (app, broken, gunicorn.workers.gthread)
"""Read here, so that no server has to."""


def main() -> None:
    """Start servers until the standard input ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them here
    configure_mappers()  # else each worker does, for half the time of its start
    gc.freeze()
    for line in sys.stdin:
        wanted = json.loads(line)
        process = os.fork()
        if process == 0:
            serve(wanted["arguments"], wanted["environment"], wanted["log"])
        sys.stdout.write(f"{process}\n")
        sys.stdout.flush()


def serve(arguments: list[str], environment: dict[str, str], log: str) -> None:
    """Become gunicorn with these arguments; never returns."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # ends with this process, and so with the tests
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for ours, theirs in ((nothing, 0), (out, 1), (out, 2)):
        os.dup2(ours, theirs)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["gunicorn", *arguments]
    try:
        gunicorn.app.wsgiapp.run()
    except SystemExit as ended:
        os._exit(ended.code if isinstance(ended.code, int) else 1)
    os._exit(0)


if __name__ == "__main__":
    main()
