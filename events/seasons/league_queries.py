"""The fixtures of a season: every game with its window, its arrangement, and whether it is overdue."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlmodel import Session, select

from events.store.notices import about_game
from events.store.rounds import RoundView, ends_of, public_round_views
from events.tournament.clock import local_date
from events.tournament.season import Arranged, arranged_in, window_of
from languages.dates import dated
from languages.words import N_
from models.event import Event, EventState, RoundState
from models.play import Game, GameState, Player


@dataclass(frozen=True)
class Fixture:
    number: int
    """Of its round."""
    game: Game
    opens: date
    ends: date
    """The last day of its round, or of its challenge."""
    arranged: Arranged
    answer_by: date | None
    """The last day to answer the challenge; None once it is answered, and for drawn games."""
    days_late: int
    """Days without a result since its agreed day, its last day, or that of the answer."""
    last: date
    """The last day that can be agreed on or set for it."""

    @property
    def overdue(self) -> bool:
        """Whether it should have a result by now."""
        return self.days_late > 0

    @property
    def due(self) -> date:
        """The last day to play it."""
        return self.arranged.due or self.ends

    @property
    def is_open(self) -> bool:
        """Whether it has no confirmed result."""
        return self.game.state != GameState.CONFIRMED


def fixture_of(event: Event, number: int, game: Game, today: date) -> Fixture | None:
    """A game of a season's round ``number``; None for a bye, and outside a season."""
    season = event.season
    if season is None or game.b_id is None:
        return None
    arranged = arranged_in(game.arranged)
    opens, ends = window_of(season, event.starts_on, number, arranged.challenged)
    answer_by = arranged.unanswered + timedelta(days=season.answer_days) if arranged.unanswered else None
    late = today - min(arranged.due or min(arranged.standing or ends, ends), answer_by or today)
    days_late = max(late.days, 0) if game.state == GameState.OPEN else 0
    last = max(ends_of(event), ends)
    return Fixture(number, game, opens, ends, arranged, answer_by, days_late, last)


def play_by(event: Event, view: RoundView, game: Game) -> str:
    """The last day to play a game of a season, as papers have it in place of a table: "6 Dec"; else ""."""
    fixture = fixture_of(event, view.round.number, game, event.starts_on)
    return dated(fixture.due, "%-d %b") if fixture else ""


def fixtures(event: Event, views: Iterable[RoundView], today: date) -> list[Fixture]:
    """All games of the published rounds, by round and table."""
    published = [view for view in views if view.round.state == RoundState.PUBLISHED]
    games = [fixture_of(event, view.round.number, game, today) for view in published for game in view.games]
    return [fixture for fixture in games if fixture is not None]


def next_ones(games: Sequence[Fixture], me: Player | None = None) -> list[Fixture]:
    """The games without a result, the most urgent first: by the agreed day, or the last one.

    Those of ``me`` come before others, and those that are not reported before the reported ones.
    """

    def urgency(fixture: Fixture) -> tuple[object, ...]:
        is_mine = me is not None and me.id in (fixture.game.a_id, fixture.game.b_id)
        return (
            not is_mine,
            is_mine and fixture.game.state != GameState.OPEN,
            fixture.arranged.standing or fixture.due,
            fixture.game.id,
        )

    return sorted((fixture for fixture in games if fixture.is_open), key=urgency)


def by_urgency(games: Sequence[Fixture], today: date) -> dict[str, list[Fixture]]:
    """The games without a result in groups, each with the most urgent first; a group without games is left out."""
    groups: dict[str, list[Fixture]] = {N_("Overdue"): [], N_("To play now"): [], N_("To play later"): []}
    for fixture in next_ones(games):
        begun = fixture.opens <= today or fixture.game.state != GameState.OPEN
        groups["Overdue" if fixture.overdue else "To play now" if begun else "To play later"].append(fixture)
    return {name: games for name, games in groups.items() if games}


def overdue(s: Session, now: datetime) -> Iterator[tuple[str, list[int]]]:
    """What each notice of an overdue game is about, and the ids of its players."""
    for event in s.exec(select(Event).where(Event.state == EventState.IN_PROGRESS)).all():
        today = local_date(now, event.timezone)
        for fixture in fixtures(event, public_round_views(event), today) if event.season else ():
            if fixture.overdue and min(fixture.due, fixture.answer_by or today) < today:
                verb, day = ("challenge", fixture.answer_by) if fixture.answer_by else ("game", fixture.due)
                both = [id_ for id_ in (fixture.game.a_id, fixture.game.b_id) if id_ is not None]
                yield about_game("overdue", fixture.game, verb, day), both
