"""The arithmetic of the table: what a score is worth in dice and inches, by the document's own tables."""

from validators.new_vegas.edition import Edition

FACES = 6


def to_hit(score: int) -> str:
    """The roll of one die that hits: 6+ at a score of 0, one less for each point, always from 5 on.

    Strength is rolled in close combat, Agility in shooting (Stats: Strength, Agility). A score below 0 hits on 6 (a
    reading).
    """
    needed = FACES - max(score, 0)
    return f"{needed}+" if needed > 1 else "1+ (always)"


def to_hit_how(score: int, label: str) -> str:
    """How ``to_hit`` was reckoned: "6 - Agility 2 = 4"."""
    return f"{FACES} − {label} {score} = {max(FACES - score, 1)}"


def agility_at(agility: int, effective_range: int, inches: float) -> int:
    """The Agility that a shot is made with: one less for each effective range begun after the first (Shooting).

    The document's example: 18 inches with a range of 6 takes 2 away. Not below 0 (a reading).
    """
    if effective_range <= 0 or inches <= effective_range:
        return agility
    further = -int(-inches // effective_range) - 1
    return max(0, agility - further)


def detection(perception: int, edition: Edition) -> int:
    """The inches within which a model detects: 6, and 4 for each point of Perception (Stats: Perception)."""
    return edition.detection_base + edition.detection_each * perception


def detection_how(perception: int, edition: Edition) -> str:
    """How ``detection`` was reckoned: "6 + 4 × 2 = 14"."""
    inches = detection(perception, edition)
    return f"{edition.detection_base} + {edition.detection_each} × {perception} = {inches}"


def trap_save(perception: int) -> str:
    """The roll that saves from a trap: 6+ at a Perception of 0, one less for each point (Stats: Perception)."""
    return f"{max(FACES - perception, 1)}+"


def rally_dice(charisma: int) -> int:
    """Dice of a rally: one for each point of leadership, one where there is none (Morale)."""
    return max(charisma, 1)


def rallies(rolls: tuple[int, ...], casualties: int) -> bool:
    """Whether a squad rallies: it fails where every die less the casualties is 1 or less (Morale)."""
    return any(roll - casualties > 1 for roll in rolls)
