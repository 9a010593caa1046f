"""Reports with less detail than the scenario asks for: only both totals, or only the outcome.

``detailed`` replaces the scenario's questions, which all other code reads; ``check`` and ``score`` handle them all.
"""

from collections.abc import Container, Iterator
from dataclasses import replace

from languages.words import N_, gettext, listed
from validators.answers import figure, invalid_answers
from validators.game_system import GameSystem
from validators.scenario import PLAYER, SIDES, Answers, Detail, Doubt, Note, Outcome, Question, Scenario, Score, Side

WON = "won"
"""The question for the outcome, shared by both sides."""
A_WINS, DRAW, B_WINS = "A wins", "Draw", "B wins"
OUTCOMES: dict[str, Outcome] = {A_WINS: "a", DRAW: "draw", B_WINS: "b"}
"""The answers to ``WON``, each with its winner."""
TOTALS = ("a.total", "b.total")
"""The questions for the totals."""
MOST_TOTAL = 9999
"""For scenarios whose questions set no highest score."""


def answer_of(outcome: Outcome) -> str:
    """The answer to ``WON`` that names this outcome."""
    return next(answer for answer, of in OUTCOMES.items() if of == outcome)


def detailed(system: GameSystem, scenario: Scenario, detail: Detail, ties: Container[str] = ()) -> Scenario:
    """The scenario with the questions of these reports; ``ties`` are the keys of figures that break ties."""
    if detail == "full":
        return scenario
    if detail == "outcome":
        won = Question(WON, "a", "choice", N_("Result"), choices=tuple(OUTCOMES), decides=True)
        return replace(scenario, questions=(won,), round_notes=(), detail=detail)
    most = max(1, *(_highest(scenario, side) for side in SIDES))
    totals = [Question(key, side, "figure", N_("Total VP"), most=most) for key, side in zip(TOTALS, SIDES, strict=True)]
    keeps = system.scoring.totals.keeps
    kept = [q for q in scenario.questions if keeps(scenario, q)]
    # A figure of its own, which adds nothing to the totals: paper has a row for it, whatever it is in full reports.
    kept += [replace(q, kind="figure", worth=()) for q in scenario.questions if q.key[2:] in ties and q not in kept]
    note = Note(N_("all VP that the player scored in the game"))
    return replace(scenario, questions=(*totals, *kept), round_notes=(note,), detail=detail)


def _highest(scenario: Scenario, side: Side) -> int:
    most = 0
    for question in scenario.questions:
        if question.side != side:
            continue
        if question.kind == "choice":
            most += max(question.worth, default=0)
        elif question.kind == "figure" and not question.worth:
            return MOST_TOTAL
        else:
            most += question.most * (question.worth[0] if question.worth else 1)
    return min(most, MOST_TOTAL)


def check(system: GameSystem, scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Everything impossible (rejected) or unusual (queried) about a report."""
    if scenario.detail == "full":
        return system.scoring.check(scenario, answers)
    if wrong := tuple(invalid_answers(scenario, answers)):
        return wrong
    if scenario.detail == "outcome":
        return () if answers.get(WON) in OUTCOMES else (Doubt((WON,), gettext("Choose who won, or a draw."), True),)
    left_out = tuple(Doubt((key,), gettext("Enter both totals."), True) for key in TOTALS if key not in answers)
    return left_out or tuple(_odd(scenario, answers))


def _odd(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    """Queries about missing answers that can decide the game, and about a game without any score."""
    left = [q for q in scenario.questions if q.kind == "choice" and not answers.get(q.key)]
    for what in dict.fromkeys(q.in_sentence for q in left):
        same = [q for q in left if q.in_sentence == what]
        who = listed([PLAYER[q.side] for q in same])
        asked = N_("%(players)s, %(what)s: not noted, and it can decide the game. Is that right?")
        yield Doubt(tuple(q.key for q in same), gettext(asked, players=who, what=what), False)
    if not any(figure(answers, key) for key in TOTALS):
        asked = gettext("Nobody scored in the whole game. Is that right?")
        yield Doubt(TOTALS, asked, False, at_the_end=True)


def score(system: GameSystem, scenario: Scenario, answers: Answers) -> Score:
    """The victory points and the winner, as far as the report contains them."""
    if scenario.detail == "full":
        return system.scoring.score(scenario, answers)
    if scenario.detail == "outcome":
        return Score(0, 0, OUTCOMES.get(str(answers.get(WON, "")), "draw"), known=False)
    a, b = (figure(answers, key) for key in TOTALS)
    return Score(a, b, system.scoring.totals.winner(scenario, a, b, answers))
