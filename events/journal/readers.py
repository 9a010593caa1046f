"""Permissions on the journal: the permission needed to read each table, column and kind of entry.

Only the owner reads what is not listed here. A test checks that every table and kind is listed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, or_
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from events.store.visitor import Visitor
from events.visitors import access
from models.event import Event, Round, RoundState
from models.facts import ReadBy, facts_of
from models.journal import JournalEntry, RowChange

Question = Callable[[Visitor, Event], bool]


def nobody(visitor: Visitor, event: Event) -> bool:
    """Stored for replay; nobody may read it."""
    return False


ROW_READERS: Mapping[str, Question] = {
    "announcement": access.may_read_journal,
    "award": access.may_see_awards,
    "award_pick": access.may_see_awards,
    "campaign_step": access.may_see_rounds,
    "code_use": access.may_change_players,
    "contact": access.may_message,
    "delivery": access.may_message,
    "door_prize": access.may_read_journal,
    "event": access.may_read_journal,
    "fielded_force": access.may_see_rounds,
    "force_list": access.may_read_lists,
    "force_step": access.may_read_lists,
    "game": access.may_see_rounds,
    "invitation": access.may_manage_staff,
    "join_code": access.may_change_players,
    "judge_call": access.may_see_rounds,
    "kept_apart": access.may_pair,
    "list_seal": access.may_read_lists,
    "message": access.may_message,
    "painting_vote": access.may_award,
    "payment": access.may_see_money,
    "player": access.may_see_players,
    "prize_draw": access.may_read_journal,
    "report": access.may_see_rounds,
    "round": access.may_read_journal,
    "round_draw": access.may_read_journal,
    "ruling": access.may_give_penalties,
    "sports_mark": access.may_award,
    "staff": access.may_manage_staff,
    "team": access.may_see_players,
    "team_match": access.may_see_rounds,
    "team_ruling": access.may_give_penalties,
}
"""By table."""
COLUMN_READERS: Mapping[ReadBy, Question] = {
    ReadBy.LISTS: access.may_read_lists,
    ReadBy.PAIRING: access.may_pair,
    ReadBy.PAYMENTS: access.may_see_money,
    ReadBy.NOBODY: nobody,
}
"""By the fact of a column, in addition to the permission on its table."""

KIND_READERS: Mapping[str, Question] = {
    **dict.fromkeys(("message", "mail-again", "mail-failed", "mail-unsure", "mail-address"), access.may_message),
    **dict.fromkeys(("keep-apart", "let-meet"), access.may_pair),
    **dict.fromkeys(("paid", "unpaid", "give-back", "set-fee"), access.may_see_money),
    **dict.fromkeys(("add-award", "move-award", "name-winner", "remove-award", "unname-winner"), access.may_see_awards),
    **dict.fromkeys(
        ("change-role", "invite-staff", "join-staff", "leave-staff", "withdraw-invitation"), access.may_manage_staff
    ),
    **dict.fromkeys(("make-join-codes", "end-join-code"), access.may_change_players),
    **dict.fromkeys(("make-token", "end-token"), access.may_make_tokens),
    **dict.fromkeys(("add-webhook", "end-webhook"), access.may_change_settings),
    **dict.fromkeys(("ruling", "take-back-ruling"), access.may_give_penalties),
    **dict.fromkeys(
        (
            "approve-list",
            "approve-lists",
            "edit-force",
            "end-approval",
            "end-share",
            "expect-list",
            "lock-list",
            "send-back",
            "share-list",
            "submit-force",
            "unlock-list",
            "waive-list",
            "waive-lists",
        ),
        access.may_read_lists,
    ),
}
"""By kind of entry: the permission to read it, if it needs more than reading the journal."""
RETIRED = frozenset({
    "adopt-draw", "agree-claim", "allow-claim", "change-look", "discard-meeting", "draw-meeting", "end-claim",
    "judge-painting", "publish-meeting", "second-pass", "second-pass-rule", "take-in-results", "take-out-results",
})  # fmt: skip
"""Kinds of entries of earlier versions."""
OPEN = RETIRED | frozenset({
    "allow-mail", "announce", "answer-challenge", "answers", "ask-bye", "call-judge",
    "cancel-event", "delete-persons", "repeat-event",
    "campaign-ruling", "campaign-step", "cancel-challenge", "challenge", "change-campaign",
    "change-pairing", "change-player", "change-restrictions", "change-scenario", "change-settings", "check-in",
    "check-in-window", "choose-again", "choose-boards", "clear-awards", "close-call", "close-marks",
    "close-vote", "copy-event", "create-event", "cut", "discard-draw", "draw-prize", "draw-round", "drop",
    "drop-team", "erase",
    "exchange", "field", "finish-event", "found-group", "give-place", "give-prize", "give-time", "go-back", "join-team",
    "keep-absent", "let-in", "list-event",
    "lock",
    "lock-lists", "mail-link", "make-team", "mark-opponent", "match-boards", "move-player", "no-show",
    "open-again", "open-marks",
    "open-campaign-step", "open-registration", "open-vote", "painted", "pause-clock", "propose-day",
    "publish-awards", "publish-round",
    "put-back-clock", "register", "reinstate", "reinstate-team", "remove-players", "remove-team", "rename-team",
    "renew-link", "renew-team-code", "reopen-event", "reopen-lists", "report", "reschedule",
    "resume-clock", "reveal-lists", "ringer",
    "seat-team", "seed", "send-through", "set-prizes", "set-scenario", "set-table", "set-times", "show-award",
    "start-choosing", "start-clock", "start-season", "stop-clock", "swap", "swap-teams",
    "take-back-announcement", "take-call",
    "take-in", "take-place", "undo",
    "undo-campaign-step", "undo-check-in", "undo-step",
    "unlock", "unpublish-awards", "unpublish-round",
    "vote", "withdraw-bye",
})  # fmt: skip
"""Kinds of entries that every reader of the journal may read; "undo" only if the undone entry is readable."""
OF_DRAFTS = ("adopt-draw", "lock", "set-scenario", "undo-step", "unlock")
"""Kinds of entries about a draft whose writes change only the round, not its games."""
BALLOTS = ("painting_vote", "sports_mark")
"""Tables of ballots. A search by player must never find them, because they also name the player voted for."""


@dataclass(frozen=True)
class Reader:
    visitor: Visitor
    event: Event

    def _may(self, question: Question | None) -> bool:
        return (question or access.may_manage_staff)(self.visitor, self.event)

    def reads_table(self, table: str) -> bool:
        """Whether the reader may know that this table has rows."""
        return self._may(ROW_READERS.get(table))

    def reads(self, table: str, column: str) -> bool:
        fact = facts_of(table).get(column)
        question = None if fact is None else COLUMN_READERS.get(fact.read_by)
        return self.reads_table(table) and (question is None or question(self.visitor, self.event))

    def reads_kind(self, kind: str) -> bool:
        return self._may(access.may_read_journal if kind in OPEN else KIND_READERS.get(kind))

    def rows(self) -> ColumnElement[bool]:
        tables = [reader for reader in ROW_READERS if reader not in BALLOTS and self.reads_table(reader)]
        return col(RowChange.table_name).in_(tables)

    def entries(self) -> ColumnElement[bool]:
        """The condition for readable entries: by kind, by the undone entry, and by the drafted round."""
        write, details = col(JournalEntry.change_set_id), col(JournalEntry.details)
        hidden = select(JournalEntry.change_set_id).where(
            JournalEntry.event_id == self.event.id, write.is_not(None), ~self._kinds()
        )
        repeated = or_(col(JournalEntry.verb) != "undo", details["of"].as_integer().not_in(hidden))
        readable = and_(self._kinds(), repeated)
        if access.may_pair(self.visitor, self.event):
            return readable
        return and_(readable, or_(write.is_(None), write.not_in(drafts(self.event))))

    def _kinds(self) -> ColumnElement[bool]:
        kinds = OPEN | KIND_READERS.keys()
        if self._may(None):
            return col(JournalEntry.verb).not_in([kind for kind in kinds if not self.reads_kind(kind)])
        return col(JournalEntry.verb).in_([kind for kind in kinds if self.reads_kind(kind)])


def drafts(event: Event) -> SelectOfScalar[int]:
    """The ids of writes to unpublished rounds, which only staff who may pair can read."""
    hidden = select(Round.id).where(Round.event_id == event.id, Round.state != RoundState.PUBLISHED)
    steps = select(JournalEntry.change_set_id).where(
        JournalEntry.event_id == event.id, col(JournalEntry.verb).in_(OF_DRAFTS)
    )
    seats = col(RowChange.table_name).in_(("game", "team_match"))
    step = and_(col(RowChange.table_name).in_(("round", "round_draw")), col(RowChange.change_set_id).in_(steps))
    return select(RowChange.change_set_id).where(or_(seats, step), col(RowChange.round_id).in_(hidden))
