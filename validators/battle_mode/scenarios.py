"""The scenarios of the rulebook 1.0 (data/scenarios), their scoring, and the table's rulers and scenery."""

from collections.abc import Iterator, Mapping
from functools import partial

from languages.words import N_, gettext, ngettext
from validators.answers import figure, invalid_answers
from validators.battle_mode.edition import DATA
from validators.battle_mode.scenario_file import read_scenario
from validators.names import shown
from validators.scenario import PLAYER, SIDES, Answers, Doubt, Limit, Question, Ruler, Scenario, Score
from validators.scenario_file import shipped
from validators.scenery import read_scenery

SCENARIOS = shipped(DATA, read_scenario)


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    wrong = invalid_answers(scenario, answers, partial(_out_of_bounds, scenario))
    return tuple(wrong) or tuple(_doubts(scenario, answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    scored = [question for question in scenario.questions if question.kind != "choice"]
    a, b = (sum(figure(answers, question.key) for question in scored if question.side == side) for side in SIDES)
    return Score(a, b)


def _out_of_bounds(scenario: Scenario, question: Question, value: int) -> str:
    if value < 0:
        return gettext("%(value)s is below 0", value=shown(value))
    if question.most == 0:
        early = N_("%(value)s VP, but %(scenario)s scores from game round %(number)s")
        return gettext(early, value=shown(value), scenario=scenario.name, number=scenario.scoring_from)
    if question.kind == "objectives":
        return ngettext(
            "%(value)s marker, at most %(most)s can be",
            "%(value)s markers, at most %(most)s can be",
            value,
            value=shown(value),
            most=question.most,
        )
    return gettext("%(value)s VP, at most %(most)s can be", value=shown(value), most=question.most)


def _doubts(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    """The doubts about each game round's figures together, and about a game without a score."""
    limits = scenario.limits
    held, refused, asked, limit = limits.held_by_one, limits.together_refused, limits.together_asked, limits.one_asked
    for game_round in range(scenario.scoring_from, scenario.game_rounds + 1):
        keys = (f"a.r{game_round}", f"b.r{game_round}")
        a, b = (figure(answers, key) for key in keys)
        about = {"number": game_round, "a": a, "b": b, "sum": a + b}
        if held and a % 2 and b % 2:
            both = N_(
                "game round %(number)s: %(a)s and %(b)s VP both count %(held)s (1 VP), "
                "which one player at most can hold"
            )
            yield Doubt(keys, gettext(both, held=gettext(held), **about), True)
        if refused and a + b > refused.above:
            most = N_(
                "game round %(number)s: %(a)s and %(b)s VP add up to %(sum)s. At most %(most)s are possible%(why)s"
            )
            yield Doubt(keys, gettext(most, most=refused.above, why=_why(refused), **about), True)
        elif asked and a + b > asked.above:
            rare = N_(
                "game round %(number)s: %(a)s and %(b)s VP add up to %(sum)s. More than %(most)s is rare%(why)s. "
                "Is that right?"
            )
            yield Doubt(keys, gettext(rare, most=asked.above, why=_why(asked), **about), False)
        for side, key, value in zip(SIDES, keys, (a, b), strict=True):
            if limit and value > limit.above:
                much = N_("game round %(number)s: %(player)s scored %(value)s VP in one round%(why)s. Is that right?")
                asks = gettext(much, number=game_round, player=PLAYER[side], value=value, why=_why(limit))
                yield Doubt((key,), asks, False)
    if score(scenario, answers) == Score(0, 0):
        message = gettext("Nobody scored in the whole game, neither rounds nor objective markers. Is that right?")
        yield Doubt((), message, False, at_the_end=True)


def _why(limit: Limit) -> str:
    return f" ({gettext(limit.why)})" if limit.why else ""


_ONE: Mapping[str, tuple[float, str]] = {
    "Orange": (2, "#ED7203"),
    "Yellow": (4, "#FDE634"),
    "Red": (6, "#E6332B"),
    "Green": (8, "#07A13B"),
    "Blue": (10, "#0D9FE3"),
    "Black": (12, "#000000"),
}

RULERS = (
    *(Ruler(part[0], name, (part,)) for name, part in _ONE.items()),
    Ruler(18, "Black + Red", (_ONE["Black"], _ONE["Red"])),
)
"""Shortest first; Black and Red laid end to end reach the middle of the 36-inch table."""

SCENERY = read_scenery(DATA)
"""More than Yellow between any two, of mixed kinds, equally on both halves."""
