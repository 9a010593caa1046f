"""The static files. Their addresses name the release, a digest of all of them: a browser may keep them for a year."""

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

import brotli
from flask import Flask, current_app, request
from werkzeug.wrappers import Response

KINDS = frozenset({".css", ".js", ".svg"})
YEAR = 365 * 24 * 3600
TYPEFACE = ".ttf"
"""The files of the typeface have their version in their name (``service/typeface.py``)."""


def add_release(app: Flask) -> None:
    app.extensions["overseer_release"] = release_of(Path(app.static_folder or ""))

    @app.url_defaults
    def name_release(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and not values["filename"].endswith(TYPEFACE):
            values["v"] = files_release()

    app.after_request(keep_for_a_year)
    app.after_request(send_packed)


def release_of(folder: Path) -> str:
    seen = hashlib.sha256()
    for path in static_files(folder):
        seen.update(path.name.encode() + path.read_bytes())
    return seen.hexdigest()[:16]


def files_release() -> str:
    """The release of the files that this process serves."""
    release: str = current_app.extensions["overseer_release"]
    return release


def static_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in KINDS)


def keep_for_a_year(response: Response) -> Response:
    """Let browsers keep a static file whose address names this release. Others are asked for again."""
    if request.endpoint == "static" and response.status_code in (200, 304):
        this_release = request.args.get("v") == files_release() or request.path.endswith(TYPEFACE)
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable" if this_release else "no-cache"
    return response


def send_packed(response: Response) -> Response:
    """Send a text file of the release, or the typeface, in a coding that the browser reads, as a proxy would."""
    if request.endpoint != "static" or response.status_code not in (200, 304):
        return response
    path = Path(current_app.static_folder or "", (request.view_args or {})["filename"])
    if path.suffix not in {*KINDS, TYPEFACE}:
        return response
    response.vary.add("Accept-Encoding")
    coding = request.accept_encodings.best_match(["br", "gzip"])
    if response.status_code == 200 and coding and request.method == "GET":
        response.close()  # the file
        response.direct_passthrough = False
        response.set_data(compressed_file(path, coding, files_release()))
        response.headers["Content-Encoding"] = coding
    return response


@lru_cache
def compressed_file(path: Path, coding: str, release: str) -> bytes:
    """A static file in Brotli or gzip. ``release`` is the one that the file belongs to: another one has other bytes."""
    text = path.read_bytes()
    return bytes(brotli.compress(text)) if coding == "br" else gzip.compress(text, 9, mtime=0)
