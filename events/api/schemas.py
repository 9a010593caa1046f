"""What the interface sends: models whose fields are columns of tables, with their facts, and figures made of them."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model
from pydantic_core import PydanticCustomError
from sqlmodel import SQLModel

from events.tournament.clock import State
from models.announcement import Announcement
from models.event import Event, EventState, RoundKind, RoundState
from models.facts import ReadBy, facts_of
from models.play import Game, GameState, Player
from models.settings import EventFormat, SignUpBy


def _optional(schema: dict[str, Any]) -> None:
    """Require no field: ``fields=`` can leave out each."""
    schema.pop("required", None)


class Item(BaseModel):
    """The base of what a read sends."""

    model_config = ConfigDict(json_schema_extra=_optional, defer_build=True)


def public_columns(table: type[SQLModel]) -> tuple[str, ...]:
    """The columns of a table that everybody reads, by their facts."""
    facts = facts_of(table.__table__)  # type: ignore[attr-defined]
    return tuple(name for name, fact in facts.items() if fact.read_by == ReadBy.ALL)


def of_columns(table: type[SQLModel], names: Iterable[str]) -> Any:
    """Fields of these columns, for ``create_model``: the column's type, its label, and its help as description."""
    facts, fields = facts_of(table.__table__), {}  # type: ignore[attr-defined]
    for name in names:
        fact = facts[name]
        fields[name] = (table.model_fields[name].annotation, Field(title=fact.head or name, description=fact.help))
    return fields


EVENT_COLUMNS = (
    "slug", "name", "place", "contact", "bring", "description", "series", "convention", "starts_at", "timezone",
    "places", "fee", "pay_link", "system", "edition", "size", "rounds",
)  # fmt: skip
"""Of an event's settings, those that its page says to everybody."""
GAME_COLUMNS = ("table_number", "a_id", "b_id", "board")

_EventColumns: Any = create_model("EventColumns", __base__=Item, **of_columns(Event, EVENT_COLUMNS))
_PlayerColumns: Any = create_model("PlayerColumns", __base__=Item, **of_columns(Player, public_columns(Player)))
_GameColumns: Any = create_model("GameColumns", __base__=Item, **of_columns(Game, GAME_COLUMNS))

_AnnouncementColumns: Any = create_model("AnnouncementColumns", __base__=Item, **of_columns(Announcement, ("text",)))


class EventItem(_EventColumns):
    """An event, as its page shows it."""

    state: EventState
    format: EventFormat
    starts_on: date
    ends_on: date
    cancelled: bool
    registration: str = Field(description="“open”: players can sign up; “before”, “over”, or “closed” in play.")
    sign_up_by: SignUpBy
    needs_code: bool = Field(description="Whether players who sign up need a join code now.")
    lists_locked: bool
    lists_shown: bool = Field(description="Whether everybody can read the locked lists.")
    teams: bool = Field(description="Whether teams play; standings are then those of teams.")


class PlayerItem(_PlayerColumns):
    """A player, as the event’s page shows them."""

    id: int
    place: str = Field(description="“yes”, “waiting”, or “dropped”.")
    team: str | None


class Payment(Item):
    """A sum that a player paid, or was given back."""

    at: datetime
    amount: int | None
    how: str
    reference: Annotated[str, BeforeValidator(lambda reference: reference or "")]


class PaymentItem(Item):
    """What a player pays and has paid. Amounts are in minor units of the currency: 1200 is 12.00 EUR."""

    player_id: int
    name: str
    place: str = Field(description="“yes”, “waiting”, or “dropped”.")
    currency: str = Field(description="The code of ISO 4217; empty if the fee has no amount.")
    due: int | None = Field(description="What the player pays; null if the fee has no amount.")
    paid: bool = Field(description="Whether it is paid in full.")
    amount: int = Field(description="What the club has of the player: paid less given back.")
    due_back: int | None = Field(description="What is to be given back; null: a payment without an amount is.")
    payments: list[Payment] = Field(
        description="The oldest first. Amounts below 0 were given back; null: paid without one; 0: that given back."
    )


class ClockItem(Item):
    """The clock of a round. “ends” holds while it runs; otherwise “left” stands still, below 0 in overtime."""

    state: State
    started: datetime | None
    ends: datetime | None
    left: int | None = Field(description="Seconds; null while it runs.")
    minutes: int = Field(description="The length of the round, with the time given to all tables.")


class AnnouncementItem(_AnnouncementColumns):
    """An announcement of the organiser, as long as pages show it."""

    id: int
    at: datetime
    until: datetime | None = Field(description="Null: until it is withdrawn.")


class RoundItem(Item):
    """A round. Its games are public once it is published; before that only the plan is."""

    number: int
    kind: RoundKind
    state: RoundState
    complete: bool
    scenarios: list[str] = Field(description="The names of the scenarios that are announced.")
    planned: datetime | None = Field(description="When it is planned to start.")
    clock: ClockItem | None = Field(description="Null before it is published, and in a season.")


class ResultItem(Item):
    """A result, reported or confirmed."""

    vp_a: int | None
    vp_b: int | None
    winner: str | None = Field(description="“a”, “b” or “draw”, once it is confirmed; null if nobody played.")
    goes_through: str | None = Field(
        description="Whom the organiser let advance from a knockout game without a winner: “a”, “b” or “nobody”."
    )
    ending: str | None = Field(description="How the game ended early.")
    absent: str | None = Field(description="Who did not come: “a”, “b” or “both”.")


class GameItem(_GameColumns):
    """A game of a published round. A bye has no player B, table or result: it counts by the event’s rules."""

    id: int
    round: int
    scenario: str | None
    state: GameState
    for_third_place: bool = Field(description="Whether it is the game for third place of a knockout.")
    result: ResultItem | None
    no_opponent: str | None = Field(
        description="Why there is no player B: “bye”, “asked” (a bye asked for) or “walk_over” (a win); null for two."
    )


class QuestionItem(Item):
    """A question of the game’s scenario; its key is the key of the answer."""

    key: str
    label: str
    kind: str
    most: int | None = Field(description="The largest number; null where choices are given.")
    choices: list[str]


class GameDetail(GameItem):
    """A game, and the questions that a report of it answers."""

    version: int = Field(description="Counts its reports: a report or a confirmation sends the version that it saw.")
    questions: list[QuestionItem]


class StandingItem(Item):
    """A row of the standings, after a complete round."""

    rank: int | None = Field(description="Shared where every figure is equal; null for a disqualified player.")
    id: str = Field(description="The player’s id; in a team event “t” and the team’s id.")
    name: str
    played: int
    wins: int
    draws: int
    losses: int
    points: int | None = Field(description="Null on a ladder, and in a knockout from the start, which has only places.")
    tie_breaks: dict[str, str] = Field(description="The figures by their names, in their order.")
    dropped: bool
    disqualified: bool
    corrected: bool = Field(description="Whether the results have changed since the awards were published.")


class RuleItem(Item):
    """A broken rule of a force."""

    rule: str
    message: str


class ListItem(Item):
    """A locked list that everybody can read."""

    player_id: int
    faction: str
    total: int = Field(description="Its cost in the system’s unit.")
    legal: bool
    broken: list[RuleItem]
    force: dict[str, Any] = Field(description="The force in the form of its file.")


class AwardItem(Item):
    """An award, once the awards are published."""

    name: str
    winners: list[int] = Field(description="The ids of the winners.")
    figure: str
    corrected: bool = Field(description="Whether the results have changed since the awards were published.")


class RatingItem(Item):
    """A person of the club’s ranking, who chose to be in it."""

    rank: int | None = Field(description="Shared where ratings are equal; null while the rating is provisional.")
    name: str
    rating: int
    low: int = Field(description="The lower end of the rating’s 95 % interval.")
    high: int = Field(description="The upper end of the rating’s 95 % interval.")
    games: int
    person: int | None = Field(description="The number of the page that the person shows, /people/N.")


class SeriesEventItem(Item):
    """An event that a player of a points table was ranked in."""

    name: str
    day: date
    slug: str
    points: int
    counts: bool


class SeriesItem(Item):
    """A line of the points table of a series."""

    rank: int
    name: str
    points: int
    events: list[SeriesEventItem]


class Wrong(BaseModel):
    """A field that is wrong."""

    field: str
    message: str


class BrokenRule(BaseModel):
    """A rule that a force breaks."""

    rule: str
    message: str


class Problem(BaseModel):
    """Why a request was not carried out (RFC 9457). Nothing was changed."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[Wrong] = Field(default=[], description="The fields that are wrong.")
    rules: list[BrokenRule] = Field(default=[], description="The rules that a force breaks.")


def page_model(item: type[BaseModel]) -> Any:
    fields: dict[str, Any] = {
        "items": (list[item], ...),  # type: ignore[valid-type]
        "next": (str | None, Field(description="The cursor of the next page; null on the last one.")),
    }
    return create_model(f"{item.__name__.removesuffix('Item')}Page", __doc__=f"A page. {item.__doc__}", **fields)


def _plain(typed: object) -> object:
    if isinstance(typed, str) and not (typed.isascii() and typed.isdecimal() and len(typed) <= 10):
        raise PydanticCustomError("digits", "Send a whole number, in at most ten of the digits 0 to 9.")
    return typed


Number = Annotated[int, BeforeValidator(_plain)]
"""An argument of an address."""
Limit = Annotated[Number, Field(ge=1, le=1000)]
