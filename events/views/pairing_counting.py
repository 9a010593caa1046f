"""The section of the page "Pairing" for rounds without a game and the limit of the VP difference."""

from datetime import datetime

from sqlmodel import Session
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.actions.pairing_settings import Counting, set_counting
from events.views.fields import number
from events.views.pairing_section import Section, SectionForm
from models.event import AskedBye, Event


class CountingForm(SectionForm):
    """What rounds without a game count for."""

    bye_vp = number(
        "Victory points of a bye", 0, 10_000, required=False, description="Leave empty for the mean of the winners."
    )
    asked_bye = SelectField(
        "A bye that a player asked for is",
        choices=[
            SelectChoice(AskedBye.WIN.value, "a win, with the VP of a bye"),
            SelectChoice(AskedBye.DRAW.value, "a draw, with half the VP of a bye"),
            SelectChoice(AskedBye.LOSS.value, "a loss, without VP"),
        ],
    )
    late_points = number(
        "Late entry", 0, 100, description="Tournament points for each round before a late player's first."
    )
    vp_cap = number(
        "Limit of the VP difference",
        1,
        10_000,
        required=False,
        description="The most that one game adds to it or takes from it. Leave empty for no limit.",
    )


def _shown(event: Event) -> dict[str, object]:
    return {
        "bye_vp": event.bye_vp,
        "asked_bye": event.asked_bye.value,
        "late_points": event.late_points,
        "vp_cap": event.vp_cap,
    }


def _store(s: Session, event: Event, form: CountingForm, actor: str, now: datetime) -> None:
    chosen = AskedBye(form.asked_bye.data)
    counting = Counting(form.bye_vp.data, chosen, form.late_points.data, form.vp_cap.data)
    set_counting(s, event, counting, actor, now)


COUNTING = Section("counting", "Rounds without a game", CountingForm, _shown, _store)
