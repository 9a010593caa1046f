"""A scenario's page, and the club's own scenarios: written in a form, copied, imported from or exported to a file."""

import json
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import Field, StringField

from events.lists.forms import FREE_ROWS, ScenarioForm, UploadForm, is_empty_row
from events.lists.own import Played, Uses, add_scenario, change_scenario, remove_scenario, uses
from events.store.editions import system_of, systems_of
from events.store.errors import Refused
from events.store.scenarios import known_scenarios, own_scenario, own_scenarios
from events.visitors import access
from events.visitors.event_loading import public_views_in
from events.visitors.loading import event_or_404, require_club, system_or_404, views_of, visitor
from events.web.answers import name_file
from events.web.forms import show_at_field
from events.web.request import changing_club, db, flashing, now
from languages.words import gettext
from models.own import OwnScenario
from validators.contract import Document
from validators.faults import Fault
from validators.game_system import GameSystem
from validators.scenario import Scenario, UnreadableScenario
from validators.scenario_file import ScenarioFiles, parsed_scenario
from validators.strict_json import fingerprint

blueprint = Blueprint("scenario", __name__)


# The form's field for each nested place in the document.
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
_LISTS = ("setup", "scoring", "choices", "needs", "readings", "queries")


def scenario_as_form(document: Document) -> dict[str, Any]:
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
    """The form as a document, not validated; inches that are not numbers stay text."""
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
    """Show each fault of the form's document at its field, or at the top."""
    for fault in faults:
        field, subject = _field_of(form, fault.place)
        if field is None:
            form.form_errors.append(str(fault))
        else:
            field.errors = [*field.errors, f"{subject} {fault.message}."]
    # A FieldList collects the errors of its rows only when it is validated.
    form.markers.errors = [row.form.errors for row in form.markers if row.form.errors]


def _field_of(form: ScenarioForm, place: tuple[str | int, ...]) -> tuple[Field | None, str]:
    """The field for a place in the document, and the subject of its error message."""
    match place:
        case ("markers", int(at), str(name)):
            return _filled(form)[at].form[name], gettext("It")
        case (*_, int(at)):
            field, _ = _field_of(form, place[:-1])
            return field, gettext("Line %(number)s", number=at + 1)
    name = _FIELDS.get(place, str(place[0]) if place else "")
    return (form[name], gettext("It")) if name in form else (None, "")


def _filled(form: ScenarioForm) -> list[Any]:
    return [row for row in form.markers if not is_empty_row(row.form)]


def _steps(field: Field) -> list[str]:
    return [" ".join(line.split()) for line in (field.data or "").splitlines() if line.strip()]


def _inches(field: StringField) -> float | str:
    typed = (field.data or "").replace(",", ".")
    return float(typed) if typed.replace(".", "", 1).isdecimal() and typed.isascii() else typed


MOST_BYTES = 200_000
UNSAVED = "unsaved"
"""The id of a scenario that is only previewed."""


@blueprint.route("/desk/scenarios", methods=["GET", "POST"])
def scenarios_page() -> ResponseReturnValue:
    require_club()
    form = UploadForm()
    if form.validate_on_submit():
        try:
            row = _take_file(form)
        except UnreadableScenario as unreadable:
            form.file.errors = [gettext("This file cannot be read as a scenario."), *map(str, unreadable.faults)]
        except Refused as refused:
            form.file.errors = [refused.message]
        else:
            flash(gettext("The scenario was read and saved."), "success")
            return redirect(url_for("scenario.edit_scenario", system_id=row.system, scenario_id=row.slug))
    rows = []
    for id_, game in systems_of(db()).items():
        scenarios = known_scenarios(db(), game)
        rows += [(row, scenarios[row.slug], uses(db(), id_, row.slug)) for row in own_scenarios(db(), id_)]
    page = render_template("lists/scenarios.html", form=form, own=rows)
    return page, 422 if form.errors else 200


@blueprint.route("/desk/scenarios/<game:system_id>/new", methods=["GET", "POST"])
def create(system_id: str) -> ResponseReturnValue:
    """A new scenario, empty or with ``?start=`` from another one."""
    game = _game(system_id)
    if not _files(game).by_form:
        abort(404)
    start = request.args.get("start", "")
    scenarios = known_scenarios(db(), game)
    if start and start not in scenarios:
        abort(404)
    data = scenario_as_form(scenarios[start].document) | {"name": f"{scenarios[start].name} (own)"} if start else EMPTY
    form = ScenarioForm(data=data)
    return _page(game, form, None, Uses((), ()))


@blueprint.route("/desk/scenarios/<game:system_id>/<scenario_id>", methods=["GET", "POST"])
def edit_scenario(system_id: str, scenario_id: str) -> ResponseReturnValue:
    """Changes to a played scenario are saved as a new one. Scenarios of a game without a form are only shown."""
    game = _game(system_id)
    row = own_scenario(db(), system_id, scenario_id)
    if row is None:
        abort(404)
    if not _files(game).by_form:
        scenario, used = _files(game).read(row.document), uses(db(), system_id, scenario_id)
        return render_template("lists/scenario_file.html", scenario=scenario, system=game, row=row, used=used)
    form = ScenarioForm(data=scenario_as_form(row.document) | {"seen": fingerprint(row.document)})
    return _page(game, form, row, uses(db(), system_id, scenario_id))


@blueprint.get("/desk/scenarios/<game:system_id>/<scenario_id>.json")
def download_scenario(system_id: str, scenario_id: str) -> ResponseReturnValue:
    scenarios = known_scenarios(db(), _game(system_id))
    if scenario_id not in scenarios:
        abort(404)
    written = json.dumps(scenarios[scenario_id].document, ensure_ascii=False, indent=1) + "\n"
    return name_file(Response(written, mimetype="application/json"), f"{scenario_id}.json")


@blueprint.post("/desk/scenarios/<game:system_id>/<scenario_id>/remove")
def delete_scenario(system_id: str, scenario_id: str) -> ResponseReturnValue:
    _game(system_id)
    if own_scenario(db(), system_id, scenario_id) is None:
        abort(404)
    with flashing(gettext("Removed.")), changing_club() as s:
        remove_scenario(s, system_id, scenario_id)
    return redirect(url_for("scenario.scenarios_page"))


EMPTY = {
    "game_rounds": 6,
    "scoring_from": 1,
    "objectives_each": 0,
    "objective_most": 1,
    "table_inches": 36,
    "deployment_inches": 6,
}
"""The values of a new scenario."""


def _page(game: GameSystem, form: ScenarioForm, row: OwnScenario | None, used: Uses) -> ResponseReturnValue:
    pressed, looked, status = request.form.get("do", ""), None, 200
    if pressed == "rows":
        form.add_rows(form.empty_rows + FREE_ROWS)
    elif form.validate_on_submit():
        try:
            looked = _files(game).read(document_in(form, game.id, row.slug if row else UNSAVED))
            if pressed != "look":
                saved = _save(game, form, None if pressed == "copy" else row, looked)
                flash(gettext("Saved."), "success")
                return redirect(url_for("scenario.edit_scenario", system_id=game.id, scenario_id=saved))
        except UnreadableScenario as unreadable:
            show_faults(form, unreadable.faults)
            status = 422
        except Played as refused:
            used = uses(db(), game.id, row.slug if row else "")
            form.form_errors.append(refused.message)
            status = refused.status
        except Refused as refused:
            status = show_at_field(form, refused)
    elif form.errors:
        status = 422
    form.add_rows()
    if row is not None and status == 409:
        form.seen.data = fingerprint(row.document)
    return render_template("lists/desk_scenario.html", form=form, game=game, row=row, used=used, looked=looked), status


def _save(game: GameSystem, form: ScenarioForm, row: OwnScenario | None, scenario: Scenario) -> str:
    """Save the scenario under its id, or as a new one; returns the id. Raises Refused."""
    slug = row.slug if row else ""
    with changing_club() as s:
        if not slug:
            return add_scenario(s, game, scenario, visitor().name_in_club, now()).slug
        change_scenario(s, game, slug, scenario, visitor().name_in_club, now(), seen=form.seen.data or "")
    return slug


def _take_file(form: UploadForm) -> OwnScenario:
    """Store the uploaded scenario. Raises UnreadableScenario, Refused."""
    if not form.file.data:
        raise Refused(gettext("Please choose a file."))
    data = form.file.data.read(MOST_BYTES + 1)
    parsed = parsed_scenario(data)
    named = parsed.get("system") if isinstance(parsed, dict) else None
    # A file that names no game is read as the first game's; the faults then say what is missing.
    games = {game.id: game for game in systems_of(db()).values() if game.scenario_files}
    game = games.get(named, next(iter(games.values()))) if isinstance(named, str) else next(iter(games.values()))
    scenario = _files(game).import_(data)
    with changing_club() as s:
        return add_scenario(s, game, scenario, visitor().name_in_club, now())


def _game(system_id: str) -> GameSystem:
    """The game; 404 if it does not support the club's own scenarios."""
    require_club()
    game = system_or_404(system_id)
    _files(game)
    return game


def _files(game: GameSystem) -> ScenarioFiles:
    return game.scenario_files or abort(404)


@blueprint.get("/e/<slug>/scenarios/<scenario_id>")
def scenario_page(slug: str, scenario_id: str) -> ResponseReturnValue:
    the_event = event_or_404(slug)
    by_id = known_scenarios(db(), system_of(the_event))
    is_own = own_scenario(db(), the_event.system, scenario_id) is not None
    drafts = access.may_pair(visitor(), the_event)  # others do not see the by_id of a draft
    views = (views_of if drafts else public_views_in)(the_event)
    played = {scenario.id for view in views for scenario in (view.played if drafts else view.announced)}
    if scenario_id not in by_id or not access.may_see_scenario(visitor(), the_event, played, scenario_id, own=is_own):
        abort(404)
    return render_template("lists/scenario.html", scenario=by_id[scenario_id])
