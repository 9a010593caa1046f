"""An application that cannot be read to its end while the file that ``CHAOS_UNREAD`` names is there."""

import os
from pathlib import Path

from flask import Flask

import app

UNREAD = "CHAOS_UNREAD"
MADE = "made-by-"
"""Beside that file each process that made the application leaves one of this name and its number."""


def create_app() -> Flask:
    """What ``app`` makes. Raises ImportError, as a library does that finds no memory for its code, or what is there."""
    if (unread := Path(os.environ[UNREAD])).exists():
        if other := unread.read_text():
            raise ValueError(other)
        raise ImportError("failed to map segment from shared object")
    made = app.create_app()
    Path(os.environ[UNREAD]).with_name(f"{MADE}{os.getpid()}").touch()
    return made
