"""Bounds of a campaign on its pages: reports before a muster, refused entries, and the game that a button reports."""

import pytest

from events.store.rounds import round_views
from models.campaign import CampaignStep
from models.play import Absent, Game, Player, ReportSide
from tests.kit.stage import Stage
from tests.seasons.earning import Table
from tests.seasons.test_pages import AT, Start, begun, earning, field_of, start

__all__ = ["earning", "start"]
NOTHING = dict.fromkeys((f"{side}.{how}" for side in "ab" for how in ("fielded", "dead", "retreated", "strayed")), 0)


def reported(stage: Stage, table: Table, game: Game, **answers: int) -> None:
    """The desk reports a game."""
    given = NOTHING | {key.replace("_", "."): value for key, value in answers.items()}
    stage.report(table.event, game, ReportSide.ORGANISER, given, version=stage.now(game).version, sure=True)


def refused(stage: Stage, table: Table, game: Game, words: str, **answers: int) -> None:
    stage.refuse_to(words, reported, stage, table, game, **answers)


def test_report_before_a_muster_is_bounded_by_the_army_and_the_size_of_a_battle(stage: Stage) -> None:
    table = Table(stage, game="fallout_warfare", size=500)
    (game,) = table.games
    words = "is more than its army has in a battle"
    refused(stage, table, game, words, a_fielded=2000, a_dead=1900)
    refused(stage, table, game, words, a_fielded=201)
    reported(stage, table, game, a_fielded=200, b_fielded=150)


def test_report_while_other_steps_are_open_is_bounded_too(stage: Stage) -> None:
    table = Table(stage, "Ada", "Bo", "Cy", game="fallout_warfare", size=500)
    for name in table.players:
        table.muster(name)
    views = round_views(stage.now(table.event))
    battles = [(view, game) for view in views for game in view.games if game.b_id]
    (game,) = [game for view, game in battles if (found := view.scenario_at(game)) and found.id == "skirmish"]
    other = next(a_game for _, a_game in battles if a_game.id != game.id and game.a_id in (a_game.a_id, a_game.b_id))
    stage.no_show(table.event, other, Absent.B)
    refused(stage, table, game, "its army has in a battle", a_fielded=201)
    table.begin(stage.name(game.a_id))
    refused(stage, table, game, "its army has in a battle", a_fielded=201)


def test_report_of_a_group_that_is_not_founded_is_bounded_by_its_list(stage: Stage) -> None:
    table = Table(stage, game="fallout_warfare", size=150)
    (game,) = table.games
    with stage.changing(table.event) as s:
        for step in stage.all(CampaignStep):
            s.delete(s.merge(step))
    refused(stage, table, game, "its army has in a battle", a_fielded=151)


@pytest.mark.usefixtures("earning")
def test_refused_entry_does_not_block_the_next_phase(stage: Stage, start: Start) -> None:
    event, (ada, _) = start()
    begun(stage, event, ada)
    caps = field_of(ada, "caps")
    page = ada.press("Give", **{caps: "50"})
    assert (page.status, page.value(caps)) == (422, "50")
    page = ada.press("Next phase")
    assert (page.part("h1"), page.flashes) == ("Rest", "")


@pytest.mark.usefixtures("earning")
def test_entries_that_are_not_recorded_are_cleared_with_a_button(stage: Stage, start: Start) -> None:
    event, (ada, _) = start()
    begun(stage, event, ada)
    caps = field_of(ada, "caps")
    page = ada.press("Next phase", **{caps: "7"})
    assert (page.part("h1"), page.value(caps)) == ("Income", "7")
    (link,) = [tag for tag in page.soup.select("a") if tag.get_text() == "Clear what is not recorded"]
    page = ada.open(str(link["href"]))
    assert not page.value(caps)
    assert ada.press("Next phase").part("h1") == "Rest"


@pytest.mark.usefixtures("earning")
def test_report_button_names_the_game_that_the_page_shows(stage: Stage, start: Start) -> None:
    _, (ada, *_) = start("Ada", "Bo", "Cy")
    player = stage.one(Player, name="Ada")
    page = ada.open(f"{AT}/me")
    (button,) = [tag for tag in page.soup.select("a.button") if tag.get_text().strip().startswith("Report ")]
    game = stage.one(Game, id=int(str(button["href"]).partition("game=")[2]))
    assert player.id in (game.a_id, game.b_id)
    opponent = stage.name(game.b_id if game.a_id == player.id else game.a_id)
    assert opponent in ada.open(str(button["href"])).part("main")
