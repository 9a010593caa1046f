"""A round to be drawn as a file says it: the strict reader in front of the draw."""

from typing import Any

from pydantic import Field, create_model, model_validator

from events.pairing.request import Request, from_document
from events.pairing.rules import AvoidClubs
from events.pairing.strict_file import OTHER_ITEMS, Id, Seed, Strict, read_strictly, reader_of

SHORT_RULES = ("keep_apart", "avoid_clubs")


class Shortened(Strict):
    """A round to be drawn. Two rules of a plain Swiss round may stand outside of ``rules``."""

    keep_apart: tuple[tuple[Id, Id], ...] = Field((), max_length=OTHER_ITEMS)
    avoid_clubs: AvoidClubs = "first_round"

    @model_validator(mode="after")
    def said_once(self) -> "Shortened":
        """Refuse a rule that may be said in two places. Raises ValueError."""
        if "rules" in self.model_fields_set and {*SHORT_RULES} & self.model_fields_set:
            raise ValueError("keep_apart and avoid_clubs stand inside of rules or outside, not in both places")
        return self


DrawRequest: type[Strict] = create_model(
    "DrawRequest", __base__=(Shortened, reader_of(Request)), __doc__=Shortened.__doc__, seed=(Seed, 0)
)
"""The reader of a request file; its schema is docs/draw.schema.json."""


def read_request(data: bytes) -> Request:
    """The round that the file asks for. Raises Unreadable."""
    found = read_strictly(DrawRequest, data)
    document: dict[str, Any] = found.model_dump()
    short = {name: document.pop(name) for name in SHORT_RULES}
    if "rules" not in found.model_fields_set:
        document["rules"] |= short
    return from_document(document)
