"""A player's list for others: copied as text, and read under a link that the player gives out and ends."""

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.lists.sharing import end_share, for_chat, plain_text, share_list, shared_list
from events.store.editions import edition_of, system_of
from events.visitors import access
from events.visitors.loading import event_or_404, own_player_or_403
from events.web.request import changing, db, now, outside_url

blueprint = Blueprint("share", __name__)


@blueprint.route("/e/<slug>/me/share", methods=["GET", "POST"])
def share_own_list(slug: str) -> ResponseReturnValue:
    """The player's list as text, and its link: who may read it, before there is one."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    force = player.force_list
    if force is None:
        return redirect(url_for("lists.own_list", slug=slug))
    if request.method == "POST":
        with changing(event, public=False) as act:
            if request.form.get("do") == "share":
                share_list(act, player)
            elif request.form.get("do") == "end":
                end_share(act, player)
        return redirect(url_for("share.share_own_list", slug=slug, _anchor="link"))
    text = plain_text(system_of(event), force.document, edition_of(event))
    return render_template(
        "lists/share.html",
        text=text,
        chat=for_chat(text),
        link=_address(force.share_token) if force.share_token else "",
        hidden=not access.lists_shown(event, now()),
    )


def _address(token: str) -> str:
    """The link to a shared list; where only this computer can open the service, its address here."""
    here = request.host_url.rstrip("/") + url_for("share.shared_page", token=token)
    return outside_url("share.shared_page", token=token) or here


@blueprint.get("/l/<token>")
def shared_page(token: str) -> ResponseReturnValue:
    """A list that its player shares: the list alone, without the player and the event."""
    shared = shared_list(db(), token)
    if shared is None:
        abort(404)
    system, document = shared.system, shared.force.document
    response = make_response(
        render_template(
            "lists/shared.html",
            game=system,
            name=document["name"],
            edition=shared.edition,
            summary=system.forces.summarise(document, shared.edition),
            text=plain_text(system, document, shared.edition),
        )
    )
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Cache-Control"] = "no-store"  # an ended link shows nothing more
    return response
