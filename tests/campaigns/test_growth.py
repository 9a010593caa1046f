"""Pages, cards, sheets and roles show a campaign's groups as they are now, not the lists at the start."""

from pathlib import Path
from typing import Any

import pytest

from events.campaigns import actions as campaigns
from events.play.campaign import terms_of_battle
from events.play.queries import verdict_of
from models.play import Player
from tests.campaigns.earning import campaign_of, earning, history, take
from tests.campaigns.test_book import LONG, words
from tests.kit.people import Links, browser
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators.fallout_warfare.campaign.state import document_of
from validators.scenario import Role

__all__ = ["earning"]
AT = "/e/iron-open"


def winner_with_open_steps(stage: Stage) -> Player:
    """The winner of the first game of a small campaign, with its steps begun."""
    event = stage.event()
    (game,) = campaign_of(stage, event, LONG, "Bo")
    stage.decide(event, game, 3, 1)
    winner = stage.one(Player, id=game.a_id)
    stage.do(event, campaigns.begin_steps, winner)
    return winner


@pytest.mark.usefixtures("earning")
def test_pages_show_the_group_as_it_is_now(stage: Stage, visitor: Person, app: Any, link_of: Links) -> None:
    winner = winner_with_open_steps(stage)
    page = browser(app, link_of, winner).page
    assert "Rating 15 · 1–0–0" in page.part("#group")
    assert "Your list counts once" not in page.text
    page = visitor.open(f"{AT}/players/{winner.id}")
    assert page.part("#force h2") == "List at the start"
    assert page.soup.select(f"#force a[href='{AT}/campaign/groups/{winner.id}']")


@pytest.mark.usefixtures("earning")
def test_papers_print_the_group_as_it_is_now(stage: Stage, olga: Person, tmp_path: Path) -> None:
    winner = winner_with_open_steps(stage)
    for address, parts in (
        (f"players/{winner.id}/force.pdf", ("Old Longfellow", "Knife", "rating", "15", "Legal by its history")),
        (f"players/{winner.id}/force.pdf?copy=sheets", ("Roster", "Characters", "rating 15")),
        ("desk/forces.pdf?copy=judge", ("Piper", "rating", "15")),
        ("desk/forces.pdf?copy=sheets", ("Roster", "rating 15")),
        ("rounds/1/scoresheets.pdf", ("rating 15", "rating 10")),
    ):
        said = " ".join(words(olga.ask("GET", f"{AT}/{address}").data, tmp_path / "paper.pdf").split())
        for part in parts:
            assert (part in said) is (part != "Old Longfellow"), (address, part)


@pytest.mark.usefixtures("earning")
def test_pages_of_a_season_have_its_last_day_and_no_tables(
    stage: Stage, olga: Person, visitor: Person, tmp_path: Path
) -> None:
    event = stage.event(rounds=3)
    campaign_of(stage, event, "Ada", "Bo", "Cy")
    assert "to Friday 25 December 2026" in visitor.open(AT).text
    said = words(olga.ask("GET", f"{AT}/rounds/1/scoresheets.pdf").data, tmp_path / "sheets.pdf")
    assert "Table 1" not in " ".join(said.split())


def test_army_of_a_role_is_chosen_from_the_muster(stage: Stage, app: Any, link_of: Links) -> None:
    event = stage.event(game="fallout_warfare", size=500, scenarios=("convoy",) * 3)
    (game,) = campaign_of(stage, event, "Ada", "Bo")
    raiders = stage.one(Player, id=game.b_id if game.a_first else game.a_id)
    person = browser(app, link_of, raiders)
    page = person.open(f"{AT}/me/fielded")
    assert not page.soup.select("input[name=places]"), "nobody has mustered yet"
    assert "no muster to choose from. Take the steps of the group first." in page.text
    take(stage, event, raiders, "muster")
    page = person.open(f"{AT}/me/fielded")
    group = history(stage, event).world.groups[raiders.id]
    mustered = document_of(group, only_fielded=True)
    lines = sum(len(squad["models"]) for squad in mustered["squads"]) + len(mustered["vehicles"])
    places = [str(one["value"]) for one in page.soup.select("input[name=places]")]
    assert 0 < len(places) <= lines
    assert "200 points of the muster" in page.part("main header")
    page = person.press("Field these models", places=places)
    assert page.status == 200, page.text
    assert not page.soup.select("main [data-clock], [name=do][value=start]"), "a round of days has no clock"
    take(stage, event, stage.one(Player, id=game.a_id if raiders.id == game.b_id else game.b_id), "muster")
    page = person.press("Field these models", places=places)
    assert not page.soup.select("main [data-clock], [name=do][value=start]"), "nor once both can choose"
    assert stage.now(game).choosing_since is None


@pytest.mark.parametrize(("limits", "broken"), [("tournament", set()), ("all", {"fw.leader"})])
def test_army_of_a_role_keeps_the_limits_of_the_campaign(stage: Stage, limits: str, broken: set[str]) -> None:
    event = stage.event(game="fallout_warfare", size=500, scenarios=("convoy",) * 3)
    (game,) = campaign_of(stage, event, "Ada", "Bo", settings={"limits": limits})
    ada = stage.one(Player, id=game.a_id)
    take(stage, event, ada, "muster")
    document = document_of(history(stage, event).world.groups[ada.id], only_fielded=True)
    first = document["squads"][0]
    left = {**first, "models": [one for one in first["models"] if one["rank"] != "squadleader"]}
    assert len(left["models"]) < len(first["models"]), "its leader died"
    terms = terms_of_battle(stage.s, stage.now(event)).in_role(Role("Raiders", 200, ""))
    verdict = verdict_of(event, {**document, "squads": [left], "vehicles": [], "mines": 0}, terms)
    assert {one.rule for one in verdict.problems} == broken


def test_warfare_group_has_the_card_and_sheets_of_its_army(stage: Stage, olga: Person, tmp_path: Path) -> None:
    event = stage.event(game="fallout_warfare", size=500)
    (game,) = campaign_of(stage, event, "Ada", "Bo")
    address = f"{AT}/players/{game.a_id}/force.pdf"
    card, sheets = (
        words(olga.ask("GET", address + copy).data, tmp_path / "paper.pdf") for copy in ("", "?copy=sheets")
    )
    assert "5 × Elder with Club" in card and "Squad 6 42" in " ".join(card.split()), (
        "the army's squads with their points"
    )
    assert "Roster" in sheets and "Characters ·" not in sheets
