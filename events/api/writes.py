"""What writes take and answer; fields of tables have their columns' facts."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, Strict, ValidationInfo, create_model

from events.api.described import Sent
from events.api.schemas import PaymentItem, PlayerItem
from events.store.errors import Refused
from events.store.players import DETAILS
from events.tournament.endings import Awarded, Ending
from events.web.parsing import LONGEST_REASON, tidy, unfit
from models.facts import facts_of
from models.play import LONGEST_REFERENCE, LONGEST_WAY, GameState, Player
from validators.contract import LineRead, ListQuestion
from validators.scenario import Question

MOST_VERSION = 2**31 - 1


def _clean(text: str, where: ValidationInfo) -> str:
    """A line of text as forms clean it. Raises Refused for characters that they refuse."""
    text = tidy(text)
    if fault := unfit(text):
        raise Refused(fault, where.field_name or "")
    return text


def _whole(value: object) -> object:
    """A number such as 3.0 as 3: in JSON they are equal."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(_whole)]
Version = Annotated[int, Field(ge=0, le=MOST_VERSION), BeforeValidator(_whole)]
Amount = Annotated[int, BeforeValidator(_whole)]
Line = Annotated[str, AfterValidator(_clean)]


def _asked(names: tuple[str, ...]) -> dict[str, Any]:
    """Fields of these columns of a player that may be left out."""
    facts = facts_of(Player.__table__)  # type: ignore[attr-defined]
    return {
        name: (
            Line,
            Field("", title=facts[name].head, description=facts[name].help, max_length=_longest(name)),
        )
        for name in names
    }


def _longest(name: str) -> int:
    length: int = Player.__table__.columns[name].type.length  # type: ignore[attr-defined]
    return length


_PlayerFields: Any = create_model("PlayerFields", __base__=Sent, **_asked(tuple(DETAILS)))


class NewPlayer(_PlayerFields):
    """A player to register. In a running event they play from the next undrawn round."""

    name: Line = Field(min_length=1, max_length=_longest("name"))
    faction: Line = Field("", max_length=_longest("faction"))
    partner: Line = Field("", max_length=_longest("partner"), description="In doubles: the second name of the pair.")
    team: Line = Field("", max_length=80, description="In a team event: the name of the team; a new one is made.")
    here: bool = Field(False, description="Whether they are at the desk, and are checked in at once.")


class Leaving(Sent):
    """How a player leaves."""

    at_once: bool = Field(False, description="Whether open games are lost; otherwise the player still plays them.")


class NewPayment(Sent):
    """A payment of a player, beside earlier ones. One with a known reference of the same player changes nothing."""

    amount: Amount | None = Field(
        None, description="In minor units: 1200 is 12.00 EUR. Needed if the fee has an amount, but not at check-in."
    )
    currency: Line = Field("", max_length=3, description="If it is sent, it must be the event’s.")
    how: Line = Field("online", min_length=1, max_length=LONGEST_WAY)
    reference: Line = Field("", max_length=LONGEST_REFERENCE, description="The payment’s at its provider.")


class GivenBack(Sent):
    """What was given back."""

    amount: Amount | None = Field(None, description="In minor units; by default what is due back.")


class NewList(Sent):
    """A player’s list."""

    force: dict[str, Any] | str = Field(description="The force in the form of its file, or as a text.")
    answers: dict[str, Annotated[str, Field(max_length=1000)]] = Field(
        {},
        description="Of a text: for the number of a line or the key of a question in an earlier answer, the key of a "
        "choice. Those to questions that are no longer asked are ignored.",
        max_length=500,
    )
    submit: bool = Field(
        False,
        description="Whether to submit it, which needs a legal force; otherwise it is a draft. Only another submitted "
        "list replaces a submitted one.",
    )


class NewDraw(Sent):
    """A draw, from a random draw number. A round that is drawn is drawn anew."""

    seed: Whole | None = Field(None, deprecated=True, description="Without effect: nobody chooses the draw number.")


class Publication(Sent):
    """Publishing a drawn round."""

    sure: bool = Field(False, description="Whether to publish although the field changed after the draw.")


class NewReport(Sent):
    """A result. By a token it decides the game; on a confirmed game it is a correction, and needs a reason."""

    answers: dict[str, Whole | str] = Field({}, max_length=200, description="By the keys of the game’s questions.")
    version: Version = Field(0, description="The game’s version: 0 before its first report.")
    sure: bool = Field(False, description="Whether unusual answers are right.")
    ending: Annotated[Ending | None, Strict(False)] = Field(None, description="How it ended early; null: played out.")
    awarded: Annotated[Awarded | None, Strict(False)] = Field(None, description="Who wins a game that a judge decides.")
    reason: Line = Field("", max_length=LONGEST_REASON, description="Both players read it.")


class Confirmation(Sent):
    """Agreement to the report that waits."""

    version: Version = Field(description="The game’s version, as read or from the answer to the report.")
    report_of: Literal["a", "b", "sheet"] | None = Field(None, description="Whose report; by default the waiting one.")
    reason: Line = Field("", max_length=LONGEST_REASON, description="Needed for a disputed game.")


class Done(BaseModel):
    """What was done, in a sentence."""

    said: str


class StoredList(Done):
    """A list as it was read."""

    faction: str
    total: int
    questions: list[str] = Field(
        description="What was read otherwise than written, or not at all, and what the rules leave to the organiser."
    )
    lines: list[LineRead] = Field(
        description="A text line by line: what was written, and what was read. Send the list again with “answers” to "
        "those to check; what is not answered is asked of the organiser."
    )
    asked: list[ListQuestion] = Field(description="What is asked once for several lines of a text.")


class Registered(Done):
    """The player who was registered, as everybody reads them; null if they were removed since."""

    player: PlayerItem | None


class Recorded(Done):
    """What the player has paid now; null for a token of the area Check-in."""

    payment: PaymentItem | None


class Reported(Done):
    """The state of the game after a report."""

    state: GameState
    version: int


def answers_to(questions: tuple[Question, ...], given: dict[str, int | str]) -> dict[str, int | str]:
    """The answers, of the kinds that the questions take. Raises Refused with the wrong ones."""
    by_key, wrong = {question.key: question for question in questions}, []
    for key, answer in given.items():
        question = by_key.get(key)
        if question is None:
            wrong.append((f"answers.{key}", "The game has no such question."))
        elif question.kind == "choice":
            if answer not in question.choices:
                wrong.append((f"answers.{key}", f"Choose one of: {', '.join(question.choices)}."))
        elif not isinstance(answer, int) or not 0 <= answer <= MOST_VERSION:
            wrong.append((f"answers.{key}", "Give a whole number from 0."))
    if wrong:
        raise Refused("Some answers are wrong.", also=tuple(wrong))
    return given
