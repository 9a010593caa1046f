"""The roster and the character sheets of a group, as data for paper."""

import json

from validators import SYSTEMS
from validators.contract import Terms
from validators.sheet import Facts, Lines, Table, Track

SYSTEM = SYSTEMS["fallout_skirmish"]
EDITION = SYSTEM.editions[0]
TERMS = Terms(EDITION, 500)
GROUP = SYSTEM.read_force(
    {
        "system": SYSTEM.id,
        "edition": EDITION.id,
        "faction": "Regulators",
        "name": "The Long Arm",
        "turfs": ["Bar", "Hotel", "Doctor"],
        "models": [
            {
                "rank": "Sheriff",
                "called": "Ada",
                "leader": True,
                "items": [{"name": "Trench Coat"}, {"name": "Laser Rifle"}],
            },
            {"rank": "Officer", "items": [{"name": "Trench Coat"}, {"name": "Stimpak", "count": 2}]},
        ],
    },
    EDITION,
)


def test_the_roster_has_everybody_with_the_totals() -> None:
    roster, _ = SYSTEM.sheets(GROUP, TERMS)
    facts, table, turfs, check = roster.blocks
    assert isinstance(facts, Facts) and isinstance(table, Table)
    assert isinstance(turfs, Lines) and isinstance(check, Lines)
    assert (roster.title, facts.figures) == ("The Long Arm", SYSTEM.derived(GROUP, TERMS))
    assert [row[:2] for row in table.rows] == [("Ada (leader)", "Sheriff"), ("", "Officer")]
    assert table.rows[0][2:11] == ("6", "6", "6", "6", "6", "6", "6", "3", "9")
    assert [row[-3] for row in table.rows] == ["110", "80"]
    assert table.total[-3:] == ("190", "50", "")
    assert turfs.lines[0] == "Bar: D3 × 10 Caps"
    assert check.title == "The check: legal" and check.lines[0].startswith("fs.stimpak: 2 Stimpaks")


def test_a_character_has_its_profile_its_weapons_and_its_boxes() -> None:
    _, characters = SYSTEM.sheets(GROUP, TERMS)
    profile, carried, boxes, other, *_ = characters.blocks
    assert isinstance(profile, Table) and isinstance(carried, Lines) and isinstance(boxes, Track)
    assert profile.title == "Ada, Sheriff, leader, 110 Caps"
    assert [column.head for column in profile.columns][-2:] == ["Resolve", "XP"]
    assert profile.rows == (("6", "6", "6", "6", "6", "6", "6", "3", "9", "6", "50"),)
    assert carried.lines == (
        "Trench Coat: armor 5",
        "Laser Rifle: Short −2, Medium −1, Long 0, Extreme X, RoF 2; +1 Endurance",
        "Perk Leader",
    )
    (wounds, rads) = boxes.rows
    assert (wounds[0], len(wounds[1]), len(rads[1])) == ("Wounds", 3, 25)
    assert [dose for dose in rads[1] if dose] == ["5", "10", "15", "20", "25"]
    assert isinstance(other, Table) and other.title == "Officer, 80 Caps"


def test_resolve_is_half_of_endurance_and_strength_rounded_up() -> None:
    assert SYSTEM.edition_files is not None
    document = json.loads(SYSTEM.edition_files.write(EDITION))
    document["forces"][5]["ranks"][0]["special"][:3] = [5, 4, 4]  # no printed profile has an odd sum
    odd = SYSTEM.edition_files.read(json.dumps(document).encode())
    _, characters = SYSTEM.sheets(GROUP, Terms(odd, 500))
    resolves = [block.rows[0][9] for block in characters.blocks if isinstance(block, Table)]
    assert resolves == ["6", "5"]


def test_what_is_not_known_is_printed_as_it_stands() -> None:
    odd = GROUP | {
        "faction": "Nobodies",
        "models": [GROUP["models"][0] | {"rank": "Marshal", "items": [{"name": "Rake", "count": 1}]}],
    }
    roster, characters = SYSTEM.sheets(odd, TERMS)
    assert "Marshal" in str(roster.blocks) and "Rake" in str(characters.blocks)
    assert "not legal" in str(roster.blocks)
