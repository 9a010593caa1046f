"""Forms made from the questions of a campaign's settings and steps."""

from collections.abc import Iterable
from typing import Any

from flask_wtf import FlaskForm

from events.web.forms import SiteForm, asked_field
from validators.calculator import Asked


def form_of_questions(asks: Iterable[Asked], prefix: str, **content: Any) -> FlaskForm:
    """The form of these questions, whose fields have this prefix; the page sends the token against forged requests."""
    fields: dict[str, Any] = {ask.key: asked_field(ask, id=f"{prefix}{ask.key}") for ask in asks}
    made: FlaskForm = type("AskedForm", (SiteForm,), fields)(prefix=prefix, meta={"csrf": False}, **content)
    return made
