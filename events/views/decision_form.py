"""The desk's form of a game: the scenario's figures, how it ended, whom a judge gives it to, and why."""

from typing import Any

from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.outcomes import Ended
from events.views.fields import text
from events.views.report_form import PLAYED, ending_choices, ending_shown, report_form
from models.endings import Awarded
from models.play import Player
from validators.scenario import Scenario, Tally


def decision_form(scenario: Scenario, a: Player, b: Player, tallies: tuple[Tally, ...]) -> type[FlaskForm]:
    """The form class of one game."""
    winners = [
        SelectChoice("", "Whoever the figures say"),
        SelectChoice(Awarded.A.value, a.name),
        SelectChoice(Awarded.B.value, b.name),
        SelectChoice(Awarded.DRAW.value, "Nobody: a draw"),
    ]
    fields: dict[str, Any] = {
        "ending": SelectField("How it ended", choices=ending_choices(a, b, judge=True), default=PLAYED),
        "awarded": SelectField(
            "The judge gives it to", choices=winners, description="Only for a game that a judge decides."
        ),
        "reason": text("Why", 500, required=False, description="Both players read it, and it stays with the result."),
    }
    return report_form(scenario, a, b, tallies, **fields)


def ending_fields(how: Ended, reason: str) -> dict[str, str]:
    """What the form's fields of the ending hold for a game that ended so."""
    return ending_shown(how, judge=True) | {
        "awarded": how.awarded.value if how.awarded else "",
        "reason": how.reason or reason,
    }
