"""Force lists: saving, submitting, approving, sending back."""

from datetime import datetime

from sqlmodel import Session

from events.access_lists import list_open, lists_locked
from events.actions.force_steps import remember, step
from events.actions.journal import note
from events.actions.locks import SITTING, follow_change, unlock
from events.actions.recheck import end_note
from events.errors import Refused, Stale
from events.list_changes import differences
from events.reading import edition_of, force_of, journal_of, system_of, terms_for, terms_of, verdict_on
from models.event import Event, EventState
from models.play import ForceList, Player
from validators.canonical import canonical_text, fingerprint, sha256_of
from validators.contract import Document
from validators.restrictions import from_document

CHANGED_ELSEWHERE = (
    "This list was changed elsewhere, in another tab, on another phone or by the organiser, after this page was "
    "opened. Your change is not saved. Reload the page to see the list as it is saved now."
)


def save_force(
    s: Session,
    event: Event,
    player: Player,
    document: Document,
    actor: str,
    now: datetime,
    *,
    by_organiser: bool,
    seen: str = "",
    stepped: bool = False,
    mended: bool = False,
) -> ForceList:
    """Store a force as it is, legal or not. ``document`` comes from the system's ``read_force`` or ``edit_force``.

    A player's own changes end at the lock, except while the list is unlocked; the organiser's do not. The
    journal has the organiser's changes, and after the lock every change with its differences. A list that was
    submitted and is illegal after the change counts as a draft again; any change ends an approval. ``seen`` is
    the fingerprint of the force that the change was made from: where another stands there now, from another tab
    or by the organiser, Stale is raised instead of overwriting it. What stood there before is kept as a step
    back, unless this is one (``stepped``); a suggested fix (``mended``) is a step of its own.
    """
    if document["edition"] != event.edition:
        raise Refused(
            f"This {system_of(event).words.force} is for the edition {document['edition']}; this event is played with "
            f"{event.edition}."
        )
    if not list_open(event, player, now) and not by_organiser:
        raise Refused("The list deadline has passed: lists are locked. Ask the organiser about a change.")
    force = force_of(s, player)
    before = force.document if force else None
    if force is None:
        force = ForceList(player_id=player.id, document=document, saved_at=now)
        s.add(force)
    elif force.document == document:
        return force
    elif seen and seen != fingerprint(force.document):
        raise Stale(CHANGED_ELSEWHERE)
    elif not stepped:
        remember(s, force, document, now, typed=not mended)
    force.document, force.saved_at, force.submitted_before = document, now, None
    if force.submitted_at is not None or force.sent_back_by_terms:
        legal = verdict_on(event, player, force, terms_of(s, event)).legal
        if legal and force.sent_back_by_terms:
            end_note(force)
        elif not legal:
            force.submitted_at = None
    if force.approved_at is not None:
        force.approved_at = None
        note(
            s, event, actor, now, "end-approval", f"The list of {player.name} was changed after its approval",
            player=player.id,
        )  # fmt: skip
    follow_change(s, event, player, force, actor, now)
    if lists_locked(event, now):
        words = differences(system_of(event), edition_of(s, event), before, document)
        _note_late(s, event, player, words, actor, now)
    elif by_organiser:
        _note_edit(s, event, player, actor, now)
    return force


def step_force(
    s: Session, event: Event, player: Player, actor: str, now: datetime, *, by_organiser: bool, undone: bool
) -> None:
    """Take the force's last change back, or with ``undone`` bring the last one again that was taken back.

    Does nothing where there is none. A document of another edition than the event's now is carried over by its names,
    as the list itself was.
    """
    force = force_of(s, player)
    earlier = step(s, force, undone=undone) if force else None
    if earlier is not None:
        document = system_of(event).read_force(earlier | {"edition": event.edition}, edition_of(s, event))
        save_force(s, event, player, document, actor, now, by_organiser=by_organiser, stepped=True)


def mend_force(
    s: Session, event: Event, player: Player, key: str, actor: str, now: datetime, *, by_organiser: bool
) -> None:
    """Do what one of the offers to make the saved force legal says. Raises Stale where none has this key."""
    force = force_of(s, player)
    offers = system_of(event).mendings(force.document, terms_for(terms_of(s, event), player)) if force else ()
    offer = next((offer for offer in offers if offer.key == key), None)
    if offer is None:
        raise Stale(
            f"The {system_of(event).words.force} is not what it was when these changes were offered. Look at what is "
            "offered now."
        )
    save_force(s, event, player, offer.document, actor, now, by_organiser=by_organiser, mended=True)


def _note_edit(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    # The builder saves with every press: one line tells of the whole sitting.
    newest = next(iter(journal_of(s, event, 1)), None)
    text = f"Changed the {system_of(event).words.force} of {player.name}"
    if newest is None or (newest.actor, newest.text) != (actor, text) or now - newest.at > SITTING:
        note(s, event, actor, now, "edit-force", text, player=player.id)


def _note_late(s: Session, event: Event, player: Player, words: str, actor: str, now: datetime) -> None:
    # After the lock every change counts, a player's own too.
    text = f"Changed the {system_of(event).words.force} of {player.name} after the lock: {words}"
    note(s, event, actor, now, "edit-force", text, player=player.id)


def submit_force(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Hand the saved force in. Raises Refused where it is illegal, with the rules that it breaks."""
    force = force_of(s, player)
    if force is None:
        raise Refused(f"There is no {system_of(event).words.force} to submit yet.")
    verdict = verdict_on(event, player, force, terms_of(s, event))
    if not verdict.legal:
        broken = ", ".join(dict.fromkeys(problem.rule for problem in verdict.problems))
        raise Refused(f"This {system_of(event).words.force} is not legal yet ({broken}). It is kept as a draft.")
    end_note(force)
    if from_document(event.restrictions).faction_locked and not player.faction:
        player.faction = force.document["faction"]  # from now on the player is bound to it
    if force.submitted_at is None:
        force.submitted_at = now
        game = system_of(event)
        late = " after the lock" if lists_locked(event, now) else ""
        note(
            s, event, actor, now, "submit-force",
            f"{player.name} submitted {game.words.a_force} of {verdict.total} {game.unit}{late}", player=player.id,
        )  # fmt: skip
        follow_change(s, event, player, force, actor, now)


def mark_of(force: ForceList) -> str:
    """A mark of what an organiser has before the eyes: the decision on a list goes with it."""
    return sha256_of(canonical_text(force.document))


def approve(s: Session, event: Event, player: Player, seen: str, actor: str, now: datetime) -> None:
    """An organiser has looked at the list, as ``seen`` marks it, and lets it stand."""
    force = _decided_on(s, player, seen)
    if not verdict_on(event, player, force, terms_of(s, event)).legal:
        raise Refused("This list is not legal: it can be sent back, not approved.")
    if force.approved_at is None:
        force.approved_at = now
        note(s, event, actor, now, "approve-list", f"Approved the list of {player.name}", player=player.id)


def send_back(s: Session, event: Event, player: Player, words: str, seen: str, actor: str, now: datetime) -> None:
    """Make a list a draft again, with the organiser's words to its player, who must be able to follow them.

    One that is locked is unlocked by it, until it is locked again by hand. Raises Refused once the event is over.
    """
    force = _decided_on(s, player, seen)
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    force.submitted_at = force.approved_at = None
    force.sent_back_at, force.sent_back_note = now, words
    note(s, event, actor, now, "send-back", f"Sent the list of {player.name} back", player=player.id, words=words)
    if not list_open(event, player, now):
        unlock(s, event, player, None, actor, now)


def _decided_on(s: Session, player: Player, seen: str) -> ForceList:
    force = force_of(s, player)
    if force is None or force.submitted_at is None:
        raise Refused("This list is not submitted.")
    if mark_of(force) != seen:
        raise Stale("The list was changed since you opened it. Look at it again.")
    return force
