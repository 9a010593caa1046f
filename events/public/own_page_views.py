"""A person's own page as a whole: its private link, what it says, pages put together, signing out, deleting it."""

from flask import Blueprint, flash, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from events.accounts import own_pages
from events.accounts.browser import end_page_sign_in, own_person_or_403, page_link, page_path, remember_person
from events.public.forms import PageForm
from events.registration.retention import lapse_of
from events.store.errors import Refused
from events.visitors.bearer import person_by_token
from events.visitors.loading import visitor
from events.web.request import changing_club, db, now
from languages.words import N_, gettext

blueprint = Blueprint("own_page", __name__)
SEPARATED = N_(
    "Separated. Every earlier link, other sign-in and passkey of this page has ended; this is its new link. "
    "If the other page was not yours, make new private links for your events too."
)
OPENED = "opened_page"
"""Session key for the token of an opened link, until the person says what to do."""


@blueprint.get("/m/<token>")
def open_link(token: str) -> ResponseReturnValue:
    """Move the private link of a page into the session, so that it does not stay in the address bar."""
    if person_by_token(token) is None:
        return render_template("people/used_link.html"), 404
    session[OPENED] = token
    return redirect(url_for("own_page.open_page"))


@blueprint.route("/me/open", methods=["GET", "POST"])
def open_page() -> ResponseReturnValue:
    """Open the page of the link; with another one open, ask whether both are of the same person.

    GET signs nobody in: a link from somebody else must not put the next sign-up on that person's page.
    """
    opened = person_by_token(session.get(OPENED, ""))
    if opened is None:
        return render_template("people/used_link.html"), 404
    person, current = own_pages.main_page(db(), opened), visitor().person
    if current is not None and current.id == person.id:
        session.pop(OPENED)
        return redirect(url_for("people.own_page"))
    do = request.form.get("do") if request.method == "POST" else None
    if do == "join" and current is not None and request.form.get("mine") == "yes":
        session.pop(OPENED)
        try:
            with changing_club() as s:
                own_pages.put_together(s, current, person)
            flash(gettext("Both pages are one now. You can separate them in the settings of your page."), "success")
        except Refused as refused:
            flash(refused.message, "error")
        return redirect(url_for("people.own_page"))
    if do == "open":
        end_page_sign_in()
        session.pop(OPENED)
        remember_person(opened)
        return redirect(url_for("people.own_page"))
    return render_template("people/open.html", person=person, current=current, unsaid=do == "join")


@blueprint.get("/me/link")
def show_link() -> ResponseReturnValue:
    person = own_person_or_403()
    return render_template("people/link.html", person=person, address=page_link(person), path=page_path(person))


@blueprint.post("/me/link/renew")
def renew_page_link() -> ResponseReturnValue:
    """Replace the page's private link; this browser stays signed in."""
    person = own_person_or_403()
    with changing_club() as s:
        own_pages.renew_page(s, person)
    remember_person(person)
    flash(
        gettext("This is your new link. The old one, every other sign-in and all passkeys of the page have ended."),
        "success",
    )
    return redirect(url_for("own_page.show_link"))


@blueprint.route("/me/settings", methods=["GET", "POST"])
def page_settings() -> ResponseReturnValue:
    """What the page says of the person, who reads it, and the pages put together with it."""
    person = own_person_or_403()
    form = PageForm(obj=person)
    if form.validate_on_submit():
        with changing_club():
            form.populate_obj(person)
        flash(gettext("Saved."), "success")
        return redirect(url_for("own_page.page_settings"))
    _, *joined = own_pages.pages_of(db(), person)
    entries = own_pages.own_entries(db(), person)
    lapses = {event.id: lapse for event, _ in entries if (lapse := lapse_of(db(), event, now()))}
    page = render_template(
        "people/settings.html", form=form, person=person, joined=joined, entries=entries, lapses=lapses
    )
    return page, 422 if form.errors else 200


@blueprint.post("/me/separate/<int:page_id>")
def separate_page(page_id: int) -> ResponseReturnValue:
    """Undo putting a page together with this one."""
    person = own_person_or_403()
    with changing_club() as s:
        done = own_pages.separate(s, person, page_id)
    if not done:
        flash(gettext("These pages were separated already."), "success")
        return redirect(url_for("own_page.page_settings"))
    remember_person(person)
    flash(gettext(SEPARATED), "success")
    return redirect(url_for("own_page.show_link"))


@blueprint.post("/me/sign-out")
def close_page() -> ResponseReturnValue:
    """Sign the person out of this browser."""
    end_page_sign_in()
    flash(gettext("Your page is closed on this device. Its private link opens it again."), "message")
    return redirect(url_for("public.home"))


@blueprint.post("/me/delete")
def delete_own_page() -> ResponseReturnValue:
    """Delete the page; the entries stay in their events."""
    person = own_person_or_403()
    with changing_club() as s:
        own_pages.end_page(s, person)
    session.pop("person", None)
    g.pop("visitor", None)
    flash(
        gettext("Your page is deleted. Your entries stay in their events, each with its own private link."), "success"
    )
    return redirect(url_for("public.home"))
