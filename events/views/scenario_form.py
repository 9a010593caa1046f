"""The form in which a scenario is written, and the way between it and the document of a scenario file."""

from collections.abc import Mapping
from typing import Any

from flask_wtf import FlaskForm
from wtforms import Field, FieldList, Form, FormField, HiddenField, SelectField, StringField
from wtforms.fields import SelectChoice

from events.views.fields import lines, number, text
from validators.contract import Document
from validators.scenario import Fault

MOST_MARKERS = 24
FREE_ROWS = 3
"""Empty rows for further markers that the form opens with."""

# Where the form asks one thing that the document holds deeper, by the document's place.
_FIELDS: Mapping[tuple[str | int, ...], str] = {
    ("limits", "together_refused", "above"): "together_refused",
    ("limits", "together_refused", "why"): "together_refused_why",
    ("limits", "together_asked", "above"): "together_asked",
    ("limits", "together_asked", "why"): "together_asked_why",
    ("limits", "one_asked", "above"): "one_asked",
    ("limits", "one_asked", "why"): "one_asked_why",
    ("limits", "held_by_one"): "held_by_one",
    ("objectives", "each"): "objectives_each",
    ("objectives", "most_of_a_kind"): "objective_most",
    ("objectives", "kinds"): "objective_kinds",
}
_TEXTS = ("name", "summary", "hint", "note", "source")
_NUMBERS = ("game_rounds", "scoring_from", "most", "table_inches", "deployment_inches")
_LISTS = ("setup", "scoring", "choices", "readings", "queries")
_LONG = 12_500
"""Characters of twenty steps."""


class MarkerForm(Form):
    """One row: a marker, or nothing at all."""

    x = text("Across", 8, required=False, render_kw={"inputmode": "decimal"})
    y = text("Up", 8, required=False, render_kw={"inputmode": "decimal"})
    label = text("Label", 24, required=False)
    owner = SelectField(
        "Of", choices=[SelectChoice("", "Neither"), SelectChoice("a", "Player A"), SelectChoice("b", "Player B")]
    )


class ScenarioForm(FlaskForm):
    """A whole scenario; what its figures may be together is judged by the game."""

    name = text("Name", 60)
    summary = text("In a sentence or two", 300, required=False)
    source = text("Source", 200, required=False, description="The document and its section, or whose idea it was.")
    setup = lines("Set-up", _LONG, required=True, description="One step a line, in the order they are done.")
    scoring = lines("Scoring", _LONG, required=True, description="One step a line: what scores how much, and when.")
    game_rounds = number("Game rounds", 1, 12)
    scoring_from = number("First that scores", 1, 12)
    most = number("VP of a player in a round", 1, 99, description="At most, from the scenario. 99 prints no limit.")
    hint = text("How they come about", 120, required=False, description="“Bridge 1, enemy bank 2”: beside each figure.")
    together_refused = number(
        "Both together at most", 1, 198, required=False, description="More in one game round is refused."
    )
    together_refused_why = text("Because", 160, required=False, description="“Two markers give at most 2 together.”")
    together_asked = number(
        "Ask above, both together", 1, 198, required=False, description="Taken when the reporter says that it is right."
    )
    together_asked_why = text("Because", 160, required=False)
    one_asked = number("Ask above, one player", 1, 99, required=False)
    one_asked_why = text("Because", 160, required=False)
    held_by_one = text(
        "Marker that one player holds", 40, required=False,
        description="Worth 1 VP where all else is worth even figures: both figures odd is refused. “The bridge”",
    )  # fmt: skip
    note = text(
        "The limits in a few words", 120, required=False, description="For the sheet; left empty, it is made of them."
    )
    choices = lines("Choices before the game", 80, description="Two or three, one a line; none if left empty.")
    objectives_each = number("Objective markers of each player", 0, 8)
    objective_most = number("Of one kind at most", 1, 8)
    objective_kinds = lines("Their kinds", 220, description="One a line.")
    table_inches = number("Side of the table, inches", 12, 72)
    deployment_inches = number("Deployment, inches deep", 0, 36, description="From the own edge; 0 draws none.")
    markers = FieldList(FormField(MarkerForm), label="Markers", min_entries=0, max_entries=MOST_MARKERS)
    readings = lines("Readings", _LONG, description="Where a document leaves a question open: your answer, one a line.")
    queries = lines("What the organiser is asked", _LONG, description="What no document answers, one a line.")
    seen = HiddenField()

    @property
    def empty_rows(self) -> int:
        """How many rows hold no marker."""
        return sum(_is_empty(row.form) for row in self.markers)

    def add_rows(self, wanted: int = FREE_ROWS) -> None:
        """Give the form so many empty rows for markers, as far as there may be more."""
        for _ in range(min(wanted - self.empty_rows, MOST_MARKERS - len(self.markers))):
            self.markers.append_entry()


def shown(document: Document) -> dict[str, Any]:
    """A document as the form's data."""
    limits, objectives = document.get("limits", {}), document.get("objectives", {})
    values: dict[str, Any] = {name: document.get(name, "") for name in _TEXTS}
    values |= {name: document.get(name) for name in _NUMBERS}
    values |= {name: "\n".join(document.get(name, ())) for name in _LISTS}
    for limit in ("together_refused", "together_asked", "one_asked"):
        values[limit] = limits.get(limit, {}).get("above")
        values[f"{limit}_why"] = limits.get(limit, {}).get("why", "")
    values["held_by_one"] = limits.get("held_by_one", "")
    values["objectives_each"] = objectives.get("each", 0)
    values["objective_most"] = objectives.get("most_of_a_kind", 1)
    values["objective_kinds"] = "\n".join(objectives.get("kinds", ()))
    values["markers"] = [
        {"x": f"{m['x']:g}", "y": f"{m['y']:g}", "label": m["label"], "owner": m.get("owner", "")}
        for m in document.get("markers", ())
    ]
    return values


def document_in(form: ScenarioForm, system_id: str, scenario_id: str) -> Document:
    """The form as a document, read by nobody yet; inches that are no number stay as they were typed."""
    document: Document = {"system": system_id, "id": scenario_id}
    document |= {name: form[name].data for name in (*_TEXTS, *_NUMBERS)}
    document |= {name: _steps(form[name]) for name in _LISTS}
    limits: Document = {"held_by_one": form.held_by_one.data}
    for limit in ("together_refused", "together_asked", "one_asked"):
        if form[limit].data is not None:
            limits[limit] = {"above": form[limit].data, "why": form[f"{limit}_why"].data}
    document["limits"] = limits
    document["objectives"] = {
        "each": form.objectives_each.data,
        "most_of_a_kind": form.objective_most.data,
        "kinds": _steps(form.objective_kinds),
    }
    document["markers"] = [
        {"x": _inches(row.form.x), "y": _inches(row.form.y), "label": row.form.label.data}
        | ({"owner": row.form.owner.data} if row.form.owner.data else {})
        for row in _filled(form)
    ]
    return document


def show_faults(form: ScenarioForm, faults: tuple[Fault, ...]) -> None:
    """Put each fault of the document that the form gave at its field, or at the top."""
    for fault in faults:
        field, subject = _field_of(form, fault.place)
        if field is None:
            form.form_errors.append(str(fault))
        else:
            field.errors = [*field.errors, f"{subject} {fault.message}."]
    # A list gathers the errors of its rows when it is validated, which was before.
    form.markers.errors = [row.form.errors for row in form.markers if row.form.errors]


def _field_of(form: ScenarioForm, place: tuple[str | int, ...]) -> tuple[Field | None, str]:
    """The field of a place, and what its words are about."""
    match place:
        case ("markers", int(at), str(name)):
            return _filled(form)[at].form[name], "It"
        case (*_, int(at)):
            found, _ = _field_of(form, place[:-1])
            return found, f"Line {at + 1}"
    name = _FIELDS.get(place, str(place[0]) if place else "")
    return (form[name], "It") if name in form else (None, "")


def _filled(form: ScenarioForm) -> list[Any]:
    return [row for row in form.markers if not _is_empty(row.form)]


def _is_empty(row: Form) -> bool:
    return not (row.x.data or row.y.data or row.label.data)


def _steps(field: Field) -> list[str]:
    return [" ".join(line.split()) for line in (field.data or "").splitlines() if line.strip()]


def _inches(field: StringField) -> float | str:
    typed = (field.data or "").replace(",", ".")
    return float(typed) if typed.replace(".", "", 1).isdecimal() and typed.isascii() else typed
