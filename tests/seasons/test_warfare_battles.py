"""Battles of a Warfare campaign: steps after a forfeit, and reports compared with the mustered army."""

from flask import Flask

from events.seasons import campaign_actions as campaigns
from models.play import Absent, GameState, Player, ReportSide
from tests.kit.papers import texts
from tests.kit.people import Links, browser
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.seasons.earning import Table
from validators.campaign import Dice


def test_forfeited_battle_is_followed_by_steps(stage: Stage) -> None:
    table = Table(stage, game="fallout_warfare")
    (game,) = table.games
    ada, bo = stage.name(game.a_id), stage.name(game.b_id)

    def phases() -> list[str]:
        world = table.history().world
        found = [world.phase(table.players[name].id) for name in (ada, bo)]
        return [phase.id if phase else "" for phase in found]

    assert phases() == ["muster", "muster"]
    table.muster(ada, "forfeit")
    table.muster(bo)
    assert phases() == ["", ""]
    stage.refuse_to("No game of yours waits", table.begin, ada)
    answers = {f"{side}.{how}": 0 for side in "ab" for how in ("fielded", "dead", "retreated", "strayed")}
    words = "was mustered: the group forfeits the battle, which the desk records"
    stage.refuse_to(words, stage.report, table.event, game, ReportSide.B, answers | {"a.fielded": 48}, version=1)
    stage.no_show(table.event, game, Absent.A)
    for name, result in ((ada, "loss"), (bo, "win")):
        table.begin(name)
        assert table.history().world.played[table.players[name].id].result == result
    assert phases() == ["", ""], "no game is left to muster for"
    assert table.group(ada).forfeited == 1


def test_report_is_compared_with_the_mustered_army(
    stage: Stage, app: Flask, olga: Person, visitor: Person, link_of: Links
) -> None:
    table = Table(stage, game="fallout_warfare", size=500)
    event, (game,) = table.event, table.games
    players = [stage.one(Player, id=id_) for id_ in (game.a_id, game.b_id)]
    person = browser(app, link_of, players[0])
    address = f"/e/iron-open/games/{game.id}/report"
    assert person.open(address).value("a.fielded") == "", "nobody has mustered yet"
    for player in players:
        table.muster(player.name)
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
    unit = table.group(players[1].name).unit(key)
    page = person.press("Record", inside=f"#{mark}", **{f"{mark}-lost-{key}": "1"})
    assert f"20 points reported as killed, {unit.each} recorded." in page.part(".bar.stays")
    person.press("Undo the last step")
    page = person.press("Record", inside=f"#{mark}", **{f"{mark}-away-{key}": str(unit.fielded)})
    assert said in page.part(".bar.stays"), "a retreat is no death"
    person.press("Undo the last step")
    page = person.press("Record", inside=f"#{mark}", **{f"{mark}-lost-{key}": "1"})
    assert 0 < unit.each < 20
    short = f"{20 - unit.each} more points"
    stage.refuse_to(f"Record {short} of losses", table.leave, players[1].name)
    assert f"Record {short} of losses" in page.part(".bar.stays")
    while any(offer.kind == "losses" for offer in table.offers(players[1].name)):
        table.take(players[1].name, "losses")
    said = f"20 points reported as killed, {unit.each} recorded."
    (button,) = person.open("/e/iron-open/me/campaign").soup.select(".bar.stays button")
    closing = "Close the steps after this game? Only the desk can open them again then."
    assert button["data-confirm"] == f"{said} Go on? It is marked for everybody to check. {closing}"
    assert "To check" in person.press("Close").part("#history")
    board = olga.open("/e/iron-open/desk").part(".attention")
    assert "1 step to check" in board
    assert said in olga.open("/e/iron-open/desk/ready/to_check").text
    olga.open("/e/iron-open/desk/campaign")
    assert said in olga.page.part("#differ")
    for player in players:
        address = f"/e/iron-open/campaign/groups/{player.id}"
        for reader in (olga, person):
            assert said in reader.open(address).part(".verdict"), "both groups of the game and the desk are shown it"
        assert not visitor.open(address).soup.select("header .verdict"), "spectators have nothing to check"
    assert said in str(stage.journal(event))
    table.begin(players[0].name)
    too_many = {**answers, "a.fielded": 300, "a.dead": 300}
    stage.refuse_to("more than was mustered", stage.report, event, game, ReportSide.ORGANISER, too_many)


def test_lost_points_and_all_lost_models_are_counted(stage: Stage, olga: Person) -> None:
    table = Table(stage, game="fallout_warfare", size=500)
    (game,) = table.games
    names = [stage.name(id_) for id_ in (game.a_id, game.b_id)]
    for name in names:
        table.muster(name)
    name = names[1]
    unit = next(unit for unit in table.group(name).units if unit.kind == "troops" and unit.fielded > 2)
    answers: dict[str, int | str] = {f"{side}.{how}": 0 for side in "ab" for how in ("dead", "retreated", "strayed")}
    for side, text in zip("ab", names, strict=True):
        answers[f"{side}.fielded"] = sum(unit.fielded * unit.each for unit in table.group(text).units)
    answers["b.dead"] = 2 * unit.each
    stage.report(table.event, game, ReportSide.ORGANISER, answers, version=stage.now(game).version, sure=False)
    table.begin(name)
    offer = next(offer for offer in table.offers(name) if f"lost-{unit.key}" in {ask.key for ask in offer.asks})
    assert next(ask.help for ask in offer.asks if ask.key == f"lost-{unit.key}") == f"{unit.each} points each."
    lost = {f"lost-{unit.key}": 2}
    table.do(campaigns.take_offer, name, offer, lost, Dice(9), table.newest(name))
    page = olga.open("/e/iron-open/campaign")
    assert "2 in all" in page.part("#fallen")
    assert f"2 × {unit.label} {name} · lost" in page.part("#fallen")
    assert "Group Lost Joined Fallen" in page.part("#tables")
    assert f"{name} {2 * unit.each} points 0 2" in page.part("#tables")


def test_papers_of_a_game_show_the_armies_that_fought_it(stage: Stage, olga: Person) -> None:
    table = Table(stage, game="fallout_warfare", size=500)
    (game,) = table.games
    names = [stage.name(id_) for id_ in (game.a_id, game.b_id)]
    for name in names:
        table.muster(name)
    fielded = [sum(unit.fielded * unit.each for unit in table.group(name).units) for name in names]
    answers: dict[str, int | str] = {f"{side}.{how}": 0 for side in "ab" for how in ("dead", "retreated", "strayed")}
    answers |= {"a.fielded": fielded[0], "b.fielded": fielded[1], "b.dead": fielded[1]}
    stage.report(table.event, game, ReportSide.ORGANISER, answers, version=stage.now(game).version, sure=False)
    sheet = f"/e/iron-open/games/{game.id}/sheet.pdf"

    def record() -> str:
        (page,) = texts(olga.open(sheet))
        return page

    before = record()
    assert all(f"{points} points" in before for points in fielded), before
    ratings = [f"rating {table.history().world.rules.rating(table.group(name))}" for name in names]
    assert all(text in before for text in ratings), before
    loser = names[1]
    table.begin(loser)
    while any(offer.kind == "losses" for offer in table.offers(loser)):
        lost = {ask.key: ask.most for offer in table.offers(loser) for ask in offer.asks if ask.key.startswith("lost-")}
        table.take(loser, "losses", lost)
    rating = table.history().world.rules.rating(table.group(loser))
    assert f"rating {rating}" != ratings[1], "the control: the army of today is another"
    assert record() == before
