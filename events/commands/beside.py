"""Commands that run beside the web server, and end when it does."""

import os
import subprocess
import sys

import migrations

LESS = 5
"""So much nicer they are than the server: at a start all want the processor, and pages come first."""


def start_beside(command: str) -> None:
    """Start ``overseer COMMAND run`` as a child of this process, which ends when this one does."""
    words = [sys.executable, "-P", "-m", "events.commands.main", command, "run", "--beside", str(os.getpid())]
    started = subprocess.Popen(words, cwd=migrations.FOLDER.parent, stdin=subprocess.DEVNULL)  # noqa: S603 - our own interpreter
    os.setpriority(os.PRIO_PROCESS, started.pid, os.getpriority(os.PRIO_PROCESS, 0) + LESS)
