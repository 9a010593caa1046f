"""Forms of an event's life: a copy, a cancellation."""

from wtforms import DateField
from wtforms.validators import InputRequired

from events.web.forms import SiteForm, lines, sensible_year, text
from languages.words import lazy_gettext


class CopyForm(SiteForm):
    """What is new in a copy of an event."""

    name = text(lazy_gettext("Name of the new event"), 120)
    starts_on = DateField(lazy_gettext("Date"), [InputRequired(lazy_gettext("Enter a date.")), sensible_year])
    series = text(
        lazy_gettext("Series"),
        80,
        required=False,
        description=lazy_gettext("Events of one series share a page. Leave blank for none."),
    )


class CancelForm(SiteForm):
    """Why the event does not take place."""

    reason = lines(
        lazy_gettext("Reason"),
        1000,
        required=True,
        description=lazy_gettext("Players read this message. Say what happens to entry fees."),
    )
