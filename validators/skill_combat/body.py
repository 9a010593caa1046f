"""The HP of each part of the body, and when it is crippled. Document 002, Taking aim and damaging body parts."""

from validators.calculator import Calculated, Figure, Given, numbers
from validators.sheet import Column, Table
from validators.skill_combat.edition import BODY, BodyPart
from validators.skill_combat.figures import hit_points, part_points

NOWHERE = "none"
"""No aimed part: a quick shot."""


BY_PLACE = {part.name.lower(): part for part in BODY}
"""The parts by their names as fields' values."""
PLACES = tuple(
    (place, part.name if not part.region else f"{part.name} ({part.region.lower()})")
    for place, part in BY_PLACE.items()
)


def cripples(part: BodyPart, endurance: int, hit_points: int) -> int:
    """The least total damage to a part that cripples it: its HP; for a leg or an arm, more than its HP."""
    return part_points(part.health, endurance, hit_points).value + part.over


def holds(part: BodyPart, endurance: int, hit_points: int) -> tuple[str, str]:
    """The HP of a part and the damage that cripples it, for a table."""
    return str(part_points(part.health, endurance, hit_points).value), str(cripples(part, endurance, hit_points))


REGIONS = "A region also falls by parts without HP: " + ", ".join(
    f"{part.name.lower()} by {part.falls}" for part in BODY if part.falls
)
"""When damaged parts cripple their region."""


def calculate_body(given: Given) -> Calculated:
    """The HP of every part, and the effect of damage to one of them."""
    n = numbers(given)
    endurance, damage = n["endurance"], n["damage"]
    whole, part = hit_points({"STR": n["strength"], "EN": endurance}, n["level"]), BY_PLACE[str(given["part"])]
    own, needed = part_points(part.health, endurance, whole.value), cripples(part, endurance, whole.value)
    crippled = "crippled" if damage >= needed else "holds"
    return Calculated(
        main=(
            Figure("holds", f"HP of the {part.name.lower()}", own.value, "", own.how),
            Figure("crippled", f"With {damage} damage there", crippled, "", f"crippled by {needed}: {part.crippled}"),
            Figure("left", "Health points left", whole.value - damage, "", f"{whole.value} − {damage}"),
        ),
        figures=(Figure("hp", "Health points", whole.value, "", whole.how),),
        tables=(body_table(endurance, whole.value),),
    )


def body_table(endurance: int, hit_points: int) -> Table:
    """Every part of a target with this EN and these HP."""
    heads = (Column("Part"), Column("HP", "figure"), Column("Falls at", "figure"))
    rows = tuple((f"{'  ' * bool(part.region)}{part.name}", *holds(part, endurance, hit_points)) for part in BODY)
    return Table("Every part of the body", heads, rows)
