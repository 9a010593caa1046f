"""How an event's public page looks: a picture and an accent colour of the organiser's."""

from sqlmodel import Field, SQLModel

LONGEST_PICTURE = 220_000
"""Characters of the picture in Base64: 165 000 bytes."""


class Cover(SQLModel, table=True):
    """The look of an event. The picture was encoded by this service; of the file that came, nothing is kept."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", unique=True)
    picture: str = Field(default="", max_length=LONGEST_PICTURE)
    """A JPEG in Base64, so that journal and archive hold it as text; "" for none."""
    digest: str = Field(default="", max_length=64)
    """The SHA-256 of the picture's bytes, part of its address; "" for none."""
    accent: str = Field(default="", max_length=7)
    """A colour such as "#2f6f4f"; "" for none."""
