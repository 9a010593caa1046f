"""Every table module, named by hand, so that one import gives the whole metadata."""

from models import (
    announcement,
    award,
    edition,
    event,
    journal,
    kept_answer,
    mail_change,
    meeting,
    message,
    notice,
    people,
    play,
    scenario,
    sheet_reading,
    staff,
    team,
)

__all__ = [
    "announcement",
    "award",
    "edition",
    "event",
    "journal",
    "kept_answer",
    "mail_change",
    "meeting",
    "message",
    "notice",
    "people",
    "play",
    "scenario",
    "sheet_reading",
    "staff",
    "team",
]
