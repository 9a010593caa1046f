"""Kinds of steps in the journal: the groups of its verbs, by which readers filter, each with the sign that it shows."""

from collections.abc import Collection
from dataclasses import dataclass

from languages.words import N_
from models.journal import JournalEntry


@dataclass(frozen=True)
class Kind:
    label: str
    """In English, marked for the catalogues."""
    sign: str
    verbs: Collection[str] = ()


OTHER = "other"
KINDS = {
    "results": Kind(N_("Results"), "pen", (
        "report", "second-pass", "second-pass-rule", "keep-absent", "send-through", "exchange",
    )),
    "rounds": Kind(N_("Rounds and draws"), "table", (
        "draw-round", "adopt-draw", "discard-draw", "publish-round", "unpublish-round", "swap", "swap-teams",
        "set-table", "set-scenario", "draw-meeting", "publish-meeting", "discard-meeting", "change-scenario",
    )),
    "entries": Kind(N_("Entries and places"), "plus", (
        "create-event", "copy-event", "repeat-event", "open-registration", "register", "give-place", "take-in",
        "let-in", "make-team", "join-team", "reinstate", "reinstate-team", "found-group", "ringer", "move-player",
    )),
    "check-ins": Kind(N_("Check-ins and approvals"), "check", (
        "check-in", "approve-list", "approve-lists", "list-event", "take-place",
    )),
    "drops": Kind(N_("Drops and no-shows"), "drop", (
        "drop", "drop-team", "no-show", "remove-players", "remove-team", "cancel-event", "cut",
    )),
    "lists": Kind(N_("Lists"), "pen", (
        "submit-force", "edit-force", "send-back", "waive-list", "waive-lists", "expect-list", "share-list",
        "end-share", "end-approval", "field",
    )),
    "locks": Kind(N_("Locked and unlocked"), "lock", (
        "lock-list", "lock-lists", "reveal-lists", "lock", "unlock", "unlock-list", "reopen-lists",
    )),
    "times": Kind(N_("Clock and times"), "clock", (
        "start-clock", "pause-clock", "resume-clock", "stop-clock", "put-back-clock", "give-time", "set-times",
        "check-in-window", "reschedule", "propose-day",
    )),
    "calls": Kind(N_("Announcements and calls for a judge"), "bell", (
        "announce", "take-back-announcement", "call-judge", "take-call", "close-call",
    )),
    "cards": Kind(N_("Rulings and payments"), "card", (
        "ruling", "take-back-ruling", "paid", "unpaid", "give-back", "set-fee",
    )),
    "awards": Kind(N_("Awards"), "trophy", (
        "add-award", "move-award", "name-winner", "remove-award", "unname-winner", "publish-awards", "show-award",
        "unpublish-awards", "clear-awards", "finish-event", "set-prizes", "draw-prize", "give-prize",
    )),
    "undone": Kind(N_("Undone"), "undo", (
        "undo", "undo-check-in", "undo-step", "undo-campaign-step", "go-back", "reopen-event", "open-again",
    )),
    OTHER: Kind(N_("Other changes"), "pen"),
}  # fmt: skip
KIND_OF = {verb: key for key, kind in KINDS.items() for verb in kind.verbs}


def kind_of(verb: str) -> str:
    return KIND_OF.get(verb, OTHER)


def sign_of(entry: JournalEntry) -> str:
    return KINDS[kind_of(entry.verb)].sign
