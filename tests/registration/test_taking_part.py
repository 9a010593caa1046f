"""Byes asked for, stand-ins, no-shows, drops and returns: rounds are drawn and counted without repair by hand."""

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import select

from events.pairing.certificate import redrawn
from events.play.errors import Refused, Stale
from events.registration import actions as registration_actions
from events.results import actions as results_actions
from events.rounds import actions as rounds_actions
from events.rounds import byes, draft, knockout
from events.rounds.queries import pairings_of
from models.event import AskedBye, Event, EventFormat, KeptApart, KeptWhen, Round
from models.play import Absent, Game, GameState, Player, ReportSide, Side
from tests.kit.stage import BY, Stage

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event(rounds=4)


def who(stage: Stage, name: str) -> Player:
    return stage.one(Player, name=name)


def ask(stage: Stage, event: Event, name: str, number: int) -> None:
    with stage.changing(event) as s:
        byes.ask_bye(s, event, who(stage, name), number, BY, stage.clock())


def absent(stage: Stage, event: Event, game: Game, side: Absent | None) -> None:
    with stage.changing(event) as s:
        results_actions.set_absent(s, event, game, side, version=game.version, actor=BY, now=stage.clock())


def drop(stage: Stage, event: Event, name: str, *, at_once: bool = True) -> None:
    with stage.changing(event) as s:
        registration_actions.drop(s, event, who(stage, name), BY, stage.clock(), at_once=at_once)


def ringer(stage: Stage, event: Event, name: str) -> None:
    (player,) = stage.enter(event, name)
    with stage.changing(event) as s:
        byes.make_ringer(s, event, player, BY, stage.clock())


def placed(stage: Stage, event: Event, number: int) -> list[str]:
    """Everybody in the round's games, in order of their names."""
    return sorted(name for pair in stage.pairs(event, number) for name in pair if name)


def row(stage: Stage, event: Event, name: str, after: int | None = None) -> tuple[int, tuple[str, ...]]:
    found = next(one for one in stage.standings(event, after) if one.name == name)
    return found.points, found.unplayed


# ---- byes asked for


@pytest.mark.both_databases
def test_who_asked_for_a_bye_is_not_drawn_and_has_its_worth(stage: Stage, event: Event, database_url: str) -> None:
    stage.enter(event, *NAMES[:5])
    ask(stage, event, "Ed", 2)
    stage.play(event, 1)
    games = stage.play(event, 2)
    assert [(stage.name(g.a_id), g.b_id, g.state) for g in games if g.asked] == [("Ed", None, GameState.CONFIRMED)]
    assert len(games) == 3, "the other four play: there is no bye from the draw"
    before = row(stage, event, "Ed", 1)[0]
    assert row(stage, event, "Ed") == (before + 1, (*row(stage, event, "Ed", 1)[1], "bye asked for"))
    with stage.changing(event):
        event.asked_bye = AskedBye.WIN
    assert row(stage, event, "Ed")[0] == before + 3
    stage.play(event, 3)
    assert placed(stage, event, 3) == sorted(NAMES[:5]), "back in the field by themselves"


def test_a_bye_asked_for_takes_no_right_to_the_bye_of_the_draw(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:5])
    ask(stage, event, "Ed", 1)
    stage.play(event, 1)
    stage.draw(event, 2)
    inputs = stage.all(Round)[1].inputs
    assert inputs
    assert {seat["byes"] for seat in inputs["seats"]} == {0}


def test_who_comes_for_round_2_may_ask_for_the_bye_of_round_1(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:4])
    stage.enter(event, "Ed", here=False)
    ask(stage, event, "Ed", 1)
    stage.play(event, 1)
    assert ("Ed", "") in stage.pairs(event, 1)
    with stage.changing(event) as s:
        registration_actions.check_in(s, event, who(stage, "Ed"), BY, stage.clock())
    assert row(stage, event, "Ed") == (1, ("bye asked for",)), "here, and round 2 is not drawn yet"
    stage.play(event, 2)
    assert "Ed" in placed(stage, event, 2)
    assert "bye asked for" in row(stage, event, "Ed")[1]


def test_a_bye_asked_for_after_the_draw_makes_it_stale(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:4])
    stage.enter(event, "Ed", here=False)
    for name in ("Ada", "Ed"):
        stage.draw(event, 1)
        ask(stage, event, name, 1)
        with pytest.raises(Refused, match="changed after this draw"), stage.changing(event) as s:
            rounds_actions.publish_round(s, event, 1, BY, stage.clock())
        with stage.changing(event) as s:
            byes.withdraw_bye(s, event, who(stage, name), 1, BY, stage.clock())
    with stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 1, BY, stage.clock())


def test_what_cannot_be_asked_is_refused(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:4])
    stage.publish(event, 1)
    for name, number, words in (("Ada", 1, "published already"), ("Ada", 5, "no round 5")):
        with pytest.raises(Refused, match=words):
            ask(stage, event, name, number)
    drop(stage, event, "Bo")
    with pytest.raises(Refused, match="Bo holds no place"):
        ask(stage, event, "Bo", 2)
    ask(stage, event, "Ada", 2)
    ask(stage, event, "Ada", 2)
    assert stage.journal(event, "ask-bye") == ["Ada asked for a bye in round 2"], "twice is once"


# ---- stand-ins


@pytest.mark.both_databases
def test_a_stand_in_plays_whoever_would_have_the_bye(stage: Stage, event: Event, database_url: str) -> None:
    stage.enter(event, *NAMES[:5])
    ringer(stage, event, "Rin")
    met = []
    for number in (1, 2, 3):
        stage.play(event, number)
        assert len(stage.pairs(event, number)) == 3
        (game,) = [pair for pair in stage.pairs(event, number) if "Rin" in pair]
        met.append(game[0])
        notes = next(g.notes for g in stage.games(event, number) if stage.name(g.b_id) == "Rin")
        assert notes[0] == "a stand-in in place of the bye"
        assert notes[1].startswith("bye: ")
    assert len(set(met)) == 3, "nobody meets the stand-in again while others have not"
    assert {r.name for r in stage.standings(event)} == set(NAMES[:5]), "who stands in has no rank"


def test_anybody_can_draw_a_round_with_a_stand_in_again(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:5])
    ringer(stage, event, "Rin")
    ask(stage, event, "Ada", 2)
    for number in (1, 2):
        stage.play(event, number)
        file = pairings_of(stage.s, event, stage.all(Round)[number - 1])
        assert file
        assert file.published is None, "nothing was changed by hand"
        assert redrawn(file).equal
        stage.s.rollback()


def test_a_stand_in_steps_aside_where_the_field_is_even(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:5])
    ringer(stage, event, "Rin")
    stage.play(event, 1)
    drop(stage, event, "Ed")
    stage.play(event, 2)
    assert placed(stage, event, 2) == sorted(NAMES[:4])
    stage.enter(event, "Gus")
    stage.play(event, 3)
    assert "Rin" in placed(stage, event, 3)


def test_a_stand_in_who_comes_after_the_draw_makes_it_stale(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:3])
    stage.draw(event, 1)
    ringer(stage, event, "Rin")
    with pytest.raises(Refused, match="changed after this draw"), stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 1, BY, stage.clock())


def test_who_was_drawn_already_is_no_stand_in(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:3])
    stage.play(event, 1)
    with pytest.raises(Refused, match="was drawn into a round already"), stage.changing(event) as s:
        byes.make_ringer(s, event, who(stage, "Ada"), BY, stage.clock())


def test_a_swap_by_hand_counts_the_stand_in_s_game_as_the_bye(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:5])
    ringer(stage, event, "Rin")
    stage.draw(event, 1)
    (stands_in,) = [game for game in stage.games(event, 1) if stage.name(game.b_id) == "Rin"]
    other = next(game for game in stage.games(event, 1) if game.id != stands_in.id)
    swap(stage, event, other.a_id, stands_in.a_id)
    outcome = stage.all(Round)[0].outcome
    assert outcome
    assert outcome["hand_levels"] == outcome["levels"], "who plays the stand-in has the bye, which costs nothing here"
    assert [g.notes[0] for g in stage.games(event, 1) if "Rin" in (stage.name(g.a_id), stage.name(g.b_id))] == [
        "a stand-in in place of the bye"
    ]


def swap(stage: Stage, event: Event, one: int, other: int) -> None:
    with stage.changing(event) as s:
        draft.swap(s, event, 1, one, other, BY, stage.clock())


# ---- no-shows


@pytest.mark.both_databases
def test_a_no_show_is_a_win_for_who_is_there_until_they_turn_up(stage: Stage, event: Event, database_url: str) -> None:
    stage.enter(event, *NAMES[:4])
    first, second = stage.publish(event, 1)
    absent(stage, event, first, Absent.B)
    stage.decide(event, second, 4, 1)
    here, gone = stage.name(first.a_id), stage.name(first.b_id)
    assert row(stage, event, here) == (3, ("win by no-show",))
    assert row(stage, event, gone) == (0, ("no-show",))
    assert next(r.vp for r in stage.standings(event) if r.name == here) == 4 * vp_of_a_marker(stage, event)
    stage.draw(event, 2)
    seats = {seat["id"]: seat for seat in (stage.all(Round)[1].inputs or {})["seats"]}
    assert seats[str(first.a_id)]["byes"] == 1
    assert seats[str(first.a_id)]["opponents"] == []
    absent(stage, event, stage.now(first), None)
    assert stage.now(first).state == GameState.OPEN
    assert stage.journal(event, "no-show") == [
        f"Round 1, table {first.table_number}: {gone} did not come",
        f"Round 1, table {first.table_number}: {gone} turned up",
    ]


def vp_of_a_marker(stage: Stage, event: Event) -> int:
    """What the scenario of round 1 gives for an objective marker."""
    rows = [r.vp for r in stage.standings(event) if not r.unplayed]
    return max(rows) // 4


def test_nobody_came(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    absent(stage, event, game, Absent.BOTH)
    assert [r.points for r in stage.standings(event)] == [0, 0]


def test_what_was_reported_waits_beside_a_no_show_and_counts_when_it_is_taken_back(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    stage.report(event, game, ReportSide.A, {"a.objectives": 2, "b.objectives": 1})
    absent(stage, event, game, Absent.B)
    assert (game.state, game.answers) == (GameState.CONFIRMED, None)
    absent(stage, event, stage.now(game), None)
    assert stage.now(game).state == GameState.REPORTED


def test_the_organiser_s_result_ends_a_no_show(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    points = [r.points for r in stage.standings(event)]
    absent(stage, event, stage.now(game), Absent.A)
    assert [r.unplayed for r in stage.standings(event)] == [("win by no-show",), ("no-show",)]
    stage.decide(event, stage.now(game), 3, 1)
    assert stage.now(game).absent is None
    assert [r.points for r in stage.standings(event)] == points


def test_two_organisers_do_not_overwrite_each_other(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    seen = game.version
    stage.decide(event, game, 3, 1)
    with pytest.raises(Stale), stage.changing(event) as s:
        results_actions.set_absent(s, event, stage.now(game), Absent.A, version=seen, actor=BY, now=stage.clock())


@pytest.mark.both_databases
@pytest.mark.parametrize("broken", ["asked", "absent"])
def test_a_bye_has_no_absent_player_and_no_game_is_asked_for(
    stage: Stage, event: Event, database_url: str, broken: str
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy")
    bye = next(game for game in stage.publish(event, 1) if game.b_id is None)
    game = next(game for game in stage.games(event, 1) if game.b_id is not None)
    with pytest.raises(IntegrityError), stage.changing(event):
        if broken == "asked":
            game.asked = True
        else:
            bye.absent = Absent.A


# ---- drops and returns


def test_who_leaves_in_the_middle_of_a_round_loses_the_game(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:4])
    first, second = stage.publish(event, 1)
    gone, stays = stage.name(first.a_id), stage.name(second.a_id)
    drop(stage, event, gone)
    assert stage.now(first).absent == Absent.A
    assert stage.journal(event, "drop") == [
        f"Dropped {gone} after round 1; their game of round 1 counts as a no-show"
    ]  # fmt: skip
    drop(stage, event, stays, at_once=False)
    assert stage.now(second).absent is None, "who leaves after the round plays it yet"
    stage.decide(event, second, 3, 1)
    assert row(stage, event, stays)[0] == 3


def test_a_reported_game_is_not_lost_by_leaving(stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    stage.decide(event, game, 3, 1)
    drop(stage, event, "Ada")
    assert stage.now(game).absent is None


def test_dropped_after_round_2_back_in_round_4(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:5])
    for number in (1, 2):
        stage.play(event, number)
    before = row(stage, event, "Ed")
    drop(stage, event, "Ed")
    stage.play(event, 3)
    assert row(stage, event, "Ed") == before, "a round after the drop is not missed"
    assert "Ed" not in placed(stage, event, 3)
    with stage.changing(event) as s:
        registration_actions.reinstate(s, event, who(stage, "Ed"), BY, stage.clock())
    games = stage.play(event, 4)
    assert "Ed" in placed(stage, event, 4)
    seats = {seat["id"]: seat for seat in (stage.all(Round)[3].inputs or {})["seats"]}
    assert seats[str(who(stage, "Ed").id)]["points"] == before[0], "what was won before stands"
    assert len(games) == 3
    assert "round missed" in row(stage, event, "Ed")[1]


@pytest.mark.parametrize("points", [0, 1])
def test_who_left_before_the_event_and_comes_in_round_3_is_a_late_entry(
    stage: Stage, event: Event, points: int
) -> None:
    with stage.changing(event):
        event.late_points = points
    stage.enter(event, *NAMES[:5])
    drop(stage, event, "Ed")
    for number in (1, 2):
        stage.play(event, number)
    with stage.changing(event) as s:
        registration_actions.reinstate(s, event, who(stage, "Ed"), BY, stage.clock())
    stage.play(event, 3)
    found, without = row(stage, event, "Ed")
    assert without[:2] == ("round before entry", "round before entry") if points else True
    assert found - 2 * points in (0, 3)


# ---- kept apart


@pytest.mark.both_databases
def test_two_who_are_kept_apart_do_not_meet_where_it_can_be(stage: Stage, event: Event, database_url: str) -> None:
    ada, bo, cy, _ = stage.enter(event, *NAMES[:4])
    for one, other, when in ((bo, ada, KeptWhen.ALWAYS), (cy, ada, KeptWhen.FIRST_ROUND)):
        with stage.changing(event) as s:
            byes.keep_apart(s, event, one.id, other.id, when, ada.id, BY, stage.clock())
    for seed in range(6):
        stage.draw(event, 1, seed)
        assert {frozenset(pair) for pair in stage.pairs(event, 1)} == {
            frozenset(("Ada", "Di")),
            frozenset(("Bo", "Cy")),
        }
    stage.play(event, 1)
    stage.draw(event, 2)
    inputs = stage.all(Round)[1].inputs
    assert inputs
    assert inputs["rules"]["keep_apart"] == [[str(ada.id), str(bo.id)]]
    pair = stage.one(KeptApart, b_id=bo.id)
    with stage.changing(event) as s:
        byes.let_meet(s, event, pair, BY, stage.clock())
    with pytest.raises(Refused, match="changed after this draw"), stage.changing(event) as s:
        rounds_actions.publish_round(s, event, 2, BY, stage.clock())
    assert not any("Ada asked" in line for line in stage.journal(event)), "whose wish it is stands nowhere else"


def test_a_pair_is_kept_apart_once_and_changed_by_saying_it_again(stage: Stage, event: Event) -> None:
    ada, bo, cy = stage.enter(event, *NAMES[:3])
    for one, other, when in ((ada, bo, KeptWhen.ALWAYS), (bo, ada, KeptWhen.ALWAYS), (bo, ada, KeptWhen.FIRST_ROUND)):
        with stage.changing(event) as s:
            byes.keep_apart(s, event, one.id, other.id, when, None, BY, stage.clock())
    assert stage.one(KeptApart).when == KeptWhen.FIRST_ROUND
    assert len(stage.journal(event, "keep-apart")) == 2
    other_event = stage.event("Rust Cup")
    (stranger,) = stage.enter(other_event, "Zed")
    for one_id, other_id, asked in ((ada.id, ada.id, None), (ada.id, stranger.id, None), (ada.id, bo.id, cy.id)):
        with pytest.raises(Refused), stage.changing(event) as s:
            byes.keep_apart(s, event, one_id, other_id, KeptWhen.ALWAYS, asked, BY, stage.clock())


@pytest.mark.both_databases
def test_the_database_keeps_a_pair_once_and_in_order(stage: Stage, event: Event, database_url: str) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    for a, b in ((ada.id, bo.id), (bo.id, ada.id), (ada.id, ada.id)):
        with stage.changing(event) as s:
            for pair in s.exec(select(KeptApart)):
                s.delete(pair)
        rows = 2 if (a, b) == (ada.id, bo.id) else 1
        with pytest.raises(IntegrityError), stage.changing(event) as s:
            for _ in range(rows):
                s.add(KeptApart(event_id=event.id, a_id=a, b_id=b, when=KeptWhen.ALWAYS, at=stage.clock()))
                s.flush()  # the second row must meet the first


def test_in_a_knockout_whoever_is_there_goes_through(stage: Stage) -> None:
    event = stage.event()
    with stage.changing(event):
        event.format = EventFormat.KNOCKOUT
    stage.enter(event, *NAMES[:4])
    ringer(stage, event, "Rin")
    first, second = stage.publish(event, 1)
    absent(stage, event, first, Absent.A)
    absent(stage, event, second, Absent.BOTH)
    with pytest.raises(Refused, match="whoever does not come is out"):
        ask(stage, event, stage.name(first.b_id), 2)
    with stage.changing(event) as s:
        knockout.send_through(s, event, stage.now(second), Side.B, BY, stage.clock())
    stage.draw(event, 2)
    assert {*stage.pairs(event, 2)[0]} == {stage.name(first.b_id), stage.name(second.b_id)}
    stage.publish(event, 2)
    with pytest.raises(Refused, match="stands on who went through"):
        absent(stage, event, stage.now(first), Absent.B)
