"""Forms: lists, editions and scenarios."""

import re
from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice

from flask_wtf.file import FileField
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

from events.web.forms import RowForm, SiteForm, lines, moment, number, sensible_year, text
from events.web.parsing import whole_number
from languages.words import gettext, lazy_gettext, lazy_pgettext
from validators.editions import CostEntry


class ReopenForm(SiteForm):
    deadline = moment(
        lazy_gettext("New deadline"),
        description=lazy_gettext("At the event's place. Leave blank to lock with round 1."),
    )


class SendBackForm(SiteForm):
    note = lines(
        lazy_gettext("What should be changed"),
        1000,
        required=True,
        description=lazy_gettext("The player reads it on their page."),
    )
    seen = HiddenField()


class UnlockForm(SiteForm):
    until = moment(
        lazy_gettext("Until"),
        description=lazy_gettext("At the event's place. Leave blank to keep it open until you lock it again."),
    )


_ID = re.compile(r"[a-z0-9][a-z0-9._-]*", re.ASCII)


class AddForm(SiteForm):
    """An edition's file with its title; from the preview, the edition itself in ``packed``."""

    file = FileField(lazy_gettext("File"))
    id = text(lazy_gettext("Id"), 40, required=False, description=lazy_gettext("For addresses, such as club-2027."))
    name = text(lazy_gettext("Name"), 80, required=False)
    date = DateField(lazy_gettext("Date of the lists"), [Optional(), sensible_year])
    against = SelectField(lazy_gettext("Compare with"))
    packed = HiddenField()

    def validate_id(self, field: Field) -> None:
        """Raise ValidationError for an id that does not fit into an address or a file name."""
        if field.data and not _ID.fullmatch(field.data):
            raise ValidationError(
                gettext("Only a to z, 0 to 9, dots, dashes and underscores; a letter or a digit first.")
            )


MOST_CORRECTED = 200
"""The most costs in one form of corrections."""


class CostForm(RowForm):
    kind = HiddenField()
    faction = HiddenField()
    name = HiddenField()
    cost = number(lazy_gettext("Cost"), 0, 9999)


class CorrectionForm(SiteForm):
    search = text(
        lazy_pgettext("button", "Search"),
        80,
        required=False,
        description=lazy_gettext("A part of a name, or a faction."),
    )
    costs = FieldList(FormField(CostForm), label=lazy_gettext("Costs"), max_entries=MOST_CORRECTED)
    model_name = text(lazy_gettext("Name of the model"), 80, required=False)
    model_faction = SelectField(lazy_gettext("Faction"))
    model_cost = number(lazy_gettext("Cost"), 0, 9999, required=False)
    model_like = SelectField(
        lazy_gettext("Carries the same as"), description=lazy_gettext("Its items and packs are copied.")
    )
    model_unique = BooleanField(lazy_gettext("Unique"))
    model_heroic = BooleanField(lazy_gettext("May be Heroic"))
    name = text(lazy_gettext("Name of the new edition"), 80)

    def show(self, entries: Iterable[CostEntry]) -> None:
        """Replace the rows by these costs, at most as many as the form has room for."""
        while self.costs.entries:
            self.costs.pop_entry()
        for entry in islice(entries, MOST_CORRECTED):
            self.costs.append_entry(asdict(entry))


MOST_MARKERS = 24
FREE_ROWS = 3
"""The empty rows for further markers when the form opens."""
_LONG = 12_500
"""Characters of twenty steps."""


class MarkerForm(RowForm):
    """One row: a marker, or empty."""

    x = text(lazy_gettext("Across"), 8, required=False, render_kw={"inputmode": "decimal"})
    y = text(lazy_gettext("Up"), 8, required=False, render_kw={"inputmode": "decimal"})
    label = text(lazy_gettext("Label"), 24, required=False)
    owner = SelectField(
        lazy_gettext("Owner"),
        choices=[
            SelectChoice("", lazy_gettext("Neither")),
            SelectChoice("a", lazy_gettext("Player A")),
            SelectChoice("b", lazy_gettext("Player B")),
        ],
    )


class ScenarioForm(SiteForm):
    """A whole scenario. The game checks whether its figures fit together."""

    name = text(lazy_gettext("Name"), 60)
    summary = text(lazy_gettext("In a sentence or two"), 300, required=False)
    source = text(
        lazy_gettext("Source"),
        200,
        required=False,
        description=lazy_gettext("The document and its section, or the author."),
    )
    setup = lines(
        lazy_gettext("Set-up"), _LONG, required=True, description=lazy_gettext("One step per line, in order.")
    )
    scoring = lines(
        lazy_gettext("Scoring"),
        _LONG,
        required=True,
        description=lazy_gettext("One step per line: what scores, how much and when."),
    )
    game_rounds = number(lazy_gettext("Game rounds"), 1, 12)
    scoring_from = number(lazy_gettext("First scoring round"), 1, 12)
    most = number(
        lazy_gettext("Most VP of a player in a round"),
        1,
        99,
        description=lazy_gettext("The scenario’s maximum. 99 means no limit."),
    )
    hint = text(
        lazy_gettext("Scoring note"),
        120,
        required=False,
        description=lazy_gettext("“Bridge 1, enemy bank 2”; shown next to each figure."),
    )
    together_refused = number(
        lazy_gettext("Maximum for both together"),
        1,
        198,
        required=False,
        description=lazy_gettext("More in one game round is refused."),
    )
    together_refused_why = text(
        lazy_gettext("Reason"), 160, required=False, description=lazy_gettext("“Two markers give at most 2 together.”")
    )
    together_asked = number(
        lazy_gettext("Confirm above, both together"),
        1,
        198,
        required=False,
        description=lazy_gettext("Accepted when the reporting player confirms it."),
    )
    together_asked_why = text(lazy_gettext("Reason"), 160, required=False)
    one_asked = number(lazy_gettext("Confirm above, one player"), 1, 99, required=False)
    one_asked_why = text(lazy_gettext("Reason"), 160, required=False)
    held_by_one = text(
        lazy_gettext("Marker only one player can hold"), 40, required=False,
        description=lazy_gettext("Worth 1 VP where everything else is worth even figures: two odd figures are refused. "
            "“The bridge”"),
    )  # fmt: skip
    note = text(
        lazy_gettext("Limits in short"),
        120,
        required=False,
        description=lazy_gettext("For the sheet. Leave blank to derive it from the limits."),
    )
    choices = lines(
        lazy_gettext("Choices before the game"),
        80,
        description=lazy_gettext("Two or three, one per line. Leave blank for none."),
    )
    objectives_each = number(lazy_gettext("Objective markers of each player"), 0, 8)
    objective_most = number(lazy_gettext("Most of one kind"), 1, 8)
    objective_kinds = lines(lazy_gettext("Kinds of marker"), 220, description=lazy_gettext("One per line."))
    table_inches = number(lazy_gettext("Side of the table, inches"), 12, 72)
    deployment_inches = number(
        lazy_gettext("Deployment depth, inches"),
        0,
        36,
        description=lazy_gettext("From the player's own edge; 0 for none."),
    )
    needs = lines(
        lazy_gettext("Objects on the table"),
        _LONG,
        description=lazy_gettext("One object per line with its count: 3 searchable markers."),
    )
    markers = FieldList(FormField(MarkerForm), label=lazy_gettext("Markers"), min_entries=0, max_entries=MOST_MARKERS)
    readings = lines(
        lazy_gettext("Readings"),
        _LONG,
        description=lazy_gettext("Your answers to questions that a document leaves open, one per line."),
    )
    queries = lines(
        lazy_gettext("Questions for the organiser"),
        _LONG,
        description=lazy_gettext("Questions that no document answers, one per line."),
    )
    seen = HiddenField()

    @property
    def empty_rows(self) -> int:
        return sum(is_empty_row(row.form) for row in self.markers)

    def add_rows(self, wanted: int = FREE_ROWS) -> None:
        """Fill the form up to this number of empty rows, within the limit of markers."""
        for _ in range(min(wanted - self.empty_rows, MOST_MARKERS - len(self.markers))):
            self.markers.append_entry()


def is_empty_row(row: Form) -> bool:
    return not (row.x.data or row.y.data or row.label.data)


class UploadForm(SiteForm):
    file = FileField(lazy_gettext("Scenario file"))


class FieldForm(SiteForm):
    places = SelectMultipleField(
        lazy_gettext("Fielded"),
        coerce=whole_number,
        option_widget=CheckboxInput(),
        widget=ListWidget(prefix_label=False),
    )


class FactionForm(SiteForm):
    faction = SelectField(lazy_gettext("Faction"), [DataRequired(lazy_gettext("Please choose a faction."))])


MOST_TYPED = 100_000
"""The most characters of a list that is pasted."""


class FileForm(SiteForm):
    """A file in any format that the game reads, or its text; from the page of its lines, either in ``packed``."""

    file = FileField()
    text = TextAreaField("", [Optional(), Length(max=MOST_TYPED)])
    packed = HiddenField()
