"""What new terms (size, edition, restrictions) do to the lists at hand: told before it is done, then done."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from events.actions.locks import follow_change
from events.errors import Refused
from events.reading import forces_of, placed, players_of, system_of, terms_for, terms_of, verdict_on
from models.event import Event
from models.play import ForceList, Player
from validators.canonical import canonical_text, sha256_of
from validators.contract import EditionInfo, Terms, Verdict
from validators.restrictions import as_document


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
