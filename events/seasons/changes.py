"""Changes to what is closed: steps opened again, redone or left out, and rulings of the desk on a group.

The rules of all this are a table in docs/changes_of_mind.md.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from events.seasons.campaign_actions import Chance, add_step, as_seen, check_played, summary_of, take_out
from events.store.act import Act
from events.store.campaign import Games, campaign_history, campaign_results, counted_of, row_of_step, rows_of
from events.store.errors import Refused, Stale
from events.store.journal import note
from events.store.tournaments import tournament_of
from events.store.verdicts import sealed_lists, terms_for, terms_of, verdict_of
from languages.message import counted_message, joined, message
from languages.words import gettext
from models.play import Player
from validators.calculator import Asked
from validators.campaign import BY_DESK, REFOUNDED, RULING, UNDONE, Answered, Dice, Played, Step, StepRefused
from validators.campaign_changes import Opening, Redone, opened, otherwise, redo
from validators.campaign_history import History
from validators.names import alphabetical

FIXED = ("found", UNDONE, *BY_DESK)
"""The kinds of steps that cannot be opened again."""
AS_BEGUN = ("won_against_rating", "waited_for", "winner_names", "last")
"""What a game's first step keeps from when the steps began, whatever its result is now."""


def opening(history: History, player: Player, number: int) -> Opening:
    """What opening the player's step ``number`` again would do. Raises Refused for a step that cannot be opened."""
    steps = [entry.step for entry in history.entries_of(player.id)]
    if not any(step.number == number and step.kind not in FIXED for step in steps):
        raise Refused(gettext("This step cannot be opened again. Reload the page."))
    return opened(history, number)


def open_step(act: Act, player: Player, number: int, reason: str, seen: int) -> Opening:
    """Open a step again: it and all later ones of its group are set aside, in their order. Raises Refused and Stale."""
    history = as_seen(act.s, act.event, player, seen)
    made = opening(history, player, number)
    if not reason.strip():
        raise Refused(gettext("Give the reason: everybody who reads the journal sees it."), "reason")
    aside = {entry.step.number for entry in made.aside}
    for row in rows_of(act.s, act.event):
        row.aside = row.aside or row.number in aside
    names = sorted({history.world.names[entry.step.group] for entry in made.aside}, key=alphabetical)
    sentence = message(
        "Opened steps of %(name)s again: %(num)s set aside, of %(names)s: %(reason)s",
        name=player.name, num=len(aside), names=joined(names), reason=reason.strip(),
    )  # fmt: skip
    note(act, "open-campaign-step", sentence, player=player.id)
    return made


def as_of_now(history: History, games: Games) -> dict[int, Mapping[str, Any]]:
    """The present results of the games whose steps are set aside, as data by the numbers of their first steps."""
    results: dict[int, Mapping[str, Any]] = {}
    for step in (step for step in history.aside if step.kind == "play"):
        if now := games.get(step.data["game"], {}).get(step.group):
            results[step.number] = _as_begun(step, now)
    return results


def _as_begun(step: Step, now: Played) -> dict[str, Any]:
    """A game's present result as the data of its first step."""
    return asdict(replace(now, **{name: step.data[name] for name in AS_BEGUN if name in step.data}))


def redo_steps(act: Act, player: Player | None = None) -> tuple[Redone, ...]:
    """Redo what is set aside of a group, or of all, in order, each up to the first step that is not possible any more.

    The first step after a game counts its present result. Raises Refused.
    """
    check_played(act.event)
    history = campaign_history(act.s, act.event)
    games = campaign_results(tournament_of(act.event, drafts=True))
    groups = {player.id} if player else {step.group for step in history.aside}
    try:
        _, done = redo(history, groups, as_of_now(history, games))
    except StepRefused as refused:
        raise Refused(refused.message) from refused
    redone = {redone.step.number: redone.step for redone in done if not redone.why_not}
    for row in rows_of(act.s, act.event):
        if row.number in redone:
            row.aside, row.again, row.data = False, bool(row.rolls), dict(redone[row.number].data)
    if redone:
        names = joined(sorted({history.world.names[step.group] for step in redone.values()}, key=alphabetical))
        sentence = counted_message(
            "Redid %(num)s step that was set aside, of %(names)s",
            "Redid %(num)s steps that were set aside, of %(names)s",
            len(redone),
            names=names,
        )
        note(act, "campaign-step", sentence)
    return done


def leave_out(act: Act, player: Player, number: int, reason: str = "", *, rest: bool = False) -> int:
    """Leave out the group's first step that is set aside, or all with ``rest``. Returns how many.

    Steps whose dice were seen are left out by the desk only, with a ``reason``. Raises Refused and Stale.
    """
    s, event = act.s, act.event
    check_played(event)
    history = campaign_history(s, event)
    aside = history.aside_of(player.id)
    if not aside or aside[0].number != number:
        raise Stale(gettext("Another step was taken meanwhile. Reload the page."))
    gone = aside if rest else aside[:1]
    if not reason.strip() and any(map(history.world.rules.binds, gone)):
        raise Refused(
            gettext("Dice of these steps were seen: only the desk can leave them out, with a reason."), "reason"
        )
    rows, marker = {row.number: row for row in rows_of(s, event)}, history.next_number
    for step in gone:
        s.delete(rows[step.number])
        if left := step.undo_marker(marker, reason.strip()):
            s.add(row_of_step(event, replace(left, place=step.at), act.now))
            marker += 1
    sentence = counted_message(
        "Left out %(num)s step set aside of %(name)s",
        "Left out %(num)s steps set aside of %(name)s",
        len(gone),
        name=player.name,
    )
    if reason.strip():
        sentence = message("%(said)s: %(reason)s", said=sentence, reason=reason.strip())
    note(act, "undo-campaign-step", sentence, player=player.id)
    return len(gone)


def asks_of(history: History, player: Player) -> tuple[Asked, ...]:
    """What the desk can rule on in a group; its defaults change nothing. Nothing before the group is founded."""
    return history.world.rules.rulings(history.world, player.id) if player.id in history.world.groups else ()


def difference(history: History, step: Step, now: Played | None) -> Answered:
    """The ruling that gives a group what its steps would have given with the present result of their game."""
    group = step.group
    then = otherwise(history, step.number, None if now is None else _as_begun(step, now))
    return history.world.rules.compare(history.world.groups[group], then.groups[group])


def rule(act: Act, player: Player, answers: Answered, reason: str, settles: int, seen: int | None) -> None:
    """Rule on a group: change what it has, with a reason, or settle what is to be checked. Raises Refused and Stale.

    ``settles`` is the number of a step whose doubt or changed result this settles, 0 for none. ``seen`` is as in
    ``as_seen``.
    """
    s, event = act.s, act.event
    history = as_seen(s, event, player, seen)
    asks = asks_of(history, player)
    changes = {ask.key: answers[ask.key] for ask in asks if answers.get(ask.key, ask.default) != ask.default}
    if not reason.strip():
        raise Refused(gettext("Give the reason: it is shown in the ledger."), "reason")
    if not changes and not settles:
        raise Refused(gettext("Nothing is changed: fill in what the group gains or loses."))
    data: dict[str, Any] = {**changes, "reason": reason.strip()}
    if settles:
        step = next((entry.step for entry in history.entries_of(player.id) if entry.step.number == settles), None)
        if step is None:
            raise Stale(gettext("The step was opened again meanwhile. Reload the page."))
        results = campaign_results(tournament_of(event, drafts=True))
        now = results.get(step.data.get("game", 0), {}).get(player.id)
        data |= {"settles": settles, "counts": counted_of(now)}
    history = add_step(s, event, history, player, RULING, data, Dice(given=()), act.now)
    sentence = message("%(name)s: %(said)s", name=player.name, said=summary_of(history.entries[-1].messages))
    note(act, "campaign-ruling", sentence, player=player.id)


def revoke_group_ruling(act: Act, player: Player, number: int) -> None:
    """Take back a ruling on a group, unless a later step follows from it. Raises Refused."""
    check_played(act.event)
    history = campaign_history(act.s, act.event)
    entry = next((entry for entry in history.entries_of(player.id) if entry.step.number == number), None)
    if entry is None or entry.step.kind not in BY_DESK:
        raise Refused(gettext("This ruling was taken back already."))
    act.s.delete(take_out(act, history, number))
    sentence = message("%(name)s: took back “%(said)s”", name=player.name, said=summary_of(entry.messages))
    note(act, "campaign-ruling", sentence, player=player.id)


def refound(act: Act, player: Player, reason: str, chance: Chance, seen: int) -> None:
    """Found a group again from its locked list: it loses what it has, and begins as at the start. Raises Refused."""
    s, event = act.s, act.event
    history = as_seen(s, event, player, seen)
    if not reason.strip():
        raise Refused(gettext("Give the reason: it is shown in the ledger."), "reason")
    if history.aside_of(player.id):
        raise Refused(gettext("Redo or leave out the steps that are set aside first."))
    seals = sealed_lists(event).get(player.id, [])
    document = json.loads(seals[-1].text)["force"] if seals and seals[-1].submitted else None
    if document is None or not verdict_of(event, document, terms_for(terms_of(event), player)).legal:
        raise Refused(gettext("%(name)s has no legal locked list to found the group from.", name=player.name))
    data = {"document": document, "reason": reason.strip()}
    dice = Dice(chance(history.chance(player.id, REFOUNDED, "")))
    add_step(s, event, history, player, REFOUNDED, data, dice, act.now)
    sentence = message("Founded the group of %(name)s again: %(reason)s", name=player.name, reason=reason.strip())
    note(act, "campaign-ruling", sentence, player=player.id)
