"""Forms: lists, editions and scenarios."""

import re
from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice

from flask_wtf import FlaskForm
from flask_wtf.file import FileField, MultipleFileField
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
    TextAreaField,
)
from wtforms.fields import SelectChoice
from wtforms.validators import DataRequired, Length, Optional, ValidationError
from wtforms.widgets import CheckboxInput, ListWidget

from events.web.forms import lines, moment, number, sensible_year, text
from events.web.parsing import whole_number
from validators.editions import CostEntry


class ReopenForm(FlaskForm):
    """Reopen all locked lists."""

    deadline = moment("New deadline", description="At the event's place. Leave blank to lock with round 1.")


class SendBackForm(FlaskForm):
    """The organiser's note to the player."""

    note = lines("What should be changed", 1000, required=True, description="The player reads it on their page.")
    seen = HiddenField()


class UnlockForm(FlaskForm):
    """How long one player may change the list."""

    until = moment("Until", description="At the event's place. Leave blank to keep it open until you lock it again.")


_ID = re.compile(r"[a-z0-9][a-z0-9._-]*", re.ASCII)


class AddForm(FlaskForm):
    """The files of an edition with its title; from the preview, the edition itself in ``packed``."""

    files = MultipleFileField("Files")
    id = text("Id", 40, required=False, description="For addresses, such as club-2027.")
    name = text("Name", 80, required=False)
    date = DateField("Date of the lists", [Optional(), sensible_year])
    against = SelectField("Compare with")
    packed = HiddenField()

    def validate_id(self, field: Field) -> None:
        """Raise ValidationError for an id that does not fit into an address or a file name."""
        if field.data and not _ID.fullmatch(field.data):
            raise ValidationError("Only a to z, 0 to 9, dots, dashes and underscores; a letter or a digit first.")


MOST_CORRECTED = 200
"""The most costs in one form of corrections."""


class CostForm(Form):
    """One cost of an edition, with the entry that has it."""

    kind = HiddenField()
    faction = HiddenField()
    name = HiddenField()
    cost = number("Cost", 0, 9999)


class CorrectionForm(FlaskForm):
    """Corrected costs of an edition, a further model, and the name of the new edition."""

    search = text("Search", 80, required=False, description="A part of a name, or a faction.")
    costs = FieldList(FormField(CostForm), label="Costs", max_entries=MOST_CORRECTED)
    model_name = text("Name of the model", 80, required=False)
    model_faction = SelectField("Faction")
    model_cost = number("Cost", 0, 9999, required=False)
    model_like = SelectField("Carries the same as", description="Its items and packs are copied.")
    model_unique = BooleanField("Unique")
    model_heroic = BooleanField("May be Heroic")
    name = text("Name of the new edition", 80)

    def show(self, entries: Iterable[CostEntry]) -> None:
        """Replace the rows by these costs, at most as many as the form has room for."""
        while self.costs.entries:
            self.costs.pop_entry()
        for entry in islice(entries, MOST_CORRECTED):
            self.costs.append_entry(asdict(entry))


class AnswersForm(FlaskForm):
    """A field for each question of an import. ``earlier`` names the edition whose answers are the defaults."""

    class Meta:
        csrf = False  # it is part of the files' form, which has the token

    earlier = ""


MOST_MARKERS = 24
FREE_ROWS = 3
"""The empty rows for further markers when the form opens."""
_LONG = 12_500
"""Characters of twenty steps."""


class MarkerForm(Form):
    """One row: a marker, or empty."""

    x = text("Across", 8, required=False, render_kw={"inputmode": "decimal"})
    y = text("Up", 8, required=False, render_kw={"inputmode": "decimal"})
    label = text("Label", 24, required=False)
    owner = SelectField(
        "Owner", choices=[SelectChoice("", "Neither"), SelectChoice("a", "Player A"), SelectChoice("b", "Player B")]
    )


class ScenarioForm(FlaskForm):
    """A whole scenario. The game checks whether its figures fit together."""

    name = text("Name", 60)
    summary = text("In a sentence or two", 300, required=False)
    source = text("Source", 200, required=False, description="The document and its section, or the author.")
    setup = lines("Set-up", _LONG, required=True, description="One step per line, in order.")
    scoring = lines("Scoring", _LONG, required=True, description="One step per line: what scores, how much and when.")
    game_rounds = number("Game rounds", 1, 12)
    scoring_from = number("First scoring round", 1, 12)
    most = number("Most VP of a player in a round", 1, 99, description="The scenario’s maximum. 99 means no limit.")
    hint = text("Scoring note", 120, required=False, description="“Bridge 1, enemy bank 2”; shown next to each figure.")
    together_refused = number(
        "Maximum for both together", 1, 198, required=False, description="More in one game round is refused."
    )
    together_refused_why = text("Reason", 160, required=False, description="“Two markers give at most 2 together.”")
    together_asked = number(
        "Confirm above, both together",
        1,
        198,
        required=False,
        description="Accepted when the reporting player confirms it.",
    )
    together_asked_why = text("Reason", 160, required=False)
    one_asked = number("Confirm above, one player", 1, 99, required=False)
    one_asked_why = text("Reason", 160, required=False)
    held_by_one = text(
        "Marker only one player can hold", 40, required=False,
        description="Worth 1 VP where everything else is worth even figures: two odd figures are refused. “The bridge”",
    )  # fmt: skip
    note = text(
        "Limits in short",
        120,
        required=False,
        description="For the sheet. Leave blank to derive it from the limits.",
    )
    choices = lines("Choices before the game", 80, description="Two or three, one per line. Leave blank for none.")
    objectives_each = number("Objective markers of each player", 0, 8)
    objective_most = number("Most of one kind", 1, 8)
    objective_kinds = lines("Kinds of marker", 220, description="One per line.")
    table_inches = number("Side of the table, inches", 12, 72)
    deployment_inches = number("Deployment depth, inches", 0, 36, description="From the player's own edge; 0 for none.")
    needs = lines(
        "Objects on the table", _LONG, description="One object per line with its count: 3 searchable markers."
    )
    markers = FieldList(FormField(MarkerForm), label="Markers", min_entries=0, max_entries=MOST_MARKERS)
    readings = lines(
        "Readings", _LONG, description="Your answers to questions that a document leaves open, one per line."
    )
    queries = lines(
        "Questions for the organiser", _LONG, description="Questions that no document answers, one per line."
    )
    seen = HiddenField()

    @property
    def empty_rows(self) -> int:
        """How many rows hold no marker."""
        return sum(is_empty_row(row.form) for row in self.markers)

    def add_rows(self, wanted: int = FREE_ROWS) -> None:
        """Fill the form up to this number of empty rows, within the limit of markers."""
        for _ in range(min(wanted - self.empty_rows, MOST_MARKERS - len(self.markers))):
            self.markers.append_entry()


def is_empty_row(row: Form) -> bool:
    """Whether nothing is typed in a marker's row."""
    return not (row.x.data or row.y.data or row.label.data)


class UploadForm(FlaskForm):
    """A scenario file."""

    file = FileField("Scenario file")


class FieldForm(FlaskForm):
    """The models of the roster that are fielded, by their places in it."""

    places = SelectMultipleField(
        "Fielded", coerce=whole_number, option_widget=CheckboxInput(), widget=ListWidget(prefix_label=False)
    )


class FactionForm(FlaskForm):
    """The faction of a new force."""

    faction = SelectField("Faction", [DataRequired("Please choose a faction.")])


class FileForm(FlaskForm):
    """An upload: a file in any format that the game reads, or its text."""

    file = FileField()
    text = TextAreaField("", [Optional(), Length(max=100_000)])
