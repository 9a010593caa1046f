"""The player's own page: what it shows, what it shares with other players' pages, and how few queries it takes."""

from collections.abc import Callable

import pytest
from flask import Flask

from events.hall.player_page import snapshot_of
from events.results import actions as results_actions
from events.standings.awards import add_usual, publish_awards
from models.event import Event, ListsShown
from models.play import Game, Player, ReportSide
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage
from tests.kit.statements import sent
from tests.kit.writing import write_to

ME = "/e/iron-open/me"
NAMES = ("Ada", "Bo", "Cy", "Di")
MOST_STATEMENTS = 5
"""Of one player's own page: the sign-in with the event, own games, why one was decided, the own list and its seals."""


@pytest.fixture
def people(enter: Callable[..., list[Person]], event: Event) -> dict[str, Person]:
    return dict(zip(NAMES, enter(event, *NAMES), strict=True))


def record(page: Page) -> list[list[str]]:
    return page.rows("table.record")


def test_record_grows_by_round_with_points_and_rank(people: dict[str, Person], stage: Stage, event: Event) -> None:
    assert record(people["Ada"].open(ME)) == []
    first = stage.play(event, 1)
    stage.play(event, 2)
    games = stage.publish(event, 3)
    for own in first:
        pair = sorted((stage.name(own.a_id), stage.name(own.b_id)))  # the player entered first wins
        for name, other, result in ((*pair, "Win 3 : 1"), (*pair[::-1], "Loss 1 : 3")):
            lines = record(people[name].open(ME))
            after = [{row.name: row for row in stage.standings(event, number)}[name] for number in (1, 2)]
            assert [line[3].split()[0] for line in lines[:2]] == [str(row.points) for row in after]
            assert [line[4].split()[0] for line in lines[:2]] == [str(row.rank) for row in after]
            assert lines[0][:3] == ["1", f"{other} table {own.table_number}", result]
            assert lines[2][2:] == ["Not reported", "", ""]
    for game, number in ((first[0], 1), (games[0], 3)):
        stage.decide(event, game, 2, 2)
        assert record(people[stage.name(game.a_id)].open(ME))[number - 1][2] == "Draw 2 : 2"
    assert record(people[stage.name(games[0].a_id)].open(ME))[2][3:] == ["", ""], "it counts when the round is complete"
    stage.decide(event, games[1], 2, 1)
    lede = people["Ada"].open(ME).part(".lede")
    (row,) = (row for row in stage.standings(event, 3) if row.name == "Ada")
    assert lede.startswith(f"You are {row.rank}")
    assert f"of 4, with {row.points} tournament points." in lede


def test_opponents_list_is_linked_once_it_is_public(people: dict[str, Person], stage: Stage, event: Event) -> None:
    with stage.changing(event):
        event.lists_shown = ListsShown.ON_PRESS
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    game = stage.publish(event, 1)[0]
    for person in people.values():
        page = person.open(ME)
        assert "Their force" not in page.text
        assert "My force" in page.part("[data-poll-part=forces]")
    with stage.changing(event):
        event.lists_revealed_at = stage.clock()
    reader = people[stage.name(game.a_id)]
    (link,) = (link for link in reader.open(ME).soup.select("a.button") if link.get_text() == "Their force")
    assert link["href"] == f"/e/iron-open/players/{game.b_id}#force"
    assert "Piper" in reader.open(str(link["href"])).part("#force")
    opponent = stage.one(Player, id=game.b_id)
    with stage.changing(event):
        opponent.list_unlocked_at = stage.clock()
    assert "Their force" not in reader.open(ME).text, "the list is being changed"


def test_own_page_and_polling_take_few_statements(
    app: Flask, people: dict[str, Person], stage: Stage, event: Event
) -> None:
    """The control: the first page after the round's last result reads what all of them share."""
    engine = app.extensions["overseer_engine"]
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    stage.play(event, 1)
    games = stage.publish(event, 2)
    for person in people.values():
        assert person.open(ME).status == 200
    counts = {}
    with sent(engine) as counts["warm"]:
        people["Ada"].open(ME)
    stage.decide(event, stage.now(games[0]), 2, 1)
    for name in people:
        with sent(engine) as counts[f"{name}, one result in"]:
            assert people[name].open(ME).status == 200
    for when, statements in counts.items():
        assert len([one for one in statements if one != "BEGIN"]) <= MOST_STATEMENTS, (when, statements)
        assert not [one for one in statements if "FROM round" in one], when
    stage.decide(event, stage.now(games[1]), 2, 1)
    with sent(engine) as first:
        assert people["Bo"].open(ME).part("h1") == "Round 2 is complete"
    assert len(first) > MOST_STATEMENTS
    news = "/e/iron-open/version"
    mark = people["Ada"].http.get(news).headers["ETag"]
    with sent(engine) as asked:
        assert people["Ada"].http.get(news, headers={"If-None-Match": mark}).status_code == 304
    assert len(asked) <= 3, asked


def test_result_is_on_both_own_pages_at_once(people: dict[str, Person], stage: Stage, event: Event) -> None:
    """The control: the other table's page stays as it was read before the report."""
    one, other = stage.publish(event, 1)
    for _ in range(2):
        for person in people.values():
            assert "Report the result" in person.open(ME).text, "the snapshot outlives its session"
    stamp = stage.now(event).players_stamp
    stage.decide(event, one, 4, 2)
    assert stage.now(event).players_stamp == stamp != event.public_stamp
    for player_id, own in ((one.a_id, "4 : 2"), (one.b_id, "2 : 4")):
        page = people[stage.name(player_id)].open(ME)
        assert "Your result is confirmed" in page.text
        assert own in page.part("table.record")
    assert "Your result" not in people[stage.name(other.a_id)].open(ME).text


def test_any_further_change_renews_all_own_pages(people: dict[str, Person], stage: Stage, event: Event) -> None:
    """A round's last result, one in a complete round, a table with extra time, and more than the result."""
    one, other = stage.publish(event, 1)

    def is_renewed(act: Callable[[], object]) -> bool:
        before = stage.now(event).players_stamp
        act()
        return stage.now(event).players_stamp != before

    def with_another_change() -> None:
        with stage.changing(event) as s:
            claim = results_actions.Claim(ReportSide.ORGANISER, {"a.objectives": 2}, one.version, sure=True)
            results_actions.report(s, event, stage.now(one), claim, BY, stage.clock())
            s.get_one(Player, one.a_id).club = "Other"

    assert not is_renewed(lambda: stage.decide(event, stage.now(one), 3, 1)), "the control"
    assert not is_renewed(lambda: stage.decide(event, stage.now(one), 3, 1)), "the same report again"
    assert is_renewed(with_another_change)
    assert is_renewed(lambda: stage.decide(event, stage.now(other), 3, 1))
    assert is_renewed(lambda: stage.decide(event, stage.now(one), 1, 3))
    first, _ = stage.publish(event, 2)
    with stage.changing(event) as s:
        s.get_one(Game, first.id).extra_seconds = 300
    assert is_renewed(lambda: stage.decide(event, stage.now(first), 3, 1))


def test_snapshot_holds_nothing_private_and_nothing_unpublished(
    people: dict[str, Person], stage: Stage, event: Event
) -> None:
    stage.force(event, stage.one(Player, name="Ada"), read_force(PIPER))
    stage.play(event, 1)
    write_to(stage, event)
    drawn = stage.draw(event, 2)
    shared = repr(snapshot_of(stage.s, stage.now(event)))
    assert str(stage.games(event, 1)[0].code) in shared, "the control"
    for canary in ("Piper", *(game.code for game in drawn)):
        assert canary not in shared


def test_player_who_is_not_here_learns_it_and_is_not_ranked(
    people: dict[str, Person], enter: Callable[..., list[Person]], stage: Stage, event: Event
) -> None:
    (late,) = enter(event, "Late", here=False)
    stage.play(event, 1)
    said = late.open(ME).part(".lede")
    assert "You are not checked in. Go to the desk, or you are not drawn into round 2." in said
    assert all("of 4, with" in person.open(ME).part(".lede") for person in people.values()), "who played are counted"


def test_dropped_player_and_latecomer_read_where_they_stand(
    people: dict[str, Person], enter: Callable[..., list[Person]], olga: Person, stage: Stage, event: Event
) -> None:
    stage.play(event, 1)
    people["Di"].open(ME)
    page = people["Di"].press("Drop from the event")
    assert "You dropped after round 1. You are" in " ".join(page.part(".lede").split())
    stage.publish(event, 2)
    (late,) = enter(event, "Late")
    assert "You joined after it was drawn: you play from round 3." in " ".join(late.open(ME).text.split())
    for game in stage.games(event, 2):
        if game.b_id is not None:
            stage.decide(event, game, 3, 1)
    *games, last = [game for game in stage.publish(event, 3) if game.b_id is not None]
    for game in games:
        stage.decide(event, game, 3, 1)
        done = people[stage.name(game.a_id)].open(ME).part("[data-poll-part=now]")
        assert "This is the last round." in done and "next round" not in done
    stage.decide(event, last, 3, 1)
    page = people["Ada"].open(ME)
    assert "That was the last round." in page.part(".lede")
    stage.do(event, add_usual)
    stage.do(event, publish_awards)
    olga.open("/e/iron-open/desk")
    olga.press("Close the event")
    champion = stage.standings(event)[0].name
    assert "You won: Champion" in people[champion].open(ME).text
    for row in stage.standings(event)[:3]:
        page = people[row.name].open(ME)
        assert page.part("h1") == "The event is over" and "Final standings" in page.part(".bar")
        assert f"You came {row.rank}{('st', 'nd', 'rd')[row.rank - 1]} of" in page.text
    words = " ".join(people["Di"].open(ME).text.split())
    assert "You came" in words
    assert "You dropped after round 1." in words
