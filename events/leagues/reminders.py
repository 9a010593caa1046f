"""Which games of seasons are overdue, for notices that are stored once for each last day."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, select

from events.leagues.queries import fixtures
from events.play.journal import about_game
from events.play.rounds import public_round_views
from events.play.season import season_in
from models.event import Event, EventState


def overdue(s: Session, now: datetime) -> Iterator[tuple[str, list[int]]]:
    """What each notice of an overdue game is about, and the ids of its players."""
    for event in s.exec(select(Event).where(Event.state == EventState.IN_PROGRESS)).all():
        season = season_in(event.season)
        if season is None:
            continue
        today = now.astimezone(ZoneInfo(event.timezone)).date()
        for one in fixtures(event, public_round_views(s, event), today):
            if one.overdue:
                verb, day = "game", one.due
                if one.arranged.challenged is not None and not one.arranged.accepted:
                    verb, day = "challenge", one.arranged.challenged + timedelta(days=season.answer_days)
                both = [id_ for id_ in (one.game.a_id, one.game.b_id) if id_ is not None]
                yield about_game("overdue", one.game, verb, day), both
