"""The force lists of Fallout Skirmish: the figures as printed, and faults of their file."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.skirmish_groups import EDITION, SYSTEM
from validators.contract import UnreadableEdition

assert SYSTEM.edition_files is not None
FILES = SYSTEM.edition_files


def fresh_document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(FILES.write(EDITION))
    return document


RAW = fresh_document()
FORCES: dict[str, Any] = {force["name"]: force for force in RAW["forces"]}


def test_profiles_are_those_of_the_rulebook() -> None:
    humans = [(10, [4] * 7, 1, 8, 0), (25, [5] * 7, 2, 8, 25), (50, [6] * 7, 3, 9, 50)]
    mutants = [
        (20, [5, 3, 5, 3, 4, 3, 4], 2, 8, 0),
        (35, [7, 4, 7, 4, 5, 4, 5], 3, 8, 25),
        (60, [8, 5, 8, 5, 6, 5, 6], 4, 9, 50),
    ]
    for name, force in FORCES.items():
        profiles = [(r["caps"], r["special"], r["wounds"], r["action_points"], r["experience"]) for r in force["ranks"]]
        assert profiles == (mutants if name == "Super Mutants" else humans), name


def test_ranks_groups_and_big_guns_have_the_figures_of_chapter_11() -> None:
    """Most of each rank and of the group, characters to a big gun, ranks without one, ranks that must wear armour."""
    talon = ["Merc", "Veteran Merc", "Commander"]
    printed: dict[str, tuple[object, ...]] = {
        "Raiders": ([6, 4, 3], 15, 5, [], []),
        "Brotherhood of Steel": ([6, 4, 3], 10, 3, ["Initiate"], ["Knight", "Paladin"]),
        "Enclave": ([5, 4, 2], 10, 4, ["Officer"], ["Trooper", "Hellfire Trooper"]),
        "Talon Company": ([6, 5, 3], 12, 4, talon[1:], talon),
        "Super Mutants": ([5, 3, 2], 8, 3, [], []),
        "Regulators": ([5, 5, 2], 10, 5, [], ["Officer", "Deputy", "Sheriff"]),
        "Vault Residents": ([8, 6, 1], 12, 6, [], ["Security Officer"]),
        "Wasteland Survivors": ([8, 4, 2], 10, 5, [], []),
    }
    found = {}
    for name, force in FORCES.items():
        unarmed = [rank["name"] for rank in force["ranks"] if rank["name"] not in force["big_gun_ranks"]]
        most = [rank["most"] for rank in force["ranks"]]
        found[name] = (most, force["group_most"], force["big_gun_per"], unarmed, force.get("must_wear", []))
    assert found == printed


def test_weapon_lists_have_the_lines_of_chapter_11_and_the_prices_of_chapter_12() -> None:
    """Weapons, of which some share a printed line, and the dearest."""
    printed = {
        "Raiders": (16, 100), "Brotherhood of Steel": (11, 120), "Enclave": (7, 100), "Talon Company": (15, 100),
        "Super Mutants": (13, 100), "Regulators": (15, 80), "Vault Residents": (14, 80),
        "Wasteland Survivors": (16, 100),
    }  # fmt: skip
    assert {name: (len(entry["weapons"]), max(entry["weapons"].values())) for name, entry in FORCES.items()} == printed
    prices = {row["name"]: row["caps"] for group in RAW["items"] for row in group["rows"]}
    for force in RAW["forces"]:
        assert all(prices[name] == caps for name, caps in force["weapons"].items())
        assert all(prices[row["name"]] == row["caps"] for row in force.get("armour", []))
    built = {"Dart Gun", "Nuka Grenade", "Rock-It Launcher", "Shishkebab"}
    assert {name for name, caps in prices.items() if caps is None} == built
    guns = {row["name"] for group in RAW["items"] if group.get("big_gun") for row in group["rows"]}
    assert guns == {"Minigun", "Missile Launcher", "Flamer", "Heavy Incinerator", "Gatling Laser"}
    assert len(RAW["turfs"]) == 16 and len(RAW["perks"]) == 20


FAULTS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda e: e["forces"][0]["ranks"][0]["special"].pop(), "forces[0].ranks[0].special"),
    (lambda e: e["forces"][0]["ranks"][1].update(name="green"), "green"),
    (lambda e: e["forces"][0]["weapons"].update(Knif=10), "Knif is not in the file’s items; near to it: Knife"),
    (lambda e: e["forces"][1]["must_wear"].append("Green"), "Green is not in the file’s ranks"),
    (lambda e: e["items"][0]["rows"].append(e["items"][0]["rows"][0]), "Brass Knuckles"),
    (lambda e: e["items"][1]["rows"][0]["profile"].pop(), "5 figures"), (lambda e: e["turfs"].pop(), "24 of 2D12"),
    (lambda e: e["turfs"][0].update(to=4), "4 of 2D12 is Scrapyard and Moonshine"),
    (lambda e: e["forces"][0].update(big_gun_per=0), "big_gun_per: "),
]  # fmt: skip


def test_faults_of_a_file_are_reported_with_line_and_place() -> None:
    for change, words in FAULTS:
        document = fresh_document()
        change(document)
        with pytest.raises(UnreadableEdition) as caught:
            FILES.read(json.dumps(document, ensure_ascii=False, indent=1).encode())
        (fault,) = [fault for fault in map(str, caught.value.faults) if words in fault]
        assert fault.startswith("line "), fault


def test_lists_are_compared_and_priced_row_by_row() -> None:
    document = fresh_document()
    document["forces"][0]["weapons"]["Laser Rifle"] = 40
    document["forces"][1]["weapons"]["Power Armor"] = 40
    document["forces"][2]["ranks"][0]["caps"] = 12
    del document["forces"][3]["armour"][1]
    document["items"][3]["rows"][0]["caps"] = 90
    document["turfs"][0]["to"] += 1
    document["turfs"][1]["from"] += 1
    difference = FILES.compare(EDITION, FILES.read(json.dumps(document).encode()))
    assert difference.summary == ("1 added, 1 removed, 6 changed.",)
    profile = "at most 5; S4 P4 E4 C4 I4 A4 L4; W1 AP8; 0 XP; must wear Power Armor"
    gun = "Big Gun; Short −4, Medium −2, Long 0, Extreme X, RoF 4"
    rows = [(r.kind, r.name, r.what, r.before, r.after) for r in difference.rows]
    assert {
        ("Enclave", "Trooper", "figures", f"10; {profile}", f"12; {profile}"),
        ("Talon Company", "Metal Armor", "removed", "40; saves on 6; for Commander", ""),
        ("Big Guns", "Minigun", "figures", f"80; {gun}", f"90; {gun}"),
        ("Raiders", "Laser Rifle", "added", "", "40"),
    } < set(rows), rows
    assert {"Power Armor", *(turf["name"] for turf in document["turfs"][:2])} < {row[1] for row in rows}
    lists = {price_list.title: price_list for price_list in FILES.price_lists(EDITION)}
    (paladin,) = [row for row in lists["Brotherhood of Steel"].rows if row.name == "Paladin"]
    assert paladin.cost == "50" and {"at most 3", "must wear Power Armor", "50 XP"} <= set(paladin.notes)
    noted = [note for price_list in lists.values() for row in price_list.rows for note in row.notes]
    assert "also: Master" in noted and "also: Lone Wandere" not in noted, "no misprint of the rulebook"
    assert {row.cost for row in lists["Custom ranged weapons"].rows} == {"built"}
