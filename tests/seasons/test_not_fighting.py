"""Groups of a campaign that do not fight: games that are forfeited, and groups that have left."""

from flask import Flask

from events.registration import leaving
from models.play import Absent
from tests.kit.papers import texts
from tests.kit.people import Links, browser
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.seasons.earning import Table

PAGE = "/e/iron-open/campaign"


def test_game_that_both_forfeit_is_lost_by_both(stage: Stage, olga: Person) -> None:
    table = Table(stage, game="fallout_warfare", size=500)
    (game,) = table.games
    for id_ in (game.a_id, game.b_id):
        table.muster(stage.name(id_), "forfeit")
    stage.no_show(table.event, game, Absent.BOTH)
    page = olga.open(PAGE)
    assert page.part("#groups").count("0–0–0") == 2, "as the standings count a game that nobody came to"
    assert "did not fight" in page.part("#battles") and "drew" not in page.part("main")
    book = " ".join(" ".join(texts(olga.open(f"{PAGE}/book.pdf"))).split())
    assert "did not fight" in book and "drew" not in book
    for id_ in (game.a_id, game.b_id):
        table.begin(stage.name(id_))
        assert table.history().world.played[id_ or 0].result == "loss"
        part = olga.open(f"{PAGE}/groups/{id_}").part("#history")
        assert "After round 1: loss against" in part and "not fought" in part


def test_record_of_a_group_is_that_of_the_standings(stage: Stage, olga: Person) -> None:
    table = Table(stage, game="fallout_warfare", size=500)
    (game,) = table.games
    stage.no_show(table.event, game, Absent.B)
    for address in (PAGE, f"{PAGE}/groups/{game.a_id}", "/e/iron-open/standings", f"{PAGE}/book.pdf"):
        page = olga.open(address)
        text = " ".join(texts(page)) if address.endswith("pdf") else page.part("main")
        assert "0–0–0 +1" in text.replace("-", "–") and "1–0–0" not in text, address


def test_group_that_has_left_takes_no_more_steps(stage: Stage, app: Flask, olga: Person, link_of: Links) -> None:
    table = Table(stage, game="fallout_skirmish", size=500)
    (game,) = table.games
    bo, person = table.players[stage.name(game.b_id)], browser(app, link_of, table.players[stage.name(game.b_id)])
    stage.no_show(table.event, game, Absent.B)
    page = olga.open(PAGE)
    assert "0 of 2 groups are done" in page.part("main")
    assert "Begin the steps" in person.open("/e/iron-open/me/campaign").text
    stage.do(table.event, leaving.drop, bo, at_once=True)
    page = person.press("Begin the steps")
    assert f"{bo.name} has left the event." in page.text and "private link" not in page.part("main")
    page = person.open("/e/iron-open/me/campaign")
    assert "Begin the steps" not in page.text and f"{bo.name} has left the event." in page.text
    page = olga.open(PAGE)
    assert "0 of 1 group is done" in page.part("main") and "Dropped" in page.part("#groups")
    assert "Dropped" in olga.open(f"{PAGE}/groups/{bo.id}").part("main header")
    assert "Dropped" in " ".join(texts(olga.open(f"{PAGE}/book.pdf")))
