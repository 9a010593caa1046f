"""Which slide the hall's projector shows when. Pure.

The slide depends only on the time, so all screens in a hall turn together and nothing has to be stored.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil
from textwrap import wrap

VIEWS = ("names", "pairings", "clock", "standings", "awards", "raffle", "podium")
"""The views that a screen can be fixed on."""
ROWS = {"names": 33, "pairings": 16, "standings": 22}
"""The rows of a slide that is readable from 15 m: three columns of 11, two of 8 pairs, two of 11."""
COLUMNS = {"names": 3, "pairings": 2, "standings": 2}
ROOM = {"names": 15, "pairings": 20, "standings": 13}
"""The letters of a name in a full slide's column."""
WIDER = {"names": 1.1, "pairings": 1.3, "standings": 1.0}
"""How much a text may exceed its column's share; longer names get smaller type."""
SIZES = (100, 125, 150, 175, 200)
"""Type sizes in hundredths of a full slide's; the stylesheet has a class for each."""
SMALLER = {"fit-3": 0.58, "fit-4": 0.44, "fit-5": 0.34}
"""The type sizes of long names, in parts of full type, as in the stylesheet."""
SECONDS = {"names": 14, "pairings": 12, "standings": 12, "clock": 16, "welcome": 20, "awards": 20, "podium": 20}
"""The seconds of a slide: a third of a second to find each row, and time to read one twice."""
FIND_TABLES = timedelta(minutes=15)
"""Players still look for their tables this long after the start of a round."""


class Moment(StrEnum):
    """The phase of the event's day."""

    BEFORE = "before"
    FINDING = "finding"
    PLAYING = "playing"
    ENDING = "ending"
    BETWEEN = "between"
    OVER = "over"


TURNING: Mapping[Moment, tuple[str, ...]] = {
    Moment.BEFORE: ("welcome",),
    Moment.FINDING: ("names", "pairings", "clock"),
    Moment.PLAYING: ("clock", "pairings", "clock", "standings"),
    Moment.ENDING: ("clock",),
    Moment.BETWEEN: ("standings", "welcome"),
    Moment.OVER: ("podium", "standings"),
}
"""The views of the turning screen in each phase, in a loop."""


@dataclass(frozen=True)
class Slide:
    """One page of a view."""

    view: str
    page: int
    pages: int
    count: int = 0
    """The rows of the view's whole list."""

    @property
    def rows(self) -> slice:
        """The rows of the list on this page; pages differ by at most one row."""
        return slice(self.count * (self.page - 1) // self.pages, self.count * self.page // self.pages)

    @property
    def columns(self) -> int:
        """The number of columns, the same on all pages: as many as show the names largest."""
        most = COLUMNS.get(self.view, 1)
        return max(range(1, most + 1), key=lambda columns: (self._scale(columns), -columns))

    @property
    def lines(self) -> int:
        """The lines of the columns, the same on all pages of the view."""
        return self._lines(self.columns)

    @property
    def size(self) -> int:
        """The type size, one of ``SIZES``, so that few names also fill the screen."""
        return max((size for size in SIZES if size <= 100 * self._scale(self.columns)), default=SIZES[0])

    @property
    def room(self) -> int:
        """The letters of a name in a column at this size."""
        return round(ROOM[self.view] * COLUMNS[self.view] / self.columns * 100 / self.size)

    def room_next_to(self, *notes: str) -> int:
        """The letters of a name whose row also has these notes, in small type; six letters of a note need no room."""
        return self.room - ceil(0.55 * max(0, *(len(note) - 6 for note in notes)))

    @property
    def high(self) -> float:
        """The height of a row for each of its names, in lines of full type."""
        row = 16.4 / self.lines * 100 / self.size
        return row * 0.62 if self.view == "pairings" else row

    def _lines(self, columns: int) -> int:
        return max(1, ceil(ceil(self.count / self.pages) / columns))

    def _scale(self, columns: int) -> float:
        most = COLUMNS.get(self.view, 1)
        return min(ROWS.get(self.view, 1) / most / self._lines(columns), WIDER.get(self.view, 1) * most / columns)


def slides(views: Sequence[str], counts: Mapping[str, int]) -> list[Slide]:
    """The pages of these views in order; ``counts`` are the rows of each list.

    An empty list is left out, unless it is the only view: then it has one page, which says that it is empty.
    """
    shown = [view for view in views if counts.get(view, 1)] or list(views)[:1]
    pages_shown = []
    for view in shown:
        count = counts.get(view, 1) if view in ROWS else 0
        pages = max(1, -(-count // ROWS[view])) if view in ROWS else 1
        pages_shown += [Slide(view, page, pages, count) for page in range(1, pages + 1)]
    return pages_shown


def showing(those: Sequence[Slide], since: datetime, now: datetime) -> tuple[Slide, datetime | None]:
    """The slide at ``now``, if the first began at ``since``, and the time of the next; None if there is only one."""
    if len(those) == 1:
        return those[0], None
    whole = sum(SECONDS[slide.view] for slide in those)
    turned = now - timedelta(seconds=(now - since).total_seconds() % whole)
    for slide in those:
        turned += timedelta(seconds=SECONDS[slide.view])
        if now < turned:
            return slide, turned
    return those[0], turned + timedelta(seconds=SECONDS[those[0].view])  # lost by rounding


def line_showing(count: int, since: datetime, now: datetime, seconds: int = 10) -> tuple[int, datetime | None]:
    """The index of the announcement to show now, and the time of the next; None if there is only one."""
    if count < 2:
        return 0, None
    passed = int((now - since).total_seconds() // seconds)
    return passed % count, since + timedelta(seconds=(passed + 1) * seconds)


def width(text: str) -> int:
    """The width of a text in letters; East Asian wide letters count two."""
    return sum(
        2 if unicodedata.east_asian_width(name) in "WF" else 0 if unicodedata.combining(name) else 1 for name in text
    )


def fit(text: str, room: int, high: float = 1.3) -> str:
    """The CSS class of the largest type in which the whole text fits: "fit-1", or smaller, on several lines.

    ``room`` is the letters of a line in full type, ``high`` the height for the text in lines of full type.
    """
    wide = width(text) + sum(0.3 * letter.isupper() + 0.5 * (letter in "MWmw") for letter in text)
    if wide <= room * 1.22 + 1.5:
        return "fit-1" if wide <= room + 1.5 else "fit-2"
    for name, size in SMALLER.items():
        line = max(1, int(room / size * len(text) / wide))
        if len(wrap(text, line)) * size * 1.08 <= high:
            return name
    return min(SMALLER, key=lambda name: SMALLER[name])
