"""Notices: what each says when it is sent, and pushing them. Outdated notices are not sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial

from sqlmodel import Session, col, func, select

from events.journal.calendar import changes, entries_since
from events.messages import permits
from events.messages.devices import devices_of, switched_off
from events.messages.dispatching import Attempt, Outcome, Way
from events.messages.permits import A_DAY, Cause
from events.messages.push import Pushed, Pusher
from events.messages.queries import contact_of, language_of, mails_since, values_for
from events.messages.text import NOTICES, WRITTEN, NoticeText, filled_line
from events.store.players import has_place
from events.store.rounds import days_of, newest_published, round_view
from events.tournament.season import arranged_in
from languages.dates import dated
from languages.words import N_, gettext, speaking
from models.dispatch import Device, Dispatch, DispatchKind, DispatchState, Occasion
from models.event import Event, Round
from models.message import Contact, Delivery, Message
from models.play import Absent, Game, GameState, Player, PlayerState
from service.settings import MailServer

DIFFER = replace(
    NOTICES[Occasion.CONFIRM],
    subject=N_("{event}: the two reports differ"),
    sentence=N_(
        "The two reports of your game in round {round} differ. Talk to your opponent, or the organiser decides."
    ),
)
"""For both players of a disputed game."""


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


def prepared(s: Session, notice: Dispatch, now: datetime) -> Ready | None:
    """The notice with its values; None if it is too old, switched off, or no longer true."""
    player = s.get_one(Player, notice.player_id)
    event = s.get_one(Event, player.event_id)
    with speaking(language_of(player, event)):
        return _prepared(s, notice, event, player, now)


def _prepared(s: Session, notice: Dispatch, event: Event, player: Player, now: datetime) -> Ready | None:
    occasion = notice.occasion or Occasion.ROUND  # every notice has one
    text = NOTICES[occasion]
    if now > notice.at + text.good_for or occasion in switched_off(s, player):
        return None
    kind, _, rest = notice.about.partition(" ")
    if kind == "message":
        words = _of_message(s, player, int(rest))
        text = WRITTEN
    elif kind == "round":
        words = _of_round(s, event, player, s.get(Round, int(rest)))
    elif kind == "game":
        game_id, _, version = rest.partition(" report ")
        to_confirm = occasion == Occasion.CONFIRM
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
    if words is None or (player.state == PlayerState.DROPPED and occasion != Occasion.ANSWER):
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
    game, season = s.get(Game, int(id_)), event.season
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


def address_of(s: Session, ready: Ready, server: MailServer, now: datetime) -> Contact | None:
    """The address that the notice is mailed to, as far as the limits of the mailbox and of the event allow one more.

    None for an organiser's message, which is mailed separately.
    """
    contact = contact_of(s, ready.player) if ready.event.mail_asked and ready.text is not WRITTEN else None
    if contact is None or permits.why_not(s, ready.event, contact, Cause.EVENT, now):
        return None
    notices = select(func.count()).where(
        Dispatch.event_id == ready.event.id,
        Dispatch.kind == DispatchKind.NOTICE,
        col(Dispatch.state).in_((DispatchState.SENT, DispatchState.UNSURE)),
        col(Dispatch.tried_at) > now - A_DAY,
    )
    return contact if s.exec(notices).one() + mails_since(s, ready.event, now - A_DAY) < server.a_day else None


def push_ways(pusher: Pusher | None, server: MailServer | None) -> dict[DispatchKind, Way]:
    """Pushing notices, before they are mailed. Without a pusher they are only mailed."""
    return {DispatchKind.PUSH: Way(partial(_push, pusher, server))}


def _push(
    pusher: Pusher | None, server: MailServer | None, s: Session, row: Dispatch, now: datetime
) -> Outcome | Attempt:
    ready = prepared(s, row, now)
    if ready is None:
        return Outcome(DispatchState.FAILED)
    devices, content, good_for = devices_of(s, ready.player), ready.push, ready.text.good_for
    is_mailed = server is not None and address_of(s, ready, server, now) is not None

    def attempt() -> Outcome:
        answers = {device.id: pusher.send(device, content, good_for, now) for device in devices} if pusher else {}
        is_taken, again = Pushed.TAKEN in answers.values(), Pushed.LATER in answers.values()
        state = DispatchState.SENT if is_taken else DispatchState.QUEUED if again else DispatchState.FAILED
        gone = [id_ for id_, answer in answers.items() if answer == Pushed.GONE]
        then = partial(_after_push, gone, now if is_mailed else None)
        return Outcome(DispatchState.QUEUED if is_mailed else state, then=then)

    return attempt


def _after_push(gone: Sequence[int], mailed: datetime | None, s: Session, row: Dispatch) -> None:
    """Forget the devices that no longer accept pushes, and queue the mail, if it is ``mailed`` from then on."""
    for device in s.exec(select(Device).where(col(Device.id).in_(gone))):
        s.delete(device)
    if mailed and row.state != DispatchState.UNSURE:
        row.kind, row.state, row.due, row.attempts = DispatchKind.NOTICE, DispatchState.QUEUED, mailed, 0
