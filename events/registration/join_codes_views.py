"""The desk's join codes: all of them with who used each, a new one, invitations, one as a link and to scan."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.accounts.loading import join_code_or_404, join_link, managed_event
from events.registration.forms import CodeForm, InvitePlayersForm
from events.registration.join_codes import codes_of, end_code, invite, make_codes, players_by_code
from events.store.errors import Refused
from events.web.forms import show_at_field
from events.web.request import changing, db, mail_server, saving
from languages.words import gettext, listed, ngettext
from models.event import Event

blueprint = Blueprint("join_codes", __name__)


@blueprint.route("/e/<slug>/desk/codes", methods=["GET", "POST"])
def manage(slug: str) -> ResponseReturnValue:
    event = managed_event(slug)
    pressed = request.form.get("do", "")
    form = CodeForm() if pressed == "code" else CodeForm(None)
    people = InvitePlayersForm() if pressed == "invite" else InvitePlayersForm(None)
    status = 200
    if pressed == "code" or pressed == "invite":
        status = 422
        chosen = form if pressed == "code" else people
        if chosen.validate():
            try:
                return redirect(_made(event, form) if pressed == "code" else _invited(event, people))
            except Refused as refused:
                status = show_at_field(chosen, refused)
    codes, using = codes_of(db(), event), players_by_code(db(), event)
    page = render_template(
        "registration/join_codes.html",
        form=form,
        people=people,
        pressed=pressed,
        codes=codes,
        using=using,
        addresses={code.id: join_link(event, code) for code in codes},
        mails=mail_server() is not None,
    )
    return page, status


def _made(event: Event, form: CodeForm) -> str:
    with changing(event, public=False) as act:
        (code,) = make_codes(act, [form.name.data], form.uses.data)
        code_id = code.id
    return url_for("join_codes.show", slug=event.slug, code_id=code_id)


def _invited(event: Event, form: InvitePlayersForm) -> str:
    with changing(event, public=False) as act:
        done = invite(act, form.people.data, has_server=mail_server() is not None)
        count = len(done.made)
    flash(ngettext("%(num)s invitation made.", "%(num)s invitations made.", count), "success")
    if done.mailed:
        flash(ngettext("%(num)s is mailed.", "%(num)s are mailed.", done.mailed), "success")
    if done.again:
        flash(gettext("Invited already: %(names)s.", names=listed(done.again)), "message")
    for why in done.not_mailed:
        flash(gettext("Not mailed: %(why)s", why=why), "error")
    return url_for("join_codes.manage", slug=event.slug)


@blueprint.get("/e/<slug>/desk/codes/<int:code_id>")
def show(slug: str, code_id: int) -> ResponseReturnValue:
    """One code to hand out: as a link and as a code to scan."""
    event = managed_event(slug)
    code = join_code_or_404(event, code_id)
    return render_template(
        "registration/join_code.html",
        code=code,
        address=join_link(event, code),
        players=players_by_code(db(), event).get(code.id, []),
    )


@blueprint.post("/e/<slug>/desk/codes/<int:code_id>/end")
def end(slug: str, code_id: int) -> ResponseReturnValue:
    event = managed_event(slug)
    code = join_code_or_404(event, code_id)
    with saving(event, gettext("Ended. The code no longer works.")) as act:
        end_code(act, code)
    return redirect(url_for("join_codes.manage", slug=slug))
