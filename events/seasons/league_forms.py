"""Forms: the dates of a game in a season."""

from wtforms import DateField
from wtforms.validators import Optional

from events.tournament.season import LONGEST_REASON
from events.web.forms import SiteForm, text
from languages.words import lazy_gettext


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
