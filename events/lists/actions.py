"""Force lists: save, submit, approve, send back, undo a change; check all lists against new terms."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import col, select

from events.lists.locks import SITTING, follow_change, unlock
from events.lists.queries import list_differences
from events.store.act import Act
from events.store.editions import edition_of, system_of
from events.store.errors import Refused, Stale
from events.store.journal import check_not_over, note, said_of
from events.store.notices import notify
from events.store.players import by_name, placed
from events.store.verdicts import force_steps, forces_of, terms_for, terms_of, verdict_of, verdict_on
from events.visitors.access import list_open, lists_locked
from languages.message import Text, message
from languages.words import N_, gettext, ngettext
from models.dispatch import Occasion
from models.event import Event
from models.journal import JournalEntry
from models.play import ForceList, ForceStep, Player
from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.strict_json import canonical_text, fingerprint, sha256_of

MOST_STEPS = 50
ONE_STEP = timedelta(seconds=10)
"""How long repeated changes of one name or count count as one step."""


def keep_list_step(force: ForceList, document: Document, now: datetime, *, typed: bool) -> None:
    """Store the force's document as an undo step before ``document`` replaces it, and delete all redo steps.

    A ``typed`` change is merged with the previous step if that changed the same name or count.
    """
    undone = force_steps(force, undone=True)
    steps = force_steps(force, undone=False)
    for step in undone:
        force.steps.remove(step)
    place = _typed_in(force.document, document) if typed else ""
    joins = steps and not undone and now - force.saved_at <= ONE_STEP
    if joins and place and place == _typed_in(steps[-1].document, force.document):
        if steps[-1].document == document:
            force.steps.remove(steps[-1])  # typed and deleted again
        return
    force.steps.append(ForceStep(document=force.document, undone=False))
    for step in steps[: max(0, len(steps) + 1 - MOST_STEPS)]:
        force.steps.remove(step)


def take_step(force: ForceList, *, undone: bool) -> Document | None:
    """Remove the newest undo step, or redo step (``undone``), and return its document; None if there is none.

    The force's own document is stored as a step of the other kind.
    """
    steps = force_steps(force, undone=undone)
    if not steps:
        return None
    document: Document = steps[-1].document
    force.steps.remove(steps[-1])
    force.steps.append(ForceStep(document=force.document, undone=not undone))
    return document


def _typed_in(before: Any, after: Any, place: str = "") -> str:
    """The only place where two documents differ, if it is the force's name or a count; else ""."""
    if type(before) is not type(after):
        return ""
    if isinstance(before, dict):
        parts = [(f"{place}.{key}", before[key], after.get(key)) for key in before]
    elif isinstance(before, list) and len(before) == len(after):
        parts = [(f"{place}.{at}", old, other) for at, (old, other) in enumerate(zip(before, after, strict=True))]
    else:
        return place if place == ".name" or place.endswith(".count") else ""
    differ = [part for part in parts if part[1] != part[2]]
    return _typed_in(differ[0][1], differ[0][2], differ[0][0]) if len(differ) == 1 else ""


@dataclass(frozen=True)
class Affected:
    """A list whose total, broken rules or queries change under new terms, with both verdicts."""

    player: Player
    before: Verdict
    after: Verdict

    @property
    def turns(self) -> str:
        """Whether it becomes "illegal" or "legal"; "" if neither."""
        if self.before.legal == self.after.legal:
            return ""
        return "legal" if self.after.legal else "illegal"


class WouldAffect(Refused):
    """The settings would change lists, so nothing was saved; the form sends ``mark`` back to confirm them."""

    status = 200

    def __init__(self, affected: list[Affected], terms: Terms, mark: str) -> None:
        super().__init__(gettext("Check the changes to the lists, then save again."))
        self.affected, self.terms, self.mark = affected, terms, mark


def confirm_affected(event: Event, terms: Terms, seen: str) -> list[Affected]:
    """The lists that new terms would change. Raises WouldAffect unless ``seen`` is the mark of these changes."""
    affected = affected_by(event, terms)
    asked = [terms.edition.id, terms.size, asdict(terms.restrictions)]
    shown = [[effect.player.id, _shown(effect.before), _shown(effect.after)] for effect in affected]
    mark = sha256_of(canonical_text([*asked, shown]))[:16]
    if affected and seen != mark:
        raise WouldAffect(affected, terms, mark)
    return affected


def affected_by(event: Event, terms: Terms) -> list[Affected]:
    """The lists that new terms would change: those that become illegal first, then by player name."""
    system, current = system_of(event), terms_of(event)
    if current == terms:
        return []
    forces, affected = forces_of(event), []
    for player in sorted(placed(event.players), key=by_name):
        if player.id in forces:
            before = verdict_of(event, forces[player.id].document, terms_for(current, player))
            document = forces[player.id].document | {"edition": terms.edition.id}
            after = system.checks.check(document, terms_for(terms, player))
            if _shown(before) != _shown(after):
                affected.append(Affected(player, before, after))
    return sorted(affected, key=lambda effect: effect.turns != "illegal")


def turned(affected: Iterable[Affected]) -> dict[int, str]:
    """The lists that become legal or illegal, by player id, for the journal."""
    return {effect.player.id: effect.turns for effect in affected if effect.turns}


def _shown(verdict: Verdict) -> list[object]:
    # Without the findings' messages, which contain the event's size and so differ even if the list is unchanged.
    rules = [sorted(Counter(f.rule for f in row).items()) for row in (verdict.problems, verdict.queries)]
    return [verdict.total, *([list(count) for count in counts] for counts in rules)]


def carry_over(act: Act, affected: list[Affected]) -> None:
    """Adapt the lists to the event's new terms, which are stored already.

    A list that is illegal now becomes a draft, with a note to its player; an approval of a changed list ends. If
    earlier terms made a list a draft and it is legal now, it loses that note and, unless changed since, is submitted
    again as of its former time.
    """
    s, event = act.s, act.event
    forces, terms = forces_of(event), terms_of(event)
    for effect in affected:
        forces[effect.player.id].kept_queries = "-"
    fallen = {effect.player.id: effect.after for effect in affected if effect.turns == "illegal"}
    for player in event.players:
        force = forces.get(player.id)
        if force is None:
            continue
        carried = force.document["edition"] != event.edition
        if carried:
            if force.submitted and force.submitted_edition is None:
                force.submitted_edition = force.document["edition"]
            force.document = force.document | {"edition": event.edition}
            force.saved_at, force.approved_at = act.now, None
        if player.id in fallen:
            if force.submitted_at is not None:
                notify(s, Occasion.LIST_BACK, f"list of {act.now.isoformat()}", [player.id], act.now)
            _back_to_draft(event, terms.edition, force, fallen[player.id], act.now)
        elif force.sent_back_by_terms:
            _update_note(event, terms.edition, force, verdict_on(event, player, force, terms))
        if carried:
            follow_change(act, player, force)


def end_note(force: ForceList) -> None:
    force.sent_back_at = force.sent_back_note = force.submitted_before = None
    force.sent_back_by_terms = False


def _update_note(event: Event, edition: EditionInfo, force: ForceList, verdict: Verdict) -> None:
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
    text = N_(
        "The event is now played at %(size)s %(unit)s by “%(edition)s” and the rules on its page. This list is not "
        "legal any more (%(broken)s). Please fix it and submit it again."
    )
    unit = system_of(event).checks.unit
    return gettext(text, size=event.size, unit=unit, edition=edition.name, broken=broken)


CHANGED_ELSEWHERE = N_(
    "This list was changed in another tab, on another phone or by the organiser, after you opened this page. "
    "Your change is not saved. Reload the page to see the saved list."
)


def save_force(
    act: Act,
    player: Player,
    document: Document,
    *,
    by_organiser: bool,
    seen: str = "",
    stepped: bool = False,
    own_step: bool = False,
) -> ForceList:
    """Store a force, legal or not. ``document`` is what the game read from a file or a form.

    Players may change it until the lock and while it is unlocked, organisers always. The journal has the organiser's
    changes, and after the lock every change with its differences. A submitted list that becomes illegal is a draft
    again; any change ends an approval. ``seen`` is the fingerprint of the edited document; raises Stale if the stored
    one differs. The replaced document becomes an undo step, unless this is an undo or redo itself (``stepped``); with
    ``own_step`` it is never merged with the previous step.
    """
    event = act.event
    _check_may_save(event, player, document, act.now, by_organiser=by_organiser)
    force = player.force_list
    before = force.document if force else None
    if force is None:
        force = player.force_list = ForceList(document=document, saved_at=act.now)
    elif force.document == document:
        return force
    elif seen and seen != fingerprint(force.document):
        raise Stale(gettext(CHANGED_ELSEWHERE))
    elif not stepped:
        keep_list_step(force, document, act.now, typed=not own_step)
    force.document, force.saved_at = document, act.now
    force.submitted_before = force.submitted_edition = force.kept_queries = None
    _review_submission(act, player, force)
    follow_change(act, player, force)
    if lists_locked(event, act.now):
        words = list_differences(system_of(event), edition_of(event), before, document)
        _note_late(act, player, words)
    elif by_organiser:
        _note_edit(act, player)
    return force


def _check_may_save(event: Event, player: Player, document: Document, now: datetime, *, by_organiser: bool) -> None:
    if document["edition"] != event.edition:
        names = {"force": system_of(event).words.force, "other": document["edition"], "edition": event.edition}
        raise Refused(
            gettext("This %(force)s is for the edition %(other)s; this event is played with %(edition)s.", **names)
        )
    if not list_open(event, player, now) and not by_organiser:
        raise Refused(gettext("The list deadline has passed: lists are locked. Ask the organiser about a change."))


def _review_submission(act: Act, player: Player, force: ForceList) -> None:
    """After a change, end the approval; an illegal list is a draft, a legal one loses the note of new terms."""
    if force.submitted_at is not None or force.sent_back_by_terms:
        legal = verdict_on(act.event, player, force, terms_of(act.event)).legal
        if legal and force.sent_back_by_terms:
            end_note(force)
        elif not legal:
            force.submitted_at = None
    if force.approved_at is not None:
        force.approved_at = None
        text = message("The list of %(name)s was changed after its approval", name=player.name)
        note(act, "end-approval", text, player=player.id)


def step_force(act: Act, player: Player, *, by_organiser: bool, undone: bool) -> None:
    """Undo the force's last change, or redo it (``undone``); does nothing if there is none.

    Names in a step stored under another edition are looked up in the current one.
    """
    force = player.force_list
    earlier = take_step(force, undone=undone) if force else None
    if earlier is not None:
        document = system_of(act.event).forces.read(earlier | {"edition": act.event.edition}, edition_of(act.event))
        save_force(act, player, document, by_organiser=by_organiser, stepped=True)


def fix_force(act: Act, player: Player, key: str, *, by_organiser: bool) -> None:
    """Apply the suggested fix with this key to the saved force. Raises Stale if there is none."""
    force = player.force_list
    fixes = system_of(act.event).forces.fixes(force.document, terms_for(terms_of(act.event), player)) if force else ()
    fix = next((fix for fix in fixes if fix.key == key), None)
    if fix is None:
        changed = N_("The %(force)s has changed since these fixes were suggested. Check the new suggestions.")
        raise Stale(gettext(changed, force=system_of(act.event).words.force))
    save_force(act, player, fix.document, by_organiser=by_organiser, own_step=True)


def _note_edit(act: Act, player: Player) -> None:
    # The builder saves with every button, so one journal entry covers a whole sitting.
    mine = select(JournalEntry).where(JournalEntry.event_id == act.event.id)
    newest = act.s.exec(mine.order_by(col(JournalEntry.id).desc()).limit(1)).first()
    text = message("Changed the list of %(name)s", name=player.name)
    if newest is None or (newest.actor, said_of(newest)) != (act.actor, text) or act.now - newest.at > SITTING:
        note(act, "edit-force", text, player=player.id)


def _note_late(act: Act, player: Player, words: Text) -> None:
    text = message("Changed the list of %(name)s after the lock: %(changes)s", name=player.name, changes=words)
    note(act, "edit-force", text, player=player.id)


def submit_force(act: Act, player: Player) -> None:
    """Submit the saved force. Raises Refused, with the broken rules, if it is illegal."""
    event = act.event
    force = player.force_list
    if force is None:
        raise Refused(gettext("There is no %(force)s to submit yet.", force=system_of(event).words.force))
    terms = terms_of(event)
    verdict = verdict_on(event, player, force, terms)
    if not system_of(event).forces.summarise(force.document, terms.edition).lines:
        raise Refused(gettext("This %(force)s is empty. Build it, then submit it.", force=system_of(event).words.force))
    if not verdict.legal:
        first, *others = verdict.problems
        more = " " + ngettext("And %(num)s more problem.", "And %(num)s more problems.", len(others)) if others else ""
        why = f"{first.message.rstrip('.')}.{more}"
        word = system_of(event).words.force
        raise Refused(gettext("This %(force)s is not legal yet: it is kept as a draft. %(why)s", force=word, why=why))
    end_note(force)
    if terms.restrictions.faction_locked and not player.faction and force.document["faction"] in terms.edition.factions:
        player.faction = force.document["faction"]  # from now on the player is bound to this faction
    if force.submitted_at is None:
        force.submitted_at = act.now
        game = system_of(event)
        late = lists_locked(event, act.now)
        total = message("%(total)s %(unit)s", total=verdict.total, unit=message(game.checks.unit))
        text = (
            N_("%(name)s submitted a list of %(total)s after the lock")
            if late
            else N_("%(name)s submitted a list of %(total)s")
        )
        note(act, "submit-force", message(text, name=player.name, total=total), player=player.id)
        follow_change(act, player, force)


def document_mark(force: ForceList) -> str:
    """The document's mark on the organiser's page, sent back with the decision."""
    return sha256_of(canonical_text(force.document))


def approve(act: Act, player: Player, seen: str) -> None:
    """Approve the list whose mark is ``seen``. Raises Refused, or Stale if it was changed since."""
    force = _decided_on(player, seen)
    if not verdict_on(act.event, player, force, terms_of(act.event)).legal:
        raise Refused(gettext("This list is not legal and cannot be approved. Send it back."))
    if force.approved_at is None:
        force.approved_at = act.now
        note(act, "approve-list", message("Approved the list of %(names)s", names=player.name), player=player.id)


def send_back(act: Act, player: Player, words: str, seen: str) -> None:
    """Turn a list back into a draft, with the organiser's note to its player.

    A locked list stays unlocked until staff lock it again. Raises Refused once the event is over.
    """
    force = _decided_on(player, seen)
    check_not_over(act.event)
    force.submitted_at = force.approved_at = None
    force.sent_back_at, force.sent_back_note = act.now, words
    notify(act.s, Occasion.LIST_BACK, f"list of {act.now.isoformat()}", [player.id], act.now)
    note(act, "send-back", message("Sent the list of %(name)s back", name=player.name), player=player.id, words=words)
    if not list_open(act.event, player, act.now):
        unlock(act, player, None)


def _decided_on(player: Player, seen: str) -> ForceList:
    force = player.force_list
    if force is None or force.submitted_at is None:
        raise Refused(gettext("This list is not submitted."))
    if document_mark(force) != seen:
        raise Stale(gettext("The list was changed since you opened it. Please check it again."))
    return force
