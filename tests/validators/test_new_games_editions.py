"""Editions of New Vegas and skill combat as files: a weapon more is carried, and every fault has its line and field."""

import json
from typing import Any

import pytest

from validators import SYSTEMS
from validators.contract import EditionFiles, EditionInfo, Terms, UnreadableEdition

NEW_WEAPONS: dict[str, dict[str, Any]] = {
    "new_vegas": {
        "name": "Gauss Rifle", "kind": "ranged", "attacks": 1, "armour_penetration": 3, "fire_power": 3, "range": 24,
    },
    "skill_combat": {
        "name": "Gauss Rifle", "skill": "Small Guns", "mode": "quick", "stat": "PE", "range": 20, "damage": 12,
    },
}  # fmt: skip


def files_of(game: str) -> EditionFiles:
    files = SYSTEMS[game].edition_files
    assert files is not None
    return files


def document_of(game: str) -> dict[str, Any]:
    """The shipped edition's document as a club's, with one weapon more."""
    document: dict[str, Any] = json.loads(files_of(game).write(SYSTEMS[game].editions[0]))
    document |= {"id": "club", "name": "Our armoury", "date": "2027-01-15"}
    document["weapons"].append(NEW_WEAPONS[game])
    return document


def club(game: str) -> EditionInfo:
    return files_of(game).read(json.dumps(document_of(game)).encode())


def test_added_weapon_is_listed_compared_and_carried() -> None:
    for game in NEW_WEAPONS:
        system, files, edition = SYSTEMS[game], files_of(game), club(game)
        assert (edition.id, edition.name, edition.date) == ("club", "Our armoury", "2027-01-15"), game
        assert "Gauss Rifle" in dict(edition.names)["Weapons"], game
        (row,) = files.compare(system.editions[0], edition).rows
        assert (row.name, row.what, row.before) == ("Gauss Rifle", "added", ""), game
        (back,) = files.compare(edition, system.editions[0]).rows
        assert (back.what, back.after) == ("removed", ""), game
        assert [one.name for one in files.price_lists(edition)[0].rows][-1] == "Gauss Rifle", game
        for faction in edition.factions:
            terms = Terms(edition, system.default_size)
            assert system.checks.check(system.forces.sample(terms, faction, 1), terms).legal, game


def test_edition_of_other_classes_and_few_things_makes_samples() -> None:
    for game in NEW_WEAPONS:
        document = document_of(game)
        document["weapons"] = [NEW_WEAPONS[game]]
        if game == "new_vegas":
            document["classes"] = [{"name": "Cavalry", "markers": 2, "marker_detects": 8}]
            document["profiles"] = [{"name": "Rider", "special": [1, 1, 1, 0, 0, 2, 0], "weapons": ["Gauss Rifle"]}]
        else:
            document["items"] = []
        edition = files_of(game).read(json.dumps(document).encode())
        system = SYSTEMS[game]
        terms = Terms(edition, system.default_size)
        for seed in range(5):
            assert system.checks.check(system.forces.sample(terms, edition.factions[0], seed), terms).legal, game


def wrong(game: str, *path: str | int, value: object) -> tuple[str, ...]:
    """The faults of the club's document with this value at this place, one value a line."""
    document: Any = document_of(game)
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(UnreadableEdition) as caught:
        files_of(game).read(json.dumps(document, indent=1).encode())
    return caught.value.faults


def test_faults_are_reported_by_line_and_field() -> None:
    cases: list[tuple[str, tuple[str | int, ...], object, str]] = [
        ("new_vegas", ("weapons", 0, "attacks"), 0, "weapons[0].attacks: "),
        ("new_vegas", ("weapons", 3, "name"), "unarmed", "weapons[3]: "),
        ("new_vegas", ("weapons", 0, "strength"), 6, "weapons[0].strength: "),
        ("new_vegas", ("weapons", 0, "price"), 6, "weapons[0].price: "),
        ("new_vegas", ("profiles", 0, "special", 0), 6, "profiles[0].special[0]: "),
        ("new_vegas", ("profiles", 0, "weapons", 0), "Bow", "profiles[0].weapons[0]: "),
        ("new_vegas", ("profiles", 0, "weapons", 0), "Minigun", "profiles[0].weapons[0]: "),
        ("new_vegas", ("classes",), [], "classes: "),
        ("new_vegas", ("system",), "golf", "system: "),
        ("skill_combat", ("weapons", 0, "skill"), "Golf", "weapons[0].skill: "),
        ("skill_combat", ("weapons", 1, "bullets"), 0, "weapons[1].bullets: "),
        ("skill_combat", ("weapons", 0, "stat"), "XX", "weapons[0].stat: "),
        ("skill_combat", ("items", 0), "raiders", "items[0]: "),
        ("skill_combat", ("items", 1), "stimpak", "items[1]: "),
        ("skill_combat", ("attribute", "least"), 11, "attribute.least: "),
        ("skill_combat", ("points_a_character",), "40", "points_a_character: "),
        ("skill_combat", ("date",), "soon", "date: "),
    ]
    for game, path, value, words in cases:
        (fault, *more) = wrong(game, *path, value=value)
        assert fault.startswith("line ") and words in fault and not more, (fault, more)
