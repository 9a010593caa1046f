"""The raffle: who is in the hat, one draw for each press, what the hall shows, and how anybody repeats a draw."""

import hashlib
import json
from collections import Counter

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from events.journal.replay import replay
from events.journal.undo import last_steps, undo
from events.registration.erasure import erase
from events.registration.leaving import drop
from events.standings.raffle import (
    ON_SCREEN_FOR,
    ROLLS_FOR,
    Entry,
    draw_prize,
    drawn_from,
    give_prize,
    raffle_of,
    set_prizes,
    show_prize,
)
from models.award import DoorPrize, PrizeDraw
from models.event import Event
from models.play import Player
from models.staff import Role
from tests.kit.archives import archived, taken_in
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.raffles import next_prize
from tests.kit.stage import Stage
from tests.kit.statements import sent

DESK, HALL = "/e/iron-open/desk/raffle", "/e/iron-open/hall"
NAMES = ("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def event(stage: Stage, event: Event) -> Event:
    """Four players are here, one is not; three prizes wait."""
    stage.enter(event, *NAMES)
    stage.enter(event, "Zoe", here=False)
    stage.do(event, set_prizes, ["Paint set", "Dice", "Terrain"], raffle_of(stage.s, event).mark)
    return event


def names_in_hat(stage: Stage, event: Event) -> list[str]:
    raffle = raffle_of(stage.s, event)
    assert raffle.next, "all prizes are given"
    return [raffle.name(id_) for id_ in raffle.hat(raffle.next)]


def state(entry: Entry) -> str:
    return "given" if entry.prize.given_at else "drawn" if entry.draws else "to come"


def drawn(stage: Stage, event: Event, seed: int = 1, *, give: bool = True) -> str:
    """Draw the next prize and give it; returns the winner."""
    stage.do(event, draw_prize, next_prize(stage, event).mark, seed)
    entry = next_prize(stage, event)
    if give:
        stage.do(event, give_prize, entry.mark)
    return raffle_of(stage.s, event).winner(entry)


def test_players_who_are_here_win_once(stage: Stage, event: Event) -> None:
    assert names_in_hat(stage, event) == [*NAMES], "Zoe is not checked in"
    stage.do(event, drop, stage.one(Player, name="Cy"))
    winners = [drawn(stage, event, seed) for seed in range(3)]
    assert sorted(winners) == ["Ada", "Bo", "Di"]
    assert raffle_of(stage.s, event).next is None
    assert replay(stage.s, event).difference is None


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=30, unique=True), st.integers(0, 2**48 - 1))
def test_anybody_repeats_a_draw_from_the_stored_hat_and_seed(hat: list[int], seed: int) -> None:
    digest = hashlib.sha256(json.dumps([seed, "raffle"], separators=(",", ":")).encode()).digest()
    assert drawn_from(hat, seed) == hat[int.from_bytes(digest[:8], "big") % len(hat)]


def test_every_name_in_the_hat_is_drawn_about_as_often() -> None:
    counts = Counter(drawn_from([10, 20, 30, 40], seed) for seed in range(4000))
    assert min(counts.values()) > 900 and len(counts) == 4


def test_row_and_journal_keep_the_seed_and_the_hat_in_the_order_of_names(stage: Stage, event: Event) -> None:
    drawn(stage, event, 7)
    draw = stage.one(PrizeDraw)
    assert [stage.name(id_) for id_ in draw.hat] == [*NAMES]
    assert (draw.seed, draw.player_id) == (7, drawn_from(draw.hat, 7))
    assert stage.journal(event, "draw-prize") == [f"Drew {stage.name(draw.player_id)} for “Paint set”"]


def test_two_presses_at_once_draw_once(olga: Person, stage: Stage, event: Event) -> None:
    prize = stage.all(DoorPrize)[0]
    for _ in range(2):
        assert olga.post(f"{DESK}/draw", prize=f"{prize.id}-0").status_code == 302
    assert len(stage.all(PrizeDraw)) == 1
    olga.press("Not here: draw again", at=DESK)
    olga.post(f"{DESK}/give", prize=f"{prize.id}-1")
    assert stage.all(DoorPrize)[0].given_at is None, "it was for the player drawn before"


def test_player_not_here_is_out_for_this_prize_alone(stage: Stage, event: Event) -> None:
    first = drawn(stage, event, 3, give=False)
    assert first not in names_in_hat(stage, event)
    second = drawn(stage, event, 4)
    assert second != first and len(stage.all(PrizeDraw)) == 2
    assert stage.journal(event, "draw-prize")[-1] == f"{first} was not here. Drew {second} for “Paint set”"
    assert sorted([first, *set(NAMES) - {first, second}]) == names_in_hat(stage, event), "back in for the next prize"


def test_empty_hat_is_refused(stage: Stage, event: Event) -> None:
    stage.do(event, set_prizes, list("abcde"), raffle_of(stage.s, event).mark)
    for seed in range(4):
        drawn(stage, event, seed)
    stage.refuse("Nobody is in the hat", event, draw_prize, next_prize(stage, event).mark, 1)


def test_prizes_are_typed_sorted_and_kept_once_drawn(olga: Person, stage: Stage, event: Event) -> None:
    drawn(stage, event)
    assert str(olga.open(DESK).value("prizes")).split() == ["Dice", "Terrain"]
    olga.press("Save the prizes", prizes="Terrain\n\n  Big   mug \r\nDice")
    assert [prize.name for prize in stage.all(DoorPrize)] == ["Paint set", "Terrain", "Big mug", "Dice"]
    olga.press("Save the prizes", prizes="Mug")
    assert [(prize.name, prize.position) for prize in stage.all(DoorPrize)] == [("Paint set", 1), ("Mug", 2)]
    assert stage.journal(event, "set-prizes")[-1] == "Set 1 prize of the raffle"


def test_list_is_not_saved_over_a_draw_since(olga: Person, stage: Stage, event: Event) -> None:
    olga.open(DESK)
    drawn(stage, event)
    page = olga.press("Save the prizes", prizes="Paint set\nDice\nMug")
    assert page.status == 422
    assert "The prizes have changed since you opened this page." in page.text
    assert str(page.value("prizes")).split("\r\n")[-1] == "Mug", "what was typed is kept"
    assert len(stage.all(DoorPrize)) == 3
    olga.press("Save the prizes", prizes="Dice\nMug")
    assert [prize.name for prize in stage.all(DoorPrize)] == ["Paint set", "Dice", "Mug"]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("x" * 121, "each with at most 120 characters"),
        ("\n".join("p" * 70), "A raffle has at most 60 prizes"),
    ],
)
def test_wrong_prizes_are_refused_at_their_field(
    olga: Person, stage: Stage, event: Event, typed: str, words: str
) -> None:
    page = olga.press("Save the prizes", at=DESK, prizes=typed)
    assert page.status == 422
    assert words in page.part("#door-prizes .error")
    assert str(page.value("prizes")).split() == typed.split()
    assert len(stage.all(DoorPrize)) == 3


def test_hall_shows_hat_then_name_then_list(olga: Person, visitor: Person, stage: Stage, event: Event) -> None:
    assert "The raffle appears here" in visitor.open(f"{HALL}/raffle").text
    assert not visitor.open(HALL).soup.select(".hall-raffle")
    olga.press("Show the prize in the hall", at=DESK)
    for address in (HALL, f"{HALL}/raffle"):
        assert [row.text for row in visitor.open(address).soup.select(".raffle-hat li")] == [*NAMES]
    assert "Prize 1 of 3" in visitor.page.text
    olga.press("Draw the name")
    winner = olga.page.part("#run .winner-name")
    assert visitor.open(HALL).part(".prize-name") == winner
    (say,) = visitor.page.soup.select("[data-say]")
    assert say["data-say"] == f"Paint set goes to {winner}"
    (rolling,) = visitor.page.soup.select(".raffle-rolls")
    assert rolling["aria-hidden"] == "true" and {row.text for row in rolling.select("li")} == {*NAMES}
    stage.clock.advance(seconds=ROLLS_FOR.seconds)
    assert not visitor.open(HALL).soup.select(".raffle-rolls"), "names roll for a new winner only"
    assert visitor.page.part(".prize-name") == winner
    olga.press("Given", at=DESK)
    rows = [row.text.split("\n") for row in visitor.open(HALL).soup.select(".raffle-given li")]
    assert len(rows) == 3 and winner in str(rows[0]) and "still to come" in str(rows[2])
    stage.clock.advance(seconds=ON_SCREEN_FOR.seconds)
    assert not visitor.open(HALL).soup.select(".hall-raffle"), "the turning hall goes on by itself"
    assert visitor.open(f"{HALL}/raffle").soup.select(".raffle-given")


def test_published_round_takes_the_raffle_off_the_turning_screen(
    olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    olga.press("Draw the name", at=DESK)
    stage.clock.advance(minutes=1)
    stage.publish(event, 1)
    assert visitor.open(HALL).soup.select(".hall-names") and not visitor.page.soup.select(".hall-prize")
    stage.clock.advance(minutes=1)
    olga.press("Given", at=DESK)
    assert visitor.open(HALL).soup.select(".raffle-given"), "the desk shows it again"


def test_draw_and_gift_are_undone_at_the_desk(olga: Person, stage: Stage, event: Event) -> None:
    olga.press("Draw the name", at=DESK)
    olga.press("Given")
    for left in ("drawn", "to come"):
        step = last_steps(stage.s, event)[0]
        assert not step.why_not
        stage.do(event, undo, step.id)
        assert state(raffle_of(stage.s, event).entries[0]) == left
    assert not stage.all(PrizeDraw)
    assert replay(stage.s, event).difference is None


def test_raffle_is_the_business_of_those_who_give_awards(
    app: Flask, visitor: Person, stage: Stage, event: Event
) -> None:
    for role, status in ((Role.JUDGE, 403), (Role.ORGANISER, 200)):
        person = let_in(app, stage.hire(event, f"Jo {role}", role))
        assert person.ask("GET", DESK).status_code == status
    assert visitor.ask("GET", DESK).status_code in (302, 403)


def test_erased_winner_leaves_no_name(stage: Stage, event: Event) -> None:
    winner = stage.one(Player, name=drawn(stage, event, 5))
    name = winner.name
    stage.do(event, drop, winner)
    stage.do(event, erase, winner)
    raffle = raffle_of(stage.s, event)
    assert raffle.winner(raffle.entries[0]) == f"Former player {winner.id}"
    assert name not in " ".join(stage.journal(event, "draw-prize") + stage.journal(event, "give-prize"))
    assert drawn_from(stage.one(PrizeDraw).hat, 5) == winner.id, "the draw can still be repeated"
    assert replay(stage.s, event).difference is None


def test_raffle_goes_through_an_archive(stage: Stage, event: Event) -> None:
    drawn(stage, event, 5, give=False)
    drawn(stage, event, 6)
    file = archived(stage.engine, event, stage.clock())
    copy = taken_in(stage.s, file, stage.clock(), stage.set_up("Nora"))
    first, second = raffle_of(stage.s, event), raffle_of(stage.s, copy)
    assert [state(entry) for entry in second.entries] == ["given", "to come", "to come"]
    for ours, theirs in zip(first.entries, second.entries, strict=True):
        assert [first.name(draw.player_id) for draw in ours.draws] == [second.name(d.player_id) for d in theirs.draws]


def test_hall_asks_for_the_raffle_in_one_statement_more(visitor: Person, stage: Stage, event: Event) -> None:
    with sent(stage.engine) as without:
        visitor.open(f"{HALL}/raffle")
    stage.do(event, show_prize, next_prize(stage, event).mark)
    with sent(stage.engine) as statements:
        visitor.open(f"{HALL}/raffle")
    assert len(statements) <= len(without)
