"""Sending notices and mails to accounts, and answering requests for lost links. Only ``overseer maintain`` does it.

More than 450 lines because all that is sent apart from messages shares its queue rules.

Like a mail (``delivery``), a notice is committed as being sent before a push service or the mail server is contacted.
Its text is current when it is sent; outdated notices are not sent.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Engine, true
from sqlmodel import Session, col, func, or_, select

from events.messages import permits
from events.messages.account_mails import ASKS, SIGNED_IN, account_mail_token, address_of_account
from events.messages.delivery import (
    ATTEMPTS,
    FIRST_WAIT,
    GROWTH,
    Connection,
    any_due,
    is_lost,
    take_next,
)
from events.messages.devices import devices_of, switched_off
from events.messages.letters import id_of, link_to, notice_letter, written
from events.messages.outgoing import in_one_pass
from events.messages.permits import A_DAY, Cause
from events.messages.push import Pushed, Pusher
from events.messages.queries import contact_of, language_of, mails_since, values_for
from events.messages.text import INVITED, LOST, NOTICES, WRITTEN, NoticeText, filled, filled_line
from events.store.calendar import changes, entries_since
from events.store.players import has_place
from events.store.rounds import days_of, newest_published, round_view
from events.tournament.season import arranged_in, season_in
from languages.dates import dated
from languages.words import N_, first_offered, gettext, speaking
from models.account_mail import AccountMail, AccountNotice
from models.db import write
from models.event import Event, EventState, Round
from models.join_code import CodeMail, JoinCode
from models.message import Contact, Delivery, MailState, Message
from models.notice import Device, LinkRequest, Notice, Occasion
from models.people import Account
from models.play import Absent, Game, GameState, Player, PlayerState
from service.settings import MailServer, Settings

log = logging.getLogger("overseer.notices")

MOST_LINKS = 20
"""The most private links in one mail."""
DIFFER = replace(
    NOTICES[Occasion.CONFIRM],
    subject=N_("{event}: the two reports differ"),
    sentence=N_(
        "The two reports of your game in round {round} differ. Talk to your opponent, or the organiser decides."
    ),
)
"""For both players of a disputed game."""


@dataclass(frozen=True)
class Channels:
    secret: str
    mail: MailServer | None = None
    can_push: bool = False
    subject: str = "mailto:desk@localhost"
    """The service's address, for push services."""
    allowed: str = ""
    """A test's push service."""


def channels_of(settings: Settings) -> Channels:
    subject = {"subject": settings.public} if settings.https else {}
    return Channels(settings.secret, settings.mail, settings.can_push, allowed=settings.push_service, **subject)


@dataclass(frozen=True)
class Ready:
    event: Event
    player: Player
    text: NoticeText
    words: Mapping[str, str]

    @property
    def push(self) -> dict[str, str]:
        with speaking(language_of(self.player, self.event)):
            subject, sentence = gettext(self.text.subject), gettext(self.text.sentence)
        title, body = filled_line(subject, self.words), filled_line(sentence, self.words)
        page = f"/e/{self.event.slug}/me"
        return {"title": title[:120], "body": body[:300], "page": page, "tag": f"{self.text.label} {page}"}


def prepared(s: Session, notice: Notice, now: datetime) -> Ready | None:
    """The notice with its values; None if it is too old, switched off, or no longer true."""
    player = s.get_one(Player, notice.player_id)
    event = s.get_one(Event, player.event_id)
    with speaking(language_of(player, event)):
        return _prepared(s, notice, event, player, now)


def _prepared(s: Session, notice: Notice, event: Event, player: Player, now: datetime) -> Ready | None:
    text = NOTICES[notice.occasion]
    if now > notice.at + text.good_for or notice.occasion in switched_off(s, player):
        return None
    kind, _, rest = notice.about.partition(" ")
    if kind == "message":
        words = _of_message(s, player, int(rest))
        text = WRITTEN
    elif kind == "round":
        words = _of_round(s, event, player, s.get(Round, int(rest)))
    elif kind == "game":
        game_id, _, version = rest.partition(" report ")
        to_confirm = notice.occasion == Occasion.CONFIRM
        states = (GameState.REPORTED, GameState.DISPUTED) if to_confirm else (GameState.CONFIRMED,)
        game = s.get(Game, int(game_id))
        current = game is not None and game.version == int(version) and game.state in states
        text = DIFFER if game is not None and game.state == GameState.DISPUTED else text
        words = _of_round(s, event, player, s.get(Round, game.round_id)) if game is not None and current else None
    elif kind in ("day", "challenge", "overdue"):
        verb, words = _of_season(s, event, player, notice.about)
        text = replace(text, sentence=text.season[verb])
    elif kind == "settings":
        words = _of_settings(s, event, datetime.fromtimestamp(int(rest), UTC))
    elif kind == "list":
        force = player.force_list
        words = {} if force is not None and not force.submitted else None
    else:
        where = ", ".join(filter(None, (days_of(event, "%A %-d %B %Y"), event.place)))
        words = {"where": where} if has_place(player) else None
    if words is None or (player.state == PlayerState.DROPPED and notice.occasion != Occasion.ANSWER):
        return None
    return Ready(event, player, text, {"event": event.name, "name": player.name} | words)


def _of_message(s: Session, player: Player, message_id: int) -> dict[str, str] | None:
    """The subject of an unread message."""
    message = s.get(Message, message_id)
    mine = select(Delivery).where(Delivery.message_id == message_id, Delivery.player_id == player.id)
    delivery = s.exec(mine).first()
    if message is None or delivery is None or delivery.read_at is not None:
        return None
    return {"subject": filled_line(message.subject, delivery.words)}


def _of_round(s: Session, event: Event, player: Player, the_round: Round | None) -> dict[str, str] | None:
    """The values of the player's game in the newest round, in a season in any round; None for other rounds."""
    if the_round is None or (event.season is None and the_round.id != newest_published(s, event)):
        return None
    view = round_view(event, the_round)
    ids = {id_ for game in view.games if player.id in (game.a_id, game.b_id) for id_ in (game.a_id, game.b_id)}
    names = {id_: s.get_one(Player, id_).name for id_ in ids if id_ is not None}
    common = {"event": event.name, "round": str(the_round.number), "game": gettext("see your page")}
    return values_for(player, common, view, names)


def _of_settings(s: Session, event: Event, since: datetime) -> dict[str, str] | None:
    """What players plan by and has changed since then; None if all is as it was."""
    changed = changes(event, entries_since(s, event, since), since)
    return {"changes": " ".join(change.sentence for change in changed)} if changed else None


def _of_season(s: Session, event: Event, player: Player, about: str) -> tuple[str, dict[str, str] | None]:
    """The event in a game of a season, and its values; None if it is no longer true."""
    kind, id_, verb, iso, *_ = about.split()
    day = date.fromisoformat(iso)
    if verb == "cancelled":  # the game is gone: the id is that of the opponent
        other = s.get(Player, int(id_))
        return verb, {"opponent": other.name} if other else None
    game, season = s.get(Game, int(id_)), season_in(event.season)
    if game is None or season is None or game.b_id is None or player.id not in (game.a_id, game.b_id):
        return verb, None
    arranged, is_open = arranged_in(game.arranged), game.state == GameState.OPEN
    so = {
        "day proposed": is_open and arranged.day == day and not arranged.agreed,
        "day agreed": is_open and arranged.day == day and arranged.agreed,
        "day desk": is_open and arranged.day == day and arranged.by == "desk",
        "day due": is_open and arranged.due == day,
        "challenge made": is_open and arranged.unanswered is not None,
        "challenge accepted": is_open and not arranged.unanswered,
        "challenge declined": game.absent == Absent.B,
        "overdue game": is_open and (arranged.due is None or arranged.due <= day),
        "overdue challenge": is_open and arranged.unanswered is not None,
    }
    other = s.get_one(Player, game.b_id if player.id == game.a_id else game.a_id)
    words = {"opponent": other.name, "day": dated(day, "%A %-d %B")}
    return verb, words if so[f"{kind} {verb}"] else None


def may_mail(s: Session, ready: Ready, contact: Contact, server: MailServer, now: datetime) -> bool:
    """Whether the limits of the mailbox and of the event allow one more mail."""
    mailed = select(func.count()).select_from(Notice).where(col(Notice.mailed_at) > now - A_DAY)
    of_event = mailed.join(Player, col(Player.id) == col(Notice.player_id)).where(Player.event_id == ready.event.id)
    left = s.exec(of_event).one() + mails_since(s, ready.event, now - A_DAY) < server.a_day
    return left and not permits.why_not(s, ready.event, contact, Cause.EVENT, now)


def give_up_lost(s: Session, now: datetime) -> None:
    """Mark the notices whose worker stopped while sending: they may have been sent, so they are not retried."""
    for notice in s.exec(select(Notice).where(is_lost(Notice, now)).with_for_update()):
        notice.state = MailState.UNSURE


@dataclass(frozen=True)
class Attempt:
    state: MailState
    """QUEUED if it is tried again, or is mailed after it was pushed."""
    to_mail: bool = False
    """Whether its mail follows: a further attempt only sends that."""
    mailed: bool = False
    gone: tuple[int, ...] = ()
    """The devices that no longer accept pushes."""


def push_notices(engine: Engine, channels: Channels, clock: Callable[[], datetime]) -> list[Attempt]:
    """Push the due notices of one pass; those that are mailed too wait for ``mail_notices``."""
    with closing(Pusher(channels.secret, channels.subject, channels.allowed)) as pusher:

        def push(session: Session, notice: Notice, ready: Ready) -> Attempt:
            devices, content, good_for = devices_of(session, ready.player), ready.push, ready.text.good_for
            to_mail = _address(session, channels, notice, ready, clock()) is not None
            session.expunge_all()
            session.rollback()  # no database connection is held while other servers are contacted
            answers = {device.id: pusher.send(device, content, good_for, clock()) for device in devices}
            again = Pushed.LATER in answers.values() and Pushed.TAKEN not in answers.values()
            taken = MailState.SENT if Pushed.TAKEN in answers.values() else MailState.FAILED
            gone = tuple(id_ for id_, answer in answers.items() if answer == Pushed.GONE)
            return Attempt(MailState.QUEUED if to_mail or again else taken, to_mail=to_mail, gone=gone)

        return _attempts(engine, clock, col(Notice.pushed).is_(False), lambda: False, push)


def mail_notices(engine: Engine, channels: Channels, clock: Callable[[], datetime]) -> list[Attempt]:
    """Mail the due notices of one pass, after they were pushed if pushes are sent. It ends if no mail is accepted."""
    assert channels.mail is not None  # noqa: S101 - the callers ask
    with closing(Connection(channels.mail)) as connection:

        def mail(session: Session, notice: Notice, ready: Ready) -> Attempt:
            contact, state = _address(session, channels, notice, ready, clock()), MailState.FAILED
            if contact is not None:
                of, to = (ready.event, ready.player, notice, ready.text, ready.words), contact.mail
                letter = notice_letter(connection.server, channels.secret, *of, to)
                session.rollback()  # no database connection is held while the mail is sent
                state = connection.send(letter, to).state
            return Attempt(state, mailed=state in (MailState.SENT, MailState.UNSURE))

        which = col(Notice.pushed).is_(True) if channels.can_push else true()
        return _attempts(engine, clock, which, lambda: connection.down, mail)


def _attempts(
    engine: Engine, clock: Callable[[], datetime], which: ColumnElement[bool], is_down: Callable[[], object],
    attempt: Callable[[Session, Notice, Ready], Attempt],
) -> list[Attempt]:  # fmt: skip
    """Try each due notice of ``which`` once and store the outcome; the pass ends when the server is down."""
    with Session(engine) as session:

        def take() -> Notice | None:
            if is_down():
                return None
            with write(session, clock()) as s:
                return take_next(s, Notice, clock(), which)

        if not any_due(session, Notice, clock(), which):
            return []
        with write(session, clock()) as s:
            give_up_lost(s, clock())
        return [_attempt(session, attempt, notice.id, clock) for notice in in_one_pass(take)]


def _attempt(
    session: Session,
    attempt: Callable[[Session, Notice, Ready], Attempt],
    notice_id: int,
    clock: Callable[[], datetime],
) -> Attempt:
    outcome, ready = Attempt(MailState.FAILED), None
    try:
        notice = session.get(Notice, notice_id)
        ready = prepared(session, notice, clock()) if notice is not None else None
        if notice is not None and ready is not None:
            outcome = attempt(session, notice, ready)
    except Exception:  # an odd notice ends no pass
        log.exception("notice %s could not be sent", notice_id)
        session.rollback()
    with write(session, clock()) as s:
        for device in s.exec(select(Device).where(col(Device.id).in_(outcome.gone))):
            s.delete(device)
        current = s.get(Notice, notice_id, with_for_update=True, populate_existing=True)
        if current is not None and current.state == MailState.SENDING:
            if outcome.mailed and ready is not None:
                count_notice(s, ready, clock())
            settle_notice(current, outcome, clock())
    return outcome


def count_notice(s: Session, ready: Ready, now: datetime) -> None:
    if contact := contact_of(s, ready.player):
        permits.claim(s, ready.event, contact, Cause.EVENT, now)


def settle_notice(notice: Notice, attempt: Attempt, now: datetime) -> None:
    """Store the outcome of an attempt; after the last attempt the notice counts as failed."""
    notice.state = attempt.state
    if attempt.mailed:
        notice.mailed_at = now
    if attempt.to_mail:
        notice.pushed, notice.attempts, notice.next_try = True, 0, now
    elif attempt.state == MailState.QUEUED and notice.attempts < ATTEMPTS:
        notice.next_try = now + FIRST_WAIT * GROWTH ** (notice.attempts - 1)
    elif attempt.state == MailState.QUEUED:
        notice.state = MailState.FAILED


def _address(s: Session, channels: Channels, notice: Notice, ready: Ready, now: datetime) -> Contact | None:
    """The address that the notice is mailed to; None for an organiser's message, which is mailed separately."""
    contact = contact_of(s, ready.player) if ready.event.mail_asked else None
    if channels.mail is None or contact is None or ready.text is WRITTEN or notice.mailed_at is not None:
        return None
    return contact if may_mail(s, ready, contact, channels.mail, now) else None


Waiting = TypeVar("Waiting", LinkRequest, AccountNotice, CodeMail)


def answer_link_requests(engine: Engine, server: MailServer, secret: str, clock: Callable[[], datetime]) -> None:
    """Mail the requested links, and delete the requests: one mail for each with all links of the address.

    No event changes, whether the address is known or not.
    """
    _handle_due(engine, server, secret, clock, LinkRequest, _answer)


def send_account_mails(engine: Engine, server: MailServer, secret: str, clock: Callable[[], datetime]) -> None:
    """Send the due mails to accounts, and with invitations, and delete their rows. What fails is tried again later."""
    _handle_due(engine, server, secret, clock, AccountNotice, _send_to_account)
    drafts = select(JoinCode.id).join(Event).where(Event.state == EventState.DRAFT)  # their page is not public yet
    _handle_due(engine, server, secret, clock, CodeMail, _invite, col(CodeMail.join_code_id).not_in(drafts))


def _handle_due(
    engine: Engine, server: MailServer, secret: str, clock: Callable[[], datetime], table: type[Waiting],
    handle: Callable[[Session, Connection, str, Waiting, Callable[[], datetime]], None],
    *only: ColumnElement[bool],
) -> None:  # fmt: skip
    """Handle the due rows of one pass, oldest first: each is deleted before, so no two workers handle one."""
    due = select(table).where(table.at <= clock(), *only).order_by(col(table.id)).limit(1)
    with Session(engine) as session, closing(Connection(server)) as connection:

        def take() -> Waiting | None:
            if connection.down or session.exec(due).first() is None:
                return None
            with write(session, clock()) as s:
                row = s.exec(due.with_for_update(skip_locked=True)).first()
                if row is not None:
                    s.delete(row)
                return row

        for row in in_one_pass(take):
            try:
                handle(session, connection, secret, row, clock)
            except Exception:  # an odd row ends no pass
                log.exception("a mail could not be sent")
                session.rollback()


def _try_again(s: Session, table: type[Waiting], again: Mapping[str, Any], now: datetime) -> None:
    """Store a row once more that could not be handled now, to wait longer each time; after the last try nothing."""
    if again["attempts"] < ATTEMPTS - 1:
        wait = FIRST_WAIT * GROWTH ** again["attempts"]
        s.add(table(**{**again, "attempts": again["attempts"] + 1, "at": now + wait}))


def _answer(
    session: Session, connection: Connection, secret: str, request: LinkRequest, clock: Callable[[], datetime]
) -> None:
    """Mail the links of one request, if the address may be sent one. What fails for now is requested again."""
    rows, event = with_address(session, request), session.get_one(Event, request.event_id)
    if not rows or permits.why_not(session, event, rows[0][0], Cause.STRANGER, clock()):
        return
    links = [
        f"{player.name}, {session.get_one(Event, player.event_id).name}:\n"
        f"{link_to(connection.server, secret, player, contact)}"
        for contact, player in rows
    ]
    contact, again = rows[0][0], request.model_dump(exclude={"id", "at"})
    number = id_of(secret, f"links {contact.mail} {request.at.isoformat()}")
    with speaking(language_of(rows[0][1], event)):
        subject, text = gettext(LOST.subject), filled(gettext(LOST.text), {"links": "\n\n".join(links)})
    mail = written(connection.server, contact.mail, subject, text, number, clock())
    session.rollback()  # no database connection is held while the mail is sent
    outcome = connection.send(mail, contact.mail)
    with write(session, clock()) as s:
        if outcome.state in (MailState.SENT, MailState.UNSURE):
            permits.claim(s, event, s.get_one(Contact, contact.id), Cause.STRANGER, clock())
        elif outcome.state == MailState.QUEUED:
            _try_again(s, LinkRequest, again, clock())


def with_address(s: Session, request: LinkRequest) -> list[tuple[Contact, Player]]:
    """The players with this address, at the event asked about and others not over: those who confirmed it, else all."""
    query = (
        select(Contact, Player)
        .join(Player, col(Contact.player_id) == col(Player.id))
        .join(Event, col(Player.event_id) == col(Event.id))
        .where(Event.mail_asked, or_(Event.state != EventState.FINISHED, Event.id == request.event_id))
        .where(func.lower(Contact.mail) == request.mail.lower(), Contact.mail != "")
        .order_by(col(Contact.confirmed_at).is_(None), col(Player.id))
        .limit(MOST_LINKS)
    )
    rows = [(contact, player) for contact, player in s.exec(query)]
    return [row for row in rows if row[0].confirmed_at] or rows


def _send_to_account(
    session: Session, connection: Connection, secret: str, notice: AccountNotice, clock: Callable[[], datetime]
) -> None:
    account = session.get_one(Account, notice.account_id)
    address, cause = address_of_account(session, account), Cause.EVENT if notice.browser else Cause.STRANGER
    if address is None or permits.why_not(session, None, address, cause, clock()):
        return
    server, to = connection.server, address.mail
    with speaking(first_offered(account.language)):
        subject, text = map(gettext, SIGNED_IN if notice.browser else ASKS)
        signed_in_at = dated(notice.signed_in_at, "%-d %b %Y, %H:%M UTC")
    words = {
        "name": account.name, "links": server.links, "browser": notice.browser,
        "at": signed_in_at,
        "confirm": f"{server.links}/account-mail/{account_mail_token(secret, address)}",
    }  # fmt: skip
    number = id_of(secret, f"account {account.id} {notice.signed_in_at.isoformat()} {to}")
    mail = written(server, to, subject.format(**words), text.format(**words), number, clock())
    again, account_id = notice.model_dump(exclude={"id", "at"}), account.id
    session.rollback()  # no database connection is held while the mail is sent
    outcome = connection.send(mail, to)
    with write(session, clock()) as s:
        if outcome.state in (MailState.SENT, MailState.UNSURE):
            current = s.exec(select(AccountMail).where(AccountMail.account_id == account_id)).first()
            if current is not None:
                permits.claim(s, None, current, cause, clock())
        elif outcome.state == MailState.QUEUED:
            _try_again(s, AccountNotice, again, clock())


def _invite(
    session: Session, connection: Connection, secret: str, waiting: CodeMail, clock: Callable[[], datetime]
) -> None:
    """Mail the link of an invitation to the address that an organiser typed; nothing if it was ended."""
    code, server = session.get_one(JoinCode, waiting.join_code_id), connection.server
    event = session.get_one(Event, code.event_id)
    if code.ended_at is not None:
        return
    words = {"label": code.label, "event": event.name}
    words["link"] = f"{server.links}/e/{event.slug}/register?code={code.code}"
    with speaking(language_of(None, event)):
        words["where"] = ", ".join(filter(None, (days_of(event, "%A %-d %B %Y"), event.place)))
        subject, text = filled_line(gettext(INVITED[0]), words), filled(gettext(INVITED[1]), words)
    mail = written(server, waiting.mail, subject, text, id_of(secret, f"code {code.id}"), clock())
    again, to = waiting.model_dump(exclude={"id", "at"}), waiting.mail
    session.rollback()  # no database connection is held while the mail is sent
    if connection.send(mail, to).state == MailState.QUEUED:
        with write(session, clock()) as s:
            _try_again(s, CodeMail, again, clock())
