"""Groups too small for a battle, and those that have not mustered: the same rule wherever a battle is prepared."""

from typing import Any

import pytest
from flask import Flask

from events.lists import actions as lists
from events.seasons import campaign_actions as campaigns
from events.seasons import league_actions as leagues
from events.setup.campaign_choice import set_campaign
from events.setup.pairing_forms import set_season
from events.store.act import Act
from events.store.editions import edition_of
from events.tournament.season import Season
from models.event import Event, Round
from models.play import Absent, GameState, Player, ReportSide
from models.settings import EventFormat
from tests.kit.formats import formed
from tests.kit.papers import texts
from tests.kit.people import Links, browser
from tests.kit.person import Person
from tests.kit.stage import BY, Stage
from tests.seasons.earning import Table, list_of, seeds
from validators import SYSTEMS

SMALL: dict[str, Any] = {
    "system": "fallout_warfare", "edition": "2001-03", "faction": "Raiders & Reavers",
    "squads": [
        {"models": [{"name": "Raider", "rank": "squadleader"}, {"name": "Raider", "count": 3, "weapon": "Rifle"}]}
    ],
}  # fmt: skip
ASKED = "42 of the 100 points that a battle needs"
DESK, PAGE = "/e/iron-open/desk", "/e/iron-open/campaign"
ZEROS: dict[str, int | str] = {
    f"{side}.{what}": 0 for side in "ab" for what in ("fielded", "dead", "retreated", "strayed")
}


@pytest.fixture
def event(stage: Stage, olga: Person) -> Event:
    """A campaign of Ada, whose army is too small, with Bo, Cy and Di, before its draw."""
    event = stage.event(game="fallout_warfare", size=500)
    formed(stage, "Ada", "Bo", "Cy", "Di", of=event, format=EventFormat.ROUND_ROBIN)
    stage.do(event, set_season, Season(days=7))
    stage.do(event, set_campaign, {}, 4)
    for player in stage.all(Player, event_id=event.id):
        list_of(stage, event, player)
    ada = stage.one(Player, name="Ada")
    with stage.changing(event) as s:
        small = SYSTEMS["fallout_warfare"].forces.read(SMALL, edition_of(event))
        lists.save_force(Act(s, event, BY, stage.clock()), ada, small, by_organiser=True)
        lists.submit_force(Act(s, event, BY, stage.clock()), ada)
    return event


def test_list_below_the_least_is_asked_about_before_round_1(
    stage: Stage, app: Flask, event: Event, olga: Person, link_of: Links
) -> None:
    forfeits = "Fewer points than a battle needs, so the group forfeits: Ada."
    ada = stage.one(Player, name="Ada")
    assert ASKED in browser(app, link_of, ada).open("/e/iron-open/me/force").text
    assert ASKED in olga.open(f"{DESK}/lists/{ada.id}").text
    assert forfeits in olga.open(DESK).text, "where round 1 is drawn"
    stage.do(event, leagues.draw_season, 7)
    assert forfeits not in olga.open(DESK).text


def test_groups_that_have_not_mustered_are_named(
    stage: Stage, app: Flask, event: Event, olga: Person, link_of: Links
) -> None:
    stage.do(event, leagues.draw_season, 7)
    stage.do(event, campaigns.found_groups, seeds())
    small = "Ada has fewer than the 100 points that a battle needs, and forfeits it: the desk records it."
    shown = olga.open(DESK).text
    assert "3 groups have not mustered Bo (Muster), Cy (Muster), Di (Muster)" in shown, shown
    assert shown.count(small) == 1 and "Record the forfeit" in shown
    ada = stage.one(Player, name="Ada")
    game = next(game for game in stage.games(event, 1) if ada.id in (game.a_id, game.b_id))
    other = stage.one(Player, id=game.a_id if game.b_id == ada.id else game.b_id)
    page = browser(app, link_of, other).open("/e/iron-open/me/game")
    assert small in page.text and "Your group has not mustered." in page.text
    table = Table.__new__(Table)
    table.stage, table.event = stage, event
    table.players = {player.name: player for player in stage.all(Player)}
    about = next(offer.about for offer in table.offers("Ada") if offer.kind == "forfeit")
    assert about == "42 army points are ready, 100 are needed."
    table.muster("Ada", "forfeit")
    table.muster(other.name)
    page = browser(app, link_of, other).open("/e/iron-open/me/game")
    assert "Ada forfeits the next battle: the desk records it." in page.text
    assert "has not mustered." not in page.text
    forfeits = "Ada forfeits the next battle: the desk records it."
    shown = olga.open(DESK).text
    assert "2 groups have not mustered" in shown and forfeits in shown
    for address in (f"{PAGE}/groups/{ada.id}", PAGE):
        assert forfeits in olga.open(address).part("main"), address
    page = olga.open(PAGE)
    assert "5 games can be played now. 1 game is forfeited: the desk records it." in page.part("main")
    book = " ".join(" ".join(texts(olga.open(f"{PAGE}/book.pdf"))).split())
    assert forfeits in book and "5 games can be played now. 1 game is forfeited" in book
    for player, words in ((ada, "Your group forfeits the next battle"), (other, forfeits)):
        page = browser(app, link_of, player).open("/e/iron-open/me")
        assert "Your next game is forfeited" in page.text and words in page.part("main")
        assert "Report the result" not in page.part("main") and not page.soup.select("#day"), player.name
    page = olga.open(f"{DESK}/games/{game.id}")
    assert "Record a forfeit" in page.part("#absent") and "Ada forfeits" in page.part("#absent"), "named as elsewhere"
    stage.no_show(event, game, Absent.A if game.a_id == ada.id else Absent.B)
    for player, words in ((ada, "You forfeited"), (other, "Win: Ada forfeited")):
        own = browser(app, link_of, player).open("/e/iron-open/me").part("main")
        assert words in own and "did not come" not in own and "if you are here" not in own, own
    for address in (DESK, PAGE, f"{PAGE}/groups/{ada.id}", f"{DESK}/campaign"):
        assert forfeits not in olga.open(address).part("main"), f"it is recorded: {address}"
    assert "forfeits the next" not in browser(app, link_of, ada).open("/e/iron-open/me").part("main")
    assert "1 group has not mustered" not in olga.open(DESK).text and "2 groups have not mustered" in olga.page.text


@pytest.mark.parametrize("scenario", ["skirmish", "treasure-hunt"])
def test_report_by_a_group_below_the_least_asks_whether_it_forfeits(stage: Stage, event: Event, scenario: str) -> None:
    stage.do(event, leagues.draw_season, 7)
    stage.do(event, campaigns.found_groups, seeds())
    stage.s.expire_all()
    ada = stage.one(Player, name="Ada")
    game = next(game for game in stage.games(event, 1) if ada.id in (game.a_id, game.b_id))
    stage.set(event, stage.one(Round, event_id=event.id, number=1), scenario=scenario)
    answers = ZEROS | {"a.fielded": 42, "b.fielded": 42}
    if scenario != "skirmish":
        answers = {"a.role": "Scavengers", "b.role": "Raiders"}
    asks = "has not mustered the 100 points that a battle needs. Did it forfeit?"
    stage.refuse_to(asks, stage.report, event, game, ReportSide.ORGANISER, answers, sure=False)
    stage.report(event, game, ReportSide.ORGANISER, answers)
    assert stage.now(game).state == GameState.CONFIRMED
