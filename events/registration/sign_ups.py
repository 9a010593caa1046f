"""Public sign-ups: counted by address and browser, held beyond a limit, and let in by staff."""

from collections.abc import Sequence
from dataclasses import dataclass

from events.accounts import limits
from events.accounts.limits import KEPT, SIGN_UPS, SIGN_UPS_AT_ONCE, SIGN_UPS_BY_BROWSER, Client
from events.registration.places import fill_places, give_places, release
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import check_not_over
from events.store.players import is_held
from languages.words import ngettext
from models.event import Event, EventState
from models.play import Player

MOST_HELD = 300
"""Held sign-ups of one event."""


@dataclass(frozen=True)
class SignUp:
    client: Client
    """Where it comes from."""
    held: bool = False
    """Whether it is beyond a limit, so that staff decide about it."""
    code: str = ""
    """The join code as typed."""
    code_of: int | None = None
    """The player whose join code counts if none is typed: the captain of the team, or who comes back."""
    by_team: bool = False
    """Whether that is the captain of the team."""


@dataclass(frozen=True)
class HeldSignUps:
    """The held sign-ups of one network address, and the others that came from it at that time."""

    held: Sequence[Player]
    """In the order of sign-up."""
    others: Sequence[Player]
    """Sign-ups within the limit, from the window of the address's limit before the first held one to the last."""


def allow_sign_up(act: Act, client: Client, browser: str, code: str = "", pressed: Player | None = None) -> SignUp:
    """Count a sign-up from this address and this browser; beyond a limit it is held.

    The browser counts once for each form: ``pressed`` is an entry that the form has already made in another event.
    Raises Refused for one more held sign-up than ``MOST_HELD``. Runs in the sign-up's own write, so a failed sign-up is
    not counted.
    """
    event, players = act.event, act.event.players
    held = sum(map(is_held, players))
    from_here = f"{event.id} {client.address}"
    counts = {SIGN_UPS_AT_ONCE: from_here, SIGN_UPS: from_here}
    if pressed is None:
        counts[SIGN_UPS_BY_BROWSER] = browser
    beyond = limits.count_attempt(act.s, counts, act.now) is not None or (pressed is not None and pressed.held)
    if beyond and held >= MOST_HELD:
        raise Refused(
            ngettext(
                "Many players signed up from your network, and %(num)s sign-up already waits for the "
                "organiser. Press Register again later, or ask the organiser to enter you at the desk.",
                "Many players signed up from your network, and %(num)s sign-ups already wait for the "
                "organiser. Press Register again later, or ask the organiser to enter you at the desk.",
                held,
            )
        )
    _clear_old_addresses(act, players)
    return SignUp(client, beyond, code)


def held_sign_ups(event: Event, players: Sequence[Player]) -> list[HeldSignUps]:
    """The held sign-ups by network address; none once the event is over."""
    held: dict[str, list[Player]] = {}
    for player in sorted(players, key=lambda row: (row.registered_at, row.id)):
        if is_held(player) and event.state != EventState.FINISHED:
            held.setdefault(player.signed_up_from, []).append(player)
    return [HeldSignUps(row, _others(players, row)) for row in held.values()]


def admit(act: Act, chosen: Sequence[Player]) -> None:
    """Make held sign-ups ordinary ones: with a place if one is free, else on the waiting list. Raises Refused."""
    check_not_over(act.event)
    held = [player for player in chosen if is_held(player)]
    release(act, held)
    fill_places(act)
    if not act.event.approval:  # once the event has begun, a newcomer gets a free place at once
        give_places(act, held)


def clear_addresses(players: Sequence[Player]) -> None:
    """Clear where these players signed up from."""
    for player in players:
        if player.signed_up_from:
            player.signed_up_from = ""


def _others(players: Sequence[Player], held: Sequence[Player]) -> list[Player]:
    since, until = held[0].registered_at - SIGN_UPS.window, held[-1].registered_at
    return [
        player
        for player in players
        if player.signed_up_from and player.signed_up_from == held[0].signed_up_from
        and since <= player.registered_at <= until and player not in held
    ]  # fmt: skip


def _clear_old_addresses(act: Act, players: Sequence[Player]) -> None:
    """Clear addresses that no limit counts any more, except those with held sign-ups."""
    kept = {sign_ups.held[0].signed_up_from for sign_ups in held_sign_ups(act.event, players)}
    old = [player for player in players if player.registered_at <= act.now - KEPT]
    clear_addresses([player for player in old if player.signed_up_from not in kept])
