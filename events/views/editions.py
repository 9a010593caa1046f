"""Editions of the force lists for everybody: what each model and item costs, and what is otherwise than before."""

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from events.own_editions import own_edition_row
from events.reading import edition_by_id, editions_of
from events.views.request import db
from validators import SYSTEMS
from validators.contract import EditionFiles, GameSystem
from validators.editions import EditionReport

blueprint = Blueprint("editions", __name__)


@blueprint.get("/rules/<game:system_id>/editions/<edition_id>")
def page(system_id: str, edition_id: str) -> ResponseReturnValue:
    """An edition to look costs up in; ``?against=`` adds its difference to another one."""
    system, files = _game(system_id)
    known = editions_of(db(), system)
    against = request.args.get("against", "")
    if edition_id not in known or (against and against not in known):
        abort(404)
    info = known[edition_id]
    row = own_edition_row(db(), system, edition_id)
    return render_template(
        "edition.html",
        game=system,
        info=info,
        row=row,
        report=EditionReport.from_json(row.report) if row and row.report else None,
        lists=files.price_lists(info),
        others=[other for other in known.values() if other.id != edition_id],
        against=known.get(against),
        difference=files.compare(known[against], info) if against else None,
    )


@blueprint.get("/rules/<game:system_id>/editions/<edition_id>/file.json")
def file(system_id: str, edition_id: str) -> ResponseReturnValue:
    """An edition as its file."""
    system, files = _game(system_id)
    info = edition_by_id(db(), system, edition_id)
    if info is None:
        abort(404)
    row = own_edition_row(db(), system, edition_id)
    written = row.text if row else files.write(info)
    headers = {"Content-Disposition": f'attachment; filename="{edition_id}.json"'}
    return Response(written, mimetype="application/json", headers=headers)


def _game(system_id: str) -> tuple[GameSystem, EditionFiles]:
    system = SYSTEMS[system_id]
    if system.edition_files is None:
        abort(404)
    return system, system.edition_files
