"""The picture and the accent colour of an event's page."""

import base64
import hashlib
import io
import re
from pathlib import Path

import pytest
from PIL import Image

from events.play.errors import Refused
from events.setup.covers import (
    HIGHEST,
    LEAST_CONTRAST,
    MOST_BYTES,
    PAPERS,
    WIDEST,
    accent_of,
    contrast,
    encoded,
    fault_of,
)
from models.cover import Cover
from models.event import Event
from tests.kit.person import Person
from tests.kit.stage import Stage

LOOK = "/e/iron-open/desk/look"


def picture(width: int = 1300, height: int = 700, kind: str = "JPEG", **saved: object) -> bytes:
    """A picture as a camera makes it."""
    written = io.BytesIO()
    Image.effect_noise((width, height), 60).convert("RGB").save(written, kind, **saved)
    return written.getvalue()


def test_picture_is_encoded_anew_and_bounded() -> None:
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    for sent in (picture(exif=exif), picture(90, 60, "PNG", exif=exif), picture(90, 60, "WEBP", exif=exif)):
        assert b"taken at home" in sent, "the control"
        found = encoded(sent)
        assert b"taken at home" not in found
        assert len(found) <= MOST_BYTES
        with Image.open(io.BytesIO(found)) as shown:
            assert shown.format == "JPEG"
            assert shown.width <= WIDEST and shown.height <= HIGHEST


def test_other_files_are_refused() -> None:
    cut_off, large = picture()[:5000], io.BytesIO()
    Image.new("1", (8000, 6000)).save(large, "PNG")
    for sent in (b"", b"<svg/>", b"GIF89a" + bytes(50), picture(60, 60, "GIF"), cut_off, large.getvalue()):
        with pytest.raises(Refused):
            encoded(sent)


def test_colour_is_seen_on_both_papers_or_the_message_says_what_to_choose() -> None:
    css = Path("events/web/static/overseer.css").read_text()
    assert re.search(r"--paper: light-dark\((#\w+), (#\w+)\)", css).groups() == tuple(PAPERS.values())  # type: ignore[union-attr]
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    for colour, words in (("#ffff00", "darker"), ("#101010", "lighter"), ("red", "such as")):
        with pytest.raises(Refused, match=words):
            accent_of(colour)
    kept = accent_of(" #2F8F5F ")
    assert kept == "#2f8f5f"
    assert min(contrast(kept, paper) for paper in PAPERS.values()) >= LEAST_CONTRAST
    assert accent_of("") == ""


def test_page_shows_what_the_organiser_chose(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    olga.open(LOOK)
    assert "Choose a darker one" in olga.press("Save", accent="#ffff00").error_at("accent")
    assert "cannot be read" in olga.press("Save", picture=("a.jpg", b"no picture")).error_at("picture")
    assert stage.all(Cover) == []
    assert olga.press("Save", accent="#2f8f5f", picture=("a.png", picture(900, 300, "PNG"))).flashes == "Saved."
    page = visitor.open("/e/iron-open").soup
    image, style = page.select_one(".event-cover"), page.select_one("link[href*='/accent/']")
    assert image is not None
    assert style is not None
    answer = visitor.ask("GET", str(image["src"]))
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert "immutable" in answer.headers["Cache-Control"]
    assert visitor.ask("GET", str(style["href"])).text == ":root { --accent: #2f8f5f; }\n"
    assert visitor.ask("GET", "/accent/ffff00.css").status_code == 404
    olga.open(LOOK)
    olga.press("Save", remove=True, accent="")
    assert not visitor.open("/e/iron-open").soup.select(".event-cover, link[href*='/accent/']")
    assert visitor.ask("GET", str(image["src"])).status_code == 404
    assert stage.journal(event, "change-look") == ["Changed the picture or the colour of the event's page"] * 2


def test_archive_brings_the_look_along_and_checks_it(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(LOOK)
    olga.press("Save", accent="#2f8f5f", picture=("a.png", picture(400, 300, "PNG")))
    archive = olga.ask("GET", "/e/iron-open/desk/archive.json").data
    olga.open("/desk/archive-in")
    olga.press("Import", file=("a.json", archive))
    one, other = stage.all(Cover)
    assert (one.digest, one.accent) == (other.digest, other.accent)
    sound = Cover(event_id=0, accent=one.accent, picture=one.picture, digest=one.digest)
    assert fault_of(sound) == ""
    assert fault_of(Cover(event_id=0, accent="#ffff00"))
    assert fault_of(Cover(event_id=0, picture=one.picture, digest="0" * 64))
    for made_up in (b"<script>", picture(1300, 400), picture(40, 40, "PNG")):
        text = base64.b64encode(made_up).decode()
        assert fault_of(Cover(event_id=0, picture=text, digest=hashlib.sha256(made_up).hexdigest()))
