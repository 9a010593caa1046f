"""The archive without persons: none in it, and the same standings where it is imported."""

import json
import re
from collections.abc import Callable, Iterator

import pytest

from events.journal.invariants import check_invariants, in_lines
from events.registration.erasure import erase
from events.setup.archive import archive_bytes, archive_of, check_without_persons, tables
from events.setup.archive_file import read_archive
from events.setup.without_persons import LEFT_OUT, SEATS
from events.standings.queries import standings_of
from events.store.tournaments import load
from models.db import open_engine
from models.event import Event, EventState, Round, RoundState
from models.play import Game, Player, PlayerState
from tests.kit.archives import archived, taken_in
from tests.kit.formats import NAMES, cut, cut_event, decide_all, knockout_of, league, publish
from tests.kit.one_person import NAME, SECRETS, planted
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.team_events import COLOURS, enter_teams, team_event


def places(stage: Stage, event: Event) -> list[tuple[object, ...]]:
    stage.s.expire_all()
    return [(row.rank, row.id, row.points, row.vp) for row in standings_of(event).of_players()]


@pytest.fixture
def elsewhere(other_url: str, stage: Stage) -> Iterator[Stage]:
    engine = open_engine(other_url)
    there = Stage(engine, stage.clock)
    yield there
    there.s.close()
    engine.dispose()


KEPT = {
    "award", "award_pick", "event", "fielded_force", "force_list", "game", "list_seal", "painting_vote", "player",
    "report", "round", "round_draw", "ruling", "sports_mark", "team", "team_match", "team_ruling",
}  # fmt: skip
"""Tables whose rows an archive without persons has: each of their texts was looked at."""


def test_each_table_is_kept_or_left_out_on_purpose() -> None:
    assert {table.name for table in tables()} == KEPT | LEFT_OUT.keys(), "say it here, or in LEFT_OUT"


@pytest.mark.both_at_length
def test_archive_names_no_person_and_imports_with_the_same_standings(
    stage: Stage, elsewhere: Stage, database_url: str
) -> None:
    far = stage.event("Far", players=("Ed", "Flo"))
    stage.publish(far, 1)
    with stage.changing(far) as s:  # numbers go on from there
        s.add(Player(id=70_000, event_id=far.id, name="Gus", name_key="gus", state=PlayerState.REGISTERED,
                     registered_at=stage.clock()))  # fmt: skip
    event = planted(stage)
    data = archive_bytes(archive_of(stage.s, event, stage.clock(), persons=False))
    text, document = data.decode(), json.loads(data)
    people = [*SECRETS, "Qzold", "Bo", "Cy", "Di", "Reds", "Blues", "Olga"]
    assert [word for word in people if f'"{word}' in text or f" {word}" in text] == []
    assert document["journal"] == []
    assert {table for table in LEFT_OUT if document["tables"][table]} == set()
    number = re.compile("(?<![0-9a-f])7000[0-9](?![0-9a-f])")  # not within a hash
    assert number.search(str([row.id for row in stage.all(Player)])) and not number.search(text), "of the database"
    for name, rows in document["tables"].items():
        first = rows[0]["id"] if name in SEATS and rows else 1
        assert [row["id"] for row in rows] == [*range(first, first + len(rows))], name
    assert len({row["registered_at"] for row in document["tables"]["player"]}) == 1
    assert document["tables"]["ruling"][0]["reason"] == ""
    assert {row["code"] for row in document["tables"]["game"]} == {""}
    there = taken_in(elsewhere.s, data, stage.clock())
    assert "" not in {row.code for row in elsewhere.all(Game)}
    without_ids = [[(rank, *of) for rank, _, *of in places(*here)] for here in ((elsewhere, there), (stage, event))]
    assert without_ids[0] == without_ids[1]
    assert [row.name for row in standings_of(there).of_players()] == [f"Player {n}" for n in range(1, 5)]
    assert in_lines(check_invariants(elsewhere.s)) == []


def teams_played(stage: Stage) -> Event:
    event = team_event(stage, 2)
    enter_teams(stage, event, *COLOURS[:4])
    return played(stage, event)


def cut_of(stage: Stage) -> Event:
    event = cut_event(stage, 4)
    cut(stage, event)
    publish(stage, event, 2)
    decide_all(stage, event, stage.games(event, 2))
    return event


def played(stage: Stage, event: Event) -> Event:
    """The event, with every round drawn, decided and closed."""
    stage.s.expire_all()
    for the_round in sorted(stage.all(Round, event_id=event.id), key=lambda round_: round_.number):
        if the_round.state != RoundState.PUBLISHED:
            decide_all(stage, event, stage.publish(event, the_round.number))
    stage.set(event, state=EventState.FINISHED, lists_locked_at=stage.clock())
    return event


KINDS: dict[str, Callable[[Stage], Event]] = {
    "swiss by lot": lambda stage: played(stage, stage.event(players=NAMES[:6], rounds=1)),
    "knockout": lambda stage: played(stage, knockout_of(stage, 6, third_place=True)),
    "cut": lambda stage: played(stage, cut_of(stage)),
    "teams": teams_played,
    "round robin": lambda stage: played(stage, league(stage, 5)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_anew_keep_places_and_brackets(stage: Stage, elsewhere: Stage, kind: str) -> None:
    event = KINDS[kind](stage)
    data = archive_bytes(archive_of(stage.s, event, stage.clock(), persons=False))
    there = taken_in(elsewhere.s, data, stage.clock())
    old, new = load(stage.now(event)).t.bracket(), load(there).t.bracket()
    assert (old is None) == (new is None)
    for here in (event, there):
        of = stage if here is event else elsewhere
        assert len(places(of, here)) == len(of.all(Player, event_id=here.id))
    if old and new:
        numbers = {row[1]: other[1] for row, other in zip(places(stage, event), places(elsewhere, there), strict=True)}
        assert [numbers[id_] for id_ in old.seeds] == [*new.seeds]


@pytest.mark.both_at_length
def test_whole_archive_of_an_event_with_an_erased_player_is_imported(
    stage: Stage, elsewhere: Stage, database_url: str
) -> None:
    event = planted(stage)
    stage.do(event, erase, next(player for player in stage.all(Player) if player.name.startswith(NAME)))
    there = taken_in(elsewhere.s, archived(stage.engine, event, stage.clock()), stage.clock())
    assert places(elsewhere, there) == places(stage, event)


ARCHIVE = "/e/iron-open/desk/archive.json"


def test_archive_waits_for_the_end_and_for_the_lists(stage: Stage, olga: Person) -> None:
    event = planted(stage, over=False)
    stage.refuse_to("Close the event first", check_without_persons, event, stage.clock())
    page = olga.open("/e/iron-open/desk/archive")
    assert "Close the event first" in page.part("#without-persons")
    refused = olga.open(f"{ARCHIVE}?without=persons")
    assert "Close the event first" in refused.flashes
    stage.set(event, state=EventState.FINISHED)
    file = olga.open("/e/iron-open/desk/archive").soup.select_one("#without-persons a")
    assert file is not None
    assert olga.ask("GET", f"{ARCHIVE}?level=publication").data == olga.ask("GET", str(file["href"])).data
    answer = olga.ask("GET", str(file["href"]))
    assert "iron-open-archive-without-persons.json" in answer.headers["Content-Disposition"]
    assert read_archive(answer.data).event["slug"] == "iron-open"
