"""Editions as tables: every cost to be looked up once, on editions made up from dice."""

from random import Random

from tests.kit.own_editions import FILES, SYSTEM
from tests.validators.edition_documents import Document, data_of, random_edition
from validators.battle_mode.edition import Edition
from validators.contract import EditionInfo
from validators.editions import PriceRow


def info(document: Document) -> EditionInfo:
    return FILES.read(data_of(document))


def shown(edition: EditionInfo) -> list[tuple[str, str, str]]:
    return [(one.title, row.name, row.cost) for one in FILES.price_lists(edition) for row in one.rows]


def test_price_lists_have_every_price_once() -> None:
    for seed in range(20):
        document = random_edition(Random(seed))
        expected = [(f["name"], m["name"], str(m["caps"])) for f in document["factions"] for m in f["models"]]
        expected += [("Packs", pack["name"], "") for pack in document["packs"]]
        expected += [
            (f"{group['category']}: {group['kind']}", name, str(caps))
            for group in document["items"]
            for name, caps in group["caps"].items()
        ]
        for title, key in (("Mods", "mods"), ("Perks", "perks"), ("Leader cards", "leader_cards")):
            expected += [(title, name, str(caps)) for name, caps in document[key].items()]
        expected += [("Perks", name, f"{share:+d} %".replace("-", "−")) for name, share in document["shares"].items()]
        expected.append(("Of every model that may be Heroic", "Heroic", str(document["heroic_caps"])))
        assert sorted(shown(info(document))) == sorted(expected), seed


def test_price_lists_have_everything_that_a_model_may_have() -> None:
    """What is named for it, and what its packs hold, are together all that the check allows."""
    for edition in SYSTEM.editions:
        lists: Edition = edition.lists
        listed = {one.title: {row.name: row for row in one.rows} for one in FILES.price_lists(edition)}

        def names(row: PriceRow) -> set[str]:
            return {
                name for kind, found in row.may_have for name in found if kind not in ("Mods", "Perks", "Leader cards")
            }

        for faction in lists.factions.values():
            for entry in faction.models.values():
                row = listed[faction.name][entry.name]
                held = set().union(*(names(listed["Packs"][pack]) for pack in entry.packs))
                assert names(row) | held == {name for found in entry.may_carry.values() for name in found}, entry.name
                assert not names(row) & held, edition.id
                assert ("may be Heroic" in row.notes) == entry.heroic, edition.id
                assert any(note.startswith("unique") for note in row.notes) == (entry.unique is not None), edition.id
