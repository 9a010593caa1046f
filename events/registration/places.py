"""Places: who of those who wait gets one. Every free place is given by ``give_places``."""

from collections.abc import Collection

from sqlmodel import Session

from events.lists.locks import give_late_time
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note_players
from events.store.notices import notify
from events.store.players import places_left, players_of, state_with_place, waiting_list
from events.store.rounds import is_unbegun, never_played, rounds_of
from languages.words import ngettext
from models.event import Event, RoundState
from models.notice import Occasion
from models.play import Player, PlayerState


def release(act: Act, chosen: Collection[Player]) -> None:
    """Take held sign-ups as ordinary ones from now on."""
    held = [player for player in chosen if player.held]
    for player in held:
        player.held = False
    note_players(act, held, "let-in", "Let in the held sign-up of %(names)s", "Let in %(num)s held sign-ups: %(names)s")


def place_for(act: Act, *, by_player: bool, held: bool = False) -> PlayerState:
    """The state of a sign-up: registered if a place is free, else waiting. Raises Refused without a waiting list.

    ``by_player``: the player signs up, so staff may have to approve. A ``held`` sign-up waits for staff.
    """
    fill_places(act)  # a newcomer does not overtake those who wait
    event = act.event
    full = places_left(event, players_of(act.s, event)) == 0
    if full and not event.waiting_list:
        raise Refused(
            ngettext(
                "%(num)s place is taken, and this event keeps no waiting list.",
                "All %(num)s places are taken, and this event keeps no waiting list.",
                event.places or 0,
            )
        )
    return PlayerState.WAITING if full or held or (by_player and event.approval) else state_with_place(event)


def fill_places(act: Act) -> list[Player]:
    """Give all free places to the first who wait. Returns the players with a new place.

    Nobody moves up by themselves once the event has begun, is cancelled or is past, or if staff approve sign-ups.
    """
    event = act.event
    if event.approval or event.cancelled_at is not None or not is_unbegun(event) or never_played(event, act.now):
        return []
    return give_places(act, players_of(act.s, act.event))[0]


def give_places(act: Act, chosen: Collection[Player]) -> tuple[list[Player], list[Player]]:
    """Give places to waiting players, first come first served. Returns those with a place and those still waiting.

    Held sign-ups are skipped until staff release them.
    """
    waiting = waiting_list(chosen)
    free = places_left(act.event, players_of(act.s, act.event))
    given, left = (waiting, []) if free is None else (waiting[:free], waiting[free:])
    for player in given:
        player.state = state_with_place(act.event)
        if player.state == PlayerState.CHECKED_IN:
            player.entered_round = max(player.entered_round, next_round(act.s, act.event))
    notify(act.s, Occasion.PLACE, "place", [player.id for player in given], act.now)
    for player in given:
        give_late_time(act, player)
    note_players(act, given, "give-place", "Gave %(names)s a place", "Gave %(num)s players a place: %(names)s")
    return given, left


def give_place(act: Act, player: Player) -> None:
    """Give this waiting player a place. Raises Refused if none is free."""
    release(act, [player])
    if give_places(act, [player])[1]:
        raise Refused(
            ngettext(
                "%(num)s place is taken: drop a player, or set more places in the settings.",
                "All %(num)s places are taken: drop a player, or set more places in the settings.",
                act.event.places or 0,
            )
        )


def next_round(s: Session, event: Event) -> int:
    """The number of the first undrawn round; 1 in a season by challenge."""
    if (event.season or {}).get("kind", "rounds") != "rounds":
        return 1
    return 1 + sum(round_.state != RoundState.PLANNED for round_ in rounds_of(s, event))
