"""The forms of sections of the settings whose columns a new event has too (``EventSettings``).

A field follows from its column in ``models/settings.py``, unless its section makes it by hand. A section without fields
is not shown.
"""

import re
from collections.abc import Mapping
from datetime import time
from itertools import starmap
from typing import Any, ClassVar, Self, cast
from zoneinfo import ZoneInfo

from sqlmodel import SQLModel
from wtforms import BooleanField, Field, FieldList, FormField, HiddenField, SelectField, SelectMultipleField
from wtforms.fields import SelectChoice
from wtforms.validators import ValidationError
from wtforms.widgets import CheckboxInput, ListWidget

from events.journal.setting_words import ANSWERS, label_of
from events.registration.payments import FEE_FOR
from events.registration.questions import (
    LONGEST_ANSWER,
    LONGEST_LABEL,
    MOST_CHOICES,
    MOST_QUESTIONS,
    Kind,
    Question,
    as_documents,
    next_id,
)
from events.setup.actions import PlannedEvent, settings_of
from events.setup.field_forms import COLUMNS, setting_field, setting_typed
from events.store.editions import editions_to_choose, system_of
from events.store.errors import Refused
from events.store.scenarios import deciding_shares, scenarios_of
from events.tournament.points_table import (
    AS_IN,
    MOST_POINTS,
    BadTable,
    PointsTable,
    as_lines,
    typed_table,
)
from events.visitors import access
from events.visitors.conventions import convention_events
from events.visitors.loading import visitor
from events.web.forms import ZONES, LocalMomentField, RowForm, SiteForm, choices_in, day_time, lines, number, text
from events.web.parsing import series_slug, tidy
from events.web.request import db
from languages.money import CODE, SIGNS, as_typed, fee_typed
from languages.words import gettext, lazy_gettext, ngettext, offered
from models.base import UTCDateTime
from models.event import Event
from models.facts import fact_of
from models.settings import (
    AboutEvent,
    AboutLists,
    AboutPoints,
    AboutPrivacy,
    AboutRegistration,
    AboutRepeats,
    AboutReports,
    AboutRounds,
    EventSettings,
    SignUpBy,
)
from validators.strict_json import fingerprint

MOMENTS = [name for name in EventSettings.model_fields if isinstance(COLUMNS[name].type, UTCDateTime)]
"""Settings that are times, typed in the event's time zone."""


class SettingsForm(SiteForm):
    """The form of one section. ``was`` is the fingerprint of the values it was opened with."""

    id: ClassVar[str]
    """Its section (``said.SECTIONS``), the end of its address and the name of its template."""
    of: ClassVar[type[SQLModel]] = SQLModel
    """The columns of the section."""
    was = HiddenField()
    seen = HiddenField()

    def __init_subclass__(cls) -> None:
        """Add the fields that follow from their columns, in the order of these."""
        super().__init_subclass__()
        for name in cls.of.model_fields:
            if name not in vars(cls) and (made := setting_field(name)) is not None:
                setattr(cls, name, made)

    @classmethod
    def opened(cls, event: Event, *, sent: bool) -> Self:
        """The section's form, as submitted or with the stored values."""
        settings = settings_of(event)
        stored = {**settings_as_form(settings), "was": section_mark(cls, settings)}
        form = cls(data=stored) if sent else cls(None, data=stored)
        form.in_zone_of(event)
        form.offer(event)
        return form

    def mark(self, event: Event) -> str:
        """The fingerprint of the section's values now."""
        return section_mark(type(self), settings_of(event))

    def offer(self, event: Event) -> None:
        """Fill choices and labels from the event, before the form is checked."""

    def in_zone_of(self, event: Event) -> None:
        """Read and show times in the event's time zone."""
        for field in self:
            if isinstance(field, LocalMomentField):
                field.zone = event.timezone

    @property
    def own(self) -> list[Field]:
        """The fields of the section's columns, in the order of these."""
        return [self[name] for name in self.of.model_fields if name in self]

    def values(self) -> dict[str, Any]:
        """The settings as typed, by their names in ``EventSettings``."""
        return {field.short_name: setting_typed(field) for field in self.own}

    def wanted(self, current: PlannedEvent) -> PlannedEvent:
        """The current settings with this section's as typed."""
        return current.model_copy(update=self.values())


class EventForm(SettingsForm):
    id, of = "event", AboutEvent
    starts_at = day_time(
        lazy_gettext(label_of("starts_at")), description=lazy_gettext("When round 1 begins on the first day.")
    )
    timezone = SelectField(
        lazy_gettext(label_of("timezone")),
        choices=ZONES,
        description=lazy_gettext("Times to come keep their hour in a new zone."),
    )
    language = SelectField(
        lazy_gettext(label_of("language")),
        choices=[SelectChoice("", lazy_gettext("Each reader’s own")), *starmap(SelectChoice, offered().items())],
    )
    moved_seen = HiddenField()
    """The mark of the moves that the form has shown."""

    def offer(self, event: Event) -> None:
        self["bring"].description = gettext(
            "In addition to %(a_force)s, its list, and dice.", a_force=system_of(event).words.a_force
        )

    def validate_convention(self, field: Field) -> None:
        if field.data and not any(map(str.isalnum, field.data)):
            raise ValidationError(gettext("Use at least one letter or number: the name makes the page’s address."))
        is_new = field.data and field.data != field.object_data
        others = convention_events(db(), series_slug(field.data)) if is_new else []
        if not all(access.may_change_settings(visitor(), event) for event in others):
            raise ValidationError(gettext("This convention has events of other organisers. Choose another name."))


class RegistrationForm(SettingsForm):
    """Sign-up, places and the fee, whose amount and currency are read from what is typed."""

    id, of = "registration", AboutRegistration
    fee = None
    fee_amount = text(
        lazy_gettext(label_of("fee")), 60, required=False, description=lazy_gettext(fact_of(COLUMNS["fee"]).help)
    )
    fee_for = SelectField(
        lazy_gettext("The players who signed up"),
        choices=[SelectChoice("", lazy_gettext("Not decided yet")), *choices_in(FEE_FOR)],
        validate_choice=False,
    )

    def wanted(self, current: PlannedEvent) -> PlannedEvent:
        """The settings as typed. Raises Refused for a figure that is no amount with its currency."""
        values = self.values()
        typed = values.pop("fee_amount")
        try:
            words, amount, currency = fee_typed(typed, current.fee_currency)
            amount = amount if words else current.fee_amount
            values |= {"fee": words, "fee_amount": amount, "fee_currency": currency}
        except ValueError:
            if typed != current.fee:  # words of an earlier version stay
                raise Refused(_no_fee(typed), "fee_amount") from None
        return current.model_copy(update=values)

    def values(self) -> dict[str, Any]:
        """The settings as typed. Raises Refused without the time from which everybody may sign up."""
        if self["sign_up_by"].data == SignUpBy.MEMBERS_FIRST and self["everybody_from"].moment is None:
            raise Refused(gettext("Enter from when everybody may sign up."), "everybody_from")
        return super().values()


def _no_fee(typed: str) -> str:
    """Why this is no fee."""
    if re.search(r"[1-9]", typed) is None:
        return gettext("Enter an amount above 0.")
    if code := re.search(rf"(?<!\w)(?:{CODE})(?!\w)|€", typed):
        example = as_typed(1200, SIGNS.get(code[0], code[0]))
        return gettext("Enter an amount such as %(example)s.", example=f"{example} {code[0]}")
    return gettext("Enter an amount and the code of its currency, such as 12.00 EUR or 1500 JPY.")


class RepeatForm(SettingsForm):
    id, of = "repeat", AboutRepeats


class PrivacyForm(SettingsForm):
    id, of = "privacy", AboutPrivacy

    def values(self) -> dict[str, Any]:
        """The settings as typed. Raises Refused for an address that leads nowhere."""
        scheme, separator, rest = (self["privacy_notice"].data or "").strip().partition("://")
        if scheme in ("http", "https") and separator and "\n" not in rest and len(rest.split()) != 1:
            raise Refused(gettext("Enter a whole address without spaces, or a text."), "privacy_notice")
        return super().values()


class QuestionRow(RowForm):
    id = HiddenField()
    label = text(lazy_gettext("Question"), LONGEST_LABEL, required=False)
    kind = SelectField(lazy_gettext("Answer"), choices=choices_in(ANSWERS))
    choices = lines(lazy_gettext("Choices"), 2000, description=lazy_gettext("For a choice only: one in each line."))
    required = BooleanField(lazy_gettext("Players must answer"))


class QuestionsForm(SettingsForm):
    id = "questions"
    questions = FieldList(FormField(QuestionRow), label=lazy_gettext(label_of("questions")), max_entries=MOST_QUESTIONS)

    def offer(self, event: Event) -> None:
        """Two empty rows for more questions."""
        filled = sum(bool(row.form.label.data) for row in self.questions)
        while len(self.questions) < min(filled + 2, MOST_QUESTIONS):
            self.questions.append_entry({"kind": Kind.TEXT.value})

    def wanted(self, current: PlannedEvent) -> PlannedEvent:
        """The questions with a text. Known ones keep their id, and so their answers. Raises Refused."""
        stored_ids, questions = {str(question["id"]) for question in current.questions or ()}, list[Question]()
        rows = [row.form for row in self.questions if row.form.label.data]
        taken = [Question(id_, "") for id_ in stored_ids]
        for row in rows:
            choices = tuple(dict.fromkeys(filter(None, (tidy(line) for line in row.choices.data.splitlines()))))
            if row.kind.data == Kind.CHOICE and not 2 <= len(choices) <= MOST_CHOICES:
                raise Refused(
                    ngettext(
                        "“%(data)s” needs 2 to %(num)s choice, one in each line.",
                        "“%(data)s” needs 2 to %(num)s choices, one in each line.",
                        MOST_CHOICES,
                        data=row.label.data,
                    ),
                    "questions",
                )
            if any(len(choice) > LONGEST_ANSWER for choice in choices):
                raise Refused(
                    ngettext(
                        "A choice has at most %(num)s character.",
                        "A choice has at most %(num)s characters.",
                        LONGEST_ANSWER,
                    ),
                    "questions",
                )
            free = row.id.data in stored_ids and row.id.data not in {question.id for question in questions}
            id_ = row.id.data if free else next_id((*taken, *questions))
            of_kind = choices if row.kind.data == Kind.CHOICE else ()
            questions.append(Question(id_, row.label.data, Kind(row.kind.data), of_kind, row.required.data))
        return current.model_copy(update={"questions": as_documents(questions)})


class ListsForm(SettingsForm):
    id, of = "lists", AboutLists
    edition = SelectField(lazy_gettext(label_of("edition")))

    def offer(self, event: Event) -> None:
        """The game's sizes and editions, without those that ship in part only."""
        sizes = ", ".join(map(str, system_of(event).sizes))
        self["size"].description = gettext("Advised: %(sizes)s; any size is allowed.", sizes=sizes)
        self.edition.choices = [SelectChoice(e.id, e.name) for e in editions_to_choose(db(), event).values()]


class RoundsForm(SettingsForm):
    id, of = "rounds", AboutRounds
    scenarios = FieldList(
        SelectField(lazy_gettext("Scenario")), label=lazy_gettext(label_of("scenarios")), min_entries=0, max_entries=20
    )
    scenario_pool = SelectMultipleField(
        lazy_gettext(label_of("scenario_pool")),
        option_widget=CheckboxInput(),
        widget=ListWidget(prefix_label=False),
        description=lazy_gettext(
            "Rounds draw their scenarios from this pool; none is drawn twice. A table that draws gets a "
            "scenario that neither player has played."
        ),
    )

    def offer(self, event: Event) -> None:
        """The game's and the club's scenarios, one choice for each round."""
        by_id = scenarios_of(event)
        scenarios = by_id.values()
        while len(self.scenarios) < min(self["rounds"].data or 0, 20):
            self.scenarios.append_entry("")
        self.scenario_pool.choices = [SelectChoice(s.id, s.name) for s in scenarios]
        self.scenario_pool.description = f"{self.scenario_pool.description} {deciding_shares(event, by_id)}".rstrip()
        for entry in self.scenarios:
            entry.choices = [
                SelectChoice("", gettext("Drawn from the pool")),
                *(SelectChoice(s.id, s.name) for s in scenarios),
            ]

    def values(self) -> dict[str, Any]:
        """As typed, with one scenario for each round."""
        rounds = self["rounds"].data
        chosen = [name or "" for name in self.scenarios.data][:rounds]
        missing = [""] * (rounds - len(chosen))
        return super().values() | {
            "scenario_pool": list(self.scenario_pool.data or ()),
            "scenarios": (*chosen, *missing),
        }


class PointsForm(SettingsForm):
    id, of = "points", AboutPoints

    def offer(self, event: Event) -> None:
        self["painting_points"].label.text = gettext("Fully painted %(force)s", force=system_of(event).words.force)


class ReportsForm(SettingsForm):
    """What reports contain, and tournament points by the difference in VP."""

    id, of = "reports", AboutReports
    points_table = lines(
        lazy_gettext(label_of("points_table")),
        1000,
        description=lazy_gettext("%(as_in)s. Leave blank for no table.", as_in=lazy_gettext(AS_IN)),
    )
    table_draw = number(lazy_gettext("Draw, each player, with a table"), 0, MOST_POINTS, required=False)
    table_bye = number(lazy_gettext("Bye, or win by no-show, with a table"), 0, MOST_POINTS, required=False)

    def offer(self, event: Event) -> None:
        """A table needs both; without one they may be empty."""
        self.table_draw.flags.optional = self.table_bye.flags.optional = False

    @property
    def table(self) -> PointsTable | None:
        """The table as typed; None if it is empty or has errors."""
        try:
            return cast(PointsTable | None, self.values()["points_table"])
        except Refused:
            return None

    def values(self) -> dict[str, Any]:
        """The settings as typed. Raises Refused for an invalid table."""
        table: PointsTable | None = None
        if (self.points_table.data or "").strip():
            missing = [field for field in (self.table_draw, self.table_bye) if field.data is None]
            if missing:
                raise Refused(gettext("Enter the points of the table."), missing[0].name)
            try:
                table = typed_table(self.points_table.data, self.table_draw.data, self.table_bye.data)
            except BadTable as bad:
                at = {"steps": "points_table", "draw": "table_draw", "bye": "table_bye"}
                (field, message), *rest = ((at[field], str(fault)) for field, fault in bad.faults)
                raise Refused(message, field, tuple(rest)) from bad
        return super().values() | {"points_table": table}


SECTIONS: tuple[type[SettingsForm], ...] = (
    EventForm, RepeatForm, RegistrationForm, QuestionsForm, PrivacyForm, ListsForm, RoundsForm, PointsForm, ReportsForm,
)  # fmt: skip


def section_mark(section: type[SettingsForm], settings: PlannedEvent) -> str:
    """A fingerprint of the section's stored values. A form opened with other values is outdated."""
    names = [name for name in sorted(PlannedEvent.model_fields) if name in vars(section)]
    return fingerprint({name: str(getattr(settings, name)) for name in names})


def settings_as_form(settings: PlannedEvent) -> Mapping[str, Any]:
    """The settings in the form of their fields, with times in the event's time zone."""
    values = dict(settings)
    for name in MOMENTS:
        if values[name]:
            values[name] = values[name].astimezone(ZoneInfo(settings.timezone)).replace(tzinfo=None)
    rows = [{**question, "choices": "\n".join(question["choices"])} for question in settings.questions or ()]
    table = settings.points_table
    start = time.fromisoformat(settings.starts_at) if settings.starts_at else None
    return values | {
        "starts_at": start,
        "fee_amount": settings.fee,
        "questions": rows,
        "points_table": as_lines(table) if table else "",
        "table_draw": table.draw if table else None,
        "table_bye": table.bye if table else None,
    }
