"""Penalties and bonuses of whole teams: given with a reason, taken back, never erased."""

from datetime import datetime

from sqlmodel import Session

from events.actions.journal import note
from events.actions.rulings import Given, published_rounds
from events.actions.soft_scores import FINAL
from events.errors import Refused
from events.reading import players_of
from events.rulings import words_of
from events.team_reading import is_team_event, members
from models.award import TeamRuling
from models.event import Event, EventState
from models.team import Team


def give_team_ruling(s: Session, event: Event, team: Team, given: Given, actor: str, now: datetime) -> TeamRuling:
    """Give a team tournament points or victory points, or take them. Raises Refused; a card is a player's alone."""
    if given.card is not None or given.follows:
        raise Refused("A card is shown to a player: choose who of the team.", "card")
    published = published_rounds(s, event, given)
    if not is_team_event(event):
        raise Refused("Everybody plays alone in this event.", "player")
    ruling = TeamRuling(
        event_id=event.id,
        team_id=team.id,
        round_number=given.round_number,
        after_round=published,
        points=given.points,
        vp=given.vp,
        reason=given.reason,
        by=actor,
        at=now,
    )
    s.add(ruling)
    s.flush()  # makes the ruling's id for the journal
    s.expire(event, ["team_rulings"])
    note(
        s, event, actor, now, "ruling", f"{team.name}: {words_of(ruling)}. {ruling.reason}", team=team.id,
        players=_told(s, event, team), team_ruling=ruling.id, points=given.points, vp=given.vp,
        round=given.round_number,
    )  # fmt: skip
    return ruling


def take_back_team_ruling(s: Session, event: Event, ruling: TeamRuling, actor: str, now: datetime) -> None:
    """Take a ruling back: it counts no more and stays to be read. Pressed twice, it stays done. Raises Refused."""
    if event.state == EventState.FINISHED:
        raise Refused(FINAL)
    if ruling.taken_back_at is not None:
        return
    ruling.taken_back_at, ruling.taken_back_by = now, actor
    team = s.get_one(Team, ruling.team_id)
    s.expire(event, ["team_rulings"])
    note(
        s, event, actor, now, "take-back-ruling", f"{team.name}: took back {words_of(ruling)}", team=team.id,
        players=_told(s, event, team), team_ruling=ruling.id,
    )  # fmt: skip


def _told(s: Session, event: Event, team: Team) -> list[int]:
    """Who is of the team now: they read it in what the journal says of them, be they of another team later."""
    return [player.id for player in members(players_of(s, event), team)]
