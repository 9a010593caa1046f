"""Forms of an event's life: a copy, a cancellation, the look of its page."""

from flask_wtf.file import FileField
from wtforms import BooleanField, DateField, StringField
from wtforms.validators import InputRequired, Length, Optional

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


class LookForm(SiteForm):
    """The look of an event's page."""

    picture = FileField(
        lazy_gettext("Picture"),
        description=lazy_gettext("JPEG, PNG or WebP. It is shown at the top of the event's page."),
    )
    remove = BooleanField(lazy_gettext("Remove the picture"))
    accent = StringField(
        lazy_gettext("Accent colour"),
        [Optional(), Length(max=7)],
        description=lazy_gettext("For example #2f6f4f. Leave blank for none."),
    )
