"""The rules judged on the force as a whole: each function yields the problems under one id."""

from collections.abc import Iterator

from validators.battle_mode.findings import finding
from validators.battle_mode.priced import PricedForce, PricedModel
from validators.contract import Finding
from validators.names import fold, nearest
from validators.numbers import counted

BANNED_KINDS = (
    "boost",
    "event",
    "explore",
    "danger",
    "stranger",
    "creature",
    "quest",
    "solo",
    "settlement",
)


def heavy_weapons_allowed(size: int) -> int:
    """Heavy weapons allowed at a size in Caps: one at 500, one more per 250; none below 500 (a reading)."""
    return max(0, size // 250 - 1)


def size(force: PricedForce) -> Iterator[Finding]:
    """bm.size: the total is at most the event's size."""
    over = force.total - force.size
    if over > 0:
        yield finding(
            rule="bm.size",
            message=f"{force.total} Caps, {over} over the size of {force.size}",
            mend=f"Take out at least {over} Cap{'' if over == 1 else 's'}.",
            figures={"total": force.total, "size": force.size, "over": over},
        )


def heavy(force: PricedForce) -> Iterator[Finding]:
    """bm.heavy: heavy weapons bought, copies included, against what the size allows."""
    used, allowed = force.heavy_weapons, heavy_weapons_allowed(force.size)
    if used > allowed:
        yield finding(
            rule="bm.heavy",
            message=f"{counted(used, 'heavy weapon')}, {allowed} allowed at {force.size} Caps",
            figures={"used": used, "allowed": allowed, "size": force.size},
            models=[m for m in force.models if any(item.heavy for item in m.items)],
            mend=f"Take out {counted(used - allowed, 'heavy weapon')}.",
        )


def leader(force: PricedForce) -> Iterator[Finding]:
    """bm.leader: exactly one model is the Leader."""
    leaders = [m for m in force.models if m.leader]
    if not leaders:
        mend = "Mark one model as the Leader." if force.models else "Add a model and mark it as the Leader."
        yield finding("bm.leader", "No Leader, 1 needed", mend=mend, figures={"leaders": 0})
    elif len(leaders) > 1:
        yield finding(
            rule="bm.leader",
            message=f"{len(leaders)} Leaders, 1 allowed",
            figures={"leaders": len(leaders)},
            models=leaders,
            mend="Leave the mark on one of " + ", ".join(m.label for m in leaders) + ".",
        )


def leader_card(force: PricedForce) -> Iterator[Finding]:
    """bm.leader-card: known Leader cards stand on the Leader only, one at most, and one that its packs hold."""
    holders = [m for m in force.models if m.leader_card and m.leader_card.entry]
    for model in holders:
        if not model.leader and model.leader_card:
            yield finding(
                rule="bm.leader-card",
                message=f"{model.label} has the Leader card {model.leader_card.name} and is not the Leader",
                models=[model],
                mend=f"Take the card off {model.label}, or make it the Leader.",
            )
        held = model.leader_card.entry if model.leader_card else None
        if held and model.entry and not model.entry.may_have_leader_card(held.name):
            yield finding(
                rule="bm.leader-card",
                message=f"{model.label} may not have the Leader card {held.name}: it is in none of its packs",
                models=[model],
                mend=f"Take the card off {model.label}.",
            )
    loose = [card for card in force.cards if card.is_leader_card and card.entry]
    for card in loose:
        yield finding(
            rule="bm.leader-card",
            message=f"The Leader card {card.name} stands beside the models",
            mend="Take it out, or give it to the Leader.",
        )
    cards = len(holders) + len(loose)
    if cards > 1:
        yield finding(
            rule="bm.leader-card",
            message=f"{cards} Leader cards, 1 allowed",
            figures={"cards": cards},
            models=holders,
            mend=f"Take out {counted(cards - 1, 'Leader card')}.",
        )


def unique(force: PricedForce) -> Iterator[Finding]:
    """bm.unique: no person more than once, whichever of the person's models is taken."""
    by_person: dict[str, list[PricedModel]] = {}
    for model in force.models:
        if model.entry and model.entry.unique:
            by_person.setdefault(model.entry.unique, []).append(model)
    for person, models in by_person.items():
        if len(models) > 1:
            faces = ", ".join(dict.fromkeys(m.name for m in models))
            yield finding(
                rule="bm.unique",
                message=f"{person} is in the force {len(models)} times ({faces}), 1 allowed",
                figures={"used": len(models), "allowed": 1},
                models=models,
                mend=f"Keep one of them and take out {len(models) - 1}.",
            )


def banned(force: PricedForce) -> Iterator[Finding]:
    """bm.banned: cards of the kinds that Battle Mode leaves out."""
    for card in force.cards:
        if fold(card.kind) in BANNED_KINDS:
            yield finding(
                rule="bm.banned",
                message=f"{card.kind} card{f' {card.name}' if card.name else ''}: not used in Battle Mode",
                mend="Take the card out.",
            )


def faction(force: PricedForce) -> Iterator[Finding]:
    """bm.faction: the force's faction takes the field, and each known model is on its list."""
    fielded = tuple(f.name for f in force.edition.factions.values() if f.fielded)
    if force.faction is None:
        near = nearest(force.faction_name, fielded)
        yield finding(
            rule="bm.faction",
            message=f"{force.faction_name} is no faction of this edition",
            mend=f"Choose {' or '.join(near or fielded)}.",
        )
        return
    if not force.faction.fielded:
        yield finding(
            rule="bm.faction",
            message=f"{force.faction.name} take no part in Battle Mode in this edition",
            mend=f"Choose {' or '.join(fielded)}.",
        )
    for model in force.models:
        if model.entry and model.entry.faction != force.faction.name:
            yield finding(
                rule="bm.faction",
                message=f"{model.label} belongs to {model.entry.faction}, this force to {force.faction.name}",
                models=[model],
                mend=f"Take {model.label} out.",
            )
