"""What a table of Battle Mode holds."""

from validators.scenery import Scenery

SCENERY = Scenery(
    pieces=14,
    fewest=12,
    most=16,
    apart=4,
    ruler="Yellow",
    kinds=("blocks line of sight", "gives cover"),
    source="Rulebook 1.0, scenery in competitive play",
)
"""More than Yellow between any two, mixed kinds, evenly on both halves."""
