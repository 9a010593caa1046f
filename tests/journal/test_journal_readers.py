"""What each role reads in the journal: a mark in every column and kind of entry, searched on every page."""

import ast
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import JSON, Boolean, Column, Date, Integer
from sqlalchemy import Enum as ChoiceType

from events.journal.queries import PLAYERS_READ
from events.journal.readers import KIND_READERS, OF_DRAFTS, OPEN, ROW_READERS
from events.play.journal import note
from models.base import UTCDateTime
from models.capture import Change, store_changes, store_entry, store_set
from models.captured import Concerned, columns_of, followed
from models.event import Event
from models.journal import Actor, RowChangeKind
from models.play import Player
from models.staff import Role
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import BY, Stage

JOURNAL = "/e/iron-open/desk/journal"
MINE = "/e/iron-open/me/journal"
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
    "message.", "delivery.", "contact.", "kept_apart.", "player.paid_at", "award.", "award_pick.", "painting_vote.",
    "sports_mark.", "game.notes", "team_match.notes", "round.inputs", "round.outcome", "meeting.inputs",
    "meeting.outcome", "meeting.seed",
}  # fmt: skip
STAFF_KINDS = {"invite-staff", "withdraw-invitation", "join-staff", "change-role", "leave-staff"}
DESK_KINDS = {
    "message", "mail-again", "mail-failed", "mail-unsure", "mail-address", "keep-apart", "let-meet", "paid", "unpaid",
    "add-award", "move-award", "name-winner", "remove-award", "unname-winner",
}  # fmt: skip
STEPS = STAFF_KINDS | DESK_KINDS | {"report"}
"""Kinds of which an undo entry is written as well."""
HIDDEN = {
    Role.OWNER: (FROM_ALL, set[str]()),
    Role.ORGANISER: (FROM_ORGANISERS, STAFF_KINDS),
    Role.JUDGE: (FROM_JUDGES, STAFF_KINDS | DESK_KINDS),
}


@cache
def noted_kinds() -> set[str]:
    """Every kind of entry in the calls of ``note`` and ``note_players``."""
    found = set()
    for path in Path("events").rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        named = [(name_of(one.targets[0]), one.value) for one in nodes if isinstance(one, ast.Assign)]
        for call in (one for one in nodes if isinstance(one, ast.Call)):
            kinds = call.args[4:5] if name_of(call.func) in ("note", "_note") else []
            if name_of(call.func) == "note_players":
                passed = call.args[5:7]
                pairs = [*passed, *(value for name, value in named if name in {*map(name_of, passed)} - {""})]
                kinds = [one.elts[0] for one in pairs if isinstance(one, ast.Tuple)]
            parts = [part for kind in kinds for part in ast.walk(kind)]
            found |= {one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return found


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def test_every_table_and_kind_of_entry_has_readers() -> None:
    assert {name for name in ROW_READERS if "." not in name} == {table.name for table in followed()}
    assert OPEN | KIND_READERS.keys() == noted_kinds()
    assert not OPEN & KIND_READERS.keys()
    assert noted_kinds() >= PLAYERS_READ | set(OF_DRAFTS)


@dataclass(frozen=True)
class Marked:
    """Readers by role or name, and the write that changed every column of rows about a player."""

    people: dict[str, Person]
    write: int
    about: int


def value_of(column: Column[Any], mark: str) -> str | int | None:
    """A value of the column's type as the journal stores it, with the mark in it where a text can be."""
    full = f"{column.table.name}.{column.name}"
    if isinstance(column.type, JSON):
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
def marked(app: Flask, stage: Stage, event: Event, enter: Callable[..., list[Person]], olga: Person) -> Marked:
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
            note(s, event, BY, stage.clock(), "undo", f"<undid {kind}>", of=own)
    people = {"Ada": ada, "nobody": Person(app)}
    for role in Role:
        stage.hire(event, f"The {role.value}", role)
        people[role] = let_in(app, stage.hire_of(role.value))
    return Marked(people, number, cy.id)


def answers_to(person: Person, marked: Marked) -> list[str]:
    """Every page on which somebody could read of the write: the journal, its search and downloads, the desk."""
    asked = [f"{JOURNAL}.csv", f"{JOURNAL}.jsonl", f"{JOURNAL}/{marked.write}", MINE]
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
    return {one for one in marks if f"<{one}>" in found}


def columns_in(jsonl: str) -> set[str]:
    rows = [row for line in jsonl.splitlines() for row in json.loads(line)["rows"]]
    return {f"{row['table']}.{column}" for row in rows for column in row["after"]}


@cache
def columns() -> set[str]:
    return {f"{table.name}.{column.name}" for table in followed() for column in columns_of(table)}


def forbidden(kinds_and_columns: tuple[set[str], set[str]]) -> set[str]:
    """The columns and the marks of entries that a role must not read."""
    starts, kinds = kinds_and_columns
    hidden = {one for one in columns() if one in starts or f"{one.split('.')[0]}." in starts}
    return hidden | {one for one in sentences() if one.split()[1] in kinds}


def sentences() -> set[str]:
    """The marks of all entries."""
    did = {f"did {kind}" for kind in noted_kinds() - {"undo"}}
    return did | {f"{how} {kind}" for kind in STEPS for how in ("then", "undid")}


@pytest.mark.proves("ASVS 8.2.3", "ASVS 15.3.1")
def test_each_role_reads_only_what_its_pages_show(marked: Marked) -> None:
    for role, kinds_and_columns in HIDDEN.items():
        person, hidden = marked.people[role], forbidden(kinds_and_columns)
        found = answers_to(person, marked)
        assert marks_in(found, hidden) == set(), role
        assert columns_in(found[1]) == columns() - hidden, role
        assert marks_in(found, sentences()) == sentences() - hidden, f"the control: {role} reads all others"
        if role == Role.OWNER:
            assert {"message.text", "ruling.reason", "player.name"} <= marks_in(found, columns())
    for name in {*marked.people} - HIDDEN.keys():
        person = marked.people[name]
        assert marks_in(answers_to(person, marked), columns() | sentences()) == set(), name
        if isinstance(name, Role):
            assert person.open(f"{JOURNAL}.jsonl").status == 403


def test_player_reads_their_own_entries_of_public_kinds(marked: Marked, stage: Stage, event: Event) -> None:
    ada = stage.one(Player, name="Ada")
    with stage.changing(event) as s:
        for kind in noted_kinds():
            note(s, event, BY, stage.clock(), kind, f"<own {kind}>", player=ada.id)
    found = marks_in(answers_to(marked.people["Ada"], marked), {f"own {kind}" for kind in noted_kinds()})
    assert {"own ruling", "own check-in", "own approve-list"} <= found
    assert not found & {f"own {kind}" for kind in (STAFF_KINDS | DESK_KINDS) - {"message", "mail-address"}}
