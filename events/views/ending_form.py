"""How a game ended: the one list of choices, for players, from paper and at the desk, and what was chosen of it."""

from flask_wtf import FlaskForm
from wtforms import RadioField
from wtforms.fields import SelectChoice

from events.outcomes import PLAYED_OUT, Ended
from models.endings import Awarded, Ending
from models.play import Player, ReportSide

PLAYED = "played"
"""The choice of a game that was played out."""


def ending_choices(a: Player, b: Player, own: ReportSide | None = None, *, judge: bool = False) -> list[SelectChoice]:
    """What can be said of a game's end. ``own`` is the side that reports on its own page; a ``judge`` may decide."""
    gave_up = {
        side: "I conceded" if side == own else f"{player.name} conceded"
        for side, player in ((ReportSide.A, a), (ReportSide.B, b))
    }
    choices = [
        SelectChoice(PLAYED, "Played out"),
        SelectChoice(Ending.UNFINISHED.value, "Unfinished when time was called"),
        SelectChoice(Ending.CONCEDED_A.value, gave_up[ReportSide.A]),
        SelectChoice(Ending.CONCEDED_B.value, gave_up[ReportSide.B]),
        SelectChoice(Ending.NOT_PLAYED.value, "Not played, though both were there"),
    ]
    return [*choices, SelectChoice(Ending.DECIDED.value, "Decided by a judge")] if judge else choices


def ending_field(a: Player, b: Player, own: ReportSide | None) -> RadioField:
    """The question of how the game ended. ``own`` is the side that reports on its own page."""
    return RadioField("How did the game end?", choices=ending_choices(a, b, own), default=PLAYED)


def ending_shown(how: Ended, *, judge: bool = False) -> dict[str, str]:
    """The field's value for a report that stands; a judge's decision is no player's to repeat."""
    told = how.how if judge or how.how != Ending.DECIDED else None
    return {"ending": told.value if told is not None else PLAYED}


def ending_in(form: FlaskForm) -> Ended:
    """What the form says. One that says nothing, as that of an older version: the game was played out.

    A judge's decision has its winner and its reason from the form that has fields for them, and stands in no other.
    """
    chosen = form["ending"].data
    if chosen not in set(Ending) or (chosen == Ending.DECIDED and "awarded" not in form):
        return PLAYED_OUT
    how = Ending(chosen)
    if how != Ending.DECIDED:
        return Ended(how)
    return Ended(how, Awarded(form["awarded"].data) if form["awarded"].data else None, form["reason"].data)
