"""Lists as players paste them: from chats, mails, PDF files, sheets, and in every style of their own."""

from random import Random

import pytest

from tests.kit.forces import asked, check_force, rules
from tests.validators.imports.pasted import contents, written
from tests.validators.imports.rosters import SYSTEM, read
from validators.contract import NotRead, Terms, UnreadableForce, Verdict

PARTS = "- Heroic (60 caps)\n- Leader\n- Pipe Pistol (5 caps)\n"
SHAPES = {
    "bold": "**Piper (141 caps)**\n- Heroic (60 caps)\n- Leader\n- Pipe Pistol (5 caps)\n**2x Settler (80 caps)**",
    "emoji": "☢️ Piper (141 caps)\n➡️ Heroic (60 caps)\n👑 Leader\n➖ Pipe Pistol (5 caps)\n2x Settler (80 caps)",
    "rules and totals": f"Survivors 750\n-----\nPiper (141 caps)\n{PARTS}-----\n2x Settler (80 caps)\n-----\n"
    "Total: 221 / 750 caps",
    "points": "Piper (141 pts)\n- Heroic (60 pts)\n- Leader\n- Pipe Pistol (5 pts)\n2x Settler (80 pts)",
    "quotes": "> Piper (141 caps)\n> - Heroic (60 caps)\n> - Leader\n> - Pipe Pistol (5 caps)\n> 2x Settler (80 caps)",
    "brackets": "Piper (Leader, Heroic, Pipe Pistol) 141 caps\nSettler 40 caps\nSettler 40 caps",
    "count after": f"Piper (141 caps)\n{PARTS}Settler x2 (80 caps)",
    "tabs": "Piper\t141\n\tHeroic\t60\n\tPipe Pistol\t5\nSettler\t40\nSettler\t40",
    "sections": "++ Battle Mode (Survivors) [221 Caps] ++\n+ Unique Units [141 Caps] +\nPiper [141 Caps]: "
    "Heroic [60 Caps], Leader, Pipe Pistol [5 Caps]\n+ Troops [80 Caps] +\n2x Settler [80 Caps]\n"
    "++ Total: [221 Caps] ++\n"
    "Created with BattleScribe",
    "heads": "+++++++++++\n+ FACTION KEYWORD: Survivors\n+ TOTAL ARMY POINTS: 221\n+++++++++++\n\n"
    "Char1: 1x Piper (141 pts): Heroic, Leader, Pipe Pistol\n2x Settler (80 pts)",
    "full width": "Piper（141 caps）\n－ Heroic (60 caps)\n- Leader\n- Pipe Pistol (5 caps)\n2x Settler (80 caps)",
    "numbers": f"1. Piper (141 caps)\n{PARTS}2. Settler (40 caps)\n3. Settler (40 caps)",
    "zero width": "\u200bPiper (141 caps)\n\u200b- Heroic (60 caps)\n\u200b- Leader\n\u200b- Pipe Pistol (5 caps)\n"
    "2x Settler (80 caps)",
    "own costs": "Piper - 76\n Heroic - 60\n Leader\n Pipe Pistol - 5\nSettler - 40\nSettler - 40",
    "each": f"```\nPiper (141c)\n{PARTS}2 Settlers (40c each)\n```",
    "words": "Leader: Piper w/ Heroic & Pipe Pistol = 141\n• Settlers (2) - 80 Caps",
    "a PDF": "Piper\n141\nHeroic\n60\nLeader\nPipe Pistol\n5\nSettler\n40\nSettler\n40",
}  # fmt: skip
"""One force in many shapes: Piper, Leader, Heroic, with a Pipe Pistol; two Settlers; 221 Caps."""


def test_one_force_is_read_from_every_shape() -> None:
    expected = contents(read(SHAPES["points"]).document)
    assert sorted(expected.values()) == [1, 2]
    for shape, text in SHAPES.items():
        imported = read(text)
        verdict = check_force(imported.document, 250)
        assert (contents(imported.document), verdict.legal, imported.total) == (expected, True, 221), shape
        assert (verdict.queries, imported.not_read) == ((), ()), shape


def test_lines_that_say_more_are_named_and_change_nothing() -> None:
    text = SHAPES["points"]
    for more, found in (
        (f"{text}\nTotal: 221 caps\nSent from my iPhone", [NotRead(7, "Sent from my iPhone")]),
        (f"[12/11/2026, 20:14:03] Max: {text}", [NotRead(1, "[12/11/2026, 20:14:03] Max:")]),
        (f"{text}\nSee you there", [NotRead(6, "See you there")]),
    ):
        imported = read(more)
        assert (list(imported.not_read), imported.total) == (found, 221)
        assert check_force(imported.document, 250).queries == ()


def test_priced_line_that_is_not_read_is_a_query_and_no_problem() -> None:
    text = SHAPES["points"]
    for line in ("Enclave Officer (55 pts)", "Bribe: 30 caps", "Xyzzy - 12 caps"):
        imported = read(f"{text}\n{line}")
        verdict = check_force(imported.document, 500)
        assert imported.not_read == (NotRead(6, line, True),)
        assert (verdict.legal, asked(verdict)) == (True, ["bm.cost"]), line
        assert line in verdict.queries[0].message
        own = read(SYSTEM.forces.files.export(imported.document, SYSTEM.edition("2018-08"), "json"))
        assert own.document == imported.document, "the stored list keeps the query"
    assert asked(
        check_force(read(text.replace("(5 pts)", "(9 pts)").replace("Piper (141 pts)", "Piper")).document, 500)
    )


def test_parts_below_a_line_that_is_not_read_go_to_no_other_model() -> None:
    imported = read("Settler (40 caps)\nEnclave Officer (60 caps)\n- Leader\n- Combat Rifle (14 caps)\n")
    assert [model["items"] for model in imported.document["models"]] == [[]]
    assert {one.line for one in imported.not_read} == {2, 3, 4}
    assert asked(check_force(imported.document, 500))


def test_parts_of_a_model_that_is_not_read_are_not_given_to_the_one_above() -> None:
    for line in (
        "Veteran Zed, combat rifle",
        "5x Zed: combat rifle",
        "three Zeds with combat rifle",
        "- 2 Zeds (combat rifle)",
    ):
        imported = read(f"- Settler\n- Leader: Piper\n{line}")
        verdict = check_force(imported.document, 500)
        assert all(not model["items"] for model in imported.document["models"]), line
        assert asked(verdict), line


def test_leader_is_marked_in_short_and_struck_out_lines_are_not_bought() -> None:
    imported = read("Settler\nPiper (L)\n~~Settler, combat rifle~~\nSettler")
    models = imported.document["models"]
    assert [(model["name"], model["leader"]) for model in models] == [
        ("Settler", False),
        ("Piper", True),
        ("Settler", False),
    ]


def test_words_before_a_name_make_it_another_name() -> None:
    edition = SYSTEM.edition("2022-community")

    def taken(line: str) -> tuple[list[str], Verdict]:
        text = f"Settler (40 caps)\n- Leader\n{line}"
        document = SYSTEM.forces.files.import_("list", text.encode(), edition).document
        return [model["name"] for model in document["models"]], SYSTEM.checks.check(document, Terms(edition, 500))

    for line in ("Enclave Trooper (88 caps)", "X01 Trooper (88 caps)", "Raider Settler (40 caps)"):
        names, verdict = taken(line)
        assert "Trooper" not in names and "Raider" not in names, line
        assert verdict.problems or asked(verdict), line
    assert taken("Institute Trooper (88 caps)")[0] == ["Settler", "Trooper"]


def test_faction_before_a_name_and_a_number_after_it_are_read() -> None:
    """ "Super Mutant" is a model too; a "Raider Psycho" may be a Raider with that chem."""
    edition = SYSTEM.edition("2022-community")

    def taken(text: str) -> list[str]:
        imported = SYSTEM.forces.files.import_("", text.encode(), edition)
        return [model["name"] for model in imported.document["models"]]

    assert taken("Aviator\nSuper Mutant Brute 2x\n1 Super Mutant Master\nBrute x2\nSuper Mutant") == [
        "Aviator", "Brute", "Brute", "Master", "Brute", "Brute", "Super Mutant",
    ]  # fmt: skip
    assert "Psycho" not in taken("Scavver\nRaider Psycho")


def test_names_that_others_begin_or_end_with_stay_apart() -> None:
    """ "Staggering Tire Iron" is a name, and so are "Psycho" of a Raider and of a chem."""
    edition = SYSTEM.edition("2022-community")
    for text, expected in (
        (
            "Settler (Leader, Tire Iron, Staggering Institute Laser Pistol)",
            ["Tire Iron", "Staggering Institute Laser Pistol"],
        ),
        ("Settler - Leader\n- Iron, Tire", ["Tire Iron"]),
        ("[20:14] Max: Settler - Leader\n[20:14] Max: • Baton: Spiked", ["Baton"]),
    ):
        imported = SYSTEM.forces.files.import_("", text.encode(), edition)
        items = [item["name"] for model in imported.document["models"] for item in model["items"]]
        assert items == expected, (text, imported.not_read)
    imported = SYSTEM.forces.files.import_("", b"*Raider - Leader*\n*Psycho, Spear*", edition)
    assert [model["name"] for model in imported.document["models"]] == ["Raider", "Psycho"]


def test_misspelt_name_is_kept_with_suggestions() -> None:
    imported = read("Setler (54 caps)\n- Combt Rifle (14 caps)\nSettler (40 caps)\n- Leader")
    assert [model["name"] for model in imported.document["models"]] == ["Setler", "Settler"]
    assert rules(check_force(imported.document, 500)) == ["bm.cost", "bm.cost"]
    assert any(
        note.startswith("Setler: not known to the edition, kept as it is. Near: Settler") for note in imported.notes
    )


def test_number_in_brackets_is_a_cost_or_copies_by_the_total() -> None:
    """Baseball Grenades cost 6 Caps each."""
    for text, copies in (
        ("Settler (46)\n- Baseball Grenade (6)\n- Leader", 1),
        ("Settler (58 caps)\n- Leader\n- Baseball Grenade (3)", 3),
        ("Settler (76 caps)\n- Leader\n- Baseball Grenade (6)", 6),
    ):
        imported = read(text)
        assert [item["count"] for model in imported.document["models"] for item in model["items"]] == [copies]
        assert check_force(imported.document, 500).queries == (), text


def test_parts_of_several_models_are_on_each_or_shared_by_the_cost() -> None:
    for text, rifles in (
        ("2x Settler (108 caps)\n- Leader\n- Combat Rifle", 2),
        ("2x Settler (54 caps each)\n- Leader\n- Combat Rifle (14 caps)", 2),
        ("2x Settler (94 caps)\n- Leader\n- Combat Rifle", 1),
        ("2x Settler\n- Leader\n- Combat Rifle", 2),
        ("2x Settler\n- Leader\n- Combat Rifle\nTotal: 108 caps", 2),
    ):
        imported = read(text)
        assert sum(len(model["items"]) for model in imported.document["models"]) == rifles, text
        assert check_force(imported.document, 500).queries == (), text


@pytest.mark.slow
def test_forces_in_any_style_are_read_whole_or_asked_about() -> None:
    check_styles(range(150))


@pytest.mark.long
def test_ten_thousand_texts_are_read_whole_or_asked_about() -> None:
    check_styles(range(10_000, 20_000))


def check_styles(seeds: range) -> None:
    """None is silently wrong; at least 95 % are read whole."""
    whole = 0
    for seed in seeds:
        dice = Random(seed)
        edition = SYSTEM.edition(dice.choice(["2018-08", "2021-01", "2022-community"]))
        terms = Terms(edition, dice.choice((250, 500, 750)))
        document = SYSTEM.forces.sample(terms, dice.choice(edition.factions), seed)
        text, style = written(document, edition, dice)
        try:
            imported = SYSTEM.forces.files.import_("", text.encode(), edition)
        except UnreadableForce:
            continue
        verdict = SYSTEM.checks.check(imported.document, terms)
        same = contents(imported.document) == contents(document)
        assert same or not verdict.legal or verdict.queries, (seed, style, text)
        whole += same and verdict.legal and not verdict.queries
    assert whole >= 0.95 * len(seeds)
