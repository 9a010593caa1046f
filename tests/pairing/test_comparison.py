"""Two draws of a round beside each other: the first level that differs decides, and the sentence says which."""

from dataclasses import asdict, fields

from events.pairing.explain import LEVELS, certificate_in_words, compared, judged, verdict
from events.pairing.seats import Certificate, Levels, Rules


def levels(**counts: int) -> dict[str, int]:
    """All levels at 0 but these."""
    return asdict(Levels()) | counts


def test_every_level_of_the_engine_has_its_words_in_its_order() -> None:
    assert [one.key for one in LEVELS][: len(fields(Levels))] == [field.name for field in fields(Levels)]


def test_equal_rounds_are_equal_on_every_level() -> None:
    costs = compared(levels(distance=4), levels(distance=4))
    assert (judged(costs), {cost.difference for cost in costs}) == ("same", {"="})
    assert verdict(costs) == "As good as the engine's best on every level."


def test_the_first_level_that_differs_decides() -> None:
    costs = compared(levels(rematches=2, distance=1), levels(rematches=1, distance=3))
    assert judged(costs) == "worse"
    assert [(c.level.key, c.difference, c.judged) for c in costs if c.judged != "same"] == [
        ("rematches", "+1", "worse"), ("distance", "\N{MINUS SIGN}2", "better"),
    ]  # fmt: skip
    assert verdict(costs) == (
        "Worse than the engine's best: 1 rematch more. 2 squared steps of distance fewer: a lower level, which does "
        "not make up for it."
    )
    other = compared(levels(rematches=1, distance=3), levels(rematches=2, distance=1))
    assert (judged(other), verdict(other, "the draft").split(".")[0]) == (
        "better", "Better than the draft: 1 rematch fewer",
    )  # fmt: skip


def test_the_bye_is_told_by_its_height() -> None:
    assert verdict(compared(levels(bye_height=2), levels())) == (
        "Worse than the engine's best: the bye 2 groups higher."
    )


def test_a_level_switched_off_decides_nothing_and_a_banned_one_stands_first() -> None:
    here, there = levels(rematches=1), levels(kept_apart=1)
    assert judged(compared(here, there)) == "worse"
    assert judged(compared(here, there, Rules(off=("rematches",)))) == "better"
    banned = compared(here, there, Rules(banned=("kept_apart",)))
    assert (judged(banned), banned[0].level.key) == ("better", "kept_apart")


def test_placing_is_looked_at_after_the_pairs() -> None:
    here = levels() | {"table_repeats": 2, "fixed": 1}
    there = levels(kept_apart=1) | {"table_repeats": 0}
    costs = compared(here, there)
    assert [cost.level.key for cost in costs][-1] == "table_repeats"
    assert judged(costs) == "better"
    assert compared(here, levels() | {"table_repeats": 1})[-1].difference == "+1"


def test_the_certificate_says_proven_or_found() -> None:
    assert certificate_in_words(Certificate(True, "the complete graph")).startswith(
        "The engine's is proven: no other pairing"
    )
    assert "within window 30" in certificate_in_words(Certificate(False, "best found within window 30"))
