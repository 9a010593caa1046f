"""Steps after a forfeited Skirmish game, and after reports with and without the objective."""

from models.play import Absent, Player, ReportSide
from tests.campaigns.earning import Table, campaign_of, history
from tests.kit.person import Person
from tests.kit.stage import Stage

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
        assert "reward" not in {one.kind for one in table.offers(player.name)}
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
