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
        "Not read, please check: the faction, Survivors or Minutemen"
    ]
    for own in ("Minutemen", "Survivors"):
        imported, verdict = read_own(text, own)
        assert (imported.document["faction"], verdict.problems, verdict.queries) == (own, (), ())
    assert len(read_own(text, "Raiders")[1].queries) == 1
    assert read_own(f"Minutemen\n{text}", "Survivors")[0].document["faction"] == "Minutemen"


def test_parts_whose_numbers_are_those_of_the_models_are_shared_out() -> None:
    check_whole(
        {
            "Raiders\nAvery (L)\n2 Scavvers: 1 hunting rifle, 1 board": [
                "1 Avery*",
                "1 Scavver: Hunting Rifle",
                "1 Scavver: Board",
            ],
            "Raiders\nAvery (L)\n3 Raiders w/ pipe rifle/machete/machete": [
                "1 Avery*",
                "1 Raider: Pipe Rifle",
                "2 Raider: Machete",
            ],
            "Raiders\nAvery (L)\nScavver x 2 (one w/ hunting rifle, the other w/ board)": [
                "1 Avery*",
                "1 Scavver: Hunting Rifle",
                "1 Scavver: Board",
            ],
            "Children of Atom\nPreacher (L)\nchildren of atom 6 of them, 3 with gamma gun 3 with pipe pistol": [
                "1 Preacher*",
                "3 Child of Atom: Gamma Gun",
                "3 Child of Atom: Pipe Pistol",
            ],
            "BoS\nPaladin (L)\n2 Knights: combat rifle, T-45": [
                "1 Paladin*",
                "2 Knight: Combat Rifle, T-45 Power Armor",
            ],
        }
    )
    check_asked(
        "BoS\nPaladin (L)\n2 Knights (combat rifle) 1 T-45",
        "Raiders\nAvery (L)\n3 Raiders: 1 pipe rifle, 1 machete",
        "Survivors\nBoone & Raul\nHunting rifle",
    )


def test_number_at_the_end_is_not_that_of_a_unique_model() -> None:
    assert models(read_own("Survivors\nCass (L) - Caravan Shotgun, whiskey x2")[0]) == [
        "1 Cass*: Caravan Shotgun, Whiskey x2"
    ]
    check_asked("Survivors\nBoone (L), Sneak x2", "Survivors\nBoone (L), hunting rifle (x2)")


@pytest.mark.parametrize(
    "line",
    (
        "~Psycho, pipe rifle~",
        "> Psycho, pipe rifle",
        "-----Original Message-----\nPsycho, pipe rifle",
        "On 12 March 2027 Tom wrote:\nPsycho, pipe rifle",
    ),
)
def test_words_that_are_struck_out_or_quoted_are_listed_and_not_bought(line: str) -> None:
    imported, verdict = read_own(f"Raiders\nAvery (L)\n{line}")
    assert (models(imported), verdict.queries) == (["1 Avery*"], ())
    assert [one.text for one in imported.not_read] == line.splitlines()


def test_proxies_are_not_bought_and_options_are_asked_about() -> None:
    text = "Raiders\nAvery (L)\nVeteran Raider (proxy: Raider model)"
    assert models(read_own(text)[0]) == ["1 Avery*", "1 Veteran Raider"]
    check_asked("Raiders\nAvery (L)\nOption A: Raider\nOption B: Psycho")
    check_whole(
        {
            "> Avery (L)\n> Raider": ["1 Avery*", "1 Raider"],
            "[20:14] Max: > Avery (L)\n> Raider": ["1 Avery*", "1 Raider"],
            "Avery (L)\n> pipe rifle": ["1 Avery*: Pipe Rifle"],
        }
    )


@pytest.mark.parametrize(
    "text",
    (
        "Raiders\nAvery (L)\nRaider, rifle",
        "Raiders\nAvery (L)\nRaider\n- pistol",
        "BoS\nPaladin Danse (L) w/ power armor and plasma rifle",
        "BoS\nKnight (L) w/ armor, chems",
        "Survivors\nPiper (L), clothing, gear, alcohol",
        "Institute\nCourser (L)\nSynth x4 institute pistol",
    ),
)
def test_kinds_of_items_are_asked_about(text: str) -> None:
    check_asked(text)
    assert read_own(text)[0].not_read


def test_kinds_before_what_follows_are_headings() -> None:
    text = "Raiders\nAvery (L)\nRaider: weapons: pipe rifle\nWeapons:\n- machete"
    check_whole({text: ["1 Avery*", "1 Raider: Pipe Rifle, Machete"]})


def test_what_a_model_has_not_is_not_bought() -> None:
    for row in (" (no {})", " without {}", " w/o {}", ", no {}", " - ohne {}", ": {}? nope, no {}"):
        text = f"Raiders\nAvery (L)\nRaider{row.format('machete', 'machete')}"
        assert models(read_own(text)[0])[-1:] == ["1 Raider"], text
        check_asked(text)
    check_whole(
        {
            f"Raiders\nAvery (L)\nRaider{row}": ["1 Avery*", "1 Raider"]
            for row in (" (no pipe rifle)", ", no weapon", " w/o equipment", " - no gear")
        }
    )


def test_line_with_a_negation_leaves_out_no_other_line() -> None:
    text = "Raiders\nAvery (L)\n{}\nRaider"
    for line in ("no Psycho", "no idea if this is legal", "not sure about the next one"):
        assert models(read_own(text.format(line))[0]) == ["1 Avery*", "1 Raider"], line
    for line in ("not taken", "Not in the list:", "Left out:"):
        assert models(read_own(text.format(line))[0]) == ["1 Avery*"], line
    check_asked(text.format("no Psycho but Veteran Raider"), text.format("not 2 but 3 Raiders"))


def test_plural_without_a_number_is_asked_about() -> None:
    check_asked("Children of Atom\nPreacher (L)\ndisciples 2 gamma guns", "Raiders\nAvery (L)\nScavvers, machete")
    check_whole({"Legion\nVulpes (L), ripper\nCenturion": ["1 Vulpes Inculta*: Ripper", "1 Centurion"]})


def test_later_total_is_the_one_that_is_compared() -> None:
    text = "Avery (L)\n2 Raiders: pipe rifle\nSum {} ({} under)"
    total = read_own(text)[0].total
    check_whole({f"{head}{text.format(total, 4)}": ["1 Avery*", "2 Raider: Pipe Rifle"] for head in ("", "Raiders\n")})
    check_asked(text.format(total + 5, 4), text.format(4, total), f"Total 9999\n{text.format(total, 4)}")
