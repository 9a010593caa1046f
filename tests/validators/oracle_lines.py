"""The lines of new_games_oracles.txt in docs/assurance/evidence: how often each outcome occurred in each chunk."""

from collections import Counter
from pathlib import Path

EVIDENCE = Path(__file__).parents[2] / "docs" / "assurance" / "evidence" / "new_games_oracles.txt"


def line(game: str, seed: int, forces: int, met: Counter[str]) -> str:
    """A chunk's line: legal and illegal forces, then the forces under each rule id."""
    outcomes = ["legal", "illegal", *sorted(set(met) - {"legal", "illegal"})]
    return f"{game}, seed {seed}, {forces} forces: " + ", ".join(f"{what} {met[what]}" for what in outcomes)


def assert_in_evidence(shown: str) -> None:
    assert shown in EVIDENCE.read_text(encoding="utf-8").splitlines(), f"the evidence is old; now it is\n{shown}"
