"""The section "Teams and doubles" of the page "Pairing"."""

from datetime import datetime

from sqlmodel import Session
from wtforms import BooleanField, RadioField, SelectField
from wtforms.fields import SelectChoice

from events.actions.team_settings import set_teams
from events.pairing.teams import LEAST_BOARDS, MOST_BOARDS
from events.typed import whole_number
from events.views.pairing_section import Section, SectionForm
from models.event import BoardsMatched, Event


class TeamsForm(SectionForm):
    """Who is paired."""

    team_size = SelectField(
        "Paired are",
        choices=[
            SelectChoice("1", "Players, each for themselves"),
            *(SelectChoice(str(size), f"Teams of {size}") for size in range(LEAST_BOARDS, MOST_BOARDS + 1)),
        ],
        coerce=whole_number,
    )
    boards = RadioField(
        "Boards of a match of teams",
        choices=[
            SelectChoice("order", "By the teams’ own order: board 1 against board 1"),
            SelectChoice("choice", "By the captains’ secret choice, match by match"),
        ],
        description="A secret choice is shown to everybody when both captains have made it.",
    )
    doubles = BooleanField("Doubles: two players share one side and one force")


def _shown(event: Event) -> dict[str, object]:
    return {"team_size": event.team_size, "boards": event.boards.value, "doubles": event.doubles}


def _store(s: Session, event: Event, form: TeamsForm, actor: str, now: datetime) -> None:
    boards = BoardsMatched(form.boards.data)
    set_teams(s, event, form.team_size.data, boards, form.doubles.data, actor, now)


TEAMS = Section("teams", "Teams and doubles", TeamsForm, _shown, _store)
