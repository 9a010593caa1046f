"""Answers that are no pages: PDFs in the asked paper size, ZIP files, QR codes."""

import io
import zipfile
from collections.abc import Callable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

import segno
from flask import abort, make_response, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from events.web.request import now
from models.event import Event
from pdf.page import PageSize
from pdf.scoresheet import Each

MODE = 0o644 << 16


def packed(folder: str, files: Mapping[str, bytes], at: datetime) -> bytes:
    """These files in their order, in one folder, each of the moment ``at`` as a clock at the event's place shows it."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}", at.timetuple()[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, MODE
            entry.create_system = 3  # as on Unix, wherever it is made
            archive.writestr(entry, data)
    return written.getvalue()


PAPERS: dict[str, PageSize] = {"a4": "A4", "a5": "A5", "letter": "Letter"}
"""The papers that an address can ask for."""


def paper_asked() -> str:
    """The paper that the address asks for, as it names it, A4 if it asks for none; 404 for any other."""
    asked = request.args.get("paper", "a4").lower()
    if asked not in PAPERS:
        abort(404)
    return asked


def each_asked() -> Each:
    """How many scoresheets the address wants on a sheet of paper, one if it does not say; 404 for any other number."""
    asked = request.args.get("each", "1")
    if asked not in ("1", "2"):
        abort(404)
    return 2 if asked == "2" else 1


def pdf_answer(event: Event, name: str, draw: Callable[[PageSize], bytes]) -> ResponseReturnValue:
    """What ``draw`` makes for the paper that the address asks for, named after the event; 404 for any other paper."""
    response = make_response(draw(PAPERS[paper_asked()]))
    response.mimetype = "application/pdf"
    response.headers["Content-Disposition"] = f'inline; filename="{event.slug}-{name}.pdf"'
    return response


def printed_at(event: Event) -> datetime:
    """The time of the request, as a clock at the event's place shows it."""
    return now().astimezone(ZoneInfo(event.timezone))


def qr(address: str) -> Markup:
    """An address as a QR code, an inline SVG."""
    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(scale=4, border=4, svgclass="qr-code", lineclass=None, omitsize=True))  # noqa: S704 - made of squares
