"""What several calculators ask, and the words of their answers."""

from validators.calculator import Asked
from validators.skill_combat.attack import Kind

OUTCOMES: dict[Kind, str] = {
    "critical": "Critical hit", "hit": "Hit", "scratch": "Scratch", "miss": "Miss", "fumble": "Critical failure"
}  # fmt: skip


def number(key: str, label: str, least: int, most: int, default: int | None = None, help: str = "") -> Asked:
    """A whole number that is asked, open where it has no default."""
    return Asked(key, label, "number", least, most, default, help=help)


DOUBLE = (
    number("luck_roll", "Luck check for a double critical", 1, 10, help="A d10, only if the shooter tries for one."),
    number("second", "Second roll for the double critical", 1, 100),
)
