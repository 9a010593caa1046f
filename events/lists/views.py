"""Forces: the builder, importing and exporting files, submitting."""

import re
from collections import Counter

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms.fields import SelectChoice

from events.charts.drawing import faction_mark, mark_badge
from events.lists import actions
from events.lists.forms import FactionForm, FileForm
from events.lists.locks import secret_until
from events.lists.queries import plays_without, submission
from events.lists.reading import Reading, answers_of, text_in
from events.lists.sharing import linked, lists_elsewhere, taken_over, token_in
from events.store.editions import edition_of, factions_of, system_of
from events.store.errors import Refused, Stale
from events.store.players import by_name, placed
from events.store.verdicts import (
    cost_when_submitted,
    force_steps,
    forces_of,
    sealed_lists,
    terms_for,
    terms_of,
    verdict_on,
)
from events.store.visitor import Visitor
from events.visitors import access
from events.visitors.event_loading import players_in
from events.visitors.loading import event_or_404, managed_event, opposes, own_player_or_403, player_or_404, visitor
from events.web.answers import name_file
from events.web.carried import pack_value, unpack_value
from events.web.forms import show_at_field
from events.web.page_cache import cached_page
from events.web.parsing import stem_of
from events.web.request import changing, db, now, without_indents
from languages.words import capital, gettext
from models.event import Event
from models.play import ForceList, Player
from validators import FACTIONS
from validators.contract import Document, ForceSummary, Imported, UnreadableForce, Verdict
from validators.faults import OfFile
from validators.strict_json import MOST_BYTES, fingerprint

blueprint = Blueprint("lists", __name__)
_READING = "list-read"


@blueprint.route("/e/<slug>/me/force", methods=["GET", "POST"])
def own_list(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    return _builder(event, own_player_or_403(event))


@blueprint.route("/e/<slug>/desk/players/<int:player_id>/force", methods=["GET", "POST"])
def list_for_player(slug: str, player_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    return _builder(event, player_or_404(event, player_id))


@blueprint.get("/e/<slug>/players/<int:player_id>/force.json", defaults={"format_id": "json"})
@blueprint.get("/e/<slug>/players/<int:player_id>/force.<format_id>")
def download(slug: str, player_id: int, format_id: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    force = player.force_list
    if force is None or not access.may_see_force(
        visitor(), player, event, now(), submitted=force.submitted, opponent=opposes(event, player)
    ):
        abort(404)
    system = system_of(event)
    saved_as = next((kind for kind in system.forces.files.formats if kind.id == format_id), None)
    if saved_as is None:
        abort(404)
    written = system.forces.files.export(force.document, edition_of(event), saved_as.id)
    response = Response(written, mimetype=saved_as.mimetype)
    return name_file(response, f"{stem_of(player.name)}-force.{saved_as.id}")


@blueprint.get("/e/<slug>/players/<int:player_id>/sealed/<sha256>")
def sealed(slug: str, player_id: int, sha256: str) -> ResponseReturnValue:
    """A list as it was locked: exactly the bytes with the published SHA-256."""
    event = event_or_404(slug)
    player = player_or_404(event, player_id)
    seal = next((seal for seal in sealed_lists(event).get(player.id, []) if seal.sha256 == sha256), None)
    force = player.force_list
    if seal is None or not access.may_see_seal(visitor(), player, event, seal, force, now()):
        abort(404)
    response = Response(seal.text.encode(), mimetype="application/json")
    return name_file(response, f"{stem_of(player.name)}-sealed-{sha256[:8]}.json")


def _builder(event: Event, player: Player) -> ResponseReturnValue:
    """Show a player's force and handle its form; ``do`` is the submitted button."""
    if not access.may_edit_force(visitor(), player, event, now()):
        return redirect(url_for("public.player", slug=event.slug, player_id=player.id))
    force = player.force_list
    pressed = request.form.get("do", "")
    if request.method == "POST" and pressed == "faction":
        return _start(event, player)
    if request.method == "POST" and pressed == "file":
        return _take_file(event, player, force)
    if request.method == "POST" and pressed == "elsewhere":
        return _take_list(event, player, force)
    stored = force.document if force else _blank(event, player)
    if request.method != "POST" or stored is None:
        return _page(event, player, force)
    try:
        document = system_of(event).forces.edit(stored, request.form.to_dict(flat=False), edition_of(event))
    except UnreadableForce as unreadable:
        return _page(event, player, force, faults=unreadable.faults)
    try:
        _save(event, player, document, seen=request.form.get("seen", ""), pressed=pressed)
    except Stale as stale:
        return _page(event, player, force, faults=(stale.message,), shown=document, status=stale.status)
    except UnreadableForce as unreadable:  # an undone list can be too large under this edition
        return _page(event, player, player.force_list, faults=unreadable.faults)
    if pressed == "submit":
        if unadded := _unadded():
            return _page(event, player, player.force_list, unadded=unadded)
        return _submit(event, player)
    if request.headers.get("X-Requested-With") == "fetch" or pressed:
        return _page(event, player, player.force_list)
    flash(gettext("Saved."), "success")
    return redirect(request.path)


def _blank(event: Event, player: Player) -> Document | None:
    """A force without models of the player's faction, which is stored with the first change; None without one."""
    if player.faction not in factions_of(event, player):
        return None
    return system_of(event).forces.blank(edition_of(event), player.faction)


def _unadded() -> dict[str, str]:
    """The choices not added yet, by field."""
    return {key: value for key, value in request.form.items() if value and re.search(r"(^|\.)add_", key)}


def _start(event: Event, player: Player) -> ResponseReturnValue:
    form = _faction_form(event, player, sent=True)
    if not form.validate_on_submit():
        return _page(event, player, player.force_list, faction_form=form)
    _save(event, player, system_of(event).forces.blank(edition_of(event), form.faction.data))
    return redirect(request.path)


def _take_file(event: Event, player: Player, force: ForceList | None) -> ResponseReturnValue:
    """Read an uploaded file or a pasted text. One with lines is shown line by line before it replaces the force."""
    form, pressed = FileForm(), request.form.get("then", "")
    if not form.validate_on_submit():
        return _page(event, player, force, file_form=form)
    sent, typed, carried = form.file.data, form.text.data or "", form.packed.data
    if not sent and not typed and not carried:
        form.file.errors = [gettext("Please choose a file, or paste a text or a link.")]
        return _page(event, player, force, file_form=form)
    field = form.file if sent else form.text
    try:
        if not sent and (token := token_in(typed)):
            return _taken(event, player, taken_over(db(), linked(db(), event, token), event))
        data = sent.read(MOST_BYTES + 1) if sent else typed.encode(errors="surrogatepass")
        if carried:
            data = unpack_value(_READING, carried).encode("latin-1")
            form.packed.data, form.text.data = "", text_in(data)
        if pressed == "change":
            return _page(event, player, force, file_form=form)
        answers = request.form.getlist("answer")[: -1 if pressed == "back" else None]
        faction = player.faction or (force.document["faction"] if force else "")
        name = sent.filename if sent else ""
        files = system_of(event).forces.files
        imported = files.import_(name, data, edition_of(event), faction, answers=answers_of(answers))
        if not imported.lines:
            return _taken(event, player, imported)
        if pressed != "keep" and (imported.open or pressed != "use"):
            too_large = gettext("This file is too large to show its lines. Paste the list as text.")
            form.packed.data = pack_value(_READING, data.decode("latin-1"), too_large)
            form.text.data = text_in(data)
            return _lines_page(event, player, force, form, Reading(imported, tuple(answers)))
        _save(event, player, imported.document)
    except UnreadableForce as unreadable:
        field.errors = [
            *field.errors,
            gettext("This cannot be read as %(a_force)s.", a_force=system_of(event).words.said.a_force),
            *(fault if sent else _sentence(fault) for fault in unreadable.faults[:5]),
        ]
        return _page(event, player, force, file_form=form)
    except Refused as refused:
        show_at_field(form, refused)
        return _page(event, player, force, file_form=form)
    _flash_saved(event, player)
    return redirect(request.path)


def _lines_page(
    event: Event, player: Player, force: ForceList | None, form: FileForm, reading: Reading
) -> ResponseReturnValue:
    """The lines of a text, its questions and its Caps, with nothing saved yet."""
    system, terms = system_of(event), terms_for(terms_of(event), player)
    document = reading.imported.document
    return render_template(
        "lists/read.html",
        form=form,
        reading=reading,
        player=player,
        mine=visitor().player_in(event) is player,
        submitted=force is not None and force.submitted,
        faction=document["faction"],
        verdict=system.checks.check(document, terms),
    )


def _take_list(event: Event, player: Player, force: ForceList | None) -> ResponseReturnValue:
    """Replace the force by the player's own list of another event, and show what was read."""
    chosen = request.form.get("elsewhere", "")
    source = next(
        (shared for shared in lists_elsewhere(db(), visitor(), event, player) if str(shared.event.id) == chosen), None
    )
    if source is None:
        return _page(event, player, force, faults=(gettext("Choose the event whose list to use."),))
    try:
        return _taken(event, player, taken_over(db(), source, event))
    except UnreadableForce as unreadable:
        return _page(event, player, force, faults=unreadable.faults)
    except Refused as refused:
        return _page(event, player, force, faults=(refused.message,))


def _taken(event: Event, player: Player, imported: Imported) -> ResponseReturnValue:
    """Save a list that has no lines to check, and show what was read. Raises UnreadableForce, Refused."""
    _save(event, player, imported.document)
    _flash_saved(event, player)
    return _page(event, player, player.force_list, imported=imported)


def _flash_saved(event: Event, player: Player) -> None:
    force, words = player.force_list, system_of(event).words
    what_now = gettext("Nothing is submitted until you press Submit.")
    if force and force.submitted:
        what_now = gettext("It replaced your submitted one, and counts as it is now.")
    flash(gettext("The %(force)s was read and saved. %(what_now)s", force=words.force, what_now=what_now), "success")


def _sentence(fault: str) -> str:
    """A fault of a pasted text, which is no file."""
    return f"{capital(fault.wrong if isinstance(fault, OfFile) else fault).rstrip('.')}."


def _submit(event: Event, player: Player) -> ResponseReturnValue:
    try:
        with changing(event) as act:
            actions.submit_force(act, player)
    except Refused as refused:
        flash(refused.message, "error")
        return _page(event, player, player.force_list, status=422)
    if visitor().player_in(event) is player:
        flash(gettext("Submitted."), "success")
        return redirect(url_for("player.today", slug=event.slug))
    flash(
        gettext("%(player)s’s %(force)s is submitted.", player=player.name, force=system_of(event).words.force),
        "success",
    )
    return redirect(url_for("lists_desk.review_lists", slug=event.slug))


def _save(event: Event, player: Player, document: Document, *, seen: str = "", pressed: str = "") -> None:
    by_organiser = access.may_change_lists(visitor(), event)
    with changing(event) as act:
        actions.save_force(act, player, document, by_organiser=by_organiser, seen=seen)
        command, _, key = pressed.partition(":")
        if command == "fix":
            actions.fix_force(act, player, key, by_organiser=by_organiser)
        if command in ("undo", "redo"):
            actions.step_force(act, player, by_organiser=by_organiser, undone=command == "redo")


def _page(
    event: Event,
    player: Player,
    force: ForceList | None,
    *,
    faction_form: FactionForm | None = None,
    file_form: FileForm | None = None,
    faults: tuple[str, ...] = (),
    imported: Imported | None = None,
    shown: Document | None = None,
    unadded: dict[str, str] | None = None,
    status: int = 200,
) -> ResponseReturnValue:
    """The builder's page, or only its form for the script. ``shown`` is a document that could not be saved."""
    system, terms = system_of(event), terms_for(terms_of(event), player)
    wrong_edition = force is not None and force.document["edition"] != event.edition
    fields = request.form.to_dict(flat=False)
    if unadded:
        del fields["do"]  # keeps the choices
    stored = force.document if force else _blank(event, player)
    view = system.forces.builder(shown or stored, terms, fields) if stored and not wrong_edition else None
    # A page with an unsaved document keeps its old fingerprint, so submitting it fails until it is reloaded.
    seen = request.form.get("seen", "") if shown else fingerprint(stored) if stored else ""
    file_form = file_form or FileForm(formdata=None)
    file_form.file.label.text = gettext("%(force)s file", force=capital(system.words.force))
    others = gettext("Or the list as text, or a link to it")
    file_form.text.label.text = others if system.words.others else gettext("Or a link to a list")
    fragment = f"lists/builder/{system.id}.html"
    mine = visitor().player_in(event) is player
    was = cost_when_submitted(db(), event, force) if force else None
    before = "" if was is None else f"{was} {system.unit}"
    scripted = request.headers.get("X-Requested-With") == "fetch"
    shared = {
        "b": view,
        "game": system,
        "scripted": scripted,
        "held": frozenset(request.form.get("held", "").split()),
        "seen": seen,
        "steps": _steps(force),
        "faults": faults,
        "unadded": unadded or {},
        "submission": submission(force, view.page.verdict, begun=view.page.begun, mine=mine, cost_before=before)
        if view
        else None,
    }
    if scripted and view is not None:
        return without_indents(render_template(fragment, **shared)), 422 if faults and status == 200 else status
    page = render_template(
        "lists/force.html",
        **shared,
        fragment=fragment,
        player=player,
        force=force,
        verdict=verdict_on(event, player, force, terms) if force is not None and not wrong_edition else None,
        faction_form=faction_form or _faction_form(event, player),
        file_form=file_form,
        imported=imported,
        wrong_edition=wrong_edition,
        elsewhere=lists_elsewhere(db(), visitor(), event, player),
        added=system.checks.rules_added(terms),
        locked=access.lists_locked(event, now()),
        mine=mine,
    )
    wrong = faults or unadded or (faction_form and faction_form.errors) or (file_form and file_form.errors)
    return page, 422 if wrong and status == 200 else status


def _steps(force: ForceList | None) -> dict[str, bool]:
    """Whether there is a step to undo, and one to redo."""
    ways = {"undo": False, "redo": True}
    return {way: force is not None and bool(force_steps(force, undone=undone)) for way, undone in ways.items()}


def _faction_form(event: Event, player: Player, *, sent: bool = False) -> FactionForm:
    form = FactionForm() if sent else FactionForm(formdata=None, faction=player.faction)
    form.faction.label.text = capital(system_of(event).words.faction)
    form.faction.choices = list(map(SelectChoice, factions_of(event, player)))
    return form


@blueprint.get("/e/<slug>/lists")
@cached_page()
def lists(slug: str) -> ResponseReturnValue:
    """All force lists once they are shown; between lock and reveal only names and hashes."""
    the_event = event_or_404(slug)
    locked, shown = access.lists_locked(the_event, now()), access.may_read_others(visitor(), the_event, now())
    sealed = sealed_lists(the_event) if locked else {}
    seals = {id_: kept for id_, all_ in sealed.items() if (kept := [seal for seal in all_ if seal.submitted])}
    forces = forces_of(the_event) if shown else {}
    system, terms = system_of(the_event), terms_of(the_event)
    rows: list[tuple[Player, ForceSummary | None, Verdict | None]] = []
    people = sorted(placed(players_in(the_event)), key=by_name)
    waived = [player for player in people if shown and plays_without(player, forces.get(player.id))]
    for person in people:
        force = forces.get(person.id)
        # The same for all who read it: staff do not see an unlocked list or a draft here either.
        submitted = force is not None and force.submitted
        if force and access.may_see_force(Visitor(), person, the_event, now(), submitted=submitted, opponent=False):
            rows.append(
                (
                    person,
                    system.forces.summarise(force.document, terms.edition),
                    verdict_on(the_event, person, force, terms),
                )
            )
        elif person.id in seals and person not in waived:
            rows.append((person, None, None))
    fielded = Counter(summary.faction for _, summary, _ in rows if summary is not None and summary.faction)
    return render_template(
        "lists/lists.html",
        rows=rows,
        factions=[(mark_badge(faction_mark(FACTIONS, name)), name, many) for name, many in fielded.most_common()],
        waived=waived,
        seals=seals,
        linked={id_ for id_, force in forces.items() if force.submitted},
        locked=locked,
        shown=shown,
        secret_until=secret_until(the_event, now()),
    )
