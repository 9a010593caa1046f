"""Forms: the dates of a game in a season; the questions of a campaign's settings and steps."""

from collections.abc import Iterable
from typing import Any

from flask_wtf import FlaskForm
from wtforms import DateField
from wtforms.validators import Optional

from events.tournament.season import LONGEST_REASON
from events.web.forms import SiteForm, asked_field, text
from languages.words import lazy_gettext
from validators.calculator import Asked


class DatesForm(SiteForm):
    """The dates of a game, as the desk sets them; players propose only the day."""

    day = DateField(lazy_gettext("Agreed day"), [Optional()])
    due = DateField(
        lazy_gettext("Last day for this game"),
        [Optional()],
        description=lazy_gettext("Leave blank for the round’s last day."),
    )
    reason = text(
        "Reason",
        LONGEST_REASON,
        required=False,
        description=lazy_gettext("Needed for another last day. Both players read it."),
    )


def form_of_questions(asks: Iterable[Asked], prefix: str, **content: Any) -> FlaskForm:
    """The form of these questions, whose fields have this prefix; the page sends the token against forged requests."""
    fields: dict[str, Any] = {ask.key: asked_field(ask, id=f"{prefix}{ask.key}") for ask in asks}
    made: FlaskForm = type("AskedForm", (SiteForm,), fields)(prefix=prefix, meta={"csrf": False}, **content)
    return made
