"""A game opened again: its reports do not count any more, and its round is not complete."""

from datetime import datetime

from sqlmodel import Session

from events.actions.journal import note
from events.actions.results import latest, stand
from events.errors import Refused, Stale
from events.reading import reports_of, rounds_of, scenario_in
from models.event import Event, EventState, Round, RoundState
from models.play import Game


def why_not_opened(s: Session, event: Event, game: Game) -> str:
    """Why this game cannot be opened again, in a sentence; "" where it can."""
    the_round = s.get_one(Round, game.round_id)
    if event.state == EventState.FINISHED:
        return "The event is closed; open it again for a correction."
    if the_round.state != RoundState.PUBLISHED or game.b_id is None:
        return "This is no game that waits for its players."
    later = [one for one in rounds_of(s, event) if one.number > the_round.number and one.state == RoundState.PUBLISHED]
    if later:
        return (
            f"Round {later[0].number} is published: without this result the standings would end before round "
            f"{the_round.number}. Correct the result instead."
        )
    if not reports_of(s, game) and game.absent is None:
        return "Nothing was reported of this game: it is open."
    return ""


def open_again(s: Session, event: Event, game: Game, *, version: int, reason: str, actor: str, now: datetime) -> None:
    """Take every report of a game back, so that it waits for new ones; the round is not complete then.

    ``version`` is the game's that was looked at. A drawn round after it becomes out of date by itself. Raises Refused,
    and Stale where somebody was quicker.
    """
    if why_not := why_not_opened(s, event, game):
        raise Refused(why_not)
    if not reason:
        raise Refused("Say why the game is opened again: both players read it.")
    if game.version != version:
        raise Stale("Somebody else changed this game while you looked at it. Look at it again.")
    before = game.state
    the_round = s.get_one(Round, game.round_id)
    for report in reports_of(s, game):
        report.withdrawn_at = now
    s.flush()  # they do not count in what follows
    scenario = scenario_in(s, event, the_round, game)
    assert scenario is not None  # noqa: S101 - drawn together with the games
    game.absent, game.goes_through = None, None
    stand(game, scenario, latest(s, game))
    game.version += 1
    note(
        s, event, actor, now, "open-again",
        f"Round {the_round.number}, table {game.table_number}: opened again for new reports",
        game=game.id, before=before, after=game.state, why=reason,
    )  # fmt: skip
