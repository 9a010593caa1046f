"""The restrictions on lists of one event."""

from dataclasses import asdict

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from events.lists.actions import Affected, WouldAffect
from events.setup.forms import RestrictionsForm
from events.setup.restrictions import set_restrictions
from events.store.editions import system_of
from events.store.errors import Refused, Stale
from events.store.verdicts import terms_of
from events.visitors.loading import managed_event
from events.web.forms import STALE, show_at_field
from events.web.request import changing
from languages.words import gettext
from validators.restrictions import Restrictions
from validators.strict_json import fingerprint

blueprint = Blueprint("restriction", __name__)


@blueprint.route("/e/<slug>/desk/restrictions", methods=["GET", "POST"])
def change_restrictions(slug: str) -> ResponseReturnValue:
    """Set the event's restrictions, after showing the lists that they would change."""
    event = managed_event(slug)
    form = RestrictionsForm(data=_shown(event.restrictions) | {"was": fingerprint(asdict(event.restrictions))})
    form.offer(event)
    status, affected = 200, list[Affected]()
    if form.validate_on_submit():
        try:
            with changing(event) as act:
                if form.was.data != fingerprint(asdict(event.restrictions)):
                    raise Stale(gettext(STALE))
                set_restrictions(act, form.wanted(), seen=form.seen.data or "")
        except WouldAffect as first:
            affected, form.seen.data = first.affected, first.mark
        except Refused as refused:
            status = show_at_field(form, refused)
            form.was.data = fingerprint(asdict(event.restrictions))
        else:
            flash(gettext("Saved."), "at-save")
            return redirect(request.path)
    elif form.errors:
        status = 422
    terms = terms_of(event)
    page = render_template(
        "setup/restrictions.html",
        form=form,
        affected=affected,
        names=terms.edition.names,
        added=system_of(event).checks.rules_added(terms),
    )
    return page, status


def _shown(restrictions: Restrictions) -> dict[str, object]:
    return asdict(restrictions) | {
        "banned": "\n".join(restrictions.banned),
        "most_copies": "\n".join(f"{most} × {name}" for name, most in restrictions.most_copies),
        "factions": list(restrictions.factions),
    }
