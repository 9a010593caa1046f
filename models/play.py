"""Players, their forces, games and reports."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, Text, UniqueConstraint, false, text
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice, new_secret
from models.endings import Awarded, Ending


class PlayerState(StrEnum):
    """The state of a player in an event."""

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
        # The journal still has a removed player's id; without this, SQLite would use the id again.
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
    """Part of the private link. Raising it invalidates all earlier links."""
    entered_round: int = Field(default=1)
    """The first round that the player can play."""
    dropped_after: int | None = None
    """The last round published before the player dropped."""
    painted: bool = False
    list_unlocked_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Since when this player may change the list although lists are locked."""
    list_unlocked_until: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """None: until staff lock it again."""
    list_points_set: int | None = None
    """The organiser's figure for the list bonuses, in tournament points; it replaces the calculated one."""
    partner: str = Field(default="", max_length=80, sa_column_kwargs={"server_default": text("''")})
    """The second name of a pair who share one side; ``name`` has both."""
    team_id: int | None = Field(default=None, foreign_key="team.id", index=True)
    board: int | None = None
    """The place in the team's board order, from 1."""
    captain: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether this player is the team's captain. Without one, the first board's player is."""
    seed_number: int | None = None
    """The seed in a knockout: the rank at the cut, or set by the organiser. None: by lot."""
    asked_byes: list[int] | None = Field(default=None, sa_type=JSON)
    """The rounds for which the player asked for a bye, in order. None: none."""
    ringer: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether this is a stand-in, who plays only to make an odd field even and is not ranked."""
    painting: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The organiser's figures for painting and sportsmanship."""
    sportsmanship: int = Field(default=0, sa_column_kwargs={"server_default": "0"})

    fixed_table: int | None = None
    """The table at which this player always sits."""
    painting_by_hand: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether the organiser's figure replaces the check list's or the vote's."""
    sportsmanship_by_hand: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether the organiser's figure replaces the opponents' marks."""
    paid_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the entry was marked as paid; only staff see it. None: not paid."""
    secret: str = Field(default_factory=new_secret, max_length=32, sa_column_kwargs={"server_default": text("''")})
    """The private link is derived from it, so that a later row with the same id has another link."""
    session_key: str = Field(default_factory=new_secret, max_length=32, sa_column_kwargs={"server_default": text("''")})
    """Part of each device's sign-in. A new one signs the player out everywhere; the private link stays valid."""
    list_waived_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the organiser let the player play without a list; None: a list is expected."""
    answers: dict[str, str] | None = Field(default=None, sa_type=JSON)
    """Answers to the event's questions, by question id. Staff and the player see them. None: none."""


class ForceList(SQLModel, table=True):
    """A player's force for the event, as a document. Its cost and verdict are calculated, never stored."""

    __tablename__ = "force_list"

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", unique=True)
    document: dict[str, Any] = Field(sa_type=JSON)
    saved_at: datetime = Field(sa_type=UTCDateTime)
    submitted_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    approved_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Whether an organiser has approved the list; any change to it clears this."""
    sent_back_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    sent_back_note: str | None = Field(default=None, max_length=1000)
    """The organiser's request, or the effect of changed settings; cleared when the list is submitted again."""
    sent_back_by_terms: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether the service wrote the note; such a note is cleared as soon as the list is legal again."""
    submitted_before: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the list was submitted, if changed settings made it a draft; None after its next change."""

    @property
    def submitted(self) -> bool:
        """Whether the player submitted it; otherwise it is a draft, which only the player and staff may read."""
        return self.submitted_at is not None


class ForceStep(SQLModel, table=True):
    """A force's document before one of its last changes, or after an undone one."""

    __tablename__ = "force_step"

    id: int = Field(default=None, primary_key=True)
    force_list_id: int = Field(foreign_key="force_list.id", index=True)
    document: dict[str, Any] = Field(sa_type=JSON)
    undone: bool


class ListSeal(SQLModel, table=True):
    """A locked list: the hashed text and the published hash."""

    __tablename__ = "list_seal"

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    at: datetime = Field(sa_type=UTCDateTime)
    by: str = Field(max_length=120)
    """Why it was sealed: the lock, or a later change and who made it."""
    sha256: str = Field(max_length=64)
    text: str = Field(sa_type=Text)
    """Canonical JSON of the force and a salt. The salt stops anyone from testing guesses against the hash."""
    submitted: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether the list was submitted when it was sealed."""


class GameState(StrEnum):
    """The state of a game's result. Confirmed: both players agree, or the organiser decided."""

    OPEN = "open"
    REPORTED = "reported"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"


class Side(StrEnum):
    """One of a game's two players."""

    A = "a"
    B = "b"


class Absent(StrEnum):
    """The no-shows of a game."""

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
    """The code on the printed sheet, which opens the game's form."""
    notes: list[str] = Field(sa_type=JSON)
    """The reasons for an unusual pairing."""
    state: GameState = Field(default=GameState.OPEN, sa_type=choice(GameState, "state"))
    answers: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The answers that count or wait for confirmation; the score is calculated. None while open or disputed."""
    version: int = Field(default=0)
    """Rises with every report; a form based on an older one is rejected."""
    choosing_since: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the time for choosing forces from the rosters began."""
    match_id: int | None = Field(default=None, foreign_key="team_match.id", index=True)
    """The team match that this game belongs to."""
    board: int | None = None
    goes_through: Side | None = Field(default=None, sa_type=choice(Side, "goes_through"))
    """Who advances after a drawn knockout game, by the organiser's decision."""
    asked: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether it is a bye that the player asked for."""
    absent: Absent | None = Field(default=None, sa_type=choice(Absent, "absent"))
    """Who did not come, entered by the organiser. Earlier reports are kept."""
    extra_seconds: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Time added for this table only."""
    scenario: str | None = Field(default=None, max_length=40)
    """This table's own scenario. None: the round's."""
    ending: Ending | None = Field(default=None, sa_type=choice(Ending, "ending"))
    """How it ended early, by the current report. None: it did not, or not known yet."""
    awarded: Awarded | None = Field(default=None, sa_type=choice(Awarded, "awarded"))
    """The winner by a judge's decision. None: the score and the ending decide."""
    ending_reason: str = Field(default="", max_length=1000, sa_column_kwargs={"server_default": text("''")})
    """The judge's reason, for both players."""
    a_first: bool | None = None
    """Whether player A has the first of the scenario's two roles, drawn with the round. None: no roles."""
    arranged: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The agreed day of a season's game, in the form of ``events.tournament.season``. None: not agreed."""


class FieldedForce(SQLModel, table=True):
    """The force a player fields from the roster in one game of an event with a sideboard."""

    __tablename__ = "fielded_force"
    __table_args__ = (UniqueConstraint("game_id", "player_id"),)

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    document: dict[str, Any] = Field(sa_type=JSON)
    """The force as a document: later changes of the roster do not affect it."""
    chosen_at: datetime = Field(sa_type=UTCDateTime)


class ReportSide(StrEnum):
    """Who a report came from."""

    A = "a"
    B = "b"
    ORGANISER = "organiser"


class Report(SQLModel, table=True):
    """One report of a game. Rows are only added; one that no longer counts is marked."""

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
    """The reason for a decision or correction, for both players."""
    from_paper: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether it was entered from a paper sheet."""
    account_id: int | None = None
    """The account that entered it; None for a player's report. Not a foreign key: accounts can be deleted."""
    withdrawn_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When it stopped counting: staff reopened the game or cancelled their decision."""
    by_sheet: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether it was sent with the sheet's code. The sender is unknown, so it never confirms another report."""
