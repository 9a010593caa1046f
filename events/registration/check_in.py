"""Checking players in, painted, paid or later, one or several at once; and undoing it or a payment."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from events.registration import payments
from events.registration.actions import first_round
from events.registration.places import next_round
from events.store.act import Act
from events.store.editions import system_of
from events.store.errors import Refused
from events.store.journal import entries_of, note, note_players, said_of
from events.store.players import players_by_id
from events.store.undo import put_back
from events.store.visitor import Right
from events.visitors import access
from languages.message import message
from languages.words import gettext
from models.event import Event, EventState
from models.journal import JournalEntry
from models.play import Player, PlayerState


def set_window(act: Act, starts: datetime | None, ends: datetime | None) -> None:
    """Set when players may check in themselves; without a start only staff can check in. Raises Refused."""
    if ends is not None and (starts is None or ends <= starts):
        raise Refused(gettext("The end must come after the start."), "ends")
    if (act.event.check_in_from, act.event.check_in_until) != (starts, ends):
        act.event.check_in_from, act.event.check_in_until = starts, ends
        may, may_not = message("Players may check themselves in"), message("Players may not check themselves in")
        note(act, "check-in-window", may if starts else may_not)


def check_in(act: Act, player: Player) -> None:
    """Check a registered player in; does nothing if the player is checked in. Raises Refused."""
    if player.state == PlayerState.CHECKED_IN:
        return
    arrive(act.event, player, next_round(act.event))
    note_checked_in(act, [player])


def arrive(event: Event, player: Player, coming: int) -> None:
    """Set a registered player to checked in; ``coming`` is the first undrawn round. Raises Refused."""
    if player.state != PlayerState.REGISTERED:
        raise Refused(gettext("%(player)s has no place: give the player a place first.", player=player.name))
    if paint_first(event, player):
        words = system_of(event).words
        raise Refused(
            gettext(
                "This event takes only fully painted %(forces)s: check the %(force)s of %(player)s first.",
                forces=words.forces,
                force=words.force,
                player=player.name,
            )
        )
    player.state = PlayerState.CHECKED_IN
    player.entered_round = max(player.entered_round, coming)


def paint_first(event: Event, player: Player) -> bool:
    """*.event.painted: whether staff must check this player's painting before check-in."""
    return event.restrictions.painted and not player.painted


def check_in_painted(act: Act, player: Player) -> None:
    """Mark the player's force as fully painted, and check the player in. Raises Refused."""
    if not player.painted:
        player.painted = True
        note_painted(act, [player])
    check_in(act, player)


def mark_painted(act: Act, chosen: Iterable[Player]) -> list[Player]:
    """Mark the players' forces as fully painted. Returns those that were not. Raises Refused."""
    if act.event.state == EventState.FINISHED:
        raise Refused(gettext("The standings are final. Open the event again at the desk to change this."))
    done = [player for player in chosen if not player.painted]
    for player in done:
        player.painted = True
    note_painted(act, done)
    return done


def note_painted(act: Act, players: Sequence[Player]) -> None:
    words = system_of(act.event).checks.words
    note_players(
        act, players, "painted",
        "The %(force)s of %(names)s is fully painted", "%(num)s %(force)s are fully painted: %(names)s",
        force=message(words.force if len(players) == 1 else words.forces),
    )  # fmt: skip


def note_checked_in(act: Act, players: Sequence[Player]) -> None:
    """Note that these players are checked in, and from when late ones play."""
    player = players[0] if players else None
    if player is None or player.state != PlayerState.CHECKED_IN or player.entered_round == 1:
        note_players(act, players, "check-in", "Checked in %(names)s", "Checked in %(num)s players: %(names)s")
        return
    when = first_round(act.event, player.entered_round)
    note_players(
        act, players, "check-in",
        "Checked in %(names)s; plays %(when)s", "Checked in %(num)s players: %(names)s; they play %(when)s", when=when,
    )  # fmt: skip


def undo_check_in(act: Act, player: Player) -> None:
    """Undo a check-in, until round 1 is drawn. Raises Refused."""
    if player.state == PlayerState.CHECKED_IN:
        check_undrawn(act, player)
        player.state = PlayerState.REGISTERED
        note(act, "undo-check-in", message("Undid the check-in of %(name)s", name=player.name), player=player.id)


def check_undrawn(act: Act, player: Player) -> None:
    """Raise Refused if it is too late to undo the check-in of a player."""
    if next_round(act.event) > 1:
        raise Refused(gettext("Round 1 is drawn: drop %(player)s instead.", player=player.name))


def check_in_self(act: Act, player: Player) -> None:
    """Check in a player at the player's own request. Raises Refused."""
    if player.state == PlayerState.CHECKED_IN:
        return
    if not access.self_check_in(act.event, act.now):
        raise Refused(gettext("Check-in on your phone is closed. Tell the desk that you are here."))
    check_in(act, player)


def check_in_many(act: Act, chosen: Sequence[Player]) -> tuple[list[Player], list[str]]:
    """Check in players where possible. Returns them, and for each of the others a sentence why not."""
    coming = next_round(act.event)
    done, refused = [], []
    for player in chosen:
        if player.state == PlayerState.CHECKED_IN:
            continue
        try:
            arrive(act.event, player, coming)
        except Refused as why:
            refused.append(why.message)
        else:
            done.append(player)
    note_checked_in(act, done)
    return done, refused


def check_in_paid(act: Act, player: Player) -> None:
    """Mark a player as paid and check the player in. Raises Refused; then neither is stored."""
    payments.mark_paid(act, [player])
    check_in(act, player)


PRESSES = {"check-in": Right.CHECK_IN, **dict.fromkeys(payments.VERBS, Right.SEE_MONEY)}
"""The verbs of what one press undoes, and the right that the step asked for, unless its entry says another."""


def newest_undoable(s: Session, event: Event) -> JournalEntry | None:
    """The newest journal entry of a press; None if there is none."""
    query = select(JournalEntry).where(JournalEntry.event_id == event.id, col(JournalEntry.verb).in_(PRESSES))
    return s.exec(query.order_by(col(JournalEntry.id).desc()).limit(1)).first()


def undoable_entry(s: Session, event: Event, entry_id: int) -> JournalEntry | None:
    """This event's journal entry with that id, if one press can undo its write; None if it was imported."""
    entry = s.get(JournalEntry, entry_id)
    if entry is None or entry.event_id != event.id or not entry.change_set_id:
        return None
    return entry if {each.verb for each in _of_write(s, entry)} <= PRESSES.keys() | {"painted"} else None


def _of_write(s: Session, entry: JournalEntry) -> Sequence[JournalEntry]:
    return entries_of(s, [entry.change_set_id or 0]).get(entry.change_set_id or 0, [])


def rights_asked(s: Session, entry: JournalEntry) -> set[Right]:
    """The rights that the step of this entry asked for: those of all entries of its write that one press undoes."""
    return {
        Right(each.details.get("right", PRESSES[each.verb])) for each in _of_write(s, entry) if each.verb in PRESSES
    }


def undo_entry(act: Act, entry: JournalEntry) -> None:
    """Undo the write of a journal entry, for all of its players. Raises Refused."""
    undone, people = _of_write(act.s, entry), players_by_id(act.event)
    for each in undone:
        player = people.get(each.details.get("player") or each.details["players"][0])
        if each.verb == "check-in" and player:
            check_undrawn(act, player)
    put_back(act, entry.change_set_id or 0)
    payments.check_kept(
        act.s, {id_ for each in undone for id_ in each.details.get("players") or [each.details["player"]]}
    )
    for each in undone:
        verb, said = "undo-check-in" if each.verb == "check-in" else "undo", said_of(each)
        whom = {name: each.details[name] for name in ("player", "players") if name in each.details}
        note(act, verb, message("Undid: %(step)s", step=said), of=entry.change_set_id, **whom)
