"""Editions: the club's own are added and removed at the desk; everyone can read costs and differences."""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms.fields import SelectChoice

from events.lists.corrections import (
    corrected,
    correction_form,
    corrections_in,
    listed_cost,
    show_correction,
    show_found,
)
from events.lists.forms import AddForm
from events.lists.own import add_edition, check_new, edition_uses, events_open_to, remove_edition
from events.store.editions import added_editions, edition_by_id, editions_of, own_edition_row, systems_of
from events.store.errors import Refused
from events.visitors import access
from events.visitors.loading import require_club, system_or_404, visitor
from events.web.answers import name_file
from events.web.carried import OUT_OF_DATE, pack_value, unpack_value
from events.web.forms import show_at_field
from events.web.request import changing_club, db, flashing, now
from languages.words import gettext
from validators.contract import EditionInfo, UnreadableEdition
from validators.editions import CorrectionError, EditionTitle
from validators.faults import quoted
from validators.game_system import EditionFiles, GameSystem, Understood, understand

blueprint = Blueprint("edition", __name__)
_PREVIEW = "edition-look"


@blueprint.get("/desk/editions")
def editions_page() -> ResponseReturnValue:
    require_club()
    games = []
    for system in systems_of(db()).values():
        added = added_editions(db(), system)
        editions = editions_of(db(), system).values()
        games.append(
            (system, [(info, added.get(info.id), edition_uses(db(), system.id, info.id)) for info in editions])
        )
    return render_template("lists/editions.html", games=games)


@blueprint.route("/desk/editions/<game:system_id>/new", methods=["GET", "POST"])
def add(system_id: str) -> ResponseReturnValue:
    """Upload a file, preview the edition, then store it."""
    require_club()
    system = system_or_404(system_id)
    _files(system)
    editions = editions_of(db(), system)
    form = _add_form(editions)
    looked, faults, data = None, [], b""
    if form.validate_on_submit():
        try:
            if form.packed.data:
                looked = _unpack(system, form.packed.data)
            elif form.file.data:
                data = form.file.data.read()
                looked = understand(_files(system), data, _title(form))
            else:
                raise Refused(gettext("Please choose a file."), "file")
            if form.packed.data and request.form.get("do") == "store":
                with changing_club() as s:
                    row = add_edition(s, system, looked, visitor().name_in_club, now())
                    flash(_use(row.name, looked.info), "success")
                return redirect(url_for("edition.edition_page", system_id=system_id, edition_id=looked.info.id))
            check_new(db(), system, looked.info)
            form.packed.data = _pack(system, looked)
        except UnreadableEdition as unreadable:
            faults = [(fault, quoted(fault, data)) for fault in unreadable.faults]
            form.file.errors = [gettext("This is not a valid edition. See the errors below.")]
        except Refused as refused:
            show_at_field(form, refused)
            looked = None
    if looked:
        page = _look(system, form, looked, editions)
    else:
        form.packed.data = ""
        page = render_template("lists/edition_new.html", form=form, game=system, faults=faults)
    return page, 422 if form.errors else 200


def _add_form(editions: dict[str, EditionInfo], **values: Any) -> AddForm:
    form = AddForm(**values)
    form.against.choices = [
        SelectChoice("", gettext("The newest complete edition before it")),
        *(SelectChoice(info.id, info.name) for info in editions.values()),
    ]
    return form


@blueprint.route("/desk/editions/<game:system_id>/<edition_id>/correct", methods=["GET", "POST"])
def correct(system_id: str, edition_id: str) -> ResponseReturnValue:
    """Search an edition's costs, correct some, add a model, and preview the result, which ``add`` stores."""
    require_club()
    system, files = _game(system_id)
    editions = editions_of(db(), system)
    if edition_id not in editions or files.corrector is None:
        abort(404)
    info = editions[edition_id]
    listed = {entry.key: entry for entry in files.corrector.entries(info)}
    form = correction_form(info, listed.values(), taken={edition.name for edition in editions.values()})
    if form.validate_on_submit() and request.form.get("do") == "preview":
        try:
            wanted = corrections_in(form, info, listed, taken=editions)
            read = corrected(files, files.corrector, info, wanted)
            check_new(db(), system, read.info)
            look = _add_form(editions, formdata=None, against=edition_id)
            look.packed.data = _pack(system, read)
            sent = [pair for pair in request.form.items(multi=True) if pair[0] not in ("csrf_token", "do")]
            return _look(system, look, read, editions, corrections=(request.path, sent))
        except Refused as refused:
            show_at_field(form, refused)
        except CorrectionError as wrong:
            show_correction(form, wrong)
    matches = show_found(form, listed)
    page = render_template(
        "lists/edition_correct.html",
        form=form,
        game=system,
        info=info,
        listed=listed,
        listed_cost=listed_cost,
        found=matches,
    )
    return page, 422 if form.errors else 200


@blueprint.post("/desk/editions/<game:system_id>/<edition_id>/remove")
def delete_edition(system_id: str, edition_id: str) -> ResponseReturnValue:
    require_club()
    if own_edition_row(db(), system_or_404(system_id), edition_id) is None:
        abort(404)
    with flashing(gettext("Removed.")), changing_club() as s:
        remove_edition(s, system_id, edition_id)
    return redirect(url_for("edition.editions_page"))


def _use(name: str, info: EditionInfo) -> str:
    if info.partial:
        return gettext("Stored. Events can choose %(name)s in their settings.", name=name)
    return gettext("Stored. New events start with %(name)s; others can choose it in their settings.", name=name)


def _look(
    system: GameSystem,
    form: AddForm,
    looked: Understood,
    editions: dict[str, EditionInfo],
    corrections: tuple[str, Sequence[tuple[str, str]]] | None = None,
) -> str:
    """The preview; ``corrections`` are the address of their form and its fields, for a way back."""
    before = editions.get(form.against.data or "") or _earlier(looked.info, editions) or next(iter(editions.values()))
    form.against.data = before.id
    return render_template(
        "lists/edition_look.html",
        form=form,
        game=system,
        info=looked.info,
        corrections=corrections,
        against=before,
        difference=_files(system).compare(before, looked.info),
    )


def _earlier(info: EditionInfo, editions: dict[str, EditionInfo]) -> EditionInfo | None:
    """The newest other complete edition that is not newer."""
    older = [
        edition
        for edition in editions.values()
        if edition.date <= info.date and not edition.partial and edition.id != info.id
    ]
    return max(older, key=lambda edition: edition.date, default=None)


def _title(form: AddForm) -> EditionTitle:
    day = form.date.data.isoformat() if form.date.data else ""
    return EditionTitle(form.id.data or "", form.name.data or "", day)


def _pack(system: GameSystem, looked: Understood) -> str:
    too_large = gettext("This edition is too large to preview. Remove some entries.")
    return pack_value(_PREVIEW, [system.id, looked.text], too_large)


def _unpack(system: GameSystem, text: str) -> Understood:
    """The previewed edition. Raises Refused if it is not the one that was packed."""
    fields = unpack_value(_PREVIEW, text)
    if fields[0] != system.id:
        raise Refused(gettext(OUT_OF_DATE), "file")
    written: str = fields[1]
    return Understood(_files(system).read(written.encode()), written)


def _files(system: GameSystem) -> EditionFiles:
    return system.edition_files or abort(404)


@blueprint.get("/rules/<game:system_id>/editions/<edition_id>")
def edition_page(system_id: str, edition_id: str) -> ResponseReturnValue:
    """The costs of an edition; ``?against=`` adds its differences from another one."""
    system, files = _game(system_id)
    editions = editions_of(db(), system)
    against = request.args.get("against", "")
    if edition_id not in editions or (against and against not in editions):
        abort(404)
    info = editions[edition_id]
    row = own_edition_row(db(), system, edition_id)
    return render_template(
        "lists/edition.html",
        game=system,
        info=info,
        row=row,
        lists=files.price_lists(info),
        others=[other for other in editions.values() if other.id != edition_id],
        against=editions.get(against),
        earlier=_earlier(info, editions),
        difference=files.compare(editions[against], info) if against else None,
        may_take=[
            event for event in events_open_to(db(), system_id, info.id) if access.may_change_settings(visitor(), event)
        ],
    )


@blueprint.get("/rules/<game:system_id>/editions/<edition_id>/file.json")
def edition_file(system_id: str, edition_id: str) -> ResponseReturnValue:
    system, files = _game(system_id)
    info = edition_by_id(db(), system, edition_id)
    if info is None:
        abort(404)
    row = own_edition_row(db(), system, edition_id)
    written = row.text if row else files.write(info)
    return name_file(Response(written, mimetype="application/json"), f"{edition_id}.json")


def _game(system_id: str) -> tuple[GameSystem, EditionFiles]:
    system = system_or_404(system_id)
    if system.edition_files is None:
        abort(404)
    return system, system.edition_files
