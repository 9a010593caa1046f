"""A season: rounds with windows of days instead of a clock; and the points table of a series. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any, Literal, get_args

from validators.scenario import Side

Planner = Literal["", "a", "b", "desk"]
LONGEST_REASON = 300
MOST_DAYS = 90
"""For one round."""
MOST_ABOVE = 50
"""The most places above their own that players may challenge on a ladder."""
Kind = Literal["rounds", "ladder", "challenge"]
MOST_BEST = 40
"""The most results of a player that can count."""


def check_number(value: object, most: int, message: str) -> None:
    """Raise ValueError with ``message`` unless ``value`` is a whole number from 1 to ``most``."""
    if type(value) is not int or not 1 <= value <= most:
        raise ValueError(message.format(most))


@dataclass(frozen=True)
class Season:
    """The rules of a season. Its first round opens on the event's first day."""

    days: int = 14
    """The days of each round."""
    best: int | None = None
    """How many of each player's results count. None: all."""
    kind: Kind = "rounds"
    above: int = 2
    """How many places above their own players may challenge, on a ladder."""
    answer_days: int = 7
    """The days to answer a challenge. ``days`` is then the time to play it."""

    @property
    def by_challenge(self) -> bool:
        return self.kind != "rounds"

    def __post_init__(self) -> None:
        check_number(self.days, MOST_DAYS, "a round of a season has 1 to {} days")
        if self.best is not None:
            check_number(self.best, MOST_BEST, "the best 1 to {} results count")
        if self.kind not in get_args(Kind):
            raise ValueError("games arise from rounds, a ladder or challenges")
        check_number(self.above, MOST_ABOVE, "a player challenges at most 1 to {} places above")
        check_number(self.answer_days, MOST_DAYS, "a challenge is answered within 1 to {} days")


@dataclass(frozen=True)
class Arranged:
    day: date | None = None
    by: Planner = ""
    """The side that proposed the day, or the desk if it set the day."""
    agreed: bool = False
    due: date | None = None
    """The last day for this game, if the organiser extended it; None: the round's last day."""
    reason: str = ""
    """The reason for the extension, which both players can read."""
    challenged: date | None = None
    """When player A made the challenge."""
    accepted: bool = False
    """Whether player B accepted the challenge, or did so with a day that stands no longer."""
    kept: date | None = None
    """The day agreed on before, which holds until the other side agrees to ``day``."""

    @property
    def standing(self) -> date | None:
        """The day that both players, or the desk, agreed on."""
        return self.day if self.agreed else self.kept

    @property
    def unanswered(self) -> date | None:
        """When a challenge was made that player B has not accepted, at once or by agreeing on a day."""
        return None if self.accepted or self.standing else self.challenged

    def asks(self, side: Side) -> bool:
        return self.day is not None and not self.agreed and self.by != side


def window_of(season: Season, starts: date, number: int, challenged: date | None = None) -> tuple[date, date]:
    """The first and last day of a round, or of a challenge. Rounds follow each other without a gap."""
    if challenged is not None:
        return challenged, challenged + timedelta(days=season.days)
    opens = starts + timedelta(days=(number - 1) * season.days)
    return opens, opens + timedelta(days=season.days - 1)


def arranged_in(document: Mapping[str, Any] | None) -> Arranged:
    """The arrangement from a game's document. Raises TypeError or ValueError if it is invalid."""
    values = dict(document or {})
    for name in ("day", "due", "challenged", "kept"):
        if values.get(name) is not None:
            values[name] = date.fromisoformat(values[name])
    return Arranged(**values)


def arranged_document(arranged: Arranged) -> dict[str, Any] | None:
    """The arrangement as the game's document; None for an empty one."""
    if arranged == Arranged():
        return None
    values = {name: day.isoformat() if isinstance(day, date) else day for name, day in asdict(arranged).items()}
    return {name: value for name, value in values.items() if name != "kept" or value}  # archives from before have none
