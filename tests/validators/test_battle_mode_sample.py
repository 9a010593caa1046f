"""Demonstration forces: legal, without queries, varied, using most of the size, the same for a seed."""

import pytest

from tests.forces import check_force, read_force, sample_force

FACTIONS = ("Survivors", "Brotherhood of Steel", "Super Mutants")


@pytest.mark.parametrize("faction", FACTIONS)
@pytest.mark.parametrize("size", [60, 250, 500, 750, 1000])
def test_samples_are_legal_and_use_most_of_the_size(faction: str, size: int) -> None:
    used = 0
    for seed in range(200):
        force = sample_force(faction, size, seed)
        verdict = check_force(force, size)
        assert verdict.legal, (seed, verdict.problems)
        assert verdict.queries == (), (seed, verdict.queries)
        assert read_force(force) == force
        used += verdict.total
    assert used / 200 >= (0.95 if size >= 250 else 0.75) * size


@pytest.mark.parametrize("faction", FACTIONS)
def test_samples_differ_and_show_what_a_force_can_hold(faction: str) -> None:
    forces = [sample_force(faction, 750, seed) for seed in range(60)]
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
