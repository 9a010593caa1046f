"""The button that mails a player's private link to the address on file."""

from flask import Blueprint, redirect, url_for
from flask.typing import ResponseReturnValue

from events.actions.link_mails import mail_link
from events.message_reading import contact_of
from events.views.press import pressed
from events.views.request import actor, db, mail_server, managed_event, now, player_or_404
from models.event import Event
from models.play import Player

blueprint = Blueprint("link_mails", __name__)


@blueprint.post("/e/<slug>/desk/players/<int:player_id>/mail-link")
def mail(slug: str, player_id: int) -> ResponseReturnValue:
    """Mail the private link to the player."""
    event = managed_event(slug)
    player = player_or_404(event, player_id)
    server = mail_server()
    with pressed(event, f"The private link is on its way to {player.name}.") as s:
        mail_link(s, event, player, server.a_day if server else 0, actor(event), now())
    return redirect(url_for("desk.player", slug=slug, player_id=player_id, _anchor="link"))


def can_mail_link(event: Event, player: Player) -> bool:
    """The server sends mail, and the player gave an address."""
    contact = contact_of(db(), player)
    return mail_server() is not None and event.mail_asked and contact is not None and bool(contact.mail)
