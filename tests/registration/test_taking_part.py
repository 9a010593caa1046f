"""Byes asked for, stand-ins, no-shows, drops and returns, and players kept apart: how rounds are drawn and counted."""

from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from events.registration import check_in, leaving
from events.rounds import byes, draft, formats
from events.rounds.pairings_file import pairings_of
from events.store.errors import Refused
from events.tournament.pairing.redraw import redrawn
from events.tournament.ranking import unplayed_words
from models.award import TeamRuling
from models.event import Event, EventState, KeptApart, KeptWhen, Round
from models.play import Absent, Game, GameState, Player, Through
from models.settings import EventFormat
from models.team import Team
from tests.kit.formats import drop, publish
from tests.kit.stage import BY, Stage

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event(rounds=4)


def player(stage: Stage, name: str) -> Player:
    return stage.one(Player, name=name)


def ask(stage: Stage, event: Event, name: str, number: int) -> None:
    stage.do(event, byes.ask_bye, player(stage, name), number)


def reinstate(stage: Stage, event: Event, name: str) -> None:
    stage.do(event, leaving.reinstate, player(stage, name))


def stand_in(stage: Stage, event: Event, name: str) -> None:
    (entered,) = stage.enter(event, name)
    stage.do(event, byes.set_ringer, entered)


def keep_apart(stage: Stage, event: Event, a: int, b: int, when: KeptWhen, asked: int | None = None) -> None:
    stage.do(event, byes.keep_apart, a, b, when, asked)


def drawn_seats(stage: Stage, number: int) -> dict[str, dict[str, object]]:
    return {seat["id"]: seat for seat in (stage.all(Round)[number - 1].inputs or {})["seats"]}


def placed(stage: Stage, event: Event, number: int) -> list[str]:
    return sorted(name for pair in stage.pairs(event, number) for name in pair if name)


def row(stage: Stage, event: Event, name: str, after: int | None = None) -> tuple[int, tuple[str, ...]]:
    found = next(standing for standing in stage.standings(event, after) if standing.name == name)
    return found.points, tuple(map(str, unplayed_words(found)))


@pytest.mark.both_at_length
def test_player_with_a_requested_bye_is_not_drawn_and_gets_its_points(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:5])
    for _ in range(2):
        ask(stage, event, "Ed", 2)
    assert stage.journal(event, "ask-bye") == ["Ed asked for a bye in round 2"], "twice is once"
    stage.play(event, 1)
    games = stage.draw(event, 2)
    asked = player(stage, "Ed").id
    for number, other in ((asked, games[0].a_id), (games[0].a_id, asked)):
        stage.refuse("asked for a bye", event, draft.swap, 2, number, other)
    for number, other in ((0, games[0].a_id), (games[0].a_id, 0)):
        stage.refuse("two different players of this round", event, draft.swap, 2, number, other)
    stage.do(event, draft.swap, 2, games[0].a_id, games[1].a_id)
    games = stage.play(event, 2)
    assert [(stage.name(g.a_id), g.b_id, g.state) for g in games if g.asked] == [("Ed", None, GameState.CONFIRMED)]
    assert len(games) == 3, "the other four play: there is no bye from the draw"
    before = row(stage, event, "Ed", 1)[0]
    assert row(stage, event, "Ed") == (before + 1, (*row(stage, event, "Ed", 1)[1], "bye asked for"))
    stage.play(event, 3)
    assert placed(stage, event, 3) == sorted(NAMES[:5])


def test_bye_of_round_1_can_be_asked_for_by_a_later_arrival(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:4])
    stage.enter(event, "Ed", here=False)
    ask(stage, event, "Ed", 1)
    stage.play(event, 1)
    assert ("Ed", "") in stage.pairs(event, 1)
    stage.do(event, check_in.check_in, player(stage, "Ed"))
    assert row(stage, event, "Ed") == (1, ("bye asked for",)), "here, and round 2 is not drawn yet"
    stage.play(event, 2)
    assert "Ed" in placed(stage, event, 2)
    assert {seat["byes"] for seat in drawn_seats(stage, 2).values()} == {0}, "a later bye of the draw is still possible"
    assert "bye asked for" in row(stage, event, "Ed")[1]


def test_draw_is_stale_after_a_bye_or_a_stand_in(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:4])
    stage.enter(event, "Ed", here=False)
    for name in ("Ada", "Ed"):
        stage.draw(event, 1)
        ask(stage, event, name, 1)
        stage.refuse_to("changed after this draw", publish, stage, event, 1)
        stage.do(event, byes.withdraw_bye, player(stage, name), 1)
    drop(stage, event, "Ed")
    stage.enter(event, "Flo")
    stage.draw(event, 1)
    stand_in(stage, event, "Rin")
    stage.refuse_to("changed after this draw", publish, stage, event, 1)
    stage.draw(event, 1)
    publish(stage, event, 1)


@pytest.mark.both_at_length
def test_stand_in_plays_the_player_who_would_have_the_bye(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:5])
    stand_in(stage, event, "Rin")
    (stands_in,) = [game for game in stage.draw(event, 1) if stage.name(game.b_id) == "Rin"]
    other = next(game for game in stage.games(event, 1) if game.id != stands_in.id)
    stage.do(event, draft.swap, 1, other.a_id, stands_in.a_id)
    outcome = stage.all(Round)[0].outcome
    assert outcome and outcome["hand_levels"] == outcome["levels"], "its game counts as the bye, which costs nothing"
    (swapped,) = [g for g in stage.games(event, 1) if "Rin" in (stage.name(g.a_id), stage.name(g.b_id))]
    assert swapped.notes[0] == {"kind": "stand_in"}
    met = []
    for number in (1, 2, 3):
        stage.play(event, number)
        assert len(stage.pairs(event, number)) == 3
        (pair,) = [pair for pair in stage.pairs(event, number) if "Rin" in pair]
        met.append(pair[0])
        notes = next(g.notes for g in stage.games(event, number) if stage.name(g.b_id) == "Rin")
        assert notes[0] == {"kind": "stand_in"}
        assert notes[1]["kind"].startswith("bye_")
        file = pairings_of(event, stage.all(Round)[number - 1])
        assert file and file.published is None, "nothing was changed by hand"
        assert redrawn(file).equal
        stage.s.rollback()
    assert len(set(met)) == 3, "nobody meets the stand-in again while others have not"
    assert {r.name for r in stage.standings(event)} == set(NAMES[:5]), "a stand-in has no rank"
    drop(stage, event, "Ed")
    stage.play(event, 4)
    assert placed(stage, event, 4) == sorted(NAMES[:4]), "not drawn in an even field"
    stage.refuse("was drawn into a round already", event, byes.set_ringer, player(stage, "Ada"))


@pytest.mark.both_at_length
def test_no_show_is_a_win_for_the_opponent_until_it_is_taken_back(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES[:4])
    first, second = stage.publish(event, 1)
    for _ in range(2):  # the second changes nothing
        stage.no_show(event, first, Absent.B)
    stage.decide(event, second, 4, 1)
    here, gone = stage.name(first.a_id), stage.name(first.b_id)
    assert row(stage, event, here) == (3, ("win by no-show",))
    assert row(stage, event, gone) == (0, ("no-show",))
    most = max(r.vp for r in stage.standings(event) if not r.unplayed)
    assert next(r.vp for r in stage.standings(event) if r.name == here) == most, "the VP of a bye: the winners' mean"
    drawn, *_ = stage.draw(event, 2)
    stage.refuse_to("not open for results", stage.no_show, event, drawn, Absent.A)
    seat = drawn_seats(stage, 2)[str(first.a_id)]
    assert (seat["byes"], seat["opponents"]) == (1, [str(first.b_id)])
    stage.no_show(event, first, None)
    assert stage.now(first).state == GameState.OPEN
    assert stage.journal(event, "no-show") == [
        f"Round 1, table {first.table_number}: {gone} did not come",
        f"Round 1, table {first.table_number}: {gone} turned up",
    ]
    stage.no_show(event, first, Absent.BOTH)
    assert [row(stage, event, name)[0] for name in (here, gone)] == [0, 0]
    stage.set(event, state=EventState.FINISHED)
    stage.refuse_to("The event is closed", stage.no_show, event, first, None)


def test_dropped_players_return_and_have_missed_rounds(stage: Stage, event: Event) -> None:
    stage.enter(event, *NAMES)
    drop(stage, event, "Flo")
    for number in (1, 2):
        stage.play(event, number)
    for name, number, words in (
        ("Ada", 1, "published already"), ("Ada", 5, "no round 5"), ("Flo", 3, "Flo has no place")
    ):  # fmt: skip
        stage.refuse_to(words, ask, stage, event, name, number)
    before = row(stage, event, "Ed")
    drop(stage, event, "Ed")
    reinstate(stage, event, "Flo")
    stage.play(event, 3)
    assert row(stage, event, "Ed") == before, "a round after the drop is not missed"
    assert ("Ed" in placed(stage, event, 3), "Flo" in placed(stage, event, 3)) == (False, True)
    late = row(stage, event, "Flo")
    assert late[1][:2] == ("missed round 1 (joined in round 3)", "missed round 2 (joined in round 3)")
    stage.set(event, late_points=1)
    assert row(stage, event, "Flo")[0] == late[0] + 2
    reinstate(stage, event, "Ed")
    stage.play(event, 4)
    assert "Ed" in placed(stage, event, 4)
    assert drawn_seats(stage, 4)[str(player(stage, "Ed").id)]["points"] == before[0], "points stay"
    assert "missed round 3 (had dropped out)" in row(stage, event, "Ed")[1]


@pytest.mark.both_at_length
def test_players_kept_apart_do_not_meet_if_it_can_be_avoided(stage: Stage, event: Event) -> None:
    ada, bo, cy, _ = stage.enter(event, *NAMES[:4])
    keep_apart(stage, event, bo.id, ada.id, KeptWhen.ALWAYS, ada.id)
    keep_apart(stage, event, cy.id, ada.id, KeptWhen.FIRST_ROUND, ada.id)
    for seed in range(6):
        stage.draw(event, 1, seed)
        assert {frozenset(pair) for pair in stage.pairs(event, 1)} == {
            frozenset(("Ada", "Di")), frozenset(("Bo", "Cy")),
        }  # fmt: skip
    stage.play(event, 1)
    file = pairings_of(event, stage.all(Round)[0])
    wishes = {(str(ada.id), str(bo.id)), (str(ada.id), str(cy.id))}
    assert file and not wishes <= {*file.inputs.rules.keep_apart}, "the public file names no wish as such"
    assert redrawn(file).equal
    stage.draw(event, 2)
    inputs = stage.all(Round)[1].inputs
    assert inputs and inputs["rules"]["keep_apart"] == [[str(ada.id), str(bo.id)]]
    pair = stage.one(KeptApart, b_id=bo.id)
    stage.do(event, byes.let_meet, pair)
    stage.refuse_to("changed after this draw", publish, stage, event, 2)
    assert not any("Ada asked" in line for line in stage.journal(event)), "whose wish it is stays private"
    for a_player, other, when in (
        (ada, bo, KeptWhen.ALWAYS),
        (bo, ada, KeptWhen.ALWAYS),
        (bo, ada, KeptWhen.FIRST_ROUND),
    ):
        keep_apart(stage, event, a_player.id, other.id, when)
    assert stage.one(KeptApart, b_id=bo.id).when == KeptWhen.FIRST_ROUND
    assert len(stage.journal(event, "keep-apart")) == 4, "the same pair again is no second one"
    (stranger,) = stage.enter(stage.event("Rust Cup"), "Zed")
    for one_id, other_id, asked in ((ada.id, ada.id, None), (ada.id, stranger.id, None), (ada.id, bo.id, cy.id)):
        with pytest.raises(Refused):
            keep_apart(stage, event, one_id, other_id, KeptWhen.ALWAYS, asked)


@pytest.mark.both_databases
def test_database_refuses_impossible_rows(stage: Stage, event: Event) -> None:
    ada, bo, _ = stage.enter(event, "Ada", "Bo", "Cy")
    game, bye = stage.publish(event, 1)
    pair: dict[str, Any] = {"event_id": event.id, "when": KeptWhen.ALWAYS, "at": stage.clock()}
    with stage.changing() as s:
        s.add(team := Team(event_id=event.id, name="Reds", name_key="reds"))
        s.add(KeptApart(a_id=ada.id, b_id=bo.id, **pair))
    for row in (
        *(KeptApart(a_id=a, b_id=b, **pair) for a, b in ((ada.id, bo.id), (bo.id, ada.id), (ada.id, ada.id))),
        TeamRuling(team_id=team.id, event_id=event.id, after_round=1, reason="nothing", by=BY, at=stage.clock()),
    ):
        with pytest.raises(IntegrityError), stage.changing() as s:
            s.add(row)
    for id_, column, value in ((game.id, "asked", True), (bye.id, "absent", Absent.A)):
        with pytest.raises(IntegrityError), stage.changing() as s:
            setattr(s.get_one(Game, id_), column, value)


def test_opponent_of_a_no_show_goes_through_in_a_knockout(stage: Stage) -> None:
    event = stage.event()
    stage.set(event, format=EventFormat.KNOCKOUT)
    stage.enter(event, *NAMES[:4])
    stand_in(stage, event, "Rin")
    first, second = stage.publish(event, 1)
    stage.no_show(event, first, Absent.A)
    stage.no_show(event, second, Absent.BOTH)
    stage.refuse_to("a player who does not come is out", ask, stage, event, stage.name(first.b_id), 2)
    stage.do(event, formats.send_through, stage.now(second), Through.B)
    stage.draw(event, 2)
    assert {*stage.pairs(event, 2)[0]} == {stage.name(first.b_id), stage.name(second.b_id)}
    stage.publish(event, 2)
    stage.refuse_to("went through", stage.no_show, event, first, Absent.B)
