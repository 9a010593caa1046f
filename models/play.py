"""Players, their forces, their games, and what was reported of them."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, Text, UniqueConstraint, false, text
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice, new_secret
from models.endings import Awarded, Ending


class PlayerState(StrEnum):
    """Where a player stands in an event."""

    WAITING = "waiting"
    REGISTERED = "registered"
    CHECKED_IN = "checked_in"
    DROPPED = "dropped"


class Player(SQLModel, table=True):
    """One person's entry in one event. There is no account: a signed private link is the key."""

    __table_args__ = (
        UniqueConstraint("event_id", "name_key"),
        CheckConstraint("fixed_table > 0", name="fixed_table_positive"),
        Index("ix_player_event_id_list_unlocked_until", "event_id", "list_unlocked_until"),
        # A removed player's id is never used again: the journal still names it, and SQLite would give it to the next.
        {"sqlite_autoincrement": True},
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    name: str = Field(max_length=80)
    name_key: str = Field(max_length=160)
    club: str = Field(default="", max_length=80)
    faction: str = Field(default="", max_length=80)
    state: PlayerState = Field(sa_type=choice(PlayerState, "state"))
    registered_at: datetime = Field(sa_type=UTCDateTime)
    link_generation: int = Field(default=1)
    """Part of the private link. Raising it ends every link given out before."""
    entered_round: int = Field(default=1)
    """The first round that the player can play."""
    dropped_after: int | None = None
    """The last round published before the player dropped."""
    painted: bool = False
    list_unlocked_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Since when this player alone may change the list although lists are locked."""
    list_unlocked_until: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """None: until it is locked again by hand."""
    list_points_set: int | None = None
    """The organiser's own figure for the list bonuses, in tournament points, instead of the calculated one."""
    partner: str = Field(default="", max_length=80, sa_column_kwargs={"server_default": text("''")})
    """The second name of a pair who share one side; ``name`` holds both, as everybody reads them."""
    team_id: int | None = Field(default=None, foreign_key="team.id", index=True)
    board: int | None = None
    """The place in the team's board order, from 1."""
    captain: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Chosen as the team's captain; without one it is the player at the first board."""
    seed_number: int | None = None
    """The place among the seeds of a knockout: by the standings at the cut, or as the organiser says. None: by lot."""
    asked_byes: list[int] | None = Field(default=None, sa_type=JSON)
    """The rounds that the player will miss and asked a bye for, in order. None: none."""
    ringer: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """A stand-in: plays only to make an odd field even, and is not ranked."""
    painting: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The organiser's own figures for painting and sportsmanship."""
    sportsmanship: int = Field(default=0, sa_column_kwargs={"server_default": "0"})

    fixed_table: int | None = None
    """The one table at which this player can play."""
    painting_by_hand: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """The organiser's figure stands before the marks of the event's check list or vote."""
    sportsmanship_by_hand: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """The same before the marks of the opponents."""
    paid_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the entry was marked as paid, for staff's eyes alone; None while it is not."""
    secret: str = Field(default_factory=new_secret, max_length=32, sa_column_kwargs={"server_default": text("''")})
    """What the private link is derived from: a later row with the same id has another one."""
    session_key: str = Field(default_factory=new_secret, max_length=32, sa_column_kwargs={"server_default": text("''")})
    """Part of each device's sign-in. A new one signs the player out everywhere; the private link stays valid."""
    list_waived_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Since when the organiser lets the player play without a list; None: a list is expected."""
    answers: dict[str, str] | None = Field(default=None, sa_type=JSON)
    """Answers to the event's questions by question id, for staff and the player. None: none."""


class ForceList(SQLModel, table=True):
    """A player's force for the event, as its file says it. Its cost and verdict are never stored."""

    __tablename__ = "force_list"

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", unique=True)
    document: dict[str, Any] = Field(sa_type=JSON)
    saved_at: datetime = Field(sa_type=UTCDateTime)
    submitted_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    approved_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """An organiser looked at the list as it stands; any change ends it."""
    sent_back_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    sent_back_note: str | None = Field(default=None, max_length=1000)
    """What the organiser asks for, or what new terms did; gone when the list is handed in again."""
    sent_back_by_terms: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """The note is the product's, not an organiser's: it goes as soon as the list is legal again."""
    submitted_before: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When a list was handed in that new terms made a draft; None once it has been changed since."""

    @property
    def submitted(self) -> bool:
        """The player submitted it as it is; otherwise it is a draft, which only the player and staff may read."""
        return self.submitted_at is not None


class ForceStep(SQLModel, table=True):
    """A document that a force held before one of its last changes; or, undone, one that was taken back."""

    __tablename__ = "force_step"

    id: int = Field(default=None, primary_key=True)
    force_list_id: int = Field(foreign_key="force_list.id", index=True)
    document: dict[str, Any] = Field(sa_type=JSON)
    undone: bool


class ListSeal(SQLModel, table=True):
    """A list as it was locked: the bytes that were hashed, and the published hash."""

    __tablename__ = "list_seal"

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    at: datetime = Field(sa_type=UTCDateTime)
    by: str = Field(max_length=120)
    """The lock, or who changed the list after it."""
    sha256: str = Field(max_length=64)
    text: str = Field(sa_type=Text)
    """Canonical JSON of the force and a salt: without the salt, a guessed force could be tried against the hash."""
    submitted: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether the list was handed in when it was sealed."""


class GameState(StrEnum):
    """What is known of a game's result. Confirmed: both sides agree, or the organiser decided."""

    OPEN = "open"
    REPORTED = "reported"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"


class Side(StrEnum):
    """One of a game's two players."""

    A = "a"
    B = "b"


class Absent(StrEnum):
    """Who did not come to a game."""

    A = "a"
    B = "b"
    BOTH = "both"


class Game(SQLModel, table=True):
    """One pairing of a round; a bye has no second player and no table."""

    __table_args__ = (
        UniqueConstraint("round_id", "table_number"),
        UniqueConstraint("round_id", "a_id"),
        UniqueConstraint("round_id", "b_id"),
        CheckConstraint("a_id <> b_id", name="two_players"),
        CheckConstraint("(b_id IS NULL) = (table_number IS NULL)", name="bye_has_no_table"),
        CheckConstraint("b_id IS NULL OR NOT asked", name="asked_is_bye"),
        CheckConstraint("b_id IS NOT NULL OR absent IS NULL", name="absent_from_game"),
        CheckConstraint("ending IS NULL OR (b_id IS NOT NULL AND absent IS NULL)", name="ending_of_game"),
        CheckConstraint("awarded IS NULL OR (ending IS NOT NULL AND ending = 'decided')", name="awarded_by_judge"),
    )

    id: int = Field(default=None, primary_key=True)
    round_id: int = Field(foreign_key="round.id", index=True)
    a_id: int = Field(foreign_key="player.id", index=True)
    b_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    table_number: int | None = None
    code: str = Field(max_length=12, unique=True)
    """Printed on the sheet; it opens the form."""
    notes: list[str] = Field(sa_type=JSON)
    """Why the pairing is an odd one, in words."""
    state: GameState = Field(default=GameState.OPEN, sa_type=choice(GameState, "state"))
    answers: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The answers that count, or wait for the other side; their worth is derived. None while open or disputed."""
    version: int = Field(default=0)
    """Rises with every report; a form that has not seen the newest is refused."""
    choosing_since: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the clock was started for choosing forces from the rosters."""
    match_id: int | None = Field(default=None, foreign_key="team_match.id", index=True)
    """The match of two teams that this game is a board of."""
    board: int | None = None
    goes_through: Side | None = Field(default=None, sa_type=choice(Side, "goes_through"))
    """Who goes through where a game of a knockout ended in a draw, by the organiser's word."""
    asked: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """A bye that the player asked for."""
    absent: Absent | None = Field(default=None, sa_type=choice(Absent, "absent"))
    """Who did not come, so that it was not played; the organiser enters it. Earlier reports are kept."""
    extra_seconds: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Time added on the clock for this table alone."""
    scenario: str | None = Field(default=None, max_length=40)
    """The scenario of this table alone. None: the round's."""
    ending: Ending | None = Field(default=None, sa_type=choice(Ending, "ending"))
    """How it ended, by the report that counts or waits. None: played out, or not known yet."""
    awarded: Awarded | None = Field(default=None, sa_type=choice(Awarded, "awarded"))
    """Who won by a judge's decision. None: the figures and the ending decide."""
    ending_reason: str = Field(default="", max_length=1000, sa_column_kwargs={"server_default": text("''")})
    """Why, in the judge's words, for both players to read."""
    a_first: bool | None = None
    """Whether player A has the first of the scenario's two roles, drawn with the round. None: it has no roles."""
    arranged: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The day of a game of a season, as ``events.play.season`` writes it. None: nothing was arranged."""


class FieldedForce(SQLModel, table=True):
    """What a player fields of the roster in one game, where the event is played with a sideboard."""

    __tablename__ = "fielded_force"
    __table_args__ = (UniqueConstraint("game_id", "player_id"),)

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    document: dict[str, Any] = Field(sa_type=JSON)
    """The chosen part as a force of its own: a later change of the roster does not reach it."""
    chosen_at: datetime = Field(sa_type=UTCDateTime)


class ReportSide(StrEnum):
    """Who a report came from."""

    A = "a"
    B = "b"
    ORGANISER = "organiser"


class Report(SQLModel, table=True):
    """One report of a game. Rows are only ever added; one that does not count any more is marked so."""

    __table_args__ = (
        CheckConstraint("awarded IS NULL OR (ending IS NOT NULL AND ending = 'decided')", name="awarded_by_judge"),
    )

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    side: ReportSide = Field(sa_type=choice(ReportSide, "side"))
    answers: dict[str, Any] = Field(sa_type=JSON)
    """Empty for a game that was not played."""
    by: str = Field(max_length=120)
    at: datetime = Field(sa_type=UTCDateTime)
    ending: Ending | None = Field(default=None, sa_type=choice(Ending, "ending"))
    """None: played out."""
    awarded: Awarded | None = Field(default=None, sa_type=choice(Awarded, "awarded"))
    ending_reason: str = Field(default="", max_length=1000, sa_column_kwargs={"server_default": text("''")})
    reason: str = Field(default="", max_length=500, sa_column_kwargs={"server_default": text("''")})
    """Why it was decided or corrected so, in words for both players."""
    from_paper: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Typed from the paper sheet."""
    account_id: int | None = None
    """Whose account typed it; None for a player's report. No key: an account can be gone."""
    withdrawn_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Since when it does not count: the desk opened the game again, or took its own word back."""
    by_sheet: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Sent with the code of the paper sheet: nobody knows who sent it, so it never agrees with another report."""
