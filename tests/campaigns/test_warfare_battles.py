"""Battles of a Warfare campaign: steps after a forfeit, and reports compared with the mustered army."""

from typing import Any

from flask import Flask

from events.campaigns import actions as campaigns
from models.journal import JournalEntry
from models.play import Absent, GameState, Player, ReportSide
from tests.campaigns.earning import campaign_of, history, offered, take, take_as_suggested
from tests.kit.people import Links, browser
from tests.kit.person import Person
from tests.kit.stage import Stage


def test_forfeited_battle_is_followed_by_steps(stage: Stage) -> None:
    event = stage.event(game="fallout_warfare")
    (game,) = campaign_of(stage, event, "Ada", "Bo")
    ada, bo = (stage.one(Player, id=id_) for id_ in (game.a_id, game.b_id))

    def world(player: Player) -> tuple[Any, str]:
        found = history(stage, event).world
        phase = found.phase(player.id)
        return found.groups[player.id], phase.id if phase else ""

    assert world(ada)[1] == world(bo)[1] == "muster"
    take(stage, event, ada, "forfeit")
    take(stage, event, bo, "muster")
    assert world(ada)[1] == world(bo)[1] == ""
    stage.refuse("No game of yours waits", event, campaigns.begin_steps, ada)
    answers = {f"{side}.{how}": 0 for side in "ab" for how in ("fielded", "dead", "retreated", "strayed")}
    words, impossible = (
        "was mustered: the group forfeits the battle, which the desk records",
        answers | {"a.fielded": 48},
    )
    stage.refuse_to(words, stage.report, event, game, ReportSide.B, impossible, version=1)
    stage.no_show(event, game, Absent.A)
    for player, result in ((ada, "loss"), (bo, "win")):
        stage.do(event, campaigns.begin_steps, player)
        assert world(player)[1] == "muster"
        assert history(stage, event).world.played[player.id].result == result
    assert world(ada)[0].forfeited == 1


def test_report_is_compared_with_the_mustered_army(stage: Stage, app: Flask, olga: Person, link_of: Links) -> None:
    event = stage.event(game="fallout_warfare", size=500)
    (game,) = campaign_of(stage, event, "Ada", "Bo")
    players = [stage.one(Player, id=id_) for id_ in (game.a_id, game.b_id)]
    person = browser(app, link_of, players[0])
    address = f"/e/iron-open/games/{game.id}/report"
    assert person.open(address).value("a.fielded") == "0", "nobody has mustered yet"
    for player in players:
        take(stage, event, player, "muster")
    fielded = [int(str(person.open(address).value(f"{side}.fielded"))) for side in ("a", "b")]
    assert all(100 <= points <= 200 for points in fielded), "the muster, not the list of 500"
    answers = dict.fromkeys(("a.dead", "b.dead", "a.retreated", "b.retreated", "a.strayed", "b.strayed"), 0)
    answers |= {"a.fielded": fielded[0], "b.fielded": fielded[1], "b.dead": 20}
    stage.report(event, game, ReportSide.ORGANISER, answers, version=stage.now(game).version, sure=False)
    assert stage.now(game).state == GameState.CONFIRMED, "fielding less than the list raises no doubt"
    person = browser(app, link_of, players[1])
    person.open("/e/iron-open/me/campaign")
    page, said = person.press("Begin the steps"), "20 points reported as killed, 0 recorded."
    assert said in page.part(".bar.stays")
    assert not page.soup.select(".bar.stays button"), "the page gives the reason and asks nothing yet"
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
    newest = campaigns.newest(history(stage, event), players[1])
    stage.refuse(f"Record {short} of losses", event, campaigns.leave, players[1], newest)
    assert f"Record {short} of losses" in page.part(".bar.stays")
    while any(offer.kind == "losses" for offer in offered(stage, event, players[1])):
        take_as_suggested(stage, event, players[1], "losses")
    said = f"20 points reported as killed, {unit.each} recorded."
    (button,) = person.open("/e/iron-open/me/campaign").soup.select(".bar.stays button")
    assert button["data-confirm"] == f"{said} Go on? It is marked for everybody to check."
    assert "To check" in person.press("Next phase").part("#done")
    olga.open("/e/iron-open/desk/campaign")
    assert said in olga.page.part("#differ")
    assert f"To check: {said}" in olga.open(f"/e/iron-open/campaign/groups/{players[1].id}").text
    for player in players:
        page = olga.open(f"/e/iron-open/campaign/groups/{player.id}")
        assert said in page.part(".flash"), "both groups of the game are shown it"
    assert [one.text for one in stage.all(JournalEntry, event_id=event.id) if said in one.text], (
        "the journal records it"
    )
    stage.do(event, campaigns.begin_steps, players[0])
    too_many = {**answers, "a.fielded": 300, "a.dead": 300}
    stage.refuse_to("more than was mustered", stage.report, event, game, ReportSide.ORGANISER, too_many)
