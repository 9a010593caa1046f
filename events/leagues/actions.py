"""A season: its rounds drawn at once, days proposed and agreed, dates changed by the desk."""

from dataclasses import replace
from datetime import date, datetime

from sqlmodel import Session

from events.play.errors import Refused, Stale
from events.play.event_rules import ends_of
from events.play.journal import about_game, note, notify
from events.play.queries import player_of, rounds_of
from events.play.season import arranged_document, arranged_in, season_in, window_of
from events.rounds.actions import publish_round
from events.rounds.drawing import draw_round
from models.event import Event, EventFormat, EventState, Round, RoundKind, RoundState
from models.notice import Occasion
from models.play import Game, GameState
from validators.scenario import Side


def why_not_drawn_at_once(event: Event) -> str:
    """Why the rounds cannot be drawn at once, in a sentence; "" where they can."""
    season = season_in(event.season)
    if season is None or season.by_challenge or event.format != EventFormat.ROUND_ROBIN:
        return "Only a season of a round robin is drawn at once. Choose both on the page “Pairing”."
    return ""


def draw_season(s: Session, event: Event, seed: int, actor: str, now: datetime) -> int:
    """Draw and publish every round of a round robin that is not published yet. Returns how many. Raises Refused."""
    if reason := why_not_drawn_at_once(event):
        raise Refused(reason)
    number = drawn = sum(one.state == RoundState.PUBLISHED for one in rounds_of(s, event))
    while number == drawn or (number < event.rounds):
        number += 1
        draw_round(s, event, number, seed + number, actor, now)  # the first draw plans the rounds
        publish_round(s, event, number, actor, now, sure=True, quiet=number > drawn + 1)
    return number - drawn


def _open_or_refused(s: Session, event: Event, game: Game) -> Round:
    the_round = s.get_one(Round, game.round_id)
    if event.season is None or event.state != EventState.IN_PROGRESS:
        raise Refused("This event is no season that is being played.")
    if game.b_id is None or the_round.state != RoundState.PUBLISHED or game.state == GameState.CONFIRMED:
        raise Refused("This game is decided: there is no day to agree on.")
    return the_round


def _check_day(event: Event, the_round: Round, day: date, today: date, field: str) -> None:
    season = season_in(event.season)
    assert season is not None  # noqa: S101 - checked before
    ends = ends_of(event)
    if the_round.kind == RoundKind.KNOCKOUT:
        ends = max(ends, window_of(season, event.starts_on, the_round.number).due)
    if not min(event.starts_on, today) <= day <= ends:
        raise Refused(f"The season ends on {ends:%-d %B %Y}: choose a day until then.", field)


def propose(
    s: Session, event: Event, game: Game, side: Side, day: date, today: date, actor: str, now: datetime
) -> bool:
    """Propose a day for a game; the same day proposed by both is agreed. Returns whether it is. Raises Refused."""
    the_round = _open_or_refused(s, event, game)
    if day < today:
        raise Refused("This day has passed: choose a later one.", "day")
    _check_day(event, the_round, day, today, "day")
    before = arranged_in(game.arranged)
    if before.agreed and before.day == day:
        return True
    agreed = before.day == day and before.by not in ("", side)
    game.arranged = arranged_document(replace(before, day=day, by=side, agreed=agreed))
    what = "Agreed on" if agreed else "Proposed"
    note(s, event, actor, now, "propose-day", f"{what} {day:%-d %B} for {_names(s, event, game)}", game=game.id)
    other = game.b_id if side == "a" else game.a_id
    about = about_game("day", game, "agreed" if agreed else "proposed", day, now)
    notify(s, Occasion.DAY, about, [other] if other else [], now)
    return agreed


def agree(s: Session, event: Event, game: Game, side: Side, day: date, today: date, actor: str, now: datetime) -> None:
    """Agree to the day that the opponent proposed. Raises Refused, and Stale if another day stands now."""
    before = arranged_in(game.arranged)
    if before.day != day or before.by in ("", side):
        raise Stale("The proposed day was changed meanwhile. Look at the new one.")
    propose(s, event, game, side, day, today, actor, now)


def set_dates(
    s: Session, event: Event, game: Game, day: date | None, due: date | None, reason: str, actor: str, now: datetime
) -> None:
    """Set the day of a game, and its last day with a reason; None: none, and the round's. Raises Refused."""
    the_round = _open_or_refused(s, event, game)
    before = arranged_in(game.arranged)
    for name, chosen in (("day", day), ("due", due)):
        if chosen is not None:
            _check_day(event, the_round, chosen, event.starts_on, name)
    if due is not None and not reason:
        raise Refused("Give the reason: both players read it.", "reason")
    after = replace(before, due=due, reason=reason)
    if day != (before.day if before.agreed else None):
        after = replace(after, day=day, by="desk" if day else "", agreed=day is not None)
    if after != before:
        game.arranged = arranged_document(after)
        note(s, event, actor, now, "reschedule", f"Changed the dates of {_names(s, event, game)}", game=game.id,
             reason=reason)  # fmt: skip
        both = [id_ for id_ in (game.a_id, game.b_id) if id_ is not None]
        for verb, old, new in (("desk", before.day if before.agreed else None, day), ("due", before.due, due)):
            if new is not None and new != old:
                notify(s, Occasion.DAY, about_game("day", game, verb, new, now), both, now)


def _names(s: Session, event: Event, game: Game) -> str:
    players = (player_of(s, event, id_) for id_ in (game.a_id, game.b_id) if id_ is not None)
    return " against ".join(one.name for one in players if one is not None)
