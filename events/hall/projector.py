"""What the projector in the hall shows when: long lists in pages that turn by themselves, what matters now first. Pure.

Which page stands is reckoned from the time alone, so that all screens of a hall turn together, one that was switched on
late joins in, and nothing has to be kept anywhere.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

VIEWS = ("names", "pairings", "clock", "standings", "awards")
"""What a screen can be fixed on."""
ROWS = {"names": 33, "pairings": 16, "standings": 22}
"""Rows of a page at a size of type that is read at 15 m: three columns of eleven, two of eight pairs, two of eleven."""
COLUMNS = {"names": 3, "pairings": 2, "standings": 2}
SECONDS = {"names": 14, "pairings": 12, "standings": 12, "clock": 16, "welcome": 20, "awards": 20}
"""How long a page stands: a line is looked for in a third of a second, and read twice."""
FIND_TABLES = timedelta(minutes=15)
"""So long after the start of a round people are still looking for their tables."""


class Moment(StrEnum):
    """Where the event's day is, as the hall has to know it."""

    BEFORE = "before"
    MEETING = "meeting"
    FINDING = "finding"
    PLAYING = "playing"
    ENDING = "ending"
    BETWEEN = "between"
    OVER = "over"


TURNING: Mapping[Moment, tuple[str, ...]] = {
    Moment.BEFORE: ("welcome",),
    Moment.MEETING: ("names", "welcome"),
    Moment.FINDING: ("names", "pairings", "clock"),
    Moment.PLAYING: ("clock", "pairings", "clock", "standings"),
    Moment.ENDING: ("clock",),
    Moment.BETWEEN: ("standings", "welcome"),
    Moment.OVER: ("standings", "welcome"),
}
"""What the screen that turns by itself shows, in this order and again from the start."""


@dataclass(frozen=True)
class Slide:
    """One page of one view."""

    view: str
    page: int
    pages: int
    count: int = 0
    """Rows of the view's list."""

    @property
    def rows(self) -> slice:
        """Which rows of the list stand on it: as many as on the other pages, or one more or less."""
        return slice(self.count * (self.page - 1) // self.pages, self.count * self.page // self.pages)

    @property
    def lines(self) -> int:
        """In how many lines they stand, in columns of the same height: the same on all pages of the view."""
        most = -(-self.count // self.pages)
        return max(1, -(-most // COLUMNS.get(self.view, 1)))


def slides(views: Sequence[str], counts: Mapping[str, int]) -> list[Slide]:
    """The pages of these views, one after the other; ``counts`` are the rows of each list.

    An empty list is left out where something else is shown; alone it has one page, which says that it is empty.
    """
    shown = [view for view in views if counts.get(view, 1)] or list(views)[:1]
    found = []
    for view in shown:
        count = counts.get(view, 1) if view in ROWS else 0
        pages = max(1, -(-count // ROWS[view])) if view in ROWS else 1
        found += [Slide(view, page, pages, count) for page in range(1, pages + 1)]
    return found


def showing(those: Sequence[Slide], since: datetime, now: datetime) -> tuple[Slide, datetime | None]:
    """The page that stands ``now``, where the first one came up at ``since``, and when the next one comes.

    None: it is the only one.
    """
    if len(those) == 1:
        return those[0], None
    whole = sum(SECONDS[slide.view] for slide in those)
    turned = now - timedelta(seconds=(now - since).total_seconds() % whole)
    for slide in those:
        turned += timedelta(seconds=SECONDS[slide.view])
        if now < turned:
            return slide, turned
    return those[0], turned + timedelta(seconds=SECONDS[those[0].view])  # a second's part was lost on the way


def line_showing(count: int, since: datetime, now: datetime, seconds: int = 10) -> tuple[int, datetime | None]:
    """Which of several announcements stands now, from 0, and when the next one comes."""
    if count < 2:
        return 0, None
    passed = int((now - since).total_seconds() // seconds)
    return passed % count, since + timedelta(seconds=(passed + 1) * seconds)


def by_name(name_key: str) -> str:
    """Where a name is looked for: letters with signs stand among those without."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", name_key) if not unicodedata.combining(one))
    return plain.translate(
        {
            ord(one): other
            for one, other in zip("øłđßæœþðı", ("o", "l", "d", "ss", "ae", "oe", "th", "d", "i"), strict=True)
        }
    )


def width(text: str) -> int:
    """How many letters' widths a text takes: the wide ones of East Asia take two."""
    return sum(
        2 if unicodedata.east_asian_width(one) in "WF" else 0 if unicodedata.combining(one) else 1 for one in text
    )


def fit(text: str, room: int) -> str:
    """Which size of type lets a text stand in the ``room`` of so many letters: "fit-1", or smaller in two lines."""
    taken = width(text)
    return "fit-1" if taken <= room else "fit-2" if taken <= room * 1.22 else "fit-3"
