"""The raffle: who is in the hat, one draw for each press, what the hall shows, and how anybody repeats a draw."""

import hashlib
import json
import re
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


def drawn(stage: Stage, event: Event, *, give: bool = True) -> str:
    """Draw the next prize and give it; returns the winner."""
    stage.do(event, draw_prize, next_prize(stage, event).mark)
    entry = next_prize(stage, event)
    if give:
        stage.do(event, give_prize, entry.mark)
    return raffle_of(stage.s, event).winner(entry)


def test_players_who_are_here_win_once(stage: Stage, event: Event) -> None:
    assert names_in_hat(stage, event) == [*NAMES], "Zoe is not checked in"
    stage.do(event, drop, stage.one(Player, name="Cy"))
    winners = [drawn(stage, event) for _ in range(3)]
    assert sorted(winners) == ["Ada", "Bo", "Di"]
    assert raffle_of(stage.s, event).next is None
    assert replay(stage.s, event).difference is None


@given(
    st.lists(st.integers(1, 10**6), min_size=1, max_size=30, unique=True),
    st.text("0123456789abcdef", min_size=32, max_size=32),
)
def test_anybody_repeats_a_draw_from_the_stored_hat_and_seed(hat: list[int], seed: str) -> None:
    digest = hashlib.sha256(json.dumps([seed, "raffle"], separators=(",", ":")).encode()).digest()
    assert drawn_from(hat, seed) == hat[int.from_bytes(digest[:8], "big") % len(hat)]


def test_every_name_in_the_hat_is_drawn_about_as_often() -> None:
    counts = Counter(drawn_from([10, 20, 30, 40], str(seed)) for seed in range(4000))
    assert min(counts.values()) > 900 and len(counts) == 4


def test_row_and_journal_keep_the_seed_and_the_hat_in_the_order_of_names(stage: Stage, event: Event) -> None:
    drawn(stage, event)
    draw = stage.one(PrizeDraw)
    assert [stage.name(id_) for id_ in draw.hat] == [*NAMES]
    assert draw.player_id == drawn_from(draw.hat, draw.seed)
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
    first = drawn(stage, event, give=False)
    assert first not in names_in_hat(stage, event)
    second = drawn(stage, event)
    assert second != first and len(stage.all(PrizeDraw)) == 2
    assert stage.journal(event, "draw-prize")[-1] == f"{first} was not here. Drew {second} for “Paint set”"
    assert sorted([first, *set(NAMES) - {first, second}]) == names_in_hat(stage, event), "back in for the next prize"


def test_empty_hat_is_refused(stage: Stage, event: Event) -> None:
    stage.do(event, set_prizes, list("abcde"), raffle_of(stage.s, event).mark)
    for _ in range(4):
        drawn(stage, event)
    stage.refuse("Nobody is in the hat", event, draw_prize, next_prize(stage, event).mark)


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


@pytest.mark.proves("attack 101")
def test_no_draw_is_undone_and_each_is_counted_and_shown(
    olga: Person, visitor: Person, stage: Stage, event: Event
) -> None:
    def public() -> str:
        return visitor.open("/e/iron-open/raffle").part("#winners")

    olga.press("Show the prize in the hall", at=DESK)
    (hashed,) = set(re.findall(r"\b[0-9a-f]{64}\b", public()))
    assert hashed in olga.open(DESK).text
    olga.press("Draw the name", at=DESK)
    first = stage.one(PrizeDraw)
    assert hashlib.sha256(first.seed.encode()).hexdigest() == hashed
    olga.press("Given")
    step = last_steps(stage.s, stage.now(event))[0]
    stage.do(event, undo, step.id)
    assert state(next_prize(stage, event)) == "drawn"
    left = last_steps(stage.s, stage.now(event))[0]
    assert "draw-prize" in left.verbs and left.why_not, "the prize comes back, the draw stays"
    assert first.seed in public()
    off = "Call it off and draw again"
    assert olga.press(off, at=DESK, reason=" ").flashes and not stage.one(PrizeDraw).called_off
    (coming,) = set(re.findall(r"\b[0-9a-f]{64}\b", public()))
    olga.press(off, at=DESK, reason="Bo is checked in since")
    draws = stage.all(PrizeDraw)
    assert draws[1].hat == draws[0].hat, "all are in the hat again"
    assert hashlib.sha256(draws[1].seed.encode()).hexdigest() == coming != hashed
    for page in (visitor.open(f"{HALL}/raffle").part(".prize-line"), public(), olga.open(DESK).text):
        assert "Draw 2" in page and "Bo is checked in since" in page
    assert replay(stage.s, event).difference is None


def test_raffle_is_the_business_of_those_who_give_awards(
    app: Flask, visitor: Person, stage: Stage, event: Event
) -> None:
    for role, status in ((Role.JUDGE, 403), (Role.ORGANISER, 200)):
        person = let_in(app, stage.hire(event, f"Jo {role}", role))
        assert person.ask("GET", DESK).status_code == status
    assert visitor.ask("GET", DESK).status_code in (302, 403)


def test_erased_winner_leaves_no_name(stage: Stage, event: Event) -> None:
    winner = stage.one(Player, name=drawn(stage, event))
    name = winner.name
    stage.do(event, drop, winner)
    stage.do(event, erase, winner)
    raffle = raffle_of(stage.s, event)
    assert raffle.winner(raffle.entries[0]) == f"Former player {winner.id}"
    assert name not in " ".join(stage.journal(event, "draw-prize") + stage.journal(event, "give-prize"))
    draw = stage.one(PrizeDraw)
    assert drawn_from(draw.hat, draw.seed) == winner.id, "the draw can still be repeated"
    assert replay(stage.s, event).difference is None


def test_raffle_goes_through_an_archive(stage: Stage, event: Event) -> None:
    drawn(stage, event, give=False)
    drawn(stage, event)
    file = archived(stage.engine, event, stage.clock())
    copy = taken_in(stage.s, file, stage.clock(), stage.set_up("Nora"))
    first, second = raffle_of(stage.s, event), raffle_of(stage.s, copy)
    assert [state(entry) for entry in second.entries] == ["given", "to come", "to come"]
    for ours, theirs in zip(first.entries, second.entries, strict=True):
        assert [first.name(draw.player_id) for draw in ours.draws] == [second.name(d.player_id) for d in theirs.draws]
        assert [[*map(first.name, draw.hat)] for draw in ours.draws] == [
            [*map(second.name, d.hat)] for d in theirs.draws
        ]


def test_hall_asks_for_the_raffle_in_one_statement_more(visitor: Person, stage: Stage, event: Event) -> None:
    with sent(stage.engine) as without:
        visitor.open(f"{HALL}/raffle")
    stage.do(event, show_prize, next_prize(stage, event).mark)
    with sent(stage.engine) as statements:
        visitor.open(f"{HALL}/raffle")
    assert len(statements) <= len(without)
