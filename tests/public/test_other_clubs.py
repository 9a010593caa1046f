"""Results of other clubs: taken in from signed archives, claimed by people, counted, taken out."""

import csv
import io
import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlmodel import Session

from events.accounts import own_pages
from events.public.foreign import GONE, claim_row, foreign_results, rated, withdraw_claim
from events.registration.erasure import erase
from events.registration.forms import Follows, Given
from events.registration.ruling_views import give_ruling
from events.setup.actions import finish
from events.setup.archive import Level, archive_bytes, archive_of, checksum, one_moment
from events.setup.archive_check import check_archive
from events.setup.circuit_forms import set_circuit
from events.setup.signing import fingerprint, public_text, signed_archive
from events.tournament.circuit import Circuit
from models.award import Card
from models.event import Event, EventState
from models.foreign import ForeignClub, ForeignEvent, ForeignRow
from models.person import Person as Page
from models.play import Player, ReportSide
from models.settings import ReportDetail
from service.settings import Settings
from tests.kit.archives import signed as unsigned
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.team_events import enter_teams, team_event
from tests.kit.two_at_once import another_waits
from tests.public.conftest import Opened, PageOf
from validators.report_detail import TOTALS

LEEDS, YORK = "the secret of the club in Leeds", "the secret of the club in York"
MARK = fingerprint(public_text(LEEDS))
PUBLISHED = json.dumps({"algorithm": "Ed25519", "key": public_text(LEEDS), "fingerprint": MARK})
POINTS = Circuit((10, 6, 4, 2))
DESK = "/e/home/desk/other-clubs"
SERIES = "/series/winter-circuit"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, ratings=True)


def closed(stage: Stage, name: str, day: int, *players: str, circuit: Circuit | None = POINTS, **more: Any) -> Event:
    """An event of one round that is over; the player named first wins."""
    on = date(2026, 12, day)
    event = stage.event(name, players=players, rounds=1, scenarios=("raiders",), starts_on=on, ends_on=on,
                        **more)  # fmt: skip
    stage.play(event, 1)
    if "series" in more:
        stage.do(event, set_circuit, circuit)
    stage.do(event, finish)
    return event


def archive(stage: Stage, event: Event, secret: str = LEEDS, level: Level = Level.PUBLICATION) -> bytes:
    """The event's archive as its club signs it."""
    with Session(stage.engine) as s:
        made = archive_of(one_moment(s), s.get_one(Event, event.id), stage.clock(), level)
    return archive_bytes(signed_archive(made, secret, "https://club.example"))


@pytest.fixture
def home(stage: Stage, olga: Person) -> Event:
    """The series here, with one event: Ada won, Bo is second."""
    return closed(stage, "Home", 5, "Ada", "Bo", series="Winter Circuit")


@pytest.fixture
def leeds(other: Stage) -> bytes:
    """The published archive of an event in Leeds: "Player 1" won against "Player 2"."""
    return archive(other, closed(other, "Leeds Open", 12, "Ada", "Zed"))


def send(olga: Person, data: bytes, **fields: str) -> Person:
    olga.press("Take in", at=DESK, file=("leeds-archive.json", data), **fields)
    return olga


def take(olga: Person, data: bytes) -> None:
    """Take in the first archive from Leeds."""
    send(olga, data, key=PUBLISHED, club="Iron Club, Leeds")
    assert "is in the series." in olga.page.flashes, olga.page.errors


def table(person: Person) -> list[list[str]]:
    return person.open(SERIES).rows("#circuit")


def row_of(stage: Stage, name: str) -> int:
    return stage.one(ForeignRow, name=name).id


def test_signed_results_count_under_their_published_names(
    home: Event, leeds: bytes, olga: Person, visitor: Person, stage: Stage
) -> None:
    take(olga, leeds)
    assert table(visitor) == [
        ["1", "Ada", "10", "–", "10"],
        ["1", "Player 1 from Iron Club, Leeds", "–", "10", "10"],
        ["3", "Bo", "6", "–", "6"],
        ["3", "Player 2 from Iron Club, Leeds", "–", "6", "6"],
    ]
    said = visitor.page.part("#other-clubs")
    assert f"Leeds Open , 12 Dec 2026, from Iron Club, Leeds , signed with the key {MARK}" in said
    assert "Results of other clubs" not in said and "Results of other clubs" in olga.open(SERIES).part("#other-clubs")
    assert stage.journal(home, "take-in-results") == [
        f"Took Leeds Open from Iron Club, Leeds into the series, signed with the key {MARK}"
    ]


def test_file_and_interface_name_club_and_key(home: Event, leeds: bytes, olga: Person, visitor: Person) -> None:
    take(olga, leeds)
    answer = visitor.http.get(f"{SERIES}/points.csv")
    heads, first, second, *_ = csv.reader(io.StringIO(answer.data.decode("utf-8-sig")))
    source = f"Leeds Open 2026-12-12 (from Iron Club, Leeds, key {MARK})"
    assert heads == ["Rank", "Player", "From", "Home 2026-12-05", source, "Points"]
    assert (first, second) == (
        ["1", "Ada", "", "10", "", "10"], ["1", "Player 1", "Iron Club, Leeds", "", "10", "10"],
    )  # fmt: skip
    items = visitor.http.get("/api/v1" + SERIES).get_json()["items"]
    assert [(entry["rank"], entry["name"], entry["club"], entry["points"]) for entry in items[:2]] == [
        (1, "Ada", None, 10), (1, "Player 1", "Iron Club, Leeds", 10),
    ]  # fmt: skip
    assert items[0]["events"][0] | {"points": 10} == {
        "name": "Home", "day": "2026-12-05", "slug": "home", "club": None, "key": None, "points": 10, "counts": True,
    }  # fmt: skip
    (event,) = items[1]["events"]
    assert (event["slug"], event["club"], event["key"]) == (None, "Iron Club, Leeds", MARK)
    assert visitor.http.get("/api/v1/series/no-such").status_code == 404


def test_series_without_a_table_has_no_file_and_no_items(visitor: Person, stage: Stage) -> None:
    closed(stage, "Home", 5, "Ada", "Bo", series="Winter Circuit", circuit=None)
    assert visitor.http.get(f"{SERIES}/points.csv").status_code == 404
    assert visitor.http.get("/api/v1" + SERIES).get_json() == {"items": [], "next": None}


def changed_game(document: dict[str, Any]) -> None:
    game = document["tables"]["game"][0]
    game["answers"] = {"a.objectives": 0, "b.objectives": 3} if game["answers"]["a.objectives"] else game["answers"]


def swapped(document: dict[str, Any], secret: str) -> bytes:
    """The file signed again, by another key."""
    plain = {key: value for key, value in document.items() if key not in ("sha256", "signature")}
    return archive_bytes(signed_archive(plain | {"sha256": checksum(plain)}, secret, ""))


def refused(stage: Stage, olga: Person, data: bytes, field: str, words: str, **fields: str) -> None:
    """Nothing is stored, and the words stand at the field."""
    rows = stage.stored_rows()
    send(olga, data, **fields)
    assert olga.page.status == 422 and words in olga.page.error_at(field), olga.page.errors
    assert stage.stored_rows() == rows


def test_file_that_is_not_as_it_was_signed_is_refused(home: Event, leeds: bytes, olga: Person, stage: Stage) -> None:
    document: dict[str, Any] = json.loads(leeds)
    told = {"key": PUBLISHED, "club": "Leeds"}
    refused(stage, olga, b"{}", "file", "is no archive that can be read", **told)
    refused(stage, olga, unsigned(document), "file", "Nobody signed this file", **told)
    forged = document | {"signature": document["signature"] | {"key": public_text(YORK)}}
    refused(stage, olga, json.dumps(forged).encode(), "file", "This file was changed", **told)
    refused(stage, olga, swapped(document, YORK), "key", f"That is not the key that you expect, {MARK}", **told)
    document["standings"][0]["rank"] = 2
    refused(stage, olga, swapped(document, LEEDS), "file", "do not follow from its games", **told)
    changed_game(document)
    refused(stage, olga, json.dumps(document).encode(), "file", "This file was changed", **told)
    refused(stage, olga, swapped(document, LEEDS), "file", "its figures differ from its reports", **told)


def test_new_key_needs_the_key_as_published_and_a_free_name(
    home: Event, leeds: bytes, olga: Person, stage: Stage, other: Stage
) -> None:
    refused(stage, olga, leeds, "key", f"The file is signed with the key {MARK}, which is new here")
    refused(stage, olga, leeds, "key", "Paste the text of that page", key="https://leeds.example", club="Leeds")
    refused(stage, olga, leeds, "club", "Enter the name", key=MARK.upper())
    take(olga, leeds)
    again = archive(other, closed(other, "Leeds Cup", 13, "Zed", "Cy"))
    york = archive(other, closed(other, "York Open", 14, "Ada", "Cy"), YORK)
    mark = fingerprint(public_text(YORK))
    refused(stage, olga, york, "club", "is known by another key", key=public_text(YORK), club="IRON Club, Leeds")
    refused(stage, olga, again, "key", "not the key that you expect", key=mark)
    assert "Leeds Cup is in the series." in send(olga, again).page.flashes
    assert "York Open is in the series." in send(olga, york, key=mark, club="York").page.flashes
    assert [foreign_club.name for foreign_club in stage.all(ForeignClub)] == ["Iron Club, Leeds", "York"]


def test_event_that_cannot_count_here_is_refused(
    home: Event, leeds: bytes, olga: Person, stage: Stage, other: Stage, settings: Settings
) -> None:
    take(olga, leeds)
    whole = Level.WHOLE
    refused(stage, olga, leeds, "file", "Leeds Open is here already")
    refused(stage, olga, archive(stage, home, settings.secret), "file", "This club signed the file itself")
    refused(stage, olga, archive(stage, home), "file", "This is Home, an event here")
    running = other.event("Running", players=("Ada", "Bo"))
    other.play(running, 1)
    refused(stage, olga, archive(other, running, level=whole), "file", "Running has no final standings")
    teams = team_event(other)
    enter_teams(other, teams, "Reds", "Blues")
    other.set(teams, state=EventState.FINISHED)
    refused(stage, olga, archive(other, teams, level=whole), "file", "Iron Open has no final standings of single")
    called_off = closed(other, "Called off", 15, "Ada", "Bo")
    other.set(called_off, cancelled_at=other.clock())
    refused(stage, olga, archive(other, called_off, level=whole), "file", "Called off has no final standings")
    wars = other.event("Wars", game="fallout_warfare", rounds=1, players=("Ada", "Bo"),
                       report_detail=ReportDetail.TOTALS)  # fmt: skip
    for game in other.publish(wars, 1):
        other.report(wars, game, ReportSide.ORGANISER, dict(zip(TOTALS, (9, 3), strict=True)))
    other.do(wars, finish)
    refused(stage, olga, archive(other, wars, level=whole), "file", "is an event of Fallout: Warfare, which")


def test_disqualified_row_has_no_place_in_the_table(
    home: Event, olga: Person, visitor: Person, stage: Stage, other: Stage
) -> None:
    event = other.event("Leeds Open", players=("Ada", "Zed"), rounds=1, scenarios=("raiders",))
    other.play(event, 1)
    card = Given("cheated", card=Card.RED, follows=Follows.DISQUALIFIED)
    other.do(event, give_ruling, other.one(Player, name="Ada"), card)
    other.do(event, finish)
    take(olga, archive(other, event))
    assert [(row.name, row.rank) for row in stage.all(ForeignRow)] == [("Player 1", 1), ("Player 2", None)]
    assert [row[1] for row in table(visitor)] == ["Ada", "Player 1 from Iron Club, Leeds", "Bo"]


def test_event_that_is_imported_later_counts_only_from_here(
    home: Event, leeds: bytes, olga: Person, stage: Stage, visitor: Person
) -> None:
    take(olga, leeds)
    assert "Leeds" in visitor.open(SERIES).text
    stage.set(stage.event("Brought in"), seed=stage.one(ForeignEvent).seed)
    assert foreign_results(stage.s) == []
    assert "Leeds" not in visitor.open(SERIES).text
    assert "Conflict: an event here was imported from an archive of the same event" in olga.open(DESK).text
    olga.press("Take out")
    assert stage.all(ForeignEvent) == []


def test_event_without_a_series_takes_nothing_in(olga: Person, stage: Stage, leeds: bytes) -> None:
    stage.event("Home")
    assert "The event is in no series" in olga.open(DESK).text
    assert olga.post(DESK, key=PUBLISHED).status_code == 200
    assert stage.all(ForeignEvent) == []


def test_row_is_a_persons_only_while_they_say_so(
    home: Event, leeds: bytes, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    take(olga, leeds)
    bo = opened(page_of(stage.one(Player, name="Bo"), alias="Bolt"))
    bo.press("This is me at Leeds Open", row=str(row_of(stage, "Player 1")))
    assert "You claimed this result." in bo.page.flashes
    assert "you are Player 1 , rank 1" in bo.page.part("#other-clubs")
    olga.press("Agree", at=DESK)
    assert table(visitor) == [
        ["1", "Bo also at Iron Club, Leeds", "6", "10", "16"],
        ["2", "Ada", "10", "–", "10"],
        ["3", "Player 2 from Iron Club, Leeds", "–", "6", "6"],
    ]
    bo.press("Not me")
    assert "Player 1 from Iron Club, Leeds" in visitor.open(SERIES).text
    assert len(table(visitor)) == 4


def test_person_without_an_entry_in_the_series_has_the_name_of_their_page(
    home: Event, leeds: bytes, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    take(olga, leeds)
    (cy,) = stage.enter(stage.event("Rust Cup"), "Cy")
    opened(page_of(cy, alias="Bo")).press("This is me at Leeds Open", row=str(row_of(stage, "Player 2")))
    olga.press("Agree", at=DESK)
    assert [row[1:] for row in table(visitor)][2:] == [
        ["Bo", "6", "–", "6"],
        ["Bo also at Iron Club, Leeds", "–", "6", "6"],
    ]


def test_first_claim_of_a_row_stands_and_one_of_each_event(
    home: Event, leeds: bytes, olga: Person, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    take(olga, leeds)
    ada, bo = (opened(page_of(stage.one(Player, name=name))) for name in ("Ada", "Bo"))
    first, second = (str(row_of(stage, name)) for name in ("Player 1", "Player 2"))
    bo.open("/me")
    ada.press("This is me at Leeds Open", at="/me", row=first)
    bo.press("This is me at Leeds Open", row=first)
    assert "Somebody has claimed Player 1 of Leeds Open already" in bo.page.flashes
    ada.post("/me/results", row=second)
    assert "You are Player 1 at Leeds Open. Take that back first." in ada.open("/me").flashes
    ada.post("/me/results", row="999")
    assert GONE in ada.open("/me").flashes
    bo.post(f"/me/results/{first}/off")
    assert [row.person_id for row in stage.all(ForeignRow)] == [stage.one(Page, name="Ada").id, None]
    assert Person(olga.http.application).post("/me/results", row=second).status_code == 403


@pytest.mark.both_databases
def test_of_two_claims_at_once_one_is_refused(
    home: Event, leeds: bytes, olga: Person, stage: Stage, page_of: PageOf
) -> None:
    take(olga, leeds)
    ada, bo = (page_of(stage.one(Player, name=name)).id for name in ("Ada", "Bo"))
    row = row_of(stage, "Player 1")

    def second(other_stage: Stage) -> None:
        with other_stage.changing() as s:
            claim_row(s, s.get_one(Page, bo), row)

    with another_waits(stage, None, second) as (s, results):
        claim_row(s, s.get_one(Page, ada), row)
    assert "Somebody has claimed Player 1" in str(results[0])
    assert stage.one(ForeignRow, name="Player 1").person_id == ada


def test_event_is_taken_out_with_its_claims_and_in_again_without_those_that_ended(
    home: Event, leeds: bytes, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    take(olga, leeds)
    ada, bo = (opened(page_of(stage.one(Player, name=name))) for name in ("Ada", "Bo"))
    ada.press("This is me at Leeds Open", row=str(row_of(stage, "Player 2")))
    assert "Player 2 , rank 2: claimed by Ada" in olga.open(DESK).text
    olga.press("End the claim")
    assert stage.journal(home, "end-claim") == ["Ended the claim on Player 2 of Leeds Open (from Iron Club, Leeds)"]
    bo.press("This is me at Leeds Open", row=str(row_of(stage, "Player 1")))
    olga.press("Take out", at=DESK)
    assert stage.journal(home, "take-out-results") == [
        "Took Leeds Open (from Iron Club, Leeds) out of the series; 1 claim ended"
    ]
    assert [row[1] for row in table(visitor)] == ["Ada", "Bo"] and "Leeds" not in visitor.page.text
    assert (stage.all(ForeignClub), stage.all(ForeignRow)) == ([], [])
    assert GONE in (olga.post(f"{DESK}/1/out"), olga.open(DESK))[1].flashes
    take(olga, leeds)
    for name in ("Player 1", "Player 2"):
        ada.post("/me/results", row=str(row_of(stage, name)))
        assert "The organisers ended your claim at Leeds Open" in ada.open("/me").flashes
    assert [row.person_id for row in stage.all(ForeignRow)] == [None, None]


def test_second_key_for_an_event_is_a_conflict_that_names_both(
    home: Event, leeds: bytes, olga: Person, visitor: Person, stage: Stage
) -> None:
    take(olga, leeds)
    before, mark = table(visitor), fingerprint(public_text(YORK))
    conflict = (
        f"Conflict: this file is of the same event as Leeds Open from Iron Club, Leeds, signed with the key {MARK}"
    )
    squat = swapped(json.loads(leeds), YORK)
    refused(stage, olga, squat, "file", conflict, key=public_text(YORK), club="York")
    assert f"another key, {mark} (York)" in olga.page.errors and table(visitor) == before
    renamed = json.loads(leeds)
    renamed["tables"]["event"][0]["seed"] += 1
    send(olga, swapped(renamed, YORK), key=public_text(YORK), club="York")
    refused(stage, olga, squat, "file", f"another key, {mark} (York)")
    olga.press("Take out", at=DESK, inside="#foreign-1")
    send(olga, squat)
    refused(stage, olga, leeds, "file", f"from York, signed with the key {mark}", key=MARK, club="Iron Club, Leeds")


def test_look_alike_name_of_a_club_is_shown_with_its_key(
    home: Event, leeds: bytes, olga: Person, visitor: Person, other: Stage
) -> None:
    take(olga, leeds)
    york = archive(other, closed(other, "York Open", 14, "Ada", "Cy"), YORK)
    send(olga, york, key=public_text(YORK), club="Ir\u043en Club, Leeds")
    mark = fingerprint(public_text(YORK))
    names = {row[1] for row in table(visitor)}
    assert {f"Player 1 from Iron Club, Leeds ({MARK})", f"Player 1 from Ir\u043en Club, Leeds ({mark})"} < names
    heads = visitor.page.part("#circuit thead")
    assert f"from Iron Club, Leeds ({MARK})" in heads and f"from Ir\u043en Club, Leeds ({mark})" in heads
    points = visitor.http.get(f"{SERIES}/points.csv").data.decode()
    assert f'"Iron Club, Leeds ({MARK})"' in points and f'"Ir\u043en Club, Leeds ({mark})"' in points


@pytest.mark.parametrize("leave", ["delete", "erase"])
def test_claim_ends_with_the_page_of_the_person(
    leave: str, home: Event, leeds: bytes, olga: Person, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    take(olga, leeds)
    bo = stage.one(Player, name="Bo")
    person = opened(page_of(bo))
    person.press("This is me at Leeds Open", row=str(row_of(stage, "Player 1")))
    assert stage.one(ForeignRow, name="Player 1").person_id is not None
    if leave == "delete":
        person.press("Delete this page", at="/me/settings")
    else:
        stage.do(home, erase, stage.one(Player, name="Bo"))
    assert stage.one(ForeignRow, name="Player 1").person_id is None


def test_claims_of_joined_pages_are_of_one_person(
    home: Event, leeds: bytes, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    take(olga, leeds)
    main, second = (page_of(stage.one(Player, name=name)) for name in ("Ada", "Bo"))
    opened(second).press("This is me at Leeds Open", row=str(row_of(stage, "Player 2")))
    with stage.changing() as s:
        own_pages.put_together(s, s.get_one(Page, main.id), s.get_one(Page, second.id))
    ada = opened(main)
    assert "you are Player 2" in ada.page.part("#other-clubs")
    ada.post("/me/results", row=str(row_of(stage, "Player 1")))
    assert "You are Player 2 at Leeds Open" in ada.open("/me").flashes
    ada.press("Not me", at="/me")
    assert "you are" not in ada.page.part("#other-clubs")


def test_games_of_a_claimed_row_count_in_the_ranking(
    home: Event, leeds: bytes, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    take(olga, leeds)
    bo = opened(page_of(stage.one(Player, name="Bo")))
    bo.press("Join the ranking")
    first = visitor.http.get("/api/v1/ranking/battle_mode").get_json()["items"]
    assert [entry["person"] for entry in first] == [None], "the page is shown to nobody"
    bo.press("This is me at Leeds Open", at="/me", row=str(row_of(stage, "Player 1")))
    olga.press("Agree", at=DESK)
    assert "Leeds Open (from Iron Club, Leeds)" in bo.open("/me").part("#ranking")
    ((entry,), (two,)) = first, visitor.http.get("/api/v1/ranking/battle_mode").get_json()["items"]
    assert (
        (entry["games"], two["games"]) == (1, 2)
        and entry["rating"] < 1500 < two["rating"] + 100
        and two["rating"] > entry["rating"]
    )
    assert f"from Iron Club, Leeds , signed with the key {MARK}" in visitor.open("/ranking").part("#other-clubs")
    first_row, second_row = row_of(stage, "Player 1"), row_of(stage, "Player 2")
    with stage.changing() as s:
        withdraw_claim(s, s.get_one(Page, 1), first_row)
        claim_row(s, s.get_one(Page, 1), second_row)
    olga.press("Agree", at=DESK)
    (lost,) = visitor.http.get("/api/v1/ranking/battle_mode").get_json()["items"]
    assert lost["games"] == 2 and lost["rating"] < entry["rating"]
    olga.press("Take out", at=DESK)
    assert visitor.http.get("/api/v1/ranking/battle_mode").get_json()["items"] == first
    assert "Leeds" not in visitor.open("/ranking").text


def test_only_people_in_the_ranking_are_rated_by_games_elsewhere(
    home: Event, leeds: bytes, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    take(olga, leeds)
    ada, bo = (opened(page_of(stage.one(Player, name=name))) for name in ("Ada", "Bo"))
    ada.press("This is me at Leeds Open", row=str(row_of(stage, "Player 1")))
    bo.press("This is me at Leeds Open", row=str(row_of(stage, "Player 2")))
    for _ in range(2):
        olga.press("Agree", at=DESK)
    bo.press("Join the ranking", at="/me")
    items = visitor.http.get("/api/v1/ranking/battle_mode").get_json()["items"]
    assert [(entry["name"], entry["games"]) for entry in items] == [("Bo", 2)]
    ada.press("Join the ranking", at="/me")
    items = visitor.http.get("/api/v1/ranking/battle_mode").get_json()["items"]
    assert [(entry["name"], entry["games"]) for entry in items] == [("Ada", 2), ("Bo", 2)]


def test_games_of_a_campaign_do_not_count_in_the_ranking(leeds: bytes) -> None:
    check = check_archive(leeds)
    assert check.archive is not None and check.calculated is not None
    assert rated(check.archive, check.calculated) == [[1, 2, 2]]
    row = {**check.archive.event, "campaign": {}}
    campaign = replace(check.archive, rows={**check.archive.rows, "event": [row]})
    assert rated(campaign, check.calculated) == []


def test_person_with_games_at_another_club_only_is_in_the_ranking(
    home: Event, leeds: bytes, olga: Person, visitor: Person, stage: Stage, page_of: PageOf, opened: Opened
) -> None:
    take(olga, leeds)
    (cy,) = stage.enter(stage.event("Rust Cup"), "Cy")
    person = opened(page_of(cy))
    person.press("This is me at Leeds Open", row=str(row_of(stage, "Player 1")))
    olga.press("Agree", at=DESK)
    assert visitor.http.get("/api/v1/ranking/battle_mode").status_code == 404
    person.press("Join the ranking", at="/me")
    ((item),) = visitor.http.get("/api/v1/ranking/battle_mode").get_json()["items"]
    assert (item["name"], item["games"]) == ("Cy", 1)
