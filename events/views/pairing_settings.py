"""The page "Pairing": how an event's rounds are drawn, seated and ranked, in sections that are saved one by one."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.errors import Refused, Stale
from events.views.fields import show_at_field
from events.views.format_section import FORMAT
from events.views.pairing_counting import COUNTING
from events.views.pairing_section import Section, SectionForm
from events.views.pairing_sections import DRAW, TABLES, TIE_BREAKS_IN_ORDER
from events.views.request import actor, changing, managed_event, now
from events.views.soft_section import SOFT
from events.views.team_section import TEAMS
from models.event import Event
from validators.canonical import fingerprint

blueprint = Blueprint("pairing_settings", __name__)

# A further section is a Section of its own module and a template of its id under desk/pairing.
SECTIONS: tuple[Section, ...] = (FORMAT, DRAW, TABLES, COUNTING, TIE_BREAKS_IN_ORDER, SOFT, TEAMS)
STALE = (
    "Somebody else changed this since you opened it. What you typed is kept below; send it again to put it in place of "
    "theirs."
)


@blueprint.route("/e/<slug>/desk/pairing", methods=["GET", "POST"])
def change(slug: str) -> ResponseReturnValue:
    """All sections; the one whose button was pressed is stored."""
    event = managed_event(slug)
    pressed = request.form.get("do", "") if request.method == "POST" else ""
    if request.method == "POST" and pressed not in {section.id for section in SECTIONS}:
        abort(404)
    forms = {section.id: _form(event, section, sent=section.id == pressed) for section in SECTIONS}
    status = 200
    for section in SECTIONS:
        if section.id != pressed:
            continue
        form = forms[pressed]
        if form.validate():
            try:
                with changing(event) as s:
                    if form.was.data != _mark(event, section):
                        raise Stale(STALE)
                    section.store(s, event, form, actor(event), now())
            except Refused as refused:
                show_at_field(form, refused)
                status = refused.status
                form.was.data = _mark(event, section)
            else:
                flash(f"{section.title}: saved.", "success")
                return redirect(url_for("pairing_settings.change", slug=slug, _anchor=section.id))
        else:
            status = 422
    return render_template("desk/pairing.html", sections=SECTIONS, forms=forms), status


def _form(event: Event, section: Section, *, sent: bool) -> SectionForm:
    """The section's form: as it was sent, or as the event stands."""
    stored = dict(section.shown(event)) | {"was": _mark(event, section)}
    prefix = f"{section.id}-"
    form = section.form(prefix=prefix, data=stored) if sent else section.form(None, prefix=prefix, data=stored)
    form.offer(event)
    return form


def _mark(event: Event, section: Section) -> str:
    return fingerprint(dict(section.shown(event)))
