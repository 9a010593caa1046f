"""Steps after a forfeited Skirmish game, and after reports with and without the objective."""

from events.registration import leaving
from events.seasons import campaign_actions as campaigns
from events.seasons import league_actions as leagues
from events.setup.campaign_choice import set_campaign
from events.setup.pairing_forms import set_season
from events.tournament.season import Season
from models.play import Absent, Player, ReportSide
from models.settings import EventFormat
from tests.kit.formats import formed
from tests.kit.person import Person
from tests.kit.skirmish_groups import character, group
from tests.kit.stage import Stage
from tests.seasons.earning import Table, campaign_of, history, seeds

NOTHING: dict[str, int | str] = {f"{side}.line{number}": 0 for side in "ab" for number in range(1, 6)}
FIRST = "1 Geomapping with Reilly (Luck)"


def test_forfeited_game_is_followed_by_the_steps_between_games_only(stage: Stage) -> None:
    table = Table(stage, game="fallout_skirmish", size=500)
    (game,) = table.games
    stage.no_show(table.event, game, Absent.B)
    for id_, result in ((game.a_id, "win"), (game.b_id, "loss")):
        player = stage.one(Player, id=id_)
        table.begin(player.name)
        world = table.history().world
        assert (world.played[player.id].result, world.played[player.id].fought) == (result, False)
        first = world.phase(player.id)
        assert first and first.id == "income", "neither the game nor its injuries, experience and reward"
        table.take(player.name, "scavenge")
        assert "reward" not in {offer.kind for offer in table.offers(player.name)}
        now = table.history()
        assert now.sums(player.id) == now.world.rules.balances(now.world.groups[player.id])


def test_desk_begins_the_steps_of_a_group_with_its_reported_objective_and_undoes_them(
    stage: Stage, olga: Person
) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    game, *_ = campaign_of(stage, event, "Ada", "Bo")
    stage.report(event, game, ReportSide.ORGANISER, NOTHING | {"a.objective": FIRST})
    for player, lower, objectives in ((game.a_id, [game.b_id], [FIRST]), (game.b_id, [], [])):
        assert olga.open(f"/e/iron-open/desk/campaign/{player}").status == 200
        olga.press("Begin the steps")
        begun = history(stage, event).world.played[player or 0]
        assert begun.waited_for == lower, "recruits are kept for a lower rating"
        assert begun.objectives == objectives
        assert olga.page.soup.select("#offers .offer .emblem"), "a step about a member shows the portrait"
    page = olga.press("Undo the last step")
    assert (page.status, page.part("main button.primary")) == (200, "Begin the steps")


def test_group_that_waits_for_recruits_reads_for_whom_until_they_leave(stage: Stage, olga: Person) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    formed(stage, "Ada", "Bo", of=event, format=EventFormat.ROUND_ROBIN)
    stage.do(event, set_season, Season(days=7))
    stage.do(event, set_campaign, {}, 4)
    ada, bo = stage.all(Player)
    for player, models in ((ada, [character("Veteran")]), (bo, [character("Veteran"), character("Green")])):
        stage.force(event, player, group("Raiders", *models))
    stage.do(event, leagues.draw_season, 7)
    stage.do(event, campaigns.found_groups, seeds())
    stage.no_show(event, stage.games(event, 1)[0], Absent.A)
    table = Table.__new__(Table)
    table.stage, table.event, table.players = stage, event, {"Ada": ada, "Bo": bo}
    table.begin("Bo")
    while (phase := table.history().world.phase(bo.id)) and phase.id != "recruits":
        if any(offer.kind == "upkeep" for offer in table.offers("Bo")):
            table.take("Bo", "upkeep")
        table.leave("Bo")
    table.take("Bo", "pool")
    page = olga.open(f"/e/iron-open/desk/campaign/{bo.id}")
    assert "Waiting for Ada" in page.part("#offers") and "Kept for Ada" in page.part(".bar.stays")
    assert "Nothing to choose" not in page.text
    stage.do(event, leaving.drop, ada, at_once=True)
    page = olga.open(f"/e/iron-open/desk/campaign/{bo.id}")
    assert "Waiting for" not in page.part("main") and "Kept for Ada" not in page.text
