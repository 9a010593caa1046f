"""Answers other than pages: ZIP files, PDFs with the paper that the address asks for, and the interface's problems."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from flask import Response, abort, json, request, url_for
from flask.typing import ResponseReturnValue

from events.charts.drawing import Chart
from events.store.errors import Refused, Stale
from events.web.csv_cells import csv_bytes
from events.web.request import now, paper_choice
from models.event import Event
from pdf.cuts import Each
from pdf.page import PageSize, render
from validators.names import without_accents

MODE = 0o644 << 16


def packed(folder: str, files: Mapping[str, bytes], at: datetime) -> bytes:
    """A ZIP of these files in one folder, dated with the local time ``at``."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}", at.timetuple()[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, MODE
            entry.create_system = 3  # Unix, on all platforms
            archive.writestr(entry, data)
    return written.getvalue()


PAPERS: dict[str, PageSize] = {"a4": "A4", "a5": "A5", "letter": "Letter"}
"""Paper sizes by name in addresses."""


LETTER_CITIES = {
    "Adak", "Anchorage", "Boise", "Cancun", "Chicago", "Chihuahua", "Ciudad_Juarez", "Costa_Rica", "Denver",
    "Detroit", "Edmonton", "El_Salvador", "Guatemala", "Halifax", "Hermosillo", "Indiana/Indianapolis", "Juneau",
    "Kentucky/Louisville", "Los_Angeles", "Managua", "Matamoros", "Mazatlan", "Merida", "Mexico_City", "Moncton",
    "Monterrey", "Montreal", "New_York", "Panama", "Phoenix", "Puerto_Rico", "Regina", "St_Johns", "Tegucigalpa",
    "Tijuana", "Toronto", "Vancouver", "Whitehorse", "Winnipeg",
}  # fmt: skip
LETTER_ZONES = frozenset({f"America/{city}" for city in LETTER_CITIES} | {"Pacific/Honolulu", "Asia/Manila"})
"""The time zones of places whose printers hold Letter: North and Central America, the Philippines."""


def paper_of(event: Event) -> str:
    """The paper size of an event's place: "letter" in the zones of Letter, else "a4"."""
    return "letter" if event.timezone in LETTER_ZONES or event.timezone.startswith(("US/", "Canada/")) else "a4"


def paper_asked(event: Event) -> str:
    """The chosen paper size, by default that of the event's place; 404 if unknown."""
    chosen = paper_choice("paper")
    asked = paper_of(event) if chosen is None else chosen.lower()
    if asked not in PAPERS:
        abort(404)
    return asked


def each_asked() -> Each:
    """The chosen number of scoresheets per page, by default 1; 404 for any but 1 and 2."""
    asked = paper_choice("each") or "1"
    if asked not in ("1", "2"):
        abort(404)
    return 2 if asked == "2" else 1


def back_asked() -> bool:
    """Whether the reference sheet is chosen for the back of scoresheets; 404 for any other back."""
    asked = paper_choice("back") or ""
    if asked not in ("", "reference"):
        abort(404)
    return asked == "reference"


def pdf_bytes(event: Event, draw: Callable[..., None], *content: object) -> bytes:
    """What ``draw`` draws from ``content`` as a PDF, in the requested paper size, printed now."""
    return render(draw, PAPERS[paper_asked(event)], "", event.name, printed_at(event), *content)


def pdf_answer(event: Event, name: str, draw: Callable[..., None], *content: object) -> ResponseReturnValue:
    response = Response(pdf_bytes(event, draw, *content), mimetype="application/pdf")
    return name_file(response, f"{event.slug}-{name}.pdf", "inline")


def name_file(response: Response, name: str, shown: str = "attachment") -> Response:
    """The response, with the name of the saved file, as Flask does: in plain letters, and if it has others, as it is
    too (RFC 6266).

    ``shown`` is "inline" for a file that the browser opens itself.
    """
    plain = re.sub("[^a-z0-9._]+", "-", without_accents(name).encode("ascii", "ignore").decode()).strip("-.")
    others = "" if plain == name else f"; filename*=UTF-8''{quote(name)}"
    response.headers["Content-Disposition"] = f'{shown}; filename="{plain}"{others}'
    return response


def figures_asked(stem: str, *charts: Chart | None) -> Response | None:
    """The figures of the page's chart that the address names, as a CSV file; None if it names none, 404 if unknown.

    ``stem`` begins the name of the file, for an event its slug.
    """
    asked = request.args.get("figures")
    if asked is None:
        return None
    chart = next((chart for chart in charts if chart and chart.id == asked), None) or abort(404)
    return csv_answer(stem, chart.id, csv_bytes([chart.columns, *chart.rows]))


def csv_answer(stem: str, name: str, data: bytes) -> Response:
    """A CSV file of this name, which ``stem`` begins, for an event its slug."""
    return name_file(Response(data, mimetype="text/csv"), f"{stem}-{name}.csv")


def printed_at(event: Event) -> datetime:
    return now().astimezone(ZoneInfo(event.timezone))


PREFIX = "/api/v1/"
MIMETYPE = "application/problem+json"


class WrongRequest(Refused):
    """A request that is wrong by itself, whatever the state of the event: 422 for programs, others 409."""


class BrokenRules(Refused):
    """A force that breaks rules; ``rules`` are their ids, each with what is wrong."""

    def __init__(self, message: str, rules: Sequence[tuple[str, str]]) -> None:
        super().__init__(message)
        self.rules = rules


def is_interface() -> bool:
    return request.path.startswith(PREFIX)


def refusal(refused: Refused) -> Response:
    """What the state of the event or its rules do not allow: 409, unless the request is wrong by itself."""
    conflict = refused.status == 422 and not isinstance(refused, WrongRequest)
    title = "Changed in the meantime" if isinstance(refused, Stale) else "Not possible"
    return problem(409 if conflict else refused.status, title, refused.message, refused)


def problem(status: int, title: str, detail: str, refused: Refused | None = None) -> Response:
    """The problem as JSON: with the fields that are wrong, and the ids of broken rules."""
    said: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    if refused is not None:
        said["type"] = url_for("docs.interface", _anchor="stale" if isinstance(refused, Stale) else "refused")
        fields = [*([(refused.field, refused.message)] if refused.field else []), *refused.also]
        said["errors"] = [{"field": name, "message": words} for name, words in fields]
        rules = refused.rules if isinstance(refused, BrokenRules) else ()
        said["rules"] = [{"rule": rule, "message": words} for rule, words in rules]
    return Response(json.dumps(said), status, mimetype=MIMETYPE)
