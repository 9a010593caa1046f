"""Rounds: throw a draw away, or publish it."""

from datetime import datetime

from sqlmodel import Session

from events.actions.drawing import discard_games, is_stale
from events.actions.formats import seeds_outdated, undo_cut
from events.actions.journal import note
from events.actions.locks import close_unlocked, lock_lists, settle
from events.actions.team_boards import lay_boards
from events.errors import Refused
from events.reading import games_of, players_of, round_of, round_views
from events.team_reading import is_team_event
from models.event import Event, EventState, Round, RoundKind, RoundState
from models.play import GameState, Player, PlayerState

STALE = "The standings, the field or the settings changed after this draw: draw again."


def discard_draw(s: Session, event: Event, number: int, actor: str, now: datetime) -> None:
    """Throw a drawn round away before anybody has seen it."""
    the_round = drawn_or_refused(s, event, number)
    discard_games(s, the_round)
    the_round.state, the_round.seed, the_round.inputs, the_round.outcome = RoundState.PLANNED, None, None, None
    if the_round.scenario_drawn:
        the_round.scenario, the_round.scenario_drawn = None, False
    undone = undo_cut(s, event, players_of(s, event), round_views(s, event), number)
    cut = " and the cut with it" if undone else ""
    note(s, event, actor, now, "discard-draw", f"Discarded the draw of round {number}{cut}")


def publish_round(s: Session, event: Event, number: int, actor: str, now: datetime, *, sure: bool = False) -> None:
    """Show a drawn round to everybody. The first one starts the event; each locks all lists, unlocked ones too.

    A stale draw is refused unless the organiser is ``sure``; one of a knockout always, for the next rounds build on it.
    """
    the_round = drawn_or_refused(s, event, number)
    everybody = players_of(s, event)
    views = round_views(s, event)
    stale = is_stale(event, everybody, views, number) or seeds_outdated(s, event, everybody, views)
    here = {p.id: p for p in everybody}
    gone = [
        here[i].name
        for g in games_of(s, the_round)
        for i in (g.a_id, g.b_id)
        if i and _left(here[i]) and not (g.asked and here[i].state == PlayerState.REGISTERED)
    ]
    if gone:
        raise Refused(f"{', '.join(gone)} left after the draw: draw the round again.")
    if stale and (not sure or the_round.kind == RoundKind.KNOCKOUT):
        raise Refused(STALE)
    if is_team_event(event):
        lay_boards(s, event, the_round, now)
    the_round.state, the_round.published_at = RoundState.PUBLISHED, now
    for game in games_of(s, the_round):
        if game.b_id is None:
            game.state = GameState.CONFIRMED
    settle(s, event, now)
    event.state = EventState.IN_PROGRESS
    lock_lists(s, event, now, actor, now)
    close_unlocked(s, event, actor, now)
    known = ", although the standings or the field had changed after the draw" if stale else ""
    note(s, event, actor, now, "publish-round", f"Published round {number}{known}", round=number)


def drawn_or_refused(s: Session, event: Event, number: int) -> Round:
    """The round, drawn and not yet published. Raises Refused."""
    the_round = round_of(s, event, number)
    if the_round is None or the_round.state != RoundState.DRAWN:
        raise Refused(f"Round {number} is not a draw that waits to be published.")
    return the_round


def _left(player: Player) -> bool:
    return player.state != PlayerState.CHECKED_IN
