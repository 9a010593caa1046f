"""What follows from a Skirmish game nobody fought, and from a report without the objective."""

import pytest

from events.campaigns import actions as campaigns
from events.play.campaign import history_of, results_of
from events.play.rounds import round_views
from events.results import actions as results
from models.play import Absent, Game, Player, ReportSide
from tests.campaigns.earning import campaign_of
from tests.kit.archives import archived, taken_in
from tests.kit.person import Person
from tests.kit.stage import BY, Stage
from validators.campaign import Dice, History

NOTHING: dict[str, int | str] = {f"{side}.line{number}": 0 for side in "ab" for number in range(1, 6)}
FIRST = "1 Geomapping with Reilly (Luck)"


def test_a_forfeited_game_has_the_steps_between_games_only(stage: Stage) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    games = campaign_of(stage, event, "Ada", "Bo", "Cy")
    game = stage.now(games[0])
    with stage.changing(event) as s:
        results.set_absent(s, event, game, Absent.B, version=game.version, actor=BY, now=stage.clock())
    ada, bo = (stage.one(Player, id=id_) for id_ in (game.a_id, game.b_id))

    def history() -> History:
        stage.s.rollback()
        return history_of(stage.s, stage.now(event))

    xp = {key: [one.xp for one in history().world.groups[key].everybody] for key in (ada.id, bo.id)}
    for player, result in ((ada, "win"), (bo, "loss")):
        stage.do(event, campaigns.begin_steps, player)
        played = history().world.played[player.id]
        assert (played.result, played.fought) == (result, False)
        kinds = set[str]()
        while phase := history().world.phase(player.id):
            assert phase.id not in ("game", "injuries")
            offers = history().world.rules.offers(history().world, player.id)
            kinds |= {one.kind for one in offers}
            feed = next((one for one in offers if one.kind == "upkeep"), None)
            seen = campaigns.newest(history(), player)
            if feed:
                answers = {ask.key: ask.default for ask in feed.asks if ask.default is not None}
                stage.do(event, campaigns.take, player, feed, answers, Dice(1), seen)
            stage.do(event, campaigns.leave, player, campaigns.newest(history(), player))
        assert "scavenge" in kinds
        assert not kinds & {"reward", "fought", "injury", "advance"}
        assert [one.xp for one in history().world.groups[player.id].everybody] == xp[player.id]
        sums = history().sums(player.id)
        assert sums == history().world.rules.balances(history().world.groups[player.id])
    assert stage.one(Game, id=game.id).absent == Absent.B


@pytest.mark.parametrize(("more", "known"), [({}, []), ({"a.objective": FIRST}, [FIRST])])
def test_a_reward_follows_from_the_objective_in_the_report_alone(
    stage: Stage, more: dict[str, int | str], known: list[str]
) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    game, *_ = campaign_of(stage, event, "Ada", "Bo")
    stage.report(event, game, ReportSide.ORGANISER, NOTHING | more, version=game.version, sure=True)
    stage.s.rollback()
    event = stage.now(event)
    played = results_of(event, round_views(stage.s, event))[game.id][game.a_id]
    assert played.objectives == known


def test_a_campaign_stored_before_turfs_were_a_setting_keeps_those_of_its_lists(stage: Stage, other: Stage) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    campaign_of(stage, event, "Ada", "Bo", settings={"first_turfs": "list"})
    before = history_of(stage.s, stage.now(event)).entries
    with stage.changing(event):
        stored = stage.now(event).campaign or {}
        settings = {key: chosen for key, chosen in stored["settings"].items() if key != "first_turfs"}
        event.campaign = stored | {"settings": settings}
    stage.s.rollback()
    assert history_of(stage.s, stage.now(event)).entries == before
    back = taken_in(other.s, archived(stage.engine, stage.now(event), stage.clock()), stage.clock())
    assert history_of(other.s, back).entries == before


def test_steps_not_begun_are_begun_at_the_desk_and_undone_to_the_first(stage: Stage, olga: Person) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    game, *_ = campaign_of(stage, event, "Ada", "Bo")
    stage.report(event, game, ReportSide.ORGANISER, NOTHING, version=game.version, sure=True)
    address = f"/e/iron-open/desk/campaign/{game.a_id}"
    assert olga.open(address).status == 200
    olga.press("Begin the steps")
    stage.s.rollback()
    begun = history_of(stage.s, stage.now(event)).world.played[game.a_id]
    assert begun.waited_for == [game.b_id], "recruits are kept for a lower rating among them"
    page = olga.press("Undo the last step")
    assert (page.status, page.part("main button.primary")) == (200, "Begin the steps")
