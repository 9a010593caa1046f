"""An edition of the SNAFU game as readable tables."""

from validators.contract import EditionInfo
from validators.editions import PriceList, PriceRow
from validators.names import counted
from validators.new_vegas.edition import Edition


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    """Armoury, profiles with their SPECIAL points, classes and factions; nothing else has a cost."""
    edition: Edition = info.lists
    file = edition.file
    profiles = tuple(
        PriceRow(one.name, str(sum(one.special)), (f"SPECIAL {' '.join(map(str, one.special))}", *one.weapons))
        for one in edition.profiles.values()
    )
    classes = tuple(
        PriceRow(one.name, "–", (counted(one.markers, "force marker"), f"a marker detects at {one.marker_detects}″"))
        for one in edition.classes.values()
    )
    inches = f"{file.detection.base}″, and {file.detection.each}″ for each point of Perception"
    detection = PriceRow("Detection", "–", (inches,))
    ranged = tuple(PriceRow(w.name, "–", (w.figures,)) for w in edition.weapons.values() if w.ranged)
    melee = tuple(PriceRow(w.name, "–", (w.figures,)) for w in edition.weapons.values() if not w.ranged)
    lists = (
        PriceList("Ranged weapons", ranged, _FREE),
        PriceList("Weapons for close combat", melee, _FREE),
        PriceList("Models to start from", profiles, "Every score can be changed in the builder."),
        PriceList("Classes of squads", classes),
        PriceList("Scores", (PriceRow("Highest Strength and Agility", str(file.highest_score)), detection)),
        PriceList("Factions", tuple(PriceRow(name, "–") for name in edition.factions.values())),
    )
    return tuple(one for one in lists if one.rows)


_FREE = "A weapon costs nothing; a model counts its scores."
