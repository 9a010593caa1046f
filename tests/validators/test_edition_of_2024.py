"""The edition of 2024 agrees with its two sources: the figures in ``lists_of_2024.tsv`` under their source's names, and
the edition of 2022 for everything that those do not say.

A row of a model: name, cost, faction, mark. A row of anything else: kind, name, cost.
"""

from collections import Counter
from pathlib import Path

from tests.kit.forces import SYSTEM, asked, force, model, rules
from validators.battle_mode.edition import Item, ModelEntry, Priced
from validators.battle_mode.edition_file import EDITIONS
from validators.contract import Terms, Verdict
from validators.names import loose

EDITION, BEFORE = EDITIONS["2024-community"], EDITIONS["2022-community"]
INFO = SYSTEM.edition("2024-community")
ROWS = [line.split("\t") for line in Path(__file__).with_name("lists_of_2024.tsv").read_text().splitlines()]
MODELS = [(name, int(caps), faction, mark) for sort, name, caps, faction, mark in (r for r in ROWS if r[0] == "model")]
OTHERS = [(row[0], row[1], int(row[2])) for row in ROWS if row[0] != "model"]

FACTIONS = {"Caesar's Legion": "Legion", "New California Republic": "NCR"}
"""Factions with another name than the source's."""
TABLES = {"mod": "mods", "perk": "perks", "leader": "leader_cards"}
KINDS = {
    "automatron part": "Automatron", "chem": "Chems", "drink": "Alcohol", "grenade": "Thrown", "heavy weapon": "Heavy",
    "mine": "Mines", "pistol": "Pistols", "rifle": "Rifles", "utility": "Gear",
}  # fmt: skip
"""Kinds with another name than the source's."""
POWER_ARMOUR = {"Overboss Power Armor", "Slag's Power Armor", "Tessa's Power Armor"}
ANOTHER_DISCIPLE = ("disciple", "Cult of the Mothman")
"""A model of a name that is listed under two factions, and known in one of them only."""
WRITTEN_TWICE = {
    "gecko baked metal armor", "slags power armor", "multi-caliber", "tesla coils (robot)", "vertebird signal grenade",
    "irradiated bolt action pipe pistol", "scoped 44. magnum", "anti-material rifle", "junkie's bolt action pipe rifle",
    "machine gun turret mk i", "glowing bloodbug spray", "mirelurk hatchlings claw", "machine gun turret mk iii",
}  # fmt: skip
ONLY_BEFORE = {
    "Knight Patrol", "Knight Patrol (Blade)", "Psycho", "Commander", "Defender", "Hunter", "Lone Wanderer", "Heavy",
    "Recoil Compensator",
}  # fmt: skip


def listed(name: str, faction: str) -> ModelEntry:
    entry = EDITION.factions[FACTIONS.get(faction, faction).casefold()].models.find(name)
    assert entry is not None, (name, faction)
    return entry


def known_before(entry: ModelEntry) -> ModelEntry | None:
    before = BEFORE.model(entry.name, entry.faction)
    return before if before and (loose(entry.name), entry.faction) != ANOTHER_DISCIPLE else None


def priced(kind: str, name: str) -> Item | Priced:
    entry: Item | Priced | None = getattr(EDITION, TABLES.get(kind, "items")).find(name)
    assert entry is not None, (kind, name)
    return entry


def test_models_cost_what_the_newer_source_says_and_have_what_the_older_one_says() -> None:
    costs: dict[str, int] = {}
    for name, caps, faction, mark in MODELS:
        entry = listed(name, faction)
        before = known_before(entry)
        assert (entry.caps, EDITION.states_cost(entry)) == (caps, caps > 0), name
        assert entry.options_unknown == (before is None), name
        if before is None:
            assert (entry.named, entry.packs, entry.built_in, entry.tags) == (frozenset(), (), (), frozenset()), name
            assert (entry.perhaps_unique is not None, entry.unique) == (mark == "unique", None), name
        else:
            costs[before.name] = caps
    for home in BEFORE.factions.values():
        for old in home.models.values():
            entry = listed(old.name, home.name)
            assert entry.caps == costs.get(old.name, 0), entry.name
    for home in EDITION.factions.values():
        for entry in home.models.values():
            if before := known_before(entry):
                for fact in (
                    "unique",
                    "perhaps_unique",
                    "stage",
                    "heroic",
                    "tags",
                    "packs",
                    "built_in",
                    "usual",
                    "free_mods",
                ):
                    assert getattr(entry, fact) == getattr(before, fact), (entry.name, fact)
                sure = [
                    {name for name, may in model_entry.offers["item"].items() if may} for model_entry in (entry, before)
                ]
                assert sure[0] == sure[1], entry.name
    homes = {(entry.name, home.name) for home in EDITION.factions.values() for entry in home.models.values()}
    before_homes = {(entry.name, f.name) for f in BEFORE.factions.values() for entry in f.models.values()}
    sourced = {(listed(name, faction).name, FACTIONS.get(faction, faction)) for name, _, faction, _ in MODELS}
    assert homes == before_homes | sourced
    assert (len(MODELS), len(homes), len(before_homes)) == (418, 450, 215)
    assert sum(caps for _, caps, *_ in MODELS) == 26_070


def test_stages_and_versions_of_one_person_are_asked_about_together() -> None:
    def persons(*names: str) -> set[str | None]:
        entries = [EDITION.model(name, "") for name in names]
        return {entry.person for entry in entries if entry}

    assert persons("Swan I", "Swan II") == {"Swan"} == persons("Swan (Stage 1)")
    assert persons("Lucy", "Lucy, Bride") == {"Lucy"}
    assert persons("Dogmeat (Original)", "Dogmeat") == {"Dogmeat"}
    assert persons("Vault Dweller, Drifter", "Vault Dweller, Raid Leader") == {"Vault Dweller"}
    assert persons("Frank Horrigan I", "Frank Horrigan III") == {"Frank Horrigan"}


def test_items_cards_perks_and_mods_cost_what_the_newer_source_says() -> None:
    names: Counter[str] = Counter()
    heroic = [caps for kind, name, caps in OTHERS if (kind, name) == ("perk", "heroic")]
    assert heroic == [EDITION.file.heroic_caps]
    for kind, name, caps in OTHERS:
        if name == "heroic":
            continue
        entry = priced(kind, name)
        names[f"{TABLES.get(kind, 'items')}: {entry.name}"] += 1
        assert entry.caps == caps, name
        before = getattr(BEFORE, TABLES.get(kind, "items")).find(entry.name)
        if isinstance(entry, Item):
            wanted = "Power Armor" if entry.name in POWER_ARMOUR else KINDS.get(kind, kind.title())
            assert (entry.category, entry.kind) == (
                (before.category, before.kind) if before else (entry.category, wanted)
            )
            assert (entry.heavy, entry.printed) == (kind == "heavy weapon", bool(before and before.printed)), name
            assert EDITION.states_cost(entry) == bool(caps or entry.printed), name
        elif before:
            assert (entry.kinds, entry.percent) == (before.kinds, before.percent), name
    assert sum(names.values()) - len(names) == len(WRITTEN_TWICE)
    tables = ("items", "mods", "perks", "leader_cards")
    for table in tables:
        rest = {entry.name for entry in getattr(EDITION, table).values()} - {
            name.partition(": ")[2] for name in names if name.startswith(table)
        }
        for name in rest:
            entry, before = getattr(EDITION, table).find(name), getattr(BEFORE, table).find(name)
            assert entry.caps == 0, name
            assert EDITION.states_cost(entry) == (name not in ONLY_BEFORE), name
            assert name in ONLY_BEFORE or (before.printed if table == "items" else before.percent), name
    assert [len(getattr(EDITION, table)) for table in tables] == [646, 128, 110, 30]
    assert {loose(name) for name in EDITION.file.no_cost} == {
        loose(listed(name, faction).name) for name, caps, faction, _ in MODELS if not caps
    } | {loose(priced(kind, name).name) for kind, name, caps in OTHERS if not caps and not printed(kind, name)} | {
        loose(name) for name in ONLY_BEFORE
    }


def printed(kind: str, name: str) -> bool:
    entry = priced(kind, name)
    return isinstance(entry, Item) and entry.printed


def test_packs_hold_what_they_held_and_perhaps_what_is_new() -> None:
    newcomers = {
        priced(kind, name).name
        for kind, name, caps in OTHERS
        if caps
        and name != "heroic"
        and getattr(BEFORE, TABLES.get(kind, "items")).find(priced(kind, name).name) is None
    }
    perhaps = set()
    for pack, before in zip(EDITION.packs.values(), BEFORE.packs.values(), strict=True):
        assert pack.model_copy(update={"perhaps": before.perhaps}) == before
        perhaps |= (added := {*pack.perhaps} - {*before.perhaps})
        assert not {*pack.perhaps} & {*pack.items, *pack.mods, *pack.perks, *pack.leader_cards}
        kinds = {EDITION.items[name.casefold()].kind for name in pack.items}
        for name in added:
            item = EDITION.items.find(name)
            assert (item.kind in kinds) if item else pack.name == "Upgrades", (pack.name, name)
    assert perhaps == newcomers
    for rule in ("mod_kinds", "needs_tag", "bars_tag", "shares", "names_built_in"):
        assert getattr(EDITION.file, rule) == getattr(BEFORE.file, rule), rule


def judge(faction: str, *models: dict[str, object], size: int = 750) -> Verdict:
    document = force({**models[0], "leader": True}, *models[1:], edition=INFO, faction=faction)
    return SYSTEM.checks.check(document, Terms(INFO, size))


def test_new_events_start_with_the_newest_costs_and_say_what_they_are() -> None:
    assert SYSTEM.editions[0] == INFO and not INFO.partial
    assert "ommunity transcription" in INFO.caution and "2023 or 2024" in INFO.caution
    assert "newest official download" in INFO.caution


def test_new_models_and_purchases_are_questions_and_known_ones_are_legal() -> None:
    known = judge("Brotherhood of Steel", model("Knight", "Combat Rifle"))
    assert (rules(known), asked(known)) == ([], [])
    new = judge("Brotherhood of Steel", model("Recon Knight"))
    assert (rules(new), asked(new), new.total) == ([], [], 51)
    assert asked(judge("Brotherhood of Steel", model("Recon Knight", "Combat Rifle"))) == ["bm.carry"]
    assert asked(judge("Brotherhood of Steel", model("Knight", "Handmade Rifle", perks=["Nimble"]))) == [
        "bm.carry",
        "bm.perk",
    ]
    assert asked(judge("The Scorched", model("Scorched"), model("Scorched"))) == ["bm.cost"]
    assert asked(judge("Survivors", model("Piper", leader_card="Commander"))) == ["bm.cost"]
    assert asked(judge("Enclave", model("Tesla Soldier", {"name": "10mm Pistol", "mods": ["Precision"]}))) == ["bm.mod"]
