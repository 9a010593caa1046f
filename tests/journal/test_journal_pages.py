"""The journal's pages: search, paging, before and after; what each role reads, searched on every page by marks."""

import ast
import csv
import io
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from bs4 import Tag
from flask import Flask
from sqlalchemy import Boolean, Column, Date, Integer
from sqlalchemy import Enum as ChoiceType

from events.journal.kinds import KINDS
from events.journal.queries import ON_A_PAGE, PLAYERS_READ, Wanted, found
from events.journal.readers import KIND_READERS, OF_DRAFTS, OPEN, RETIRED, ROW_READERS, Reader
from events.journal.wording import ROWS
from events.rounds.actions import publish_round
from events.rounds.draft import lock
from events.setup.pairing_actions import set_soft_rules
from events.standings.awards import add_award
from events.standings.soft_scores import open_vote, vote
from events.store.act import Act
from events.store.journal import entry_words, note
from events.store.visitor import Visitor
from events.tournament.points_table import PointsTable, Step
from events.tournament.season import Season
from events.tournament.soft_rules import Painting, SoftRules, Sports
from languages.message import message
from languages.words import speaking
from models.award import AwardKind
from models.base import UTCDateTime
from models.capture import Change, store_changes, store_entry, store_set
from models.captured import Concerned, columns_of, followed, is_document
from models.journal import Actor, JournalEntry, RowChangeKind
from models.people import Account
from models.settings import AvoidClubs
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.people import let_in
from tests.kit.person import Enter, Page, Person
from tests.kit.sources import nodes, python_files
from tests.kit.stage import BY, Event, Player, ReportSide, Role, Stage
from tests.kit.visitors import STAFF
from validators.restrictions import Restrictions

JOURNAL = "/e/iron-open/desk/journal"
MINE = "/e/iron-open/me/journal"


def entries(page: Page) -> list[str]:
    return entries_in(page.soup)


def entries_in(part: Tag) -> list[str]:
    return [" ".join(tag.get_text(" ").split()) for tag in part.select(".journal-text > bdi")]


def follow(person: Person, page: Page, label: str) -> Page:
    link = next(tag for tag in page.soup.find_all("a") if " ".join(tag.get_text(" ").split()) == label)
    return person.open(str(link["href"]))


@pytest.fixture
def played(stage: Stage, event: Event, enter: Enter, olga: Person) -> list[Person]:
    """Four players, a round played, a result corrected, a round drawn and not published."""
    people = [*enter(event, "Ada"), *enter(event, "Bo", "Cy", "Di")]  # Ada by a change of her own
    stage.force(event, stage.one(Player, name="Bo"), read_force(PIPER))
    games = stage.play(event, 1)
    stage.clock.advance(minutes=5)
    stage.decide(event, games[0], 2, 2)
    stage.draw(event, 2)
    return people


def test_named_tables_exist() -> None:
    assert ROWS.keys() <= {table.name for table in followed()}


def test_newest_entry_is_first_and_opens_to_before_and_after(played: list[Person], olga: Person) -> None:
    page = olga.open(JOURNAL)
    assert entries(page)[0] == "Drew round 2: 2 games"
    assert entries(page)[1].startswith("Round 1, table 1: the result is corrected from 1 : 3 to 2 : 2")
    opened = page.part("ol.journal > li:nth-of-type(3) .journal-rows")
    days = [tag.get_text() for tag in page.soup.select(".journal-day")]
    assert len(days) == len(set(days)) > 0, "a heading for each day"
    assert len(page.part(".journal-line > time")) == len("15:01"), "no seconds"
    assert "Game, round 1, table 1, Cy – Bo result before: 1 : 3 after: 2 : 2" in opened
    assert "{" not in page.part("main"), "no raw document"


SET: dict[str, Any] = {
    "tie_breaks": ["vp_share", "head_to_head", "lots"],
    "draw_rules": {"method": "fold", "off": ["second_byes"], "banned": ["bye_height"]},
    "soft_rules": SoftRules(sports=Sports.THUMBS),
    "season": Season(days=7, kind="ladder", answer_days=3),
    "campaign": {"settings": {"merchant": "4", "first_turfs": "roll"}, "plan": {}, "seed": "1", "version": 1},
    "questions": [{"id": "q1", "label": "Lunch", "kind": "number", "choices": [], "required": True}],
    "restrictions": Restrictions(banned=("Piper",)),
    "points_table": PointsTable((Step(3, 10, 10), Step(None, 20, 0)), 10, 15),
    "top_tables": False,
    "legs": 2,
    "avoid_clubs": AvoidClubs.ALWAYS,
}


def test_stored_ids_are_shown_by_their_labels(stage: Stage, event: Event, olga: Person) -> None:
    with stage.changing(event) as s:
        for column, value in SET.items():
            setattr(event, column, value)
        add_award(Act(s, event, BY, stage.clock()), AwardKind.PAINTED_VOTE, "Brush", 1)
    shown = olga.open(JOURNAL).part("main")
    ids = "battle_mode|2018-08|fold|thumbs|ladder|roll|q1|number|None|True|False"
    found = set(re.findall(rf"(?:: |, |before |after: )({ids})\b|([a-z]+_[a-z_]+)", shown))
    assert not found, shown
    for words in (
        "system after: Battle Mode",
        "after: VP share, Head to head, Lot",
        "after: Banned: Piper",
        "Seating before: Top pairs on the first tables after: By lot",
        "Levels as good as forbidden: The bye above the lowest group",
        "after: Question: Lunch, Answer: A number, Players must answer: yes",
        "A win by 0 to 3 VP 10 : 10, 4 or more VP 20 : 0; a draw 10 : 10.",
        "kind after: the most votes for painting",
    ):
        assert words in shown, (words, shown)


def test_steps_to_one_result_or_place_are_one_line_that_opens(
    stage: Stage, event: Event, enter: Enter, olga: Person
) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di")
    stage.force(event, stage.one(Player, name="Ada"), read_force(PIPER))
    games = stage.publish(event, 1)
    for side in (ReportSide.A, ReportSide.B):
        for game in games:
            by = "organiser Olga" if side == ReportSide.A else f"player {stage.name(game.b_id or 0)}"
            stage.report(event, game, side, {"a.objectives": 3}, by=by)
    page = olga.open(JOURNAL)
    assert "several people" in page.part(".journal-list > li > details > summary")

    def lines() -> list[tuple[str, str]]:
        return [
            (entries_in(tag)[0], str(tag.select(".sign path")[0]["d"]))
            for tag in olga.open(JOURNAL).soup.select(".journal-list > li > details > summary")
        ]

    check = "M4.5 12.5l5 5 10-11"
    assert lines()[0] == ("2 results of round 1 confirmed", check)
    results = page.soup.select(".journal-list > li:nth-of-type(2) > details > ol > li")
    assert [entries_in(tag)[0] for tag in results] == [f"Round 1, table {n}: the result is confirmed" for n in (2, 1)]
    assert "the result waits for the other side" in results[0].select(".earlier")[0].get_text(), "opened below"
    assert results[0].select("small")[0].get_text() == "1 earlier step"
    assert len(entries(page)) == 1 + len(set(page.soup.select("[id^=entry-]"))), "every entry once, after the fold"
    (ada,) = (line for line, _ in lines() if "Ada" in line)
    assert ada.startswith("Ada submitted a list"), "with the registration and the change of the list"
    stage.clock.advance(minutes=61)
    stage.decide(event, games[0], 2, 2)
    assert "corrected" in lines()[0][0]
    assert lines()[1] == ("2 results of round 1 confirmed", check), "an hour before"


def test_kinds_are_of_verbs_that_exist() -> None:
    verbs = [verb for kind in KINDS.values() for verb in kind.verbs]
    assert len(verbs) == len(set(verbs))
    assert set(verbs) <= OPEN | KIND_READERS.keys()


@pytest.mark.both_at_length
def test_entries_are_found_by_what_they_are_about(played: list[Person], stage: Stage, olga: Person) -> None:
    ada = stage.one(Player, name="Ada")
    found = {
        "player": entries(olga.open(f"{JOURNAL}?player={ada.id}")),
        "table": entries(olga.open(f"{JOURNAL}?table=2&round=1&kind=results")),
        "words": entries(olga.open(f"{JOURNAL}?words=CORRECTED")),
        "nobody": entries(olga.open(f"{JOURNAL}?by=player+Bo&kind=rounds")),
        "role": entries(olga.open(f"{JOURNAL}?role=player")),
    }
    assert "Registered Ada and checked them in" in found["player"]
    assert not any("Registered Bo" in text for text in found["player"])
    assert ["Round 1, table 2" in text for text in found["table"]] == [True]
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
            note(Act(s, event, BY, stage.clock()), "do", message(f"No {number}"))
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
    page = olga.open(
        next(str(tag["href"]) for tag in page.soup.select("a.journal-line") if "27 rows" in tag.get_text())
    )
    assert "Drew round 1: 25 games" in page.text
    assert page.text.count("Game, round 1, table") == 25
    assert olga.open(f"{JOURNAL}/999999").status == 404


def test_downloads_are_complete(played: list[Person], stage: Stage, olga: Person) -> None:
    with stage.changing(stage.one(Event)) as s:
        note(Act(s, stage.one(Event), "=cmd", stage.clock()), "do", message("@SUM(1)"))
    rows = list(csv.reader(io.StringIO(olga.open(f"{JOURNAL}.csv").response.text.removeprefix("\ufeff"))))
    assert rows[0] == ["at", "who", "role", "kind", "what", "write"]
    assert [row[4] for row in rows[1:]] == [*[row.text for row in stage.all(JournalEntry)][:-1], "'@SUM(1)"]
    assert rows[-1][1] == "'=cmd"


@pytest.mark.both_at_length
def test_only_staff_who_pair_read_a_draft(app: Flask, stage: Stage, event: Event, enter: Enter, olga: Person) -> None:
    enter(event, "Ada", "Bo", "Cy", "Di")
    jo = let_in(app, stage.hire(event, "Jo", Role.JUDGE))
    game = stage.draw(event, 1)[0]
    stage.do(event, lock, 1, game.a_id, game.b_id, locked=True)
    of_draft = stage.all(JournalEntry)[-2:]
    assert [entry.verb for entry in of_draft] == ["draw-round", "lock"]

    def reads(person: Person) -> set[bool]:
        pages = [person.open(page).response.text for page in (JOURNAL, f"{JOURNAL}.csv")]
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
        open_vote(Act(s, event, BY, stage.clock()))
        vote(Act(s, event, "player Ada", stage.clock()), ada, bo.id)
    for player, lines in ((ada, ["Ada voted for the best painted"]), (bo, [])):
        assert entries(olga.open(f"{JOURNAL}?player={player.id}&kind=other")) == lines


LISTS = {"game.code", "game.notes", "team_match.notes", "asked_byes", "tie_breaks", "scenario_pool", "tables_out"}
LISTS |= {"a_order", "b_order", "items"}

# What each role must not read, stated here independently of the product's table.
FROM_ALL = {
    "fielded_force.document", "game.code", "kept_apart.asked_by",
    "painting_vote.for_id", "painting_vote.voter_id", "sports_mark.about_id", "sports_mark.giver_id",
    "sports_mark.mark", "team_match.a_order", "team_match.b_order",
}  # fmt: skip
FROM_ORGANISERS = FROM_ALL | {"staff.", "invitation."}
FROM_JUDGES = FROM_ORGANISERS | {
    "message.", "delivery.", "contact.", "kept_apart.", "payment.", "player.fee_set",
    "award.", "award_pick.", "painting_vote.",
    "sports_mark.", "join_code.", "code_use.", "game.notes", "team_match.notes",
    "round_draw.inputs", "round_draw.outcome", "event.seed",
}  # fmt: skip
STAFF_KINDS = {"invite-staff", "withdraw-invitation", "join-staff", "change-role", "leave-staff"}
DESK_KINDS = {
    "message", "mail-again", "mail-failed", "mail-unsure", "mail-address", "keep-apart", "let-meet", "paid", "unpaid",
    "give-back", "set-fee", "make-join-codes", "end-join-code",
    "add-award", "move-award", "name-winner", "remove-award", "unname-winner",
}  # fmt: skip
PROGRAM_KINDS = {"make-token", "end-token", "add-webhook", "end-webhook"}
STEPS = STAFF_KINDS | DESK_KINDS | {"report"}
"""Kinds of which an undo entry is written as well."""
HIDDEN = {
    Role.OWNER: (FROM_ALL, set[str]()),
    Role.ORGANISER: (FROM_ORGANISERS, STAFF_KINDS),
    Role.JUDGE: (FROM_JUDGES, STAFF_KINDS | DESK_KINDS | PROGRAM_KINDS),
}


@cache
def noted_kinds() -> set[str]:
    """Every kind of entry in the calls of ``note`` and ``note_players``."""
    found = set()
    for path in python_files("events/"):
        for call in (node for node in nodes(path) if isinstance(node, ast.Call)):
            kinds = call.args[1:2] if name_of(call.func) in ("note", "_note", "_note_call") else []
            if name_of(call.func) == "note_players":
                kinds = [*call.args[2:3], *(keyword.value for keyword in call.keywords if keyword.arg == "of_many")]
            parts = [part for kind in kinds for part in ast.walk(kind)]
            found |= {
                constant.value
                for constant in parts
                if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
            }
    return found


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


@pytest.mark.slow
def test_every_table_and_kind_of_entry_has_readers() -> None:
    assert ROW_READERS.keys() == {table.name for table in followed()}
    assert OPEN | KIND_READERS.keys() == noted_kinds() | RETIRED
    assert not OPEN & KIND_READERS.keys()
    assert noted_kinds() | RETIRED >= PLAYERS_READ | set(OF_DRAFTS)


@dataclass(frozen=True)
class Marked:
    """Readers by role or name, and the write that changed every column of rows about a player."""

    people: dict[str, Person]
    write: int
    about: int


def value_of(column: Column[Any], mark: str) -> str | int | None:
    """A value of the column's type as the journal stores it, with the mark in its text, if it has one."""
    full = f"{column.table.name}.{column.name}"
    if is_document(column):
        return json.dumps([mark] if full in LISTS or column.name in LISTS else {"mark": mark})
    if isinstance(column.type, ChoiceType):
        return str(column.type.enums[-1])
    if isinstance(column.type, UTCDateTime):
        return datetime(2031, 1, 1, tzinfo=UTC).isoformat()
    if isinstance(column.type, Date):
        return "2031-01-01"
    if isinstance(column.type, Boolean):
        return True
    return 7310000 if isinstance(column.type, Integer) else mark


@pytest.fixture
def marked(app: Flask, stage: Stage, event: Event, enter: Enter, olga: Person) -> Marked:
    """A write of every column and kind of entry about Cy; a reader of each role, Ada, and a visitor."""
    ada, *_ = enter(event, "Ada", "Bo", "Cy")
    cy = stage.one(Player, name="Cy")
    with stage.changing(event) as s:
        at = stage.s.connection()
        number = store_set(at, event.id, stage.clock(), Actor(BY, "organiser"), None)
        changes = [
            Change(
                table, 900 + place, event.id, RowChangeKind.CHANGED, {column.name: None},
                {column.name: value_of(column, f"<{table.name}.{column.name}>")}, Concerned([cy.id]),
            )
            for table in followed()
            for place, column in enumerate(columns_of(table))
        ]  # fmt: skip
        store_changes(at, number, event.id, changes)
        line = {"event_id": event.id, "at": stage.clock(), "actor": BY}
        for kind in sorted(noted_kinds() - {"undo"}):
            of_cy = {"verb": kind, "text": f"<did {kind}>", "details": {"player": cy.id}, "change_set_id": number}
            store_entry(at, line | of_cy)
        for kind in sorted(STEPS):
            own = store_set(at, event.id, stage.clock(), Actor(BY, "organiser"), None)
            of_step = {"verb": kind, "text": f"<then {kind}>", "details": {}, "change_set_id": own}
            store_entry(at, line | of_step)
            note(Act(s, event, BY, stage.clock()), "undo", message(f"<undid {kind}>"), of=own)
    people = {"Ada": ada, "nobody": Person(app)}
    for role in Role:
        stage.hire(event, f"The {role.value}", role)
        people[role] = let_in(app, stage.hire_of(role.value))
    return Marked(people, number, cy.id)


def answers_to(person: Person, marked: Marked) -> list[str]:
    """Every page that could show the write: the journal, its search and downloads, the desk."""
    asked = [f"{JOURNAL}.csv", f"{JOURNAL}/{marked.write}", MINE]
    asked += ["/e/iron-open/desk", "/e/iron-open/me"]
    found = [person.open(address).response.text for address in asked]
    for first in (JOURNAL, f"{JOURNAL}?player={marked.about}&words=did"):
        page = person.open(first)
        found.append(page.response.text)
        while older := [link for link in page.soup.select("main a") if "before=" in str(link["href"])]:
            page = person.open(str(older[0]["href"]))
            found.append(page.response.text)
    return found


def marks_in(texts: Iterable[str], marks: Iterable[str]) -> set[str]:
    found = " ".join(texts).replace("&lt;", "<").replace("&gt;", ">")
    return {mark for mark in marks if f"<{mark}>" in found}


@cache
def columns() -> set[str]:
    return {f"{table.name}.{column.name}" for table in followed() for column in columns_of(table)}


def forbidden(kinds_and_columns: tuple[set[str], set[str]]) -> set[str]:
    """The columns and the marks of entries that a role must not read."""
    starts, kinds = kinds_and_columns
    hidden = {column for column in columns() if column in starts or f"{column.split('.')[0]}." in starts}
    return hidden | {sentence for sentence in sentences() if sentence.split()[1] in kinds}


def sentences() -> set[str]:
    did = {f"did {kind}" for kind in noted_kinds() - {"undo"}}
    return did | {f"{how} {kind}" for kind in STEPS for how in ("then", "undid")}


@pytest.mark.proves("ASVS 8.2.3", "ASVS 15.3.1")
def test_each_role_reads_only_what_its_pages_show(marked: Marked, stage: Stage, event: Event) -> None:
    account = stage.all(Account)[0]
    for role, kinds_and_columns in HIDDEN.items():
        person, hidden = marked.people[role], forbidden(kinds_and_columns)
        found = answers_to(person, marked)
        assert marks_in(found, hidden) == set(), role
        reader = Reader(Visitor(account, roles={event.id: role}), event)
        assert {name for name in columns() if reader.reads(*name.split("."))} == columns() - hidden, role
        assert marks_in(found, sentences()) == sentences() - hidden, f"the control: {role} reads all others"
        if role == Role.OWNER:
            assert {"message.text", "ruling.reason", "player.name"} <= marks_in(found, columns())
    for name in {*marked.people} - HIDDEN.keys():
        person = marked.people[name]
        assert marks_in(answers_to(person, marked), columns() | sentences()) == set(), name
        if isinstance(name, Role):
            assert person.open(f"{JOURNAL}.csv").status == 403


def test_player_reads_their_own_entries_of_public_kinds(marked: Marked, stage: Stage, event: Event) -> None:
    ada = stage.one(Player, name="Ada")
    with stage.changing(event) as s:
        for kind in noted_kinds():
            note(Act(s, event, BY, stage.clock()), kind, message(f"<own {kind}>"), player=ada.id)
    person = marked.people["Ada"]
    found = marks_in(answers_to(person, marked), {f"own {kind}" for kind in noted_kinds()})
    assert {"own ruling", "own check-in", "own approve-list"} <= found
    assert follow(person, person.open("/e/iron-open/me"), "Journal entries about me").path == MINE
    assert not found & {f"own {kind}" for kind in (STAFF_KINDS | DESK_KINDS) - {"message", "mail-address"}}


@pytest.mark.both_databases
def test_search_finds_words_in_the_readers_language(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    reader = Reader(STAFF["owner"], event)

    def texts(words: str) -> list[str]:
        return [entry_words(entry) for entry, _ in found(stage.s, reader, Wanted(words=words))]

    english = texts("PUBLISHED round")
    with speaking("de"):
        assert texts("runde VERÖFFENTLICHT") == texts("published round") == ["Runde 1 veröffentlicht"]
        assert texts("Ada") == ["Ada angemeldet und eingecheckt"]
        assert texts("Runde published") == []
    assert english == ["Published round 1"]
    assert texts("Runde") == []
