"""The picture and the accent colour of an event's page: re-encoded, limited in size, and checked for contrast."""

import base64
import binascii
import hashlib
import io
import re
from collections.abc import Iterable

from PIL import Image, ImageOps, UnidentifiedImageError
from sqlmodel import Session, col, select

from events.play.act import Act
from events.play.errors import Refused
from events.play.journal import note
from languages.message import message
from languages.words import gettext
from models.cover import LONGEST_PICTURE, Cover
from models.event import Event

WIDEST, HIGHEST = 1200, 600
"""Pixels of the stored picture."""
MOST_BYTES = LONGEST_PICTURE * 3 // 4
MOST_PIXELS = 40_000_000
"""The most pixels of an upload. Cameras have up to 24 million, and each takes three bytes while it is read."""
MOST_RATIO = 50
"""The most times that one side is as long as the other. Of a thinner picture nothing is left once it is small."""
MOST_SENT = 12_000_000
"""The most bytes of an upload."""
FORMATS = ("JPEG", "PNG", "WEBP")
PAPERS = {"light": "#f5f1e6", "dark": "#15130f"}
"""The page's background in both colour schemes, as in the stylesheet."""
LEAST_CONTRAST = 3.0
"""The least contrast of lines and areas with the background (WCAG 1.4.11)."""
_COLOUR = re.compile(r"#[0-9a-f]{6}")


def cover_of(s: Session, event: Event) -> Cover | None:
    """The event's look; None if the organiser chose none."""
    return s.exec(select(Cover).where(Cover.event_id == event.id)).first()


def pictures_of(s: Session, events: Iterable[Event]) -> dict[int, str]:
    """The digests of the events' pictures by event, of those that have one."""
    chosen = select(Cover.event_id, Cover.digest).where(col(Cover.event_id).in_([e.id for e in events]))
    return {event_id: digest for event_id, digest in s.exec(chosen) if digest}


def encoded(sent: bytes) -> bytes:
    """The picture as a JPEG of at most 1200 x 600 pixels without any metadata. Raises Refused."""
    try:
        with Image.open(io.BytesIO(sent), formats=FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise Refused(gettext("This picture is too large. Choose one of at most 40 million pixels."))
            if max(picture.size) > MOST_RATIO * min(picture.size):
                raise Refused(gettext("This picture is too narrow. Choose one of a usual shape."))
            picture.draft("RGB", (2 * WIDEST, 2 * HIGHEST))
            upright = ImageOps.exif_transpose(picture)
            small = ImageOps.contain(upright.convert("RGBA"), (WIDEST, HIGHEST))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as fault:
        raise Refused(gettext("This file cannot be read as a picture. Choose a JPEG, PNG or WebP file.")) from fault
    plain = Image.new("RGB", small.size, PAPERS["light"])  # transparent areas get the background
    plain.paste(small, mask=small.getchannel("A"))
    for quality in (82, 70, 55, 40, 25):
        written = io.BytesIO()
        plain.save(written, "JPEG", quality=quality, optimize=True, progressive=True)
        if written.tell() <= MOST_BYTES:
            return written.getvalue()
    raise Refused(gettext("This picture has too much detail. Choose another."))


def contrast(text: str, other: str) -> float:
    """The contrast of two colours (WCAG 2), from 1 to 21."""
    light, dark = sorted((_luminance(text), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def accent_of(text: str) -> str:
    """The colour in stored form; "" for none. Raises Refused with a suggestion."""
    colour = text.strip().lower()
    if not colour:
        return ""
    if not _COLOUR.fullmatch(colour):
        raise Refused(gettext("Enter a colour such as #2f6f4f."))
    if contrast(colour, PAPERS["light"]) < LEAST_CONTRAST:
        raise Refused(gettext("This colour is hard to see on the light page. Choose a darker one."))
    if contrast(colour, PAPERS["dark"]) < LEAST_CONTRAST:
        raise Refused(gettext("This colour is hard to see on the dark page. Choose a lighter one."))
    return colour


def picture_bytes(cover: Cover) -> bytes:
    """The stored JPEG."""
    return base64.b64decode(cover.picture)


def change_look(act: Act, accent: str, picture: bytes | None) -> None:
    """Store the colour, and the picture as ``encoded`` returned it: None keeps the old one, b"" removes it.

    Raises Refused.
    """
    cover = cover_of(act.s, act.event) or Cover(event_id=act.event.id)
    before = (cover.accent, cover.digest)
    cover.accent = accent_of(accent)
    if picture is not None:
        cover.picture = base64.b64encode(picture).decode()
        cover.digest = hashlib.sha256(picture).hexdigest() if picture else ""
    if (cover.accent, cover.digest) != before:
        act.s.add(cover)
        note(act, "change-look", message("Changed the picture or the colour of the event's page"))


def fault_of(cover: Cover) -> str:
    """The fault of a look in an archive; "" if this service could have stored it."""
    try:
        if cover.accent != accent_of(cover.accent):
            return gettext("the accent colour is invalid")
        data = base64.b64decode(cover.picture, validate=True)
        if not data:
            return gettext("the picture has a digest") if cover.digest else ""
        if hashlib.sha256(data).hexdigest() != cover.digest:
            return gettext("the picture has another digest")
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as found:
            if found.width > WIDEST or found.height > HIGHEST or found.getexif():
                return gettext("the picture was not made by this service")
            found.load()
    except (Refused, binascii.Error, UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return gettext("the picture or the colour cannot be read")
    return ""
