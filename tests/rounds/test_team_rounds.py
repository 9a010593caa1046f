"""Team events through the actions: draw, boards by order and by secret choice, byes, walk-overs, drops."""

from events.play.queries import players_of
from events.play.rounds import round_views
from events.play.team_queries import captain_of
from events.registration import actions as registration_actions
from events.registration import team_actions
from events.rounds import actions as rounds_actions
from events.rounds import byes, team_boards, team_draft
from events.rounds.draft import best_costs, costs_now
from events.rounds.drawing import is_stale
from events.setup import pairing_actions
from events.standings import queries as standings_queries
from events.standings.ranking import Row
from models.event import BoardsMatched, Event
from models.journal import JournalEntry
from models.team import Team, TeamMatch
from tests.kit.stage import Absent, Game, GameState, Player, Round, Stage
from tests.kit.team_events import COLOURS, choose, decide_all, enter_teams, matches_in, of_team, team_event


def seated(stage: Stage, event: Event, number: int) -> dict[str, list[tuple[int | None, str, str]]]:
    """The table and both players of each board, by team A's name."""
    names = {team.id: team.name for team in stage.all(Team, event_id=event.id)}
    found: dict[str, list[tuple[int | None, str, str]]] = {}
    for match in matches_in(stage, event, number):
        games = [game for game in stage.games(event, number) if game.match_id == match.id]
        games.sort(key=lambda game: game.board or 0)
        found[names[match.a_id]] = [(g.table_number, stage.name(g.a_id), stage.name(g.b_id)) for g in games]
    return found


def team_rows(stage: Stage, event: Event, after: int | None = None) -> list[Row]:
    stage.s.rollback()
    return standings_queries.team_standings(stage.s, event, after)


def test_boards_follow_the_stored_order_and_its_changes(stage: Stage) -> None:
    event = team_event(stage)
    reds, *_ = enter_teams(stage, event, *COLOURS[:4])
    codes = {(g.a_id, g.b_id): g.code for g in stage.draw(event, 1)}
    inputs = stage.one(Round, number=1).inputs or {}
    assert sorted(seat["id"] for seat in inputs["seats"]) == [f"t{team.id}" for team in stage.all(Team)]
    one, two, three = of_team(stage, event, reds)
    stage.do(event, team_actions.seat_team, reds, [two, one, three], None)
    order = [name for boards in seated(stage, event, 1).values() for _, *names in boards for name in names]
    assert [name for name in order if name.startswith("Reds")] == ["Reds 2", "Reds 1", "Reds 3"]
    kept = {(g.a_id, g.b_id): g.code for g in stage.games(event, 1)}
    assert len(kept.items() & codes.items()) == 4, "unchanged boards keep their sheets"
    assert captain_of(players_of(stage.s, event), reds) is two


def test_empty_board_and_no_show_are_losses(stage: Stage) -> None:
    event = team_event(stage)
    _, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.do(event, registration_actions.drop, of_team(stage, event, blues)[1])
    stage.publish(event, 1)
    empty = next(g for g in stage.games(event, 1) if g.b_id is None)
    assert (stage.name(empty.a_id), empty.board, empty.state) == ("Reds 2", 2, GameState.CONFIRMED)
    assert empty.notes == ["board 2: nobody opposite, a walk-over"]
    _, third = games = [game for game in stage.games(event, 1) if game.b_id is not None]
    for game in games:
        stage.decide(event, game, 2, 2)
    rows = {row.name: row for row in team_rows(stage, event)}
    assert (rows["Reds"].points, rows["Reds"].how["board_points"]) == (3, "5 against Blues = 5")
    assert (rows["Blues"].points, rows["Blues"].how["board_points"]) == (0, "2 against Reds = 2")
    stage.no_show(event, third, Absent.A if stage.name(third.a_id).startswith("Reds") else Absent.B)
    rows = {row.name: row for row in team_rows(stage, event)}
    assert [rows[name].how["board_points"].split()[0] for name in ("Reds", "Blues")] == ["4", "4"]


def test_choice_is_secret_and_changeable_until_it_is_closed(stage: Stage) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.draw(event, 1)
    (match,) = matches_in(stage, event, 1)
    one, two, three = (player.id for player in of_team(stage, event, reds))
    blue = of_team(stage, event, blues)[0].id
    stage.refuse_to("once the round is published", choose, stage, event, match, reds.id, [one, two, three])
    stage.do(event, rounds_actions.publish_round, 1)
    for order, words in (
        ([one, one, two], "Reds 1 cannot sit at two boards"),
        ([one, two, None], "Reds 3 is here and must have a board"),
        ([one, two], "Choose from the players of your team"),
        ([one, two, blue], "Choose from the players of your team"),
    ):
        stage.refuse_to(words, choose, stage, event, match, reds.id, order)
    assert not choose(stage, event, match, reds.id, [two, one, three])
    assert not choose(stage, event, match, reds.id, [three, one, two])
    assert stage.games(event, 1) == []
    for a, b in (([one], None), (None, [one])):
        waiting = TeamMatch(round_id=1, a_id=1, b_id=2, block=1, notes=[], a_order=a, b_order=b)
        assert standings_queries.boards_of(waiting) == (), "one captain has chosen"
    secret = stage.all(JournalEntry, verb="choose-boards")
    assert [set(line.details) for line in secret] == [{"match"}, {"match"}]
    assert not any(player.name in line.text for line in secret for player in of_team(stage, event, reds))
    stage.do(event, team_boards.close_choice, match)
    assert [sorted(names) for names in stage.pairs(event, 1)] == [
        ["Blues 1", "Reds 3"], ["Blues 2", "Reds 1"], ["Blues 3", "Reds 2"],
    ]  # fmt: skip
    line = stage.one(JournalEntry, verb="match-boards")
    assert line.text.endswith("the boards are matched, the stored order stands in for Blues")
    assert [three, one, two] in (line.details["a"], line.details["b"])
    stage.refuse_to("boards of this match are matched", choose, stage, event, match, reds.id, [one, two, three])
    stage.refuse("boards of this match are matched", event, team_boards.close_choice, match)


def meetings(stage: Stage, event: Event, number: int) -> set[frozenset[int | None]]:
    return {frozenset((match.a_id, match.b_id)) for match in matches_in(stage, event, number)}


def test_locked_match_is_neither_redrawn_nor_swapped_and_a_rematch_by_hand_warns(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, *COLOURS)
    stage.draw(event, 1)
    first, second, bye = matches_in(stage, event, 1)
    ours, other, free = first.a_id, second.a_id, bye.a_id
    pair = frozenset((ours, first.b_id))
    for team in (ours, ours, free):
        stage.do(event, team_draft.lock_match, 1, team, locked=True)
    for seed in (2, 3):
        stage.draw(event, 1, seed)
        assert {pair, frozenset((free, None))} <= meetings(stage, event, 1)
    stage.refuse(" are locked: unlock first", event, team_draft.swap_teams, 1, ours, other)
    stage.do(event, team_draft.lock_match, 1, ours, locked=False)
    assert sum(line.startswith("Locked") for line in stage.journal(event, "lock")) == 2
    stage.do(event, rounds_actions.publish_round, 1)
    decide_all(stage, event, 1)
    stage.draw(event, 2)
    partner = {a: b for m in matches_in(stage, event, 2) if m.b_id for a, b in ((m.a_id, m.b_id), (m.b_id, m.a_id))}
    keep, want = next((m.a_id, m.b_id or 0) for m in matches_in(stage, event, 1) if {m.a_id, m.b_id} <= partner.keys())
    warnings = stage.do(event, team_draft.swap_teams, 2, partner[keep], want)
    assert any("have met before" in one for one in warnings.values()), warnings
    (the_round,) = stage.all(Round, number=2)
    assert best_costs(the_round)["rematches"] == 0 < costs_now(the_round)["rematches"]


def test_late_team_plays_from_the_next_round_and_dropped_team_stops(stage: Stage) -> None:
    event = team_event(stage, size=2)
    reds, *_ = enter_teams(stage, event, *COLOURS[:3])
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    (late,) = enter_teams(stage, event, "Blacks")
    assert late.entered_round == 2
    stage.do(event, team_actions.drop_team, reds)
    assert {p.state.value for p in of_team(stage, event, reds)} == {"dropped"}
    stage.draw(event, 2)
    drawn = {team for match in matches_in(stage, event, 2) for team in (match.a_id, match.b_id)}
    assert late.id in drawn
    assert reds.id not in drawn
    assert [row.name for row in team_rows(stage, event) if row.dropped] == ["Reds"]
    stage.refuse("drawn with Blacks in it", event, team_actions.drop_team, late)


def test_matches_need_two_teams_and_adjacent_tables(stage: Stage) -> None:
    event = team_event(stage, tables=12)
    (reds,) = enter_teams(stage, event, "Reds")
    stage.refuse_to("At least two teams", stage.draw, event, 1)
    enter_teams(stage, event, "Blues")
    stage.draw(event, 1)
    assert not is_stale(event, players_of(stage.s, event), round_views(stage.s, event), 1)
    enter_teams(stage, event, "Greens", "Yellows")
    assert is_stale(event, players_of(stage.s, event), round_views(stage.s, event), 1)
    stage.set(event, of_team(stage, event, reds)[0], fixed_table=8)
    stage.draw(event, 1)
    table = {stage.name(one): g.table_number for g in stage.games(event, 1) for one in (g.a_id, g.b_id)}
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
    one, two, three, four, *_ = stage.all(Player)
    stage.do(event, team_actions.seat_team, reds, [three, one], one)
    assert [(p.name, p.captain) for p in of_team(stage, event, reds)] == [("Blues 1", False), ("Reds 1", True)]
    assert stage.now(two).team_id is None
    assert of_team(stage, event, blues) == [four]
    for order, captain, words in (
        ([one, one], None, "one board only"),
        ([one, None], three, "a captain from the team"),
    ):
        stage.refuse(words, event, team_actions.seat_team, reds, order, captain)
    stage.do(event, team_actions.remove_team, stage.one(Team, name="Greens"))
    assert [team.name for team in stage.all(Team)] == ["Reds", "Blues"]
    assert len(stage.all(Player, team_id=None)) == 3
    stage.publish(event, 1)
    stage.refuse("drop the team instead", event, team_actions.remove_team, blues)
    stage.refuse("Blues 2 plays round 1 with Blues", event, team_actions.seat_team, reds, [one, four], None)
    before = seated(stage, event, 1)
    stage.do(event, team_actions.seat_team, reds, [one, three], None)
    assert seated(stage, event, 1) == before, "a new order is for the rounds to come"


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
