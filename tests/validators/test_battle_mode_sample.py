"""Demonstration forces: legal, without queries, varied, using most of the size, the same for a seed."""

import pytest

from tests.kit.forces import SYSTEM, sample_force
from validators.contract import EditionInfo, Terms

pytestmark = pytest.mark.slow

FACTIONS = [(edition, faction) for edition in SYSTEM.editions for faction in edition.factions]
NAMED = [f"{edition.id} {faction}" for edition, faction in FACTIONS]


@pytest.mark.parametrize(("edition", "faction"), FACTIONS, ids=NAMED)
@pytest.mark.parametrize("size", [60, 250, 500, 750, 1000])
def test_samples_are_legal_and_use_most_of_the_size(edition: EditionInfo, faction: str, size: int) -> None:
    used = 0
    many = 200 if edition is SYSTEM.editions[0] else 40  # packs make longer lists to choose from
    for seed in range(many):
        force = SYSTEM.sample_force(Terms(edition, size), faction, seed)
        verdict = SYSTEM.check_force(force, Terms(edition, size))
        assert verdict.legal, (seed, verdict.problems)
        assert verdict.queries == (), (seed, verdict.queries)
        assert SYSTEM.read_force(force, edition) == force
        used += verdict.total
    assert used / many >= (0.95 if size >= 250 else 0.75) * size


@pytest.mark.parametrize(("edition", "faction"), FACTIONS, ids=NAMED)
def test_samples_differ_and_show_what_a_force_can_hold(edition: EditionInfo, faction: str) -> None:
    forces = [SYSTEM.sample_force(Terms(edition, 750), faction, seed) for seed in range(60)]
    models = [model for force in forces for model in force["models"]]
    assert len({str(force) for force in forces}) == 60
    assert any(model["heroic"] for model in models)
    assert any(model["leader_card"] for model in models)
    assert any(model["perks"] for model in models)
    assert any(item["mods"] for model in models for item in model["items"])
    assert any(item["count"] > 1 for model in models for item in model["items"])
    assert len({model["name"] for model in models}) >= 8


def test_the_same_seed_gives_the_same_force() -> None:
    assert sample_force("survivors", 750, 7) == sample_force("Survivors", 750, 7)


@pytest.mark.parametrize(("faction", "size"), [("Robots", 750), ("Nobody", 750), ("Survivors", 29)])
def test_what_cannot_be_drawn(faction: str, size: int) -> None:
    with pytest.raises(ValueError, match=r"no part|buy no model"):
        sample_force(faction, size, 1)
