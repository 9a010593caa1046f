"""Suggested groups: fixes that make an illegal group legal, and legal random samples."""

from collections.abc import Iterator
from random import Random
from typing import Any

from languages.words import gettext
from validators.contract import Document, Fix, Terms
from validators.fallout_skirmish.check import CHECKS
from validators.fallout_skirmish.edition import Edition, ForceRow, RankRow
from validators.fallout_skirmish.force import blank_force, priced
from validators.kit.suggestions import Change, fewest_changes, first_legal, replaced, without

MOST_CHANGES = 3
MOST_LINES = 80
"""The most characters and item lines together, more than any real group has; larger ones get no fixes."""
MOST_CHECKED = 250
"""The most groups checked in one search. Fixes found until then are offered."""


def fixes(document: Document, terms: Terms) -> tuple[Fix, ...]:
    if sum(1 + len(model["items"]) for model in document["models"]) > MOST_LINES:
        return ()
    return fewest_changes(document, terms, CHECKS.check, _changes, MOST_CHANGES, MOST_CHECKED)


def _changes(document: Document, terms: Terms) -> Iterator[Change]:
    """Every single change of a document that could fix something."""
    group = priced(document, terms)
    models = document["models"]
    for character in group.characters:
        if not character.leader and character.rank:
            led = [model | {"leader": place == character.place} for place, model in enumerate(models)]
            yield gettext("Make %(character)s the leader", character=character.label), document | {"models": led}
        items = models[character.place]["items"]
        for name in group.force.may_wear(character.rank_name) if group.force else ():
            if not any(item.name == name for item in character.items):
                dressed = [*items, {"name": name, "count": 1}]
                words = gettext("Give %(character)s %(item)s", character=character.label, item=name)
                yield words, replaced(document, dressed, "models", character.place, "items")
        for k, item in enumerate(character.items):
            fewer = [items[k] | {"count": item.count - 1}] if item.count > 1 else []
            left = [*items[:k], *fewer, *items[k + 1 :]]
            changed = replaced(document, left, "models", character.place, "items")
            yield gettext("Take a %(item)s off %(character)s", item=item.name, character=character.label), changed
        if character.perks:
            words = gettext("Take the perks of %(character)s out", character=character.label)
            yield words, replaced(document, [], "models", character.place, "perks")
        yield gettext("Take %(character)s out", character=character.label), without(document, "models", character.place)
    if group.turfs:
        yield gettext("Leave the turfs out"), document | {"turfs": []}


_TRIES = 60
# fmt: off
_NAMES = (
    "Ash", "Bolt", "Cinder", "Dusty", "Ember", "Flint", "Grit", "Hatch", "Iris", "Juno", "Knox", "Lark", "Moss",
    "Nails", "Oakley", "Pike", "Quill", "Rust", "Sage", "Tin", "Umber", "Vex", "Wren", "Yarrow", "Zed",
)
# fmt: on


def sample_force(terms: Terms, faction: str, seed: int) -> Document:
    edition: Edition = terms.edition.lists
    force = edition.forces.find(faction)
    if force is None:
        raise ValueError(f"{faction} is not a force of the edition {terms.edition.id}")
    seeds = f"{terms.edition.id}/{force.name}/{seed}."
    return first_legal(
        terms, lambda _, dice: _drawn(terms, force, dice), CHECKS.check, seeds, _TRIES, f"group of {faction}"
    )


def _drawn(terms: Terms, force: ForceRow, dice: Random) -> Document:
    edition: Edition = terms.edition.lists
    size = terms.list_size
    group = blank_force(terms.edition, force.name)
    for _ in range(edition.file.turfs_at_start if edition.file.turfs else 0):
        rolled = dice.randint(1, 12) + dice.randint(1, 12)
        group["turfs"] += [turf.name for turf in edition.file.turfs if turf.first <= rolled <= turf.last]
    names = iter(dice.sample(_NAMES, len(_NAMES)))
    share = size * dice.randint(55, 75) // 100
    while fit := _hireable(group, force, terms, share if group["models"] else size):
        rank = force.top if not group["models"] else dice.choice(fit)
        items = [{"name": dice.choice(worn), "count": 1}] if (worn := _must(force, rank)) else []
        group["models"].append(
            {
                "rank": rank.name,
                "called": next(names, "") if dice.random() < 0.5 else "",
                "leader": not group["models"],
                "perks": [],
                "items": items,
            }
        )
    # First a weapon for everyone, then whatever the Caps buy.
    for everyone in (True, False):
        for model in dice.sample(group["models"], len(group["models"])):
            left = size - priced(group, Terms(terms.edition)).total
            unarmed = sum(all(force.worn(item["name"]) for item in each["items"]) for each in group["models"])
            weapons = _buyable(model, group, force, terms, left // max(1, unarmed) if everyone else left)
            if weapons and (everyone or dice.random() < 0.6):
                model["items"].append({"name": dice.choice(weapons), "count": 1})
    return group


def _must(force: ForceRow, rank: RankRow) -> tuple[str, ...]:
    return force.may_wear(rank.name) if rank.name in force.must_wear else ()


def _hireable(group: Document, force: ForceRow, terms: Terms, limit: int) -> list[RankRow]:
    """The ranks possible for one more character, with the armour that it must wear."""
    total = priced(group, Terms(terms.edition)).total
    if len(group["models"]) >= force.group_most:
        return []
    return [
        rank
        for rank in (force.ranks if group["models"] else [force.top])
        if sum(model["rank"] == rank.name for model in group["models"]) < rank.most
        and total + rank.caps + max((force.price(name) or 0 for name in _must(force, rank)), default=0) <= limit
    ]


def _buyable(model: dict[str, Any], group: Document, force: ForceRow, terms: Terms, left: int) -> list[str]:
    """The weapons and armour that this character may still buy."""
    now = priced(group, Terms(terms.edition))
    held = {item["name"] for item in model["items"]}
    dressed = any(force.worn(name) for name in held)
    names = [name for name, caps in force.weapons.items() if caps <= left and name not in held]
    guns = now.big_guns < now.big_guns_allowed and model["rank"] in force.big_gun_ranks
    fit = [name for name in names if guns or not ((item := now.edition.item(name)) and item.group.big_gun)]
    worn = () if dressed else force.may_wear(model["rank"])
    return fit + [name for name in worn if (force.price(name) or 0) <= left and held]
