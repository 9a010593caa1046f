"""The visitor of a request, and the table of each role's rights. ``accounts.access`` checks both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from languages.words import N_, gettext
from models.event import Event
from models.journal import Actor
from models.people import Account
from models.person import Person
from models.play import Player
from models.staff import Role


class Right(StrEnum):
    """A right of staff at an event; ``access.may_<value>`` asks for it."""

    SEE_DESK = "see_desk"
    SEE_PLAYERS = "see_players"
    SEE_ROUNDS = "see_rounds"
    PRINT = "print"
    CHECK_IN = "check_in"
    MARK_PAID = "mark_paid"
    SEE_MONEY = "see_money"
    SEE_PRIVATE_LINKS = "see_private_links"
    CHANGE_PLAYERS = "change_players"
    ERASE = "erase"
    READ_LISTS = "read_lists"
    CHECK_LISTS = "check_lists"
    CHANGE_LISTS = "change_lists"
    ENTER_RESULTS = "enter_results"
    DECIDE = "decide"
    GIVE_PENALTIES = "give_penalties"
    GIVE_CARDS = "give_cards"
    AWARD = "award"
    RUN_CLOCK = "run_clock"
    ANNOUNCE = "announce"
    MESSAGE = "message"
    READ_JOURNAL = "read_journal"
    PAIR = "pair"
    UNDO = "undo"
    CHANGE_SETTINGS = "change_settings"
    MANAGE_STAFF = "manage_staff"
    ARCHIVE = "archive"
    GO_BACK = "go_back"
    TAKE_PACK = "take_pack"
    MAKE_TOKENS = "make_tokens"


ALL = frozenset(Role)
RUNNING = frozenset({Role.OWNER, Role.ORGANISER})
JUDGING = RUNNING | {Role.JUDGE}
SCORING = JUDGING | {Role.SCOREKEEPER}
TABLE: Mapping[Right, frozenset[Role]] = {
    Right.SEE_DESK: ALL,
    Right.SEE_PLAYERS: ALL,
    Right.SEE_ROUNDS: SCORING,
    Right.PRINT: SCORING | {Role.CHECK_IN},
    Right.CHECK_IN: RUNNING | {Role.CHECK_IN},
    Right.MARK_PAID: RUNNING | {Role.CHECK_IN, Role.TREASURER},
    Right.SEE_MONEY: RUNNING | {Role.TREASURER},
    Right.SEE_PRIVATE_LINKS: RUNNING,
    Right.CHANGE_PLAYERS: RUNNING,
    Right.ERASE: RUNNING,
    Right.READ_LISTS: JUDGING | {Role.LIST_CHECKER},
    Right.CHECK_LISTS: RUNNING | {Role.LIST_CHECKER},
    Right.CHANGE_LISTS: RUNNING,
    Right.ENTER_RESULTS: SCORING,
    Right.DECIDE: JUDGING,
    Right.GIVE_PENALTIES: JUDGING,
    Right.GIVE_CARDS: JUDGING,
    Right.AWARD: RUNNING,
    Right.RUN_CLOCK: JUDGING,
    Right.ANNOUNCE: RUNNING,
    Right.MESSAGE: RUNNING,
    Right.READ_JOURNAL: JUDGING,
    Right.PAIR: RUNNING,
    Right.UNDO: RUNNING,
    Right.CHANGE_SETTINGS: RUNNING,
    Right.MANAGE_STAFF: frozenset({Role.OWNER}),
    Right.ARCHIVE: frozenset({Role.OWNER}),
    Right.GO_BACK: frozenset({Role.OWNER}),
    Right.TAKE_PACK: RUNNING,
    Right.MAKE_TOKENS: RUNNING,
}
"""The roles with each right. Nobody has a right that is missing here."""

PLAYER, VISITOR = N_("player"), N_("visitor")
CLOCK, MAIL, SHELL, FOUNDER = N_("the clock"), N_("mail"), N_("shell"), N_("the start of the campaign")
"""Who acts if nobody does: a due time, the sending of mails, the operator's commands, a campaign that begins."""
WORDS: Mapping[Role, str] = {
    Role.OWNER: N_("owner"),
    Role.ORGANISER: N_("organiser"),
    Role.JUDGE: N_("judge"),
    Role.SCOREKEEPER: N_("scorekeeper"),
    Role.LIST_CHECKER: N_("list checker"),
    Role.CHECK_IN: N_("check-in"),
    Role.TREASURER: N_("treasurer"),
}
"""The name of each role on pages, on paper and in the journal."""

MEANING: Mapping[Role, str] = {
    Role.OWNER: N_("Everything, including the staff. An event has at least one owner."),
    Role.ORGANISER: N_("Everything but the staff: settings, players, rounds, results, messages."),
    Role.JUDGE: N_(
        "Decides disputes, corrects results, gives penalties and cards, runs the clock, reads lists and the journal."
    ),
    Role.SCOREKEEPER: N_("Enters results, from paper too; sees the rounds."),
    Role.LIST_CHECKER: N_("Reads the lists, approves them or sends them back."),
    Role.CHECK_IN: N_("Checks players in, prints badges, mails players their private links without seeing them."),
    Role.TREASURER: N_("Records payments and what is given back, and sees the players."),
}


def allows(role: Role | None, right: Right) -> bool:
    """Whether this role has this right; None has no right."""
    return role in TABLE.get(right, frozenset())


@dataclass(frozen=True)
class Visitor:
    """A visitor with an account, with players of some events, with an own page, with several of these, or none."""

    account: Account | None = None
    players: dict[int, Player] = field(default_factory=dict)
    """The players that the visitor is signed in as, by event id."""
    roles: dict[int, Role] = field(default_factory=dict)
    """The roles of the account, by event id."""
    events: dict[int, Event] = field(default_factory=dict)
    """The events of ``players``, by event id, loaded with them."""
    person: Person | None = None
    """The person whose own page this browser has opened; of pages put together the main one."""
    own_entry: int = 0
    """The entry of that person in the event of the address; 0: none."""
    token: str = ""
    """The name of the program's token, which has a role and no account."""
    token_id: int = 0

    def player_in(self, event: Event) -> Player | None:
        return self.players.get(event.id)

    def is_player(self, player: Player) -> bool:
        player_here = self.players.get(player.event_id)
        return player_here is not None and player_here.id == player.id

    def role_in(self, event: Event) -> Role | None:
        """The visitor's role at this event; None if not on its staff."""
        return self.roles.get(event.id) if self.account is not None or self.token else None

    def acting_in(self, event: Event, *, at_desk: bool) -> Actor:
        """The visitor's name for the journal, "judge Anna" or "player Bo", and kind: a role, player, or visitor.

        Staff who also play act as staff at the desk (``at_desk``) and as players everywhere else.
        """
        role, player = self.role_in(event), self.player_in(event)
        if self.token and role is not None:
            return Actor(f"{WORDS[role]} token {self.token}", role.value)
        if self.account is not None and role is not None and (at_desk or player is None):
            return Actor(f"{WORDS[role]} {self.account.name}", role.value)
        return Actor(f"{PLAYER} {player.name}", "player") if player else Actor(VISITOR, "visitor")

    @property
    def name_as_owner(self) -> str:
        """The name in the journal of an event that the visitor creates, already as its owner."""
        return f"{WORDS[Role.OWNER]} {self.account.name}" if self.account is not None else VISITOR

    @property
    def name_in_club(self) -> str:
        """The same outside of events: "organiser Olga"."""
        return f"organiser {self.account.name}" if self.account is not None else VISITOR


ACTORS = *WORDS.values(), PLAYER, VISITOR, CLOCK, MAIL, SHELL, FOUNDER


def actor_words(actor: str) -> str:
    """Who made a change, as ``Visitor.acting_in`` calls them, with the role in the reader's language."""
    role = next((text for text in ACTORS if f"{actor} ".startswith(f"{text} ")), "")
    return f"{gettext(role)}{actor.removeprefix(role)}"


def role_words(kind: str) -> str:
    return gettext(WORDS[Role(kind)] if kind in {*Role} else kind)
