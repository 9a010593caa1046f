"""The page "Pairing", and its sections for soft scores, teams and doubles."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.accounts.loading import managed_event
from events.play.errors import Refused, Stale
from events.setup.forms import SoftForm, TeamsForm
from events.setup.pairing_forms import (
    CircuitForm,
    CountingForm,
    DrawForm,
    FormatForm,
    SeasonForm,
    SectionForm,
    TablesForm,
    TieBreaksForm,
)
from events.web.forms import show_at_field
from events.web.request import changing
from models.event import Event
from validators.canonical import fingerprint

blueprint = Blueprint("pairing", __name__)


# A section needs a template setup/pairing/<id>.html.
SECTIONS: tuple[type[SectionForm], ...] = (
    FormatForm, SeasonForm, DrawForm, TablesForm, CountingForm, TieBreaksForm, SoftForm, TeamsForm, CircuitForm,
)  # fmt: skip
STALE = "Another person changed this after you opened it. Your entries are kept below; save again to replace theirs."


@blueprint.route("/e/<slug>/desk/pairing", methods=["GET", "POST"])
def change_pairing(slug: str) -> ResponseReturnValue:
    """The page with all sections; stores the submitted one."""
    event = managed_event(slug)
    pressed = request.form.get("do", "") if request.method == "POST" else ""
    if request.method == "POST" and pressed not in {section.id for section in SECTIONS}:
        abort(404)
    forms = {section.id: _form(event, section, sent=section.id == pressed) for section in SECTIONS}
    form, status = forms.get(pressed), 200
    if form is not None and form.validate():
        try:
            with changing(event) as act:
                if form.was.data != _mark(event, form):
                    raise Stale(STALE)
                form.store(act)
        except Refused as refused:
            status = show_at_field(form, refused)
            form.was.data = _mark(event, form)
        else:
            flash(f"{form.title}: saved.", f"at-{form.id}")
            return redirect(url_for("pairing.change_pairing", slug=slug, _anchor=f"save-{pressed}"))
    elif form is not None:
        status = 422
    page = render_template(
        "setup/pairing.html", sections=SECTIONS, forms=forms, pressed=pressed, kept_apart=len(event.kept_apart)
    )
    return page, status


def _form(event: Event, section: type[SectionForm], *, sent: bool) -> SectionForm:
    """The section's form, as submitted or with the stored values."""
    stored = {**section.shown(event), "was": _mark(event, section)}
    prefix = f"{section.id}-"
    form = section(prefix=prefix, data=stored) if sent else section(None, prefix=prefix, data=stored)
    form.offer(event)
    return form


def _mark(event: Event, section: SectionForm | type[SectionForm]) -> str:
    return fingerprint(dict(section.shown(event)))
