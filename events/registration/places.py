"""Places: who of those who wait gets one. Every free place is given by ``give_places``."""

from collections.abc import Collection

from events.lists.locks import give_late_time
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note_players
from events.store.notices import notify
from events.store.players import gets_place, placed, places_taken, state_with_place, waiting_list
from events.store.rounds import is_unbegun, never_played
from languages.words import gettext
from models.dispatch import Occasion
from models.event import Event, RoundState
from models.play import Player, PlayerState


def release(act: Act, chosen: Collection[Player]) -> None:
    """Take held sign-ups as ordinary ones from now on."""
    held = [player for player in chosen if player.held]
    for player in held:
        player.held = False
    note_players(act, held, "let-in", "Let in the held sign-up of %(names)s", "Let in %(num)s held sign-ups: %(names)s")


LEAST_WAITING = 20
"""The least length of a waiting list; otherwise it is as long as the event has places."""


def place_for(act: Act, team_id: int | None, *, by_player: bool, held: bool = False) -> PlayerState:
    """The state of a sign-up: registered if it gets a place, else waiting. Raises Refused without a waiting list.

    ``team_id`` as for ``gets_place``. ``by_player``: the player signs up, so staff may have to approve. A ``held``
    sign-up waits for staff.
    """
    _, ahead = fill_places(act)  # a newcomer does not overtake those who wait
    event, players = act.event, act.event.players
    full = not gets_place(event, players, team_id, others_wait=bool(ahead))
    if full and by_player and len(waiting_list(players)) >= max(LEAST_WAITING, event.places or 0):
        raise Refused(gettext("The waiting list is full. Ask the organiser whether more places are planned."))
    if full and not event.waiting_list:
        raise Refused(gettext("Too few places are free, and this event keeps no waiting list."))
    return PlayerState.WAITING if full or held or (by_player and event.approval) else state_with_place(event)


def fill_places(act: Act) -> tuple[list[Player], list[Player]]:
    """Give all free places to the first who wait. Returns the players with a new place, and those still waiting.

    Nobody moves up by themselves once the event has begun, is cancelled or is past, or if staff approve sign-ups.
    """
    event = act.event
    if event.approval or event.cancelled_at is not None or not is_unbegun(event) or never_played(event, act.now):
        return [], []
    return give_places(act, act.event.players)


def settle_teams(act: Act, before: int) -> None:
    """After players changed teams, refuse what needs more places than there are, and give places that became free.

    ``before``: the places that were taken. Players may change while they fill the event themselves. Raises Refused.
    """
    players, most = act.event.players, act.event.places
    has_room = most is not None and len(placed(players)) < most
    if has_room and places_taken(act.event, players) > max(before, most or 0):
        raise Refused(
            gettext("Too few places are free: a team takes one for each of its players. The organiser can set more.")
        )
    fill_places(act)


def give_places(act: Act, chosen: Collection[Player]) -> tuple[list[Player], list[Player]]:
    """Give places to waiting players, first come first served. Returns those with a place and those still waiting.

    Held sign-ups are skipped until staff release them.
    """
    given, left, players = list[Player](), list[Player](), act.event.players
    for player in waiting_list(chosen):
        if not gets_place(act.event, players, player.team_id, others_wait=bool(left)):
            left.append(player)
            continue
        given.append(player)
        player.state = state_with_place(act.event)
        if player.state == PlayerState.CHECKED_IN:
            player.entered_round = max(player.entered_round, next_round(act.event))
    notify(act.s, Occasion.PLACE, "place", [player.id for player in given], act.now)
    for player in given:
        give_late_time(act, player)
    note_players(act, given, "give-place", "Gave %(names)s a place", "Gave %(num)s players a place: %(names)s")
    return given, left


def give_place(act: Act, player: Player) -> None:
    """Give this waiting player a place. Raises Refused if none is free."""
    release(act, [player])
    if give_places(act, [player])[1]:
        raise Refused(gettext("Too few places are free: drop a player, or set more places in the settings."))


def next_round(event: Event) -> int:
    """The number of the first undrawn round; 1 in a season by challenge."""
    if event.by_challenge:
        return 1
    return 1 + sum(round_.state != RoundState.PLANNED for round_ in event.schedule)
