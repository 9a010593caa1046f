"""The SNAFU game: the document's figures and examples, the printed sheets, and the score of a game."""

from typing import Any

from tests.kit.new_vegas import EDITION, LEADER, SYSTEM, TERMS, force, model, read, squad
from validators.new_vegas.edition import Edition
from validators.new_vegas.figures import of_force, of_model, of_squad
from validators.new_vegas.force import agility_at, detection, mustered, to_hit, trap_save
from validators.scenario import Score
from validators.sheet import Lines, Table, Track

LISTS: Edition = EDITION.lists


def test_rolls_detection_and_ranges_are_those_of_the_document() -> None:
    rolls = {0: "6+", 1: "5+", 2: "4+", 3: "3+", 4: "2+", 5: "1+ (always)", -1: "6+"}
    assert {score: to_hit(score) for score in rolls} == rolls
    worth = {0: (6, "6+"), 1: (10, "5+"), 3: (18, "3+"), 5: (26, "1+")}
    assert {score: (detection(score, LISTS), trap_save(score)) for score in worth} == worth
    # A shot loses Agility with each range after the first; the example: 18 inches at a range of 6 take 2.
    shots = {0: 3, 6: 3, 6.1: 2, 12: 2, 12.5: 1, 18: 1, 24: 0, 60: 0}
    assert {inches: agility_at(3, 6, inches) for inches in shots} == shots
    assert {c.name: c.marker_detects for c in LISTS.classes.values()} == {"Recon": 12, "Regular": 6, "Heavy": 6}


SCOUTS = model("Scout", (1, 3, 1, 0, 1, 3, 1), count=4, weapons=["Varmint Rifle"])
SERGEANT = model("Sergeant", (4, 1, 2, 1, 1, 2, 1), weapons=["Minigun"])
BAKER = squad(model(count=6, weapons=["Service Rifle", "Combat Knife"]), name="Baker")
DOG = squad(SERGEANT, name="Dog", squad_class="Heavy")
FORCE = read(force(squad(LEADER, SCOUTS, squad_class="Recon"), BAKER, DOG))


def test_figures_show_their_calculation() -> None:
    force = mustered(FORCE, TERMS)
    able, baker, dog = force.squads
    figures = {
        "": of_force(force), "Able: ": of_squad(able, force.edition), "Baker: ": of_squad(baker, force.edition),
        "Scout: ": of_model(able.lines[1], force.edition), "Sergeant: ": of_model(dog.lines[0], force.edition),
    }  # fmt: skip
    shown = {
        f"{whose}{derived.label}": (derived.value, derived.how) for whose, found in figures.items() for derived in found
    }
    expected = {
        "Size": ("99 of 150", "57 + 30 + 12 = 99 SPECIAL points"), "Leadership dice": ("4", "Charisma 3 + 0 + 1 = 4"),
        "Force markers": ("6", "3 + 2 + 1 = 6, by the squads’ classes"), "Models": ("12", "5 + 6 + 1 = 12"),
        "Able: Luck pool": ("6", "Luck 2 + 4 × 1 = 6"), "Able: Wounds": ("7", "Endurance 3 + 4 × 1 = 7"),
        "Able: Detects": ("18″", "6 + 4 × 3 = 18"), "Baker: Rally dice": ("1", "Charisma 6 × 0 = 0, so 1"),
        "Sergeant: Close combat": ("2+", "6 − Strength 4 = 2"), "Sergeant: Shooting": ("4+", "6 − Agility 2 = 4"),
        "Scout: Trap save": ("3+", "6 − Perception 3"),
    }  # fmt: skip
    assert shown.items() >= expected.items()


def test_sheet_and_text_have_every_model_every_shot_and_the_findings() -> None:
    sheet, _ = SYSTEM.papers.sheets(FORCE, TERMS)
    squads, models, shots, weapons = (block for block in sheet.blocks if isinstance(block, Table))
    assert squads.title == "Force"
    assert squads.rows[0] == ("Able", "Recon", "5", "3", "6", "7", "3", "18″", "3", "57")
    assert squads.total == ("Total", "", "12", "6", "", "", "", "", "4", "99 of 150")
    scouts = ("Able", "4 × Scout", "1", "3", "1", "0", "1", "3", "1", "5+", "3+", "18″", "Varmint Rifle")
    assert models.rows[1] == scouts
    assert shots.rows[:2] == (
        ("Scout, Varmint Rifle", "to 12″: 3+", "to 24″: 4+", "to 36″: 5+", "to 48″: 6+"),
        ("Trooper, Service Rifle", "to 10″: 4+", "to 20″: 5+", "to 30″: 6+", "to 40″: 6+"),
    )
    assert [row[0] for row in weapons.rows] == ["Combat Knife", "Minigun", "Service Rifle", "Varmint Rifle"]
    found = SYSTEM.papers.sheets(read(force(squad(model()))), TERMS)[0].blocks[-1]
    assert isinstance(found, Lines) and found.lines[0].startswith("Nobody has Charisma: ")
    text = SYSTEM.forces.files.export(FORCE, EDITION, "txt").decode()
    assert "Able (Recon), 57 SPECIAL points\n  Officer (S2 P2 E3 C3 I2 A3 L2)\n  4 × Scout (S1 P3 E1 C0 " in text
    assert "99 SPECIAL points, 12 models, 4 leadership dice, 6 force markers" in text


def test_turn_sheet_tracks_dice_markers_losses_and_luck() -> None:
    bears, grunts = model("Bear", (1, 1, 3, 0, 0, 1, 0), count=2), model("Grunt", (1, 1, 1, 0, 0, 1, 20), count=3)
    _, sheet = SYSTEM.papers.sheets(read(force(squad(LEADER, bears, grunts), DOG)), TERMS)
    (turns,) = (block for block in sheet.blocks if isinstance(block, Table))
    losses, dice = (block for block in sheet.blocks if isinstance(block, Track))
    assert len(turns.rows) == max(scenario.game_rounds for scenario in SYSTEM.scenarios)
    assert losses.rows == (
        ("Able: force markers", ("1", "2")), ("Able: Officer", ("1", "", "")),
        ("Able: Bear", ("1", "", "", "2", "", "")), ("Able: Grunt", ("1", "2", "3")),
        ("Dog: force markers", ("1",)), ("Dog: Sergeant", ("1", "")),
    )  # fmt: skip
    assert [(label, len(boxes)) for label, boxes in dice.rows] == [
        ("Leadership dice", 4), ("Luck of Able, 62 in all", 40), ("Luck of Dog", 1),
    ]  # fmt: skip
    (shown,) = (block for block in sheet.blocks if isinstance(block, Lines))
    assert shown.lines[0].startswith("Leadership dice: you begin with 4,")
    (morale,) = (part.lines for part in SYSTEM.papers.reference if part.title == "Morale")
    assert shown.lines[-1] == f"Rally check: {morale[0]}" and "or a Rally order" in morale[0]


BATTLE, ATTRITION, HEAD = (SYSTEM.scenario(name) for name in ("open-battle", "attrition", "cut-off-the-head"))


def answers(**given: Any) -> dict[str, int | str]:
    """A result without a rout and with these answers (dots as __)."""
    return {"a.rout": "Stood", "b.rout": "Stood"} | {key.replace("__", "."): value for key, value in given.items()}


def test_losses_give_points_to_the_enemy_and_the_only_routed_force_loses() -> None:
    lost = answers(a__lost=7, a__leaders=1, b__lost=4)
    routed = answers(a__lost=2, a__leaders=1, a__rout="Routed", b__lost=30)
    both = answers(a__lost=5, a__leaders=1, a__rout="Routed", b__lost=4, b__leaders=1, b__rout="Routed")
    for scenario, given, score, outcome in (
        (BATTLE, lost, Score(a=4, b=7 + 2), "b"), (ATTRITION, lost, Score(a=4, b=7), "b"),
        (HEAD, lost, Score(a=0, b=5), "b"), (BATTLE, routed, Score(a=30, b=2 + 2 + 10, decided="b"), "b"),
        (ATTRITION, routed, Score(a=30, b=2, decided="b"), "b"), (BATTLE, both, Score(a=16, b=17), "b"),
        (BATTLE, both | {"b.lost": 5}, Score(a=17, b=17), "draw"),
    ):  # fmt: skip
        found = SYSTEM.scoring.score(scenario, given)
        assert (found, found.outcome) == (score, outcome), (scenario.id, given)


def test_printed_scoring_has_the_worth_of_each_question() -> None:
    for scenario in SYSTEM.scenarios:
        *lost, rout = (question.worth for question in scenario.questions if question.side == "a")
        assert rout[0] == 0, "standing is worth nothing"
        assert lost and all(worth for (worth,) in lost), "what is worth nothing is not asked"
        for figure in (*(worth for (worth,) in lost), rout[1]):
            for text in (" ".join(scenario.scoring), scenario.round_note):
                assert figure == 0 or f"{figure} VP" in text.replace("\u00a0", " "), scenario.id


def test_impossible_reports_are_refused_and_odd_ones_queried() -> None:
    both = answers(a__lost=1, a__leaders=1, a__rout="Routed", b__lost=1, b__leaders=1, b__rout="Routed")
    for given, refused, words in (
        (answers(a__lost=1, a__leaders=1), None, ""),
        (answers(a__lost=1, a__leaders=2), True, "Player A: 2 with Charisma among 1 model lost"),
        (answers(b__rout="Routed", b__lost=3), False, "Player B"), (answers(), False, "Nobody lost a model"),
        (answers(a__lost=1) | {"b.rout": ""}, False, "Not noted how player B’s force ended: it counts as standing."),
        (both, False, "Both forces routed"),
        (answers(b__rout="Routed"), False, "Player B's force routed and lost no model. Is"),
        (answers(a__rout="Fled"), True, ""), (answers(a__lost=1, c__lost=1), True, ""),
        *((answers(a__lost=wrong), True, "") for wrong in (-1, 100, True, "3", 10**30)),
    ):  # fmt: skip
        first = SYSTEM.scoring.check(BATTLE, given)[:1]
        assert [doubt.refused for doubt in first] == ([] if refused is None else [refused]), given
        assert all(doubt.message.startswith(words) and len(doubt.message) < 120 for doubt in first), first
    for lost, asked in ((0, ["Player A's force routed and lost no model. Is that right?"]), (1, [])):
        of_attrition = SYSTEM.scoring.check(ATTRITION, answers(a__lost=lost, a__rout="Routed", b__lost=2))
        assert [doubt.message for doubt in of_attrition] == asked, "where leaders are not counted too"
