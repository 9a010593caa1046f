"""Whether teams or players are paired, how boards are matched, and whether an entry is two players."""

from datetime import datetime

from sqlmodel import Session

from events.actions.pairing_settings import note_change
from events.errors import Refused
from events.pairing.teams import MOST_BOARDS
from events.reading import players_of, rounds_of
from events.team_reading import active, teams_of
from models.event import BoardsMatched, Event, EventFormat, RoundState


def set_teams(
    s: Session, event: Event, team_size: int, boards: BoardsMatched, doubles: bool, actor: str, now: datetime
) -> None:
    """Play in teams of ``team_size`` (1: everybody alone), by these boards, in pairs or not. Raises Refused.

    Nothing of it changes once a round is drawn: what was played would mean something else.
    """
    before = {"team_size": event.team_size, "boards": event.boards.value, "doubles": event.doubles}
    after = {"team_size": team_size, "boards": boards.value, "doubles": doubles}
    if before != after and any(one.state != RoundState.PLANNED for one in rounds_of(s, event)):
        raise Refused("Round 1 is drawn: teams and doubles stay as they are.", "team_size")
    if not 1 <= team_size <= MOST_BOARDS:
        raise Refused(f"A team has 2 to {MOST_BOARDS} players.", "team_size")
    if team_size > 1 and (event.format != EventFormat.SWISS or event.cut is not None):
        raise Refused("Teams are paired by Swiss, without a cut: change the format first.", "team_size")
    everybody = players_of(s, event)
    if team_size > 1 and (sitting := [player.name for player in everybody if player.asked_byes]):
        raise Refused(f"{', '.join(sitting)} asked for a bye: teams have none, take it back first.", "team_size")
    large = [team.name for team in teams_of(s, event) if len(active(everybody, team)) > team_size > 1]
    if large:
        raise Refused(f"{', '.join(large)}: more players than that.", "team_size")
    if note_change(s, event, actor, now, "Changed how teams are played", before, after):
        event.team_size, event.boards, event.doubles = team_size, boards, doubles
