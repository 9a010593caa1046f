"""The sections of the page "Pairing" that every event has: how a round is drawn, the tables, the tie-breaks."""

from datetime import datetime

from sqlmodel import Session
from wtforms import FieldList, SelectField, StringField
from wtforms.fields import SelectChoice
from wtforms.validators import Optional, Regexp, ValidationError

from events.actions.pairing_settings import RoomSettings, set_draw_rules, set_room, set_tie_breaks
from events.pairing.draw_rules import LEVELS, METHODS, rules_of_event
from events.pairing.rules import Rules
from events.pairing.tie_breaks import TIE_BREAKS
from events.table_numbers import as_text, numbers_in
from events.views.fields import number, text
from events.views.pairing_section import Section, SectionForm
from models.event import AvoidClubs, Event

MOST_TIE_BREAKS = 8
WEIGHTS = [
    SelectChoice("on", "Looked at, in its place"),
    SelectChoice("banned", "As good as forbidden"),
    SelectChoice("off", "Not looked at"),
]


class DrawForm(SectionForm):
    """How a round is drawn."""

    method = SelectField(
        "Players of equal points",
        choices=[SelectChoice(name, words) for name, words in METHODS.items()],
        description="From round 2 on; round 1 is by lot.",
    )
    avoid_clubs = SelectField(
        "Keep club mates apart",
        choices=[
            SelectChoice("first_round", "In round 1"),
            SelectChoice("always", "In every round"),
            SelectChoice("never", "Never"),
        ],
        description="Where numbers allow.",
    )
    levels = FieldList(SelectField("Level", choices=WEIGHTS), label="Levels", min_entries=6, max_entries=6)

    def offer(self, event: Event) -> None:
        """Name the levels."""
        for place, (entry, words) in enumerate(zip(self.levels, LEVELS.values(), strict=True), start=1):
            entry.label.text = f"{place}. {words}"

    def wanted(self) -> Rules:
        """What was chosen."""
        weights = dict(zip(LEVELS, self.levels.data, strict=True))
        off, banned = (tuple(name for name in LEVELS if weights[name] == kind) for kind in ("off", "banned"))
        return Rules(method=self.method.data, off=off, banned=banned)


class TablesForm(SectionForm):
    """Where is played, and what."""

    tables = number("Tables", 1, 1000, required=False, description="Leave empty for as many as there are games.")
    tables_out = text(
        "Tables out of order", 200, required=False, description="Nobody is seated there: numbers and ranges, 3, 7-9."
    )
    top_tables = SelectField(
        "Who sits where",
        choices=[SelectChoice("top", "Top pairs on the first tables"), SelectChoice("lots", "By lot")],
        description="Nobody sits at a table twice where numbers allow, whichever is chosen.",
    )
    scenario_per_table = SelectField(
        "Scenarios",
        choices=[SelectChoice("round", "One for the round"), SelectChoice("table", "One for each table")],
        description="For each table: drawn from the pool, one that neither player has played, and all used evenly. "
        "A round with a chosen scenario plays that at all tables.",
    )

    def validate_tables_out(self, field: StringField) -> None:
        """Refuse what are no tables. Raises ValidationError."""
        try:
            numbers_in(field.data)
        except ValueError as error:
            raise ValidationError(str(error)) from error

    def wanted(self) -> RoomSettings:
        """What was chosen."""
        return RoomSettings(
            self.tables.data,
            numbers_in(self.tables_out.data),
            self.top_tables.data == "top",
            self.scenario_per_table.data == "table",
        )


class TieBreaksForm(SectionForm):
    """What parts players of equal points."""

    tie_breaks = FieldList(SelectField("Tie-break"), label="Tie-breaks", min_entries=5, max_entries=MOST_TIE_BREAKS)
    move = StringField(validators=[Optional(), Regexp(r"(up|down)-[0-7]\Z", message="There is no such move.")])
    """Which one goes up or down, by the button that was pressed; its place is counted from 0."""

    def offer(self, event: Event) -> None:
        """Fill the choices."""
        for entry in self.tie_breaks:
            entry.choices = [
                SelectChoice("", "None"),
                *(SelectChoice(t.id, f"{t.label}: {t.explanation}") for t in TIE_BREAKS.values()),
            ]

    def wanted(self) -> list[str]:
        """The chosen ones in their order, after the move that was pressed."""
        names = list(self.tie_breaks.data)
        if self.move.data:
            way, _, place = self.move.data.partition("-")
            one, other = int(place), int(place) + (1 if way == "down" else -1)
            if min(one, other) >= 0 and max(one, other) < len(names):
                names[one], names[other] = names[other], names[one]
        return [name for name in names if name]

    def validate_tie_breaks(self, field: FieldList) -> None:
        """Refuse the same tie-break twice. Raises ValidationError."""
        chosen = [name for name in field.data if name]
        if len(set(chosen)) < len(chosen):
            raise ValidationError("The same tie-break stands twice.")


def _drawn_by(event: Event) -> dict[str, object]:
    rules = rules_of_event(event.draw_rules)
    weights = ["off" if name in rules.off else "banned" if name in rules.banned else "on" for name in LEVELS]
    return {"method": rules.method, "avoid_clubs": event.avoid_clubs.value, "levels": weights}


def _store_draw(s: Session, event: Event, form: DrawForm, actor: str, now: datetime) -> None:
    set_draw_rules(s, event, form.wanted(), AvoidClubs(form.avoid_clubs.data), actor, now)


def _store_tables(s: Session, event: Event, form: TablesForm, actor: str, now: datetime) -> None:
    set_room(s, event, form.wanted(), actor, now)


def _tables(event: Event) -> dict[str, object]:
    return {
        "tables": event.tables,
        "tables_out": as_text(event.tables_out or ()),
        "top_tables": "top" if event.top_tables else "lots",
        "scenario_per_table": "table" if event.scenario_per_table else "round",
    }


def _store_tie_breaks(s: Session, event: Event, form: TieBreaksForm, actor: str, now: datetime) -> None:
    set_tie_breaks(s, event, form.wanted(), actor, now)


DRAW = Section("draw", "How a round is drawn", DrawForm, _drawn_by, _store_draw)
TABLES = Section("tables", "Tables and scenarios", TablesForm, _tables, _store_tables)
TIE_BREAKS_IN_ORDER = Section(
    "tie-breaks",
    "Tie-breaks, in this order",
    TieBreaksForm,
    lambda event: {"tie_breaks": list(event.tie_breaks)},
    _store_tie_breaks,
)
