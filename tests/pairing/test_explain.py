"""Two draws of a round compared level by level, and the notes on pairs and byes chosen by hand."""

from dataclasses import asdict

from events.pairing.explain import certificate_in_words, compared, explain, explain_bye, judged, verdict
from events.pairing.seats import Certificate, Levels, Pair, Rules, Seat


def levels(**counts: int) -> dict[str, int]:
    return asdict(Levels()) | counts


def test_the_first_level_that_differs_decides() -> None:
    costs = compared(levels(distance=4), levels(distance=4))
    assert (judged(costs), {cost.difference for cost in costs}) == ("same", {"="})
    assert verdict(costs) == "As good as the best draw."
    costs = compared(levels(rematches=2, distance=1), levels(rematches=1, distance=3))
    assert judged(costs) == "worse"
    assert [(c.level.key, c.difference, c.judged) for c in costs if c.judged != "same"] == [
        ("rematches", "+1", "worse"), ("distance", "\N{MINUS SIGN}2", "better"),
    ]  # fmt: skip
    assert verdict(costs) == (
        "Worse than the best draw: 1 more rematch. 2 fewer steps apart in points, which counts less."
    )
    other = compared(levels(rematches=1, distance=3), levels(rematches=2, distance=1))
    assert judged(other) == "better"
    assert verdict(other, "the draft").startswith("Better than the draft: 1 fewer rematch.")
    assert verdict(compared(levels(bye_height=2), levels())) == ("Worse than the best draw: the bye 2 groups higher.")


def test_a_level_switched_off_decides_nothing_and_a_banned_one_comes_first() -> None:
    here, there = levels(rematches=1), levels(kept_apart=1)
    assert judged(compared(here, there)) == "worse"
    assert judged(compared(here, there, Rules(off=("rematches",)))) == "better"
    banned = compared(here, there, Rules(banned=("kept_apart",)))
    assert (judged(banned), banned[0].level.key) == ("better", "kept_apart")


def test_tables_are_compared_after_the_pairs() -> None:
    here = levels() | {"table_repeats": 2, "fixed": 1}
    costs = compared(here, levels(kept_apart=1) | {"table_repeats": 0})
    assert [cost.level.key for cost in costs][-1] == "table_repeats"
    assert judged(costs) == "better"
    assert compared(here, levels() | {"table_repeats": 1})[-1].difference == "+1"


def test_the_certificate_of_an_unproven_draw_says_found() -> None:
    assert "best pairing found" in certificate_in_words(Certificate(False, "best found within window 30"))


SEATS = [
    Seat("a", 6, "Reds", floats=2, opponents=("c",)),
    Seat("b", 6, "reds "),
    Seat("c", 3.5),
    Seat("d", 3.5, byes=1),
    Seat("e", 1),
]


def test_a_pair_made_by_hand_names_its_faults_and_claims_no_proof() -> None:
    pairs, notes = explain(1, SEATS, [Pair("a", "c"), Pair("b", "e", ("an old note",))], "d")
    assert pairs[0].notes == (
        "rematch: these two have met before",
        "pair-down from 6 to 3.5 points",
        "repeat pair-down: the higher player was paired down twice before",
    )
    assert pairs[1].notes == ("pair-down from 6 to 1 point",)
    assert notes == ("second bye: had one once before, while 4 players had none",)
    odd_group = [Seat("a", 3), Seat("b", 3), Seat("c", 3), Seat("d", 1)]
    pairs, notes = explain(2, odd_group, [Pair("a", "b"), Pair("d", "c")], None)
    assert pairs[1].notes == ("pair-down from 3 to 1 point: an odd number (3) on 3 points or more",)
    assert notes == ()


def test_club_mates_are_noted_where_the_rules_keep_them_apart() -> None:
    def notes(number: int, rules: Rules) -> tuple[str, ...]:
        return explain(number, SEATS, [Pair("a", "b")], None, rules)[0][0].notes

    assert notes(1, Rules()) == notes(2, Rules("always")) == ("same club: Reds",)
    assert notes(2, Rules()) == ()
    assert notes(2, Rules(keep_apart=(("b", "a"),))) == ("kept apart: these two were to be kept apart",)


def test_a_bye_given_by_hand_is_explained() -> None:
    for bye, words in (
        ("e", "bye: lowest group without an earlier bye (1 point)"),
        ("c", "bye: on 3.5 points, while 1 player on fewer points had none"),
        ("a", "bye: on 6 points, while 2 players on fewer points had none"),
        ("d", "second bye: had one once before, while 4 players had none"),
    ):
        assert explain_bye(SEATS, bye) == words
    all_had_one = [Seat("a", 6, byes=1), Seat("b", 3, byes=3), Seat("c", 0, byes=1)]
    assert explain_bye(all_had_one, "a") == "second bye: on 6 points, while 2 players on fewer points had one too"
    assert explain_bye(all_had_one, "c") == "second bye: every player has had one; lowest group (0 points)"
