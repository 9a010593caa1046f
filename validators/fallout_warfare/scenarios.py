"""The four scenarios, from data/scenarios.json: what is asked, what a result is worth, what an army allows of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from validators.answers import Bound, by_themselves
from validators.contract import Document, EditionInfo
from validators.fallout_warfare.edition import DATA
from validators.fallout_warfare.force import Army, price
from validators.kit.scenarios import shipped_scenarios
from validators.names import shown
from validators.scenario import Answers, Count, Doubt, Outcome, Question, Scenario, Score, Side, Tally

TABLE_INCHES = 48
"""The rulebook names no size of table; 24″ between the sides and 6″ of deployment for each fit on four feet."""
MOST_POINTS = 2000
"""Army points of one side: a slip of the pen is caught, no army is."""

_FIGURES: Mapping[str, tuple[str, int, str]] = {
    "fielded": ("Own points fielded", MOST_POINTS, "The total of the army on the table."),
    "dead": (
        "Own points killed",
        MOST_POINTS,
        "Of this player's army, by anybody: add up the ticked boxes of the army sheet.",
    ),
    "retreated": ("Own points retreated", MOST_POINTS, "Of this player's army, by their own edge."),
    "strayed": ("Own points over a wrong edge", MOST_POINTS, "Of this player's army: they count as killed."),
    "apc": ("APC left by the south edge (1: yes)", 1, "1 if it did; the convoy's player only."),
    "chests": ("Chests opened", 6, "By this player's side."),
    "left": ("Left first (1: yes)", 1, "1 if this player's side did."),
}
"""What can be asked of a side: its label, the most, and what it is in a sentence."""


def questions(asks: tuple[str, ...], parts: tuple[str, ...]) -> tuple[Question, ...]:
    """What is asked of both sides: the part that each had, if they differ, and these figures."""
    sides: tuple[Side, ...] = ("a", "b")
    return tuple(question for side in sides for question in _of_side(side, asks, parts))


def _of_side(side: Side, asks: tuple[str, ...], parts: tuple[str, ...]) -> list[Question]:
    asked = []
    if parts:
        which = "Who had which part; one of the two is enough."
        asked.append(Question(f"{side}.role", side, "choice", "Part", choices=parts, help=which, decides=True))
    for ask in asks:
        label, most, says = _FIGURES[ask]
        asked.append(Question(f"{side}.{ask}", side, "figure", label, most=most, help=says))
    return asked


SCENARIOS = shipped_scenarios(
    DATA / "scenarios.json",
    TABLE_INCHES,
    lambda raw: questions(tuple(raw["asks"]), tuple(raw["parts"])),
    own_notes=True,
)


TIE = 10
"""Army points within which a game is a tie."""
CHESTS = 6
CONVOY, RAIDERS = "Convoy", "Raiders"
SCAVENGERS = "Scavengers"
_SIDES: tuple[Side, ...] = ("a", "b")


@dataclass(frozen=True)
class _Lost:
    """A side's army points: fielded, killed, retreated by an allowed edge, and gone over another one."""

    fielded: int
    dead: int
    retreated: int
    strayed: int

    @property
    def living(self) -> int:
        """What stands on the table, and half of what retreated, rounded down."""
        return self.fielded - self.dead - self.retreated - self.strayed + self.retreated // 2

    @property
    def killed(self) -> int:
        """What counts for the opponent: figures that leave over a wrong edge count as killed."""
        return self.dead + self.strayed


def score(scenario: Scenario, answers: Answers) -> Score:
    """A scenario and answers without a refused doubt, to the points and the outcome."""
    return _SCORES[scenario.id](answers)


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Everything impossible (refused) or odd (asked) about a report; a figure left out counts as 0."""
    questions = {question.key: question for question in scenario.questions}
    wrong = tuple(by_themselves(scenario, answers, _out_of_bounds))
    if wrong:
        return wrong
    return (*_roles(questions, answers), *_losses(questions, answers), *_CHECKS[scenario.id](answers))


def _out_of_bounds(question: Question, value: int) -> str:
    return f"{shown(value)}, {question.least} to {question.most} can be"


def _roles(questions: Mapping[str, Question], answers: Answers) -> Iterator[Doubt]:
    """In a scenario of two sides that differ, each player has one, and not the same."""
    if "a.role" not in questions:
        return
    a, b = answers.get("a.role", ""), answers.get("b.role", "")
    keys = ("a.role", "b.role")
    if a and a == b:
        yield Doubt(keys, f"Both players cannot be the {a.lower() if isinstance(a, str) else a}", True)
    elif not a and not b:
        yield Doubt(keys, "Choose which player had which part", True)


def _losses(questions: Mapping[str, Question], answers: Answers) -> Iterator[Doubt]:
    """Nobody loses more than was fielded."""
    for side in _SIDES:
        keys = tuple(f"{side}.{what}" for what in ("dead", "retreated", "strayed") if f"{side}.{what}" in questions)
        if f"{side}.fielded" not in questions:
            continue
        lost, fielded = sum(_figure(answers, key) for key in keys), _figure(answers, f"{side}.fielded")
        if lost > fielded:
            place = f"player {side.upper()}"
            yield Doubt((f"{side}.fielded", *keys), f"{place}: {lost} points lost of {fielded} fielded cannot be", True)


def _figure(answers: Answers, key: str) -> int:
    value = answers.get(key, 0)
    return value if isinstance(value, int) else 0


def _lost(answers: Answers, side: Side) -> _Lost:
    return _Lost(*(_figure(answers, f"{side}.{what}") for what in ("fielded", "dead", "retreated", "strayed")))


def _side_of(answers: Answers, role: str, other: str) -> Side:
    """Who has this part; one answer is enough."""
    return "a" if answers.get("a.role") == role or answers.get("b.role") == other else "b"


def _within(a: int, b: int) -> Outcome | None:
    return "draw" if abs(a - b) <= TIE else None


def _skirmish(answers: Answers) -> Score:
    """S1: the own living points and the opponent's dead; within 10 is a tie."""
    a, b = _lost(answers, "a"), _lost(answers, "b")
    points = a.living + b.killed, b.living + a.killed
    return Score(*points, decided=_within(*points))


def _wild(answers: Answers) -> Score:
    """S4: the opponent's points killed; nobody retreats, so figures that leave count as killed."""
    a, b = _figure(answers, "b.dead"), _figure(answers, "a.dead")
    return Score(a, b, decided=_within(a, b))


def _convoy(answers: Answers) -> Score:
    """S2: one point for the winner: the convoy, if its APC left by the far edge."""
    convoy = _side_of(answers, CONVOY, RAIDERS)
    through = _figure(answers, f"{convoy}.apc") == 1
    return Score(1, 0) if (convoy == "a") == through else Score(0, 1)


def _treasure(answers: Answers) -> Score:
    """S3: chests, and one point for the side that killed more."""
    hunter = _side_of(answers, SCAVENGERS, RAIDERS)
    raider: Side = "b" if hunter == "a" else "a"
    opened = _figure(answers, f"{hunter}.chests")
    locked = CHESTS - opened - _figure(answers, f"{raider}.chests")
    points = {hunter: opened, raider: CHESTS - opened}
    if _figure(answers, f"{raider}.left"):
        points = {hunter: opened + locked, raider: CHESTS - opened - locked}
    killed = {"a": _figure(answers, "b.dead"), "b": _figure(answers, "a.dead")}
    for side in _SIDES:
        points[side] += killed[side] == max(killed.values()) > min(killed.values())
    return Score(points["a"], points["b"])


def _nothing(answers: Answers) -> Iterator[Doubt]:
    if not any(value for value in answers.values()):
        asked = "Nothing was fielded and nobody was hit in the whole game: is that right?"
        yield Doubt((), asked, False, at_the_end=True)


def _skirmish_odd(answers: Answers) -> Iterator[Doubt]:
    for side in _SIDES:
        if not _figure(answers, f"{side}.fielded"):
            yield Doubt((f"{side}.fielded",), f"player {side.upper()} fielded nothing: is that right?", False)


def _convoy_odd(answers: Answers) -> Iterator[Doubt]:
    raider: Side = "b" if _side_of(answers, CONVOY, RAIDERS) == "a" else "a"
    if _figure(answers, f"{raider}.apc"):
        yield Doubt((f"{raider}.apc",), f"player {raider.upper()} had no APC to bring over the edge", True)


def _treasure_odd(answers: Answers) -> Iterator[Doubt]:
    chests = [_figure(answers, f"{side}.chests") for side in _SIDES]
    if sum(chests) > CHESTS:
        yield Doubt(("a.chests", "b.chests"), f"{sum(chests)} chests opened, there are {CHESTS}", True)
    if _figure(answers, "a.left") and _figure(answers, "b.left"):
        yield Doubt(("a.left", "b.left"), "Both players cannot be the first to leave the table", True)
    for side in _SIDES:
        if _figure(answers, f"{side}.left") and sum(chests) >= CHESTS:
            yield Doubt((f"{side}.left",), "Every chest was open, so nobody left before that: is that right?", False)


_SCORES: Mapping[str, Callable[[Answers], Score]] = {
    "skirmish": _skirmish,
    "convoy": _convoy,
    "treasure-hunt": _treasure,
    "wild-america": _wild,
}
_CHECKS: Mapping[str, Callable[[Answers], Iterator[Doubt]]] = {
    "skirmish": _skirmish_odd,
    "convoy": _convoy_odd,
    "treasure-hunt": _treasure_odd,
    "wild-america": _nothing,
}


LOST = ("dead", "retreated", "strayed")


def tallies(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Tally, ...]:
    """The points fielded, and for every way to lose points the figures and vehicles that can be lost."""
    army = price(document, edition)
    asked = {question.key for question in scenario.questions}
    counts = _counts(army)
    tallied = [Tally(f"{side}.fielded", known=army.total), *(Tally(f"{side}.{what}", counts=counts) for what in LOST)]
    return tuple(tally for tally in tallied if tally.question in asked)


def _counts(army: Army) -> tuple[Count, ...]:
    figures = [
        Count(f"{squad.place}-{model.place}", f"Squad {squad.place + 1}: {model.label}", model.count, model.each)
        for squad in army.squads
        for model in squad.models
    ]
    vehicles = [Count(f"v{drive.place}", drive.name, 1, drive.points) for drive in army.vehicles]
    return (*figures, *vehicles)


_OWN_FORCES = ("convoy", "treasure-hunt")
"""Both sides bring what their set-up says, and not the army of the list alone."""


def bounds(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Bound, ...]:
    """The whole army is fielded, and no more of it is lost; nothing where the scenario sets forces of its own."""
    if scenario.id in _OWN_FORCES:
        return ()
    total, asked = price(document, edition).total, {question.key for question in scenario.questions}
    lost = tuple(key for what in LOST if (key := f"{side}.{what}") in asked)
    limits = (
        Bound((f"{side}.fielded",), total, "own points fielded", exact=True),
        Bound(lost, total, "own points lost"),
    )
    return tuple(bound for bound in limits if asked.issuperset(bound.questions) and bound.questions)
