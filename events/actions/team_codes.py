"""Team codes: what a player types to join an existing team. Its captain hands the code out; staff can read it."""

import hmac
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from events.actions.journal import note
from events.errors import Refused
from events.table_numbers import code_typed
from models.base import new_team_code
from models.event import Event, EventState
from models.people import SignInAttempt
from models.play import Player
from models.team import Team

MOST_WRONG, WINDOW = 20, timedelta(minutes=15)
"""Wrong codes of one team from one network address within the window; further ones wait."""
KIND = "team"
FIELD = "team_code"


class WrongCode(Refused):
    """A typed code is not the team's."""

    def __init__(self, team: Team) -> None:
        super().__init__(f"This is not the code of the team {team.name}. Ask your captain for it.", FIELD)
        self.team_id = team.id


def check_code(s: Session, team: Team, typed: str, client: str, now: datetime) -> None:
    """Let a player with the right code join. Raises WrongCode, and Refused without a code or after too many wrong ones.

    ``client`` is the network address that the request came from, as it is counted.
    """
    code = code_typed(typed)
    if not code:
        raise Refused(
            f"The team {team.name} exists already. Type its code: your captain has it. Or start a team of another "
            "name.",
            FIELD,
        )
    counted = select(func.count()).where(
        SignInAttempt.kind == KIND,
        SignInAttempt.name_key == _key(team.id, client),
        col(SignInAttempt.at) > now - WINDOW,
    )
    if s.exec(counted).one() >= MOST_WRONG:
        raise Refused("Too many wrong codes for this team. Wait 15 minutes, or ask the organiser to enter you.", FIELD)
    if not hmac.compare_digest(code.encode(), team.code.encode()):
        raise WrongCode(team)


def record_wrong(s: Session, wrong: WrongCode, client: str, now: datetime) -> None:
    """Count a wrong code."""
    s.add(SignInAttempt(kind=KIND, name_key=_key(wrong.team_id, client), at=now))


def renew_code(s: Session, event: Event, team: Team, actor: str, now: datetime) -> None:
    """End the code that was handed out before. Raises Refused."""
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    team.code = new_team_code()
    note(s, event, actor, now, "renew-team-code", f"Renewed the code of the team {team.name}", team=team.id)


def end_code_of(s: Session, player: Player) -> None:
    """Renew the code of a player's team, because the player leaves it and may know the code."""
    team = s.get(Team, player.team_id) if player.team_id is not None else None
    if team is not None:
        team.code = new_team_code()


def _key(team_id: int, client: str) -> str:
    return f"{team_id} {client}"
