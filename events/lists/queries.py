"""The state of each list, the tournament points that it earns, and the differences between two versions of it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from events.store.players import by_name, placed
from events.store.verdicts import forces_of, terms_of, verdict_on
from events.visitors.access import list_open, lists_locked
from languages.message import Text, joined, message
from languages.words import ENGLISH, N_, gettext, ngettext, speaking
from models.event import Event
from models.play import ForceList, ListSeal, Player
from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.game_system import GameSystem


@speaking(ENGLISH)  # it is stored
def list_differences(system: GameSystem, edition: EditionInfo, before: Document | None, after: Document) -> Text:
    """The total before and after, and the models that were added or removed, each with its upgrades and its cost.

    A model with other upgrades counts as removed and added. ``before`` is None if there was no force.
    """
    if before is None or any(document["edition"] != edition.id for document in (before, after)):
        return message("a new list")
    was, now = (system.forces.summarise(document, edition) for document in (before, after))
    old, new = Counter(was.lines), Counter(now.lines)
    unit = message(system.checks.unit)
    became = message("%(was)s became %(now)s", was=was.faction, now=now.faction)
    parts = [became] if was.faction != now.faction else []
    for text, lines in ((N_("added %(models)s"), new - old), (N_("removed %(models)s"), old - new)):
        models = [
            message("%(count)s × %(model)s (%(cost)s %(unit)s each)", count=count, model=line, cost=cost, unit=unit)
            if count > 1
            else message("%(model)s (%(cost)s %(unit)s)", model=line, cost=cost, unit=unit)
            for (line, cost), count in lines.items()
        ]
        parts += [message(text, models=joined(models))] if models else []
    total = message("%(total)s %(unit)s", total=now.total, unit=unit)
    if was.total != now.total:
        total = message("%(was)s to %(now)s %(unit)s", was=was.total, now=now.total, unit=unit)
    return joined([total, joined(parts, "; ") if parts else message("the same models")])


@dataclass(frozen=True)
class Bonus:
    """Tournament points from outside games, with the reason in a few words ("" for none)."""

    points: int
    why: Text


def counts_lists(event: Event, terms: Terms) -> bool:
    adds = terms.restrictions
    return event.lists_locked_at is not None and bool(adds.on_time_points or adds.error_free_points or adds.late_points)


def list_points(event: Event, player: Player, seals: Sequence[ListSeal], terms: Terms) -> Bonus:
    """*.event.on-time, *.event.error-free, *.event.late: the points of a player's list.

    The organiser's own figure replaces the calculated one. ``seals`` are the player's, oldest first. Before lists are
    locked there are no points.
    """
    if player.list_points_set is not None:
        return Bonus(player.list_points_set, message("list (set by the organiser)"))
    adds = terms.restrictions
    if event.lists_locked_at is None or not counts_lists(event, terms):
        return Bonus(0, "")
    at_lock = [seal for seal in seals if seal.at <= event.lists_locked_at]
    if not at_lock or not at_lock[-1].submitted:
        if player.list_waived_at is not None:
            return Bonus(0, "")
        return Bonus(-adds.late_points, message("late list") if adds.late_points else "")
    if seals[-1] is at_lock[-1]:
        points = adds.on_time_points + adds.error_free_points
        without_error = message("list on time and without error")
        return Bonus(points, without_error if adds.error_free_points else message("list on time"))
    return Bonus(adds.on_time_points, message("list on time") if adds.on_time_points else "")


STATES = {
    "waived": N_("Plays without a list"),
    "none": N_("No list"),
    "draft": N_("Draft"),
    "sent_back": N_("Sent back"),
    "submitted": N_("Submitted"),
    "legal": N_("Legal"),
    "query": N_("Questions"),
    "illegal": N_("Illegal"),
    "approved": N_("Approved"),
    "locked": N_("Locked"),
    "unlocked": N_("Unlocked"),
    "changed": N_("Changed after the lock"),
    "otherwise": N_("Judged otherwise today"),
}
"""The states of a list in chronological order; most lists have several."""
MAIN_STATES = ("waived", "none", "approved", "submitted", "sent_back", "draft")
"""The states of which a list shows one, the first that it has."""


@dataclass(frozen=True)
class ListEntry:
    player: Player
    force: ForceList | None
    verdict: Verdict | None
    states: frozenset[str]

    @property
    def main_state(self) -> str:
        return next(word for word in MAIN_STATES if word in self.states)

    @property
    def at_a_glance(self) -> str:
        """The state that matters most at check-in."""
        order = ("waived", "none", "approved", "sent_back", "draft", "illegal", "query", "legal")
        return next(word for word in order if word in self.states)

    def is_in(self, state: str) -> bool:
        """Whether the lists page and messages count it under this state: a verdict and the lock only if submitted."""
        if state in MAIN_STATES:
            return state == self.main_state
        submitted = state not in ("legal", "query", "illegal", "locked") or "submitted" in self.states
        return submitted and state in self.states

    @property
    def is_odd(self) -> bool:
        """Whether the list needs the organiser before the usual ones do."""
        return any(self.is_in(state) for state in ("changed", "illegal", "query", "sent_back"))

    @property
    def illegal(self) -> bool:
        """Whether the submitted list is illegal; drafts are not checked yet."""
        return self.is_in("illegal")

    @property
    def missing(self) -> bool:
        """Whether no list is submitted or waived, so that the player gets reminders."""
        return not self.states & {"submitted", "waived"}


def broken_rules(system: GameSystem, verdict: Verdict | None, *, later: bool = False) -> dict[str, str]:
    """The titles of the rules that a list breaks, or would break or raise by ``later`` ones, by the rules' ids."""
    findings = () if verdict is None else verdict.later if later else verdict.problems
    titles = {rule.id: rule.title for rule in (*system.checks.rules, *system.checks.event_rules)} if findings else {}
    return {finding.rule: titles[finding.rule] for finding in findings}


def plays_without(player: Player, force: ForceList | None) -> bool:
    """Whether the organiser lets this player play without a list. A list submitted anyway counts."""
    return player.list_waived_at is not None and not (force and force.submitted)


def entries(event: Event, now: datetime) -> list[ListEntry]:
    """The lists of all players who have a place, by name."""
    return lists_of_players(event, event.players, forces_of(event), terms_of(event), now)


def lists_of_players(
    event: Event, players: Sequence[Player], forces: Mapping[int, ForceList], terms: Terms, now: datetime
) -> list[ListEntry]:
    """The lists of all players who have a place, by name, from rows already loaded."""
    return [entry(event, terms, player, forces.get(player.id), now) for player in sorted(placed(players), key=by_name)]


def entry(event: Event, terms: Terms, player: Player, force: ForceList | None, now: datetime) -> ListEntry:
    states = set()
    if lists_locked(event, now):
        states.add("unlocked" if list_open(event, player, now) else "locked")
    if plays_without(player, force):
        states.add("waived")
    if force is None:
        return ListEntry(player, None, None, frozenset(states if "waived" in states else states | {"none"}))
    locked_at = event.lists_locked_at
    if locked_at is not None and max(force.saved_at, force.submitted_at or locked_at) > locked_at:
        states.add("changed")
    verdict = verdict_on(event, player, force, terms)
    states |= {"otherwise"} if verdict.later else set()
    states.add("submitted" if force.submitted_at else "draft")
    states.add("illegal" if not verdict.legal else "query" if verdict.queries else "legal")
    if force.approved_at:
        states.add("approved")
    if force.sent_back_at:
        states.add("sent_back")
    return ListEntry(player, force, verdict, frozenset(states))


@dataclass(frozen=True)
class BeforeLock:
    counted: tuple[Player, ...]
    """Submitted lists, legal or not."""
    none: tuple[Player, ...]
    drafts: tuple[Player, ...]
    """Drafts, which will not count."""
    illegal: tuple[Player, ...]
    waived: tuple[Player, ...]
    short: tuple[Player, ...] = ()
    """Of the counted ones, those with fewer points than a battle of the campaign needs."""

    @property
    def warnings(self) -> list[str]:
        parts = (
            (N_("No list: %(names)s."), self.none),
            (N_("Draft, not submitted, so it does not count: %(names)s."), self.drafts),
            (N_("Not legal: %(names)s."), self.illegal),
            (N_("Fewer points than a battle needs, so the group forfeits: %(names)s."), self.short),
        )
        return [gettext(words, names=_some_names(players)) for words, players in parts if players]

    @property
    def without_group(self) -> str:
        """A sentence with the players who start a campaign without a group; "" if there are none."""
        players = (*self.none, *self.drafts, *self.illegal, *self.waived)
        text = gettext(
            "No group without a legal list: %(names)s. You can give one after the start.",
            names=_some_names(players),
        )
        return text if players else ""


def _some_names(players: Sequence[Player]) -> str:
    names, more = ", ".join(player.name for player in players[:6]), len(players) - 6
    return gettext("%(names)s and %(more)s more", names=names, more=more) if more > 0 else names


def before_lock(listed: Sequence[ListEntry], least: int = 0) -> BeforeLock:
    """The effect of a lock on these lists; ``least`` as in ``Terms``."""
    missing = [row for row in listed if row.missing]
    return BeforeLock(
        counted=tuple(row.player for row in listed if "submitted" in row.states),
        none=tuple(row.player for row in missing if row.force is None),
        drafts=tuple(row.player for row in missing if row.force is not None),
        illegal=tuple(row.player for row in listed if row.illegal),
        waived=tuple(row.player for row in listed if "waived" in row.states),
        short=tuple(
            row.player for row in listed if "submitted" in row.states and row.verdict and 0 < row.verdict.total < least
        ),
    )


def lists_in(s: Session, event: Event, players: Sequence[Player]) -> tuple[int, int]:
    """The number of submitted lists, and of players with a place who need one: not those who play without a list."""
    submitted = select(ForceList.player_id).join(Player).where(
        Player.event_id == event.id, col(ForceList.submitted_at).is_not(None)
    )  # fmt: skip
    numbers = frozenset(s.exec(submitted))
    needed = [player for player in placed(players) if player.id in numbers or player.list_waived_at is None]
    return sum(player.id in numbers for player in needed), len(needed)


@dataclass(frozen=True)
class Submission:
    words: str
    more: str = ""
    button: str = ""
    """"primary" if there is something to submit, "plain" if pressing it says what is missing, "" for none."""


def submission(
    force: ForceList | None, verdict: Verdict, *, begun: bool, mine: bool, cost_before: str = ""
) -> Submission:
    """What the builder says of a player's list; ``mine`` if its reader is the player.

    ``cost_before`` is what it cost when it was submitted, if another edition has changed that: "625 Caps".
    """
    if not begun:
        return Submission(gettext("Nothing added yet"), button="plain")
    if verdict.problems:
        return Submission(
            ngettext(
                "%(num)s thing to fix, not submitted", "%(num)s things to fix, not submitted", len(verdict.problems)
            ),
            button="plain",
        )
    if force is None or force.submitted_at is None:
        words = gettext("Legal, not submitted")
        if many := len(verdict.queries):
            words = ngettext(
                "Legal with %(num)s question, not submitted", "Legal with %(num)s questions, not submitted", many
            )
        return Submission(words, button="primary")
    if cost_before:
        cost = {"before": cost_before, "total": verdict.total}
        yours = gettext("%(before)s when you submitted it, %(total)s now. It counts as it is now.", **cost)
        theirs = gettext("%(before)s when it was submitted, %(total)s now. It counts as it is now.", **cost)
        return Submission(gettext("Submitted"), yours if mine else theirs)
    if force.saved_at <= force.submitted_at:
        return Submission(gettext("Submitted, unchanged"), gettext("Approved.") if force.approved_at else "")
    since = gettext("Changed since you submitted it") if mine else gettext("Changed since it was submitted")
    return Submission(since, gettext("It counts as it is now."))


def counts(listed: Iterable[ListEntry]) -> dict[str, int]:
    rows = list(listed)
    return {state: sum(row.is_in(state) for row in rows) for state in STATES}
