"""The section of the page "Pairing" for rounds without a game, games not played out, and the VP difference's limit."""

from datetime import datetime

from sqlmodel import Session
from wtforms import SelectField
from wtforms.fields import SelectChoice

from events.actions.pairing_settings import Counting, set_counting
from events.views.fields import number
from events.views.pairing_section import Section, SectionForm
from models.endings import ConcededVp, NotPlayed
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
    conceded_vp = SelectField(
        "Whom a game was conceded to has",
        choices=[
            SelectChoice(ConcededVp.BYE.value, "a win, with no fewer VP than a bye"),
            SelectChoice(ConcededVp.SCORED.value, "a win, with the VP scored so far"),
        ],
    )
    not_played = SelectField(
        "A game to which both came, and which was not played",
        choices=[
            SelectChoice(NotPlayed.NOTHING.value, "counts for nothing"),
            SelectChoice(NotPlayed.DRAW.value, "is a draw, without VP"),
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
        "conceded_vp": event.conceded_vp.value,
        "not_played": event.not_played.value,
        "late_points": event.late_points,
        "vp_cap": event.vp_cap,
    }


def _store(s: Session, event: Event, form: CountingForm, actor: str, now: datetime) -> None:
    counting = Counting(
        form.bye_vp.data,
        AskedBye(form.asked_bye.data),
        form.late_points.data,
        form.vp_cap.data,
        ConcededVp(form.conceded_vp.data),
        NotPlayed(form.not_played.data),
    )
    set_counting(s, event, counting, actor, now)


COUNTING = Section("counting", "Rounds without a game", CountingForm, _shown, _store)
