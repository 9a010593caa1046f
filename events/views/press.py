"""One press of a button that changes something, and what the visitor is told of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import flash, request
from sqlmodel import Session

from events.errors import Refused
from events.typed import number_or_none
from events.views.request import changing
from models.event import Event


@contextmanager
def pressed(event: Event | None = None, said: str = "", *, public: bool = True) -> Iterator[Session]:
    """A change by ``changing``: a refusal undoes it and is told; ``said`` is told when it is done."""
    try:
        with changing(event, public=public) as s:
            yield s
    except Refused as refused:
        flash(refused.message, "error")
    else:
        if said:
            flash(said, "success")


def id_sent(name: str) -> int | None:
    """The id that a button sends in this field; None where it is none that a row can have."""
    return id_in(request.form.get(name, ""))


def id_asked(name: str) -> int | None:
    """The same of an address: the id behind its question mark."""
    return id_in(request.args.get(name, ""))


def id_in(typed: str) -> int | None:
    """The id, or the version of a row, that a text names in figures; None where it is none that a row can have."""
    return number_or_none(typed)
