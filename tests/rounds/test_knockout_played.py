"""Events with a knockout, played by the actions: the cut, third place, draws, drops, undo, corrections."""

from collections.abc import Mapping

import pytest

from events.pairing.request import drawn_round
from events.play.brackets import request_drawn
from events.play.errors import Refused, Stale
from events.play.queries import players_of, round_views
from events.registration import actions as registration_actions
from events.results.actions import set_absent
from events.rounds import actions as rounds_actions
from events.rounds import knockout
from events.rounds.actions import unpublish
from events.rounds.byes import ask_bye
from events.rounds.draft import swap
from events.setup.pairing_actions import FormatSettings, set_format, set_teams
from models.event import BoardsMatched, Event, EventFormat, RoundKind
from models.play import Absent, Side
from tests.kit.stage import BY, Game, Player, Round, RoundState, Stage

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo")


def formed(stage: Stage, event: Event, **wanted: object) -> None:
    """Choose the format."""
    with stage.changing(event) as s:
        set_format(s, event, FormatSettings(**wanted), BY, stage.clock())  # type: ignore[arg-type]


def cut(stage: Stage, event: Event, seed: int = 1) -> list[Game]:
    """Look who is in, and press."""
    with stage.changing(event) as s:
        seen = knockout.cut_now(s, event, players_of(s, event), round_views(s, event)).mark
        number = knockout.make_cut(s, event, seen, seed, BY, stage.clock()).number
    return stage.games(event, number)


def publish(stage: Stage, event: Event, number: int) -> list[Game]:
    """Publish what is drawn."""
    with stage.changing(event) as s:
        rounds_actions.publish_round(s, event, number, BY, stage.clock())
    return stage.games(event, number)


def decide_all(stage: Stage, event: Event, games: list[Game], strength: Mapping[int, int] | None = None) -> None:
    """The player entered first wins, or the stronger."""
    for game in games:
        if game.b_id is not None:
            a, b = (strength[game.a_id], strength[game.b_id]) if strength else (-game.a_id, -game.b_id)
            stage.decide(event, game, *((3, 1) if a > b else (1, 3)))


def drop(stage: Stage, event: Event, name: str) -> None:
    """Somebody leaves."""
    with stage.changing(event) as s:
        registration_actions.drop(s, event, next(p for p in players_of(s, event) if p.name == name), BY, stage.clock())


def cut_event(stage: Stage, size: int, *, entered: int = 8, swiss: int = 1, **wanted: object) -> Event:
    """An event whose Swiss rounds are played; the cut waits."""
    event = stage.event(rounds=swiss)
    formed(stage, event, cut=size, **wanted)
    stage.enter(event, *NAMES[:entered])
    for number in range(1, swiss + 1):
        stage.play(event, number)
    return event


def ranking(stage: Stage, event: Event, after: int | None = None) -> list[tuple[int, str, str]]:
    """Rank, name, and what is told of a place in the knockout."""
    return [(row.rank, row.name, row.how.get("place", "")) for row in stage.standings(event, after)]


@pytest.mark.slow
@pytest.mark.both_databases
def test_four_swiss_rounds_a_cut_to_four_and_third_place(stage: Stage) -> None:
    event = cut_event(stage, 4, entered=10, swiss=4, third_place=True)
    swiss = stage.standings(event)
    assert swiss[0].name == "Ada"
    games = cut(stage, event)
    seeds = [row.name for row in swiss[:4]]
    assert stage.pairs(event, 5) == [(seeds[0], seeds[3]), (seeds[1], seeds[2])]
    assert [g.notes[0] for g in games] == ["semi-final: seed 1 against seed 4", "semi-final: seed 2 against seed 3"]
    assert [g.table_number for g in games] == [1, 2]
    planned = stage.all(Round, event_id=event.id)
    assert [(r.number, r.kind, r.bracket) for r in planned[4:]] == [(5, "knockout", 4), (6, "knockout", 2)]
    assert ranking(stage, event) == [(row.rank, row.name, "") for row in swiss], "nothing is played yet"

    # The fourth seed beats the first, the second the third.
    strength = {stage.one(Player, name=name).id: power for name, power in zip(seeds, (1, 3, 0, 2), strict=True)}
    decide_all(stage, event, publish(stage, event, 5), strength)
    assert ranking(stage, event)[:4] == [
        (1, seeds[1], "still in"),
        (2, seeds[3], "still in"),
        (3, seeds[0], "out in the semi-finals"),
        (4, seeds[2], "out in the semi-finals"),
    ]
    last = stage.publish(event, 6)
    assert [g.notes[0] for g in last] == ["final: seed 2 against seed 4", "third place: seed 1 against seed 3"]
    decide_all(stage, event, last, strength)
    final = ranking(stage, event)
    assert final[:4] == [
        (1, seeds[1], "won the final"),
        (2, seeds[3], "lost the final"),
        (3, seeds[0], "won the game for third place"),
        (4, seeds[2], "lost the game for third place"),
    ]
    # The others follow as Swiss ranks them; points and strength of schedule are those of the Swiss rounds.
    assert final[4:] == [(row.rank, row.name, "") for row in swiss[4:]]
    by_name = {row.name: row for row in swiss}
    assert all(row.points == by_name[row.name].points for row in stage.standings(event))
    assert all(row.figures == by_name[row.name].figures for row in stage.standings(event))
    assert ranking(stage, event, after=4) == [(row.rank, row.name, "") for row in swiss]
    for number in (5, 6):  # anybody can draw them again
        stored = stage.one(Round, event_id=event.id, number=number)
        drawn = drawn_round(request_drawn(stored))
        assert stored.outcome is not None
        assert stored.outcome["pairs"] == [[p.a, p.b] for p in drawn.pairs]
        assert stored.outcome["algorithm"] == "overseer-knockout/1"
        assert stored.outcome["certificate"]["by"].startswith("seeded bracket of 4 by the standings after round 4")
    assert stage.journal(event, "cut") == ["Cut to the top 4 by the standings after round 4"]


def test_a_cut_to_six_gives_the_top_two_a_bye(stage: Stage) -> None:
    event = cut_event(stage, 6, swiss=2)
    order = [row.name for row in stage.standings(event)]
    games = cut(stage, event)
    assert stage.pairs(event, 3) == [(order[2], order[5]), (order[3], order[4]), (order[0], ""), (order[1], "")]
    assert games[2].notes == ["bye, quarter-final: seed 1 is through, for the bracket has an empty place"]
    decide_all(stage, event, publish(stage, event, 3))
    assert len(stage.publish(event, 4)) == 2
    assert [row.byes for row in stage.standings(event) if row.name == order[0]] == [0], "no bye of the standings"


def test_who_has_left_is_not_in_the_cut_and_the_next_one_is(stage: Stage) -> None:
    event = cut_event(stage, 2, swiss=2)
    first, second, third, *_ = [row.name for row in stage.standings(event)]
    drop(stage, event, second)
    with stage.changing(event) as s:
        looked = knockout.cut_now(s, event, players_of(s, event), round_views(s, event))
    assert [row.name for row in looked.rows] == [first, third]
    assert [row.name for row in looked.passed_over] == [second]
    cut(stage, event)
    decide_all(stage, event, publish(stage, event, 3))
    assert {name for _, name, told in ranking(stage, event) if "the final" in told} == {first, third}
    assert ranking(stage, event)[2] == (3, second, "")


def test_a_cut_larger_than_the_field_takes_whoever_is_here(stage: Stage) -> None:
    event = cut_event(stage, 64, entered=5)
    cut(stage, event)
    assert [r.bracket for r in stage.all(Round, event_id=event.id)] == [None, 8, 4, 2]


def test_a_drawn_game_waits_for_the_organiser_s_word(stage: Stage) -> None:
    event = cut_event(stage, 4)
    cut(stage, event)
    one, two = publish(stage, event, 2)
    decide_all(stage, event, [two])
    stage.decide(event, one, 2, 2)
    assert [g.id for g in round_views(stage.s, event)[1].tied] == [one.id]
    with pytest.raises(Refused, match="Round 2 is not complete yet: 1 game has no winner"):
        stage.draw(event, 3)
    with pytest.raises(Refused, match="did not end in a draw"), stage.changing(event) as s:
        knockout.send_through(s, event, two, Side.A, BY, stage.clock())
    with stage.changing(event) as s:
        knockout.send_through(s, event, one, Side.B, BY, stage.clock())
    through = stage.name(one.b_id)
    assert stage.journal(event, "send-through") == [f"Round 2 (semi-finals), table 1: drawn, {through} goes through"]
    final = stage.publish(event, 3)
    assert through in stage.pairs(event, 3)[0]
    with (
        pytest.raises(Refused, match="Round 3 is published and stands on who went through"),
        stage.changing(event) as s,
    ):
        knockout.send_through(s, event, one, Side.A, BY, stage.clock())
    decide_all(stage, event, final)
    assert ranking(stage, event)[0][2] == "won the final"


def test_a_correction_sends_nobody_else_through_once_the_next_round_is_published(stage: Stage) -> None:
    event = cut_event(stage, 4)
    cut(stage, event)
    semis = publish(stage, event, 2)
    decide_all(stage, event, semis)
    stage.draw(event, 3)
    game = stage.games(event, 2)[0]
    winner_first = game.a_id < (game.b_id or 0)
    stage.decide(event, game, *((1, 3) if winner_first else (3, 1)))  # the draw of the final is stale now
    with pytest.raises(Refused, match="changed after this draw"):
        publish(stage, event, 3)
    with pytest.raises(Refused, match="changed after this draw"), stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 3, BY, stage.clock(), sure=True)
    stage.publish(event, 3)
    game = stage.games(event, 2)[0]
    with pytest.raises(Refused, match="The figures can be corrected, but not who won"):
        stage.decide(event, game, 2, 2)
    stage.decide(event, game, *((0, 2) if winner_first else (2, 0)))
    assert len(ranking(stage, event)) == 8


def test_whoever_drops_in_the_bracket_gives_a_walk_over(stage: Stage) -> None:
    event = cut_event(stage, 4, third_place=True)
    cut(stage, event)
    decide_all(stage, event, publish(stage, event, 2))
    winners = [row.name for row in stage.standings(event)[:2]]
    drop(stage, event, winners[1])
    last = stage.publish(event, 3)
    assert [(stage.name(g.a_id), stage.name(g.b_id)) for g in last][1] == (winners[0], "")
    seeds = [stage.one(Player, name=name).seed_number for name in winners]
    assert last[1].notes == [f"walk-over, final: seed {seeds[0]} wins it, for seed {seeds[1]} is not here"]
    decide_all(stage, event, last)
    assert [told for _, _, told in ranking(stage, event)[:4]] == [
        "won the final", "lost the final", "won the game for third place", "lost the game for third place",
    ]  # fmt: skip
    assert [name for _, name, _ in ranking(stage, event)[:2]] == winners


def test_nobody_asks_for_a_bye_in_a_knockout(stage: Stage) -> None:
    event = stage.event()
    (ada,) = stage.enter(event, "Ada")
    with stage.changing(event) as s:
        ask_bye(s, event, ada, 1, BY, stage.clock())
    formed(stage, event, format=EventFormat.KNOCKOUT)
    with pytest.raises(Refused, match="mark it at the game"), stage.changing(event) as s:
        ask_bye(s, event, ada, 2, BY, stage.clock())
    stage.enter(event, *NAMES[1:5])  # what was asked before the format changed: Ada is not in the bracket
    decide_all(stage, event, stage.publish(event, 1))
    decide_all(stage, event, stage.publish(event, 2))
    assert ("Ada", "") in stage.pairs(event, 1)
    assert ranking(stage, event)[-1] == (5, "Ada", "")


def test_nobody_is_swapped_in_a_bracket(stage: Stage) -> None:
    event = cut_event(stage, 4)
    one, two = cut(stage, event)
    with pytest.raises(Refused, match="nobody is moved by hand"), stage.changing(event) as s:
        swap(s, event, 2, one.a_id, two.a_id, BY, stage.clock())


def test_discarding_the_first_round_of_the_knockout_goes_back_to_swiss(stage: Stage) -> None:
    event = cut_event(stage, 4)
    before = ranking(stage, event)
    cut(stage, event)
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 2, BY, stage.clock())
    assert [r.number for r in stage.all(Round, event_id=event.id)] == [1]
    assert {p.seed_number for p in stage.all(Player)} == {None}
    assert ranking(stage, event) == before
    assert stage.journal(event, "discard-draw") == ["Discarded the draw of round 2 and the cut with it"]
    cut(stage, event)
    decide_all(stage, event, publish(stage, event, 2))
    stage.draw(event, 3)
    with stage.changing(event) as s:  # a later round is discarded by itself
        rounds_actions.discard_draw(s, event, 3, BY, stage.clock())
    assert [r.state for r in stage.all(Round, event_id=event.id)] == ["published", "published", "planned"]


def test_a_published_knockout_is_taken_back_to_a_draft_and_to_swiss(stage: Stage) -> None:
    event = cut_event(stage, 4)
    before = ranking(stage, event)
    cut(stage, event)
    one, _ = publish(stage, event, 2)
    with stage.changing(event) as s:
        set_absent(s, event, one, Absent.BOTH, version=one.version, actor=BY, now=stage.clock())
        knockout.send_through(s, event, one, Side.A, BY, stage.clock())
        unpublish(s, event, 2, BY, stage.clock())
    assert {game.goes_through for game in stage.games(event, 2)} == {None}
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 2, BY, stage.clock())
    assert ranking(stage, event) == before


def test_a_swiss_result_corrected_after_the_cut_seeds_it_anew(stage: Stage) -> None:
    event = cut_event(stage, 2)
    cut(stage, event)
    seeds = stage.one(Round, event_id=event.id, number=2).inputs
    assert seeds is not None
    best = int(seeds["format"]["order"][0])
    top = next(g for g in stage.games(event, 1) if best in (g.a_id, g.b_id))
    stage.decide(event, top, *((0, 5) if top.a_id == best else (5, 0)))
    with pytest.raises(Refused, match="changed after this draw"):
        publish(stage, event, 2)
    stage.publish(event, 2)  # drawn anew
    anew = stage.one(Round, event_id=event.id, number=2).inputs
    assert anew is not None
    assert str(best) not in anew["format"]["order"]


def test_a_cut_that_was_looked_at_is_made_and_no_other(stage: Stage) -> None:
    event = cut_event(stage, 2)
    with stage.changing(event) as s:
        seen = knockout.cut_now(s, event, players_of(s, event), round_views(s, event)).mark
    drop(stage, event, stage.standings(event)[0].name)
    before = stage.digest()
    with pytest.raises(Stale, match="Look again who is in"), stage.changing(event) as s:
        knockout.make_cut(s, event, seen, 1, BY, stage.clock())
    assert stage.digest() == before


def test_scenarios_of_the_knockout_are_chosen_with_the_cut_or_drawn(stage: Stage) -> None:
    event = cut_event(stage, 8)
    with stage.changing(event) as s:
        seen = knockout.cut_now(s, event, players_of(s, event), round_views(s, event)).mark
        knockout.make_cut(s, event, seen, 1, BY, stage.clock(), scenarios=("", "raiders", "raiders"))
    told = [(r.number, r.scenario_drawn, r.scenario) for r in stage.all(Round, event_id=event.id)]
    assert told[1][1]
    assert told[2:] == [(3, False, "raiders"), (4, False, "raiders")]
    stage.draw(event, 2, seed=2)  # drawn again, what was chosen stays
    assert [r.scenario for r in stage.all(Round, event_id=event.id)][2:] == ["raiders", "raiders"]
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 2, BY, stage.clock())
    with pytest.raises(Refused, match="has been removed meanwhile"), stage.changing(event) as s:
        knockout.make_cut(s, event, seen, 1, BY, stage.clock(), scenarios=("chess",))


def test_when_there_is_no_cut_yet_the_reason_is_told(stage: Stage) -> None:
    event = stage.event(rounds=1)
    stage.enter(event, *NAMES[:4])
    with stage.changing(event) as s:
        assert "has no cut" in knockout.why_no_cut(event, round_views(s, event))
    formed(stage, event, cut=2)
    with pytest.raises(Refused, match="round 1 is not complete"), stage.changing(event) as s:
        knockout.make_cut(s, event, "", 1, BY, stage.clock())
    stage.play(event, 1)
    cut(stage, event)
    with pytest.raises(Refused, match="made already"):
        cut(stage, event)


@pytest.mark.both_databases
def test_a_knockout_from_the_start_seeded_by_the_organiser(stage: Stage) -> None:
    event = stage.event()
    formed(stage, event, format=EventFormat.KNOCKOUT, third_place=True)
    stage.enter(event, *NAMES[:7])
    with stage.changing(event) as s:
        for player in players_of(s, event):
            player.seed_number = {"Gus": 1, "Flo": 2}.get(player.name)
    games = stage.publish(event, 1)
    assert [(r.kind, r.bracket) for r in stage.all(Round, event_id=event.id)] == [
        (RoundKind.KNOCKOUT, 8), (RoundKind.KNOCKOUT, 4), (RoundKind.KNOCKOUT, 2),
    ]  # fmt: skip
    assert stage.now(event).rounds == 3
    assert [(stage.name(g.a_id), g.b_id) for g in games if g.b_id is None] == [("Gus", None)], "seed 1 has the bye"
    assert any(g.notes == ["quarter-final: seed 2 against seed 7"] and stage.name(g.a_id) == "Flo" for g in games)
    power = {p.id: 99 - p.id + 100 * (p.name in ("Gus", "Flo")) for p in stage.all(Player)}
    decide_all(stage, event, games, power)
    stage.enter(event, "Late")
    for number in (2, 3):
        decide_all(stage, event, stage.publish(event, number), power)
    told = ranking(stage, event)
    assert told[0] == (1, "Flo", "won the final") or told[0] == (1, "Gus", "won the final")
    assert [rank for rank, _, _ in told] == list(range(1, 9))
    assert told[7][1] == "Late", "who came after the draw stands last"
    assert {name for _, name, _ in told} == {*NAMES[:7], "Late"}


def test_the_rounds_of_a_format_follow_the_field_at_each_draw(stage: Stage) -> None:
    event = stage.event(rounds=5)
    formed(stage, event, format=EventFormat.KNOCKOUT)
    stage.enter(event, *NAMES[:5])
    stage.draw(event, 1)
    assert len(stage.all(Round, event_id=event.id)) == 3
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 1, BY, stage.clock())
    drop(stage, event, "Ed")
    stage.draw(event, 1)
    assert [r.bracket for r in stage.all(Round, event_id=event.id)] == [4, 2]
    with stage.changing(event) as s:
        rounds_actions.discard_draw(s, event, 1, BY, stage.clock())
    formed(stage, event, format=EventFormat.SWISS)
    stage.draw(event, 1)
    assert [(r.kind, r.bracket) for r in stage.all(Round, event_id=event.id)] == [("swiss", None)] * 2
    assert stage.one(Round, event_id=event.id, number=1).state == RoundState.DRAWN


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"format": EventFormat.KNOCKOUT, "cut": 4}, "has no cut"),
        ({"cut": 1}, "2 to 64 players"),
        ({"cut": 65}, "2 to 64 players"),
    ],
)
def test_what_cannot_be_chosen_together(stage: Stage, wanted: dict[str, object], said: str) -> None:
    event = stage.event()
    with pytest.raises(Refused, match=said):
        formed(stage, event, **wanted)


def test_what_is_drawn_stays_what_it_is(stage: Stage) -> None:
    event = cut_event(stage, 4, third_place=True)
    with pytest.raises(Refused, match="once round 1 is drawn"):
        formed(stage, event, format=EventFormat.ROUND_ROBIN, cut=4, third_place=True)
    cut(stage, event)
    with pytest.raises(Refused, match="The cut is made already"):
        formed(stage, event, cut=2, third_place=True)
    formed(stage, event, cut=4, third_place=False)
    decide_all(stage, event, publish(stage, event, 2))
    assert len(stage.draw(event, 3)) == 1
    with pytest.raises(Refused, match="The final is drawn"):
        formed(stage, event, cut=4, third_place=True)


def test_teams_play_swiss(stage: Stage) -> None:
    event = stage.event()
    with stage.changing(event) as s:
        set_teams(s, event, 2, BoardsMatched.ORDER, False, BY, stage.clock())
    with pytest.raises(Refused, match="Teams are paired by Swiss"):
        formed(stage, event, cut=4)
    other = stage.event("Rust Cup")
    formed(stage, other, cut=4)
    with pytest.raises(Refused, match="change the format first"), stage.changing(other) as s:
        set_teams(s, other, 2, BoardsMatched.ORDER, False, BY, stage.clock())
