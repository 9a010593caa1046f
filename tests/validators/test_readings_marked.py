"""Papers mark every figure that is a reading of what a document leaves open or says in two ways (docs, "Readings")."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kit.armies import army, line, squad
from tests.kit.skill_combatants import jim
from validators import SYSTEMS
from validators.contract import Terms
from validators.fallout_skirmish.campaign.rules import LEVELS
from validators.sheet import READING, Lines, Table, Track, key_to_readings

MARKED = re.compile(rf"{READING}|[Oo]ur reading|as we read it")
READ = {
    "fallout_warfare": (r"at \+4", r"by Robots.*Darkness.*Robots", r"half a squad is dead", r"Radii", r"^Area.?$"),
    "fallout_skirmish": (
        r"^Range bands", r"Agility: the higher strikes", r"Armor 5: ", r"^Burst†$", r"sneaking attacker",
        r"^Other rolls", r"join with 25", r"^XP.?$",
    ),
    "new_vegas": (
        r"force routs", r"effective range after the first", r"Roll the weapon’s attacks", r"giv\w+ armour|rules give",
        r"failed save costs", r"saves as if sprinting", r"casualties off each", r"can go back to its markers",
        r"^Points", r"never below 0", r"as its best model",
    ),
    "skill_combat": (
        r"check is 1d10", r"roll 1d10: on \d+ \(LK\)", r"higher 1d10", r"at least 16", r"miss leaves a normal hit",
        r"^Aim(ing|ed) (at|to hit|damage)", r"0 HP a character", r"leave the table", r"more is critical",
    ),
}  # fmt: skip
"""What is printed of each reading, on any paper of the game."""
TIRED: dict[str, Any] = {
    "fallout_warfare": army(squad(line("Squire", "squadleader"), line("Squire", count=4, grenades=1)))
}
FORCES = TIRED | {"skill_combat": jim()}


def texts(shown: Any) -> Iterator[str]:
    """Every text of a block, a card or a reference sheet's part; the words of a paragraph and a table's cell alone."""
    match shown:
        case str():
            yield shown
        case Table():
            yield from (column.head for column in shown.columns)
            yield from texts((shown.title, *shown.rows, shown.total))
        case Track() | Lines():
            yield from texts((shown.title, *(shown.rows if isinstance(shown, Track) else shown.lines)))
        case tuple() | list():
            for one in shown:
                yield from texts(one)
        case None | bool() | int():
            return
        case _:
            yield from texts(tuple(vars(shown).values()))


@pytest.mark.parametrize("game", READ)
def test_each_reading_is_marked_on_every_paper_that_prints_it(game: str) -> None:
    system = SYSTEMS[game]
    edition = system.editions[0]
    terms = Terms(edition, system.default_size)
    forces = [system.forces.sample(terms, faction, 3) for faction in edition.factions[:4]]
    if game in FORCES:
        forces.append(FORCES[game])
    if game == "fallout_skirmish":
        for force in forces:
            force["models"][0]["items"].append({"name": "Tire Iron", "count": 1})
    own = [(system.papers.sheets(force, terms), system.papers.card(force, edition)) for force in forces]
    printed = {*texts([system.papers.reference, *own, LEVELS if game == "fallout_skirmish" else ""])}
    for words in READ[game]:
        found = [text for text in printed if re.search(words, text)]
        assert found, (words, "is printed nowhere")
        assert [text for text in found if not MARKED.search(text)] == [], words
    assert READING in key_to_readings(system.papers.reference)
    if game == "fallout_skirmish":
        assert any("Tire Iron (To hit 0; −1 Endurance†)" in text for text in printed)


def test_papers_explain_the_mark_only_where_it_is() -> None:
    assert key_to_readings(("plain", "figures")) == "" and key_to_readings(("−2", f"3{READING}")).startswith(READING)
