"""A Warfare group that cannot muster forfeits; the desk records it, and the next muster follows."""

import pytest

from events.campaigns import actions as campaigns
from events.play.campaign import history_of
from events.play.errors import Refused
from events.results import actions as results
from models.play import Absent, Player
from tests.campaigns.earning import campaign_of, seeds
from tests.kit.stage import BY, Stage
from validators.campaign import Dice


def test_a_forfeited_battle_has_its_steps_too(stage: Stage) -> None:
    event = stage.event(game="fallout_warfare")
    (game,) = campaign_of(stage, event, "Ada", "Bo")
    ada, bo = (stage.all(Player, id=id_)[0] for id_ in (game.a_id, game.b_id))

    def world(player: Player) -> tuple[object, str]:
        stage.s.rollback()
        found = history_of(stage.s, stage.now(event)).world
        phase = found.phase(player.id)
        return found.groups[player.id], phase.id if phase else ""

    def take(player: Player, kind: str) -> None:
        stage.s.rollback()
        history = history_of(stage.s, stage.now(event))
        offer = next(one for one in history.world.rules.offers(history.world, player.id) if one.kind == kind)
        answers = {ask.key: ask.default for ask in offer.asks if ask.default is not None}
        seen = campaigns.newest(history, player)
        stage.do(event, campaigns.take, player, offer, answers, Dice(1), seen)
        stage.do(event, campaigns.leave, player, campaigns.newest(history_of(stage.s, stage.now(event)), player))

    assert world(ada)[1] == world(bo)[1] == "muster"
    take(ada, "forfeit")
    take(bo, "muster")
    assert world(ada)[1] == world(bo)[1] == ""
    with pytest.raises(Refused, match="No game of yours waits"):
        stage.do(event, campaigns.begin_steps, ada, seeds())
    with stage.changing(event) as s:
        open_ = stage.now(game)
        results.set_absent(s, event, open_, Absent.A, version=open_.version, actor=BY, now=stage.clock())
    for player, won, lost in ((ada, 0, 1), (bo, 1, 0)):
        stage.do(event, campaigns.begin_steps, player, seeds())
        group, phase = world(player)
        assert (group.won, group.lost, phase) == (won, lost, "muster")  # type: ignore[attr-defined]
    assert world(ada)[0].forfeited == 1  # type: ignore[attr-defined]
