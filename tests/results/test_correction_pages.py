"""Correcting a confirmed result: the desk previews all effects, then stores it."""

import pytest

from events.standings.awards import add_usual, publish_awards
from models.event import Event
from models.play import Game, Report, ReportSide
from tests.kit.person import Person
from tests.kit.stage import Stage

DESK = "/e/iron-open/desk"


@pytest.fixture
def played(olga: Person, stage: Stage, event: Event) -> Game:
    """Five players, round 1 played, round 2 drawn; the organiser has opened the form of table 1 in round 1."""
    stage.enter(event, "Ada", "Bo", "Cy", "Di", "Ed")
    game, *_ = stage.play(event, 1)
    stage.draw(event, 2)
    olga.open(f"{DESK}/games/{game.id}")
    return game


def turned(game: Game) -> dict[str, str]:
    answers = game.answers or {}
    return {"a__objectives": str(answers["b.objectives"]), "b__objectives": str(answers["a.objectives"])}


def test_correction_is_previewed_and_stored_once(olga: Person, played: Game, stage: Stage, event: Event) -> None:
    page = olga.press("See what changes", **turned(played))
    a, b = stage.name(played.a_id), stage.name(played.b_id)
    look, rows = page.part("#look"), {row[0]: row for row in page.rows("#look table")}
    assert {a, b} <= rows.keys()
    assert f"{a} wins becomes" in look or f"{b} wins becomes" in look
    assert "Round 2, drawn Out of date: draw it again, or publish it anyway" in look
    assert "pair-down from 3 to 0 points" in look
    assert "becomes" in rows[a][2], "the points change"
    page = olga.press("Store the correction", reason="Misread")
    assert page.path == f"{DESK}/rounds/1"
    assert stage.journal(event, "report")[-1].count("corrected from") == 1
    assert "changed after this draw" in olga.open(f"{DESK}/rounds/2").text


def test_preview_is_repeated_for_other_answers_and_never_stores(olga: Person, played: Game, stage: Stage) -> None:
    before = stage.digest()
    page = olga.forge("See what changes", seen="made-up", reason="Misread", **turned(played))
    assert page.soup.select_one("#look") is not None
    assert stage.digest() == before
    page = olga.press("See what changes", reason="Misread")
    assert (page.status, page.value("reason"), stage.digest()) == (200, "Misread", before)
    page = olga.press("Store the correction", a__objectives="2", b__objectives="2")
    assert "a draw" in page.part("#look")
    assert stage.digest() == before
    look = page
    assert olga.press("Store the correction").path == f"{DESK}/rounds/1"
    assert (stage.now(played).answers or {})["a.objectives"] == 2
    stored = stage.all(Report)
    olga.page = look
    assert olga.press("Store the correction").path == f"{DESK}/rounds/1"
    assert stage.all(Report) == stored, "a repeated submission stores nothing"


def test_deciding_a_dispute_previews_changes_of_published_awards(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.play(event, 1)
    stage.do(event, add_usual)
    stage.do(event, publish_awards)
    champion = stage.standings(event)[0].name
    final, other = stage.publish(event, 2)
    stage.decide(event, other, 1, 1)
    a, b = stage.name(final.a_id), stage.name(final.b_id)
    winner = b if champion == a else a
    for side, mine in ((ReportSide.A, a), (ReportSide.B, b)):
        won = {"a.objectives": 5, "b.objectives": 0} if mine == a else {"a.objectives": 0, "b.objectives": 5}
        stage.report(event, final, side, won)
    before = stage.digest()
    page = olga.open(f"{DESK}/games/{final.id}")
    page = olga.press(f"Take {winner}’s report")
    assert page.value("reason") == f"As {winner} reported it."
    assert (page.status, stage.digest()) == (200, before)
    assert f"Champion: {winner} instead of {champion}" in page.part("#look")
    page = olga.press("Store the decision")
    assert page.path == f"{DESK}/rounds/2"
    assert f"Champion {winner}" in olga.open("/e/iron-open/awards").text


def test_game_before_a_published_round_says_why_it_cannot_be_opened_again(
    olga: Person, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    game, _ = stage.play(event, 1)
    assert "Open this game again" in olga.open(f"{DESK}/games/{game.id}").part("#open-again")
    stage.publish(event, 2)
    panel = olga.open(f"{DESK}/games/{game.id}").part("#open-again")
    assert "Correct the result instead." in panel and "Open this game again" not in panel
