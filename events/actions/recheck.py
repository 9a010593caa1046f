"""What new terms (size, edition, restrictions) do to the lists at hand: told before it is done, then done."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from events.actions.locks import follow_change
from events.errors import Refused
from events.reading import edition_of, forces_of, placed, players_of, system_of, terms_for, terms_of, verdict_on
from models.event import Event
from models.play import ForceList, Player
from validators.canonical import canonical_text, sha256_of
from validators.contract import EditionInfo, Terms, Verdict
from validators.restrictions import as_document


@dataclass(frozen=True)
class Affected:
    """A list that would change from legal to illegal or back, with both verdicts."""

    player: Player
    before: Verdict
    after: Verdict


class WouldAffect(Refused):
    """The settings change what is legal: nothing was changed; ``mark`` sent along says that it was seen."""

    status = 200

    def __init__(self, affected: list[Affected], mark: str) -> None:
        super().__init__("Look at what this does to the lists at hand, then save again.")
        self.affected = affected
        self.mark = mark


def look_first(s: Session, event: Event, there: Terms, seen: str) -> list[Affected]:
    """The lists that new terms would make legal or illegal. Raises WouldAffect unless all were seen."""
    affected = affected_by(s, event, there)
    asked = [there.edition.id, there.size, as_document(there.restrictions)]
    mark = sha256_of(canonical_text([*asked, [[one.player.id, one.after.legal] for one in affected]]))[:16]
    if affected and seen != mark:
        raise WouldAffect(affected, mark)
    return affected


def affected_by(s: Session, event: Event, there: Terms) -> list[Affected]:
    """The lists, by name of their players, whose legality new terms would change."""
    system, here = system_of(event), terms_of(s, event)
    if here == there:
        return []
    forces, found = forces_of(s, event), []
    for player in sorted(placed(players_of(s, event)), key=lambda p: p.name_key):
        if player.id in forces:
            before = verdict_on(event, player, forces[player.id], here)
            document = forces[player.id].document | {"edition": there.edition.id}
            after = system.check_force(document, terms_for(there, player))
            if before.legal != after.legal:
                found.append(Affected(player, before, after))
    return found


def carry_over(s: Session, event: Event, affected: list[Affected], actor: str, now: datetime) -> None:
    """Bring the lists to the event's new terms, which stand already.

    A list that is illegal now is a draft again, and its player reads why; no approval outlives what it was given for.
    """
    forces = forces_of(s, event)
    fallen = {one.player.id: one.after for one in affected if not one.after.legal}
    edition = edition_of(s, event)
    for player in players_of(s, event):
        force = forces.get(player.id)
        if force is None:
            continue
        if force.document["edition"] != event.edition:
            force.document = force.document | {"edition": event.edition}
            force.saved_at, force.approved_at = now, None
            follow_change(s, event, player, force, actor, now)
        if player.id in fallen:
            _back_to_draft(event, edition, force, fallen[player.id], now)


def _back_to_draft(event: Event, edition: EditionInfo, force: ForceList, verdict: Verdict, now: datetime) -> None:
    force.approved_at = None
    if force.submitted_at is not None:
        system = system_of(event)
        force.submitted_at, force.sent_back_at = None, now
        broken = ", ".join(dict.fromkeys(problem.rule for problem in verdict.problems))
        force.sent_back_note = (
            f"The event is now played at {event.size} {system.unit} by “{edition.name}”, with the rules that stand on "
            f"its page, and this list is not legal any more ({broken}). Please mend it and submit it again."
        )
