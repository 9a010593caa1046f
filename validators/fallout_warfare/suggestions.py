"""Suggested armies: fixes that make an illegal army legal, and legal random samples."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from languages.words import N_, gettext
from validators.contract import Document, Fix, Terms
from validators.fallout_warfare.check import CHECKS
from validators.fallout_warfare.edition import Edition, Troop
from validators.fallout_warfare.force_file import blank_force, read_force
from validators.kit.suggestions import Change, fewest_changes, first_legal, replaced, without

MOST_CHECKED = 300
_LINE_CHANGES: dict[str, Any] = {"weapon": "", "grenades": 0, "items": [], "skills": [], "level": 1}
_WORDS = {
    "grenades": N_("grenades"),
    "items": N_("items"),
    "skills": N_("skills"),
    "level": N_("the level"),
}


def fixes(document: Document, terms: Terms) -> tuple[Fix, ...]:
    if not document["squads"]:
        return ()
    return fewest_changes(document, terms, CHECKS.check, _changes, 1, MOST_CHECKED)


def _changes(document: Document, terms: Terms) -> Iterator[Change]:
    """Every single removal: equipment of figures, a figure, a line, a squad, a vehicle, mines."""
    for i, squad in enumerate(document["squads"]):
        for j, model in enumerate(squad["models"]):
            line = ("squads", i, "models", j)
            who = gettext("%(name)s in squad %(number)s", name=model["name"], number=i + 1)
            for key, nothing in _LINE_CHANGES.items():
                if model[key] != nothing:
                    what = model["weapon"] if key == "weapon" else gettext(_WORDS[key])
                    yield (
                        gettext("Take %(item)s off %(model)s", item=what, model=who),
                        replaced(document, nothing, *line, key),
                    )
            for fewer in range(model["count"] - 1, 0, -1):
                gone = model["count"] - fewer
                words = gettext("Take out %(count)s × %(name)s", count=gone, name=who)
                yield words, replaced(document, fewer, *line, "count")
            yield gettext("Take out %(name)s", name=who), without(document, *line)
        if len(document["squads"]) > 1:
            yield gettext("Take out squad %(number)s", number=i + 1), without(document, "squads", i)
    for k, name in enumerate(document["vehicles"]):
        yield gettext("Take out %(name)s", name=name), without(document, "vehicles", k)
    if document["mines"]:
        yield gettext("Take out the mines"), document | {"mines": 0}


_TRIES = 80
_LIGHT = ("Rifle", "SMG", "Pistol", "Spear", "Knife", "Club")


def sample_force(terms: Terms, faction: str, seed: int) -> Document:
    edition: Edition = terms.edition.lists
    listed = edition.by_name.factions.find(faction)
    if listed not in edition.fielded:
        raise ValueError(f"no army of {faction} can be built from the edition {edition.id}")
    seeds = f"{edition.id}/{listed}/{terms.list_size}/{seed}/"
    return first_legal(
        terms, lambda _, dice: _drawn(terms, listed, dice), CHECKS.check, seeds, _TRIES, f"army of {faction}"
    )


def _drawn(terms: Terms, faction: str, dice: Random) -> Document:
    """Squad after squad, while the army stays legal and without queries."""
    edition: Edition = terms.edition.lists
    army = blank_force(terms.edition, faction)
    troops = [troop for troop in edition.troops if troop.faction == faction]
    for _ in range(30):
        larger = army | {"squads": [*army["squads"], _squad(edition, troops, dice)]}
        larger = read_force(larger, terms.edition)
        if _settled(larger, terms):
            army = larger
    rides = [army | {"vehicles": [vehicle.name]} for vehicle in edition.vehicles]
    able = [ride for ride in rides if _settled(ride, terms)]
    return dice.choice(able) if able else army


def _settled(army: Document, terms: Terms) -> bool:
    verdict = CHECKS.check(army, replace(terms, least=0))  # it still grows
    return verdict.legal and not verdict.queries


def _squad(edition: Edition, troops: list[Troop], dice: Random) -> dict[str, Any]:
    lords = [troop for troop in troops if troop.kind == "beastlord"]
    if lords:
        return _pack(lords[0], [troop for troop in troops if troop.beast], dice)
    led = [troop for troop in troops if len(troop.ranks) > 1]
    troop = dice.choice(led or troops)
    grunts = dice.randint(3, 6)
    weapon = _weapon(edition, troop, dice)
    models = [_leader(edition, troop, dice)] if led else []
    with_heavy = dice.random() < 0.3
    restricted = [weapon.name for weapon in edition.weapons if weapon.restricted]
    heavy = dice.choice(restricted) if with_heavy and troop.weapons == "any" else ""
    if heavy and grunts > 3:
        models.append(figures(troop.name, "grunt", 1, heavy))
        grunts -= 1
    models.append(figures(troop.name, "grunt", grunts, weapon))
    return {"name": "", "models": models}


def _pack(lord: Troop, beasts: list[Troop], dice: Random) -> dict[str, Any]:
    rank = dice.choice(["squadleader", "squadleader", "hero"])
    kinds = dice.sample([beast for beast in beasts if beast.kind != "alpha"], 2)
    models = [figures(lord.name, rank, 1, "Spear")]
    models += [figures(beast.name, "grunt", dice.randint(1, 2)) for beast in kinds]
    return {"name": "", "models": models}


def _leader(edition: Edition, troop: Troop, dice: Random) -> dict[str, Any]:
    rank = dice.choice([rank for rank in troop.ranks if rank != "grunt"])
    leader = figures(troop.name, rank, 1, _weapon(edition, troop, dice))
    items = [item.name for item in edition.items if not item.faction and not item.intelligence]
    leader["items"] = dice.sample(items, 1) if dice.random() < 0.6 else []
    if rank == "hero":
        leader["skills"] = [{"name": dice.choice([*edition.skills, "Piloting"]), "level": 5}]
        if leader["skills"][0]["name"] in troop.free_skills("hero"):
            leader["skills"] = []
    return leader


def _weapon(edition: Edition, troop: Troop, dice: Random) -> str:
    known = [name for name in _LIGHT if edition.by_name.weapons.find(name)]
    return dice.choice(known) if troop.weapons == "any" and known else ""


def figures(name: str, rank: str, count: int, weapon: str = "") -> dict[str, Any]:
    return {"name": name, "rank": rank, "count": count, "weapon": weapon}
