"""What is exported is read back to the same force: legal samples, illegal forces, forces of names nobody knows."""

from typing import Any

import pytest
from defusedxml import ElementTree
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.forces import check_force, export_force, read_force, sample_force
from tests.validators.imports.rosters import EDITION, SYSTEM, read
from validators.battle_mode.edition_file import EDITIONS
from validators.contract import Document, Terms

pytestmark = pytest.mark.slow

KNOWN = EDITIONS[EDITION]
PACKED = SYSTEM.edition("2021-01")
FACTIONS = SYSTEM.edition(EDITION).factions
MODELS = sorted({entry.name for faction in KNOWN.factions.values() for entry in faction.models.values()})
ITEMS = [item.name for item in KNOWN.items.values()]
MODS = [mod.name for mod in KNOWN.mods.values()]
PERKS = [perk.name for perk in KNOWN.perks.values()]
CARDS = [card.name for card in KNOWN.leader_cards.values()]
# Words with the signs that could be taken for part of a format, and names that are something else somewhere.
ODD_WORDS = st.sampled_from(
    [*MODELS[:5], *ITEMS[:3], "Heroic", "Leader", "Leader card", "++ A ++", "3x Jet", "A, B: C [5 Caps]", "zU Piper",
     "<b>&amp;\"'", ". Jet", "• Jet", "-Jet", "Ёж", "日本", "Dog Bite", "overseer::item", "x" * 80]
)  # fmt: skip
PLAIN_WORDS = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20)
UNKNOWN = ODD_WORDS | PLAIN_WORDS


def forces(names: dict[str, st.SearchStrategy[str]], kinds: st.SearchStrategy[str]) -> st.SearchStrategy[Document]:
    """Force documents of any shape, legal or not, with names from these strategies."""
    item = st.fixed_dictionaries({
        "name": names["item"], "mods": st.lists(names["mod"], max_size=3), "count": st.integers(1, 99),
    })  # fmt: skip
    model = st.fixed_dictionaries({
        "name": names["model"], "heroic": st.booleans(), "leader": st.booleans(),
        "leader_card": st.none() | names["card"], "perks": st.lists(names["perk"], max_size=3),
        "items": st.lists(item, max_size=4),
    })  # fmt: skip
    card = st.fixed_dictionaries({"kind": kinds, "name": names["card"] | st.just("")})
    force = st.fixed_dictionaries({
        "system": st.just("battle_mode"), "edition": st.just(EDITION), "name": names["name"] | st.just(""),
        "faction": names["faction"], "models": st.lists(model, max_size=5), "cards": st.lists(card, max_size=2),
    })  # fmt: skip
    return force.map(read_force)


KNOWN_NAMES = {
    "model": st.sampled_from(MODELS), "item": st.sampled_from(ITEMS), "mod": st.sampled_from(MODS),
    "perk": st.sampled_from(PERKS), "card": st.sampled_from(CARDS), "faction": st.sampled_from(FACTIONS),
    "name": st.sampled_from(["My list", "Ёж & Söhne", "A: B, C [5]", "++ A ++"]),
}  # fmt: skip
# A faction that is not known is guessed from the models, so that one name is always a known one.
ANY_NAMES = {key: known if key == "faction" else known | UNKNOWN for key, known in KNOWN_NAMES.items()}
SPACE = "{http://www.battlescribe.net/schema/rosterSchema}"
FORMATS = st.sampled_from([known.id for known in SYSTEM.forces.files.formats])
KINDS = st.sampled_from(["Quest", "Boost", "Leader", "Danger"])


def back(document: Document, format_id: str) -> Document:
    imported = read(export_force(document, format_id))
    expected = check_force(document, 500).total
    assert imported.total == expected
    assert imported.stated in (None, expected)
    return imported.document


@given(
    format_id=FORMATS,
    faction=st.sampled_from(PACKED.factions),
    size=st.sampled_from([250, 750, 1500]),
    dice=st.integers(0, 10**6),
)
@settings(max_examples=25)
def test_sample_forces_of_packs_come_back(format_id: str, faction: str, size: int, dice: int) -> None:
    """The edition of 2021 has names with colons ("Command: Heel"), and perks priced by percent."""
    terms = Terms(PACKED, size)
    document = SYSTEM.forces.sample(terms, faction, dice)
    for model in document["models"]:
        entry = PACKED.lists.model(model["name"], faction)
        model["perks"] += [perk for perk in ("Unpredictable", "Clunky", "Command: Heel") if perk in entry.perks]
    imported = SYSTEM.forces.files.import_(
        f"force.{format_id}", SYSTEM.forces.files.export(document, PACKED, format_id), PACKED
    )
    assert imported.document["models"] == document["models"]
    total = SYSTEM.checks.check(document, terms).total
    assert (imported.total, imported.stated) in ((total, total), (total, None))
    assert imported.notes == ()


@given(forces(KNOWN_NAMES, KINDS))
@settings(max_examples=50)
def test_a_text_holds_any_force_of_known_names(document: Document) -> None:
    assert back(document, "txt") == document


@given(forces(ANY_NAMES, KINDS | UNKNOWN))
@settings(max_examples=50)
def test_a_roster_holds_any_force(document: Document) -> None:
    assert back(document, "ros") == document


def costs(node: Any) -> float:
    return sum(float(cost.get("value")) for cost in node.iter(f"{SPACE}cost"))


def test_an_exported_roster_is_what_a_roster_program_expects() -> None:
    document = sample_force("Survivors", 750, 3)
    root = ElementTree.fromstring(export_force(document, "ros"))
    assert root.tag == f"{SPACE}roster"
    total = check_force(document, 750).total
    stated = root.find("{*}costs/{*}cost")
    assert stated is not None
    assert float(stated.get("value", "")) == total
    force = root.find("{*}forces/{*}force")
    assert force is not None
    assert costs(force) == total, "the sum of all selections' own costs is the total"
    ids = [node.get("id") for node in root.iter(f"{SPACE}selection")]
    assert len(ids) == len(set(ids)) > len(document["models"])
    assert {node.get("type") for node in root.iter(f"{SPACE}selection")} == {"model", "upgrade"}
