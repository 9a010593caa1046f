"""Codes with which players join teams: checked, renewed, ended."""

import hmac
from datetime import datetime

from sqlmodel import Session

from events.accounts import limits
from events.accounts.limits import TEAM_CODES, Client, TooMany, WrongCode
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import check_not_over, note
from events.web.parsing import code_typed
from languages.message import message
from languages.words import gettext
from models.base import new_team_code
from models.play import Player
from models.team import Team

FIELD = "team_code"


def check_code(s: Session, team: Team, typed: str, client: Client, now: datetime) -> None:
    """Check a team's typed code. A right one always works.

    ``client`` is counted for wrong codes. Raises Refused without a code, WrongCode, and TooMany beyond the limit.
    """
    code = code_typed(typed)
    if not code:
        raise Refused(
            gettext(
                "The team %(team)s exists already. Type its code: your captain has it. Or start a team of "
                "another name.",
                team=team.name,
            ),
            FIELD,
        )
    if hmac.compare_digest(code.encode(), team.code.encode()):
        return
    counts = client.counts(TEAM_CODES, f"{team.id} ")
    if limits.reached(s, counts, now):
        raise TooMany(
            gettext(
                "This is not the code of the team %(team)s. Check it: your network has sent too many wrong "
                "codes, but a right one works.",
                team=team.name,
            ),
            FIELD,
        )
    text = gettext("This is not the code of the team %(name)s. Ask your captain for it.", name=team.name)
    raise WrongCode(text, FIELD, counts)


def renew_code(act: Act, team: Team) -> None:
    """Give a team a new code; the old one stops working. Raises Refused."""
    check_not_over(act.event)
    team.code = new_team_code()
    note(act, "renew-team-code", message("Renewed the code of the team %(team)s", team=team.name), team=team.id)


def end_code_of(s: Session, player: Player) -> None:
    """Renew the code of the team that a player is leaving, because the player may know it."""
    team = s.get(Team, player.team_id) if player.team_id is not None else None
    if team is not None:
        team.code = new_team_code()
