"""Bounds on sign-ups from the public form, so that nobody fills an event with made-up players."""

from datetime import datetime

from sqlmodel import Session

from events.actions import tries
from events.actions.tries import SIGN_UPS, SIGN_UPS_BY_BROWSER, TooMany
from events.errors import Refused
from events.reading import places_left, players_of
from models.event import Event
from models.play import PlayerState

LEAST_WAITING = 20
"""A waiting list takes as many players as the event has places, and never fewer than this."""


def allow_sign_up(s: Session, event: Event, address: str, browser: str, now: datetime) -> None:
    """Count a sign-up from this address and this browser. Raises TooMany, and Refused where the waiting list is full.

    Part of the sign-up's own write: a sign-up that fails is not counted.
    """
    players = players_of(s, event)
    waiting = sum(player.state == PlayerState.WAITING for player in players)
    if places_left(event, players) == 0 and waiting >= max(LEAST_WAITING, event.places or 0):
        raise Refused(
            f"All {event.places} places are taken, and the waiting list is full: {waiting} players are on it. "
            "Ask the organiser whether more places are planned."
        )
    reached = tries.count(s, {SIGN_UPS_BY_BROWSER: browser, SIGN_UPS: f"{event.id} {address}"}, now)
    if reached is None:
        return
    minutes = int(reached.window.total_seconds()) // 60
    many = f"{reached.most} players were registered from this"
    where = "phone or computer" if reached == SIGN_UPS_BY_BROWSER else "network"
    raise TooMany(
        f"{many} {where} in the last {minutes} minutes. Wait {minutes} minutes and press Register again, or ask the "
        "organiser to enter you at the desk."
    )
