"""Erasing one player's data: no bytes of it stay anywhere, and the results, the draws and the journal stand."""

import json
import re
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select as select_columns
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from events.accounts import own_pages
from events.accounts.limits import ERASURES
from events.journal.invariants import check_invariants, in_lines
from events.journal.replay import replay
from events.messages.announcements import announce, withdraw_announcement
from events.registration import leaving, ruling_views
from events.registration.erasure import erase
from events.registration.forms import Given
from events.registration.join_codes import make_typed
from events.registration.own_data import OTHERS, SECRET, TABLES
from events.rounds.pairings_file import pairings_of
from events.setup import actions as setup_actions
from events.standings.queries import standings_of
from events.store.journal import entry_words
from events.tournament.pairing.certificate import certificate_document, read_pairings
from events.tournament.pairing.redraw import redrawn
from languages.words import speaking
from models.announcement import Announcement
from models.captured import columns_naming
from models.dispatch import Dispatch
from models.event import Event, EventState, Round, RoundDraw
from models.join_code import JoinCode
from models.journal import JournalEntry, RowChange
from models.message import Message
from models.people import SignInAttempt
from models.person import Person as PageOfPerson
from models.play import Player, PlayerState
from service.commands.maintain import delete_due
from tests.kit.archives import archived
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.one_person import CAKE, NAME, RAFFLE, SECRETS, planted, without_others
from tests.kit.people import Links
from tests.kit.person import Person
from tests.kit.profiles import every_nth
from tests.kit.secrets_planted import addresses as addresses_of
from tests.kit.secrets_planted import everything
from tests.kit.stage import Stage
from tests.kit.team_events import enter_teams, team_event

MATES = "Qzanna Qzberger"


def stored(stage: Stage) -> Iterator[str]:
    """Every value of every table, long values unpacked."""
    stage.s.rollback()
    for table in SQLModel.metadata.sorted_tables:
        for row in stage.s.connection().execute(select_columns(table)):
            for value in row:
                shown = zlib.decompress(value).decode() if isinstance(value, bytes) else str(value)
                yield f"{table.name}: {shown}"


def left(stage: Stage, *words: str) -> list[str]:
    return [
        value[:200] for value in stored(stage) for word in words if word.casefold() in without_others(value).casefold()
    ]


def places(stage: Stage, event: Event) -> list[tuple[int, str, object]]:
    stage.s.expire_all()
    return [(row.rank, row.id, row.points) for row in standings_of(event).of_players()]


@pytest.mark.both_databases
@pytest.mark.parametrize("over", [True, False])
def test_nothing_of_the_person_stays_and_everything_else_does(stage: Stage, *, over: bool) -> None:
    event = planted(stage, over=over)
    ada = next(player for player in event.players if player.name.startswith(NAME))
    assert {word for word in SECRETS if left(stage, word)} == set(SECRETS)
    before, names = places(stage, event), {player.id: player.name for player in event.players}
    stage.do(event, withdraw_announcement, stage.one(Announcement).id)
    if not over:
        stage.do(event, leaving.drop, ada)
    stage.do(event, erase, ada)
    assert left(stage, *SECRETS) == []
    assert [*map(str, in_lines(check_invariants(stage.s)))] == []
    assert replay(stage.s, event).difference is None
    assert places(stage, event) == before
    neutral = f"Former player {ada.id}"
    raffle = RAFFLE.replace(NAME, neutral)
    assert (stage.one(Announcement).text, stage.one(Message).text) == (raffle, CAKE)
    assert [row.text for row in stage.all(JournalEntry) if "announce" in row.verb] == [
        f"Announced: {raffle}", f"Removed the announcement: {raffle}",
    ]  # fmt: skip
    assert {player.id: player.name for player in event.players} == names | {ada.id: neutral}
    entry = stage.one(JournalEntry, verb="erase")
    assert entry.text == f"Erased the personal data of {neutral}"
    assert f"Registered {neutral} and checked them in" in [
        journal_entry.text for journal_entry in stage.all(JournalEntry)
    ]
    with speaking("de"):
        assert f"{neutral} angemeldet und eingecheckt" in [
            entry_words(journal_entry) for journal_entry in stage.all(JournalEntry)
        ]
    for number in (1, 2):
        file = pairings_of(event, stage.one(Round, event_id=event.id, number=number))
        assert file is not None
        check = redrawn(read_pairings(json.dumps(certificate_document(file)).encode()))
        assert check.differences == ()
    archive = archived(stage.engine, event, stage.clock()).decode()
    assert not [word for word in SECRETS if word.casefold() in without_others(archive).casefold()]
    if not over:
        assert stage.enter(event, NAME)[0].id != ada.id


@pytest.mark.both_at_length
def test_others_keep_their_names_and_club_and_the_draw_still_proves_itself(stage: Stage) -> None:
    event = stage.event(rounds=1)
    anna, *_ = stage.enter(event, NAME, "Bo", f"{NAME} Junior", MATES, club="Qzclub")
    stage.enter(event, "Cy", "Di", club="Reds")
    stage.do(event, announce, f"{NAME}, {NAME} Junior and {MATES} share a car")
    stage.play(event, 1)
    stage.do(event, setup_actions.finish)
    stage.do(event, erase, anna)
    assert stage.one(Announcement).text == f"Former player {anna.id}, {NAME} Junior and {MATES} share a car"
    assert {player.name: player.club for player in event.players} == {
        f"Former player {anna.id}": "", "Bo": "Qzclub", f"{NAME} Junior": "Qzclub", MATES: "Qzclub", "Cy": "Reds",
        "Di": "Reds",
    }  # fmt: skip
    file = pairings_of(event, stage.one(Round))
    assert file is not None
    assert {seat.club for seat in file.inputs.seats} == {f"Club of Former player {anna.id}", "Reds"}
    assert redrawn(read_pairings(json.dumps(certificate_document(file)).encode())).differences == ()
    assert replay(stage.s, event).difference is None


def test_a_team_with_the_name_of_a_members_club_keeps_it_in_the_journal(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    stage.do(event, leaving.drop, stage.one(Player, name="Blues 2"))
    stage.do(event, erase, stage.one(Player, name="Blues 2"))
    said = [json.dumps(entry.details.get("said")) for entry in stage.all(JournalEntry)]
    assert sum("Blues" in words for words in said) > 1
    assert not any("Club of" in words for words in said), "what words the text in other languages is as the text"


def test_digests_of_older_versions_go_with_the_name(stage: Stage) -> None:
    """A digest of a round's names would tell who guesses the erased one; the journal has it too."""
    event = stage.event(players=(NAME, "Bo", "Cy", "Di"), rounds=1)
    stage.play(event, 1)
    draw = stage.one(RoundDraw)
    digest = sha256(NAME.encode()).hexdigest()
    stage.set(event, draw, outcome=draw.outcome | {"digests": {"players": digest, "whole": digest}})
    assert len(left(stage, digest)) > 1, "the row, and the journal"
    stage.do(event, setup_actions.finish)
    stage.do(event, erase, stage.one(Player, name=NAME))
    assert left(stage, digest) == []
    assert replay(stage.s, event).difference is None


WORDS = ("Iron Wolves", "organiser Olga", "Olga", "Registered", "player", "club", "swiss", "Overseer")


@pytest.mark.parametrize("name", WORDS)
def test_a_name_that_is_a_word_of_others_changes_nothing_of_theirs(stage: Stage, name: str) -> None:
    event = stage.event(rounds=1)
    bo, _cy, di = stage.enter(event, "Bo", "Cy", "Di", club="Iron Wolves")
    stage.force(event, bo, read_force(PIPER | {"name": "Iron Wolves"}))
    stage.do(event, announce, "Olga: Registered Iron Wolves, a club of each player, read Overseer")
    player = stage.enter(event, name, club="club")[0]
    stage.play(event, 1)
    stage.do(event, ruling_views.give_ruling, di, Given("Olga saw the Iron Wolves", points=-1))
    stage.do(event, setup_actions.finish)

    def others() -> list[str]:
        tables = "announcement", "staff", "account", "ruling", "list_seal", "force_list", "award"
        rows = [value for value in stored(stage) if value.split(":")[0] in tables]
        entries = [f"{row.actor}: {row.text} {row.details}" for row in stage.all(JournalEntry)
                   if not re.search(rf"[^\d.]{player.id}\b", str(row.details)) and row.verb != "erase"]  # fmt: skip
        changes = [f"{row.table_name}: {row.before} {row.after}" for row in stage.all(RowChange)
                   if player.id not in (row.player_id, row.other_id)
                   and row.table_name not in ("round", "round_draw")]  # fmt: skip
        return rows + entries + changes

    before = others()
    stage.do(event, erase, player)
    after = others()
    assert [value for value in before if value not in after] == []
    assert stage.one(Player, id=player.id).name == f"Former player {player.id}"
    assert replay(stage.s, event).difference is None
    assert in_lines(check_invariants(stage.s)) == []
    file = pairings_of(event, stage.one(Round, number=1))
    assert file is not None
    assert redrawn(read_pairings(json.dumps(certificate_document(file)).encode())).differences == ()


def test_one_who_took_no_part_is_removed_and_the_place_goes_on(stage: Stage) -> None:
    event = stage.event(places=2)
    stage.set(event, waiting_list=True)
    stage.enter(event, NAME, "Bo", "Cy", here=False, club="Qzclub")
    stage.do(event, erase, stage.one(Player, name=NAME))
    assert left(stage, NAME) == []
    assert {player.name: player.state for player in stage.all(Player)} == {
        "Bo": PlayerState.REGISTERED, "Cy": PlayerState.REGISTERED
    }  # fmt: skip
    assert in_lines(check_invariants(stage.s)) == []


@pytest.mark.both_at_length
def test_page_of_the_person_goes_with_its_last_entry(stage: Stage) -> None:
    first, second = stage.event(), stage.event("Rust Cup")
    a_player, two = stage.enter(first, NAME, "Bo")[0], stage.enter(second, NAME, "Bo")[0]
    page = own_pages.make_page(stage.s, a_player, stage.clock())
    own_pages.add_entry(stage.s, page, two, stage.clock())
    stage.s.commit()
    for event, player, names in ((first, a_player, [NAME]), (second, two, [])):
        stage.set(event, state=EventState.FINISHED)
        stage.do(event, erase, player)
        assert [row.name for row in stage.all(PageOfPerson)] == names
    assert left(stage, NAME) == []


def test_who_still_plays_is_dropped_first_and_drafts_are_settled(app: Flask, stage: Stage, link_of: Links) -> None:
    event = stage.event(players=(NAME, "Bo", "Cy", "Di"))
    stage.play(event, 1)
    anna = stage.one(Player, name=NAME)
    stage.refuse("Drop the player first", event, erase, anna)
    stage.refuse("You are still in the event. Drop out first", event, erase, anna, by_player=True)
    stage.do(event, leaving.drop, anna)
    stage.draw(event, 2)
    stage.refuse("Round 2 is drawn", event, erase, anna)
    person = Person(app)
    person.open(link_of(anna))
    page = person.open("/e/iron-open/me/data").text
    assert "Your data cannot be erased just now: ask the organiser." in page
    assert "drawn and not published" not in page


@pytest.mark.both_databases
def test_database_lets_words_of_the_journal_change_only_while_an_erasure_is_open(stage: Stage) -> None:
    event = stage.event(players=(NAME, "Bo"))
    add = "INSERT INTO erasure (id, event_id, player_id, at, open_as) VALUES (1, 1, 1, '2026-01-01', -1)"
    words = "UPDATE journal_entry SET text = 'x'", "UPDATE change_set SET actor = 'x'", "DELETE FROM journal_value"
    other = stage.event("Another")
    own = f" WHERE event_id = {event.id}"

    def refused(*statements: str) -> bool:
        connection = stage.s.connection()
        try:
            for statement in statements:
                connection.execute(text(statement))
            stage.s.commit()
        except DBAPIError:
            return True
        finally:
            stage.s.rollback()
        return False

    close = "UPDATE erasure SET open_as = NULL"
    stage.force(event, stage.one(Player, name=NAME), read_force(PIPER))
    assert [refused(word + own) for word in words] == [True, True, True]
    assert refused(add), "an erasure stayed open"
    assert refused(add, f"{words[0]} WHERE event_id = {other.id}", close), "another event's journal"
    for fixed in ("verb = 'x'", "at = '2026-01-01'", "event_id = 1", "id = id + 9000"):
        assert refused(add, "UPDATE journal_entry SET " + fixed + own, close)  # noqa: S608, fixed
    assert not refused(add, *(word + own for word in words[:2]), close)
    assert stage.all(JournalEntry, event_id=event.id)[0].text == "x"


def test_player_reads_everything_of_their_own_and_erases_it(app: Flask, stage: Stage, link_of: Links) -> None:
    event = planted(stage)
    ada = next(player for player in event.players if player.name.startswith(NAME))
    person = Person(app)
    person.open(link_of(ada))
    read = json.loads(person.ask("GET", "/e/iron-open/me/data.json").data)
    assert read["contact"][0]["mail"] == "qzmail@mail.example"
    assert (read["player"][0]["answers"], read["player"][0]["partner"]) == ({"q1": "Qzanswer"}, "Qzpartner")
    assert read["force_list"][0]["document"]["not_read"] == [f"by {NAME}"]
    assert (len(read["game"]), len(read["delivery"]), len(read["ruling"])) == (2, 1, 1)
    assert "qzpush" not in json.dumps(read), "the keys of devices are secrets"
    assert ada.secret not in json.dumps(read)
    page = person.open("/e/iron-open/me/data")
    assert "This cannot be undone." in page.text
    wrong = person.press("Erase for good")
    assert (wrong.status, "Type “erase” to confirm." in wrong.text) == (422, True)
    done = person.press("Erase for good", typed="Erase")
    assert f"The results stay as those of Former player {ada.id}." in done.text
    assert person.ask("GET", "/e/iron-open/me").status_code == 403
    assert left(stage, *SECRETS) == []


def test_one_network_erases_only_so_many_entries_at_once(app: Flask, stage: Stage, link_of: Links) -> None:
    event = stage.event()
    people = []
    for player in stage.enter(event, NAME, "Bo", here=False):
        people.append(Person(app))
        people[-1].open(link_of(player))
        people[-1].open("/e/iron-open/me/data")
    assert people[0].press("Erase for good", typed="erase").status == 200
    counted = stage.one(SignInAttempt, kind=ERASURES.kind)
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind=counted.kind, name_key=counted.name_key, at=counted.at)
                  for _ in range(ERASURES.most - 1))  # fmt: skip
    second = people[1].press("Erase for good", typed="erase")
    assert (second.status, "Too many erasures from this network." in second.text) == (429, True)
    assert [a_player.name for a_player in stage.all(Player)] == ["Bo"]


@every_nth(6, 1)
def test_organiser_erases_at_the_desk_and_no_page_names_the_person(
    app: Flask, olga: Person, stage: Stage, link_of: Links, step: int
) -> None:
    event = planted(stage)
    ada = next(player for player in event.players if player.name.startswith(NAME))
    old_link = link_of(ada)
    page = olga.open(f"/e/iron-open/desk/players/{ada.id}/erase")
    assert "Erase the data of" in page.text
    olga.press("Erase for good", typed="erase")
    assert left(stage, *SECRETS) == []
    assert Person(app).ask("GET", old_link).status_code == 404
    bo = Person(app)
    bo.open(link_of(stage.one(Player, name="Bo")))
    assert old_link != link_of(ada)
    for person in (olga, bo):
        for address in [*addresses_of(app, stage, event, **{"<int:player_id>": str(ada.id)})][::step]:
            shown = everything(person.ask("GET", address))
            words = [word for word in SECRETS if word != "Qzclub"]  # Di had that club too
            assert [word for word in words if word.casefold() in without_others(shown).casefold()] == [], address


def test_every_reference_to_a_player_is_in_the_file_or_left_out_with_a_reason() -> None:
    named = {(table.name, column.name) for table, column in columns_naming("player")}
    assert named >= OTHERS.keys()
    assert [table for table, names in SECRET.items() if not names <= {c.name for c in TABLES[table].columns}] == []


def in_files(sqlite_file: Path, *words: str) -> list[tuple[str, str, int]]:
    """Which of these words stand in the bytes of the database's files, and how often."""
    data = {path.name: path.read_bytes().lower() for path in sqlite_file.parent.iterdir()}
    rows = ((name, word, content.count(word.casefold().encode())) for name, content in data.items() for word in words)
    return [row for row in rows if row[2]]


@pytest.mark.parametrize("over", [True, False])
@pytest.mark.proves("attack 102")
def test_files_of_the_database_keep_nothing_erased(sqlite_file: Path, stage: Stage, *, over: bool) -> None:
    """Not in unused bytes, not in the log, whichever connection deleted it: the copies have a rule of their own."""
    event = planted(stage, over=over)
    stage.enter(event, *(f"Qzcrowd {number}" for number in range(60))) if not over else None
    words = [word for word in SECRETS if word not in ("Qzanna Qzberg", "Qzclub")]  # others wrote those, too
    assert {word for _, word, _ in in_files(sqlite_file, *words)} >= {"Qzold", "qzmail", "Qzanswer", "qzpush"}
    for player in event.players:
        if not over and player.name.startswith(("Qzcrowd", NAME)):
            stage.do(event, leaving.drop, player)
    for player in event.players:
        if player.name.startswith(("Qzcrowd", NAME)):
            stage.do(event, erase, player)
    assert in_files(sqlite_file, *words, "qzcrowd") == []


def test_invitations_of_an_erased_person_name_nobody(stage: Stage) -> None:
    """Also one that was not used, because the desk entered the player."""
    event = stage.event(sign_up_by="invitation")
    stage.do(event, make_typed, "zyxqvut  PLANTNAME, zyxqvut@example.org\nBo, bo@example.org", 1, has_server=True)
    stage.do(event, make_typed, "Zyxqvut Plantname and friends", 4, has_server=False)
    (player,) = stage.enter(event, "Zyxqvut Plantname")
    stage.do(event, leaving.drop, player)
    stage.do(event, erase, player)
    neutral = f"Former player {player.id}"
    assert [code.label for code in stage.all(JoinCode)] == [neutral, "Bo", f"{neutral} and friends"]
    assert [waiting.mail for waiting in stage.all(Dispatch)] == ["bo@example.org"]
    assert "zyxqvut" not in archived(stage.engine, event, stage.clock()).decode().lower()


def test_log_that_a_reader_holds_is_emptied_later(sqlite_file: Path, stage: Stage) -> None:
    event = stage.event()
    (player,) = stage.enter(event, "Zyxqvut")
    with stage.engine.connect() as reader:
        reader.execute(text("SELECT count(*) FROM player"))
        stage.do(event, erase, player)
        assert {name for name, *_ in in_files(sqlite_file, "zyxqvut")} == {"overseer.sqlite3-wal"}
    assert delete_due(stage.engine, stage.clock()) == 0, "no event has its day"
    assert in_files(sqlite_file, "zyxqvut") == []
