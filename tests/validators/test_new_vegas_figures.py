"""The figures of the SNAFU document, its examples, and what is printed of a force."""

from tests.kit.new_vegas import EDITION, LEADER, SYSTEM, TERMS, force, model, read, squad
from validators.new_vegas.edition import Edition
from validators.new_vegas.force import agility_at, detection, to_hit, trap_save
from validators.sheet import Facts, Lines, Table, Track

LISTS: Edition = EDITION.lists


def test_tables_of_the_document() -> None:
    rolls = {0: "6+", 1: "5+", 2: "4+", 3: "3+", 4: "2+", 5: "1+ (always)", -1: "6+"}
    assert {score: to_hit(score) for score in rolls} == rolls
    worth = {0: (6, "6+"), 1: (10, "5+"), 3: (18, "3+"), 5: (26, "1+")}
    assert {score: (detection(score, LISTS), trap_save(score)) for score in worth} == worth
    # A shot loses Agility with each range after the first; the example: 18 inches at a range of 6 take 2.
    shots = {0: 3, 6: 3, 6.1: 2, 12: 2, 12.5: 1, 18: 1, 24: 0, 60: 0}
    assert {inches: agility_at(3, 6, inches) for inches in shots} == shots
    assert {c.name: c.marker_detects for c in LISTS.classes.values()} == {"Recon": 12, "Regular": 6, "Heavy": 6}


FORCE = read(
    force(
        squad(LEADER, model("Scout", (1, 3, 1, 0, 1, 3, 1), count=4, weapons=["Varmint Rifle"]), squad_class="Recon"),
        squad(model(count=6, weapons=["Service Rifle", "Combat Knife"]), name="Baker"),
        squad(model("Sergeant", (4, 1, 2, 1, 1, 2, 1), weapons=["Minigun"]), name="Dog", squad_class="Heavy"),
    )
)


def test_figures_show_their_calculation() -> None:
    shown = {one.label: (one.value, one.how) for one in SYSTEM.papers.derived(FORCE, TERMS)}
    assert (
        shown.items()
        >= {
            "Size": ("99 of 150", "57 + 30 + 12 = 99 SPECIAL points"),
            "Leadership dice": ("4", "Charisma 3 + 0 + 1 = 4"),
            "Force markers": ("6", "3 + 2 + 1 = 6, by the squads' classes"), "Models": ("12", "5 + 6 + 1 = 12"),
            "Able: luck pool": ("6", "Luck 2 + 4 × 1 = 6"), "Able: wounds": ("7", "Endurance 3 + 4 × 1 = 7"),
            "Able: detects": ("18″", "6 + 4 × 3 = 18"), "Baker: rally dice": ("1", "Charisma 6 × 0 = 0, so 1"),
            "Dog, Sergeant: close combat": ("2+", "6 − Strength 4 = 2"),
            "Dog, Sergeant: shooting": ("4+", "6 − Agility 2 = 4"),
            "Able, Scout: trap save": ("3+", "6 − Perception 3"),
        }.items()
    )  # fmt: skip


def test_force_sheet_has_every_model_and_every_shot() -> None:
    sheet, _ = SYSTEM.papers.sheets(FORCE, TERMS)
    facts = [block for block in sheet.blocks if isinstance(block, Facts)]
    assert [block.title for block in facts] == ["The force: legal", "Able, Recon", "Baker, Regular", "Dog, Heavy"]
    models, shots, weapons = (block for block in sheet.blocks if isinstance(block, Table))
    assert models.rows[1] == (
        *("Able", "4 × Scout", "1", "3", "1", "0", "1", "3", "1", "5+", "3+", "18″", "Varmint Rifle"),
    )
    assert shots.rows == (
        ("Scout, Varmint Rifle", "to 12″: 3+", "to 24″: 4+", "to 36″: 5+", "to 48″: 6+"),
        ("Trooper, Service Rifle", "to 10″: 4+", "to 20″: 5+", "to 30″: 6+", "to 40″: 6+"),
        ("Sergeant, Minigun", "to 8″: 4+", "to 16″: 5+", "to 24″: 6+", "to 32″: 6+"),
    )
    assert [row[0] for row in weapons.rows] == ["Combat Knife", "Minigun", "Service Rifle", "Varmint Rifle"]


def test_turn_sheet_tracks_dice_markers_losses_morale_and_luck() -> None:
    _, sheet = SYSTEM.papers.sheets(FORCE, TERMS)
    (turns,) = (block for block in sheet.blocks if isinstance(block, Table))
    losses, morale, wounds, luck = (block for block in sheet.blocks if isinstance(block, Track))
    assert len(turns.rows) == max(scenario.game_rounds for scenario in SYSTEM.scenarios)
    heads = {column.head for column in turns.columns}
    assert {"Dice rolled", "1: SNAFU given", "SNAFU taken", "SNAFU kept"} <= heads
    assert dict(losses.rows)["Able, Recon"] == ("M", "M", "M", "1", "2", "3", "4", "5")
    assert dict(losses.rows)["Dog, Heavy"] == ("M", "1")
    assert [label for label, _ in morale.rows] == ["Able, 3 dice", "Baker, 1 die", "Dog, 1 die"]
    assert {label: len(boxes) for label, boxes in (*wounds.rows, *luck.rows)} == {
        "Officer, Able": 3, "Sergeant, Dog": 2, "Able": 6, "Dog": 1,
    }  # fmt: skip
    (shown,) = (block for block in sheet.blocks if isinstance(block, Lines))
    assert shown.lines[0].startswith("Leadership dice at the start: 4")


def test_findings_are_printed() -> None:
    sheet, _ = SYSTEM.papers.sheets(read(force(squad(model()))), TERMS)
    facts, lines = sheet.blocks[0], sheet.blocks[-1]
    assert isinstance(facts, Facts) and facts.title == "The force: not legal"
    assert isinstance(lines, Lines) and lines.lines[0].startswith("nv.charisma: ")


def test_text_export_has_squads_and_dice() -> None:
    text = SYSTEM.forces.files.export(FORCE, EDITION, "txt").decode()
    assert (
        "Able (Recon), 57 SPECIAL points\n  Officer (S2 P2 E3 C3 I2 A3 L2)\n  4 × Scout (S1 P3 E1 C0 I1 A3 L1): Varmint"
        in text
    )
    assert "99 SPECIAL points, 12 models, 4 leadership dice, 6 force markers" in text


def test_model_with_more_than_one_wound_has_boxes() -> None:
    tough = model("Bear", (1, 1, 3, 0, 0, 1, 0), count=2)
    _, sheet = SYSTEM.papers.sheets(
        read(force(squad(LEADER, tough, model("Grunt", (1, 1, 1, 0, 0, 1, 20), count=3)))), TERMS
    )
    wounds, luck = [block for block in sheet.blocks if isinstance(block, Track)][-2:]
    assert wounds.rows == (("Officer, Able", ("1", "", "")), ("Bear, Able", ("1", "", "", "2", "", "")))
    assert [(label, len(boxes)) for label, boxes in luck.rows] == [("Able, 62 in all", 40)]
