"""Force lists: saving, submitting, and the lock."""

from datetime import datetime, timedelta

from sqlmodel import Session

from events.access import lists_locked
from events.actions.journal import note
from events.errors import Refused
from events.reading import force_of, forces_of, journal_of, players_of, system_of, verdict_on
from models.event import Event
from models.play import ForceList, Player
from validators.contract import Document

SITTING = timedelta(minutes=15)


def save_force(
    s: Session, event: Event, player: Player, document: Document, actor: str, now: datetime, *, by_organiser: bool
) -> ForceList:
    """Store a force as it is, legal or not. ``document`` comes from the system's ``read_force`` or ``edit_force``.

    A player's own changes end at the lock; the organiser's do not, and the journal says so. A list that was submitted
    and is illegal after the change counts as a draft again.
    """
    if document["edition"] != event.edition:
        raise Refused(
            f"This force is for the edition {document['edition']}; this event is played with {event.edition}."
        )
    if lists_locked(event, now) and not by_organiser:
        raise Refused("The list deadline has passed: lists are locked. Ask the organiser about a change.")
    force = force_of(s, player)
    if force is None:
        force = ForceList(player_id=player.id, document=document, saved_at=now)
        s.add(force)
    elif force.document == document:
        return force
    force.document, force.saved_at = document, now
    if force.submitted_at is not None and not verdict_on(event, force).legal:
        force.submitted_at = None
    if lists_locked(event, now):
        _show_faction(event, player, force)
    if by_organiser:
        _note_edit(s, event, player, actor, now)
    return force


def show_factions(s: Session, event: Event) -> None:
    """Let every player's page name the faction of their force. Before the lists lock that would give away a draft."""
    forces = forces_of(s, event)
    for player in players_of(s, event):
        if player.id in forces:
            _show_faction(event, player, forces[player.id])


def _show_faction(event: Event, player: Player, force: ForceList) -> None:
    if force.document["faction"] in system_of(event).edition(event.edition).factions:
        player.faction = force.document["faction"]


def _note_edit(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    # The builder saves with every press: one line tells of the whole sitting.
    newest = next(iter(journal_of(s, event, 1)), None)
    text = f"Changed the force of {player.name}"
    if newest is None or (newest.actor, newest.text) != (actor, text) or now - newest.at > SITTING:
        note(s, event, actor, now, "edit-force", text, player=player.id)


def submit_force(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Hand the saved force in. Raises Refused where it is illegal, with the rules that it breaks."""
    force = force_of(s, player)
    if force is None:
        raise Refused("There is no force to submit yet.")
    verdict = verdict_on(event, force)
    if not verdict.legal:
        broken = ", ".join(dict.fromkeys(problem.rule for problem in verdict.problems))
        raise Refused(f"This force is not legal yet ({broken}). It is kept as a draft.")
    if force.submitted_at is None:
        force.submitted_at = now
        note(
            s, event, actor, now, "submit-force",
            f"{player.name} submitted a force of {verdict.total} {system_of(event).unit}", player=player.id,
        )  # fmt: skip
