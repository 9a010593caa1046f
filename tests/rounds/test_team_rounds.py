"""Whole team events through the actions: draw, boards by order and by secret choice, byes, walk-overs, drops."""

from collections import Counter

import pytest

from events.play.errors import Refused
from events.play.queries import players_of, round_views
from events.play.team_queries import captain_of
from events.registration import actions as registration_actions
from events.registration import team_actions
from events.results import actions as results_actions
from events.rounds import actions as rounds_actions
from events.rounds import byes, team_boards
from events.rounds.drawing import is_stale
from events.setup import pairing_actions
from events.standings import queries as standings_queries
from events.standings.ranking import Row
from models.event import BoardsMatched, Event
from models.journal import JournalEntry
from models.play import Absent
from models.team import Team, TeamMatch
from tests.kit.stage import BY, Game, GameState, Player, Round, Stage
from tests.kit.team_events import COLOURS, choose, decide_all, enter_teams, matches_in, of_team, team_event


def seated(stage: Stage, event: Event, number: int) -> dict[str, list[tuple[int | None, str, str]]]:
    """Table, player A and player B of each board, by the first team's name."""
    names = {team.id: team.name for team in stage.all(Team, event_id=event.id)}
    found: dict[str, list[tuple[int | None, str, str]]] = {}
    for match in matches_in(stage, event, number):
        games = [game for game in stage.games(event, number) if game.match_id == match.id]
        games.sort(key=lambda game: game.board or 0)
        found[names[match.a_id]] = [(g.table_number, stage.name(g.a_id), stage.name(g.b_id)) for g in games]
    return found


def team_rows(stage: Stage, event: Event, after: int | None = None) -> list[Row]:
    """The standings of the teams."""
    stage.s.rollback()
    return standings_queries.team_standings(stage.s, event, after)


@pytest.mark.slow
@pytest.mark.both_databases
def test_a_whole_event_of_five_teams_with_byes_a_drop_and_captains_choices(stage: Stage) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    *_, yellows, blacks = enter_teams(stage, event, *COLOURS)
    met: list[frozenset[int]] = []
    byes: list[int] = []
    for number in (1, 2, 3):
        stage.publish(event, number, seed=number)
        byes += [match.a_id for match in matches_in(stage, event, number) if match.b_id is None]
        byes_of_players = [game.state for game in stage.games(event, number)]
        assert byes_of_players == ([] if number == 3 else [GameState.CONFIRMED] * 3)
        for match in matches_in(stage, event, number):
            if match.b_id is None:
                continue
            met.append(frozenset((match.a_id, match.b_id)))
            assert not round_views(stage.s, event)[number - 1].complete
            for team_id in (match.a_id, match.b_id):
                team = stage.one(Team, id=team_id)
                backwards = [p.id for p in reversed(of_team(stage, event, team))]
                both = choose(stage, event, match, team_id, [*backwards])
            assert both
            boards = [g for g in stage.games(event, number) if g.match_id == match.id]
            assert [stage.name(g.a_id)[-1] + stage.name(g.b_id)[-1] for g in boards] == ["33", "22", "11"]
            block = match.block or 0
            assert [g.table_number for g in boards] == [block * 3 - 2, block * 3 - 1, block * 3]
        assert round_views(stage.s, event)[number - 1].open_games == 6
        decide_all(stage, event, number)
        assert round_views(stage.s, event)[number - 1].complete
        points = sum(row.points for row in team_rows(stage, event))
        assert points == {1: 9, 2: 18, 3: 24}[number], "two matches each, and two byes"
        with stage.changing(event) as s:
            if number == 1:
                team_actions.drop_team(s, event, yellows, BY, stage.clock())
                team_actions.reinstate_team(s, event, yellows, BY, stage.clock())
            if number == 2:
                team_actions.drop_team(s, event, blacks, BY, stage.clock())
    assert max(Counter(met).values()) == 1, "no two teams meet twice"
    assert len(set(byes)) == len(byes) == 2, "no team has two byes"
    assert blacks.id not in {team for pair in met[-2:] for team in pair}
    rows = {row.name: row for row in team_rows(stage, event)}
    assert rows["Reds"].points == 9, "their players were entered first and win every game"
    assert {name for name, row in rows.items() if row.dropped} == {"Blacks"}
    people = stage.standings(event)
    assert len(people) == 15
    assert {row.points for row in people if row.name.startswith("Reds")} == {9}
    assert stage.journal(event, "drop-team") == [
        "Dropped the team Yellows after round 1", "Dropped the team Blacks after round 2",
    ]  # fmt: skip


def test_boards_are_matched_by_order_when_the_round_is_drawn_side_by_side(stage: Stage) -> None:
    event = team_event(stage)
    enter_teams(stage, event, *COLOURS[:4])
    stage.draw(event, 1)
    first, second = seated(stage, event, 1).items()
    for place, (team, boards) in enumerate((first, second)):
        assert [table for table, _, _ in boards] == [3 * place + 1, 3 * place + 2, 3 * place + 3]
        assert [a for _, a, _ in boards] == [f"{team} {n}" for n in (1, 2, 3)]
        assert [b[-1] for _, _, b in boards] == ["1", "2", "3"]
    (the_round,) = stage.all(Round, number=1)
    assert the_round.inputs is not None
    assert sorted(seat["id"] for seat in the_round.inputs["seats"]) == [f"t{team.id}" for team in stage.all(Team)]


def test_a_change_of_the_order_is_on_the_boards_of_a_draw_that_lies_on_the_desk_at_once(stage: Stage) -> None:
    event = team_event(stage)
    reds, *_ = enter_teams(stage, event, *COLOURS[:4])
    codes = {(g.a_id, g.b_id): g.code for g in stage.draw(event, 1)}
    one, two, three = of_team(stage, event, reds)
    with stage.changing(event) as s:
        team_actions.seat_team(s, event, reds, [two, one, three], None, BY, stage.clock())
    order = [name for boards in seated(stage, event, 1).values() for _, *names in boards for name in names]
    assert [name for name in order if name.startswith("Reds")] == ["Reds 2", "Reds 1", "Reds 3"]
    kept = {(g.a_id, g.b_id): g.code for g in stage.games(event, 1)}
    assert len(kept.items() & codes.items()) == 4, "the boards that stay keep the codes of their sheets"
    assert captain_of(players_of(stage.s, event), reds) is two


def test_an_empty_board_is_lost_by_walk_over(stage: Stage) -> None:
    event = team_event(stage)
    _, blues = enter_teams(stage, event, "Reds", "Blues")
    gone = of_team(stage, event, blues)[1]
    with stage.changing(event) as s:
        registration_actions.drop(s, event, gone, BY, stage.clock())
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    empty = next(g for g in stage.games(event, 1) if g.b_id is None)
    assert (stage.name(empty.a_id), empty.board, empty.state) == ("Reds 2", 2, GameState.CONFIRMED)
    assert empty.notes == ["board 2: nobody opposite, a walk-over"]
    for game in stage.games(event, 1):
        if game.b_id is not None:
            stage.decide(event, game, 2, 2)
    rows = {row.name: row for row in team_rows(stage, event)}
    assert (rows["Reds"].points, rows["Reds"].how["board_points"]) == (3, "5 against Blues = 5")
    assert (rows["Blues"].points, rows["Blues"].how["board_points"]) == (0, "2 against Reds = 2")
    assert match.matched_at is not None


def test_a_no_show_loses_the_board(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    first, second = stage.publish(event, 1)
    winner = stage.name(first.a_id).split()[0]
    with stage.changing(event) as s:
        results_actions.set_absent(s, event, first, Absent.B, version=first.version, actor=BY, now=stage.clock())
    stage.decide(event, second, 2, 2)
    rows = {row.name: row for row in team_rows(stage, event)}
    assert rows[winner].points == 3
    assert sorted(row.how["board_points"].split()[0] for row in rows.values()) == ["1", "4"]


def test_the_organiser_closes_the_choice_and_the_stored_order_stands_in(stage: Stage) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    reds, _ = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    mine = of_team(stage, event, reds)
    choose(stage, event, match, reds.id, [mine[2].id, mine[0].id, mine[1].id])
    assert stage.games(event, 1) == []
    with stage.changing(event) as s:
        team_boards.close_choice(s, event, match, BY, stage.clock())
    (boards,) = seated(stage, event, 1).values()
    by_team = [sorted(names) for _, *names in boards]
    assert by_team == [["Blues 1", "Reds 3"], ["Blues 2", "Reds 1"], ["Blues 3", "Reds 2"]]
    said = stage.journal(event, "match-boards")
    assert len(said) == 1
    assert said[0].endswith("the boards are matched, the stored order stands in for Blues")
    before = stage.digest()
    with pytest.raises(Refused, match="boards of this match are matched"):
        choose(stage, event, match, reds.id, [mine[0].id, mine[1].id, mine[2].id])
    with pytest.raises(Refused, match="boards of this match are matched"), stage.changing(event) as s:
        team_boards.close_choice(s, event, match, BY, stage.clock())
    assert stage.digest() == before


def test_a_choice_is_changed_until_both_are_in_and_the_journal_keeps_it_until_then(stage: Stage) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    ours, theirs = (of_team(stage, event, team) for team in (reds, blues))
    assert not choose(stage, event, match, reds.id, [ours[2].id, ours[1].id, ours[0].id])
    assert not choose(stage, event, match, reds.id, [ours[1].id, ours[2].id, ours[0].id])
    secret = stage.all(JournalEntry, verb="choose-boards")
    assert [set(line.details) for line in secret] == [{"match"}, {"match"}]
    for player in ours:
        assert all(player.name not in line.text for line in secret)
    assert choose(stage, event, match, blues.id, [p.id for p in theirs])
    told = stage.one(JournalEntry, verb="match-boards").details
    by_team = {match.a_id: told["a"], match.b_id: told["b"]}
    assert by_team[reds.id] == [ours[1].id, ours[2].id, ours[0].id]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("order", "words"),
    [
        ((0, 0, 1), "Reds 1 cannot sit at two boards"),
        ((0, 1, None), "Reds 3 is here and must have a board"),
        ((0, 1), "Choose from the players of your team"),
        ((0, 1, 3), "Choose from the players of your team"),  # one of the other team
    ],
)
def test_an_order_names_everybody_of_the_team_once(stage: Stage, order: tuple[int | None, ...], words: str) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    everybody = [*of_team(stage, event, reds), *of_team(stage, event, blues)]
    before = stage.digest()
    with pytest.raises(Refused, match=words):
        choose(stage, event, match, reds.id, [None if one is None else everybody[one].id for one in order])
    assert stage.digest() == before


def test_boards_are_chosen_once_the_round_is_published(stage: Stage) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    reds, _ = enter_teams(stage, event, "Reds", "Blues")
    stage.draw(event, 1)
    (match,) = matches_in(stage, event, 1)
    with pytest.raises(Refused, match="once the round is published"):
        choose(stage, event, match, reds.id, [p.id for p in of_team(stage, event, reds)])


def test_a_chosen_player_who_leaves_before_both_are_in_leaves_the_board_empty(stage: Stage) -> None:
    event = team_event(stage, boards=BoardsMatched.CHOICE)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    (match,) = matches_in(stage, event, 1)
    ours, theirs = (of_team(stage, event, team) for team in (reds, blues))
    choose(stage, event, match, reds.id, [ours[2].id, ours[1].id, ours[0].id])
    with stage.changing(event) as s:
        registration_actions.drop(s, event, ours[2], BY, stage.clock())
    choose(stage, event, match, blues.id, [p.id for p in theirs])
    walk_over = next(g for g in stage.games(event, 1) if g.b_id is None)
    assert (stage.name(walk_over.a_id), walk_over.board) == ("Blues 1", 1)


# ---- who is paired


def test_a_late_team_plays_from_the_next_round_and_a_dropped_one_no_more(stage: Stage) -> None:
    event = team_event(stage)
    reds, *_ = enter_teams(stage, event, *COLOURS[:3])
    stage.publish(event, 1)
    decide_all(stage, event, 1)
    (late,) = enter_teams(stage, event, "Blacks")
    assert late.entered_round == 2
    with stage.changing(event) as s:
        team_actions.drop_team(s, event, reds, BY, stage.clock())
    assert {p.state.value for p in of_team(stage, event, reds)} == {"dropped"}
    stage.draw(event, 2)
    drawn = {team for match in matches_in(stage, event, 2) for team in (match.a_id, match.b_id)}
    assert late.id in drawn
    assert reds.id not in drawn
    assert {row.name for row in team_rows(stage, event)} == set(COLOURS[:3])
    with pytest.raises(Refused, match="drawn with Blacks in it"), stage.changing(event) as s:
        team_actions.drop_team(s, event, late, BY, stage.clock())


def test_a_team_that_comes_while_a_draw_lies_on_the_desk_makes_it_stale(stage: Stage) -> None:
    event = team_event(stage)
    enter_teams(stage, event, "Reds", "Blues")
    stage.draw(event, 1)
    views = round_views(stage.s, event)
    assert not is_stale(event, players_of(stage.s, event), views, 1)
    enter_teams(stage, event, "Greens")
    assert is_stale(event, players_of(stage.s, event), round_views(stage.s, event), 1)
    stage.draw(event, 1)
    assert len(matches_in(stage, event, 1)) == 2


def test_one_team_is_no_round_and_too_few_tables_are_told(stage: Stage) -> None:
    event = team_event(stage, tables=5)
    enter_teams(stage, event, "Reds")
    with pytest.raises(Refused, match="At least two teams"):
        stage.draw(event, 1)
    enter_teams(stage, event, "Blues", "Greens", "Yellows")
    with pytest.raises(Refused, match="2 matches need 3 tables side by side each, and the event has 1"):
        stage.draw(event, 1)


def test_a_player_with_a_fixed_table_sits_there_and_the_match_plays_around_it(stage: Stage) -> None:
    event = team_event(stage, tables=12)
    reds, *_ = enter_teams(stage, event, *COLOURS[:4])
    ann = of_team(stage, event, reds)[0]
    with stage.changing(event):
        ann.fixed_table = 8
    stage.draw(event, 1)
    table = {stage.name(one): g.table_number for g in stage.games(event, 1) for one in (g.a_id, g.b_id)}
    assert [table[f"Reds {number}"] for number in (1, 2, 3)] == [8, 7, 9]


def test_a_block_with_a_table_out_of_order_is_not_played_on(stage: Stage) -> None:
    event = team_event(stage)
    enter_teams(stage, event, *COLOURS[:4])
    with stage.changing(event):
        event.tables_out = [2]
    stage.draw(event, 1)
    assert {game.table_number for game in stage.games(event, 1)} == {4, 5, 6, 7, 8, 9}


def test_discarding_a_draw_leaves_no_match(stage: Stage) -> None:
    event = team_event(stage)
    enter_teams(stage, event, "Reds", "Blues")
    stage.draw(event, 1)
    stage.draw(event, 1)
    assert len(stage.all(TeamMatch)) == 1
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 1, BY, stage.clock())
    assert stage.all(TeamMatch) == []
    assert stage.all(Game) == []


# ---- making teams


def test_the_first_of_a_team_makes_it_and_the_others_join_until_it_is_full(stage: Stage) -> None:
    event = team_event(stage, size=2)
    with stage.changing(event) as s:
        ann = team_actions.enter(s, event, "Ann", "", "", BY, stage.clock(), team="Reds")
    with stage.changing(event) as s:
        team_actions.enter(s, event, "Bo", "", "", BY, stage.clock(), team="REDS")
    reds = stage.one(Team)
    assert [(p.name, p.board) for p in of_team(stage, event, reds)] == [("Ann", 1), ("Bo", 2)]
    before = stage.digest()
    with pytest.raises(Refused, match="has its 2 players already"), stage.changing(event) as s:
        team_actions.enter(s, event, "Cy", "", "", BY, stage.clock(), team="reds")
    assert stage.digest() == before, "nobody is entered without the team that they asked for"
    with stage.changing(event) as s:
        registration_actions.drop(s, event, ann, BY, stage.clock())
        team_actions.enter(s, event, "Cy", "", "", BY, stage.clock(), team="Reds")
    assert stage.one(Player, name="Cy").board == 1, "the free board"


def test_players_are_put_in_order_and_change_teams(stage: Stage) -> None:
    event = team_event(stage, size=2)
    reds, blues = enter_teams(stage, event, "Reds", "Blues")
    one, two, three, four = stage.all(Player)
    with stage.changing(event) as s:
        team_actions.seat_team(s, event, reds, [three, one], one, BY, stage.clock())
    assert [(p.name, p.captain) for p in of_team(stage, event, reds)] == [
        ("Blues 1", False), ("Reds 1", True),
    ]  # fmt: skip
    assert stage.now(two).team_id is None
    assert of_team(stage, event, blues) == [four]
    for order, captain, words in (
        ([one, one], None, "Nobody can sit at two boards"),
        ([one, None], three, "captain must be one of the team"),
    ):
        with pytest.raises(Refused, match=words), stage.changing(event) as s:
            team_actions.seat_team(s, event, reds, order, captain, BY, stage.clock())


def test_nobody_changes_teams_in_a_round_that_is_played(stage: Stage) -> None:
    event = team_event(stage, size=2)
    reds, _ = enter_teams(stage, event, "Reds", "Blues")
    stage.publish(event, 1)
    one, two, three, _ = stage.all(Player)
    with pytest.raises(Refused, match="Blues 1 plays round 1 with Blues"), stage.changing(event) as s:
        team_actions.seat_team(s, event, reds, [one, three], None, BY, stage.clock())
    with stage.changing(event) as s:  # the order of the team's own players is for the rounds to come
        team_actions.seat_team(s, event, reds, [two, one], None, BY, stage.clock())
    (boards,) = seated(stage, event, 1).values()
    assert "Reds 1" in boards[0], "what is published stays"


def test_a_team_without_a_match_is_taken_apart_and_one_with_is_not(stage: Stage) -> None:
    event = team_event(stage, size=2)
    reds, *_ = enter_teams(stage, event, "Reds", "Blues", "Greens")
    with stage.changing(event) as s:
        team_actions.remove_team(s, event, reds, BY, stage.clock())
    assert [team.name for team in stage.all(Team)] == ["Blues", "Greens"]
    assert len(stage.all(Player, team_id=None)) == 2
    stage.publish(event, 1)
    with pytest.raises(Refused, match="drop the team instead"), stage.changing(event) as s:
        team_actions.remove_team(s, event, stage.one(Team, name="Blues"), BY, stage.clock())


def test_team_settings_stand_once_a_round_is_drawn(stage: Stage) -> None:
    event = team_event(stage, size=2)
    enter_teams(stage, event, "Reds", "Blues")
    with pytest.raises(Refused, match="A team has 2 to 8"), stage.changing(event) as s:
        pairing_actions.set_teams(s, event, 9, BoardsMatched.ORDER, False, BY, stage.clock())
    stage.draw(event, 1)
    with pytest.raises(Refused, match="Round 1 is drawn"), stage.changing(event) as s:
        pairing_actions.set_teams(s, event, 3, BoardsMatched.ORDER, False, BY, stage.clock())


def test_byes_asked_for_are_settled_before_teams_play(stage: Stage) -> None:
    event = stage.event()
    (ann,) = stage.enter(event, "Ann")
    with stage.changing(event) as s:
        byes.ask_bye(s, event, ann, 2, BY, stage.clock())
    with pytest.raises(Refused, match="Ann asked for a bye"), stage.changing(event) as s:
        pairing_actions.set_teams(s, event, 2, BoardsMatched.ORDER, False, BY, stage.clock())


def test_teams_larger_than_the_new_size_are_named(stage: Stage) -> None:
    event = team_event(stage, size=3)
    enter_teams(stage, event, "Reds")
    with pytest.raises(Refused, match="Reds: more players than that"), stage.changing(event) as s:
        pairing_actions.set_teams(s, event, 2, BoardsMatched.ORDER, False, BY, stage.clock())
