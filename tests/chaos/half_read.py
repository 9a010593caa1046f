"""An application that cannot be read to its end while the file that ``CHAOS_UNREAD`` names is there."""

import os
from pathlib import Path

from flask import Flask

import app

UNREAD = "CHAOS_UNREAD"


def create_app() -> Flask:
    """What ``app`` makes. Raises ImportError, as a library does that finds no memory for its code."""
    if Path(os.environ[UNREAD]).exists():
        raise ImportError("failed to map segment from shared object")
    return app.create_app()
