"""The project's own edition file: its bytes to an edition, and an edition back to its file.

Every edition comes in by ``read_edition``, those that ship among them. docs/file_formats.md describes the file.
"""

from itertools import islice
from typing import Any

from validators.battle_mode.edition import Edition, ModelEntry, Pack
from validators.battle_mode.edition_build import build, disputed_faults, faults_of
from validators.battle_mode.edition_shape import EditionFile
from validators.edition_file import MOST_FAULTS, shaped_edition, unreadable


def edition_schema() -> dict[str, Any]:
    """The JSON Schema of the edition file, as docs/edition.schema.json holds it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | EditionFile.model_json_schema()


def read_edition(data: bytes) -> Edition:
    """The bytes of an edition file to the edition. Raises UnreadableEdition: each fault with its line and field."""
    edition = build(shaped_edition(data, EditionFile, faults_of))
    faults = list(islice(disputed_faults(edition), MOST_FAULTS + 1))
    if faults:
        raise unreadable(data, faults)
    return edition


def edition_document(edition: Edition) -> dict[str, Any]:
    """The file of an edition, as plain values: what ``read_edition`` reads back to an equal edition."""
    groups: dict[tuple[str, str, bool, bool], dict[str, int]] = {}
    for item in edition.items.values():
        groups.setdefault((item.category, item.kind, item.heavy, item.takes_mod), {})[item.name] = item.caps
    names = _names(edition)
    return {
        "system": "battle_mode",
        "id": edition.id,
        "name": edition.name,
        "date": edition.date,
        "source": edition.source,
        "notes": list(edition.notes),
        "partial": edition.partial,
        "heroic_caps": edition.heroic_caps,
        "factions": [
            {
                "name": faction.name,
                "fielded": faction.fielded,
                "models": [_model(entry, edition) for entry in faction.models.values()],
            }
            for faction in edition.factions.values()
        ],
        "packs": [_pack(pack) for pack in edition.packs.values()],
        "items": [
            {"category": category, "kind": kind, "heavy": heavy, "takes_mod": takes_mod, "caps": caps}
            for (category, kind, heavy, takes_mod), caps in groups.items()
        ],
        "leader_cards": {card.name: card.caps for card in edition.leader_cards.values()},
        "perks": {perk.name: perk.caps for perk in edition.perks.values() if not perk.percent},
        "shares": {perk.name: perk.percent for perk in edition.perks.values() if perk.percent},
        "mods": {mod.name: mod.caps for mod in edition.mods.values()},
        "aliases": {alias: names[name] for alias, name in edition.aliases.items()},
        "disputed": [
            {key: value for key, value in vars(dispute).items() if value != ""} for dispute in edition.disputed
        ],
    }


def _names(edition: Edition) -> dict[str, str]:
    """Every name that an alias can stand for, by its folded form."""
    tables = (edition.mods, edition.perks, edition.leader_cards, edition.items)
    models = {key: entry.name for faction in edition.factions.values() for key, entry in faction.models.items()}
    return models | {key: entry.name for table in tables for key, entry in table.items()}


def _model(entry: ModelEntry, edition: Edition) -> dict[str, Any]:
    """A model with what stands in its own row: what its packs give it is left to them."""
    packs = [pack for pack in edition.packs.values() if pack.name in entry.packs]
    given = {name for pack in packs for name in pack.items}
    own = {kind: [name for name in names if name not in given] for kind, names in entry.may_carry.items()}
    row = {
        "name": entry.name,
        "caps": entry.caps,
        "unique": entry.unique,
        "perhaps_unique": entry.perhaps_unique,
        "heroic": entry.heroic and not any(pack.heroic for pack in packs),
        "built_in": list(entry.built_in),
        "may_carry": {kind: names for kind, names in own.items() if names},
        "packs": list(entry.packs),
    }
    return {key: value for key, value in row.items() if value or key == "caps"}


def _pack(pack: Pack) -> dict[str, Any]:
    row = {
        "name": pack.name,
        "heroic": pack.heroic,
        "items": list(pack.items),
        "mods": list(pack.mods),
        "perks": list(pack.perks),
        "leader_cards": list(pack.leader_cards),
        "perhaps": list(pack.perhaps),
    }
    return {key: value for key, value in row.items() if value}
