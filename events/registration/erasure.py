"""Erasing one player's personal data: the results stay, under a neutral name, and the history says no more than they.

Whoever took no part is removed. It rewrites the event's journal, and cannot be undone.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from sqlmodel import Session, col, select

from events.accounts.own_pages import leave_page
from events.registration.join_codes import forget_mails
from events.registration.leaving import drop
from events.registration.neutral import Neutral
from events.registration.places import fill_places
from events.registration.removal import GO_WITH_PLAYER, delete_players, took_part
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from events.store.players import players_by_id
from events.tournament.pairing.levels import club_key
from events.web.parsing import first_name, name_key
from languages.message import message
from languages.words import N_, gettext
from models.base import new_secret
from models.captured import rows_naming
from models.concerning import concerning
from models.db import current_write
from models.dispatch import Dispatch, DispatchKind
from models.erasure import Erasure
from models.event import Event, EventState, RoundState
from models.join_code import CodeUse, JoinCode
from models.journal import ChangeSet, RowChange
from models.kept_answer import KeptAnswer
from models.message import Contact, Delivery
from models.play import ForceList, ForceStep, Player, PlayerState
from models.rewriting import rewrite
from models.team import Team

STAY_WITH_RESULTS = {"force_list", "list_seal", "kept_apart"}
"""Rows that removal deletes and an erasure keeps: standings and draws follow from them."""
NOT_NOW = N_("Your data cannot be erased just now: ask the organiser.")


@dataclass(frozen=True)
class Planned:
    """What an erasure would do."""

    neutral: str
    """The name that stays; "" if the whole entry goes."""
    club: str
    mates: bool
    """Whether others have the same club, so that its name stays with them."""


def planned_erasure(s: Session, event: Event, player: Player, *, by_player: bool = False) -> Planned:
    """What ``erase`` would do. Raises Refused with what has to happen first; players learn nothing of a draft."""
    takes_part = bool(took_part(s, event, [player.id]))
    if takes_part and event.state != EventState.FINISHED and player.state != PlayerState.DROPPED:
        raise Refused(
            gettext("You are still in the event. Drop out first; your results stay.")
            if by_player
            else gettext("This player is still in the event. Drop the player first; the results stay.")
        )
    drafts = [round_.number for round_ in event.schedule if round_.state == RoundState.DRAWN]
    if drafts and by_player:
        raise Refused(gettext(NOT_NOW))
    if drafts:
        raise Refused(
            gettext(
                "Round %(number)s is drawn and not published. Publish it or discard the draw first.", number=drafts[0]
            )
        )
    mates = club_key(player.club) in _clubs_of_others(s, event, player)
    return Planned(_neutral_name(event, player) if takes_part else "", player.club, mates)


def erase(act: Act, player: Player, *, by_player: bool = False) -> Planned:
    """Erase a player's personal data from the event and its journal. Raises Refused."""
    plan = planned_erasure(act.s, act.event, player, by_player=by_player)
    _erase(act, player, plan.neutral)
    return plan


def erase_again(act: Act, player: Player) -> None:
    """Repeat an erasure in a restored copy, whatever the player did at that time."""
    if act.event.state != EventState.FINISHED and player.state != PlayerState.DROPPED:
        drop(act, player)
    takes_part = took_part(act.s, act.event, [player.id])
    _erase(act, player, _neutral_name(act.event, player) if takes_part else "")


def _erase(act: Act, player: Player, stays: str) -> None:
    neutral = stays or _neutral_name(act.event, player)
    words = _neutral(act.s, act.event, player, neutral)
    alone = _messages_to(act.s, player)
    _delete_answers(act, player, words)
    leave_page(act.s, player)
    _rename_codes(act, player, words, neutral)
    if stays:
        _empty(act.s, player)
    else:
        delete_players(act.s, [player])
    row = Erasure(event_id=act.event.id, player_id=player.id, at=act.now)
    act.s.add(row)
    note(act, "erase", message("Erased the personal data of %(name)s", name=neutral), player=player.id)
    if not stays and act.event.state != EventState.FINISHED:
        fill_places(act)
    current_write(act.s).erases = True
    current_write(act.s).at_the_end.append(partial(_rewrite, act.s, act.event, row, words, alone))


def _rename_codes(act: Act, player: Player, words: Neutral, neutral: str) -> None:
    """Take the person out of the labels of join codes, also of an invitation that was not used."""
    used = act.s.exec(select(CodeUse.join_code_id).where(CodeUse.player_id == player.id)).first()
    keys = {name_key(word) for word in words.words}
    for code in act.s.exec(select(JoinCode).where(JoinCode.event_id == act.event.id)).all():
        if name_key(code.label) in keys or (code.id == used and code.uses == 1):
            code.label = neutral
            forget_mails(act.s, code)
        elif code.label != (label := words.text(code.label)):
            code.label = label[:80]


def _neutral_name(event: Event, player: Player) -> str:
    """A name that no other entry has: the number is the row's, which no later entry gets."""
    taken = {other.name_key for other in players_by_id(event).values() if other.id != player.id}
    name = f"Former player {player.id}"
    while name_key(name) in taken:
        name += "*"
    return name


def _clubs_of_others(s: Session, event: Event, player: Player) -> set[str]:
    others = [other.club for other in players_by_id(event).values() if other.id != player.id]
    teams = s.exec(select(Team.club).where(Team.event_id == event.id)).all()
    return {club_key(club) for club in (*others, *teams)} - {""}


def _neutral(s: Session, event: Event, player: Player, neutral: str) -> Neutral:
    """What replaces all names, clubs and addresses that the player ever had in this event."""
    versions = [{"name": player.name, "partner": player.partner, "club": player.club}]
    history = select(RowChange).join(ChangeSet).where(ChangeSet.event_id == event.id)
    for change in s.exec(history.where(RowChange.table_name == "player", RowChange.row_id == player.id)):
        versions += [change.before, change.after]
    partners, entries, clubs = (
        {entry[what] for entry in versions if entry.get(what)} for what in ("partner", "name", "club")
    )
    names = {*entries, *partners, *(first_name(entry, partner) for entry in entries for partner in partners)}
    words = dict.fromkeys(names, neutral)
    mails = s.exec(select(Contact.mail).where(Contact.player_id == player.id, Contact.mail != "")).all()
    words |= dict.fromkeys(mails, "(a mail address)")
    shared, club = _clubs_of_others(s, event, player), f"Club of {neutral}"
    words |= {text: club for text in clubs if club_key(text) not in shared}
    everybody = [other.name for other in players_by_id(event).values() if other.id != player.id]
    others = {name for name in everybody if any(word in name for word in words)} - words.keys()
    full = {name for name in names if " " in name and club_key(name) not in shared}
    clubs_in_draws = {club_key(text): club for text in clubs}
    return Neutral({player.id: neutral}, words, clubs_in_draws, frozenset(others), frozenset(full))


def _delete_answers(act: Act, player: Player, words: Neutral) -> None:
    """Delete kept answers that name the player, and requests for the link."""
    for answer in act.s.exec(select(KeptAnswer).where(KeptAnswer.event_id == act.event.id)):
        if words.text(answer.said) != answer.said or answer.player_id == player.id:
            act.s.delete(answer)
    of_event = Dispatch.event_id == act.event.id
    for request in act.s.exec(select(Dispatch).where(of_event, Dispatch.kind == DispatchKind.LINKS)):
        if request.mail in words.words:
            act.s.delete(request)


def _empty(s: Session, player: Player) -> None:
    """Delete what belongs to the player alone, and end every way in."""
    for row in rows_naming(s, "player", [player.id], GO_WITH_PLAYER - STAY_WITH_RESULTS):
        s.delete(row)
    lists = s.exec(select(ForceList).where(ForceList.player_id == player.id)).all()
    for force_list in lists:
        force_list.share_token = force_list.sent_back_note = None
    for step in s.exec(select(ForceStep).where(col(ForceStep.force_list_id).in_([own_list.id for own_list in lists]))):
        s.delete(step)
    player.answers, player.signed_up_from = None, ""
    player.secret, player.session_key = new_secret(), new_secret()


def _messages_to(s: Session, player: Player) -> set[int]:
    """The messages that went to this player and nobody else."""
    theirs = s.exec(select(Delivery.message_id).where(Delivery.player_id == player.id)).all()
    others = select(Delivery.message_id).where(col(Delivery.message_id).in_(theirs), Delivery.player_id != player.id)
    return {*theirs} - {*s.exec(others).all()}


def _rewrite(s: Session, event: Event, row: Erasure, words: Neutral, messages: Collection[int]) -> None:
    """Rewrite the rows and the journal, which now has this write too."""
    connection = s.connection()
    row.open_as = -row.id
    s.flush()  # the database now lets the journal be rewritten
    rows = concerning(connection, event.id, row.player_id, messages)
    rewrite(connection, event.id, words, rows)
    s.expire_all()
    row.open_as = None
    s.flush()  # nothing is flushed after this
