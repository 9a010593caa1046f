"""Steps after a forfeited Skirmish game, and after reports with and without the objective."""

import pytest

from events.campaigns import actions as campaigns
from events.play.campaign import results_of
from events.play.rounds import round_views
from models.play import Absent, Game, Player, ReportSide
from tests.campaigns.earning import campaign_of, history, leave, offered, take_as_suggested
from tests.kit.archives import archived, taken_in
from tests.kit.person import Person
from tests.kit.stage import Stage

NOTHING: dict[str, int | str] = {f"{side}.line{number}": 0 for side in "ab" for number in range(1, 6)}
FIRST = "1 Geomapping with Reilly (Luck)"


def test_forfeited_game_is_followed_by_the_steps_between_games_only(stage: Stage) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    games = campaign_of(stage, event, "Ada", "Bo", "Cy")
    game = stage.now(games[0])
    stage.no_show(event, game, Absent.B)
    ada, bo = (stage.one(Player, id=id_) for id_ in (game.a_id, game.b_id))

    def experience(player: Player) -> list[int]:
        return [one.xp for one in history(stage, event).world.groups[player.id].all_members]

    before = {player.id: experience(player) for player in (ada, bo)}
    for player, result in ((ada, "win"), (bo, "loss")):
        stage.do(event, campaigns.begin_steps, player)
        played = history(stage, event).world.played[player.id]
        assert (played.result, played.fought) == (result, False)
        kinds = set[str]()
        while phase := history(stage, event).world.phase(player.id):
            assert phase.id not in ("game", "injuries")
            offers = {one.kind for one in offered(stage, event, player)}
            kinds |= offers
            if "upkeep" in offers:
                take_as_suggested(stage, event, player, "upkeep")
            leave(stage, event, player)
        assert "scavenge" in kinds
        assert not kinds & {"reward", "fought", "injury", "advance"}
        assert experience(player) == before[player.id]
        now = history(stage, event)
        assert now.sums(player.id) == now.world.rules.balances(now.world.groups[player.id])
    assert stage.one(Game, id=game.id).absent == Absent.B


@pytest.mark.parametrize(("more", "known"), [({}, []), ({"a.objective": FIRST}, [FIRST])])
def test_reward_follows_only_from_the_reported_objective(
    stage: Stage, more: dict[str, int | str], known: list[str]
) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    game, *_ = campaign_of(stage, event, "Ada", "Bo")
    stage.report(event, game, ReportSide.ORGANISER, NOTHING | more)
    stage.s.rollback()
    event = stage.now(event)
    played = results_of(event, round_views(stage.s, event))[game.id][game.a_id]
    assert played.objectives == known


def test_campaign_stored_before_the_setting_of_turfs_keeps_the_turfs_of_its_lists(stage: Stage, other: Stage) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    campaign_of(stage, event, "Ada", "Bo", settings={"first_turfs": "list"})
    before = history(stage, event).entries
    with stage.changing(event):
        stored = stage.now(event).campaign or {}
        settings = {key: chosen for key, chosen in stored["settings"].items() if key != "first_turfs"}
        event.campaign = stored | {"settings": settings}
    assert history(stage, event).entries == before
    back = taken_in(other.s, archived(stage.engine, stage.now(event), stage.clock()), stage.clock())
    assert history(other, back).entries == before


def test_desk_begins_the_steps_of_a_group_and_undoes_them(stage: Stage, olga: Person) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    game, *_ = campaign_of(stage, event, "Ada", "Bo")
    stage.report(event, game, ReportSide.ORGANISER, NOTHING)
    address = f"/e/iron-open/desk/campaign/{game.a_id}"
    assert olga.open(address).status == 200
    olga.press("Begin the steps")
    begun = history(stage, event).world.played[game.a_id]
    assert begun.waited_for == [game.b_id], "recruits are kept for a lower rating among them"
    page = olga.press("Undo the last step")
    assert (page.status, page.part("main button.primary")) == (200, "Begin the steps")
