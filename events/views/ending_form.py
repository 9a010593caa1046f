"""How a game ended, as the players say it: a field of the report, worded for whoever reports."""

from typing import Any

from flask_wtf import FlaskForm
from wtforms import RadioField
from wtforms.fields import SelectChoice

from events.outcomes import PLAYED_OUT, Ended
from models.endings import Ending
from models.play import Player, ReportSide

PLAYED = "played"
"""The choice of a game that was played out."""


def with_ending(form: type[FlaskForm], a: Player, b: Player, own: ReportSide | None) -> type[FlaskForm]:
    """The form with the question of how the game ended. ``own`` is the side that reports on its own page."""
    gave_up = {
        side: "I conceded" if side == own else f"{player.name} conceded"
        for side, player in ((ReportSide.A, a), (ReportSide.B, b))
    }
    choices = [
        SelectChoice(PLAYED, "Played out"),
        SelectChoice(Ending.UNFINISHED.value, "Unfinished when time was called"),
        SelectChoice(Ending.CONCEDED_A.value, gave_up[ReportSide.A]),
        SelectChoice(Ending.CONCEDED_B.value, gave_up[ReportSide.B]),
        SelectChoice(Ending.NOT_PLAYED.value, "Not played"),
    ]
    fields: dict[str, Any] = {"ending": RadioField("How did the game end?", choices=choices, default=PLAYED)}
    return type("EndedReportForm", (form,), fields)


def ending_shown(how: Ended) -> dict[str, str]:
    """The field's value for a report that stands; a judge's decision is no player's to repeat."""
    players = how.how is not None and how.how != Ending.DECIDED
    return {"ending": how.how.value if how.how is not None and players else PLAYED}


def ending_in(form: FlaskForm) -> Ended:
    """What the form says. A form of an older version says nothing: the game was played out."""
    chosen = form["ending"].data
    return Ended(Ending(chosen)) if chosen in set(Ending) - {Ending.DECIDED} else PLAYED_OUT
