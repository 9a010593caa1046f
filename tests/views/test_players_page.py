"""The player's page: what it shows in its states, what it shares with the others' pages, and what it never shares."""

from collections.abc import Callable

import pytest
from flask import Flask

from events.web.snapshot import snapshot_of
from models.event import Event, ListsShown
from models.play import Game, Player
from tests.actions.stage import Stage
from tests.conftest import Clock
from tests.forces import read_force
from tests.statements import sent
from tests.views.person import Page, Person
from tests.views.test_forces import DEADLINE, PIPER
from tests.writing import write_to

ME = "/e/iron-open/me"
NAMES = ("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def people(enter: Callable[..., list[Person]], event: Event) -> dict[str, Person]:
    """Four players who are here, by name."""
    return dict(zip(NAMES, enter(event, *NAMES), strict=True))


def record(page: Page) -> list[list[str]]:
    """The rows of the record."""
    return page.rows("table.record")


def test_the_record_grows_by_round_with_what_counted_then(
    people: dict[str, Person], stage: Stage, event: Event
) -> None:
    assert record(people["Ada"].open(ME)) == []
    first = stage.play(event, 1)
    stage.play(event, 2)
    games = stage.publish(event, 3)
    for name, person in people.items():
        page = person.open(ME)
        lines = record(page)
        assert [line[0] for line in lines] == ["1", "2", "3"]
        after = [{row.name: row for row in stage.standings(event, number)}[name] for number in (1, 2)]
        assert [line[3].split()[0] for line in lines[:2]] == [str(row.points) for row in after]
        assert [line[4].split()[0] for line in lines[:2]] == [f"{row.rank}" for row in after]
        assert lines[2][2:] == ["Not reported", "", ""]
        (own,) = (game for game in first if name in (stage.name(game.a_id), stage.name(game.b_id)))
        other = stage.name(own.b_id if stage.name(own.a_id) == name else own.a_id)
        assert lines[0][1] == f"{other} table {own.table_number}"
        winner = min(name, other, key=NAMES.index)  # whoever entered first wins 3 to 1
        assert lines[0][2] == ("Win 3 : 1" if winner == name else "Loss 1 : 3")
    stage.decide(event, games[0], 2, 2)
    page = people[stage.name(games[0].a_id)].open(ME)
    assert record(page)[2][2:] == ["Draw 2 : 2", "", ""], "it counts when the round is complete"
    stage.decide(event, games[1], 2, 1)
    page = people["Ada"].open(ME)
    (row,) = (row for row in stage.standings(event, 3) if row.name == "Ada")
    assert page.part(".lede").startswith(f"You are {row.rank}")
    assert f"of 4, with {row.points} tournament points." in page.part(".lede")


def test_a_corrected_result_is_in_the_record_with_the_next_look(
    people: dict[str, Person], stage: Stage, event: Event
) -> None:
    stage.play(event, 1)
    before = record(people["Ada"].open(ME))
    game = next(g for g in stage.games(event, 1) if "Ada" in (stage.name(g.a_id), stage.name(g.b_id)))
    stage.decide(event, game, 2, 2)
    after = record(people["Ada"].open(ME))
    assert before[0][2] == "Win 3 : 1"
    assert after[0][2] == "Draw 2 : 2"


def test_the_opponents_list_is_one_press_away_once_it_may_be_read_and_not_before(
    people: dict[str, Person], stage: Stage, event: Event, clock: Clock
) -> None:
    with stage.changing(event):
        event.lists_shown = ListsShown.ON_PRESS
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    games = stage.publish(event, 1)
    for person in people.values():
        page = person.open(ME)
        assert "Their force" not in page.text
        assert "My force" in page.part("[data-poll-part=now]")
    with stage.changing(event):
        event.lists_revealed_at = clock()
    game = games[0]
    page = people[stage.name(game.a_id)].open(ME)
    (link,) = (link for link in page.soup.select("a.button") if link.get_text() == "Their force")
    assert link["href"] == f"/e/iron-open/players/{game.b_id}#force"
    assert "Piper" in people[stage.name(game.a_id)].open(str(link["href"])).part("#force")
    opponent = stage.one(Player, id=game.b_id)
    with stage.changing(event):
        opponent.list_unlocked_at = clock()
    assert "Their force" not in people[stage.name(game.a_id)].open(ME).text, "it is being changed"


MOST_STATEMENTS = 5
"""Of one player's own page: sign-in, player, event, the own list, and its seals."""


def test_own_page_takes_few_statements_warm_and_after_a_change_by_another(
    app: Flask, people: dict[str, Person], stage: Stage, event: Event
) -> None:
    """The control: the first page after a change reads what all of them share."""
    engine = app.extensions["overseer_engine"]
    for player in stage.all(Player):
        stage.force(event, player, read_force(PIPER))
    stage.play(event, 1)
    game = stage.publish(event, 2)[0]
    for person in people.values():
        assert person.open(ME).status == 200
    counts = {}
    with sent(engine) as counts["warm"]:
        people["Ada"].open(ME)
    stage.decide(event, stage.now(game), 2, 1)
    with sent(engine) as counts["first after a change"]:
        people["Bo"].open(ME)
    with sent(engine) as counts["after a change"]:
        page = people["Ada"].open(ME)
    assert page.status == 200
    assert len(counts["warm"]) <= MOST_STATEMENTS, counts["warm"]
    assert len(counts["after a change"]) <= MOST_STATEMENTS, counts["after a change"]
    assert len(counts["first after a change"]) > MOST_STATEMENTS
    assert not [one for one in counts["after a change"] if "FROM game" in one or "FROM round" in one]


def test_polling_takes_few_statements(app: Flask, people: dict[str, Person], stage: Stage, event: Event) -> None:
    stage.publish(event, 1)
    news = "/e/iron-open/version"
    mark = people["Ada"].http.get(news).headers["ETag"]
    with sent(app.extensions["overseer_engine"]) as asked:
        assert people["Ada"].http.get(news, headers={"If-None-Match": mark}).status_code == 304
    assert len(asked) <= 3, asked


def test_snapshot_holds_nothing_of_one_player_and_nothing_unpublished(
    people: dict[str, Person], stage: Stage, event: Event
) -> None:
    stage.force(event, stage.one(Player, name="Ada"), read_force(PIPER))
    stage.play(event, 1)
    write_to(stage, event)
    drawn = stage.draw(event, 2)
    shared = repr(snapshot_of(stage.s, stage.now(event)))
    assert str(stage.games(event, 1)[0].code) in shared, "the control: what is looked for would be found"
    for canary in ("Piper", *(game.code for game in drawn)):
        assert canary not in shared


def test_the_snapshot_outlives_its_session(app: Flask, people: dict[str, Person], stage: Stage, event: Event) -> None:
    stage.publish(event, 1)
    for _ in range(2):
        for person in people.values():
            assert "Report the result" in person.open(ME).text
    stage.decide(event, stage.games(event, 1)[0], 2, 1)
    first: Game = stage.games(event, 1)[0]
    assert "Your result is confirmed" in people[stage.name(first.a_id)].open(ME).text


def test_after_the_event_the_page_says_the_place(
    people: dict[str, Person], olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    clock.now = DEADLINE
    for number in (1, 2, 3):
        stage.play(event, number)
    olga.open("/e/iron-open/desk")
    olga.press("Close the event")
    for row in stage.standings(event):
        page = people[row.name].open(ME)
        ending = {1: "st", 2: "nd", 3: "rd"}.get(row.rank, "th")
        assert page.part("h1") == "The event is over"
        assert f"You came {row.rank}{ending} of 4" in page.text
        assert "Final standings" in page.part(".bar")
