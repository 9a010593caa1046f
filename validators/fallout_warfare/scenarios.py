"""The scenarios, from data/scenarios: their scoring, and the limits that an army sets."""

import re
from collections.abc import Callable, Iterator, Mapping

from languages.words import N_, gettext, in_sentence, ngettext
from validators.answers import Bound, asked_bounds, earned, figure, invalid_answers
from validators.contract import Document, EditionInfo, Terms
from validators.fallout_warfare.edition import DATA
from validators.fallout_warfare.force import Army, priced
from validators.fallout_warfare.scenario_file import CHESTS, CONVOY, GOALS, KILLS, SURVIVORS, read_scenario
from validators.game_system import Scoring, TieFigure, Totals, by_scoring
from validators.scenario import (
    PLAYER,
    SIDES,
    Answers,
    Count,
    Doubt,
    Outcome,
    Parts,
    Question,
    Scenario,
    Score,
    Side,
    Tally,
    WhyWon,
)
from validators.scenario_file import shipped
from validators.scenery import Kind, Scenery

SCENARIOS = shipped(DATA, read_scenario)


BY_HALVES = WhyWon(*3 * (N_("by 10.5 points: VP are shown rounded down, and half points count"),))
TIE = 10
"""The difference in army points up to which a game is a tie."""
MOST_CHESTS = 6


LOST = ("dead", "retreated", "strayed")
"""How points are lost: killed, retreated over an allowed edge, and over another edge."""


def score(scenario: Scenario, answers: Answers) -> Score:
    a, b = map(sum, parts(scenario, answers))
    return Score(a, b, decided=winner_by_totals(scenario, a, b, answers))


def parts(scenario: Scenario, answers: Answers) -> Parts:
    """The parts that add up to the points of A and of B: those of the way of scoring, then those of goals, if any."""
    a, b = _SCORES[scenario.scored_by](scenario, answers)
    if any(question.worth for question in scenario.questions):
        a, b = (*a, earned(scenario, answers, "a")), (*b, earned(scenario, answers, "b"))
    return a, b


_EACH = re.compile(r"For every (\d+) points of both armies together .*\.")


def setup(scenario: Scenario, size: int) -> tuple[str, ...]:
    """The steps of the set-up; amounts that depend on both armies' points are calculated for two of this size."""
    rows = ((step, _EACH.fullmatch(step)) for step in scenario.setup)
    return tuple(
        ngettext(
            "%(rule)s Here %(count)s of each, for up to %(num)s point a side, whatever the lists cost.",
            "%(rule)s Here %(count)s of each, for up to %(num)s points a side, whatever the lists cost.",
            size,
            rule=gettext(step),
            count=2 * size // int(each[1]),
        )
        if each
        else step
        for step, each in rows
    )


_TERRAIN = re.compile(r"(\d{1,3}) to (\d{1,3}) (?:pieces of terrain|walls|patches of rough terrain)")


def scenery(scenario: Scenario) -> Scenery | None:
    """Walls and rubble in equal numbers, about the mean of the scenario's ranges; a road stays free."""
    matches = [_TERRAIN.fullmatch(need) for need in scenario.needs]
    pieces = sum(int(finding[1]) + int(finding[2]) for finding in matches if finding) // 4 * 2
    kinds = Kind(N_("wall"), "bar"), Kind(N_("rubble, rough terrain"), "disc")
    road = 6.0 if any(need.startswith("1 road") for need in scenario.needs) else 0.0
    return Scenery(pieces, 3, kinds, scenario.source, from_edge=9, road=road) if pieces else None


def winner_by_totals(scenario: Scenario, a: int, b: int, answers: Answers) -> Outcome | None:
    """A draw within ``TIE`` army points, if the scenario counts these; None: the higher total wins.

    Half points of figures that retreated count, though totals are rounded down.
    """
    if scenario.scored_by not in (SURVIVORS, KILLS):
        return None
    halves = 2 * (a - b)
    if scenario.scored_by == SURVIVORS:
        halves += figure(answers, "a.retreated") % 2 - figure(answers, "b.retreated") % 2
    if abs(halves) <= 2 * TIE:
        return "draw"
    return None if abs(a - b) > TIE else "a" if a > b else "b"


def kept_with_totals(scenario: Scenario, question: Question) -> bool:
    """What retreated: half a point of it can decide."""
    return scenario.scored_by == SURVIVORS and question.key in (f"{side}.retreated" for side in SIDES)


def decided_by(score: Score) -> WhyWon | None:
    """Why a side has won at a difference of ``TIE``: by half a point."""
    return BY_HALVES if score.decided in SIDES else by_scoring(score)


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    wrong = tuple(invalid_answers(scenario, answers))
    return wrong or (*_roles(scenario, answers), *_CHECKS[scenario.scored_by](scenario, answers))


def _roles(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    """Faults of roles: in a scenario with different sides, each player has a different one."""
    if not scenario.roles:
        return
    a, b = answers.get("a.role", ""), answers.get("b.role", "")
    keys = ("a.role", "b.role")
    if a and a == b:
        yield Doubt(keys, gettext("Both players cannot be the %(role)s", role=in_sentence(gettext(str(a)))), True)
    elif not a and not b:
        yield Doubt(keys, gettext("Choose which player had which role"), True)


def _played(scenario: Scenario, answers: Answers) -> tuple[Side, Side]:
    """The sides with the first and with the second role; one answer is enough."""
    first, other = scenario.roles
    a_first = answers.get("a.role") == first.name or answers.get("b.role") == other.name
    return ("a", "b") if a_first else ("b", "a")


def _survivors(scenario: Scenario, answers: Answers) -> Parts:
    """``survivors``: a side's own surviving points and the opponent's killed ones.

    Points on the table survive, and half of those that retreated, rounded down; others that left are killed.
    """
    living, killed = [], []
    for side in SIDES:
        fielded, dead, retreated, strayed = (figure(answers, f"{side}.{what}") for what in ("fielded", *LOST))
        living.append(fielded - dead - retreated - strayed + retreated // 2)
        killed.append(dead + strayed)
    return (living[0], killed[1]), (living[1], killed[0])


def _convoy(scenario: Scenario, answers: Answers) -> Parts:
    """``convoy``: one point for the winner: the convoy, if its APC left by the far edge."""
    convoy, _ = _played(scenario, answers)
    through = figure(answers, f"{convoy}.apc") == 1
    return ((1,), (0,)) if (convoy == "a") == through else ((0,), (1,))


def _chests(scenario: Scenario, answers: Answers) -> Parts:
    """``chests``: chests, and one point for the side that killed more points."""
    hunter, raider = _played(scenario, answers)
    opened = figure(answers, f"{hunter}.chests")
    if figure(answers, f"{raider}.left"):  # the locked chests are the hunter's
        opened = MOST_CHESTS - figure(answers, f"{raider}.chests")
    points = {hunter: opened, raider: MOST_CHESTS - opened}
    killed = {"a": figure(answers, "b.dead"), "b": figure(answers, "a.dead")}
    more = {side: int(killed[side] == max(killed.values()) > min(killed.values())) for side in SIDES}
    return (points["a"], more["a"]), (points["b"], more["b"])


def explained(scenario: Scenario, answers: Answers) -> str:
    """How opened chests become points, in sentences; "" in other scenarios, whose records show it."""
    if scenario.scored_by != CHESTS:
        return ""
    rows = _chests(scenario, answers)
    hunter, raider = _played(scenario, answers)
    apart = figure(answers, f"{raider}.chests") if not figure(answers, f"{raider}.left") else 0
    chests = [points for points, _ in (rows if hunter == "a" else rows[::-1])]
    first, second = (role.said for role in scenario.roles)
    opened = figure(answers, f"{hunter}.chests")
    left = [side.upper() for side in SIDES if figure(answers, f"{side}.left")]
    killed = [side.upper() for side, (_, more) in zip(SIDES, rows, strict=True) if more]
    counted = N_("Chests count: %(first)s %(for_first)s, %(second)s %(for_second)s.")
    return " ".join(
        (
            ngettext(
                "%(role)s: %(opened)s of %(num)s chest opened.",
                "%(role)s: %(opened)s of %(num)s chests opened.",
                MOST_CHESTS,
                role=first,
                opened=opened,
            ),
            *(gettext("The side of player %(letter)s left while chests were locked.", letter=text) for text in left),
            gettext(counted, first=first, for_first=chests[0], second=second, for_second=chests[1]),
            *([gettext("%(role)s: opened chests count only if this side leaves first.", role=second)] if apart else []),
            *(gettext("Player %(letter)s killed more.", letter=text) for text in killed),
        )
    )


def _nothing(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    if not any(answers.values()):
        nothing = gettext("Nothing was scored in the whole game. Is that right?")
        yield Doubt((), nothing, False, at_the_end=True)


def _survivors_odd(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    """Losses that exceed the fielded points, and sides that fielded nothing."""
    for side in SIDES:
        keys = tuple(f"{side}.{what}" for what in ("fielded", *LOST))
        fielded, *lost = (figure(answers, key) for key in keys)
        if sum(lost) > fielded:
            said = ngettext(
                "%(player)s: %(num)s point lost of %(fielded)s fielded cannot be",
                "%(player)s: %(num)s points lost of %(fielded)s fielded cannot be",
                sum(lost),
                player=PLAYER[side],
                fielded=fielded,
            )
            yield Doubt(keys, said, True)
    for side in SIDES:
        if not figure(answers, f"{side}.fielded"):
            nothing = gettext("%(player)s fielded nothing. Is that right?", player=PLAYER[side])
            yield Doubt((f"{side}.fielded",), nothing, False)


def _convoy_odd(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    _, raider = _played(scenario, answers)
    if figure(answers, f"{raider}.apc"):
        none = gettext("%(player)s had no APC to bring over the edge", player=PLAYER[raider])
        yield Doubt((f"{raider}.apc",), none, True)


def _more_than_fielded(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    """Faults of roles that field more than their points; the role's free additions do not count."""
    first, _ = _played(scenario, answers)
    for side in SIDES:
        role, dead = scenario.roles[side != first], figure(answers, f"{side}.dead")
        if dead > role.size:
            said = ngettext(
                "%(player)s: %(num)s point lost, but the %(role)s field %(size)s at most",
                "%(player)s: %(num)s points lost, but the %(role)s field %(size)s at most",
                dead,
                player=PLAYER[side],
                role=role.said,
                size=role.size,
            )
            yield Doubt((f"{side}.dead",), said, True)


def _chests_odd(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    chests = [figure(answers, f"{side}.chests") for side in SIDES]
    if sum(chests) > MOST_CHESTS:
        more = ngettext(
            "%(num)s chest opened, there are %(there)s",
            "%(num)s chests opened, there are %(there)s",
            sum(chests),
            there=MOST_CHESTS,
        )
        yield Doubt(("a.chests", "b.chests"), more, True)
    yield from _more_than_fielded(scenario, answers)
    if figure(answers, "a.left") and figure(answers, "b.left"):
        both = gettext("Both players cannot be the first to leave the table")
        yield Doubt(("a.left", "b.left"), both, True)
    for side in SIDES:
        if figure(answers, f"{side}.left") and sum(chests) >= MOST_CHESTS:
            asked = gettext("Every chest was open, so nobody left before that. Is that right?")
            yield Doubt((f"{side}.left",), asked, False)


_SCORES: Mapping[str, Callable[[Scenario, Answers], Parts]] = {
    SURVIVORS: _survivors,
    # There is no retreat, so figures that leave count as killed.
    KILLS: lambda _, answers: ((figure(answers, "b.dead"),), (figure(answers, "a.dead"),)),
    CONVOY: _convoy,
    CHESTS: _chests,
    GOALS: lambda scenario, answers: ((), ()),
}
_CHECKS: Mapping[str, Callable[[Scenario, Answers], Iterator[Doubt]]] = {
    SURVIVORS: _survivors_odd,
    KILLS: _nothing,
    CONVOY: _convoy_odd,
    CHESTS: _chests_odd,
    GOALS: _nothing,
}


def tallies(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Tally, ...]:
    """The points fielded, and for each way to lose points the figures and vehicles that can be lost."""
    army = priced(document, Terms(edition))
    asked = {question.key for question in scenario.questions}
    counts = _counts(army)
    tallied = [Tally(f"{side}.fielded", known=army.total), *(Tally(f"{side}.{what}", counts=counts) for what in LOST)]
    return tuple(tally for tally in tallied if tally.question in asked)


def _counts(army: Army) -> tuple[Count, ...]:
    figures = [
        Count(
            f"{squad.place}-{model.place}",
            gettext("Squad %(number)s: %(label)s", number=squad.number, label=model.label),
            model.count,
            model.each,
        )
        for squad, model in army.lines
    ]
    vehicles = [Count(f"v{drive.place}", drive.name, 1, drive.points) for drive in army.vehicles]
    return (*figures, *vehicles)


def bounds(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Bound, ...]:
    """The whole army is fielded, so losses cannot exceed it; no limit if roles add figures."""
    if scenario.roles:
        return ()
    total = priced(document, Terms(edition)).total
    lost = tuple(q.key for q in scenario.questions if q.key in [f"{side}.{what}" for what in LOST])
    fielded = Bound((f"{side}.fielded",), total, N_("own points fielded"), exact=True)
    return asked_bounds(scenario, fielded, Bound(lost, total, N_("own points lost")))


SCORING = Scoring(
    check_answers, score, tallies, bounds, parts, Totals(winner_by_totals, kept_with_totals), decided_by,
    one_scale=False, keeps_own=lambda scenario: scenario.scored_by == SURVIVORS, explained=explained,
    tie_figures=(
        TieFigure(
            "dead", N_("Enemy losses"), N_("Points of enemy models killed in all games; a bye adds none"), of_enemy=True
        ),
    ),
)  # fmt: skip
