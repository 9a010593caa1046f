"""The sections of the page "Pairing" that every event has: how a round is drawn, the tables, the tie-breaks."""

from datetime import datetime

from sqlmodel import Session
from wtforms import FieldList, SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import ValidationError

from events.actions.pairing_settings import set_draw_rules, set_tables, set_tie_breaks
from events.pairing.draw_rules import LEVELS, METHODS, rules_of_event
from events.pairing.rules import Rules
from events.pairing.tie_breaks import TIE_BREAKS
from events.views.fields import number
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
    """Where is played."""

    tables = number("Tables", 1, 1000, required=False, description="Leave empty for as many as there are games.")


class TieBreaksForm(SectionForm):
    """What parts players of equal points."""

    tie_breaks = FieldList(SelectField("Tie-break"), label="Tie-breaks", min_entries=5, max_entries=MOST_TIE_BREAKS)

    def offer(self, event: Event) -> None:
        """Fill the choices."""
        for entry in self.tie_breaks:
            entry.choices = [
                SelectChoice("", "None"),
                *(SelectChoice(t.id, f"{t.label}: {t.explanation}") for t in TIE_BREAKS.values()),
            ]

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
    set_tables(s, event, form.tables.data, actor, now)


def _store_tie_breaks(s: Session, event: Event, form: TieBreaksForm, actor: str, now: datetime) -> None:
    set_tie_breaks(s, event, [name for name in form.tie_breaks.data if name], actor, now)


DRAW = Section("draw", "How a round is drawn", DrawForm, _drawn_by, _store_draw)
TABLES = Section("tables", "Tables", TablesForm, lambda event: {"tables": event.tables}, _store_tables)
TIE_BREAKS_IN_ORDER = Section(
    "tie-breaks",
    "Tie-breaks, in this order",
    TieBreaksForm,
    lambda event: {"tie_breaks": list(event.tie_breaks)},
    _store_tie_breaks,
)
