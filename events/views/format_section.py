"""The section "Format" of the page "Pairing": Swiss, round robin or knockout, the cut, third place, the meeting."""

from datetime import datetime

from sqlmodel import Session
from wtforms import BooleanField, SelectField
from wtforms.fields import SelectChoice

from events.actions.format_settings import FEWEST, MOST, FormatSettings, set_format
from events.typed import whole_number
from events.views.fields import number
from events.views.pairing_section import Section, SectionForm
from models.event import Event, EventFormat


class FormatForm(SectionForm):
    """What kind of event it is."""

    format = SelectField(
        "Who plays whom",
        choices=[
            SelectChoice("swiss", "Swiss: players on equal points"),
            SelectChoice("round_robin", "Round robin: everybody meets everybody"),
            SelectChoice("knockout", "Knockout from the start"),
        ],
        description="Of a round robin and a knockout the field says how many rounds there are, when round 1 is drawn.",
    )
    legs = SelectField(
        "Of a round robin",
        choices=[SelectChoice("1", "Everybody once"), SelectChoice("2", "Everybody twice, sides changed")],
        coerce=whole_number,
    )
    cut = number(
        "Cut to the top", FEWEST, MOST, required=False,
        description="So many play a seeded knockout after the rounds. Usually 4, 8 or 16; with another number the top "
        "seeds have byes. Empty: no knockout.",
    )  # fmt: skip
    third_place = BooleanField("The losers of the semi-finals play for third place")
    player_meeting = BooleanField("Player meeting: everybody is seated for the announcements before round 1")


def _shown(event: Event) -> dict[str, object]:
    return {
        "format": event.format.value,
        "legs": event.legs,
        "cut": event.cut,
        "third_place": event.third_place,
        "player_meeting": event.player_meeting,
    }


def _store(s: Session, event: Event, form: FormatForm, actor: str, now: datetime) -> None:
    wanted = FormatSettings(
        EventFormat(form.format.data), form.legs.data, form.cut.data, form.third_place.data, form.player_meeting.data
    )
    set_format(s, event, wanted, actor, now)


FORMAT = Section("format", "Format", FormatForm, _shown, _store)
