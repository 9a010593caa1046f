"""Announcements: shown on every page until they end."""

from datetime import datetime

from events.store.act import Act
from events.store.clock_queries import MOST_ANNOUNCEMENTS, announcements_of
from events.store.errors import Refused
from events.store.journal import note
from languages.message import message
from languages.words import gettext, ngettext
from models.announcement import Announcement


def announce(act: Act, text: str, *, until: datetime | None = None) -> Announcement:
    """Show it to everyone; repeating its text only changes its end. Raises Refused if there are too many."""
    current = announcements_of(act.s, act.event, act.now)
    for announcement in current:
        if announcement.text == text:
            announcement.shown_until = until
            return announcement
    if len(current) >= MOST_ANNOUNCEMENTS:
        raise Refused(
            ngettext(
                "%(num)s announcement is shown already: remove an announcement first.",
                "%(num)s announcements are shown already: remove an announcement first.",
                len(current),
            ),
            "text",
        )
    made = Announcement(event_id=act.event.id, text=text, by=act.actor[:120], at=act.now, shown_until=until)
    act.s.add(made)
    note(act, "announce", message("Announced: %(text)s", text=text))
    return made


def withdraw_announcement(act: Act, announcement_id: int) -> None:
    """Withdraw an announcement; does nothing if it is withdrawn. Raises Refused if it is not of this event."""
    announcement = act.s.get(Announcement, announcement_id)
    if announcement is None or announcement.event_id != act.event.id:
        raise Refused(gettext("This announcement does not exist. Reload the page."))
    if announcement.taken_back_at is None:
        announcement.taken_back_at = act.now
        note(act, "take-back-announcement", message("Removed the announcement: %(text)s", text=announcement.text))
