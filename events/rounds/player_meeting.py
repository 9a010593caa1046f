"""The seating of the player meeting before round 1: drawn, published, discarded."""

from collections.abc import Sequence
from dataclasses import replace

from events.play.act import Act
from events.play.clock_queries import meeting_of
from events.play.errors import Refused
from events.play.journal import check_takes_place, note
from events.play.players import players_of
from events.play.tournaments import tournament_of
from events.rounds.inputs import room_of
from events.rounds.outcome import outcome_of
from events.rounds.queries import rules_of
from events.tournament.pairing.notes import note_rows
from events.tournament.pairing.request import Format, Request, drawn_round, to_document
from events.tournament.pairing.seats import Seat
from events.tournament.tournament import Tournament
from languages.stated import stated, stated_many
from languages.words import gettext, ngettext
from models.event import Event
from models.meeting import Meeting
from models.play import Player, PlayerState


def draw_meeting(act: Act, seed: int) -> Meeting:
    """Seat all checked-in players as a draft, replacing an earlier seating. Raises Refused."""
    s, event = act.s, act.event
    check_takes_place(event)
    here = checked_in_players(players_of(s, event))
    if reason := why_no_meeting(tournament_of(s, event), event, here):
        raise Refused(reason)
    request = meeting_request(event, here, seed)
    games = len(here) // 2
    if games > len(request.room.tables):
        raise Refused(
            ngettext(
                "%(num)s pair needs a table, and the event has %(n)s: set more tables in the settings.",
                "%(num)s pairs need a table each, and the event has %(n)s: set more tables in the settings.",
                games,
                n=len(request.room.tables),
            )
        )
    drawn = drawn_round(request)
    outcome = outcome_of(drawn) | {"pair_notes": [note_rows(pair.notes) for pair in drawn.pairs]}
    meeting = meeting_of(s, event)
    if meeting is None:
        meeting = Meeting(event_id=event.id, seed=seed, inputs={}, outcome={})
        s.add(meeting)
    meeting.seed, meeting.inputs, meeting.outcome = seed, to_document(request), outcome
    meeting.published_at = None
    said = stated_many("Seated %(num)s player for the meeting", "Seated %(num)s players for the meeting", len(here))
    note(act, "draw-meeting", said, seed=seed, outcome=outcome)
    return meeting


def publish_meeting(act: Act) -> None:
    """Publish the seating. Raises Refused if there is none."""
    meeting = meeting_of(act.s, act.event)
    if meeting is None:
        raise Refused(gettext("The meeting is not drawn yet."))
    if meeting.published_at is None:
        meeting.published_at = act.now
        note(act, "publish-meeting", stated("Published the seating of the player meeting"))


def discard_meeting(act: Act) -> None:
    """Delete the seating, published or not. Raises Refused if there is none."""
    meeting = meeting_of(act.s, act.event)
    if meeting is None:
        raise Refused(gettext("The meeting is not drawn yet."))
    act.s.delete(meeting)
    note(act, "discard-meeting", stated("Discarded the seating of the player meeting"))


def checked_in_players(players: Sequence[Player]) -> list[Player]:
    """All checked-in players, stand-ins included."""
    return [player for player in players if player.state == PlayerState.CHECKED_IN]


def why_no_meeting(t: Tournament, event: Event, here: Sequence[Player]) -> str:
    """Why players cannot be seated now, in a sentence; "" if they can."""
    if not event.player_meeting:
        return gettext("This event has no player meeting: choose it in the settings, “Format”.")
    if t.rules.closed or t.published:
        return gettext("Round 1 is published: the player meeting is over.")
    if len(here) < 2:
        return gettext("At least two players must be checked in before they can be seated.")
    return ""


def meeting_request(event: Event, here: Sequence[Player], seed: int) -> Request:
    """The inputs of the seating's draw."""
    ids = {str(player.id) for player in here}
    rules = rules_of(event, 1)
    apart = tuple(pair for pair in rules.keep_apart if ids.issuperset(pair))
    seats = tuple(Seat(str(p.id), club=p.club, fixed_table=p.fixed_table) for p in here)
    games = len(here) // 2
    room = room_of(event, games, [p.fixed_table for p in here if p.fixed_table is not None])
    return Request(0, seats, seed, replace(rules, keep_apart=apart), room, Format("meeting"))
