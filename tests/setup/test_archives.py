"""An event is archived from one database and continues in another, also by the pages; votes stay secret."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from events.journal.replay import replay
from events.lists.own import add_edition, add_scenario, remove_scenario
from events.setup.archive import STAYS_BEHIND, columns, shuffled_marks, shuffled_votes, tables
from events.standings.awards import decided
from events.visitors.queries import is_link_of, link_token
from models.announcement import Announcement
from models.award import Award, AwardKind, AwardPick, Card, Ruling, SportsMark, TeamRuling
from models.captured import followed
from models.dispatch import Dispatch, DispatchKind, queued
from models.event import Event, EventState, KeptApart, KeptWhen, Round
from models.facts import facts_of
from models.journal import ChangeSet, JournalEntry
from models.message import Contact, Delivery, Message
from models.own import OwnEdition, OwnScenario
from models.play import Game, ListSeal, Player, Report
from models.staff import Role, Staff
from models.team import Team
from service.commands import demo
from service.commands.demo import Run
from tests.kit.archives import archived, numbered_from_one, taken_in, without_moment
from tests.kit.forces import SCENARIO_FILES, read_force
from tests.kit.lists import PIPER
from tests.kit.own_editions import FILES, ID, SYSTEM, club_document, data_of
from tests.kit.people import Elsewhere, let_in
from tests.kit.person import IMPORT_EVENT, Enter, Person
from tests.kit.stage import BY, Clock, Stage
from tests.kit.team_events import decide_all, enter_teams, team_event
from tests.validators.scenario_documents import EXAMPLE
from validators.editions import EditionTitle
from validators.game_system import understand


def demonstrated(stage: Stage) -> Event:
    for _ in demo.play(Run(stage.s, stage.changing, "battle_mode", 5, stage.clock(), False, None), 8, 3):
        pass
    return stage.one(Event, slug="wasteland-open")


def fill(stage: Stage, event: Event) -> None:
    player, two, *_ = stage.all(Player, event_id=event.id)
    now = stage.clock()
    with stage.changing(event) as s:
        award = Award(event_id=event.id, position=1, kind=AwardKind.OWN, name="Best beard")
        message = Message(
            event_id=event.id, key="k", recipients="all", subject="{event}", text="Hello {name}", words={"event": "x"},
            public=True, by="Olga", at=now,
        )  # fmt: skip
        team = Team(event_id=event.id, name="Reds", name_key="reds")
        s.add_all([award, message, team])
        s.flush()  # creates their ids for rows that refer to them
        s.add_all([
            Announcement(event_id=event.id, text="Lunch", by="Olga", at=now),
            AwardPick(award_id=award.id, player_id=player.id, reason="long", by="Olga", at=now),
            Ruling(event_id=event.id, player_id=player.id, after_round=1, points=-1, card=Card.YELLOW, reason="x",
                   by="J", at=now),
            TeamRuling(event_id=event.id, team_id=team.id, after_round=1, points=-1, reason="x", by="J", at=now),
            SportsMark(event_id=event.id, round_number=1, giver_id=player.id, about_id=two.id, mark=1, at=now),
            KeptApart(event_id=event.id, a_id=player.id, b_id=two.id, when=KeptWhen.ALWAYS, asked_by=player.id, at=now),
            Contact(player_id=player.id, mail="ada@example.org", given_at=now),
            Delivery(message_id=message.id, player_id=player.id, words={"name": "x"}),
            queued(DispatchKind.MESSAGE, now, event_id=event.id, player_id=player.id, mail="ada@example.org"),
        ])  # fmt: skip


def test_archives_omit_secrets_and_what_belongs_to_the_server() -> None:
    assert {table.name for table in followed()} == {table.name for table in tables()} | STAYS_BEHIND.keys()
    written = {f"{table.name}.{column.name}" for table in tables() for column in columns(table)}
    omitted = {f"{table.name}.{name}" for table in tables() for name in facts_of(table)} - written
    assert omitted == {
        "player.secret", "player.session_key", "player.signed_up_from", "player.link_generation", "team.code",
        "join_code.code",
        "report.account_id", "force_list.share_token",
        *(f"event.{name}" for name in ("version", "stamp", "public_stamp", "players_stamp", "changed_at",
                                       "news_at", "journal_from", "luck")),
    }  # fmt: skip
    assert not [name for name in written if "password" in name or "token" in name or "account" in name]


@pytest.mark.slow
@pytest.mark.both_at_length
def test_played_event_continues_elsewhere_without_accounts_links_and_mails(
    stage: Stage, other: Stage, clock: Clock
) -> None:
    event = demonstrated(stage)
    fill(stage, event)
    stage.set(event, state=EventState.IN_PROGRESS, rounds=4)
    with stage.changing(event) as s:
        s.add(Round(event_id=event.id, number=4))
    stage.hire(event, "Jo", Role.JUDGE)
    data = archived(stage.engine, event, clock())
    for secret in (b"ada@example.org", b"argon2", b"queued", b"session_key"):
        assert secret not in data
    olga = other.set_up("Olga")
    clock.advance(hours=1)
    here = taken_in(other.s, data, clock(), olga)
    both = ((stage, event), (other, here))
    assert without_moment(archived(other.engine, here, clock())) == without_moment(data)
    assert other.standings(here) == stage.standings(event)
    for number in (1, 2, 3):
        assert other.pairs(here, number) == stage.pairs(event, number)
    assert other.journal(here)[:-1] == stage.journal(event)
    assert [seal.sha256 for seal in other.all(ListSeal)] == [seal.sha256 for seal in stage.all(ListSeal)]
    old_names, names = ([player.name for a_decided in decided(x.s, e) for player in a_decided.winners] for x, e in both)
    assert names == old_names
    assert [(row.account_id, row.role) for row in other.all(Staff)] == [(olga.id, Role.OWNER)]
    assert replay(other.s, here).difference is None
    # The same seed draws the same round, at the same tables.
    old_games, games = ([(g.a_id, g.b_id, g.table_number) for g in x.draw(e, 4, seed=99)] for x, e in both)
    assert games == old_games
    assert not other.all(Contact)
    assert (len(other.all(Delivery)), other.all(Dispatch)) == (1, []), "nothing is sent twice"
    assert all(report.account_id is None for report in other.all(Report))
    player = other.all(Player, event_id=here.id)[0]
    old = stage.one(Player, id=player.id)
    token = link_token("the same secret", old)
    assert not is_link_of("the same secret", token, player), "no old link opens an entry"
    assert old.secret != player.secret != "" and player.link_generation > 1
    entries = other.all(JournalEntry, event_id=here.id)
    brought = [line.change_set_id for line in entries].count(None)
    assert entries[brought].text.startswith("Imported the event from its archive of 2026-11-21 09:00 UTC")
    assert entries[brought].change_set_id == here.journal_from == other.all(ChangeSet, event_id=here.id)[0].id


@pytest.mark.slow
def test_teams_with_their_matches_and_boards_continue(stage: Stage, other: Stage, clock: Clock) -> None:
    event = team_event(stage)
    enter_teams(stage, event, "Reds", "Blues", "Greens", "Yellows")
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    here = taken_in(other.s, archived(stage.engine, event, clock()), clock())
    for x, e in ((stage, event), (other, here)):
        x.draw(e, 2, seed=3)
    assert other.pairs(here, 2) == stage.pairs(event, 2)
    codes = {game.code for game in stage.all(Game)} & {game.code for game in other.all(Game)}
    assert len(codes) == 6, "printed sheets still hold; those of a draw made twice are two"


@pytest.mark.both_databases
def test_undrawn_event_gets_new_ids_next_to_other_events(stage: Stage, other: Stage, clock: Clock) -> None:
    event = stage.event()
    people = stage.enter(event, "Ada", "Bo", "Cy", here=False)
    with stage.changing(event) as s:
        s.add(KeptApart(event_id=event.id, a_id=people[0].id, b_id=people[2].id, when=KeptWhen.ALWAYS, at=clock()))
    data = archived(stage.engine, event, clock())
    before = other.event("Iron Open")
    other.enter(before, "Zed")
    here = taken_in(other.s, data, clock())
    assert here.slug == "iron-open-2"
    new = archived(other.engine, here, clock())
    assert without_moment(new) != without_moment(data)
    slugless = [numbered_from_one(without_moment(one)) for one in (data, new)]
    for entry in slugless:
        entry["tables"]["event"][0].pop("slug")
        for line in entry["journal"]:
            line["about"].pop("player", None)
            line["about"].pop("players", None)
    assert slugless[0] == slugless[1]
    assert {line.details["player"] for line in other.all(JournalEntry, event_id=here.id, verb="register")} <= {
        player.id for player in other.all(Player, event_id=here.id)
    }
    other.enter(here, "Dee")  # new ids follow the imported ids
    assert len({player.id for player in other.all(Player)}) == 5


def test_drawn_event_is_refused_if_its_ids_are_taken(stage: Stage, other: Stage, clock: Clock) -> None:
    event = stage.event(players=("Ada", "Bo"))
    stage.play(event, 1)
    data = archived(stage.engine, event, clock())
    other.enter(other.event(), "Zed")
    other.refuse_to("depend on these numbers", taken_in, other.s, data, clock())


def test_clubs_own_edition_and_scenario_are_archived(stage: Stage, other: Stage, clock: Clock) -> None:
    scenario = SCENARIO_FILES.read(EXAMPLE)
    with stage.changing() as s:
        add_edition(s, SYSTEM, understand(FILES, data_of(club_document()), EditionTitle()), BY, clock())
        slug = add_scenario(s, SYSTEM, scenario, BY, clock()).slug
    event = stage.event(edition=ID, scenarios=(slug, "", ""), players=("Ada", "Bo"))
    stage.play(event, 1)
    data = archived(stage.engine, event, clock())
    with other.changing() as s:  # the club has another scenario of this id
        there = add_scenario(s, SYSTEM, SCENARIO_FILES.read(EXAMPLE | {"source": "Elsewhere"}), BY, clock())
        assert there.slug == slug
    other.refuse_to(f"the scenario {slug}, but this club has a different scenario", taken_in, other.s, data, clock())
    assert not other.all(OwnEdition)
    with other.changing() as s:
        remove_scenario(s, SYSTEM.id, slug)
    here = taken_in(other.s, data, clock())
    assert without_moment(archived(other.engine, here, clock())) == without_moment(data)
    assert other.one(OwnScenario).slug == slug
    assert other.one(OwnEdition).edition == ID


SAVE, TAKE_IN = "/e/iron-open/desk/archive", "/desk/archive-in"


def test_event_moves_to_another_server(
    app: Flask, olga: Person, enter: Enter, stage: Stage, event: Event, elsewhere: Elsewhere
) -> None:
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Dee")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    stage.set(event, questions=[{"id": "q1", "label": "Lunch", "kind": "text", "choices": [], "required": False}])
    stage.set(event, stage.all(Player)[0], answers={"q1": "Soup"})
    stage.play(event, 1)
    stage.publish(event, 2)
    page = olga.open(SAVE)
    assert "It contains what only staff may read" in page.text
    saved = olga.ask("GET", str(page.soup.select(".bar a.primary")[0]["href"]))
    assert saved.headers["Content-Disposition"] == 'attachment; filename="iron-open-archive.json"'
    page = olga.press(IMPORT_EVENT, at=TAKE_IN, file=("x.json", saved.data))
    assert "Its draws and standings depend on these numbers" in page.error_at("file"), "the event is here already"
    page = olga.press(IMPORT_EVENT, at=TAKE_IN, file=("x.json", b"{}"))
    assert "the file: is not an archive of an event" in page.part("#faults")
    pages = {path: Person(app).open(path).part("main") for path in ("/e/iron-open/rounds/2", "/e/iron-open/standings")}
    codes = [game.code for game in stage.all(Game)]

    there = elsewhere()
    nora = let_in(app, there.set_up("Nora"))
    assert "Import event" in nora.open("/desk").text
    page = nora.press(IMPORT_EVENT, at=TAKE_IN, file=("iron-open-archive.json", saved.data))
    assert (page.status, page.path) == (200, "/e/iron-open/desk")
    assert "as it was when its archive was made" in page.flashes
    for path, words in pages.items():
        assert Person(app).open(path).part("main") == words
    assert [player.answers for player in there.all(Player)] == [{"q1": "Soup"}, None, None, None]
    assert [game.code for game in there.all(Game)] == codes, "printed sheets still lead to their games"
    assert ada.open("/e/iron-open/me").status == 403, "the old private link opens nothing here"
    assert olga.open("/e/iron-open/desk").status == 403
    assert "Imported the event" in nora.open("/e/iron-open/desk/journal").text
    for name in ("players", "rounds/2", "print", "staff"):
        assert nora.open(f"/e/iron-open/desk/{name}").status == 200
    there.s.close()


NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)
IDS = st.integers(1, 9)


@given(st.lists(st.tuples(IDS, IDS).filter(lambda pair: pair[0] != pair[1]), unique_by=lambda pair: pair[0]))
def test_closed_vote_keeps_its_counts_and_hides_the_voters(votes: list[tuple[int, int]]) -> None:
    given_by = [{"id": n, "voter_id": voter, "for_id": chosen, "at": ""} for n, (voter, chosen) in enumerate(votes)]
    kept = shuffled_votes(given_by, NOON)
    assert Counter(row["for_id"] for row in kept) == Counter(chosen for _, chosen in votes)
    assert {row["voter_id"] for row in kept} == {voter for voter, _ in votes}
    assert all(row["voter_id"] != row["for_id"] for row in kept)
    assert shuffled_votes(kept, NOON) == kept, "an archive of an archive is the same"
    assert shuffled_votes(given_by, None) == [], "an open vote is cast again"


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 5)), max_size=9))
def test_closed_marks_keep_their_counts_and_hide_the_givers(marks: list[tuple[int, int]]) -> None:
    given_by = [{"id": n, "giver_id": 90 + n, "about_id": about, "mark": mark} for n, (about, mark) in enumerate(marks)]
    kept = shuffled_marks(given_by, NOON)
    assert Counter((row["about_id"], row["mark"]) for row in kept) == Counter(marks)
    assert [row["giver_id"] for row in kept] == [row["giver_id"] for row in given_by]
    reverse = [{**row, "mark": mark} for row, mark in zip(given_by, [mark for _, mark in marks][::-1], strict=True)]
    if len({about for about, _ in marks}) == 1:
        assert shuffled_marks(reverse, NOON) == kept, "the same marks from other hands are the same archive"
    assert shuffled_marks(given_by, None) == []
