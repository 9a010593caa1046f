"""What a game calls its things: part of the contract."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """What a game calls its things, in lower case."""

    force: str = "force"
    forces: str = "forces"
    faction: str = "faction"
    others: tuple[str, ...] = ()
    """Programs whose force files and texts are read, beside the service's own file."""

    @property
    def factions(self) -> str:
        """More than one: "factions", "origins"."""
        return f"{self.faction}s"

    @property
    def a_force(self) -> str:
        """With its article: "a force", "an army"."""
        return f"{'an' if self.force[0] in 'aeiou' else 'a'} {self.force}"
