"""Commands that run beside the web server, and end when it does."""

import os
import subprocess
import sys

import migrations

NICER = {"mail": 5, "keep": 19}
"""So much nicer than the server is each, for pages come first. What sends mail holds the database's lock now and then,
and everybody would wait for one that gets no processor; what looks after the database and copies it only reads."""


def start_beside(command: str) -> None:
    """Start ``overseer COMMAND run`` as a child of this process, which ends when this one does."""
    words = [sys.executable, "-P", "-m", "events.commands.main", command, "run", "--beside", str(os.getpid())]
    started = subprocess.Popen(words, cwd=migrations.FOLDER.parent, stdin=subprocess.DEVNULL)  # noqa: S603 - our own interpreter
    os.setpriority(os.PRIO_PROCESS, started.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICER[command])
