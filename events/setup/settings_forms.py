"""The sections of the page "Settings": each is a form of its own, with its own button.

To add a setting: a column of ``Event``, a field of the same name in ``EventSettings`` and in a section's form here, a
line in the section's template ``setup/settings/<id>.html``, and its label in ``events/play/setting_words.py`` for the
journal. A section without fields is not shown.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime, time
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from flask_wtf import FlaskForm
from wtforms import (
    BooleanField,
    DateField,
    Field,
    FieldList,
    Form,
    FormField,
    HiddenField,
    SelectField,
    SelectMultipleField,
)
from wtforms.fields import SelectChoice
from wtforms.validators import InputRequired
from wtforms.widgets import CheckboxInput, ListWidget

from events.play.editions import editions_of, system_of
from events.play.errors import Refused
from events.play.scenarios import scenarios_of
from events.play.setting_words import CHOICES
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
from events.setup.actions import EventSettings
from events.tournament.clock import utc_times_of
from events.tournament.points_table import (
    AS_IN,
    MOST_POINTS,
    BadTable,
    PointsTable,
    as_document,
    as_lines,
    from_document,
    typed,
)
from events.web.forms import (
    ZONES,
    DayTimeField,
    LocalMomentField,
    choices_in,
    day_time,
    lines,
    moment,
    number,
    sensible_year,
    text,
)
from events.web.parsing import tidy
from events.web.request import db
from models.event import Event, ListsInPlay, ListsShown, ReportDetail
from validators.canonical import fingerprint

NO_LIMIT = "Leave blank for no limit. Without one, anyone on the Internet can sign up any number of players."
MOMENTS = ("list_deadline", "lists_shown_from", "registration_opens", "registration_closes")
"""Settings that are times, typed in the event's time zone."""


class SettingsForm(FlaskForm):
    """The form of one section. ``was`` is the fingerprint of the values it was opened with."""

    id: ClassVar[str]
    """The name of its button, its anchor and its template."""
    title: ClassVar[str]
    was = HiddenField()

    def offer(self, event: Event) -> None:
        """Fill choices and labels from the event, before the form is checked."""

    def values(self) -> dict[str, Any]:
        """The settings as typed, by their names in ``EventSettings``."""
        own = {name: field for name, field in self._fields.items() if name in EventSettings.__dataclass_fields__}
        return {name: _typed(field) for name, field in own.items()}

    def wanted(self, current: EventSettings, now: datetime) -> EventSettings:
        """The current settings with this section's as typed."""
        return replace(current, **self.values())


def _typed(field: Field) -> Any:
    if isinstance(field, LocalMomentField):
        return field.moment
    return field.clock if isinstance(field, DayTimeField) else field.data


class EventForm(SettingsForm):
    """Name, place and time."""

    id, title = "event", "The event"
    name = text("Name", 120)
    place = text("Place", 200)
    series = text("Series", 80, required=False, description="Events with the same series share a page.")
    contact = text("Contact", 200, required=False, description="How players reach you on the day. Everybody reads it.")
    bring = lines("What to bring", 1000)
    description = lines("Information for players", 4000, description="Getting there, food, prizes. Plain text.")
    starts_on = DateField("First day", [InputRequired("Enter a date."), sensible_year])
    starts_at = day_time("Start", description="When round 1 begins on the first day.")
    ends_on = DateField("Last day", [InputRequired("Enter a date."), sensible_year])
    timezone = SelectField("Time zone", choices=ZONES, description="Times to come keep their hour in a new zone.")

    def offer(self, event: Event) -> None:
        """The game's word for a force."""
        self.bring.description = f"In addition to {system_of(event).words.a_force}, its list, and dice."

    def wanted(self, current: EventSettings, now: datetime) -> EventSettings:
        """The settings as typed. In a new time zone, future times keep their local time."""
        moved = {name: in_zone(getattr(current, name), current.timezone, self.timezone.data, now) for name in MOMENTS}
        return replace(current, **moved | self.values())


def in_zone(moment: datetime | None, old: str, new: str, now: datetime) -> datetime | None:
    """The same local time in another zone; a past time stays unchanged."""
    if moment is None or moment <= now or old == new:
        return moment
    found = utc_times_of(moment.astimezone(ZoneInfo(old)).replace(tzinfo=None), new)
    return found[-1] if found else moment


class RegistrationForm(SettingsForm):
    """Who can sign up."""

    id, title = "registration", "Registration"
    places = number("Player limit", 2, 2000, required=False, description=NO_LIMIT)
    fee = text("Entry fee", 60, required=False, description="With the currency, such as 15 €. Staff mark who has paid.")
    registration_opens = moment("Registration opens", description="Local time. Leave blank to open it by the button.")
    registration_closes = moment("Registration closes", description="Local time. Leave blank to close it with round 1.")
    waiting_list = BooleanField("Keep a waiting list when all places are taken")
    approval = BooleanField(
        "Approve sign-ups",
        description="Players who sign up wait until you give them a place. Players you add yourself do not wait.",
    )

    def offer(self, event: Event) -> None:
        """The event's time zone."""
        self.registration_opens.zone = self.registration_closes.zone = event.timezone


class QuestionRow(Form):
    """One question to players."""

    id = HiddenField()
    label = text("Question", LONGEST_LABEL, required=False)
    kind = SelectField(
        "Answer",
        choices=[
            SelectChoice("text", "A line of text"),
            SelectChoice("choice", "One of several choices"),
            SelectChoice("number", "A number"),
        ],
    )
    choices = lines("Choices", 2000, description="For a choice only: one in each line.")
    required = BooleanField("Players must answer")


class QuestionsForm(SettingsForm):
    """The questions to players at registration."""

    id, title = "questions", "Questions to players"
    questions = FieldList(FormField(QuestionRow), label="Questions", max_entries=MOST_QUESTIONS)

    def offer(self, event: Event) -> None:
        """Two empty rows for more questions."""
        filled = sum(bool(row.form.label.data) for row in self.questions)
        while len(self.questions) < min(filled + 2, MOST_QUESTIONS):
            self.questions.append_entry({"kind": Kind.TEXT.value})

    def wanted(self, current: EventSettings, now: datetime) -> EventSettings:
        """The questions with a text. Known ones keep their id, and so their answers. Raises Refused."""
        known, found = {str(one["id"]) for one in current.questions}, list[Question]()
        rows = [row.form for row in self.questions if row.form.label.data]
        taken = [Question(id_, "") for id_ in known]
        for row in rows:
            choices = tuple(dict.fromkeys(filter(None, (tidy(line) for line in row.choices.data.splitlines()))))
            if row.kind.data == Kind.CHOICE and not 2 <= len(choices) <= MOST_CHOICES:
                raise Refused(f"“{row.label.data}” needs 2 to {MOST_CHOICES} choices, one in each line.", "questions")
            if any(len(choice) > LONGEST_ANSWER for choice in choices):
                raise Refused(f"A choice has at most {LONGEST_ANSWER} characters.", "questions")
            free = row.id.data in known and row.id.data not in {one.id for one in found}
            id_ = row.id.data if free else next_id((*taken, *found))
            of_kind = choices if row.kind.data == Kind.CHOICE else ()
            found.append(Question(id_, row.label.data, Kind(row.kind.data), of_kind, row.required.data))
        return replace(current, questions=tuple(as_documents(found) or ()))


class ListsForm(SettingsForm):
    """The lists: size, edition, lock, and who reads them."""

    id, title = "lists", "Lists"
    size = number("Size", 1, 100_000)
    edition = SelectField("Edition of the force lists")
    list_deadline = moment(
        "List deadline",
        description="Local time. Lists lock then. Leave blank to lock them when round 1 is published.",
    )
    lists_shown = SelectField(
        "Show lists to everyone",
        choices=choices_in(CHOICES["lists_shown"]),
        description="Until then only you and a list’s player can read it. “Show all lists now” on the page Lists "
        "works with every choice.",
    )
    lists_shown_from = moment("Set time for showing lists", description="Local time.")
    lists_in_play = SelectField(
        "Lists during rounds",
        choices=choices_in(CHOICES["lists_in_play"]),
        description="Who can read locked lists earlier than chosen above. In a season whose rounds are "
        "all drawn at once, every opponent reads them from the start.",
    )
    seen = HiddenField()

    def offer(self, event: Event) -> None:
        """The game's editions, and the event's time zone."""
        self.list_deadline.zone = self.lists_shown_from.zone = event.timezone
        self.edition.choices = [SelectChoice(e.id, e.name) for e in editions_of(db(), system_of(event)).values()]

    def values(self) -> dict[str, Any]:
        """As typed, with the choice of who reads them."""
        return super().values() | {
            "lists_shown": ListsShown(self.lists_shown.data),
            "lists_in_play": ListsInPlay(self.lists_in_play.data),
        }


class RoundsForm(SettingsForm):
    """Rounds, their length, and their scenarios."""

    id, title = "rounds", "Rounds and clock"
    rounds = number("Rounds", 1, 20)
    round_minutes = number("Minutes per round", 10, 600)
    scenarios = FieldList(SelectField("Scenario"), label="Scenarios", min_entries=0, max_entries=20)
    scenario_pool = SelectMultipleField(
        "Scenario pool",
        option_widget=CheckboxInput(),
        widget=ListWidget(prefix_label=False),
        description="Rounds draw their scenarios from this pool; none is drawn twice. A table that draws gets a "
        "scenario that neither player has played.",
    )

    def offer(self, event: Event) -> None:
        """The game's and the club's scenarios, one choice for each round."""
        scenarios = scenarios_of(db(), event).values()
        while len(self.scenarios) < min(self.rounds.data or 0, 20):
            self.scenarios.append_entry("")
        self.scenario_pool.choices = [SelectChoice(s.id, s.name) for s in scenarios]
        for entry in self.scenarios:
            entry.choices = [
                SelectChoice("", "Drawn from the pool"),
                *(SelectChoice(s.id, s.name) for s in scenarios),
            ]

    def values(self) -> dict[str, Any]:
        """As typed, with one scenario for each round."""
        chosen = [name or "" for name in self.scenarios.data][: self.rounds.data]
        missing = [""] * (self.rounds.data - len(chosen))
        return super().values() | {
            "scenario_pool": tuple(self.scenario_pool.data or ()),
            "scenarios": (*chosen, *missing),
        }


class PointsForm(SettingsForm):
    """How games count in the standings."""

    id, title = "points", "Points and tie-breaks"
    points_win = number("Win", 0, 100)
    points_draw = number("Draw", 0, 100)
    points_loss = number("Loss", 0, 100)
    painting_points = number(
        "Fully painted force",
        0,
        100,
        description="Added once, from the start, for a player ticked as painted.",
    )

    def offer(self, event: Event) -> None:
        """The game's word for a force."""
        self.painting_points.label.text = f"Fully painted {system_of(event).words.force}"


class ReportsForm(SettingsForm):
    """What reports contain, and tournament points by the difference in VP."""

    id, title = "reports", "Reports and points table"
    report_detail = SelectField(
        "Players’ reports",
        choices=choices_in(CHOICES["report_detail"]),
        description="Can change until the first result is reported. With win, draw or loss, VP do not count.",
    )
    points_table = lines("Points table", 1000, description=f"{AS_IN}. Leave blank for no table.")
    table_draw = number("Draw, each player", 0, MOST_POINTS, required=False)
    table_bye = number("Bye, or win by no-show", 0, MOST_POINTS, required=False)

    @property
    def table(self) -> PointsTable | None:
        """The table as typed; None if it is empty or has errors."""
        try:
            return from_document(self.values()["points_table"])
        except Refused:
            return None

    def values(self) -> dict[str, Any]:
        """The settings as typed. Raises Refused for an invalid table."""
        found: PointsTable | None = None
        if (self.points_table.data or "").strip():
            missing = [field for field in (self.table_draw, self.table_bye) if field.data is None]
            if missing:
                raise Refused("Enter the points of the table.", missing[0].name)
            try:
                found = typed(self.points_table.data, self.table_draw.data, self.table_bye.data)
            except BadTable as bad:
                at = {"steps": "points_table", "draw": "table_draw", "bye": "table_bye"}
                (field, message), *rest = ((at[field], message) for field, message in bad.faults)
                raise Refused(message, field, tuple(rest)) from bad
        return {"report_detail": ReportDetail(self.report_detail.data), "points_table": as_document(found)}


SECTIONS: tuple[type[SettingsForm], ...] = (
    EventForm, RegistrationForm, QuestionsForm, ListsForm, RoundsForm, PointsForm, ReportsForm,
)  # fmt: skip


def form_of(section: type[SettingsForm], event: Event, settings: EventSettings, *, sent: bool) -> SettingsForm:
    """The section's form, as submitted or with the stored values."""
    stored = {**shown(settings), "was": mark(section, settings)}
    form = section(data=stored) if sent else section(None, data=stored)
    form.offer(event)
    return form


def mark(section: type[SettingsForm], settings: EventSettings) -> str:
    """A fingerprint of the section's stored values. A form opened with other values is outdated."""
    own = [name for name in sorted(EventSettings.__dataclass_fields__) if name in section.__dict__]
    return fingerprint({name: str(getattr(settings, name)) for name in own})


def shown(settings: EventSettings) -> Mapping[str, Any]:
    """The settings in the form of their fields, with times in the event's time zone."""
    values = asdict(settings)
    for name in MOMENTS:
        if values[name]:
            values[name] = values[name].astimezone(ZoneInfo(settings.timezone)).replace(tzinfo=None)
    rows = [{**one, "choices": "\n".join(one["choices"])} for one in settings.questions]
    table = from_document(settings.points_table)
    start = time.fromisoformat(settings.starts_at) if settings.starts_at else None
    return values | {
        "lists_shown": settings.lists_shown.value,
        "lists_in_play": settings.lists_in_play.value,
        "starts_at": start,
        "questions": rows,
        "report_detail": settings.report_detail.value,
        "points_table": as_lines(table) if table else "",
        "table_draw": table.draw if table else None,
        "table_bye": table.bye if table else None,
    }
