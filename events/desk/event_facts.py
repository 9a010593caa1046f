"""What the desk knows of an event when it says what is due, and what it says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from events.store.visitor import Visitor
from languages.words import N_, gettext
from models.event import Event
from models.play import Player


@dataclass(frozen=True)
class Button:
    """A button or a link that resolves something. ``args`` are further parts of the endpoint's address."""

    label: str
    endpoint: str
    args: Mapping[str, int | str] = field(default_factory=dict)
    post: bool = False
    """Whether it acts at once, without a page in between."""
    confirm: str = ""
    """The question to confirm before: what will happen, and to which player; "" if all is well."""
    fills: bool = False
    """Whether it leads to a form, which not everybody who reads its page may submit."""
    asks: Callable[[Visitor, Event], bool] | None = None
    """The permission it needs, if more people may open its page."""
    otherwise: str = ""
    """The label for visitors without that permission; "" hides it from them."""
    address: str = ""
    """Its address, once it is known that the visitor may follow it."""


@dataclass(frozen=True)
class Due:
    """What is due: a sentence and a button. Only the first of a list, the next step, has an alternative."""

    text: str
    act: Button
    other: Button | None = None
    names: str = ""
    """Of whom it is true, where they are many: shown on demand."""

    @property
    def of_results(self) -> bool:
        """Whether the results page shows it too, in the table's row."""
        return self.act.endpoint.startswith("results_desk.")


@dataclass(frozen=True)
class OpenGame:
    id: int
    table: int | None


@dataclass(frozen=True)
class RoundFacts:
    number: int
    state: Literal["planned", "drawn", "playing", "complete"]
    stage: str = ""
    """The stage of a knockout: "final"."""
    games: int = 0
    """The number of games, without byes; 0 before it is drawn."""
    decided: int = 0
    disputed: Sequence[OpenGame] = ()
    tied: Sequence[OpenGame] = ()
    reported: Sequence[OpenGame] = ()
    left: Sequence[OpenGame] = ()
    """Open games of players who have left."""
    choosing: int = 0
    """The number of matches whose boards are still being chosen."""
    clock: Literal["", "waiting", "running", "paused", "stopped"] = ""
    seed: str = ""
    byes: int = 0
    stops: int = 0
    """The round whose clock stops when a draft is published; 0 for none."""
    stale: str = ""
    """Why it must be drawn again, in a sentence; "" if nothing changed after the draw."""
    by_hand: int = 0
    """The number of manual changes to the draft."""
    why_not: str = ""
    """Why it cannot be drawn now."""
    question: str = ""
    """The question to confirm if it is published on another day, or before the list deadline; "" if all is well."""
    doubts: str = ""
    """What the question says of the day and of the deadline."""
    notes: Sequence[str] = ()
    """Notes about the lists before it is published."""


NOUNS = {"event": N_("event"), "season": N_("season"), "campaign": N_("campaign")}


@dataclass(frozen=True)
class EventFacts:
    state: Literal["draft", "registration", "in_progress", "finished"]
    rounds: Sequence[RoundFacts] = ()
    unlimited: bool = False
    """Whether places are unlimited and sign-ups need no approval."""
    before_the_day: bool = False
    starts: str = ""
    """The first day in words."""
    signing_up: bool = False
    """Whether players can register themselves now."""
    here: int = 0
    teams_here: int = 0
    """The number of teams with a checked-in player; 0 outside team events."""
    absent: int = 0
    absentees: Sequence[Player] = ()
    """Who did not come to the newest round, with neither a drop nor a decision to keep them."""
    no_list: int = 0
    illegal: int = 0
    lists_locked: bool = False
    shown_at_lock: bool = False
    """Whether lists become public as soon as they are locked."""
    to_approve: int = 0
    """The number of sign-ups waiting for approval."""
    cut: int | None = None
    """The size of a cut that can be made now."""
    alone: int = 0
    """The number of players without a team in a team event."""
    not_full: Sequence[str] = ()
    """The number of teams with fewer players than they need."""
    team_size: int = 1
    cancelled: bool = False
    kind: Literal["event", "season", "campaign"] = "event"
    """What its pages call it."""
    season: bool = False
    overdue: int = 0
    """The number of games of a season past their last day."""
    opened: int = 0
    """The newest round of a season whose days have begun; 0 otherwise."""
    steps_open: Sequence[str] = ()
    """The campaign groups with open steps after a game, each with its present phase; not those below."""
    not_mustered: Sequence[str] = ()
    """The groups that have only to muster for a battle that is to come."""
    forfeits: Sequence[tuple[str, int]] = ()
    """Who will not fight that battle, in words for each game, with its id; 0 before it is drawn."""
    corrected: Sequence[str] = ()
    """The campaign groups whose steps count a result that was corrected since."""
    vote: Literal["", "unopened", "open"] = ""
    """The state of a vote for the best painted that is not counted."""
    marks_open: bool = False
    """Whether players' marks for opponents still wait to be closed and counted."""
    no_group: Sequence[str] = ()
    """The checked-in players of a campaign in play without a group."""
    at_once: bool = False
    """Whether all rounds can be drawn together."""
    by_challenge: bool = False
    """Whether players challenge each other and no round is drawn."""
    ended: bool = False
    """Whether the last day of the event, or of its season, has passed."""
    never_played: bool = False
    """Whether that day has passed and no round was published."""
    left_leader: tuple[int, str] | None = None
    """The id and the name of the player who leads after the last round and has left."""
    awards_given: bool = False
    """The event's awards are published."""
    awards_corrected: bool = False
    """Whether winners or final standings changed since."""
    awards_wait: bool = False
    """Whether the event has unpublished awards."""
    awards_shown: Literal["", "some", "all"] = ""
    """The unpublished awards that the hall has shown."""

    @property
    def starts_unopened(self) -> bool:
        """Whether a draft has its players here, so that it can start without open registration."""
        return self.state == "draft" and (self.here > 1 or any(round_.state == "drawn" for round_ in self.rounds))

    @property
    def is_attended(self) -> bool:
        """Whether somebody is here, or awaited today."""
        return self.here > 0 or (self.absent > 0 and not self.before_the_day)

    @property
    def noun(self) -> str:
        """What it is, in the reader's language."""
        return gettext(NOUNS[self.kind])
