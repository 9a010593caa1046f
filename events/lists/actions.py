"""Force lists: saving, submitting, approving and sending back; undoing a change; checking all after new terms."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from events.accounts.access import list_open, lists_locked
from events.lists.locks import SITTING, follow_change, unlock
from events.lists.queries import differences
from events.play.errors import Refused, Stale
from events.play.journal import note
from events.play.queries import (
    edition_of,
    force_of,
    force_steps,
    forces_of,
    journal_of,
    placed,
    players_of,
    system_of,
    terms_for,
    terms_of,
    verdict_on,
)
from models.event import Event, EventState
from models.play import ForceList, ForceStep, Player
from validators.canonical import canonical_text, fingerprint, sha256_of
from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.restrictions import as_document, from_document

MOST_STEPS = 50
AT_ONE_GO = timedelta(seconds=10)
"""Changes of one name or one count that follow each other so quickly are one step."""


def remember(s: Session, force: ForceList, document: Document, now: datetime, *, typed: bool) -> None:
    """Before ``document`` takes the place of the force's own: keep that, and forget what was undone before.

    What is ``typed`` may be one step with what was typed at the same place just before.
    """
    undone = force_steps(s, force, undone=True)
    steps = force_steps(s, force, undone=False)
    for step in undone:
        s.delete(step)
    place = _typed_in(force.document, document) if typed else ""
    at_one_go = steps and not undone and now - force.saved_at <= AT_ONE_GO
    if at_one_go and place and place == _typed_in(steps[-1].document, force.document):
        if steps[-1].document == document:
            s.delete(steps[-1])  # typed and taken back by hand
        return
    s.add(ForceStep(force_list_id=force.id, document=force.document, undone=False))
    for step in steps[: max(0, len(steps) + 1 - MOST_STEPS)]:
        s.delete(step)


def step(s: Session, force: ForceList, *, undone: bool) -> Document | None:
    """Take the newest step, earlier or undone, and keep the force's own document for the way back. None without one."""
    steps = force_steps(s, force, undone=undone)
    if not steps:
        return None
    document: Document = steps[-1].document
    s.delete(steps[-1])
    s.add(ForceStep(force_list_id=force.id, document=force.document, undone=not undone))
    return document


def _typed_in(before: Any, after: Any, place: str = "") -> str:
    """Where two documents differ, if it is one name of the force or one count of an item; "" otherwise."""
    if type(before) is not type(after):
        return ""
    if isinstance(before, dict):
        parts = [(f"{place}.{key}", before[key], after.get(key)) for key in before]
    elif isinstance(before, list) and len(before) == len(after):
        parts = [(f"{place}.{at}", one, other) for at, (one, other) in enumerate(zip(before, after, strict=True))]
    else:
        return place if place == ".name" or place.endswith(".count") else ""
    differ = [part for part in parts if part[1] != part[2]]
    return _typed_in(differ[0][1], differ[0][2], differ[0][0]) if len(differ) == 1 else ""


@dataclass(frozen=True)
class Affected:
    """A list whose total, broken rules or queries new terms would change, with both verdicts."""

    player: Player
    before: Verdict
    after: Verdict

    @property
    def turns(self) -> str:
        """What becomes of it: "illegal", "legal", or "" where it stays the one or the other."""
        if self.before.legal == self.after.legal:
            return ""
        return "legal" if self.after.legal else "illegal"


class WouldAffect(Refused):
    """The settings touch lists at hand: nothing was changed; ``mark`` sent along says that it was seen."""

    status = 200

    def __init__(self, affected: list[Affected], mark: str) -> None:
        super().__init__("Look at what this does to the lists at hand, then save again.")
        self.affected = affected
        self.mark = mark


def look_first(s: Session, event: Event, there: Terms, seen: str) -> list[Affected]:
    """The lists that new terms would touch. Raises WouldAffect unless all that it does to them was seen."""
    affected = affected_by(s, event, there)
    asked = [there.edition.id, there.size, as_document(there.restrictions)]
    shown = [[one.player.id, _shown(one.before), _shown(one.after)] for one in affected]
    mark = sha256_of(canonical_text([*asked, shown]))[:16]
    if affected and seen != mark:
        raise WouldAffect(affected, mark)
    return affected


def affected_by(s: Session, event: Event, there: Terms) -> list[Affected]:
    """The lists that new terms would touch: first those that become illegal, then by name of their players."""
    system, here = system_of(event), terms_of(s, event)
    if here == there:
        return []
    forces, found = forces_of(s, event), []
    for player in sorted(placed(players_of(s, event)), key=lambda p: p.name_key):
        if player.id in forces:
            before = verdict_on(event, player, forces[player.id], here)
            document = forces[player.id].document | {"edition": there.edition.id}
            after = system.check_force(document, terms_for(there, player))
            if _shown(before) != _shown(after):
                found.append(Affected(player, before, after))
    return sorted(found, key=lambda one: one.turns != "illegal")


def turned(affected: Iterable[Affected]) -> dict[int, str]:
    """The lists that become legal or illegal, by player id, for the journal."""
    return {one.player.id: one.turns for one in affected if one.turns}


def _shown(verdict: Verdict) -> list[object]:
    # Not the findings' words: they name the event's size, and would differ for a list that nothing else touches.
    rules = [sorted(Counter(f.rule for f in found).items()) for found in (verdict.problems, verdict.queries)]
    return [verdict.total, *([[rule, often] for rule, often in told] for told in rules)]


def carry_over(s: Session, event: Event, affected: list[Affected], actor: str, now: datetime) -> None:
    """Bring the lists to the event's new terms, which stand already.

    A list that is illegal now is a draft again, and its player reads why; no approval outlives what it was given for.
    A list that earlier terms had made a draft and that is legal now loses that note, and counts as handed in as it was
    before, if it has not been changed since.
    """
    forces, terms = forces_of(s, event), terms_of(s, event)
    fallen = {one.player.id: one.after for one in affected if one.turns == "illegal"}
    for player in players_of(s, event):
        force = forces.get(player.id)
        if force is None:
            continue
        carried = force.document["edition"] != event.edition
        if carried:
            force.document = force.document | {"edition": event.edition}
            force.saved_at, force.approved_at = now, None
        if player.id in fallen:
            _back_to_draft(event, terms.edition, force, fallen[player.id], now)
        elif force.sent_back_by_terms:
            _look_again(event, terms.edition, force, verdict_on(event, player, force, terms))
        if carried:
            follow_change(s, event, player, force, actor, now)


def end_note(force: ForceList) -> None:
    """Take back what new terms had written to a list's player."""
    force.sent_back_at = force.sent_back_note = force.submitted_before = None
    force.sent_back_by_terms = False


def _look_again(event: Event, edition: EditionInfo, force: ForceList, verdict: Verdict) -> None:
    if verdict.legal:
        force.submitted_at = force.submitted_before
        end_note(force)
    else:
        force.sent_back_note = _note_on(event, edition, verdict)


def _back_to_draft(event: Event, edition: EditionInfo, force: ForceList, verdict: Verdict, now: datetime) -> None:
    force.approved_at = None
    if force.submitted_at is not None:
        force.submitted_before, force.submitted_at, force.sent_back_at = force.submitted_at, None, now
        force.sent_back_by_terms, force.sent_back_note = True, _note_on(event, edition, verdict)


def _note_on(event: Event, edition: EditionInfo, verdict: Verdict) -> str:
    broken = ", ".join(dict.fromkeys(problem.rule for problem in verdict.problems))
    return (
        f"The event is now played at {event.size} {system_of(event).unit} by “{edition.name}”, with the rules that "
        f"stand on its page, and this list is not legal any more ({broken}). Please mend it and submit it again."
    )


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
