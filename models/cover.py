"""The look of an event's public page: the organiser's picture and accent colour."""

from sqlmodel import Field

from languages.words import noted
from models.facts import UNSAID, Fact, OfEvent, column

LONGEST_PICTURE = 220_000
"""Characters of the picture in Base64: 165 000 bytes."""


class Cover(OfEvent, table=True):
    """The look of an event. The service has re-encoded the picture; the uploaded file is not kept."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", unique=True)
    picture: str = column(UNSAID, default="", max_length=LONGEST_PICTURE)
    """A JPEG in Base64, so that the journal and archives can hold it as text; "" for none."""
    accent: str = column(Fact(noted("accent")), default="", max_length=7)
    """A colour such as "#2f6f4f"; "" for none."""
    digest: str = column(Fact(noted("digest")), default="", max_length=64)
    """The SHA-256 of the picture's bytes, part of its address; "" for none."""
