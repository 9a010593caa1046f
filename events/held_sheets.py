"""What a browser's cookie says of the paper sheets whose codes were opened with it: each a door to one game's form.

The cookie is signed. An entry names the game, its code and when it was opened: it ends after a day, and as soon as the
game has another code. It signs nobody in.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from models.play import Game

COOKIE = "sheets"
LASTS = timedelta(days=1)
"""So long a phone may report from a sheet without its code being opened again."""
MOST = 12
"""Sheets of one browser; of more the one that was opened the longest ago is forgotten."""


def with_sheet(cookie: Mapping[str, Any], game: Game, now: datetime) -> dict[str, list[str | int]]:
    """What ``COOKIE`` holds once this game's sheet was opened."""
    others = [(id_, one) for id_, one in _held(cookie, now).items() if id_ != str(game.id)]
    others.sort(key=lambda held: int(held[1][1]))  # a cookie keeps no order of its own
    return dict([*others[1 - MOST :], (str(game.id), [game.code, int(now.timestamp())])])


def code_held(cookie: Mapping[str, Any], game_id: int, now: datetime) -> str:
    """The code with which this game's sheet was opened; "" where it was not, or too long ago."""
    return str(_held(cookie, now).get(str(game_id), [""])[0])


def _held(cookie: Mapping[str, Any], now: datetime) -> dict[str, list[Any]]:
    after = (now - LASTS).timestamp()
    return {id_: one for id_, one in cookie.get(COOKIE, {}).items() if one[1] > after}
