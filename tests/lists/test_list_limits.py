"""Limits on a stored list: one player's file or form cannot occupy the service, in any of the games."""

import json
import string
from random import Random
from typing import Any

import pytest

from events.web.http import is_expensive
from models.play import ForceList
from tests.kit.lists import EVERY_GAME, Enter, event_of_game
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import GameSystem, Terms
from validators.names import MOST_SEARCHED, nearest

GAMES = list(SYSTEMS.values())
DICE = Random(17)
SPECIAL = ("strength", "perception", "endurance", "charisma", "intelligence", "agility", "luck")


def noise(length: int = 70) -> str:
    """A name that is in no edition."""
    return "".join(DICE.choices(string.ascii_lowercase, k=length))


def named(count: int, length: int = 70) -> list[dict[str, str]]:
    """Unknown things."""
    return [{"name": noise(length)} for _ in range(count)]


def unknown_parts(game: str, parts: int, each: int, length: int) -> dict[str, Any]:
    """A force of models or squads (``parts``), each with things (``each``), whose names are all unknown."""
    names = [[noise(length) for _ in range(each)] for _ in range(parts)]
    things = [[{"name": name} for name in own] for own in names]
    match game:
        case "battle_mode":
            models = [{"name": noise(length), "items": own} for own in things]
            return {"models": models}
        case "fallout_skirmish":
            models = [{"rank": noise(length), "items": own} for own in things]
            return {"models": models}
        case "fallout_warfare":
            return {"squads": [{"models": [{"name": noise(length), "items": own}]} for own in names]}
        case "new_vegas":
            special = dict.fromkeys(SPECIAL, 1)
            line = [{"name": noise(length), "special": special, "weapons": own} for own in names]
            return {"squads": [{"name": noise(length), "class": noise(length), "models": [one]} for one in line]}
    scores = dict.fromkeys(("STR", "PE", "EN", "CH", "IN", "AG", "LK"), 1)
    return {"models": [{"special": scores, "items": own} for own in things]}


def force_file(game: GameSystem, content: dict[str, Any]) -> tuple[str, bytes]:
    """A force file with this content, for the first faction."""
    edition = game.editions[0]
    head = {"system": game.id, "edition": edition.id, "faction": edition.factions[0]}
    return "force.json", json.dumps(head | content).encode()


TOO_LARGE: list[tuple[str, dict[str, Any]]] = [
    ("battle_mode", {"models": [{"name": noise(), "items": named(1)} for _ in range(300)]}),
    ("fallout_skirmish", {"models": [
        {"rank": noise(), "called": noise(), "perks": [noise() for _ in range(20)], "items": named(20)}
        for _ in range(100)
    ]}),
    ("fallout_warfare", unknown_parts("fallout_warfare", 100, 20, 70)),
    ("new_vegas", unknown_parts("new_vegas", 60, 12, 70)),
    ("skill_combat", unknown_parts("skill_combat", 20, 60, 70)),
    # Small files whose copied models would be stored one by one:
    ("battle_mode", {"models": [{"name": "Settler", "perks": [noise() for _ in range(50)], "count": 99}]}),
    ("fallout_skirmish", {"models": [{"rank": "Raider", "perks": [noise() for _ in range(50)], "count": 99}]}),
]  # fmt: skip


@pytest.mark.proves("attack 59")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_list_too_large_to_store_is_refused_at_upload(enter: Enter, stage: Stage, game: GameSystem) -> None:
    (ada,) = enter(event_of_game(stage, game), "Ada")
    for content in (content for id_, content in TOO_LARGE if id_ == game.id):
        ada.open(f"{EVERY_GAME}/me/force")
        page = ada.press("Read the list", file=force_file(game, content))
        assert (page.status, "This list is too large:" in page.text) == (422, True)
        text = force_file(game, content)[1].decode()
        if len(text) < 100_000:
            page = ada.press("Read the list", text=text)
            assert (page.status, "This list is too large:" in page.text) == (422, True)
            assert page.part("textarea[name=text]").strip() == text, "the pasted text is kept"
    assert stage.all(ForceList) == []


ALLOWED = {
    "battle_mode": (140, 3, 9),
    "fallout_skirmish": (200, 2, 9),
    "fallout_warfare": (100, 4, 9),
    "new_vegas": (48, 10, 9),
    "skill_combat": (20, 28, 9),
}
"""About as many unknown names as a list of each game may hold: parts, things in each, letters in a name."""


@pytest.mark.proves("attack 59")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_largest_allowed_list_is_shown_with_few_searches_and_findings(
    enter: Enter, stage: Stage, game: GameSystem
) -> None:
    (ada,) = enter(event_of_game(stage, game), "Ada")
    ada.open(f"{EVERY_GAME}/me/force")
    searched = nearest.cache_info().misses
    ada.press("Read the list", file=force_file(game, unknown_parts(game.id, *ALLOWED[game.id])))
    document = stage.one(ForceList).document
    page = ada.open(f"{EVERY_GAME}/me/force")
    assert page.status == 200
    assert nearest.cache_info().misses - searched <= 8 * MOST_SEARCHED
    verdict = game.checks.check(document, Terms(game.editions[0], game.default_size))
    found = len(verdict.problems) + len(verdict.queries)
    assert 400 < found < 1000
    shown = page.soup.select("#verdict .problem-list > li")
    assert (len(shown), shown[-1].text) == (51, f"and {found - 50} more")
    assert game.forces.fixes(document, Terms(game.editions[0], game.default_size)) == ()


@pytest.mark.proves("attack 59")
def test_builder_form_past_the_limit_is_refused(enter: Enter, stage: Stage) -> None:
    game = SYSTEMS["fallout_skirmish"]
    (ada,) = enter(event_of_game(stage, game), "Ada")
    ada.open(f"{EVERY_GAME}/me/force")
    ada.press("Read the list", file=force_file(game, {"models": [{"rank": "Raider"}] * 200}))
    before = stage.one(ForceList).document
    fields = {str(one["name"]): str(one.get("value", "")) for one in ada.page.soup.select("#builder input[name]")}
    answer = ada.ask("POST", f"{EVERY_GAME}/me/force", data=fields | {"do": "duplicate-model:0"})
    assert answer.status_code == 422
    assert "This list is too large: models: holds more than 200 entries" in answer.text
    assert stage.one(ForceList).document == before
    assert is_expensive("lists.mine", "/e/<slug>/me/force", "GET")
