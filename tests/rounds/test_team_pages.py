"""The pages of a team event, filled in and sent as a browser without script does."""

import io
from collections.abc import Callable

import pytest
from flask import Flask
from pypdf import PdfReader

from events.registration import actions as registration_actions
from models.event import BoardsMatched, Event
from models.play import Player, PlayerState
from models.team import Team
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage
from tests.kit.team_events import choose, decide_all, enter_teams, matches_in, of_team, team_event

Links = Callable[[Player], str]
DESK = "/e/iron-open/desk"


def browser(app: Flask, link_of: Links, player: Player) -> Person:
    """A player's own browser."""
    person = Person(app)
    person.open(link_of(player))
    return person


def words(page: Page) -> str:
    """What a printed page says."""
    return " ".join(part.extract_text() for part in PdfReader(io.BytesIO(page.response.data)).pages)


# ---- setting up


def test_teams_are_switched_on_players_register_with_theirs_and_the_organiser_orders_them(
    app: Flask, stage: Stage, olga: Person, event: Event
) -> None:
    assert "Teams" not in olga.open(DESK).part("nav.tabs")
    olga.open(f"{DESK}/pairing")
    page = olga.press("Save", inside="#teams", **{"teams-team_size": "2"})
    assert page.flashes == "Teams and doubles: saved."
    for name, team in (("Ann", "Reds"), ("Bo", "reds"), ("Cy", "Blues")):
        person = Person(app)
        person.open("/e/iron-open/register")
        code = stage.one(Team).code if name == "Bo" else ""
        assert person.press("Register", name=name, team=team, team_code=code).path == "/e/iron-open/me/link"
    late = Person(app)
    late.open("/e/iron-open/register")
    page = late.press("Register", name="Di", team="REDS", team_code=stage.one(Team, name="Reds").code)
    assert page.status == 422
    assert page.error_at("team") == "The team Reds has its 2 players already."
    assert page.value("name") == "Di"
    assert late.press("Register", name="Di", team="", team_code="").path == "/e/iron-open/me/link"
    assert "They are not drawn: Di" in olga.open(f"{DESK}/teams").text
    reds = stage.one(Team, name="Reds")
    olga.open(f"{DESK}/teams/{reds.id}")
    bo, ann = stage.one(Player, name="Bo"), stage.one(Player, name="Ann")
    page = olga.press("Save the boards", **{"b-board1": str(bo.id), "b-board2": str(bo.id)})
    assert page.status == 422
    assert "Nobody can sit at two boards." in page.errors
    page = olga.press("Save the boards", **{"b-board1": str(bo.id), "b-board2": str(ann.id), "b-captain": str(ann.id)})
    assert page.flashes == "Saved."
    listed = olga.open("/e/iron-open/teams").text
    assert "Reds Bo Ann captain" in listed
    assert "In no team yet Di" in listed


def test_teams_are_made_renamed_taken_apart_dropped_and_brought_back(stage: Stage, olga: Person) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    olga.open(f"{DESK}/teams")
    page = olga.press("Add", name="reds")
    assert page.status == 422
    assert page.error_at("name") == "There is a team Reds already."
    page = olga.press("Add", name="Greens", club="Vault 13")
    assert page.soup.h1 is not None
    assert page.soup.h1.text == "Greens"
    assert olga.press("Save the name", **{"t-name": "Limes"}).flashes == "Saved."
    assert olga.press("Take it apart").path == f"{DESK}/teams"
    reds = stage.one(Team, name="Reds")
    olga.open(f"{DESK}/teams/{reds.id}")
    assert "Bring back" in olga.press("Drop the team").text
    assert {p.state for p in of_team(stage, event, reds)} == {PlayerState.DROPPED}
    olga.press("Bring back")
    assert {p.state for p in of_team(stage, event, reds)} == {PlayerState.REGISTERED}
    assert olga.ask("POST", f"{DESK}/teams/{reds.id}/fly", {"csrf_token": "x"}).status_code == 400


def test_a_pasted_list_has_a_column_of_teams(stage: Stage, olga: Person) -> None:
    team_event(stage, size=2)
    olga.open(f"{DESK}/players")
    assert "name; club; faction; team" in olga.page.text
    page = olga.press(
        "Add all",
        **{"p-names": "Ann; Vault 13;; Reds\nBo;;;Reds\nCy;;;Reds\nDi\t\t\tBlues\nEd;a;b;c;d"},
    )
    assert "3 of 5 lines entered" in page.text
    assert "The team Reds has its 2 players already." in page.text
    assert "More than four parts" in page.text
    assert [team.name for team in stage.all(Team)] == ["Reds", "Blues"]
    assert [player.name for player in stage.all(Player)] == ["Ann", "Bo", "Di"], "nobody without the team asked for"


# ---- a round


@pytest.fixture
def played(stage: Stage) -> Event:
    """Five teams of three by order; round 1 is published, one board of the first match is decided."""
    event = team_event(stage)
    enter_teams(stage, event, "Reds", "Blues", "Greens", "Yellows", "Blacks")
    stage.publish(event, 1)
    first = stage.games(event, 1)[0]
    stage.decide(event, first, 3, 1)
    return event


def test_the_page_of_a_round_groups_boards_by_match_with_its_score(
    stage: Stage, visitor: Person, played: Event
) -> None:
    page = visitor.open("/e/iron-open/rounds/1")
    names = {team.id: team.name for team in stage.all(Team)}
    first, second, bye = matches_in(stage, played, 1)
    heads = [" ".join(head.text.split()) for head in page.soup.select(".team-match h2")]
    assert heads == [
        f"{names[first.a_id]} 3 : 0 {names[first.b_id or 0]}",
        f"{names[second.a_id]} – {names[second.b_id or 0]}",
        f"{names[bye.a_id]} bye",
    ]
    assert "Tables 1 to 3" in page.part(".team-match")
    assert "1 of 3 boards decided" in page.part(".team-match")
    assert "Check this draw" in page.text
    assert len(page.rows(".team-match table")) == 6
    by_name = visitor.open("/e/iron-open/rounds/1?order=name").rows("table.pairings")
    assert [row[0].split()[0] for row in by_name] == sorted(row[0].split()[0] for row in by_name)
    assert len(by_name) == 15


def test_a_player_reads_the_team_match_and_the_board(app: Flask, stage: Stage, link_of: Links, played: Event) -> None:
    first, _, bye = matches_in(stage, played, 1)
    ours = of_team(stage, played, stage.one(Team, id=first.a_id))
    page = browser(app, link_of, ours[1]).open("/e/iron-open/me")
    names = {team.id: team.name for team in stage.all(Team)}
    assert f"Board 2 of {names[first.a_id]} against {names[first.b_id or 0]}" in page.text
    assert "Table 2" in page.text
    free = of_team(stage, played, stage.one(Team, id=bye.a_id))[0]
    assert "Your team has the bye" in browser(app, link_of, free).open("/e/iron-open/me").text


def test_printed_pairings_and_sheets_name_teams(stage: Stage, olga: Person, played: Event) -> None:
    told = words(olga.open("/e/iron-open/rounds/1/pairings.pdf"))
    assert "Reds, board 1" in told
    sheets = words(olga.open("/e/iron-open/rounds/1/scoresheets.pdf?table=2"))
    assert "board 2" in sheets


def test_a_board_with_nobody_opposite_is_a_walk_over_on_paper(stage: Stage, olga: Person) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    with stage.changing(event) as s:
        registration_actions.drop(s, event, s.get_one(Player, stage.one(Player, name="Blues 2").id), BY, stage.clock())
    stage.publish(event, 1)
    for order in ("table", "name"):
        told = words(olga.open(f"/e/iron-open/rounds/1/pairings.pdf?order={order}"))
        assert "walk-over" in told.casefold(), order
        assert "bye" not in told.casefold(), order


def test_team_standings_open_their_arithmetic_and_lead_to_the_players(
    stage: Stage, visitor: Person, played: Event
) -> None:
    assert "Standings appear" in visitor.open("/e/iron-open/standings/teams").text
    decide_all(stage, played, 1)
    page = visitor.open("/e/iron-open/standings/teams")
    rows = page.rows("table.standings")
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    assert rows[0][5].startswith("3 Points: 1 win × 3 = 3")
    assert "Board points: 9 against" in rows[0][6]
    assert sorted(row[4] for row in rows[:3]) == ["", "", "1"], "the bye is a match won"
    assert "Ranked by points (3 for a match won, 1 drawn, 0 lost)" in page.text
    players = visitor.open("/e/iron-open/standings")
    assert len(players.rows("table.standings")) == 15
    assert players.soup.select_one("a[href*='/standings/teams']") is not None
    assert "Board points" in words(visitor.open("/e/iron-open/standings/teams.pdf"))
    team = stage.one(Team, name=rows[0][1])
    assert "win 9 : 0" in visitor.open(f"/e/iron-open/teams/{team.id}").text


def test_the_desk_draws_swaps_and_publishes_a_round_of_teams(stage: Stage, olga: Person) -> None:
    event = team_event(stage, size=2)
    teams = enter_teams(stage, event, "Reds", "Blues", "Greens")
    page = olga.open(f"{DESK}/rounds/1")
    assert "3 teams have players here: one of them will have the bye" in page.text
    page = olga.press("Draw round 1")
    assert "As good as the engine's best" in page.part(".draft-verdict")
    assert "bye: lowest group without an earlier bye (0 points)" in page.text
    match, bye = matches_in(stage, event, 1)
    first, second, free = match.a_id, match.b_id, bye.a_id
    page = olga.press("Swap", one=str(first), other=str(second))
    assert page.status == 422
    assert "These two play each other" in page.errors
    page = olga.press("Swap", one=str(first), other=str(free))
    assert page.flashes.startswith("Swapped.")
    now, now_bye = matches_in(stage, event, 1)
    assert now_bye.a_id == first
    assert {now.a_id, now.b_id} == {team.id for team in teams} - {first}
    assert len(stage.games(event, 1)) == 4
    assert "Changed by hand" in page.text
    names = {team.id: team.name for team in teams}
    page = olga.press(f"Undo: Swapped {names[first]} and {names[free]} in round 1")
    assert page.flashes.startswith("Taken back: Swapped")
    assert {m.a_id for m in matches_in(stage, event, 1) if m.b_id is None} == {free}
    olga.press(f"Lock {names[free]}, the bye")
    for _ in range(3):
        olga.press("Draw the rest again")
        assert {m.a_id for m in matches_in(stage, event, 1) if m.b_id is None} == {free}
    olga.press(f"Unlock {names[free]}, the bye")
    page = olga.open(f"{DESK}/rounds/1/compare?seed=5")
    assert "Two draws of round 1" in page.text
    assert " of 2 matches " in page.text
    assert olga.press("Adopt seed 5").flashes == "The draw of seed 5 is the draft now."
    page = olga.press("Publish round 1")
    assert page.flashes == "Round 1 is published."
    assert olga.open("/e/iron-open/rounds/1").status == 200


def test_the_desk_says_what_teams_lack_and_whom_a_round_waits_for(stage: Stage, olga: Person) -> None:
    event = team_event(stage, size=2, boards=BoardsMatched.CHOICE)
    enter_teams(stage, event, "Reds", "Blues")
    stage.enter(event, "Ann")
    assert "Teams: 1 player in no team." in olga.open(DESK).part(".steps")
    olga.open(f"{DESK}/teams/{stage.one(Team, name='Blues').id}")
    olga.press("Save the boards", **{"b-board2": "0"})
    said = olga.open(DESK).part(".steps")
    assert "Teams: 2 players in no team; not full: Blues." in said
    assert "2 teams here: draw round 1." in said
    stage.publish(event, 1)
    assert "Round 1: boards of 1 match are still chosen." in olga.open(DESK).part(".steps")


def test_the_desk_closes_the_choice_of_the_captains(stage: Stage, olga: Person) -> None:
    event = team_event(stage, size=2, boards=BoardsMatched.CHOICE)
    enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    assert "The captains of 1 match still choose" in olga.open(f"{DESK}/rounds/1").text
    assert olga.press("Close the choice").flashes == "The boards are matched."
    assert len(stage.games(event, 1)) == 2
    assert "still choose" not in olga.page.text


# ---- the captain


def test_a_captain_sets_the_boards_in_secret_and_is_told_what_is_wrong(
    app: Flask, stage: Stage, link_of: Links
) -> None:
    event = team_event(stage, size=2, boards=BoardsMatched.CHOICE)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    ours, theirs = of_team(stage, event, reds), of_team(stage, event, blues)
    captain = browser(app, link_of, ours[0])
    assert "You are the captain" in captain.open("/e/iron-open/me").text
    page = captain.open("/e/iron-open/me/boards")
    assert [page.value("board1"), page.value("board2")] == [str(p.id) for p in ours], "the stored order stands there"
    page = captain.press("Set the boards", board1=str(ours[1].id))
    assert page.status == 422
    assert "Reds 2 cannot sit at two boards." in page.errors
    page = captain.press("Set the boards", board1=str(ours[1].id), board2=str(ours[0].id))
    assert page.flashes == "Your boards are set."
    assert page.value("board1") == str(ours[1].id)
    mate = browser(app, link_of, ours[1]).open("/e/iron-open/me/boards")
    assert mate.part("ol.boards") == "Reds 2 Reds 1"
    choose(stage, event, match, blues.id, [p.id for p in theirs])
    page = captain.press("Change the boards", board1=str(ours[0].id), board2=str(ours[1].id))
    assert page.status == 403, "both were in: nothing is to be chosen any more"
    assert [(stage.name(g.a_id)[-1], stage.name(g.b_id)[-1]) for g in stage.games(event, 1)] in (
        [("2", "1"), ("1", "2")],
        [("1", "2"), ("2", "1")],
    )


# ---- doubles


def test_doubles_are_one_entry_under_both_names_everywhere(
    app: Flask, stage: Stage, olga: Person, event: Event
) -> None:
    olga.open(f"{DESK}/pairing")
    olga.press("Save", inside="#teams", **{"teams-doubles": True})
    ann = Person(app)
    ann.open("/e/iron-open/register")
    page = ann.press("Register", name="Ann")
    assert page.error_at("partner") == "Please fill in: your partner’s name."
    page = ann.press("Register", name="Ann", partner="ann")
    assert page.error_at("partner") == "These two have the same name."
    assert ann.press("Register", name="Ann", partner="Bo").path == "/e/iron-open/me/link"
    for name, partner, field in (("Bo", "Cy", "name"), ("Cy", "ANN", "partner")):
        other = Person(app)
        other.open("/e/iron-open/register")
        page = other.press("Register", name=name, partner=partner)
        assert "is registered already, as Ann & Bo" in page.error_at(field)
    olga.open(f"{DESK}/players")
    assert "name & partner" in olga.page.text
    assert "1 of 2 lines" in olga.press("Add all", **{"p-names": "Cy & Di; Vault 13\nEd & Bo"}).text
    entry = stage.one(Player, partner="Bo")
    olga.open(f"{DESK}/players/{entry.id}")
    assert (olga.page.value("name"), olga.page.value("partner")) == ("Ann", "Bo")
    assert olga.press("Save", name="Anna").flashes == "Saved."
    for player in stage.all(Player):
        olga.open(f"{DESK}/players/{player.id}")
        olga.press("Check in")
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    for address in ("/e/iron-open", "/e/iron-open/rounds/1", "/e/iron-open/standings"):
        text = olga.open(address).text
        assert "Anna & Bo" in text, address
        assert "Cy & Di" in text, address
    assert "Anna & Bo" in words(olga.open("/e/iron-open/rounds/1/scoresheets.pdf"))
    assert "Anna & Bo" in words(olga.open("/e/iron-open/standings.pdf"))


def test_a_result_of_an_earlier_round_is_corrected_with_a_look_at_what_it_changes(
    stage: Stage, olga: Person, visitor: Person, played: Event
) -> None:
    decide_all(stage, played, 1)
    stage.publish(played, 2)
    before = {row[1]: row[6] for row in visitor.open("/e/iron-open/standings/teams").rows("table.standings")}
    first = stage.games(played, 1)[0]
    olga.open(f"{DESK}/games/{first.id}")
    page = olga.press("See what changes", a__objectives="0", b__objectives="3")
    match = matches_in(stage, played, 1)[0]
    told = page.part("#look").partition("Teams after round 1")[2]
    for team_id in (match.a_id, match.b_id):
        assert stage.one(Team, id=team_id).name in told
    assert "Round 2, published" in told
    assert olga.press("Store the correction", reason="Misread").flashes == "Saved: the result is confirmed."
    after = {row[1]: row[6] for row in visitor.open("/e/iron-open/standings/teams").rows("table.standings")}
    moved = {stage.one(Team, id=team_id).name for team_id in (match.a_id, match.b_id)}
    assert all(before[name] != after[name] for name in moved)
