"""The fields of a Battle Mode scenario file and their bounds."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from validators.scenario import OPEN_END, Side
from validators.scenario_file import (
    LARGEST_TABLE,
    LONGEST_ID,
    SMALLEST_TABLE,
    Said,
    ScenarioPart,
    Steps,
    Text,
)

MOST_MARKERS, MOST_GAME_ROUNDS, MOST_OBJECTIVES, MOST_CHOICES = 24, 12, 8, 3

Word = Annotated[Text, Field(min_length=1, max_length=24)]
Figure = Annotated[int, Field(ge=1, le=OPEN_END)]
Inches = Annotated[float, Field(ge=0, le=LARGEST_TABLE, allow_inf_nan=False)]


class LimitPart(ScenarioPart):
    """VP of one game round that may not be passed without a word; ``why`` is told with it."""

    above: Annotated[int, Field(ge=1, le=2 * OPEN_END)]
    why: Annotated[Text, Field(max_length=160)] = ""


class LimitsPart(ScenarioPart):
    """What binds a game round's figures beyond ``most``."""

    together_refused: LimitPart | None = None
    together_asked: LimitPart | None = None
    one_asked: LimitPart | None = None
    held_by_one: Annotated[Text, Field(max_length=40)] = ""


class ObjectivesPart(ScenarioPart):
    """The objective markers of each player."""

    each: Annotated[int, Field(ge=0, le=MOST_OBJECTIVES)] = 0
    most_of_a_kind: Annotated[int, Field(ge=1, le=MOST_OBJECTIVES)] = 1
    kinds: Annotated[list[Word], Field(max_length=MOST_OBJECTIVES)] = Field(default=[])


class MarkerPart(ScenarioPart):
    """A marker: inches from the left end of player A's edge, and from that edge."""

    x: Inches
    y: Inches
    label: Word
    owner: Side | None = None


class ScenarioFile(ScenarioPart):
    """A scenario as its file holds it."""

    model_config = ConfigDict(title="Battle Mode scenario")

    system: Literal["battle_mode"]
    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=LONGEST_ID)]
    name: Annotated[Text, Field(min_length=1, max_length=60)]
    summary: Annotated[Text, Field(max_length=300)] = ""
    setup: Said
    scoring: Said
    game_rounds: Annotated[int, Field(ge=1, le=MOST_GAME_ROUNDS)]
    scoring_from: Annotated[int, Field(ge=1, le=MOST_GAME_ROUNDS)] = 1
    most: Figure
    hint: Annotated[Text, Field(max_length=120)] = ""
    note: Annotated[Text, Field(max_length=120)] = ""
    limits: LimitsPart = LimitsPart()
    choices: Annotated[list[Word], Field(max_length=MOST_CHOICES)] = Field(default=[])
    objectives: ObjectivesPart = ObjectivesPart()
    table_inches: Annotated[int, Field(ge=SMALLEST_TABLE, le=LARGEST_TABLE)]
    deployment_inches: Annotated[int, Field(ge=0, le=LARGEST_TABLE)]
    markers: Annotated[list[MarkerPart], Field(max_length=MOST_MARKERS)] = Field(default=[])
    readings: Steps = Field(default=[])
    queries: Steps = Field(default=[])
    source: Annotated[Text, Field(max_length=200)] = ""
