"""Results of the SNAFU game: a rout decides, losses are worth what the scenario's table says."""

from typing import Any

from validators import SYSTEMS
from validators.scenario import Score

SYSTEM = SYSTEMS["new_vegas"]
BATTLE, ATTRITION, HEAD = (SYSTEM.scenario(name) for name in ("open-battle", "attrition", "cut-off-the-head"))


def answers(**given: Any) -> dict[str, int | str]:
    """A result in which nobody routed, and these answers (dots as __)."""
    return {"a.rout": "Stood", "b.rout": "Stood"} | {key.replace("__", "."): value for key, value in given.items()}


def doubts(given: dict[str, int | str]) -> list[tuple[bool, str]]:
    return [(doubt.refused, doubt.message) for doubt in SYSTEM.scoring.check(BATTLE, given)]


def test_losses_are_worth_points_to_the_enemy() -> None:
    given = answers(a__lost=7, a__leaders=1, b__lost=4)
    assert SYSTEM.scoring.score(BATTLE, given) == Score(a=4, b=7 + 2)
    assert SYSTEM.scoring.score(ATTRITION, given) == Score(a=4, b=7)
    assert SYSTEM.scoring.score(HEAD, given) == Score(a=0, b=5)
    assert SYSTEM.scoring.score(BATTLE, given).outcome == "b"


def test_only_routed_player_loses_whatever_the_points() -> None:
    given = answers(a__lost=2, a__leaders=1, a__rout="Routed", b__lost=30)
    assert SYSTEM.scoring.score(BATTLE, given) == Score(a=30, b=2 + 2 + 10, decided="b")
    assert SYSTEM.scoring.score(ATTRITION, given) == Score(a=30, b=2, decided="b")
    assert SYSTEM.scoring.score(ATTRITION, given).outcome == "b"


def test_points_decide_where_both_routed() -> None:
    given = answers(a__lost=5, a__leaders=1, a__rout="Routed", b__lost=4, b__leaders=1, b__rout="Routed")
    assert SYSTEM.scoring.score(BATTLE, given) == Score(a=16, b=17)
    assert SYSTEM.scoring.score(BATTLE, given | {"b.lost": 5}).outcome == "draw"


def test_printed_sentences_have_the_figures_of_the_table() -> None:
    for scenario in SYSTEM.scenarios:
        *lost, rout = (question.worth for question in scenario.questions if question.side == "a")
        assert rout[0] == 0, "standing is worth nothing"
        assert lost and all(worth for (worth,) in lost), "what is worth nothing is not asked"
        for figure in (*(worth for (worth,) in lost), rout[1]):
            for text in (" ".join(scenario.scoring), scenario.round_note):
                assert figure == 0 or f"{figure} VP" in text, scenario.id


def test_doubts_about_a_report() -> None:
    both = answers(a__lost=1, a__leaders=1, a__rout="Routed", b__lost=1, b__leaders=1, b__rout="Routed")
    for given, refused, words in (
        (answers(a__lost=1, a__leaders=1), None, ""),
        (answers(a__lost=1, a__leaders=2), True, "Player A: 2 with Charisma among 1 models lost"),
        (answers(b__rout="Routed", b__lost=3), False, "Player B"), (answers(), False, "Nobody lost a model"),
        (answers(a__lost=1) | {"b.rout": ""}, False, "Player B"), (both, False, "Both forces routed"),
        (answers(b__rout="Routed"), False, "Player B's force routed and lost no model. Is"),
        (answers(a__rout="Fled"), True, ""), (answers(a__lost=1, c__lost=1), True, ""),
        *((answers(a__lost=wrong), True, "") for wrong in (-1, 100, True, "3", 10**30)),
    ):  # fmt: skip
        found = doubts(given)
        assert ([found[0][0]] if found else []) == ([] if refused is None else [refused]), given
        assert not found or (found[0][1].startswith(words) and len(found[0][1]) < 120), found


def test_rout_with_no_model_lost_is_asked_about_where_leaders_are_not_counted() -> None:
    for lost, asked in ((0, ["Player A's force routed and lost no model. Is that right?"]), (1, [])):
        found = SYSTEM.scoring.check(SYSTEM.scenario("attrition"), answers(a__lost=lost, a__rout="Routed", b__lost=2))
        assert [doubt.message for doubt in found] == asked
