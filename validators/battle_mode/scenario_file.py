"""The Battle Mode scenario file: its schema, and its conversion to a scenario with questions and printed notes."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from languages.words import N_, gettext, ngettext
from validators.faults import Fault
from validators.kit.shapes import Part, Text
from validators.names import fold
from validators.scenario import OPEN_END, SIDES, Limits, Note, Question, Scenario, Side
from validators.scenario_file import HeadOfScenario, Markers, Word, head_of, shaped_scenario

MOST_GAME_ROUNDS, MOST_OBJECTIVES, MOST_CHOICES = 12, 8, 3
_SAME = ("game_rounds", "scoring_from", "most", "hint", "note")
"""Fields that are the same in the file and in the scenario."""

Figure = Annotated[int, Field(ge=1, le=OPEN_END)]
Kind = Annotated[Text, Field(min_length=1, max_length=40)]
"""A kind of objective marker, with its test."""


class ObjectivesPart(Part):
    each: Annotated[int, Field(ge=0, le=MOST_OBJECTIVES)] = 0
    most_of_a_kind: Annotated[int, Field(ge=1, le=MOST_OBJECTIVES)] = 1
    kinds: Annotated[list[Kind], Field(max_length=MOST_OBJECTIVES)] = Field(default=[])


class ScenarioFile(HeadOfScenario, title="Battle Mode scenario"):
    system: Literal["battle_mode"]
    game_rounds: Annotated[int, Field(ge=1, le=MOST_GAME_ROUNDS)]
    scoring_from: Annotated[int, Field(ge=1, le=MOST_GAME_ROUNDS)] = 1
    most: Figure
    hint: Annotated[Text, Field(max_length=120)] = ""
    note: Annotated[Text, Field(max_length=120)] = ""
    limits: Limits = Limits()
    choices: Annotated[list[Word], Field(max_length=MOST_CHOICES)] = Field(default=[])
    objectives: ObjectivesPart = ObjectivesPart()
    markers: Markers = Field(default=[])


def contradictions(file: ScenarioFile) -> Iterator[Fault]:
    rounds, first = file.game_rounds, file.scoring_from
    if first > rounds:
        yield Fault(
            ("scoring_from",),
            gettext("is game round %(first)s, but the game ends after %(rounds)s", first=first, rounds=rounds),
        )
    yield from _limits(file.limits, file.most)
    yield from _objectives(file)
    for field, words in (("choices", file.choices), ("objectives.kinds", file.objectives.kinds)):
        for at, word in enumerate(words):
            if fold(word) in map(fold, words[:at]):
                yield Fault((*field.split("."), at), gettext("is %(word)s, which is already listed", word=word))
    if len(file.choices) == 1:
        yield Fault(("choices",), gettext("holds one entry: that leaves nothing to choose"))


def _limits(limits: Limits, most: int) -> Iterator[Fault]:
    refused, asked, a_limit = limits.together_refused, limits.together_asked, limits.one_asked
    for name, limit, all_there_is in (
        ("together_refused", refused, 2 * most),
        ("together_asked", asked, 2 * most),
        ("one_asked", a_limit, most),
    ):
        if limit and limit.above >= all_there_is:
            alone = N_("is %(above)s, but one player scores %(most)s at most anyway")
            together = N_("is %(above)s, but both together score %(most)s at most anyway")
            wrong = gettext(alone if limit is a_limit else together, above=limit.above, most=all_there_is)
            yield Fault(("limits", name, "above"), wrong)
    if refused and refused.above < most:
        wrong = gettext("is %(above)s, but one player alone may score %(most)s", above=refused.above, most=most)
        yield Fault(("limits", "together_refused", "above"), wrong)
    if refused and asked and asked.above >= refused.above:
        text = N_("is %(asked)s, but above %(refused)s is refused anyway")
        wrong = gettext(text, asked=asked.above, refused=refused.above)
        yield Fault(("limits", "together_asked", "above"), wrong)


def _objectives(file: ScenarioFile) -> Iterator[Fault]:
    objectives = file.objectives
    most = len(objectives.kinds) * objectives.most_of_a_kind
    if objectives.each > most:
        message = ngettext(
            "is %(each)s, but %(kinds)s kinds, each %(num)s time at most, give %(most)s",
            "is %(each)s, but %(kinds)s kinds, each %(num)s times at most, give %(most)s",
            objectives.most_of_a_kind,
            each=objectives.each,
            kinds=len(objectives.kinds),
            most=most,
        )
        yield Fault(("objectives", "each"), message)


def _questions(side: Side, file: ScenarioFile) -> Iterator[Question]:
    """The questions after a game: VP of each game round, objective markers, and a choice if there is one."""
    if file.choices:
        choices, says = tuple(file.choices), N_("Optional; it scores nothing by itself.")
        yield Question(f"{side}.choice", side, "choice", N_("Chosen at the start"), choices=choices, help=says)
    for number in range(1, file.game_rounds + 1):
        key, label, scores = f"{side}.r{number}", f"Game round {number}", number >= file.scoring_from
        most, says = (file.most, file.hint) if scores else (0, N_("Nothing can be scored yet."))
        yield Question(key, side, "vp", label, game_round=number, most=most, help=says)
    if most := file.objectives.each:
        says = N_("1 VP each, of the player’s own %(most)s.")
        yield Question(
            f"{side}.objectives", side, "objectives", N_("Objective markers completed"), most=most, help=says
        )


def round_notes(most: int, limits: Limits) -> Iterator[Note]:
    """The limits of a game round's figures, as printed on a sheet."""
    if most < OPEN_END:
        yield Note(N_("at most %(n)s a player and round"), most)
    if limits.together_refused:
        yield Note(N_("both players together: at most %(n)s a round"), limits.together_refused.above)
    if limits.held_by_one:
        yield Note(N_("%(n)s to one player at most"), limits.held_by_one)
    if limits.together_asked:
        more = N_("more than %(n)s VP in a round, both players together: call a judge")
        yield Note(more, limits.together_asked.above)
    if limits.one_asked:
        yield Note(N_("over %(n)s VP in a round: call a judge"), limits.one_asked.above)


_OFTEN = {1: N_("no kind more than once"), 2: N_("no kind more than twice")}


def objective_notes(objectives: int, most_of_a_kind: int) -> Iterator[Note]:
    """The rule of the objective markers, as printed on a sheet; none if a game has none."""
    if not objectives:
        return
    if most_of_a_kind in _OFTEN and most_of_a_kind < objectives:
        yield Note(_OFTEN[most_of_a_kind])
    elif most_of_a_kind < objectives:
        yield Note(N_("no kind more than %(n)s times"), _number(most_of_a_kind))
    yield Note(N_("1 VP for each completed"))


def _notes_of(file: ScenarioFile) -> tuple[Note, ...]:
    notes = (Note(file.note),) if file.note else ()
    return notes or tuple(round_notes(file.most, file.limits)) or (Note(N_("no limit")),)


def _number(number: int) -> str:
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if number < len(words) else str(number)


def read_scenario(parsed: object) -> Scenario:
    file = shaped_scenario(parsed, ScenarioFile, contradictions)
    limits, objectives = file.limits, file.objectives
    kinds = objectives.kinds if objectives.each else []
    written = {"limits": limits.model_dump(exclude_defaults=True), "objectives": dict(objectives) | {"kinds": kinds}}
    return Scenario(
        **head_of(file, **written),
        **{name: getattr(file, name) for name in _SAME},
        limits=limits,
        choices=tuple(file.choices),
        questions=tuple(question for side in SIDES for question in _questions(side, file)),
        round_notes=_notes_of(file),
        objectives=objectives.each,
        objective_kinds=tuple(kinds),
        objective_most=objectives.most_of_a_kind,
        objective_notes=tuple(objective_notes(objectives.each, objectives.most_of_a_kind)),
    )
