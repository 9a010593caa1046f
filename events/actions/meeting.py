"""The player meeting: drawn, looked at, published, taken back. No game is played and no list locks."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from events.actions.drawing import outcome_of, rules_of
from events.actions.journal import note
from events.actions.room import room_of
from events.errors import Refused
from events.meetings import meeting_of
from events.pairing.formats import Format
from events.pairing.request import Request, drawn_round, to_document
from events.pairing.seats import Seat
from events.reading import RoundView, players_of, round_views
from models.event import Event, EventState, RoundState
from models.meeting import Meeting
from models.play import Player, PlayerState


def draw_meeting(s: Session, event: Event, seed: int, actor: str, now: datetime) -> Meeting:
    """Seat everybody who is here, for the organiser's eyes; drawn before, it is drawn anew. Raises Refused."""
    views, here = round_views(s, event), who_is_here(players_of(s, event))
    if reason := why_no_meeting(event, here, views):
        raise Refused(reason)
    request = meeting_request(event, here, views, seed)
    games = len(here) // 2
    if games > len(request.room.tables):
        raise Refused(f"{games} pairs need a table each, and the event has {len(request.room.tables)}.")
    drawn = drawn_round(request)
    outcome = outcome_of(drawn) | {"pair_notes": [list(pair.notes) for pair in drawn.pairs]}
    meeting = meeting_of(s, event)
    if meeting is None:
        meeting = Meeting(event_id=event.id, seed=seed, inputs={}, outcome={})
        s.add(meeting)
    meeting.seed, meeting.inputs, meeting.outcome = seed, to_document(request), outcome
    meeting.published_at = None
    note(
        s, event, actor, now, "draw-meeting", f"Seated {len(here)} players for the meeting", seed=seed, outcome=outcome
    )  # fmt: skip
    return meeting


def publish_meeting(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Show everybody where they sit. Raises Refused where it is not drawn."""
    meeting = meeting_of(s, event)
    if meeting is None:
        raise Refused("The meeting is not drawn yet.")
    if meeting.published_at is None:
        meeting.published_at = now
        note(s, event, actor, now, "publish-meeting", "Published the seating of the player meeting")


def discard_meeting(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Take the seating back, published or not. Raises Refused where it is not drawn."""
    meeting = meeting_of(s, event)
    if meeting is None:
        raise Refused("The meeting is not drawn yet.")
    s.delete(meeting)
    note(s, event, actor, now, "discard-meeting", "Discarded the seating of the player meeting")


def who_is_here(players: Sequence[Player]) -> list[Player]:
    """Who hears the announcements: everybody checked in, stand-ins too."""
    return [player for player in players if player.state == PlayerState.CHECKED_IN]


def why_no_meeting(event: Event, here: Sequence[Player], views: Sequence[RoundView]) -> str:
    """Why nobody can be seated now, in a sentence; "" where they can."""
    if not event.player_meeting:
        return "This event has no player meeting: choose it on the page “Pairing”."
    if event.state == EventState.FINISHED or any(view.round.state == RoundState.PUBLISHED for view in views):
        return "The meeting is before round 1, and that is published."
    if len(here) < 2:
        return "At least two players must be checked in before they can be seated."
    return ""


def meeting_request(event: Event, here: Sequence[Player], views: Sequence[RoundView], seed: int) -> Request:
    """All that the seating is drawn from."""
    ids = {str(player.id) for player in here}
    rules = rules_of(event, 1)
    apart = tuple(pair for pair in rules.keep_apart if ids.issuperset(pair))
    seats = tuple(Seat(str(p.id), club=p.club, fixed_table=p.fixed_table) for p in here)
    games = len(here) // 2
    room = room_of(event, views[0].round, games, [p.fixed_table for p in here if p.fixed_table is not None])
    return Request(0, seats, seed, replace(rules, keep_apart=apart), replace(room, scenarios=()), Format("meeting"))
