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
