"""The archive for publication: no persons in it, and the same standings where it is imported."""

import json
from collections.abc import Iterator

import pytest

from events.journal.invariants import check_invariants, in_lines
from events.registration.erasure import erase
from events.setup.archive import Level, archive_bytes, archive_of, check_publishable
from events.setup.archive_file import read_archive
from events.setup.archive_schema import archive_schema
from events.setup.publication import LEFT_OUT
from events.standings.queries import standings_of
from models.db import open_engine
from models.event import Event, EventState
from models.play import Game, Player
from tests.kit.archives import archived, taken_in
from tests.kit.one_person import NAME, SECRETS, planted
from tests.kit.person import Person
from tests.kit.stage import Stage


def places(stage: Stage, event: Event) -> list[tuple[object, ...]]:
    stage.s.expire_all()
    return [(row.rank, row.id, row.points, row.vp) for row in standings_of(stage.s, event).of_players()]


@pytest.fixture
def elsewhere(other_url: str, stage: Stage) -> Iterator[Stage]:
    engine = open_engine(other_url)
    there = Stage(engine, stage.clock)
    yield there
    there.s.close()
    engine.dispose()


@pytest.mark.both_at_length
def test_archive_for_publication_names_no_person_and_imports_with_the_same_standings(
    stage: Stage, elsewhere: Stage, database_url: str
) -> None:
    event = planted(stage)
    data = archive_bytes(archive_of(stage.s, event, stage.clock(), Level.PUBLICATION))
    text, document = data.decode(), json.loads(data)
    people = [*SECRETS, "Qzold", "Bo", "Cy", "Di", "Reds", "Blues", "Olga"]
    assert [word for word in people if f'"{word}' in text or f" {word}" in text] == []
    assert (document["level"], document["journal"]) == ("publication", [])
    assert {table for table in LEFT_OUT if document["tables"][table]} == set()
    assert [row["name"] for row in document["tables"]["player"]] == [f"Player {number}" for number in range(1, 5)]
    assert document["tables"]["ruling"][0]["reason"] == ""
    assert {row["code"] for row in document["tables"]["game"]} == {""}
    there = taken_in(elsewhere.s, data, stage.clock())
    assert "" not in {row.code for row in elsewhere.all(Game)}
    assert places(elsewhere, there) == places(stage, event)
    assert in_lines(check_invariants(elsewhere.s)) == []


@pytest.mark.both_at_length
def test_whole_archive_of_an_event_with_an_erased_player_is_imported(
    stage: Stage, elsewhere: Stage, database_url: str
) -> None:
    event = planted(stage)
    stage.do(event, erase, next(one for one in stage.all(Player) if one.name.startswith(NAME)))
    there = taken_in(elsewhere.s, archived(stage.engine, event, stage.clock()), stage.clock())
    assert places(elsewhere, there) == places(stage, event)


def test_publication_waits_for_the_end_and_for_the_lists(stage: Stage, olga: Person) -> None:
    event = planted(stage, over=False)
    stage.refuse_to("Close the event first", check_publishable, event, stage.clock())
    page = olga.open("/e/iron-open/desk/archive")
    assert "Close the event first" in page.part("#publication")
    refused = olga.open("/e/iron-open/desk/archive.json?level=publication")
    assert "Close the event first" in refused.flashes
    stage.set(event, state=EventState.FINISHED)
    file = olga.open("/e/iron-open/desk/archive").soup.select_one("#publication a")
    assert file is not None
    answer = olga.ask("GET", str(file["href"]))
    assert "iron-open-published-archive.json" in answer.headers["Content-Disposition"]
    assert read_archive(answer.data).event["slug"] == "iron-open"


def test_schema_says_the_level_and_older_archives_are_whole(stage: Stage) -> None:
    level = archive_schema()["properties"]["level"]
    assert (level["enum"], level["default"]) == (["whole", "publication"], "whole")
