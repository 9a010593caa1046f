"""Fallout Skirmish: the score of five markers worth the numbers of their lines, and the printed sheets."""

import json
from dataclasses import replace
from itertools import product

from tests.kit.skirmish_groups import EDITION, SYSTEM, TERMS, character, group
from validators.contract import Terms
from validators.fallout_skirmish.force import priced
from validators.fallout_skirmish.sheets import figures_of
from validators.scenario import Score
from validators.sheet import LabelledFigures, Lines, Table

SCENARIO, OWN = SYSTEM.scenarios
SHERIFF = character("Sheriff", "Trench Coat", "Laser Rifle", called="Ada")
OFFICER = {"rank": "Officer", "items": [{"name": "Trench Coat"}, {"name": "Stimpak", "count": 2}]}
GROUP = group("Regulators", SHERIFF, OFFICER, turfs=("Bar", "Hotel", "Doctor")) | {"name": "The Long Arm"}


def held(**lines: str) -> dict[str, int | str]:
    """Answers by player: ``a="124"`` is A on the lines 1, 2 and 4."""
    return {f"{side}.line{line}": 1 for side, listed in lines.items() for line in listed}


def test_lines_count_from_one_edge_or_from_each_players_own() -> None:
    """Every way to hold five markers, counted by their inches from the edges instead of their names."""
    inches = (12, 18, 24, 30, 36)
    for holders in product(("a", "b", ""), repeat=5):
        held_by = dict(zip(inches, holders, strict=True))
        a = [at for at, holder in held_by.items() if holder == "a"]
        b = [at for at, holder in held_by.items() if holder == "b"]
        lines_of_a = "".join(str(at // 6 - 1) for at in a)
        entry = held(a=lines_of_a, b="".join(str(at // 6 - 1) for at in b))
        own = held(a=lines_of_a, b="".join(str((48 - at) // 6 - 1) for at in b))
        near_a, near_b = sum(at / 6 - 1 for at in b), sum((48 - at) / 6 - 1 for at in b)
        for scenario, answers, theirs in ((SCENARIO, entry, near_a), (OWN, own, near_b)):
            assert [doubt for doubt in SYSTEM.scoring.check(scenario, answers) if doubt.refused] == [], held_by
            assert SYSTEM.scoring.score(scenario, answers) == Score(sum(at // 6 - 1 for at in a), int(theirs)), held_by
    assert SYSTEM.scoring.score(SCENARIO, held(a="124")) == Score(7, 0), "the rulebook's example"
    assert SYSTEM.scoring.score(SCENARIO, held(a="123", b="45")).outcome == "b", "two markers beat three"
    for number in range(1, 6):
        answers = held(a=str(number), b=str(6 - number))
        (doubt,) = SYSTEM.scoring.check(OWN, answers)
        assert (doubt.refused, doubt.keys) == (True, tuple(answers)), "one marker"
        assert [a_doubt.refused for a_doubt in SYSTEM.scoring.check(SCENARIO, answers)] == [True] * (number == 3)
    distances = [(marker.label, marker.y, SCENARIO.table_inches - marker.y) for marker in SCENARIO.markers]
    assert distances == [(f"Marker {n}", 6 + 6 * n, 42 - 6 * n) for n in range(1, 6)]
    assert [scenario.usual for scenario in SYSTEM.scenarios] == [True, False], "no event has both by default"


def test_impossible_answers_are_refused_and_empty_ones_asked_about() -> None:
    wrong: tuple[object, ...] = (2, -1, True, "1", None, 10**40)
    objective = {"a.objective": "13 The Long Way Home"}
    for answers, refused, keys in (
        *((held(a=line, b=line), True, (f"a.line{line}", f"b.line{line}")) for line in "12345"),
        ({}, False, ()),
        ({"a.line1": 0, "b.line5": 0}, False, ()),
        *(({"a.line1": 1, "b.line2": value}, True, ("b.line2",)) for value in wrong),
        (held(a="3") | objective, True, ("a.objective",)),
    ):
        (doubt,) = SYSTEM.scoring.check(SCENARIO, answers)  # type: ignore[arg-type] # what a crafted form may send
        assert (doubt.refused, doubt.keys) == (refused, keys), answers
    (question,) = [q for q in SCENARIO.questions if q.key == "a.objective"]
    assert [choice.partition(" ")[0] for choice in question.choices] == [str(n) for n in range(1, 13)]
    for choice in ("", *question.choices):
        answers = held(a="3") | {"a.objective": choice}
        assert SYSTEM.scoring.check(SCENARIO, answers) == ()
        assert SYSTEM.scoring.score(SCENARIO, answers) == Score(3, 0), "an objective scores nothing"


def test_roster_lists_everybody_with_the_totals() -> None:
    roster, _ = SYSTEM.papers.sheets(GROUP, TERMS)
    facts, table, turfs, check = roster.blocks
    assert isinstance(facts, LabelledFigures) and facts.figures == figures_of(priced(GROUP, TERMS))
    assert isinstance(table, Table) and isinstance(turfs, Lines) and isinstance(check, Lines)
    assert [(row[0], row[-3]) for row in table.rows] == [("Ada, Sheriff (leader)", "110"), ("Officer", "80")]
    assert table.rows[0][1:10] == ("6", "6", "6", "6", "6", "6", "6", "3", "9")
    assert table.total[-3:] == ("190", "50", "")
    assert turfs.lines[0] == "Bar: D3 × 10 Caps" and check.lines[0].startswith("2 × Stimpak")
    legal = SYSTEM.forces.sample(TERMS, EDITION.factions[0], 1)
    printed = [len(SYSTEM.papers.sheets(legal, replace(TERMS, grown=grown))) for grown in (False, True)]
    assert printed == [1, 2], "only for campaigns and findings"
    marshal = GROUP["models"][0] | {"rank": "Marshal", "items": [{"name": "Rake", "count": 1}]}
    roster, characters = SYSTEM.papers.sheets(GROUP | {"faction": "Nobodies", "models": [marshal]}, TERMS)
    assert "Marshal" in str(roster.blocks) and "Rake" in str(characters.blocks), "unknown names as written"


def test_character_sheet_has_profile_weapons_and_boxes() -> None:
    _, characters = SYSTEM.papers.sheets(GROUP, TERMS)
    profile, carried, perks, other, *_ = characters.blocks
    assert isinstance(profile, Table) and isinstance(carried, Table) and perks == Lines("", ("Perks: Leader",))
    assert "; RoF: Rate of fire;" in characters.key
    assert profile.title == "Ada, Sheriff, leader, 110 Caps"
    assert profile.rows == (("6", "6", "6", "6", "6", "6", "6", "3", "9", "6", "50", "", "3", ""),)
    assert [(column.head, column.kind) for column in profile.columns[-3:]] == [
        ("Prone", "tick"), ("Wounds", "boxes"), ("Rads", "write")
    ]  # fmt: skip
    assert carried.rows == (
        ("Trench Coat", "", "", "", "", "", "0", "Armor 5†"),
        ("Laser Rifle", "−2", "−1", "0", "X", "2", "1", "+1 Endurance"),
    )
    assert isinstance(other, Table) and other.title == "Officer, 80 Caps"
    unarmed = GROUP | {"models": [GROUP["models"][0] | {"items": GROUP["models"][0]["items"][:1]}]}
    _, carried, *_ = SYSTEM.papers.sheets(unarmed, TERMS)[-1].blocks
    assert carried == Lines("", ("Carries: Trench Coat (Armor 5†)", "Perks: Leader"))


def test_resolve_is_half_of_endurance_and_strength_rounded_up() -> None:
    assert SYSTEM.edition_files is not None
    document = json.loads(SYSTEM.edition_files.write(EDITION))
    document["forces"][5]["ranks"][0]["special"][:3] = [5, 4, 4]  # no printed profile has an odd sum
    odd = SYSTEM.edition_files.read(json.dumps(document).encode())
    _, characters = SYSTEM.papers.sheets(GROUP, Terms(odd, 500))
    resolves = [block.rows[0][9] for block in characters.blocks[:-1] if isinstance(block, Table) and block.title]
    assert resolves == ["6", "5"]
