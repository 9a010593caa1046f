"""Players, their forces, games and reports."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Optional

from sqlalchemy import JSON, CheckConstraint, Index, Text, UniqueConstraint, false, text
from sqlmodel import Field

from events.tournament.endings import Awarded, Ending
from languages.words import N_
from models.base import UTCDateTime, choice, new_secret
from models.facts import (
    CODE,
    LINE,
    NAME,
    OF_SERVER,
    RESTORED,
    STAYS,
    UNSAID,
    Fact,
    OfEvent,
    Opens,
    ReadBy,
    blank,
    column,
)
from models.parts import parts
from models.people import ANEW


class PlayerState(StrEnum):
    """The state of a player in an event."""

    WAITING = "waiting"
    REGISTERED = "registered"
    CHECKED_IN = "checked_in"
    DROPPED = "dropped"


class Player(OfEvent, table=True):
    """One person's entry in one event. There is no account: a signed private link is the key."""

    __table_args__ = (
        UniqueConstraint("event_id", "name_key"),
        CheckConstraint("fixed_table > 0", name="fixed_table_positive"),
        Index("ix_player_event_id_list_unlocked_until", "event_id", "list_unlocked_until"),
    )

    id: int = Field(default=None, primary_key=True)
    force_list: Optional["ForceList"] = parts("ForceList", uselist=False)
    seals: list["ListSeal"] = parts("ListSeal")
    """The sealed lists, oldest first."""
    payments: list["Payment"] = parts("Payment")
    """What the player paid and was given back, oldest first. Only staff and the player see any of it."""
    event_id: int = column(Fact("", RESTORED), default=None, foreign_key="event.id", index=True)
    name: str = column(Fact(N_("name"), STAYS, NAME, ReadBy.ALL), max_length=80)
    name_key: str = column(Fact("", STAYS, CODE, goes="player"), max_length=160)
    club: str = column(
        Fact(
            N_("club"), STAYS, LINE, ReadBy.ALL, asked=True,
            help=N_("Swiss draws keep club-mates apart in round 1 if they can."),
        ),
        default="", max_length=80,
    )  # fmt: skip
    faction: str = column(Fact(N_("faction"), STAYS, LINE, ReadBy.ALL, goes="nothing"), default="", max_length=80)
    state: PlayerState = column(Fact(N_("state"), RESTORED), sa_type=choice(PlayerState, "state"))
    registered_at: datetime = column(Fact("", STAYS), sa_type=UTCDateTime)
    held: bool = column(Fact(N_("held"), RESTORED), default=False, server_default=false())
    """Whether the sign-up came beyond a limit, and staff have not let it in yet."""
    signed_up_from: str = blank(Fact("", journal=False, archived=False, goes="player"), 64)
    """A keyed digest of the network address of the player's own sign-up, for a while; "": none or cleared."""
    team_id: int | None = column(Fact(N_("team"), RESTORED), default=None, foreign_key="team.id", index=True)
    board: int | None = column(Fact(N_("board"), RESTORED), default=None)
    """The place in the team's board order, from 1."""
    captain: bool = column(Fact(N_("captain"), RESTORED), default=False, server_default=false())
    """Whether this player is the team's captain. Without one, the first board's player is."""
    entered_round: int = column(Fact(N_("entered round"), RESTORED), default=1)
    """The first round that the player can play."""
    dropped_after: int | None = column(Fact(N_("dropped after"), RESTORED), default=None)
    """The last round published before the player dropped."""
    no_show_kept: int | None = column(Fact(N_("kept after a no-show in round"), RESTORED), default=None)
    """The round of the newest no-show after which staff kept the player in the event. None: not asked yet."""
    painted: bool = column(Fact(N_("painted"), RESTORED), default=False)
    painting: int = column(Fact(N_("painting"), RESTORED), default=0, server_default="0")
    """The organiser's figures for painting and sportsmanship."""
    sportsmanship: int = column(Fact(N_("sportsmanship"), RESTORED), default=0, server_default="0")
    list_points_set: int | None = column(Fact(N_("list points set"), RESTORED), default=None)
    """The organiser's figure for the list bonuses, in tournament points; it replaces the calculated one."""
    seed_number: int | None = column(Fact(N_("seed number"), RESTORED), default=None)
    """The seed in a knockout: the rank at the cut, or set by the organiser. None: by lot."""
    asked_byes: list[int] | None = column(Fact(N_("asked byes"), RESTORED, goes="nothing"), default=None, sa_type=JSON)
    """The rounds for which the player asked for a bye, in order. None: none."""
    ringer: bool = column(Fact(N_("ringer"), RESTORED), default=False, server_default=false())
    """Whether this is a stand-in, who plays only to make an odd field even and is not ranked."""
    fixed_table: int | None = column(Fact(N_("fixed table"), RESTORED), default=None)
    """The table at which this player always sits."""
    partner: str = blank(Fact(N_("partner"), STAYS, LINE), 80)
    """The second name of a pair who share one side; ``name`` has both."""
    list_unlocked_at: datetime | None = column(Fact(N_("list unlocked"), STAYS), default=None, sa_type=UTCDateTime)
    """Since when this player may change the list although lists are locked."""
    list_unlocked_until: datetime | None = column(
        Fact(N_("list unlocked until"), STAYS), default=None, sa_type=UTCDateTime
    )
    """None: until staff lock it again."""
    list_waived_at: datetime | None = column(
        Fact(N_("list waived"), STAYS, read_by=ReadBy.LISTS), default=None, sa_type=UTCDateTime
    )
    """When the organiser let the player play without a list; None: a list is expected."""
    painting_by_hand: bool = column(Fact("", RESTORED), default=False, server_default=false())
    """Whether the organiser's figure replaces the vote's."""
    sportsmanship_by_hand: bool = column(Fact("", RESTORED), default=False, server_default=false())
    """Whether the organiser's figure replaces the opponents' marks."""
    fee_set: int | None = column(Fact(N_("to pay"), STAYS, read_by=ReadBy.PAYMENTS), default=None)
    """What this player pays instead of the event's fee, in minor units of its currency. None: the event's fee."""
    secret: str = column(OF_SERVER, default_factory=new_secret, max_length=32, server_default=text("''"))
    """The private link is derived from it, so that a later row with the same id has another link."""
    session_key: str = column(
        OF_SERVER, opens=ANEW, default_factory=new_secret, max_length=32, server_default=text("''")
    )
    """Part of each device's sign-in. A new one signs the player out everywhere; the private link stays valid."""
    link_generation: int = column(
        Fact(N_("private link, how often renewed"), STAYS, archived=False),
        opens=Opens(same=("id", "event_id", "name_key")),
        default=1,
    )
    """Part of the private link. Raising it invalidates all earlier links."""
    language: str = blank(Fact("", text=CODE, journal=False, goes="nothing"), 8)
    """The language of the player's mails and notices. Empty: the event's."""
    answers: dict[str, str] | None = column(Fact("", journal=False, goes="player"), default=None, sa_type=JSON)
    """Answers to the event's questions, by question id. Staff and the player see them. None: none.

    They are deleted with the player; the journal is not, so it does not have them.
    """


LONGEST_WAY, LONGEST_REFERENCE = 40, 120


class Payment(OfEvent, table=True):
    """A sum that a player paid, or was given back. It is added or removed, never changed."""

    __table_args__ = (
        Index(
            "uq_payment_event_id_reference", "event_id", "reference", unique=True,
            sqlite_where=text("amount IS NULL OR amount > 0"), postgresql_where=text("amount IS NULL OR amount > 0"),
        ),
        CheckConstraint("reference <> ''", name="reference_given"),
    )  # fmt: skip

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", index=True)
    player_id: int = column(UNSAID, foreign_key="player.id", index=True)
    at: datetime = column(UNSAID, sa_type=UTCDateTime)
    amount: int | None = column(Fact(N_("paid")), default=None)
    """In minor units; below 0: given back. None: paid, as the fee had only words; 0: that was given back."""
    how: str = blank(UNSAID, LONGEST_WAY)
    reference: str | None = column(UNSAID, default=None, max_length=LONGEST_REFERENCE)
    """The payment's name at the provider or in the club's books. What is given back may have that of its payment."""

    @property
    def is_back(self) -> bool:
        return self.amount is not None and self.amount <= 0


class ForceList(OfEvent, table=True):
    """A player's force for the event. Cost and verdict are calculated; a locked list keeps its verdict."""

    __tablename__ = "force_list"

    id: int = Field(default=None, primary_key=True)
    steps: list["ForceStep"] = parts("ForceStep")
    """The documents before and after it in the builder, oldest first."""
    player_id: int = column(UNSAID, default=None, foreign_key="player.id", unique=True)
    submitted_at: datetime | None = column(Fact(N_("submitted")), default=None, sa_type=UTCDateTime)
    saved_at: datetime = column(UNSAID, sa_type=UTCDateTime)
    approved_at: datetime | None = column(Fact(N_("approved")), default=None, sa_type=UTCDateTime)
    """Whether an organiser has approved the list; any change to it clears this."""
    sent_back_at: datetime | None = column(Fact(N_("sent back")), default=None, sa_type=UTCDateTime)
    sent_back_note: str | None = column(Fact(N_("note")), default=None, max_length=1000)
    """The organiser's request, or the effect of changed settings; cleared when the list is submitted again."""
    document: dict[str, Any] = column(Fact(N_("force")), sa_type=JSON)
    sent_back_by_terms: bool = column(UNSAID, default=False, server_default=false())
    """Whether the service wrote the note; such a note is cleared as soon as the list is legal again."""
    submitted_before: datetime | None = column(UNSAID, default=None, sa_type=UTCDateTime)
    """When the list was submitted, if changed settings made it a draft; None after its next change."""
    submitted_edition: str | None = column(Fact("", goes="nothing"), default=None, max_length=40)
    """Its edition when it was submitted, if the event has changed it since; None after its next change."""
    kept_queries: str | None = column(UNSAID, default=None, max_length=400)
    """The rules that were asked about when the list was locked as a legal one, with commas; "-": judged by today's."""
    share_token: str | None = column(
        OF_SERVER, opens=Opens(anew=lambda: None), default=None, max_length=32, unique=True, index=True
    )
    """The end of the address under which everybody may read the list; None: the player shares it with nobody."""

    @property
    def submitted(self) -> bool:
        """Whether the player submitted it; otherwise it is a draft, which only the player and staff may read."""
        return self.submitted_at is not None


class ForceStep(OfEvent, table=True):
    """A force's document before one of its last changes, or after an undone one."""

    __tablename__ = "force_step"

    id: int = Field(default=None, primary_key=True)
    force_list_id: int = column(UNSAID, default=None, foreign_key="force_list.id", index=True)
    document: dict[str, Any] = column(UNSAID, sa_type=JSON)
    undone: bool = column(UNSAID)


class ListSeal(OfEvent, table=True):
    """A locked list: the hashed text and the published hash."""

    __tablename__ = "list_seal"

    id: int = Field(default=None, primary_key=True)
    player_id: int = column(UNSAID, default=None, foreign_key="player.id", index=True)
    at: datetime = column(UNSAID, sa_type=UTCDateTime)
    by: str = column(UNSAID, max_length=120)
    """Why it was sealed: the lock, or a later change and who made it."""
    sha256: str = column(Fact(N_("hash"), goes="nothing"), max_length=64)
    text: str = column(UNSAID, sa_type=Text)
    """Canonical JSON of the force and a salt. The salt stops anyone from testing guesses against the hash."""
    submitted: bool = column(Fact(N_("submitted")), default=False, server_default=false())
    """Whether the list was submitted when it was sealed."""


class GameState(StrEnum):
    """The state of a game's result. Confirmed: both players agree, or the organiser decided."""

    OPEN = "open"
    REPORTED = "reported"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"


class Through(StrEnum):
    """Who advances after a drawn knockout game: one of its two players, or nobody if nobody played it."""

    A = "a"
    B = "b"
    NOBODY = "nobody"


class Absent(StrEnum):
    """The no-shows of a game."""

    A = "a"
    B = "b"
    BOTH = "both"


class Game(OfEvent, table=True):
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
    round_id: int = column(UNSAID, default=None, foreign_key="round.id", index=True)
    table_number: int | None = column(Fact(N_("table number")), default=None)
    a_id: int = column(Fact(N_("A")), foreign_key="player.id", index=True)
    b_id: int | None = column(Fact(N_("B")), default=None, foreign_key="player.id", index=True)
    code: str = column(Fact("", read_by=ReadBy.NOBODY, goes="nothing"), max_length=12, unique=True)
    """The code on the printed sheet, which opens the game's form."""
    notes: list[dict[str, Any]] = column(Fact("", read_by=ReadBy.PAIRING), sa_type=JSON)
    """The reasons for an unusual pairing, each with its kind and its figures."""
    state: GameState = column(Fact(N_("state")), default=GameState.OPEN, sa_type=choice(GameState, "state"))
    answers: dict[str, Any] | None = column(Fact(N_("result"), goes="nothing"), default=None, sa_type=JSON)
    """The answers that count or wait for confirmation; the score is calculated. None while open or disputed."""
    version: int = column(Fact("", STAYS), default=0)
    """Rises with every report; a form based on an older one is rejected."""
    choosing_since: datetime | None = column(UNSAID, default=None, sa_type=UTCDateTime)
    """When the time for choosing forces from the rosters began."""
    match_id: int | None = column(UNSAID, default=None, foreign_key="team_match.id", index=True)
    """The team match that this game belongs to."""
    ending: Ending | None = column(Fact(N_("ending")), default=None, sa_type=choice(Ending, "ending"))
    """How it ended early, by the current report. None: it did not, or not known yet."""
    absent: Absent | None = column(Fact(N_("did not come")), default=None, sa_type=choice(Absent, "absent"))
    """Who did not come, entered by the organiser, or who left. Earlier reports are kept."""
    forfeited: bool = column(Fact(N_("lost by leaving")), default=False, server_default=false())
    """Whether the absent players lost it by leaving the event; if they come back, it may be open again."""
    awarded: Awarded | None = column(Fact(N_("awarded")), default=None, sa_type=choice(Awarded, "awarded"))
    """The winner by a judge's decision. None: the score and the ending decide."""
    ending_reason: str = blank(Fact(N_("ending reason")), 1000)
    """The judge's reason, for both players."""
    goes_through: Through | None = column(
        Fact(N_("goes through")), default=None, sa_type=choice(Through, "goes_through")
    )
    """Who advances after a drawn knockout game, by the organiser's decision."""
    extra_seconds: int = column(Fact(N_("time given")), default=0, server_default="0")
    """Time added for this table only."""
    scenario: str | None = column(Fact(N_("scenario"), goes="nothing"), default=None, max_length=40)
    """This table's own scenario. None: the round's."""
    a_first: bool | None = column(Fact(N_("has the first role")), default=None)
    """Whether player A has the first of the scenario's two roles, drawn with the round. None: no roles."""
    asked: bool = column(Fact(N_("asked")), default=False, server_default=false())
    """Whether it is a bye that the player asked for."""
    board: int | None = column(Fact(N_("board")), default=None)
    arranged: dict[str, Any] | None = column(Fact(N_("arranged"), goes="nothing"), default=None, sa_type=JSON)
    """The agreed day of a season's game, in the form of ``events.tournament.season``. None: not agreed."""


class FieldedForce(OfEvent, table=True):
    """The force a player fields from the roster in one game of an event with a sideboard."""

    __tablename__ = "fielded_force"
    __table_args__ = (UniqueConstraint("game_id", "player_id"),)

    id: int = Field(default=None, primary_key=True)
    game_id: int = column(UNSAID, foreign_key="game.id", index=True)
    player_id: int = column(UNSAID, foreign_key="player.id", index=True)
    document: dict[str, Any] = column(Fact("", read_by=ReadBy.NOBODY), sa_type=JSON)
    """The force as a document: later changes of the roster do not affect it."""
    chosen_at: datetime = column(UNSAID, sa_type=UTCDateTime)


class ReportSide(StrEnum):
    """Who a report came from."""

    A = "a"
    B = "b"
    ORGANISER = "organiser"


class Report(OfEvent, table=True):
    """One report of a game. Rows are only added; one that no longer counts is marked."""

    __table_args__ = (
        CheckConstraint("awarded IS NULL OR (ending IS NOT NULL AND ending = 'decided')", name="awarded_by_judge"),
    )

    id: int = Field(default=None, primary_key=True)
    game_id: int = column(UNSAID, foreign_key="game.id", index=True)
    side: ReportSide = column(Fact(N_("by")), sa_type=choice(ReportSide, "side"))
    answers: dict[str, Any] = column(Fact(N_("result"), goes="nothing"), sa_type=JSON)
    """Empty for a game that was not played."""
    by: str = column(UNSAID, max_length=120)
    at: datetime = column(UNSAID, sa_type=UTCDateTime)
    ending: Ending | None = column(Fact(N_("ending")), default=None, sa_type=choice(Ending, "ending"))
    """None: played out."""
    awarded: Awarded | None = column(UNSAID, default=None, sa_type=choice(Awarded, "awarded"))
    ending_reason: str = blank(UNSAID, 1000)
    reason: str = blank(Fact(N_("reason")), 500)
    """The reason for a decision or correction, for both players."""
    from_paper: bool = column(Fact(N_("from paper")), default=False, server_default=false())
    """Whether it was entered from a paper sheet."""
    account_id: int | None = column(Fact("", archived=False), default=None)
    """The account that entered it; None for a player's report. Not a foreign key: accounts can be deleted."""
    withdrawn_at: datetime | None = column(UNSAID, default=None, sa_type=UTCDateTime)
    """When it stopped counting: staff reopened the game or cancelled their decision."""
    by_sheet: bool = column(Fact(N_("by sheet")), default=False, server_default=false())
    """Whether it was sent with the sheet's code. The sender is unknown, so it never confirms another report."""
