"""Undoing at the desk, from the rows in the journal: the last step, or everything since a step.

Going back restores an event's rounds, results and rulings to their state before a step. It is itself a step: it changes
rows through the session, so the journal records it and it can be undone.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import and_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from events.journal.going_back import GOES_ALONG
from events.rounds.actions import unpublish, why_not_unpublished
from events.store.act import Act
from events.store.errors import Refused, Stale
from events.store.journal import entry_words, note, said_of
from events.store.players import places_taken
from events.store.rounds import round_of
from events.store.undo import gone_writes, put_back
from languages.message import Text, joined, message, worded
from languages.words import N_, gettext, ngettext
from models.event import Event, EventState
from models.journal import ChangeSet, JournalEntry, RowChange

BY_ITS_ROWS = {
    "check-in", "undo-check-in", "give-place", "let-in", "drop", "reinstate", "drop-team", "reinstate-team", "report",
    "no-show", "keep-absent",
    "send-through", "open-again", "unpublish-round", "exchange", "finish-event", "reopen-event", "ruling",
    "end-join-code", "take-back-ruling", "stop-clock", "put-back-clock", "give-time", "remove-players",
    "give-prize",
}  # fmt: skip
"""Steps that are undone by restoring their rows."""
PUBLISH = "publish-round"
DRAWS = {"draw-round", "match-boards", PUBLISH, "cut", "adopt-draw", "discard-draw"}
"""Steps that depend on all earlier steps."""
WHY_NOT = {
    "draw-round": N_("Discard the draw on the page of its round."),
    "draw-prize": N_("A draw stays. Call it off on the page Raffle, with a reason that everybody reads."),
    "message": N_("A sent message cannot be recalled."),
    "reveal-lists": N_("Lists that were revealed cannot be hidden again."),
    "lock-lists": N_("Open the lists again on the page Lists."),
    "announce": N_("Remove the announcement on the page Clock."),
    "campaign-step": N_("Undo a step of a campaign on the page of its group."),
    "open-campaign-step": N_("Redo the steps on the page of their group."),
    "campaign-ruling": N_("Take the ruling back on the page of its group."),
    "erase": N_("Erased data cannot come back."),
    "repeat-event": N_("Delete the next event, or cancel it."),
    "delete-persons": N_("Erased data cannot come back."),
    "move-player": N_("Move the player back on the player’s page in the other event."),
    "renew-link": N_("An old link cannot be made valid again."),
}
"""The reasons why other steps cannot be undone; all remaining steps are changed where they were made."""
LOOKED_AT = 200
"""How many entries back a step is searched for."""


@dataclass(frozen=True)
class Step:
    """One step at the desk: a write to the event with its entries."""

    id: int
    at: datetime
    by: str
    said: Text
    verbs: tuple[str, ...]
    details: Mapping[str, object]
    why_not: str = ""
    """The reason why it cannot be undone; "" if it can."""

    @property
    def text(self) -> str:
        return worded(self.said)


def last_steps(s: Session, event: Event) -> list[Step]:
    """The desk's newest steps, down to the last one that can be undone. Leaves out players' steps and undone steps."""
    query = select(JournalEntry).where(JournalEntry.event_id == event.id, col(JournalEntry.change_set_id).is_not(None))
    newest = s.exec(query.order_by(col(JournalEntry.id).desc()).limit(LOOKED_AT)).all()
    gone, steps = gone_writes(newest), list[Step]()
    entries = [entry for entry in reversed(newest) if entry.change_set_id not in gone]
    for step in _steps(s, entries):
        since = [entry for entry in entries if (entry.change_set_id or 0) > step.id]
        why_not = _why_not(s, event, step, since) or _changed_since(s, step, since, gone)
        steps.append(replace(step, why_not=why_not))
        if not why_not:
            return steps
    return steps


def undo(act: Act, step_id: int) -> Step:
    """Undo the last step that can be undone. Raises Stale if it is not ``step_id``, and Refused."""
    s, event = act.s, act.event
    last = next(iter(last_steps(s, event)[::-1]), None)
    if last is None or last.id != step_id:
        raise Stale(gettext("Another step was recorded since. Check the last step again."))
    if last.why_not:
        raise Refused(last.why_not)
    if PUBLISH in last.verbs:
        unpublish(act, _number(last))
    else:
        taken = places_taken(event, event.players)
        put_back(act, step_id)
        if event.places is not None and places_taken(event, event.players) > max(taken, event.places):
            raise Refused(
                ngettext(
                    "%(num)s place is taken since: set more places in the settings first.",
                    "All %(num)s places are taken since: set more places in the settings first.",
                    event.places,
                )
            )
    why = {"why": message("Undone: %(step)s", step=last.said)}
    game = {"game": last.details["game"], **why} if "game" in last.details else {}
    note(act, "undo", message("Undid: %(step)s", step=last.said), of=last.id, **game)
    return last


def _steps(s: Session, entries: Sequence[JournalEntry]) -> list[Step]:
    """The desk's steps, newest first."""
    by_set: dict[int, list[JournalEntry]] = {}
    for entry in entries:
        by_set.setdefault(entry.change_set_id or 0, []).append(entry)
    sets = {change_set.id: change_set for change_set in s.exec(select(ChangeSet).where(col(ChangeSet.id).in_(by_set)))}
    return [
        _step(sets[id_], of_set)
        for id_, of_set in reversed(by_set.items())
        if sets[id_].actor and not _by_players(sets[id_], of_set)
    ]


def _step(change_set: ChangeSet, entries: Sequence[JournalEntry]) -> Step:
    main = next((entry for entry in entries if entry.verb not in GOES_ALONG), entries[0])
    texts = [said_of(entry) for entry in entries if entry is main or entry.verb not in GOES_ALONG]
    return Step(
        change_set.id,
        change_set.at,
        main.actor,
        joined(texts, "; "),
        tuple(entry.verb for entry in entries),
        main.details,
    )


def _by_players(change_set: ChangeSet, entries: Sequence[JournalEntry]) -> bool:
    """Whether a player, or someone with a sheet's code, made this write."""
    return change_set.role == "player" or any(entry.details.get("side") in ("a", "b") for entry in entries)


def _why_not(s: Session, event: Event, step: Step, since: Sequence[JournalEntry]) -> str:
    others = [verb for verb in step.verbs if verb not in BY_ITS_ROWS | GOES_ALONG | {PUBLISH}]
    if others or not set(step.verbs) - GOES_ALONG:
        elsewhere = N_("Change it on the page where it was made.")
        return gettext(next((WHY_NOT[verb] for verb in others or step.verbs if verb in WHY_NOT), elsewhere))
    if event.state == EventState.FINISHED and "finish-event" not in step.verbs:
        return gettext("The event is over: open it again first.")
    drawn = next((entry for entry in since if entry.verb in DRAWS), None)
    if drawn is not None:
        return gettext("Since then: %(step)s.", step=entry_words(drawn))
    if PUBLISH in step.verbs:  # at most one: every other step has this one after it
        the_round = round_of(event, _number(step))
        return why_not_unpublished(s, event, the_round) if the_round is not None else gettext("The round is gone.")
    return ""


def _changed_since(s: Session, step: Step, since: Sequence[JournalEntry], gone: Collection[int]) -> str:
    """Which later write, except undone ones, first changed a row of this step; "" for none, and for a publication."""
    own, write = aliased(RowChange), col(RowChange.change_set_id)
    same_row = and_(col(own.table_name) == RowChange.table_name, col(own.row_id) == RowChange.row_id)
    query = select(write).join(own, same_row).where(own.change_set_id == step.id, write > step.id, write.not_in(gone))
    touched = None if PUBLISH in step.verbs else s.exec(query.order_by(col(RowChange.id)).limit(1)).first()
    if touched is None:
        return ""
    newer = next((entry_words(entry) for entry in since if entry.change_set_id == touched), gettext("it was changed"))
    return gettext("Since then: %(step)s.", step=newer)


def _number(step: Step) -> int:
    """The published round's number; 0 if an older version of the program did not record it."""
    return int(str(step.details.get("round", 0)))
