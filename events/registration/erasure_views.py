"""A player's own data: as a file, and erased, by the player or at the desk."""

import json

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from events.accounts import limits
from events.accounts.browser import client_of_request, forget_opened
from events.accounts.limits import ERASURES, TooMany
from events.registration.erasure import Planned, erase, planned_erasure
from events.registration.own_data import own_data
from events.store.errors import Refused
from events.store.ledger import load_payments
from events.visitors.loading import (
    event_or_404,
    forget_player,
    managed_event,
    own_player_or_403,
    player_or_404,
    visitor,
)
from events.web.answers import name_file
from events.web.forms import typed
from events.web.request import changing, changing_club, db, now
from languages.words import N_, gettext
from models.event import Event
from models.play import Player

blueprint = Blueprint("erasure", __name__)

WORD = N_("erase")
"""The text to type before anything is erased."""
DONE = N_("The personal data is erased.")


@blueprint.get("/e/<slug>/me/data")
def own_data_page(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    return _page(event, own_player_or_403(event), "")


@blueprint.get("/e/<slug>/me/data.json")
def own_data_file(slug: str) -> ResponseReturnValue:
    event = event_or_404(slug)
    player = own_player_or_403(event)
    text = json.dumps(own_data(db(), event, player, now()), ensure_ascii=False, indent=1)
    return name_file(Response(f"{text}\n", mimetype="application/json"), f"{event.slug}-about-me.json")


@blueprint.post("/e/<slug>/me/erase")
def erase_own_data(slug: str) -> ResponseReturnValue:
    """Erase the visitor's own player's data, and sign the player out of this browser."""
    event = event_or_404(slug)
    player = own_player_or_403(event)
    try:
        _count_erasure()
    except TooMany as full:
        return _page(event, player, full.message), full.status
    done, sentence = _erased(event, player, by_player=True)
    if not done:
        return _page(event, player, sentence), 422
    forget_player(event)
    forget_opened()
    flash(sentence, "success")
    answer = redirect(url_for("public.event", slug=slug))
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


@blueprint.route("/e/<slug>/desk/players/<int:player_id>/erase", methods=["GET", "POST"])
def erase_player(slug: str, player_id: int) -> ResponseReturnValue:
    """Erase a player's data at the desk, after a preview."""
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    sentence = ""
    if request.method == "POST":
        done, sentence = _erased(event, player, by_player=False)
        if done:
            flash(sentence, "success")
            return redirect(url_for("players.players", slug=slug))
    plan, refused = _planned(event, player, by_player=False)
    page = render_template(
        "registration/erase_player.html", player=player, plan=plan, refused=refused, wrong=sentence, word=gettext(WORD)
    )
    return page, 422 if sentence else 200


def _count_erasure() -> None:
    """Count a confirmed erasure from this address. Raises TooMany."""
    if typed(gettext(WORD)):
        with changing_club() as s:
            if limits.count_attempt(s, client_of_request().counts(ERASURES), now()) is not None:
                raise TooMany(gettext("Too many erasures from this network. Wait 15 minutes and try again."))


def _erased(event: Event, player: Player, *, by_player: bool) -> tuple[bool, str]:
    """Whether the data was erased, and what to say: it must be confirmed."""
    if not typed(gettext(WORD)):
        return False, gettext("Type “%(word)s” to confirm.", word=gettext(WORD))
    try:
        with changing(event) as act:
            plan = erase(act, player, by_player=by_player)
    except Refused as refused:
        return False, refused.message
    if not plan.neutral:
        return True, gettext(DONE)
    stays = gettext("The results stay as those of %(neutral)s.", neutral=plan.neutral)
    return True, f"{gettext(DONE)} {stays}"


def _planned(event: Event, player: Player, *, by_player: bool) -> tuple[Planned | None, str]:
    load_payments([player])
    try:
        return planned_erasure(db(), event, player, by_player=by_player), ""
    except Refused as refused:
        return None, refused.message


def _page(event: Event, player: Player, wrong: str) -> str:
    plan, refused = _planned(event, player, by_player=True)
    return render_template(
        "registration/own_data.html", player=player, plan=plan, refused=refused, wrong=wrong, word=gettext(WORD),
        on_staff=visitor().role_in(event) is not None,
    )  # fmt: skip
