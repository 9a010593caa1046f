"""What phones will see of this service, for those who run the club; and what a phone says that it can do."""

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue

from events.accounts.loading import require_club
from events.desk.phones import seen_by_phones
from events.web.request import now, outside_url

blueprint = Blueprint("phones", __name__)


@blueprint.get("/desk/phones")
def what_phones_see() -> ResponseReturnValue:
    """The address, https, copies for no network and notices, with the one next thing to do."""
    require_club()
    address = outside_url("phones.this_phone")
    sights = seen_by_phones(current_app.extensions["overseer_settings"], outside_url("public.home"), now())
    todo = next((sight.next for sight in sights if sight.next), "")
    return render_template("desk/phones.html", seen=sights, todo=todo, address=address)


@blueprint.get("/phone")
def this_phone() -> ResponseReturnValue:
    """What the browser that opens it can do here, found by its script; for everybody."""
    return render_template("desk/phone.html")
