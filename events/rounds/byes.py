"""Requested byes, stand-ins for an odd field, and players kept apart. Their points: ``tournament/records.py``."""

from collections.abc import Sequence

from sqlmodel import select

from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import check_not_over, note
from events.store.players import has_place, placed, player_of
from events.store.rounds import first_stage, round_of, round_views, stage_in
from languages.message import joined, message
from languages.words import N_, gettext, ngettext
from models.event import Event, EventState, KeptApart, KeptWhen, RoundState
from models.play import Player, PlayerState

MOST = 500
"""The most pairs in one event; more would be a seating plan."""


def keep_apart(act: Act, number: int, other: int, when: KeptWhen, asked_by: int | None) -> KeptApart:
    """Keep two players apart where the numbers allow it; replaces the pair's earlier entry.

    ``asked_by`` is one of the two, or None for the organiser. The journal does not record who asked. Raises Refused.
    """
    s, event = act.s, act.event
    check_not_over(event)
    first, second = (player_of(s, event, id_) for id_ in sorted((number, other)))
    if first is None or second is None or first.id == second.id:
        raise Refused(gettext("Choose two different players of this event."), "other")
    if asked_by not in (None, first.id, second.id):
        raise Refused(gettext("Choose one of these two players, or the organiser."), "asked_by")
    pairs = s.exec(select(KeptApart).where(KeptApart.event_id == event.id)).all()
    row = next((pair for pair in pairs if (pair.a_id, pair.b_id) == (first.id, second.id)), None)
    if row is None:
        if len(pairs) >= MOST:
            raise Refused(
                ngettext(
                    "%(num)s pair is kept apart already: remove a pair first.",
                    "%(num)s pairs are kept apart already: remove a pair first.",
                    MOST,
                )
            )
        row = KeptApart(a_id=first.id, b_id=second.id, when=when, asked_by=asked_by, at=act.now)
        event.kept_apart.append(row)
    elif (row.when, row.asked_by) == (when, asked_by):
        return row
    row.when, row.asked_by = when, asked_by
    s.flush()  # assigns the row's id
    first_round = N_("%(name)s and %(other)s are kept apart in round 1")
    text = first_round if when == KeptWhen.FIRST_ROUND else N_("%(name)s and %(other)s are kept apart in every round")
    note(
        act,
        "keep-apart",
        message(text, name=first.name, other=second.name),
        players=[first.id, second.id],
        when=when,
    )
    return row


def let_meet(act: Act, pair: KeptApart) -> None:
    """Remove a pair kept apart. Raises Refused."""
    check_not_over(act.event)
    names = [player.name for id_ in (pair.a_id, pair.b_id) if (player := player_of(act.s, act.event, id_))]
    act.s.delete(pair)
    note(
        act, "let-meet", message("%(names)s may meet again", names=joined(names, "and")), players=[pair.a_id, pair.b_id]
    )


def players_asking_bye(players: Sequence[Player], number: int) -> list[Player]:
    """Players with a place who requested a bye in this round, checked in or not."""
    return [player for player in placed(players) if number in (player.asked_byes or ())]


def players_to_draw(players: Sequence[Player], number: int) -> list[Player]:
    """The players to draw in this round: checked in, no stand-ins, and without a requested bye."""
    out = {player.id for player in players_asking_bye(players, number)}
    return [p for p in players if p.state == PlayerState.CHECKED_IN and not p.ringer and p.id not in out]


def stand_in(players: Sequence[Player], number: int) -> Player | None:
    """The stand-in of this round if its field is odd: the first registered of those checked in."""
    if len(players_to_draw(players, number)) % 2 == 0:
        return None
    return next((p for p in players if p.state == PlayerState.CHECKED_IN and p.ringer), None)


def ask_bye(act: Act, player: Player, number: int) -> None:
    """Record that the player misses this round, with a bye that counts by the event's rules.

    Repeating it changes nothing. Raises Refused for a published round, and for a player without a place.
    """
    asked = player.asked_byes or []
    if number in asked:
        return
    _check_round(act.event, number)
    if not has_place(player):
        raise Refused(gettext("%(name)s has no place in this event.", name=player.name), "number")
    if player.ringer:
        raise Refused(
            gettext("%(name)s is a stand-in and sits out whenever the field is even.", name=player.name), "number"
        )
    player.asked_byes = sorted([*asked, number])
    note(
        act,
        "ask-bye",
        message("%(name)s asked for a bye in round %(number)s", name=player.name, number=number),
        player=player.id,
    )


def withdraw_bye(act: Act, player: Player, number: int) -> None:
    """Withdraw the player's bye request. Raises Refused for a published round."""
    asked = player.asked_byes or []
    if number not in asked:
        return
    _check_round(act.event, number)
    player.asked_byes = [round_number for round_number in asked if round_number != number]
    note(
        act,
        "withdraw-bye",
        message("%(name)s plays round %(number)s after all", name=player.name, number=number),
        player=player.id,
    )


def set_ringer(act: Act, player: Player, *, ringer: bool = True) -> None:
    """Make a player a stand-in, or a normal player. Raises Refused if the player has been drawn or has played."""
    if player.ringer == ringer:
        return
    check_not_over(act.event)
    if any(player.id in (g.a_id, g.b_id) for view in round_views(act.event) for g in view.games):
        raise Refused(
            gettext(
                "%(name)s was drawn into a round already: enter a stand-in as a player of their own.", name=player.name
            )
        )
    player.ringer = ringer
    if ringer:
        player.asked_byes = None
    text = N_("%(name)s is a stand-in") if ringer else N_("%(name)s is a regular player")
    note(act, "ringer", message(text, name=player.name), player=player.id)


def _check_round(event: Event, number: int) -> None:
    the_round = round_of(event, number)
    if the_round is None:
        raise Refused(gettext("This event has no round %(number)s.", number=number), "number")
    if event.state == EventState.FINISHED:
        raise Refused(gettext("This event is over."), "number")
    if the_round.state == RoundState.PUBLISHED:
        raise Refused(
            gettext("Round %(number)s is published already: mark a no-show at the game.", number=number), "number"
        )
    if the_round.bracket or first_stage(event).one_wins:
        raise Refused(gettext("In a knockout a player who does not come is out: mark it at the game."), "number")
    if not stage_in(event, the_round.kind).stands_in:
        raise Refused(gettext("In a team event the captain leaves a board empty."), "number")
