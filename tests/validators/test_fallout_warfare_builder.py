"""The builder's form of armies, their files, sheets, samples, mendings and lists."""

import json
from typing import Any

import pytest

from tests.validators.test_fallout_warfare_rules import BOS, EDITION, MUTANTS, SYSTEM, army, line, skill, squad, squires
from validators.contract import Document, Terms, UnreadableEdition, UnreadableForce
from validators.editions import EditionTitle
from validators.restrictions import Restrictions
from validators.sheet import Table, Track

FULL = army(
    squad(
        line("Knight", "hero", 1, "Rifle", level=3, items=["Stimpak", "Stimpak"], skills=[skill("Piloting", 6)]),
        line("Knight", "grunt", 4, "SMG", grenades=2),
    )
    | {"name": "First"},
    squires(3, "Slingshot"),
    squad(line("Beastlord"), line("Dog", count=2)),
    name="Lost Hills",
    vehicles=["Dune Buggy", "Zeppelin"],
    mines=2,
)
"""One of everything, known to the lists and not."""


def fields_of(document: Document) -> dict[str, list[str]]:
    """The fields of the page that shows a document, as a browser sends them."""
    view = SYSTEM.builder(document, Terms(EDITION, 200), {})
    fields = {"name": [view.name], "mines": [str(view.mines)]}
    for s in view.squads:
        fields[f"s{s.place}.name"] = [s.name]
        for m in s.lines:
            at = f"s{s.place}.m{m.place}"
            fields |= {f"{at}.name": [m.name], f"{at}.rank": [m.rank], f"{at}.count": [str(m.count)]}
            fields |= {f"{at}.weapon": [m.weapon.name if m.weapon else ""], f"{at}.grenades": [str(m.grenades)]}
            fields |= {f"{at}.item": [item.name for item in m.items], f"{at}.level": [str(m.level)]}
            for had in m.skills:
                fields |= {f"{at}.k{had.place}.skill": [had.name], f"{at}.k{had.place}.level": [str(had.level)]}
    return fields | {f"v{vehicle.place}.name": [vehicle.name] for vehicle in view.vehicles}


def pressed(document: Document, do: str, **chosen: str) -> Document:
    """The document after a button."""
    more = {key.replace("__", "."): [value] for key, value in chosen.items()}
    return SYSTEM.edit_force(document, fields_of(document) | more | {"do": [do]}, EDITION)


def test_the_form_holds_the_whole_army() -> None:
    assert SYSTEM.edit_force(FULL, fields_of(FULL), EDITION) == FULL
    assert pressed(FULL, "fly") == FULL


def test_buttons_of_squads() -> None:
    with_squad = pressed(army(), "add-model", add_model="squad:Knight")
    assert [(m["rank"], m["count"]) for m in with_squad["squads"][0]["models"]] == [("squadleader", 1), ("grunt", 3)]
    alone = pressed(army(), "add-model", add_model="hero:Knight")
    assert [(m["rank"], m["count"]) for m in alone["squads"][0]["models"]] == [("hero", 1)]
    lord = pressed(army(), "add-model", add_model="squad:Beastlord")
    assert [m["rank"] for m in lord["squads"][0]["models"]] == ["squadleader"]
    assert pressed(FULL, "duplicate-model:0")["squads"][1]["models"] == FULL["squads"][0]["models"]
    assert pressed(FULL, "move-down:0")["squads"][1] == FULL["squads"][0]
    assert pressed(FULL, "move-up:2")["squads"][1] == FULL["squads"][2]
    assert pressed(FULL, "remove-model:1")["squads"] == [FULL["squads"][0], FULL["squads"][2]]


def test_buttons_of_figures_and_vehicles() -> None:
    def models(document: Document) -> list[dict[str, Any]]:
        return list(document["squads"][0]["models"])

    added = models(pressed(FULL, "add-line:0", s0__add_line="grunt:Paladin"))
    assert (added[2]["name"], added[2]["rank"], added[2]["count"]) == ("Paladin", "grunt", 1)
    assert len(models(pressed(FULL, "remove-line:0:1"))) == 1
    assert models(pressed(FULL, "add-item:0:1", s0__m1__add_item="Stimpak"))[1]["items"] == ["Stimpak"]
    assert models(pressed(FULL, "remove-item:0:0:1"))[0]["items"] == ["Stimpak"]
    assert models(pressed(FULL, "add-skill:0:0", s0__m0__add_skill="Traps"))[0]["skills"][1] == skill("Traps")
    assert models(pressed(FULL, "remove-skill:0:0:0"))[0]["skills"] == []
    assert pressed(FULL, "add-vehicle", add_vehicle="Taxi")["vehicles"] == ["Dune Buggy", "Zeppelin", "Taxi"]
    assert pressed(FULL, "remove-vehicle:0")["vehicles"] == ["Zeppelin"]


@pytest.mark.parametrize(
    "do", ["remove-model:9", "move-up:0", "remove-item:0:0", "add-item:9:9", "remove-line:x:0", "move-down:2"]
)
def test_a_button_of_an_old_page_is_refused_in_words(do: str) -> None:
    with pytest.raises(UnreadableForce, match="at an unknown place"):
        pressed(FULL, do, s9__m9__add_item="Stimpak")


@pytest.mark.parametrize(
    ("key", "typed", "says"),
    [
        ("mines", "-1", "Mines: -1 is not 0 to 99"),
        ("s0.m0.count", "0", "Copies of Knight: 0 is not 1 to 99"),
        ("s0.m0.grenades", "lots", "Grenades of Knight: lots is not 0 to 99"),
        ("s0.m0.level", "0", "Level of Knight: 0 is not 1 to 99"),
        ("s0.m0.rank", "captain", "rank: is not 'grunt'"),
    ],
)
def test_what_cannot_be_read_is_said(key: str, typed: str, says: str) -> None:
    with pytest.raises(UnreadableForce, match=says):
        SYSTEM.edit_force(FULL, fields_of(FULL) | {key: [typed]}, EDITION)


def test_what_the_page_offers() -> None:
    view = SYSTEM.builder(FULL, Terms(EDITION, 400, Restrictions(banned=("RPG", "Squire"))), {})
    hero, grunts = view.squads[0].lines
    assert "RPG" not in [option.name for option in hero.weapons]
    assert "Squire" not in [option.name for group in view.add_squads for option in group.options]
    assert "Robot Repair Kit" not in [option.name for option in hero.add_items]
    assert grunts.add_items == ()
    assert grunts.add_skills == ()
    dogs = view.squads[2].lines[1]
    assert dogs.weapons == ()
    assert not dogs.takes_grenades
    assert any("Slingshot is no weapon" in problem.message for problem in view.squads[1].problems)


def test_files_come_back_as_they_went() -> None:
    data = SYSTEM.export_force(FULL, EDITION, "json")
    read = SYSTEM.import_force("army.json", data, EDITION)
    assert read.document == FULL
    assert read.total == SYSTEM.check_force(FULL, Terms(EDITION, 400)).total
    text = SYSTEM.export_force(FULL, EDITION, "txt").decode()
    assert "Squad 1, First" in text
    assert "4 × Knight with SMG, 2 grenades [68]" in text
    with pytest.raises(UnreadableForce, match="no force file"):
        SYSTEM.import_force("army.ros", b"<roster/>", EDITION)
    with pytest.raises(UnreadableForce, match="not JSON"):
        SYSTEM.import_force("army.json", b"{", EDITION)


def test_units_are_places_and_their_lines_add_up() -> None:
    summary = SYSTEM.summarise(FULL, EDITION)
    assert sum(points for _, points in summary.lines) == summary.total
    part = SYSTEM.part_of(FULL, [0, 3, 5])
    assert (part["squads"], part["vehicles"], part["mines"]) == (FULL["squads"][:1], ["Dune Buggy"], 2)
    assert SYSTEM.part_of(FULL, range(6)) == FULL
    with pytest.raises(UnreadableForce, match="not in the roster"):
        SYSTEM.part_of(FULL, [6])


@pytest.mark.slow
@pytest.mark.parametrize("faction", EDITION.factions)
@pytest.mark.parametrize("size", [100, 200, 400])
def test_samples_are_legal_and_settled(faction: str, size: int) -> None:
    for seed in range(4):
        terms = Terms(EDITION, size)
        document = SYSTEM.sample_force(terms, faction, seed)
        verdict = SYSTEM.check_force(document, terms)
        assert verdict.legal
        assert verdict.queries == ()
        assert verdict.total > size // 2
        assert document == SYSTEM.sample_force(terms, faction, seed)
    with pytest.raises(ValueError, match="no army of Robots"):
        SYSTEM.sample_force(Terms(EDITION, size), "Robots", 1)


def test_mendings_are_legal_and_keep_the_most() -> None:
    illegal = army(squires(4, "Rifle"), squires(3, "Rifle", line("Squire", "hero")))
    terms = Terms(EDITION, 400)
    ways = SYSTEM.mendings(illegal, terms)
    assert ways
    assert all(SYSTEM.check_force(way.document, terms).legal for way in ways)
    assert [way.total for way in ways] == sorted((way.total for way in ways), reverse=True)
    assert ways[0].changes == ("Take out Squire in squad 2",)
    assert SYSTEM.mendings(army(squires()), terms) == ()
    assert SYSTEM.mendings(army(), terms) == ()


def test_the_army_sheet_has_a_box_for_every_figure() -> None:
    document = army(squires(12, "Club"), squad(line("Squire", "hero", level=3)))
    (sheet,) = SYSTEM.sheets(document, Terms(EDITION, 200))
    tracks = [block for block in sheet.blocks if isinstance(block, Track)]
    boxes = [box for _, row in tracks[0].rows for box in row]
    assert len(boxes) == 14
    assert sum(map(int, boxes)) == SYSTEM.check_force(document, Terms(EDITION, 200)).total
    troops = next(block for block in sheet.blocks if isinstance(block, Table) and block.title == "Troops")
    assert troops.rows[2][:9] == ("Squire, hero (level 3)", "6", "6", "7", "6", "5", "6", "5", "3")
    assert all(len(row) == len(troops.columns) for row in troops.rows)


def test_the_army_sheet_prints_the_tank_cannon_and_the_area_effects_in_use() -> None:
    tank = army(squad(line("Squire", "squadleader"), line("Squire", "grunt", 3, grenades=1)), vehicles=["Tank", "Tank"])
    (sheet,) = SYSTEM.sheets(tank, Terms(EDITION, 400))
    tables = {block.title: block for block in sheet.blocks if isinstance(block, Table)}
    cannons = [row for row in tables["Weapons"].rows if row[0] == "Tank Cannon"]
    assert cannons == [("Tank Cannon", "IN-2", "Single", "30″", "-1 (4″ burst)", "1d10")]
    areas = next(table for title, table in tables.items() if title.startswith("Area effects"))
    assert [row[0] for row in areas.rows] == ["Grenade", "Tank Cannon"], "no RPG is in the army"
    assert areas.rows[0] == ("Grenade", "1d10-5″, min 1", "2″")
    (plain,) = SYSTEM.sheets(army(squires()), Terms(EDITION, 200))
    assert not any(block.title.startswith("Area effects") for block in plain.blocks)


def test_derived_figures_show_their_arithmetic() -> None:
    told = {one.label: one for one in SYSTEM.derived(FULL, Terms(EDITION, 200))}
    assert told["Points on heroes"].value == "25 of 50"
    assert told["Vehicles"].value == "2 of 1"
    assert told["Total"].how.endswith(f"= {SYSTEM.summarise(FULL, EDITION).total}")


def test_lists_go_out_and_come_back_and_are_compared() -> None:
    files = SYSTEM.edition_files
    assert files is not None
    data = files.write(EDITION)
    again = files.read(data)
    assert again.lists == EDITION.lists
    assert files.write(again) == data
    assert files.compare(EDITION, again).rows == ()
    changed = json.loads(data)
    changed["weapons"][1]["points"] = 3
    del changed["vehicles"][0]
    changed["races"][0]["most"][0] = 11
    del changed["scatter"][1]
    rows = files.compare(EDITION, files.read(json.dumps(changed).encode())).rows
    assert [(row.kind, row.name, row.what) for row in rows] == [
        ("Weapons", "Knife", "figures"),
        ("Vehicles", "Taxi", "removed"),
        ("Area effects", "RPG", "removed"),
        ("Races", "Human", "figures"),
    ]
    prices = {row.name: row.cost for one in files.price_lists(EDITION) for row in one.rows if row.cost}
    assert (prices["Paladin, hero"], prices["Minigun"], prices["Tank"], prices["Level 6"]) == ("24", "10", "48", "+60")
    assert prices["Behemoth Robot"] == "not printed"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"troops": []}, "troops: is empty"),
        ({"level_xp": ["two"]}, r"level_xp\[0\]: is not a whole number"),
        ({"skills": ["Sneak", "sneak"]}, r"skills\[1\]: sneak stands there twice"),
        ({"extra": 1}, "extra: is not a field"),
        (
            {"races": [{"name": "Human", "least": [1] * 7, "average": [11] * 7, "most": [10] * 7}]},
            r"races\[0\]: Human has",
        ),
    ],
)
def test_lists_that_cannot_be_read_are_refused_with_their_line(change: dict[str, Any], says: str) -> None:
    files = SYSTEM.edition_files
    assert files is not None
    with pytest.raises(UnreadableEdition, match=f"line .*{says}"):
        files.read(json.dumps(json.loads(files.write(EDITION)) | change).encode())
    with pytest.raises(UnreadableEdition, match="no catalogues"):
        files.read_catalogues([("a.cat", b"")], EditionTitle(date="2001-03-15"))


def test_the_lists_hold_every_row_of_the_appendices() -> None:
    """Counted in the document: entries of A by faction, rows of B and of section 6.4, items of C, vehicles of D."""
    lists = EDITION.lists
    by_faction = {name: sum(t.faction == name for t in lists.troops) for name in lists.factions}
    assert by_faction == {BOS: 7, MUTANTS: 4, "Raiders & Reavers": 2, "Beastlords": 13, "Robots": 8}
    assert (len(lists.weapons), len(lists.items), len(lists.vehicles), len(lists.skills)) == (11 + 2, 9, 7, 8)
    assert [one.name for one in lists.scatter] == ["Grenade", "RPG", "Tank Cannon"]
    assert [(one.name, sum(one.least), sum(one.average), sum(one.most)) for one in lists.races] == [
        ("Human", 7, 35, 70), ("Super Mutant", 14, 35, 71), ("Deathclaw", 20, 35, 72),
        ("Ghoul", 15, 37, 69), ("Robot, Humanoid", 29, 37, 66), ("Dog", 10, 30, 60),
    ]  # fmt: skip
    assert sum(len(t.ranks) for t in lists.troops) == 1 + 6 * 3 + 4 * 3 + 2 * 3 + 3 + 12 + 8
