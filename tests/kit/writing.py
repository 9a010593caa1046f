"""Messages to players, their mail addresses, and the sending of mails."""

from itertools import count

from sqlalchemy import Engine

from events.messages import actions as messages_actions
from events.messages import addresses
from events.messages import addresses as mail_addresses
from events.messages.actions import Draft
from events.messages.delivery import Sent, send_due
from events.store.act import Act
from models.event import Event
from models.message import Delivery, Message
from models.play import Player
from tests.kit.mail_server import Mailbox
from tests.kit.stage import BY, Stage

KEYS = count(1)


def write_to(
    stage: Stage,
    event: Event,
    text: str = "Please go to your tables.",
    *,
    subject: str = "News",
    to: str = "all",
    chosen: frozenset[int] = frozenset(),
    mail: bool = True,
    key: str = "",
    a_day: int = 100,
) -> Message:
    draft = Draft(to, subject, text, chosen, mail)
    return stage.do(event, messages_actions.send, draft, key or f"key-{next(KEYS)}", a_day)


def give_mail(stage: Stage, event: Event, *players: Player) -> None:
    """Allow mail at the event, and set these players' addresses, such as ada@mail.example."""
    stage.do(event, mail_addresses.allow_mail, True)
    for player in players:
        with stage.changing(event) as s:
            address = f"{player.name.split()[0].lower()}@mail.example"
            addresses.give_address(Act(s, event, BY, stage.clock()), player, address)


def delivery_to(stage: Stage, player: Player, message: Message) -> Delivery:
    return stage.one(Delivery, player_id=player.id, message_id=message.id)


def deliver(stage: Stage, box: Mailbox, secret: str, **changed: object) -> Sent:
    """Send all due mails, as one run of the worker does; ``changed`` are settings of the mail server."""
    stage.s.rollback()
    bound = stage.s.get_bind()
    assert isinstance(bound, Engine)
    return send_due(bound, box.server(**changed), secret, stage.clock)
