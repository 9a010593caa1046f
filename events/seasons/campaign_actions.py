"""A campaign: chosen, its groups founded, and the steps after each game taken, undone and closed."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from events.setup.campaign_choice import campaign_plan
from events.store.act import Act
from events.store.campaign import (
    campaign_history,
    campaign_results,
    campaign_rules,
    doubt_of,
    pending,
    played_with,
    row_of_step,
    rows_of,
    step_of,
)  # fmt: skip
from events.store.errors import Refused, Stale
from events.store.journal import check_takes_place, note
from events.store.tournaments import tournament_of
from events.store.verdicts import sealed_lists, terms_for, terms_of, verdict_of
from languages.message import Text, joined, message
from languages.words import N_, gettext
from models.campaign import CampaignStep
from models.event import Event, EventState
from models.play import Player, PlayerState
from validators.campaign import (
    BY_DESK,
    UNDONE,
    Answered,
    Dice,
    Offer,
    Step,
    StepRefused,
)
from validators.campaign_changes import SEEN_FIRST, held_by, inserted, place_of_next
from validators.campaign_history import History, HistoryEntry, apply_step, replay
from validators.contract import Document

MOST_MESSAGES = 20
"""Messages of a step in one line of the journal."""
Chance = Callable[[Sequence[object]], int]
"""The seed of the service's dice, from what they are about (``History.chance``)."""


def to_found(
    s: Session, event: Event, rows: Sequence[CampaignStep] | None = None
) -> list[tuple[Player, Document | None]]:
    """The players whose groups are to be founded, with their legal locked lists; None: there is none yet.

    As long as no sequence has begun, a group whose locked list is another now is founded again. ``rows`` are those of
    the steps, where they are read already.
    """
    if campaign_rules(event) is None or event.state != EventState.IN_PROGRESS:
        return []
    rows = rows_of(s, event) if rows is None else rows
    started = {row.player_id: row.data["document"] for row in rows if row.kind == "found"}
    fixed = started.keys() if len(rows) > len(started) else set[int]()
    terms, sealed = terms_of(event), sealed_lists(event)
    groups: list[tuple[Player, Document | None]] = []
    for player in event.players:
        if player.state != PlayerState.CHECKED_IN or player.id in fixed:
            continue
        seals = sealed.get(player.id, [])
        document = json.loads(seals[-1].text)["force"] if seals and seals[-1].submitted else None
        if document is not None and not verdict_of(event, document, terms_for(terms, player)).legal:
            document = None
        if player.id not in started or (document is not None and document != started[player.id]):
            groups.append((player, document))
    return groups


def found_groups(act: Act, chance: Chance) -> int:
    """Found the group of every player with a legal locked list. Returns how many; the others stay as they are.

    The plan is made again for the groups that take part now, until a step is taken. A group that is founded again from
    another list has the same dice.
    """
    s, event = act.s, act.event
    rows = rows_of(s, event)
    ready = {player.id: (player, document) for player, document in to_found(s, event, rows) if document is not None}
    if not ready:
        return 0
    again = [row for row in rows if row.kind == "found" and row.player_id in ready]
    for row in again:
        s.delete(row)
    s.flush()  # their numbers are free
    rules, kept = campaign_rules(event), event.campaign or {}
    if rules and not rows:
        kept = event.campaign = kept | {"settings": rules.chosen(kept["settings"])}  # without former ones
    if rules and (drawn_from := kept.get("seed")) and all(row.kind == "found" for row in rows):
        event.campaign = kept | {"plan": dict(campaign_plan(event, rules, kept["settings"], int(drawn_from)))}
    history = campaign_history(s, event, (row for row in rows if row not in again))
    for player, document in ready.values():
        dice = Dice(chance(history.chance(player.id, "found", "")))
        try:
            history = add_step(s, event, history, player, "found", {"document": document}, dice, act.now)
        except Refused as refused:
            raise Refused(gettext("%(name)s: %(message)s", name=player.name, message=refused.message)) from refused
        sentence = message("Founded the group of %(name)s from the locked list", name=player.name)
        note(act, "found-group", sentence, player=player.id)
    return len(ready)


def add_step(
    s: Session, event: Event, history: History, player: Player, kind: str, data: Mapping[str, object], dice: Dice,
    now: datetime,
) -> History:  # fmt: skip
    """Store a step after it was applied: before those of its group that are set aside; the desk's own after all others.

    Raises Refused and RollNeeded.
    """
    by_desk = kind in BY_DESK
    step = Step(history.next_number, player.id, kind, data)
    try:
        step = replace(step, place=None if by_desk else place_of_next(history, player.id))
        world = (history if by_desk else history.seen_by(player.id)).world
        applied = apply_step(world, step, dice)
        if dice.given:
            raise StepRefused(gettext("These are more dice than the step needs."), "rolls")
        step = replace(step, rolls=tuple(dice.rolled), typed=dice.seed is None and bool(dice.rolled))
        history = history.with_step(step, applied) if by_desk else inserted(history, step, applied)
    except StepRefused as refused:
        raise Refused(refused.message, refused.key) from refused
    s.add(row_of_step(event, step, now, str(dice.seed) if dice.rolled and not step.typed else None))
    s.flush()  # the next step follows it
    return history


def summary_of(messages: Sequence[Text], empty: str = N_("A step")) -> Text:
    """A step's messages in one text for the journal; ``empty`` if it has none."""
    return joined(messages[:MOST_MESSAGES], by=" ") if messages else message(empty)


def check_played(event: Event) -> None:
    """Raises Refused unless a campaign is being played."""
    if campaign_rules(event) is None or event.state != EventState.IN_PROGRESS:
        raise Refused(gettext("No campaign is being played."))
    check_takes_place(event)


def begin_steps(act: Act, player: Player) -> None:
    """Begin the steps after the player's oldest game that has none. Raises Refused."""
    s, event = act.s, act.event
    check_played(event)
    whole, t = campaign_history(s, event), tournament_of(event, drafts=True)
    history, results = whole.seen_by(player.id), campaign_results(t)
    world = history.world
    if player.id in world.phases:
        return
    if player.id not in world.groups:
        raise Refused(gettext("Your group is not founded yet: the organiser needs your legal list."))
    waiting = pending(history, results, player.id)
    if not waiting:
        raise Refused(gettext("No game of yours waits for its steps."))
    played = results[waiting[0]][player.id]
    against = world.names[played.opponent]
    if played.opponent not in world.groups:
        raise Refused(gettext("The group of %(against)s is not founded yet: ask the organiser.", against=against))
    then = played_with(history, played.opponent, played.game) or world  # before the opponent's own steps after the game
    here = {member.id for member in event.players if member.state != PlayerState.DROPPED} - {player.id}
    boards = [board for board in t.rounds[played.round - 1].boards if board.b]
    both = {int(id_ or 0) for board in boards for id_ in (board.a, board.b)} & world.groups.keys() & here
    still = tuple(sorted(id_ for id_ in both if id_ not in world.played or world.played[id_].round < played.round))
    rating = world.rules.rating(then.groups[played.opponent])
    still_open = any(str(player.id) in (a, b) for a, b in t.open_pairs())
    drawn = len(t.published) >= event.rounds
    last = len(waiting) == 1 and not still_open and drawn and not event.by_challenge and event.cut is None
    played = replace(played, won_against_rating=rating, waited_for=still, winner_names=True, last=last)
    add_step(s, event, whole, player, "play", played.__dict__, Dice(given=()), act.now)
    again = [step.number for step in whole.aside_of(player.id) if step.data.get("game") == played.game]
    for row in rows_of(s, event) if again else ():
        if row.number in again:
            s.delete(row)
    sentence = message("Began the steps of %(name)s after the game against %(other)s", name=player.name, other=against)
    note(act, "campaign-step", sentence, player=player.id, game=played.game)


def newest_step(history: History, player: Player) -> int:
    """The number of the group's newest step, 0 without one: a form names it, so that two presses do one step."""
    entries = history.seen_by(player.id).entries_of(player.id)
    return entries[-1].step.number if entries else 0


def as_seen(s: Session, event: Event, player: Player, seen: int | None) -> History:
    """The history; raises Stale where the group has another newest step than the form has seen, and Refused.

    ``seen`` is None where the newest step does not matter.
    """
    check_played(event)
    history = campaign_history(s, event)
    if seen is not None and newest_step(history, player) != seen:
        raise Stale(gettext("Another step was taken meanwhile. Reload the page."))
    return history


def take_offer(
    act: Act, player: Player, offer: Offer, answers: Answered, dice: Dice | Chance, seen: int
) -> list[HistoryEntry]:
    """Take an offered step of the group; with the service's dice one for each character that it is for.

    The answers are stored in the write that rolls. Raises Refused, Stale, and RollNeeded for dice still to be typed.
    """
    history = as_seen(act.s, act.event, player, seen)
    if held_by(history, player.id):
        raise Refused(gettext(SEEN_FIRST))
    alone = isinstance(dice, Dice) or not offer.each
    done = list[HistoryEntry]()
    for fixed in [offer.fixed] if alone else [{**offer.fixed, "who": who} for who in offer.each]:
        number, data = history.next_number, {**answers, **fixed}
        about = history.seen_by(player.id).chance(player.id, offer.kind, data.get("who", ""))
        rolled = dice if isinstance(dice, Dice) else Dice(dice(about))
        history = add_step(act.s, act.event, history, player, offer.kind, data, rolled, act.now)
        done.append(history.entries[history.position(number)])
    typed = any(entry.step.typed for entry in done)
    text = N_("%(name)s: %(said)s Dice typed.") if typed else N_("%(name)s: %(said)s")
    summary = summary_of([message for entry in done for message in entry.messages])
    note(act, "campaign-step", message(text, name=player.name, said=summary), player=player.id)
    return done


def end_phase(act: Act, player: Player, seen: int) -> bool:
    """End the phase, and those after it that pass; returns if the sequence is closed. Raises Refused and Stale."""
    history = as_seen(act.s, act.event, player, seen)
    doubt, why = doubt_of(act.s, history.seen_by(player.id), player)
    if why or held_by(history, player.id):
        raise Refused(why or gettext(SEEN_FIRST))
    if doubt:
        sentence = message("%(name)s goes on: %(doubt)s", name=player.name, doubt=doubt)
        note(act, "campaign-step", sentence, player=player.id)
    data = {"doubt": doubt} if doubt else {}
    while True:
        phase = history.seen_by(player.id).world.phase(player.id)
        history, data = add_step(act.s, act.event, history, player, "next", data, Dice(given=()), act.now), {}
        closed = player.id not in history.seen_by(player.id).world.phases
        if closed and held_by(history, player.id, closes=True):
            raise Refused(gettext(SEEN_FIRST))
        sentence = message("Closed the steps of %(name)s", name=player.name)
        if phase and not closed:
            sentence = message("Ended “%(phase)s” of %(name)s", phase=message(phase.title), name=player.name)
        note(act, "campaign-step", sentence, player=player.id)
        if not _passes(history, player):
            return closed


def _passes(history: History, player: Player) -> bool:
    """Whether the group's present phase has nothing for it and ends by itself."""
    world = history.seen_by(player.id).world
    phase = world.phase(player.id)
    return phase is not None and phase.passes and not world.rules.offers(world, player.id)


def undoable(history: History, player: Player) -> HistoryEntry | None:
    """The newest step of the group, if it can be taken back: its sequence is open, and it is not the founding.

    Only the desk takes back its own steps.
    """
    seen = history.seen_by(player.id)
    entries = (entry for entry in reversed(seen.entries_of(player.id)) if entry.step.kind not in (*BY_DESK, UNDONE))
    newest = next(entries, None)
    return newest if newest and newest.step.kind != "found" and player.id in seen.world.phases else None


def take_out(act: Act, history: History, number: int) -> CampaignStep:
    """The row of a step from which no later one follows, to be deleted or set aside. Raises Refused where one does."""
    later = history.entries[history.position(number) + 1 :]
    try:
        without = replay(history.before(number), [entry.step for entry in later]).entries
    except StepRefused as refused:
        raise Refused(
            gettext("Another group’s step follows from this one: %(message)s", message=refused.message)
        ) from refused
    changed = next((new for old, new in zip(later, without, strict=True) if old != new), None)
    if changed is not None:
        raise Refused(
            gettext("A later step of %(names)s follows from this one.", names=history.world.names[changed.step.group])
        )
    return next(row for row in rows_of(act.s, act.event) if row.number == number)


def undo_step(act: Act, player: Player, seen: int) -> None:
    """Take back the newest step of an open sequence. Raises Refused where another group's step follows from it.

    A step whose dice of the service were seen is set aside with them and its answers.
    """
    s, event = act.s, act.event
    history = as_seen(s, event, player, seen)
    undone = undoable(history, player)
    if undone is None:
        raise Refused(gettext("All steps are closed: nothing can be undone."))
    if any(map(history.world.rules.binds, history.aside_of(player.id)[:1])):
        raise Refused(gettext(SEEN_FIRST))  # else what led to the seen roll is undone, and another roll asked for
    step = undone.step
    row = take_out(act, history, step.number)
    if history.world.rules.binds(step):
        row.aside = True
    else:
        s.delete(row)
        if left := step_of(row).undo_marker(history.next_number):
            at = step.at if history.aside_of(player.id) else None
            s.add(row_of_step(event, replace(left, place=at), act.now))
    text = N_("Set aside a step of %(name)s: %(said)s") if row.aside else N_("Undid a step of %(name)s: %(said)s")
    summary = summary_of(undone.messages, N_("the beginning or end of a phase"))
    note(act, "undo-campaign-step", message(text, name=player.name, said=summary), player=player.id)
    if step.kind == "next" and _passes(history := campaign_history(s, event), player):
        undo_step(act, player, newest_step(history, player))
