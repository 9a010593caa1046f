"""Forms: the clock's times, announcements, and people's own pages."""

import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from wtforms import BooleanField, Field, FieldList, SelectField, StringField
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired, ValidationError

from events.tournament.clock import MOST_CALLS, ClockRules
from events.web.forms import OpenedForm, SiteForm, moment, name_text, number
from events.web.forms import text as web_text
from events.web.request import now
from languages.words import gettext, lazy_gettext, ngettext
from models.event import Event

LASTS = {
    "day": lazy_gettext("The end of the day"),
    "10": lazy_gettext("10 minutes from now"),
    "30": lazy_gettext("30 minutes from now"),
    "60": lazy_gettext("1 hour from now"),
    "0": lazy_gettext("You remove it"),
}


class AnnouncementForm(SiteForm):
    text = web_text(
        lazy_gettext("Announcement"), 200, description=lazy_gettext("Shown in the hall and on every page of the event.")
    )
    minutes = SelectField(lazy_gettext("Show until"), choices=[SelectChoice(*row) for row in LASTS.items()])

    def until(self, event: Event) -> datetime | None:
        """When the announcement ends; None if it stays until withdrawn."""
        if self.minutes.data == "day":
            zone = ZoneInfo(event.timezone)
            day = max(event.starts_on, now().astimezone(zone).date())
            return datetime.combine(day, time(23, 59), zone)
        return now() + timedelta(minutes=int(self.minutes.data)) if self.minutes.data != "0" else None


class TimesForm(OpenedForm):
    starts = FieldList(
        moment(lazy_gettext("Round")), label=lazy_gettext("Planned starts"), min_entries=0, max_entries=30
    )
    break_minutes = number(lazy_gettext("Break between rounds, minutes"), 0, 600)
    calls = StringField(
        lazy_gettext("Calls, minutes before the end"),
        [InputRequired(lazy_gettext("Enter the calls, or 0 for none."))],
        description=lazy_gettext("Separated by commas: 30, 15, 5. Enter 0 for none."),
    )
    last_game_round = number(
        lazy_gettext("Last game round, minutes before the end"),
        0,
        120,
        description=lazy_gettext("After this, players start no new game round. Enter 0 for no announcement."),
    )

    def validate_calls(self, field: Field) -> None:
        self.minutes(field.data or "")

    @staticmethod
    def minutes(typed: str) -> tuple[int, ...]:
        """The minutes typed, in descending order; empty for 0. Raises ValidationError."""
        parts = [part for part in re.split(r"[,;\s]+", typed.strip()) if part]
        if not all(re.fullmatch(r"[0-9]{1,3}", part) and int(part) <= 300 for part in parts):
            raise ValidationError(gettext("Enter whole minutes from 1 to 300, separated by commas."))
        numbers = sorted({int(part) for part in parts} - {0}, reverse=True)
        if len(numbers) > MOST_CALLS:
            raise ValidationError(ngettext("At most %(num)s call.", "At most %(num)s calls.", MOST_CALLS))
        return tuple(numbers)

    @property
    def rules(self) -> ClockRules:
        return ClockRules(self.break_minutes.data, self.minutes(self.calls.data), self.last_game_round.data)


class PageForm(SiteForm):
    name = name_text(
        lazy_gettext("Your name"),
        80,
        description=lazy_gettext("Only you see it, unless you show the page without an alias."),
    )
    alias = name_text(
        lazy_gettext("Alias"), 80, required=False, description=lazy_gettext("Shown to others in place of your name.")
    )
    shown = BooleanField(lazy_gettext("Show my page to everybody"))
