"""Words of a pasted list that were not read: each is asked about if it may be a model or a part."""

import pytest

from tests.validators.imports.test_import_own_words import check_asked, check_whole, models, read_own

NO_TITLES = (
    "gunner pvt cbt rifle\n(same again)\ngunner pvt shotgun\nclint leader",
    "tabitha ml + super sledge\n2 sm with board\nsuicider\nmarcus",
    "7 minutemen all with laser muskets\nRonnie Shaw",
    "4 x Gunner pvt, combat rifle\nTessa",
    "Enclave scientist w/ laser pistol\nEnclave Trainee",
    "Raider scum x4 w/ machete\nAvery",
    "Legion vexilarius w/ sniper rifle\nCenturion",
    "Super Mutant Warlord w/ minigun\nStrong",
    "Survivor w/ pipe rifle\nPiper",
    "Minutemen general, laser musket\nRonnie Shaw",
    "Children of Atom inquisitor w gamma gun\nPreacher",
    "Tessa\nGunner medic, laser pistol",
    "Frank Horrigan\nEnclave Soldier - laser rifle",
    "Deathclaw Matriarch\nMole Rat x2",
    "Mr Tims .44\nDeacon, hunting rifle",
    "Glowing One\nDeathclaw",
    "My list\nvex w sniper\nCenturion",
    "# Enclave scientist\nEnclave Trainee (L)",
    "Total 9999\nAvery (L)",
)


@pytest.mark.parametrize("text", NO_TITLES)
def test_lines_before_the_first_model_that_may_be_models_are_asked_about(text: str) -> None:
    check_asked(text)


def test_every_line_before_the_first_model_but_the_title_is_listed() -> None:
    imported, verdict = read_own("My best list\nRaiders 750\nHi all\n---\nAvery (L)")
    assert (imported.document["name"], [line.text for line in imported.not_read]) == ("My best list", ["Hi all"])
    assert verdict.queries == ()


def test_titles_of_a_faction_and_a_size_are_not_asked_about() -> None:
    check_whole(
        {
            "SM 750pts\nOverlord (L)": ["1 Overlord*"],
            "enclave army by Lukas\nEnclave Trainee (L)": ["1 Enclave Trainee*"],
            "Home Guard (club night)\nLegion\nCenturion (L)": ["1 Centurion*"],
        }
    )
    assert models(read_own("Army: Raiders\nmy list\nAvery (L)")[0]) == ["1 Avery*"]


def test_players_faction_decides_between_several_and_is_asked_without_one() -> None:
    text = "Preston Garvey (L), laser musket\n5 Minutemen, laser musket"
    imported, verdict = read_own(text)
    assert [query.message for query in verdict.queries] == [
        "Not read, please check: line 1: the faction, Survivors or Minutemen"
    ]
    for own in ("Minutemen", "Survivors"):
        imported, verdict = read_own(text, own)
        assert (imported.document["faction"], verdict.problems, verdict.queries) == (own, (), ())
    assert len(read_own(text, "Raiders")[1].queries) == 1
    assert read_own(f"Minutemen\n{text}", "Survivors")[0].document["faction"] == "Minutemen"
