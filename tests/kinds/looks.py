"""The addresses of an event, and who opens them."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from flask import Flask

from events.desk.readiness import KINDS as GROUPS
from events.public.projector import VIEWS
from events.setup.said import SECTIONS
from models.event import RoundState
from models.journal import ChangeSet
from tests.kinds.world import ACCOUNTS, PEOPLE, Fault, World

OF_THE_CLUB = ("/", "/desk", "/events.atom", "/g/<code>")
"""Addresses that show an event without naming it."""
VARIABLE = re.compile(r"<(?:[^<>:]+:)?(\w+)>")
PAPERS = (".pdf", ".zip", ".jpg", ".xlsx")
"""The endings of addresses whose answer takes as long as many pages."""


def addresses_of(app: Flask) -> list[str]:
    """The patterns of the addresses of an event, with those of the interface."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    return sorted({rule.rule for rule in rules if "slug" in rule.arguments or rule.rule in OF_THE_CLUB} - SERIES)


SERIES = {"/series/<slug>", "/series/<slug>/points.csv", "/series/<slug>/statistics", "/api/v1/series/<slug>",
          "/series/<slug>/statistics/<game:system_id>", "/desk/copy/<slug>",
          "/c/<slug>", "/c/<slug>/hall", "/c/<slug>/hall/version"}  # fmt: skip
"""Of a series or a convention, whose short name is no event's."""


def is_paper(pattern: str) -> bool:
    return pattern.endswith(PAPERS)


def filled(world: World, pattern: str, *, all_values: bool) -> Iterator[str]:
    """The addresses of a pattern for rows of this event; the first of each, or several."""
    names = VARIABLE.findall(pattern)
    values = [list(dict.fromkeys(_values(world, name))) for name in names]
    for chosen in product(*(some if all_values else some[:1] for some in values)):
        address = pattern
        for value in chosen:
            address = VARIABLE.sub(str(value), address, count=1)
        yield address


def _values(world: World, name: str) -> Sequence[Any]:
    if name == "slug":
        return [world.event.slug]
    if name == "number" or name == "round_number":
        drawn = [row.number for row in world.rounds() if row.state != RoundState.PLANNED]
        return [*drawn[::-1], 1][:3]
    if name == "player_id":
        return [world.hero.id, *(player.id for player in world.players())][:3] if world.players() else [1]
    if name == "game_id":
        games = [game.id for row in world.published() for game in world.games(row)]
        return [world.game.id, games[0], *drafted_games(world)[:1]] if games else [*drafted_games(world)[:1], 1]
    if name == "code":
        return [world.game.code] if any(world.games(row) for row in world.published()) else ["ABCDEFGH"]
    if name == "team_id":
        return [world.team.id] if world.hero.team_id else [1]
    if name == "change_set_id":
        return [row.id for row in world.desk.all(ChangeSet, event_id=world.event_id)][-1:]
    if name == "scenario_id":
        return [next((row.scenario for row in world.rounds() if row.scenario), "hold-the-line")]
    return {"view": [*VIEWS], "section": [*SECTIONS], "key": [*GROUPS], "format_id": ["txt"]}.get(name, [1])


def drafted_games(world: World) -> list[int]:
    return [game.id for row in world.rounds(RoundState.DRAWN) for game in world.games(row)]


def readers_of(pattern: str) -> Sequence[str]:
    """Who opens an address: staff the desk's pages; everybody the others."""
    return PEOPLE[2:] if "/desk" in pattern else PEOPLE


def look(world: World, pattern: str, readers: Sequence[str] = PEOPLE, *, all_values: bool = False) -> None:
    """Open an address as each of these people. Raises Fault for an error, and where anybody reads of a draft."""
    codes = [code.encode() for code in world.draft_codes()]
    for address in filled(world, pattern, all_values=all_values):
        for name in readers:
            answer = world.person(name).http.get(address, buffered=True)
            if answer.status_code >= 500:
                raise Fault(f"{name} at {address}: {answer.status_code}")
            if name not in ACCOUNTS and any(code in answer.data for code in codes):
                raise Fault(f"{name} at {address} reads the code of a sheet of a draft")
