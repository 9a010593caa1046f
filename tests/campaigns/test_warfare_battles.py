"""Battles of a Warfare campaign: forfeited ones have steps too, and reports count what was mustered."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from events.campaigns import actions as campaigns
from events.play.campaign import history_of
from events.play.errors import Refused
from events.results import actions as results
from models.event import Event
from models.journal import JournalEntry
from models.play import Absent, GameState, Player, ReportSide
from tests.campaigns.earning import campaign_of
from tests.kit.person import Person
from tests.kit.stage import BY, Stage
from validators.campaign import Dice, History, Offer


def history(stage: Stage, event: Event) -> History:
    """The campaign as it is stored now."""
    stage.s.rollback()
    return history_of(stage.s, stage.now(event))


def offered(stage: Stage, event: Event, player: Player) -> tuple[Offer, ...]:
    """The steps that the player's group may take now."""
    world = history(stage, event).world
    return world.rules.offers(world, player.id)


def take(stage: Stage, event: Event, player: Player, kind: str) -> None:
    """The player's offered step as it is suggested, and the end of the sequence."""
    now = history(stage, event)
    offer = next(one for one in now.world.rules.offers(now.world, player.id) if one.kind == kind)
    answers = {ask.key: ask.default for ask in offer.asks if ask.default is not None}
    stage.do(event, campaigns.take, player, offer, answers, Dice(1), campaigns.newest(now, player))
    stage.do(event, campaigns.leave, player, campaigns.newest(history(stage, event), player))


def test_a_forfeited_battle_has_its_steps_too(stage: Stage) -> None:
    event = stage.event(game="fallout_warfare")
    (game,) = campaign_of(stage, event, "Ada", "Bo")
    ada, bo = (stage.all(Player, id=id_)[0] for id_ in (game.a_id, game.b_id))

    def world(player: Player) -> tuple[Any, str]:
        found = history(stage, event).world
        phase = found.phase(player.id)
        return found.groups[player.id], phase.id if phase else ""

    assert world(ada)[1] == world(bo)[1] == "muster"
    take(stage, event, ada, "forfeit")
    take(stage, event, bo, "muster")
    assert world(ada)[1] == world(bo)[1] == ""
    with pytest.raises(Refused, match="No game of yours waits"):
        stage.do(event, campaigns.begin_steps, ada)
    answers = {f"{side}.{how}": 0 for side in "ab" for how in ("fielded", "dead", "retreated", "strayed")}
    with pytest.raises(Refused, match="was mustered: the group forfeits the battle, which the desk records"):
        stage.report(event, game, ReportSide.B, {**answers, "a.fielded": 48}, version=1, sure=True)
    with stage.changing(event) as s:
        open_ = stage.now(game)
        results.set_absent(s, event, open_, Absent.A, version=open_.version, actor=BY, now=stage.clock())
    for player, result in ((ada, "loss"), (bo, "win")):
        stage.do(event, campaigns.begin_steps, player)
        assert world(player)[1] == "muster"
        assert history(stage, event).world.played[player.id].result == result
    assert world(ada)[0].forfeited == 1


def test_a_report_counts_what_was_mustered(
    stage: Stage, app: Flask, olga: Person, link_of: Callable[[Player], str]
) -> None:
    event = stage.event(game="fallout_warfare", size=500)
    (game,) = campaign_of(stage, event, "Ada", "Bo")
    players = [stage.all(Player, id=id_)[0] for id_ in (game.a_id, game.b_id)]
    person = Person(app)
    person.open(link_of(players[0]))
    address = f"/e/iron-open/games/{game.id}/report"
    assert person.open(address).value("a.fielded") == "0", "nobody has mustered yet"
    for player in players:
        take(stage, event, player, "muster")
    fielded = [int(str(person.open(address).value(f"{side}.fielded"))) for side in ("a", "b")]
    assert all(100 <= points <= 200 for points in fielded), "the muster, not the list of 500"
    answers = dict.fromkeys(("a.dead", "b.dead", "a.retreated", "b.retreated", "a.strayed", "b.strayed"), 0)
    answers |= {"a.fielded": fielded[0], "b.fielded": fielded[1], "b.dead": 20}
    stage.report(event, game, ReportSide.ORGANISER, answers, version=stage.now(game).version, sure=False)
    assert stage.now(game).state == GameState.CONFIRMED, "no doubt about less than the list"
    person = Person(app)
    person.open(link_of(players[1]))
    person.open("/e/iron-open/me/campaign")
    page, said = person.press("Begin the steps"), "20 points reported as killed, 0 recorded."
    assert said in page.part(".bar.stays")
    assert not page.soup.select(".bar.stays button"), "the page says why, and does not ask first"
    mark, key = str(page.soup.select("[name*=-lost-]")[0]["name"]).split("-lost-")
    unit = history(stage, event).world.groups[players[1].id].unit(key)
    page = person.press("Record", inside=f"#{mark}", **{f"{mark}-lost-{key}": "1"})
    assert f"20 points reported as killed, {unit.each} recorded." in page.part(".bar.stays")
    page = person.press("Undo the last step")
    page = person.press("Record", inside=f"#{mark}", **{f"{mark}-away-{key}": str(unit.fielded)})
    assert said in page.part(".bar.stays"), "a retreat is no death"
    person.press("Undo the last step")
    page = person.press("Record", inside=f"#{mark}", **{f"{mark}-lost-{key}": "1"})
    assert 0 < unit.each < 20
    short = f"{20 - unit.each} more points"
    seen = campaigns.newest(history(stage, event), players[1])
    with pytest.raises(Refused, match=f"Record {short} of losses"):
        stage.do(event, campaigns.leave, players[1], seen)
    assert f"Record {short} of losses" in page.part(".bar.stays")
    while offers := [one for one in offered(stage, event, players[1]) if one.kind == "losses"]:
        answers_ = {ask.key: ask.default for ask in offers[0].asks if ask.default is not None}
        seen = campaigns.newest(history(stage, event), players[1])
        stage.do(event, campaigns.take, players[1], offers[0], answers_, Dice(1), seen)
    said = f"20 points reported as killed, {unit.each} recorded."
    (button,) = person.open("/e/iron-open/me/campaign").soup.select(".bar.stays button")
    assert button["data-confirm"] == f"{said} Go on? It is marked for everybody to check."
    assert "To check" in person.press("Next phase").part("#done")
    olga.open("/e/iron-open/desk/campaign")
    assert said in olga.page.part("#differ")
    assert f"To check: {said}" in olga.open(f"/e/iron-open/campaign/groups/{players[1].id}").text
    for player in players:
        page = olga.open(f"/e/iron-open/campaign/groups/{player.id}")
        assert said in page.part(".flash"), "both groups of the game read it"
    assert [one.text for one in stage.all(JournalEntry, event_id=event.id) if said in one.text], "the log tells"
    stage.do(event, campaigns.begin_steps, players[0])
    too_many = {**answers, "a.fielded": 300, "a.dead": 300}
    with pytest.raises(Refused, match="more than was mustered"):
        stage.report(event, game, ReportSide.ORGANISER, too_many, version=stage.now(game).version, sure=True)
