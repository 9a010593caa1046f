"""Scenarios of the club's own: written, copied, looked at, taken from a file and given as one."""

import json

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from flask_wtf.file import FileField

from events import access
from events.actions.scenarios import Played, Uses, add_scenario, change_scenario, remove_scenario, uses
from events.errors import Refused
from events.reading import known_scenarios, own_scenario, own_scenarios
from events.views.fields import show_at_field
from events.views.press import pressed
from events.views.request import changing, db, now, visitor
from events.views.scenario_form import FREE_ROWS, ScenarioForm, document_in, show_faults, shown
from models.scenario import OwnScenario
from validators import SYSTEMS
from validators.canonical import fingerprint
from validators.contract import GameSystem, ScenarioFiles
from validators.scenario import Scenario, UnreadableScenario
from validators.scenario_file import parsed_scenario

blueprint = Blueprint("scenarios", __name__)

MOST_BYTES = 200_000
UNSAVED = "unsaved"
"""The id of a scenario that is only looked at."""


class UploadForm(FlaskForm):
    """A scenario file."""

    file = FileField("Scenario file")


@blueprint.route("/desk/scenarios", methods=["GET", "POST"])
def home() -> ResponseReturnValue:
    """Every scenario of the club's own and of the games, and a file to take one from."""
    _may_or_403()
    form = UploadForm()
    if form.validate_on_submit():
        try:
            row = _take_file(form)
        except UnreadableScenario as unreadable:
            form.file.errors = ["This file cannot be read as a scenario.", *map(str, unreadable.faults)]
        except Refused as refused:
            form.file.errors = [refused.message]
        else:
            flash("The scenario was read and saved.", "success")
            return redirect(url_for("scenarios.change", system_id=row.system, scenario_id=row.slug))
    own = []
    for system_id in SYSTEMS:
        known = known_scenarios(db(), system_id)
        own += [(row, known[row.slug], uses(db(), system_id, row.slug)) for row in own_scenarios(db(), system_id)]
    page = render_template("desk/scenarios.html", form=form, own=own)
    return page, 422 if form.errors else 200


@blueprint.route("/desk/scenarios/<game:system_id>/new", methods=["GET", "POST"])
def create(system_id: str) -> ResponseReturnValue:
    """A new scenario, empty or with ``?start=`` from another one."""
    game = _game(system_id)
    if not _files(game).by_form:
        abort(404)
    start = request.args.get("start", "")
    known = known_scenarios(db(), system_id)
    if start and start not in known:
        abort(404)
    data = shown(_files(game).document(known[start])) | {"name": f"{known[start].name} (own)"} if start else EMPTY
    form = ScenarioForm(data=data)
    return _page(game, form, None, Uses((), ()))


@blueprint.route("/desk/scenarios/<game:system_id>/<scenario_id>", methods=["GET", "POST"])
def change(system_id: str, scenario_id: str) -> ResponseReturnValue:
    """A scenario of the club's own, to change; one that is played is saved as a new one.

    Of a game whose scenarios are written as files alone, to look at.
    """
    game = _game(system_id)
    row = own_scenario(db(), system_id, scenario_id)
    if row is None:
        abort(404)
    if not _files(game).by_form:
        scenario, used = _files(game).read(row.document), uses(db(), system_id, scenario_id)
        return render_template("desk/scenario_file.html", scenario=scenario, system=game, row=row, used=used)
    form = ScenarioForm(data=shown(row.document) | {"seen": fingerprint(row.document)})
    return _page(game, form, row, uses(db(), system_id, scenario_id))


@blueprint.get("/desk/scenarios/<game:system_id>/<scenario_id>.json")
def download(system_id: str, scenario_id: str) -> ResponseReturnValue:
    """A scenario as its file."""
    game = _game(system_id)
    known = known_scenarios(db(), system_id)
    if scenario_id not in known:
        abort(404)
    written = json.dumps(_files(game).document(known[scenario_id]), ensure_ascii=False, indent=1) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="{scenario_id}.json"'}
    return Response(written, mimetype="application/json", headers=headers)


@blueprint.post("/desk/scenarios/<game:system_id>/<scenario_id>/remove")
def remove(system_id: str, scenario_id: str) -> ResponseReturnValue:
    """Take a scenario away that no event uses."""
    _game(system_id)
    if own_scenario(db(), system_id, scenario_id) is None:
        abort(404)
    with pressed(said="Removed.") as s:
        remove_scenario(s, system_id, scenario_id)
    return redirect(url_for("scenarios.home"))


EMPTY = {
    "game_rounds": 6,
    "scoring_from": 1,
    "objectives_each": 0,
    "objective_most": 1,
    "table_inches": 36,
    "deployment_inches": 6,
}
"""What a scenario begins with that is no copy."""


def _page(game: GameSystem, form: ScenarioForm, row: OwnScenario | None, used: Uses) -> ResponseReturnValue:
    """The form, and below it how the scenario would look; or what was pressed is done."""
    pressed, looked, status = request.form.get("do", ""), None, 200
    if pressed == "rows":
        form.add_rows(form.empty_rows + FREE_ROWS)
    elif form.validate_on_submit():
        try:
            looked = _files(game).read(document_in(form, game.id, row.slug if row else UNSAVED))
            if pressed != "look":
                saved = _save(game, form, None if pressed == "copy" else row, looked)
                flash("Saved.", "success")
                return redirect(url_for("scenarios.change", system_id=game.id, scenario_id=saved))
        except UnreadableScenario as unreadable:
            show_faults(form, unreadable.faults)
            status = 422
        except Played as refused:
            used = uses(db(), game.id, row.slug if row else "")
            form.form_errors.append(refused.message)
            status = refused.status
        except Refused as refused:
            show_at_field(form, refused)
            status = refused.status
    elif form.errors:
        status = 422
    form.add_rows()
    if row is not None and status == 409:
        form.seen.data = fingerprint(row.document)
    return render_template("desk/scenario.html", form=form, game=game, row=row, used=used, looked=looked), status


def _save(game: GameSystem, form: ScenarioForm, row: OwnScenario | None, scenario: Scenario) -> str:
    """Keep it in its place, or as a new one; returns its id. Raises Refused."""
    slug = row.slug if row else ""
    with changing() as s:
        if not slug:
            return add_scenario(s, game.id, scenario, _actor(), now()).slug
        change_scenario(s, game.id, slug, scenario, _actor(), now(), seen=form.seen.data or "")
    return slug


def _take_file(form: UploadForm) -> OwnScenario:
    """Keep the scenario of the file that was sent. Raises UnreadableScenario, Refused."""
    if not form.file.data:
        raise Refused("Please choose a file.")
    data = form.file.data.read(MOST_BYTES + 1)
    parsed = parsed_scenario(data)
    named = parsed.get("system") if isinstance(parsed, dict) else None
    # What names none of the games is read by the first, whose faults say what is missing.
    games = {game.id: game for game in SYSTEMS.values() if game.scenario_files}
    game = games.get(named, next(iter(games.values()))) if isinstance(named, str) else next(iter(games.values()))
    scenario = _files(game).import_(data)
    with changing() as s:
        return add_scenario(s, game.id, scenario, _actor(), now())


def _actor() -> str:
    return visitor().name_in_club


def _may_or_403() -> None:
    if not access.may_write_scenarios(visitor()):
        abort(403)


def _game(system_id: str) -> GameSystem:
    """A game that takes scenarios of the club's own."""
    _may_or_403()
    game = SYSTEMS[system_id]
    _files(game)
    return game


def _files(game: GameSystem) -> ScenarioFiles:
    if game.scenario_files is None:
        abort(404)
    return game.scenario_files
