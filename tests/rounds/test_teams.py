"""Team events by their actions and on pages: settings, draw, boards, captains, byes, walk-overs, drops, doubles."""

import pytest
from flask import Flask

from events.journal.going_back import go_back, points_of
from events.journal.replay import replay
from events.registration import check_in, leaving, team_actions
from events.registration.forms import Given
from events.registration.ruling_views import give_ruling
from events.rounds import actions as rounds_actions
from events.rounds import byes, draft, team_boards
from events.rounds.inputs import is_stale
from events.rounds.outcome import best_costs, costs_now
from events.setup import pairing_actions
from events.standings.queries import standings_of
from events.store.team_queries import captain_of, match_of
from events.store.tournaments import load
from events.tournament.ranking import Row
from models.event import Event
from models.journal import JournalEntry
from models.settings import BoardsMatched, EventFormat
from models.team import Team, TeamMatch
from tests.kit.papers import texts
from tests.kit.people import Links, browser
from tests.kit.person import ADD_ALL, DRAW, PREVIEW, PUBLISH, SIGN_UP, STORE, Page, Person
from tests.kit.stage import Absent, Game, GameState, Player, PlayerState, Round, Stage
from tests.kit.team_events import COLOURS, choose, decide_all, enter_teams, matches_in, of_team, team_event


def team_rows(stage: Stage, event: Event) -> list[Row]:
    stage.s.rollback()
    return standings_of(event).of_teams()


def test_boards_follow_the_stored_order_and_its_changes(stage: Stage) -> None:
    event = team_event(stage)
    reds, *_ = enter_teams(stage, event, *COLOURS[:4])
    codes = {(g.a_id, g.b_id): g.code for g in stage.draw(event, 1)}
    inputs = stage.one(Round, number=1).inputs or {}
    assert sorted(seat["id"] for seat in inputs["seats"]) == [f"t{team.id}" for team in stage.all(Team)]
    player, two, three = of_team(stage, event, reds)
    stage.do(event, team_actions.seat_team, reds, [two, player, three], None)
    order = [name for pair in stage.pairs(event, 1) for name in pair if name.startswith("Reds")]
    assert order == ["Reds 2", "Reds 1", "Reds 3"]
    kept = {(g.a_id, g.b_id): g.code for g in stage.games(event, 1)}
    assert len(kept.items() & codes.items()) == 4, "unchanged boards keep their sheets"
    assert captain_of(event.players, reds) is two


def test_empty_board_and_no_show_are_losses(stage: Stage) -> None:
    event = team_event(stage)
    _, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.do(event, leaving.drop, of_team(stage, event, blues)[1])
    stage.publish(event, 1)
    empty = next(g for g in stage.games(event, 1) if g.b_id is None)
    assert (stage.name(empty.a_id), empty.board, empty.state) == ("Reds 2", 2, GameState.CONFIRMED)
    assert empty.notes == [{"kind": "empty_board", "board": 2}]
    _, third = games = [game for game in stage.games(event, 1) if game.b_id is not None]
    for game in games:
        stage.decide(event, game, 2, 2)
    rows = {row.name: row for row in team_rows(stage, event)}
    assert (rows["Reds"].points, str(rows["Reds"].how["board_points"])) == (3, "5 against Blues = 5")
    assert (rows["Blues"].points, str(rows["Blues"].how["board_points"])) == (0, "2 against Reds = 2")
    stage.no_show(event, third, Absent.A if stage.name(third.a_id).startswith("Reds") else Absent.B)
    rows = {row.name: row for row in team_rows(stage, event)}
    assert [str(rows[name].how["board_points"]).split()[0] for name in ("Reds", "Blues")] == ["4", "4"]


def test_choice_is_secret_and_changeable_until_it_is_closed(stage: Stage) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.draw(event, 1)
    (match,) = matches_in(stage, event, 1)
    number, two, three = (player.id for player in of_team(stage, event, reds))
    blue = of_team(stage, event, blues)[0].id
    stage.refuse_to("once the round is published", choose, stage, event, match, reds.id, [number, two, three])
    stage.do(event, rounds_actions.publish_round, 1)
    for order, words in (
        ([number, number, two], "Reds 1 cannot sit at two boards"),
        ([number, two, None], "Reds 3 is here and must have a board"),
        ([number, two], "Choose from the players of your team"),
        ([number, two, blue], "Choose from the players of your team"),
    ):
        stage.refuse_to(words, choose, stage, event, match, reds.id, order)
    assert not choose(stage, event, match, reds.id, [two, number, three])
    assert not choose(stage, event, match, reds.id, [three, number, two])
    assert stage.games(event, 1) == []
    for a, b in (([number], None), (None, [number])):
        waiting = TeamMatch(round_id=1, a_id=1, b_id=2, block=1, notes=[], a_order=a, b_order=b)
        assert match_of(1, waiting).boards == (), "one captain has chosen"
    secret = stage.all(JournalEntry, verb="choose-boards")
    assert [set(line.details) for line in secret] == [{"match", "said"}] * 2
    assert not any(player.name in line.text for line in secret for player in of_team(stage, event, reds))
    stage.do(event, team_boards.close_choice, match)
    assert [sorted(names) for names in stage.pairs(event, 1)] == [
        ["Blues 1", "Reds 3"], ["Blues 2", "Reds 1"], ["Blues 3", "Reds 2"],
    ]  # fmt: skip
    line = stage.one(JournalEntry, verb="match-boards")
    assert line.text.endswith("the boards are matched, the stored order stands in for Blues")
    assert [three, number, two] in (line.details["a"], line.details["b"])
    stage.refuse_to("boards of this match are matched", choose, stage, event, match, reds.id, [number, two, three])
    stage.refuse("boards of this match are matched", event, team_boards.close_choice, match)


def test_empty_boards_of_one_match_after_another_are_closed(stage: Stage) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    teams = {team.id: team for team in enter_teams(stage, event, "Reds", "Blues", "Greens", "Whites")}
    stage.publish(event, 1)
    for match in matches_in(stage, event, 1):
        stage.set(event, of_team(stage, event, teams[match.a_id])[2], state=PlayerState.REGISTERED)
        stage.do(event, team_boards.close_choice, match)
    assert [game.b_id is None for game in stage.games(event, 1)] == [False] * 4 + [True] * 2


@pytest.mark.proves("G4")
def test_going_back_leaves_no_order_that_the_other_captain_has_seen(stage: Stage) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    orders: dict[int, list[int | None]] = {
        team.id: [player.id for player in of_team(stage, event, team)] for team in (reds, blues)
    }
    choose(stage, event, matches_in(stage, event, 1)[0], reds.id, orders[reds.id])
    for is_matched in (False, True):
        stage.do(event, give_ruling, of_team(stage, event, reds)[0], Given("late", points=-1))
        if is_matched:
            assert choose(stage, event, matches_in(stage, event, 1)[0], blues.id, orders[blues.id])
        point = next(point for point in points_of(stage.s, stage.now(event)) if "late" in point.text)
        stage.do(event, go_back, point.id)
        (match,) = matches_in(stage, event, 1)
        assert (match.a_order, match.b_order).count(None) == (2 if is_matched else 1)
    assert replay(stage.s, stage.now(event)).difference is None


def test_captain_chooses_again_when_a_chosen_player_leaves(
    app: Flask, stage: Stage, link_of: Links, olga: Person
) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    reds, _ = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    player, two, three = of_team(stage, event, reds)
    captain = browser(app, link_of, player)
    choose(stage, event, match, reds.id, [three.id, player.id, two.id])
    assert "You have set your boards. The other captain still chooses" in captain.open(f"{EVENT}/me").text
    stage.do(event, leaving.drop, three)
    assert "You are the captain: choose who sits at which board." in captain.open(f"{EVENT}/me").text
    assert stage.one(JournalEntry, verb="choose-again").text.startswith("Reds choose their boards for round 1 again")
    assert stage.one(JournalEntry, verb="drop").text == "Reds 3 withdrew before round 1", "at no board of round 1"
    assert "after round" not in browser(app, link_of, three).open(f"{EVENT}/me").text
    assert "Reds 3 dropped" in olga.open(f"{EVENT}/teams").text


def meetings(stage: Stage, event: Event, number: int) -> set[frozenset[int | None]]:
    return {frozenset((match.a_id, match.b_id)) for match in matches_in(stage, event, number)}


def test_locked_match_is_neither_redrawn_nor_swapped_and_a_rematch_by_hand_warns(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, *COLOURS)
    stage.draw(event, 1)
    first, second, bye = matches_in(stage, event, 1)
    ours, other, free = first.a_id, second.a_id, bye.a_id
    pair = frozenset((ours, first.b_id))
    for team, against in ((ours, first.b_id), (ours, first.b_id), (free, None)):
        stage.do(event, draft.lock, 1, team, against, locked=True)
    for seed in (2, 3):
        stage.draw(event, 1, seed)
        assert {pair, frozenset((free, None))} <= meetings(stage, event, 1)
    stage.refuse(" are locked: unlock first", event, draft.swap, 1, ours, other)
    stage.do(event, draft.lock, 1, ours, first.b_id, locked=False)
    assert sum(line.startswith("Locked") for line in stage.journal(event, "lock")) == 2
    stage.do(event, rounds_actions.publish_round, 1)
    decide_all(stage, event, 1)
    stage.draw(event, 2)
    partner = {a: b for m in matches_in(stage, event, 2) if m.b_id for a, b in ((m.a_id, m.b_id), (m.b_id, m.a_id))}
    keep, want = next((m.a_id, m.b_id or 0) for m in matches_in(stage, event, 1) if {m.a_id, m.b_id} <= partner.keys())
    warnings = stage.do(event, draft.swap, 2, partner[keep], want)
    assert any("were paired before" in warning for warning in warnings.values()), warnings
    (the_round,) = stage.all(Round, number=2)
    assert best_costs(the_round)["rematches"] == 0 < costs_now(the_round)["rematches"]


def test_late_team_plays_from_the_next_round_and_dropped_team_stops(stage: Stage) -> None:
    event = team_event(stage, size=2)
    reds, *_ = enter_teams(stage, event, *COLOURS[:3])
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    (late,) = enter_teams(stage, event, "Blacks")
    assert late.entered_round == 2
    stage.do(event, leaving.drop_team, reds)
    assert {p.state.value for p in of_team(stage, event, reds)} == {"dropped"}
    stage.draw(event, 2)
    drawn = {team for match in matches_in(stage, event, 2) for team in (match.a_id, match.b_id)}
    assert late.id in drawn
    assert reds.id not in drawn
    assert [row.name for row in team_rows(stage, event) if row.dropped] == ["Reds"]
    stage.do(event, leaving.drop_team, late)
    stage.refuse("Blacks left after the draw", event, rounds_actions.publish_round, 2)


def test_matches_need_two_teams_and_adjacent_tables(stage: Stage) -> None:
    event = team_event(stage, tables=12)
    (reds,) = enter_teams(stage, event, "Reds")
    stage.refuse_to("At least two teams", stage.draw, event, 1)
    enter_teams(stage, event, "Blues")
    stage.draw(event, 1)
    assert not is_stale(load(event), 1)
    enter_teams(stage, event, "Greens", "Yellows")
    assert is_stale(load(event), 1)
    stage.set(event, of_team(stage, event, reds)[0], fixed_table=8)
    stage.draw(event, 1)
    table = {stage.name(number): g.table_number for g in stage.games(event, 1) for number in (g.a_id, g.b_id)}
    assert [table[f"Reds {number}"] for number in (1, 2, 3)] == [8, 7, 9]
    stage.set(event, tables=9, tables_out=[2])
    stage.draw(event, 1)
    assert {game.table_number for game in stage.games(event, 1)} == {4, 5, 6, 7, 8, 9}
    assert len(stage.all(TeamMatch)) == 2
    stage.do(event, rounds_actions.discard_draw, 1)
    assert (stage.all(TeamMatch), stage.all(Game)) == ([], [])
    stage.set(event, tables=8)
    stage.refuse_to("2 matches need 3 tables side by side each, and the event has 1", stage.draw, event, 1)


def test_players_can_change_teams_between_rounds(stage: Stage) -> None:
    event = team_event(stage, size=2)
    reds, blues, _ = enter_teams(stage, event, "Reds", "Blues", "Greens")
    player, two, three, four, *_ = stage.all(Player)
    stage.do(event, team_actions.seat_team, reds, [three, player], player)
    assert [(p.name, p.captain) for p in of_team(stage, event, reds)] == [("Blues 1", False), ("Reds 1", True)]
    assert stage.now(two).team_id is None
    assert of_team(stage, event, blues) == [four]
    for order, captain, words in (
        ([player, player], None, "one board only"),
        ([player, None], three, "a captain from the team"),
    ):
        stage.refuse(words, event, team_actions.seat_team, reds, order, captain)
    stage.do(event, team_actions.remove_team, stage.one(Team, name="Greens"))
    assert [team.name for team in stage.all(Team)] == ["Reds", "Blues"]
    assert len(stage.all(Player, team_id=None)) == 3
    stage.publish(event, 1)
    stage.refuse("drop the team instead", event, team_actions.remove_team, blues)
    stage.refuse("Blues 2 plays round 1 with Blues", event, team_actions.seat_team, reds, [player, four], None)
    before = stage.pairs(event, 1)
    stage.do(event, team_actions.seat_team, reds, [player, three], None)
    assert stage.pairs(event, 1) == before, "a new order is for the rounds to come"


def test_team_settings_that_no_longer_fit_are_rejected(stage: Stage) -> None:
    event = team_event(stage, size=3)
    enter_teams(stage, event, "Reds", "Blues")
    for size, words in ((9, "A team has 2 to 8"), (2, "Reds, Blues: too many players")):
        stage.refuse(words, event, pairing_actions.set_teams, size, BoardsMatched.ORDER, False)
    stage.draw(event, 1)
    stage.refuse("Round 1 is drawn", event, pairing_actions.set_teams, 4, BoardsMatched.ORDER, False)
    other = stage.event("Rust Cup")
    (ann,) = stage.enter(other, "Ann")
    stage.do(other, byes.ask_bye, ann, 2)
    stage.refuse("Ann asked for a bye", other, pairing_actions.set_teams, 2, BoardsMatched.ORDER, False)


EVENT = "/e/iron-open"
DESK = f"{EVENT}/desk"


def register(app: Flask, **fields: str) -> Page:
    return Person(app).press(SIGN_UP, at=f"{EVENT}/register", **fields)


def printed(person: Person, paper: str) -> str:
    return " ".join(texts(person.open(f"{EVENT}/{paper}.pdf")))


def names_of(stage: Stage) -> dict[int | None, str]:
    return {team.id: team.name for team in stage.all(Team)}


def test_players_register_with_teams_that_the_desk_orders(app: Flask, stage: Stage, olga: Person, event: Event) -> None:
    assert "Teams" not in olga.open(DESK).part("nav.tabs")
    olga.open(f"{DESK}/settings/teams")
    assert olga.press("Save", inside="#teams", **{"teams-team_size": "2"}).flashes == "Saved."
    code = ""
    for name, team in (("Ann", "Reds"), ("Bo", "reds"), ("Di", "")):
        assert register(app, name=name, team=team, team_code=code if team else "").path == f"{EVENT}/me/link"
        code = stage.one(Team).code
    page = register(app, name="Cy", team="REDS", team_code=code)
    assert (page.status, page.value("name")) == (422, "Cy")
    assert page.error_at("team") == "The team Reds has its 2 players already."
    assert "They are not paired: Di" in olga.open(f"{DESK}/teams").text
    olga.open(f"{DESK}/teams/{stage.one(Team).id}")
    bo, ann = str(stage.one(Player, name="Bo").id), str(stage.one(Player, name="Ann").id)
    page = olga.press("Save the boards", **{"b-board1": bo, "b-board2": bo})
    assert (page.status, "Choose each player for one board only." in page.errors) == (422, True)
    assert olga.press("Save the boards", **{"b-board1": bo, "b-board2": ann, "b-captain": ann}).flashes == "Saved."
    listed = olga.open(f"{EVENT}/teams").text
    assert "Reds Bo Ann captain" in listed and "In no team yet Di" in listed


def test_teams_are_added_renamed_removed_dropped_and_reinstated(stage: Stage, olga: Person) -> None:
    event = team_event(stage, size=2)
    reds, _ = enter_teams(stage, event, "Reds", "Blues")
    page = olga.press("Add", at=f"{DESK}/teams", name="reds")
    assert (page.status, page.error_at("name")) == (422, "The name Reds is taken. Choose another.")
    assert olga.press("Add", name="Greens", club="Vault 13").part("h1") == "Greens"
    assert olga.press("Save the name", **{"t-name": "Limes"}).flashes == "Saved."
    assert olga.press("Disband the team").path == f"{DESK}/teams"
    assert "Bring back" in olga.press("Drop the team", at=f"{DESK}/teams/{reds.id}").text
    assert {p.state for p in of_team(stage, event, reds)} == {PlayerState.DROPPED}
    olga.press("Bring back")
    assert {p.state for p in of_team(stage, event, reds)} == {PlayerState.REGISTERED}
    assert olga.ask("POST", f"{DESK}/teams/{reds.id}/fly", {"csrf_token": "x"}).status_code == 400
    pasted = "Ann; Vault 13;; Greys\nBo;;;Greys\nCy;;;Greys\nDi\t\t\tWhites\nEd;a;b;c;d"
    page = olga.press(ADD_ALL, at=f"{DESK}/players", **{"p-names": pasted})
    for shown in ("3 of 5 lines entered", "The team Greys has its 2 players already.", "More than four parts"):
        assert shown in page.text
    assert [team.name for team in stage.all(Team)] == ["Reds", "Blues", "Greys", "Whites"]
    assert [p.name for p in stage.all(Player)][4:] == ["Ann", "Bo", "Di"], "nobody without the team they asked for"


@pytest.fixture
def played(stage: Stage) -> Event:
    """Three teams of two with boards by order; round 1 is published, one board of the match is decided."""
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues", "Greens")
    stage.publish(event, 1)
    stage.decide(event, stage.games(event, 1)[0], 3, 1)
    return event


def test_round_pages_group_boards_by_match(
    app: Flask, stage: Stage, visitor: Person, olga: Person, link_of: Links, played: Event
) -> None:
    page = visitor.open(f"{EVENT}/rounds/1")
    names = names_of(stage)
    match, bye = matches_in(stage, played, 1)
    heads = [" ".join(head.text.split()) for head in page.soup.select(".team-match h2")]
    assert heads == [f"{names[match.a_id]} 3 : 0 {names[match.b_id]}", f"{names[bye.a_id]} bye"]
    assert "Tables 1 to 2" in page.part(".team-match")
    assert "1 of 2 boards decided" in page.part(".team-match")
    assert len(page.rows(".team-match table")) == 2
    by_name = [row[0] for row in visitor.open(f"{EVENT}/rounds/1?order=name").rows("table.pairings")]
    assert (len(by_name), by_name) == (6, sorted(by_name))
    own = browser(app, link_of, of_team(stage, played, stage.one(Team, id=match.a_id))[1]).open(f"{EVENT}/me")
    assert f"Board 2 of {names[match.a_id]} against {names[match.b_id]}" in own.text
    assert "Table 2" in own.text
    free = of_team(stage, played, stage.one(Team, id=bye.a_id))[0]
    assert "Your team has the bye" in browser(app, link_of, free).open(f"{EVENT}/me").text
    paper, (a, b) = printed(olga, "rounds/1/pairings"), (names[match.a_id], names[match.b_id or 0])
    assert f"{a} v {b} 1 board 1 {a} 1 v {b} 1 2 board 2 {a} 2 v {b} 2 {names[bye.a_id]} Bye" in paper
    assert f"Board 2 of {a}" in texts(olga.open(f"{EVENT}/rounds/1/pairings.pdf?order=name"))[0]
    (sheet,) = texts(olga.open(f"{EVENT}/rounds/1/scoresheets.pdf?table=2"))
    assert sheet.count("Board 2") == 2


def test_empty_board_of_a_round_robin_is_won_though_byes_score_nothing(stage: Stage) -> None:
    event = team_event(stage, size=2)
    stage.set(event, format=EventFormat.ROUND_ROBIN)
    enter_teams(stage, event, "Reds", "Blues")
    stage.do(event, leaving.drop, stage.one(Player, name="Blues 2"))
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    (row,) = (row for row in standings_of(event).of_players() if row.name == "Reds 2")
    assert (row.points, str(row.how["points"])) == (3, "1 walk-over × 3 = 3")


def test_team_standings_explain_and_follow_points(stage: Stage, visitor: Person, olga: Person, played: Event) -> None:
    def standings() -> list[list[str]]:
        return visitor.open(f"{EVENT}/standings/teams").rows("table.standings")

    assert "tables decided" in visitor.open(f"{EVENT}/standings/teams").part(".in-play")
    stage.decide(played, stage.games(played, 1)[1], 3, 1)
    rows = standings()
    assert [row[0] for row in rows] == ["1", "2", "3"]
    winner, bye = sorted(rows[:2], key=lambda row: row[4])
    assert (winner[4], bye[4]) == ("", "1"), "the bye is a match won"
    assert winner[5:7] == ["3", "6"]
    assert "Points: 1 win × 3 = 3 Board points: 6 against" in visitor.page.part(".std")
    assert "Ranked by points (3 for a match won, 1 drawn, 0 lost)" in visitor.page.text
    players = visitor.open(f"{EVENT}/standings")
    assert len(players.rows("table.standings")) == 6
    assert players.soup.select_one("a[href*='/standings/teams']") is not None
    assert "Board points" in printed(visitor, "standings/teams")
    assert "win 6 : 0" in visitor.open(f"{EVENT}/teams/{stage.one(Team, name=winner[1]).id}").text
    stage.publish(played, 2)
    assert "0 : 0" not in visitor.open(f"{EVENT}/teams/{stage.one(Team, name=winner[1]).id}").text, "nothing is played"
    before = {row[1]: row[6] for row in standings()}
    match, _ = matches_in(stage, played, 1)
    moved = {names_of(stage)[team_id] for team_id in (match.a_id, match.b_id)}
    olga.open(f"{DESK}/games/{stage.games(played, 1)[0].id}")
    page = olga.press(PREVIEW, a__objectives="0", b__objectives="3")
    preview = page.part("#look").partition("Teams after round 1")[2]
    assert all(name in preview for name in moved)
    assert "Round 2, published" in preview
    assert olga.press(STORE, reason="Misread").flashes == "Table 1: the correction is stored."
    assert all(row[6] != before[row[1]] for row in standings() if row[1] in moved)


def test_desk_draws_swaps_and_publishes_a_round_of_teams(stage: Stage, olga: Person) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues", "Greens")

    def bye_now() -> set[int]:
        return {m.a_id for m in matches_in(stage, event, 1) if m.b_id is None}

    assert "3 teams have players here: one of them will have the bye" in olga.open(f"{DESK}/rounds/1").text
    page = olga.press(f"{DRAW} 1")
    assert "This is proven: no other pairing" in page.part("#costs")
    assert "lowest group without an earlier bye (0 points)" in page.part("#not-drawn")
    match, bye = matches_in(stage, event, 1)
    first, second, free = match.a_id, match.b_id, bye.a_id
    for other, said in ((second, "These two play each other"), (first, "Choose two different teams of this round.")):
        page = olga.press("Swap", one=str(first), other=str(other))
        assert (page.status, said in page.errors) == (422, True)
    page = olga.press("Swap", one=str(first), other=str(free))
    assert page.flashes.startswith("Swapped.") and "Changed by hand" in page.text
    assert [row.text.count("paired by hand") for row in page.soup.select(".touched")] == [0, 1], "the bye and the pair"
    assert (bye_now(), len(stage.games(event, 1))) == ({first}, 4)
    names = names_of(stage)
    page = olga.press(f"Undo: Swapped {names[first]} and {names[free]} in round 1")
    assert page.flashes.startswith("Undone: Swapped")
    assert bye_now() == {free}
    olga.press("Lock", inside="#lock", a=f"{names[free]}, the bye")
    olga.press("Draw the rest again")
    olga.press("Unlock", inside="#lock", a=f"{names[free]}, the bye (locked)")
    assert olga.press(f"{PUBLISH} 1").flashes == "Round 1 is published."


def test_captain_alone_sets_the_boards(app: Flask, stage: Stage, olga: Person, link_of: Links) -> None:
    event = team_event(stage, size=2, boards=BoardsMatched.CHOICE)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    ours, theirs = of_team(stage, event, reds), of_team(stage, event, blues)
    first, second = (str(player.id) for player in ours)
    captain, mate = (browser(app, link_of, player) for player in ours)
    assert "You are the captain" in captain.open(f"{EVENT}/me").text
    page = captain.open(f"{EVENT}/me/boards")
    assert [page.value("board1"), page.value("board2")] == [first, second], "the stored order"
    page = captain.press("Set the boards", board1=second)
    assert (page.status, "Reds 2 cannot sit at two boards." in page.errors) == (422, True)
    page = captain.press("Set the boards", board1=second, board2=first)
    assert (page.flashes, page.value("board1")) == ("Your boards are set.", second)
    page = mate.open(f"{EVENT}/me/boards")
    assert (page.part("ol.boards"), page.soup.select("form select")) == ("Reds 2 Reds 1", []), "a team mate reads"
    with stage.unchanged():
        assert mate.post(f"{EVENT}/me/boards", board1=first, board2=second).status_code == 302
        assert mate.open(f"{EVENT}/me/boards").flashes == "Not stored. Reds 1 is your captain and sets the boards."
        of_another = captain.post(f"{EVENT}/me/boards", board1=first, board2=second, match=str(match.id + 1))
        assert of_another.status_code == 409, "a form of another match"
    assert olga.ask("GET", f"{EVENT}/me/boards").status_code == 403, "organisers cannot read them either"
    captain.open(f"{EVENT}/me/boards")
    choose(stage, event, match, blues.id, [p.id for p in theirs])
    page = captain.press("Change the boards", board1=first, board2=second)
    assert page.flashes == "Not stored. The boards were matched at 10:00 in the order that your team had chosen."
    assert (page.status, page.part("h1"), page.part("ol.boards")) == (200, "Boards", "Reds 2 Reds 1")
    assert {frozenset(pair) for pair in stage.pairs(event, 1)} == {
        frozenset(("Reds 2", "Blues 1")), frozenset(("Reds 1", "Blues 2")),
    }  # fmt: skip


def test_desk_lists_incomplete_teams_and_closes_open_choices(stage: Stage, olga: Person) -> None:
    event = team_event(stage, size=2, boards=BoardsMatched.CHOICE)
    enter_teams(stage, event, "Reds", "Blues")
    stage.enter(event, "Ann")
    olga.press("Save the boards", at=f"{DESK}/teams/{stage.one(Team, name='Blues').id}", **{"b-board2": "0"})
    steps = olga.open(DESK).part(".next")
    assert "Teams: 2 players in no team; not full: Blues." in steps
    assert "2 teams here. Draw round 1" in steps
    stage.publish(event, 1)
    assert "The captains of 1 match are still choosing their boards." in olga.open(DESK).part(".next")
    assert "The captains of 1 match still choose" in olga.open(f"{DESK}/rounds/1").text
    assert olga.press("Close the choice").flashes == "The boards are matched."
    assert len(stage.games(event, 1)) == 2


def test_doubles_entry_has_two_names(app: Flask, stage: Stage, olga: Person, event: Event) -> None:
    olga.press("Save", at=f"{DESK}/settings/teams", inside="main", **{"teams-doubles": True})
    assert register(app, name="Ann").error_at("partner") == "Enter your partner’s name."
    assert register(app, name="Ann", partner="ann").error_at("partner") == "Enter two different names."
    assert register(app, name="Ann", partner="Bo").path == f"{EVENT}/me/link"
    for name, partner, field in (("Bo", "Cy", "name"), ("Cy", "ANN", "partner")):
        assert "is registered already, as Ann & Bo" in register(app, name=name, partner=partner).error_at(field)
    olga.open(f"{DESK}/players")
    assert "name & partner" in olga.page.text
    assert "1 of 2 lines" in olga.press(ADD_ALL, **{"p-names": "Cy & Di; Vault 13\nEd & Bo"}).text
    page = olga.open(f"{DESK}/players/{stage.one(Player, partner='Bo').id}")
    assert (page.value("name"), page.value("partner")) == ("Ann", "Bo")
    assert olga.press("Save", name="Anna").flashes == "Saved."
    for player in stage.all(Player):
        stage.do(event, check_in.check_in, player)
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    for address in ("", "/rounds/1", "/standings"):
        text = olga.open(f"{EVENT}{address}").text
        assert "Anna & Bo" in text and "Cy & Di" in text, address
    for paper in ("rounds/1/scoresheets", "standings"):
        assert "Anna & Bo" in printed(olga, paper)
