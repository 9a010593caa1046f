"""Messages to players, their mail addresses, and the sending of mails."""

from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count

from sqlalchemy import Engine

from events.messages import actions as messages_actions
from events.messages import addresses
from events.messages import addresses as mail_addresses
from events.messages.actions import Draft
from events.messages.delivery import Connection
from events.messages.dispatching import Sent, send_due
from events.messages.letters import mail_ways
from events.messages.notices import push_ways
from events.store.act import Act
from models.dispatch import Dispatch, DispatchKind, DispatchState, queued
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


def mail_of(stage: Stage, delivery: Delivery) -> Dispatch | None:
    return next(iter(stage.all(Dispatch, delivery_id=delivery.id)), None)


def mails(stage: Stage, kind: DispatchKind = DispatchKind.MESSAGE, **where: object) -> Sequence[Dispatch]:
    return stage.all(Dispatch, kind=kind, **where)


def notices(stage: Stage) -> list[Dispatch]:
    return [row for row in stage.all(Dispatch) if row.occasion]


def add_links(stage: Stage, event: Event, *mails: str) -> None:
    """Ask for the lost links of these addresses."""
    with stage.changing() as s:
        s.add_all(queued(DispatchKind.LINKS, stage.clock(), event_id=event.id, mail=mail) for mail in mails)


@dataclass(frozen=True)
class Worked:
    """What one pass of a worker did."""

    sent: Sent
    down: str = ""
    """Why the mail server accepts no more."""

    @property
    def tried(self) -> int:
        return self.sent.total()

    def count(self, state: DispatchState) -> int:
        return sum(number for (_, ended), number in self.sent.items() if ended == state)


MESSAGES = (DispatchKind.MESSAGE,)
ALL_MAILS = tuple(DispatchKind)


def deliver(
    stage: Stage, box: Mailbox, secret: str, kinds: Collection[DispatchKind] = MESSAGES, **changed: object
) -> Worked:
    """Send the due mails of these kinds, as one run of the worker does; ``changed`` are settings of the server."""
    stage.s.rollback()
    bound, server = stage.s.get_bind(), box.server(**changed)
    assert isinstance(bound, Engine)
    with closing(Connection(server)) as connection:
        ways = push_ways(None, server) | mail_ways(connection, secret)
        wanted = {kind: way for kind, way in ways.items() if kind in kinds}
        sent = send_due(bound, wanted, stage.clock, lambda: connection.down)
        return Worked(sent, connection.down)
