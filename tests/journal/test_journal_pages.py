"""The journal's pages: search, paging, before and after; and what they hide from whom."""

import csv
import io
import json
from collections.abc import Callable

import pytest
from flask import Flask

from events.journal.queries import ON_A_PAGE
from events.journal.readers import ROW_READERS, nobody
from events.journal.undo import STAYS
from events.journal.wording import ROWS, SAID
from events.play.journal import note
from events.play.rulings import Painting, SoftRules, Sports
from events.rounds.actions import publish_round
from events.rounds.draft import lock
from events.setup.pairing_actions import set_soft_rules
from events.standings.soft_scores import open_vote, vote
from models.captured import columns_of, followed
from models.event import Event
from models.journal import ChangeSet, JournalEntry
from models.play import Player
from models.staff import Role
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import let_in
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage

Enter = Callable[..., list[Person]]
JOURNAL = "/e/iron-open/desk/journal"
MINE = "/e/iron-open/me/journal"


def entries(page: Page) -> list[str]:
    return [" ".join(one.get_text(" ").split()) for one in page.soup.select("ol.journal > li > p:nth-of-type(2)")]


def follow(person: Person, page: Page, label: str) -> Page:
    link = next(one for one in page.soup.find_all("a") if " ".join(one.get_text(" ").split()) == label)
    return person.open(str(link["href"]))


@pytest.fixture
def played(stage: Stage, event: Event, enter: Enter, olga: Person) -> list[Person]:
    """Four players, a round played, a result corrected, a round drawn and not published."""
    people = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.force(event, stage.one(Player, name="Bo"), read_force(PIPER))
    games = stage.play(event, 1)
    stage.clock.advance(minutes=5)
    stage.decide(event, games[0], 2, 2)
    stage.draw(event, 2)
    return people


def test_shown_and_secret_columns_exist() -> None:
    columns = {f"{table.name}.{column.name}" for table in followed() for column in table.columns}
    assert columns >= {name for name in ROW_READERS if "." in name}
    assert ROWS.keys() <= {table.name for table in followed()}
    said = {f"{table}.{column}" for table, names in SAID.items() for column in names.split() if column != "*"}
    assert said <= columns
    assert not said & {name for name, question in ROW_READERS.items() if question is nobody}


def test_each_column_of_a_player_is_shown_and_restored_or_neither_on_purpose() -> None:
    columns = {column.name for table in followed() if table.name == "player" for column in columns_of(table)}
    unsaid = {"event_id", "name_key", "registered_at", "painting_by_hand", "sportsmanship_by_hand", "paid_at"}
    restored = {
        "event_id", "state", "entered_round", "dropped_after", "team_id", "board", "captain", "seed_number",
        "asked_byes", "ringer", "fixed_table", "list_points_set", "painted", "painting", "painting_by_hand",
        "sportsmanship", "sportsmanship_by_hand",
    }  # fmt: skip
    decide = "decide what the journal shows (SAID in wording.py) and what a step back restores (STAYS in undo.py)"
    assert columns == {*SAID["player"].split(), *unsaid}, decide
    assert columns == STAYS["player"] | restored, decide


def test_newest_entry_is_first_and_opens_to_before_and_after(played: list[Person], olga: Person) -> None:
    page = olga.open(JOURNAL)
    assert entries(page)[0] == "Drew round 2: 2 games"
    assert entries(page)[1].startswith("Round 1, table 1: the result is corrected from 1 : 3 to 2 : 2")
    opened = page.part("ol.journal > li:nth-of-type(2) .journal-rows")
    assert "Game, round 1, table 1, Cy – Bo result before: 1 : 3 after: 2 : 2" in opened
    assert "{" not in page.part("main"), "no raw document"


@pytest.mark.both_at_length
def test_entries_are_found_by_what_they_are_about(played: list[Person], stage: Stage, olga: Person) -> None:
    ada = stage.one(Player, name="Ada")
    found = {
        "player": entries(olga.open(f"{JOURNAL}?player={ada.id}")),
        "table": entries(olga.open(f"{JOURNAL}?table=2&round=1&kind=report")),
        "words": entries(olga.open(f"{JOURNAL}?words=CORRECTED")),
        "nobody": entries(olga.open(f"{JOURNAL}?by=player+Bo&kind=draw-round")),
        "role": entries(olga.open(f"{JOURNAL}?role=player")),
    }
    assert "Registered Ada and checked them in" in found["player"]
    assert not any("Registered Bo" in one for one in found["player"])
    assert ["Round 1, table 2" in one for one in found["table"]] == [True]
    assert len(found["words"]) == 1
    assert found["nobody"] == found["role"] == []
    page = olga.open(f"{JOURNAL}?words=nothing+like+that")
    assert "No journal entries match" in page.text
    for wrong in ("player=999", "round=99", "table=-1", "kind=<b>", "role=king"):
        page = olga.open(f"{JOURNAL}?{wrong}")
        assert (page.status, entries(page)) == (422, []), wrong
        assert page.error_at(wrong.split("=")[0]), wrong


def test_paging_is_stable_while_the_journal_grows(stage: Stage, event: Event, olga: Person) -> None:
    for number in range(ON_A_PAGE):
        with stage.changing(event) as s:
            note(s, event, BY, stage.clock(), "do", f"No {number}")
    first = olga.open(JOURNAL)
    assert entries(first) == [f"No {number}" for number in reversed(range(ON_A_PAGE))]
    asked = first.soup.select("main [data-poll]")[0]["data-poll"]
    stage.enter(event, "Ada")
    polled = olga.open(str(asked))
    assert polled.part("[data-poll-part=news]") == "Show 1 new"
    assert [part["data-poll-part"] for part in polled.soup.select("main [data-poll-part]")] == ["news"]
    older = follow(olga, first, "Older")
    assert entries(older) == ["Opened registration", "Created the event Iron Open"]
    assert entries(follow(olga, older, "Newest"))[0] == "Registered Ada and checked them in"


def test_large_write_has_its_own_page(stage: Stage, event: Event, olga: Person) -> None:
    stage.enter(event, *(f"P{number}" for number in range(50)))
    stage.draw(event, 1)
    page = olga.open(JOURNAL)
    page = follow(olga, page, "Before and after, 26 rows")
    assert "Drew round 1: 25 games" in page.text
    assert page.text.count("Game, round 1, table") == 25
    assert olga.open(f"{JOURNAL}/999999").status == 404
    other = stage.event("Other Open")
    (write, *_) = stage.all(ChangeSet, event_id=other.id)
    assert olga.open(f"{JOURNAL}/{write.id}").status == 404


def test_downloads_are_complete(played: list[Person], stage: Stage, olga: Person) -> None:
    with stage.changing(stage.one(Event)) as s:
        note(s, stage.one(Event), "=cmd", stage.clock(), "do", "@SUM(1)")
    rows = list(csv.reader(io.StringIO(olga.open(f"{JOURNAL}.csv").response.text.removeprefix("\ufeff"))))
    assert rows[0] == ["at", "who", "role", "kind", "what", "write"]
    assert [row[4] for row in rows[1:]] == [*[row.text for row in stage.all(JournalEntry)][:-1], "'@SUM(1)"]
    assert rows[-1][1] == "'=cmd"
    lines = [json.loads(line) for line in olga.open(f"{JOURNAL}.jsonl").response.text.splitlines()]
    assert [line["write"] for line in lines] == [one.id for one in stage.all(ChangeSet)]
    corrected = next(line for line in lines if any("corrected" in said["text"] for said in line["said"]))
    game = next(row for row in corrected["rows"] if row["table"] == "game")
    assert game["before"]["answers"] == {"a.objectives": 1, "b.objectives": 3}


# ---- what the pages hide


def test_player_reads_only_their_own_entries(played: list[Person], stage: Stage, olga: Person) -> None:
    ada, bo, *_ = played
    game = stage.games(stage.one(Event), 1)[0]
    inside = [stage.name(game.a_id), stage.name(game.b_id)]
    page = ada.open("/e/iron-open/me")
    page = follow(ada, page, "Journal entries about me")
    assert page.path == MINE
    assert entries(page)[-1] == "Registered Ada and checked them in"
    assert len(entries(page)) == 2 + ("Ada" in inside), "entered, a result, perhaps its correction"
    assert ("corrected" in page.text) == ("Ada" in inside)
    assert "Registered Bo" not in page.text
    assert "submitted a" in bo.open(MINE).text
    assert "submitted a" not in page.text


@pytest.mark.both_at_length
def test_only_staff_who_pair_read_a_draft(app: Flask, stage: Stage, event: Event, enter: Enter, olga: Person) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di")
    jo = let_in(app, stage.hire(event, "Jo", Role.JUDGE))
    game = stage.draw(event, 1)[0]
    stage.do(event, lock, 1, game.a_id, game.b_id, locked=True)
    of_draft = stage.all(JournalEntry)[-2:]
    assert [entry.verb for entry in of_draft] == ["draw-round", "lock"]

    def reads(person: Person) -> set[bool]:
        """Whether each page of the journal shows these entries."""
        pages = [person.open(page).response.text for page in (JOURNAL, f"{JOURNAL}.csv", f"{JOURNAL}.jsonl")]
        found = {entry.text in page for entry in of_draft for page in pages}
        return found | {person.open(f"{JOURNAL}/{entry.change_set_id}").status == 200 for entry in of_draft}

    assert (reads(olga), reads(jo)) == ({True}, {False})
    stage.do(event, publish_round, 1)
    assert reads(jo) == {True}


def test_vote_is_not_found_by_the_player_who_got_it(stage: Stage, event: Event, enter: Enter, olga: Person) -> None:
    stage.do(event, set_soft_rules, SoftRules(painting=Painting.VOTE, sports=Sports.FAVOURITE))
    enter(event, "Ada", "Bo", "Cy")
    ada, bo, _ = (stage.one(Player, name=name) for name in ("Ada", "Bo", "Cy"))
    with stage.changing(event) as s:
        open_vote(s, event, BY, stage.clock())
        vote(s, event, ada, bo.id, "player Ada", stage.clock())
    for player, lines in ((ada, ["Ada voted for the best painted"]), (bo, [])):
        assert entries(olga.open(f"{JOURNAL}?player={player.id}&kind=vote")) == lines
