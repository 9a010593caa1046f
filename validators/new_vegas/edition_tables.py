"""An edition of the SNAFU game as readable tables."""

from collections.abc import Iterator

from validators.contract import EditionInfo
from validators.editions import PriceList, PriceRow
from validators.names import counted
from validators.new_vegas.edition import Edition, SquadClass


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    """Armoury, profiles with their SPECIAL points, classes and factions; nothing else has a cost."""
    edition: Edition = info.lists
    ranged = tuple(PriceRow(w.name, "–", (w.figures,)) for w in edition.weapons.values() if w.ranged)
    melee = tuple(PriceRow(w.name, "–", (w.figures,)) for w in edition.weapons.values() if not w.ranged)
    lists = (
        PriceList("Ranged weapons", ranged, _FREE),
        PriceList("Weapons for close combat", melee, _FREE),
        PriceList("Models to start from", tuple(_profiles(edition)), "Every score can be changed in the builder."),
        PriceList("Classes of squads", tuple(map(_class_row, edition.classes.values()))),
        PriceList(
            "Scores", (PriceRow("Highest Strength and Agility", str(edition.file.highest_score)), _detection(edition))
        ),
        PriceList("Factions", tuple(PriceRow(name, "–") for name in edition.factions.values())),
    )
    return tuple(one for one in lists if one.rows)


_FREE = "A weapon costs nothing; a model counts its scores."


def _class_row(one: SquadClass) -> PriceRow:
    detects = f"a marker detects at {one.marker_detects}″"
    return PriceRow(one.name, "–", (counted(one.markers, "force marker"), detects))


def _profiles(edition: Edition) -> Iterator[PriceRow]:
    for one in edition.profiles.values():
        scores = "SPECIAL " + " ".join(map(str, one.special))
        yield PriceRow(one.name, str(sum(one.special)), (scores, *one.weapons))


def _detection(edition: Edition) -> PriceRow:
    inches = f"{edition.file.detection.base}″, and {edition.file.detection.each}″ for each point of Perception"
    return PriceRow("Detection", "–", (inches,))
