"""What the page "Pairing" is made of: sections, each a small form that is stored by itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask_wtf import FlaskForm
from sqlmodel import Session
from wtforms import HiddenField

from models.event import Event


class SectionForm(FlaskForm):
    """The form of one section. ``was`` is the mark of what it was opened with."""

    was = HiddenField()

    def offer(self, event: Event) -> None:
        """Fill choices and words from the event."""


@dataclass(frozen=True)
class Section:
    """One part of the page: ``id`` names its button, its anchor, the prefix of its fields, and its template."""

    id: str
    title: str
    form: type[SectionForm]
    shown: Callable[[Event], Mapping[str, Any]]
    """What is stored, by the form's fields; plain values, for the form's mark is made from them."""
    store: Callable[[Session, Event, Any, str, datetime], None]
    """Keeps what the form holds, through an action; ends with who and when. Raises Refused."""
