"""The ranking shows who chose it, by games of events that are over; without the club's switch there is none."""

import csv
import io
from dataclasses import replace

import pytest
from flask import Flask

from app import attach_database
from events.accounts import own_pages
from events.public.rating_queries import people_in_ranking
from events.setup.actions import finish, reopen
from events.tournament.rating import START
from models.person import Person as Page
from models.play import Absent, Player, ReportSide
from models.settings import ReportDetail
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.person import Person
from tests.kit.stage import Event, Stage
from tests.public.conftest import Opened
from validators.report_detail import TOTALS

RANKING = "/ranking"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, ratings=True)


def played(stage: Stage, *names: str, rounds: int = 1, event: str = "Iron Open") -> Event:
    """An event that is over, in which the player entered first wins each game."""
    found = stage.event(event, rounds=rounds, scenarios=("raiders",) * rounds, players=names)
    for number in range(1, rounds + 1):
        stage.play(found, number)
    stage.do(found, finish)
    return found


def rated_page(stage: Stage, *names: str, rated: bool = True, alias: str = "") -> Page:
    """A person with the entries of these names."""
    found: Page | None = None
    for entry in [player for player in stage.all(Player) if player.name in names]:
        if found is None:
            found = own_pages.make_page(stage.s, entry, stage.clock())
        else:
            own_pages.add_entry(stage.s, found, entry, stage.clock())
    assert found is not None
    found.rated_since, found.alias = stage.clock() if rated else None, alias
    stage.s.commit()
    return found


def lines(person: Person, address: str = f"{RANKING}/battle-mode/ranking.csv") -> list[list[str]]:
    """The ranking as its file has it: rank, name, rating, low, high, provisional, games."""
    answer = person.http.get(address)
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    return [*csv.reader(io.StringIO(answer.data.decode("utf-8-sig")))][1:]


def names(person: Person) -> list[str]:
    return [row[1] for row in lines(person)]


def test_ranking_shows_those_who_chose_it_and_counts_the_others_as_unknown(visitor: Person, stage: Stage) -> None:
    played(stage, "Ada", "Bo", "Cy", "Di", rounds=3)
    rated_page(stage, "Ada", alias="A <b>")
    rated_page(stage, "Bo", rated=False)
    rated_page(stage, "Di")
    (first, last) = lines(visitor)
    assert (first[:2], last[:2]) == (["", "A <b>"], ["", "Di"])
    assert int(first[2]) > START > int(last[2]) and first[5:] == last[5:] == ["yes", "3"]
    assert int(first[3]) < int(first[2]) < int(first[4])
    assert visitor.open(RANKING).rows("table.ranking") == [
        ["3 games of about 10"],
        *(
            [name, f"{row[2]}, between {row[3]} and {row[4]} {row[3]}–{row[4]}", row[2]]
            for name, row in (("A <b>", first), ("Di", last))
        ),
    ]
    assert "Bo" not in visitor.page.text and "Ada" not in visitor.page.text
    assert visitor.page.part(".lede") == "Battle Mode: 2 players of 1 event"
    assert visitor.open("/").soup.select(f"a[href='{RANKING}']")
    assert visitor.open("/statistics").soup.select(f"a[href='{RANKING}']")


def test_rank_comes_with_enough_games_and_equal_ratings_share_it(visitor: Person, stage: Stage) -> None:
    for number in range(5):
        played(stage, "Ada", "Bo", "Cy", "Di", rounds=3, event=f"Open {number}")
    for name in ("Ada", "Bo"):
        rated_page(stage, name)
    rows = lines(visitor)
    assert [row[:2] for row in rows] == [["1", "Ada"], ["2", "Bo"]] and {row[6] for row in rows} == {"15"}
    first, second = visitor.open(RANKING).soup.select("ol.band > li")
    assert (first.select(".band-place")[0].text, first.select(".who b")[0].text) == ("1", "Ada")
    assert second.select(".interval-mark title") and not visitor.page.soup.select("table.ranking")


def test_who_is_nearest_to_a_rank_comes_first_and_none_without_a_rank_is_above(visitor: Person, stage: Stage) -> None:
    for number in range(5):
        played(stage, "Ada", "Bo", "Cy", "Di", rounds=3, event=f"Open {number}")
    played(stage, "Ed", "Fay", rounds=1, event="Duel")
    for name in ("Bo", "Ed"):
        rated_page(stage, name)
    played(stage, "Gil", "Hal", "Ida", "Jo", rounds=2, event="Short")
    rated_page(stage, "Jo")
    page = visitor.open(RANKING)
    assert [tag.text for tag in page.soup.select("ol.band .who b")] == ["Bo"], "the first with a rank"
    assert [row[0] for row in page.rows("table.ranking")] == ["2 games of about 10", "Jo", "1 game of about 10", "Ed"]
    assert [row[1] for row in lines(visitor)[1:]] == ["Ed", "Jo"], "by their ratings it would be the other way round"


def test_games_of_events_that_are_over_and_public_count(visitor: Person, stage: Stage) -> None:
    event = played(stage, "Ada", "Bo")
    rated_page(stage, "Ada")
    assert names(visitor) == ["Ada"]
    stage.do(event, reopen)
    assert visitor.open(RANKING).status == 200 and "Nobody is in the ranking yet" in visitor.page.text
    assert visitor.http.get(f"{RANKING}/battle-mode").status_code == 404
    stage.do(event, finish)
    assert names(visitor) == ["Ada"]
    stage.set(event, unlisted=True)
    assert visitor.http.get(f"{RANKING}/battle-mode").status_code == 404
    stage.set(event, unlisted=False, campaign={})
    assert visitor.http.get(f"{RANKING}/battle-mode").status_code == 404


def test_no_show_and_bye_do_not_count_and_a_correction_does(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=2, scenarios=("raiders",) * 2, players=("Ada", "Bo", "Cy"))
    stage.play(event, 1)
    for game in stage.publish(event, 2):
        if game.b_id is not None:
            stage.no_show(event, game, Absent.B)
    stage.do(event, finish)
    for name in ("Ada", "Bo", "Cy"):
        rated_page(stage, name)
    before = {row[1]: row for row in lines(visitor)}
    (game,) = [a_game for a_game in stage.games(event, 1) if a_game.b_id]
    winner, loser = sorted((stage.name(game.a_id), stage.name(game.b_id)))
    assert before.keys() == {winner, loser} and before[winner][6] == "1" and int(before[winner][2]) > START
    stage.do(event, reopen)
    stage.decide(event, game, *((1, 3) if stage.name(game.a_id) == winner else (3, 1)))
    stage.do(event, finish)
    after = {row[1]: row for row in lines(visitor)}
    assert (after[winner][2], after[loser][2]) == (before[loser][2], before[winner][2])


def test_person_joins_and_leaves_on_their_page_at_once(visitor: Person, opened: Opened, stage: Stage) -> None:
    for number in range(2):
        played(stage, "Ada", "Bo", event=f"Open {number}")
    ada = opened(rated_page(stage, "Ada", rated=False))
    assert "Nobody is in the ranking yet" in visitor.open(RANKING).text
    assert "it shows “ Ada ” with a rating" in ada.open("/me").part("#ranking")
    assert "You are in the ranking." in ada.press("Join the ranking").flashes
    assert names(visitor) == ["Ada"]
    assert ada.open("/me").part("#ranking .figure-value")[:2] == "16"
    assert "2 of about 10 games that a rank needs" in ada.page.part("#ranking") and "provisional" in ada.page.part(
        ".tiles"
    )
    assert ada.page.part("#ranking figcaption").endswith("more than after the first.")
    assert not ada.page.soup.select("#ranking figure svg"), "two events make no line"
    (link,) = ada.page.soup.select("#ranking a[download]")
    file = lines(ada, str(link["href"]))
    assert [row[0] for row in file] == ["Open 0", "Open 1"] and file[-1][1] == lines(visitor)[0][2]
    assert visitor.open(RANKING).soup.select("tr.own") == [] and ada.open(RANKING).soup.select("tr.own")
    assert "You are out of the ranking." in ada.press("Leave the ranking", at="/me").flashes
    assert "Nobody is in the ranking yet" in visitor.open(RANKING).text
    assert "Join the ranking" in ada.page.text


def test_page_that_everybody_reads_has_the_rating_too(visitor: Person, stage: Stage) -> None:
    for number in range(2):
        played(stage, "Ada", "Bo", event=f"Open {number}")
    page = rated_page(stage, "Ada", alias="Ace")
    assert not visitor.open(RANKING).soup.select("table.ranking a")
    page.shown = True
    stage.s.commit()
    (link,) = visitor.open(RANKING).soup.select("table.ranking a")
    assert visitor.open(str(link["href"])).part("section:has(#rating) .figure-value")[:2] == "16"
    assert "Join the ranking" not in visitor.page.text
    (file,) = visitor.page.soup.select("figure.chart a[download]")
    assert len(lines(visitor, str(file["href"]))) == 2


def test_joined_pages_are_one_person_and_no_game_against_oneself_counts(visitor: Person, stage: Stage) -> None:
    played(stage, "Ada", "Bo")
    played(stage, "Adele", "Bo", event="Rust Cup")
    main, other = rated_page(stage, "Ada"), rated_page(stage, "Adele")
    assert sorted(names(visitor)) == ["Ada", "Adele"]
    own_pages.put_together(stage.s, main, other)
    stage.s.commit()
    assert [row[1:2] + row[6:] for row in lines(visitor)] == [["Ada", "2"]]
    bo = rated_page(stage, "Bo")
    own_pages.put_together(stage.s, main, bo)
    stage.s.commit()
    assert visitor.http.get(f"{RANKING}/battle-mode").status_code == 404


def test_each_game_has_its_ranking(visitor: Person, stage: Stage) -> None:
    for number in range(2):
        played(stage, "Ada", "Bo", event=f"Open {number}")
    wars = stage.event(
        "Wars", game="fallout_warfare", rounds=1, report_detail=ReportDetail.TOTALS, players=("Ada", "Bo")
    )
    for game in stage.publish(wars, 1):
        stage.report(wars, game, ReportSide.ORGANISER, dict(zip(TOTALS, (9, 3), strict=True)))
    stage.do(wars, finish)
    rated_page(stage, "Ada")
    assert [lines(visitor, f"{RANKING}/{game}/ranking.csv")[0][6] for game in ("battle-mode", "fallout-warfare")] == [
        "2", "1",
    ]  # fmt: skip
    assert visitor.open(RANKING).part(".lede").startswith("Battle Mode")
    assert visitor.page.soup.select(f"a[href='{RANKING}/fallout-warfare']")


def test_programs_read_the_ranking(visitor: Person, stage: Stage) -> None:
    played(stage, "Ada", "Bo")
    rated_page(stage, "Ada")
    answer = visitor.http.get("/api/v1/ranking/battle_mode").get_json()
    (row,) = lines(visitor)
    figures = {"rating": int(row[2]), "low": int(row[3]), "high": int(row[4]), "games": 1, "person": None}
    assert answer == {"items": [{"rank": None, "name": "Ada", **figures}], "next": None}
    assert visitor.http.get("/api/v1/ranking/new_vegas").status_code == 404


def test_without_the_switch_there_is_no_ranking(
    app: Flask, settings: Settings, stage: Stage, clock: Clock, opened: Opened
) -> None:
    played(stage, "Ada", "Bo")
    page = rated_page(stage, "Ada")
    attach_database(app, replace(settings, ratings=False), stage.engine, clock)
    ada = opened(page)
    for address in (RANKING, f"{RANKING}/battle-mode", f"{RANKING}/battle-mode/ranking.csv"):
        assert ada.http.get(address).status_code == 404
    assert ada.http.get("/api/v1/ranking/battle_mode").status_code == 404
    for address in ("/me", "/", "/statistics"):
        assert "anking" not in ada.open(address).text
    assert ada.post("/me/ranking", join="yes").status_code == 404


def test_who_has_no_page_cannot_join(visitor: Person, stage: Stage) -> None:
    assert visitor.post("/me/ranking", join="yes").status_code == 403
    assert people_in_ranking(stage.s) == {}
