"""Lists in a player's own words: short names, counts in words, what is not taken, and what is asked about."""

from collections import Counter

from tests.validators.imports.rosters import SYSTEM
from validators.contract import Imported, Terms, Verdict

EDITION = SYSTEM.edition("2022-community")


def read_own(text: str, own: str = "") -> tuple[Imported, Verdict]:
    """A pasted list in the edition of 2022, of a player of this faction, and its verdict at 750 Caps."""
    imported = SYSTEM.forces.files.import_("", text.encode(), EDITION, own)
    return imported, SYSTEM.checks.check(imported.document, Terms(EDITION, 750))


def models(imported: Imported) -> list[str]:
    """Each kind of model of a force with its number and its items: "2 Raider: Pipe Rifle"."""
    shown: Counter[str] = Counter()
    for model in imported.document["models"]:
        items = [
            "+".join([item["name"], *item["mods"]]) + (f" x{item['count']}" if item["count"] > 1 else "")
            for item in model["items"]
        ]
        star = "*" if model["leader"] else ""
        shown[f"{model['name']}{star}" + (f": {', '.join(items)}" if items else "")] += 1
    return [f"{number} {model}" for model, number in shown.items()]


def check_whole(lists: dict[str, list[str]]) -> None:
    """Each text is read as these models, and nothing is asked."""
    for text, expected in lists.items():
        imported, verdict = read_own(text)
        assert (models(imported), verdict.problems, verdict.queries) == (expected, (), ()), text


def check_asked(*texts: str) -> None:
    """Each text leads to a query, and to no problem."""
    for text in texts:
        imported, verdict = read_own(text)
        assert (verdict.problems, bool(verdict.queries)) == ((), True), (text, models(imported))


def test_short_names_are_those_of_the_lists_faction() -> None:
    check_whole(
        {
            "NCR\nVet Ranger (L), anti-mat rifle\n2 troopers, service rifles": [
                "1 NCR Veteran Ranger*: Anti-Materiel Rifle",
                "2 NCR Trooper: Service Rifle",
            ],
            "NCR\nHanlon (L)\n1x heavy trooper - LMG, salvaged PA": [
                "1 Chief Hanlon*",
                "1 NCR Heavy Trooper: Light Machine Gun, NCR Salvaged Power Armor",
            ],
            "Gunners\nCommander (L): plasma rifle\nSgt. Baker - missile launcher": [
                "1 Gunner Commander*: Plasma Rifle",
                "1 Sergeant Baker: Missile Launcher",
            ],
            "Legion\nLanius (L) - blade of the east\n2x praetorians - ballistic fist": [
                "1 Legate Lanius*: Blade of the East",
                "2 Praetorian Guard: Ballistic Fist",
            ],
            "Enclave\nCol. Autumn (L)\n2x Trainee: laser pistol": [
                "1 Colonel Autumn*",
                "2 Enclave Trainee: Laser Pistol",
            ],
            "Creatures\nDeathclaw (L)\n2 ghouls\nradroaches x2": [
                "1 Deathclaw*",
                "2 Feral Ghoul",
                "2 Radroach Swarm",
            ],
            "SM 750pts\nOverlord (L) gatling laser\n2 hounds": ["1 Overlord*: Gatling Laser", "2 Mutant Hound"],
        }
    )
    assert models(read_own("Institute\nCourser (L)\n2 troopers")[0]) == ["1 Courser*", "2 Trooper"]


def test_names_without_a_comma_between_are_read() -> None:
    check_whole(
        {
            "Children of the Atom\nPreacher (L) gamma gun\n3 children of atom gamma gun, pipe pistol": [
                "1 Preacher*: Gamma Gun",
                "3 Child of Atom: Gamma Gun, Pipe Pistol",
            ],
            "BoS\nKnight (L) w.laser rifle\n2 Knight mit combat rifle w reflex sights": [
                "1 Knight*: Laser Rifle",
                "2 Knight: Combat Rifle+Reflex Sights",
            ],
        }
    )


def test_some_of_the_models_have_what_follows() -> None:
    check_whole(
        {
            "Raiders\nAvery (L)\n4 Raiders, 2 with pipe rifle, 2 with machete": [
                "1 Avery*",
                "2 Raider: Pipe Rifle",
                "2 Raider: Machete",
            ],
            "BoS\nPaladin x1 (L)\nKnight x3, Combat Rifle, one of them also Stimpak": [
                "1 Paladin*",
                "2 Knight: Combat Rifle",
                "1 Knight: Combat Rifle, Stimpak",
            ],
            "Raiders\nAvery (L)\n3 Raiders (2 with pipe rifle)": ["1 Avery*", "1 Raider", "2 Raider: Pipe Rifle"],
        }
    )


def test_parts_of_several_models_without_a_number_are_on_each() -> None:
    check_whole(
        {
            "Raiders\nAvery (L)\n3 Raiders with pipe rifle": ["1 Avery*", "3 Raider: Pipe Rifle"],
            "Raiders\nAvery (L)\nthree Raiders\n- pipe rifle": ["1 Avery*", "3 Raider: Pipe Rifle"],
            "Raiders\nAvery (L)\na pair of Raiders, 2 stimpaks each": ["1 Avery*", "2 Raider: Stimpak x2"],
        }
    )
    check_asked("Raiders\nAvery (L)\n2 Raiders, 2 stimpaks", "Raiders\nAvery (L)\n2 Raiders: 2 pipe rifles")


def test_number_at_a_part_of_one_model_is_asked_about() -> None:
    check_asked(
        "Gunners\nGunner Commander (L)\nGunner Sergeant, laser rifle (x2)",
        "Gunners\nGunner Commander (L)\nGunner Sergeant + laser rifle, x2",
        "Raiders\nAvery (L), Jet (4)",
        "Raiders\nAvery (L)\n- Jet (4)",
    )
    check_whole(
        {
            "Gunners\nTessa (L), 6x molotov cocktail": ["1 Tessa*: Molotov Cocktail x6"],
            "Gunners\nTessa (L), molotov cocktail x6": ["1 Tessa*: Molotov Cocktail x6"],
            "Gunners\nGunner Sergeant (L)\nGunner Sergeant, laser rifle (x2)\nTotal 264": [
                "1 Gunner Sergeant*",
                "2 Gunner Sergeant: Laser Rifle",
            ],
        }
    )


def test_what_is_not_taken_is_named_and_not_bought() -> None:
    text = "Raiders\nAvery (L)\n2 Raiders: pipe rifle"
    for line in (
        "Not taken: 1 Raider, pipe rifle; Sinjin",
        "Bench:\nSinjin\n2 Raiders",
        "Maybe: Sinjin",
        "(not in the list: Sinjin)",
        "no Sinjin today",
    ):
        imported, verdict = read_own(f"{text}\n{line}")
        assert (models(imported), verdict.queries) == (["1 Avery*", "2 Raider: Pipe Rifle"], ()), line
        assert [one.text for one in imported.not_read] == line.splitlines()
    assert models(read_own(f"Bench:\nSinjin\n\n{text}")[0]) == ["1 Avery*", "2 Raider: Pipe Rifle"]


def test_players_total_that_differs_is_a_query() -> None:
    text = "Raiders\nAvery (L)\n2 Raiders: pipe rifle"
    total = read_own(text)[0].total
    for line in ("Sum {}", "= {}", "Total {}", "{}/750", "{}", "{} caps total", "Razem: {}", "Gesamt: {} Kappen"):
        assert read_own(f"{text}\n{line.format(total)}")[1].queries == (), line
        check_asked(f"{text}\n{line.format(total + 5)}")


def test_lost_lines_that_look_like_models_are_asked_about() -> None:
    text = "Raiders\nAvery (L)\n2 Raiders: pipe rifle"
    check_asked(
        f"{text}\n2 Foobars",
        f"{text}\nthree Foobars",
        f"{text}\nditto",
        f"{text}, holy grenade",
        f"{text}\neverybody has Jet",
        f"{text}, grenade",
        "Raiders\nAvery (L)\ncombat shotgun\nPsycho",
        "Railroad\nDeacon (L)\n\nTom",
        "Railroad\nDeacon (L)\nTims, 44",
    )


def test_sums_in_a_line_are_read_as_sums() -> None:
    check_whole(
        {
            "Raiders\nAvery (L)\n2x Raider 39c + pipe rifle 8c = 94c": ["1 Avery*", "2 Raider: Pipe Rifle"],
            "Raiders\nAvery (L)\nRaider 3 x 39 = 117": ["1 Avery*", "3 Raider"],
            "Raider\t2\t39\t78\nAvery (L)\t1\t85\t85": ["2 Raider", "1 Avery*"],
        }
    )


def test_leader_is_marked_by_a_star_or_a_crown() -> None:
    check_whole(
        {
            "Raiders\nRaider\nScavver* - hunting rifle": ["1 Raider", "1 Scavver*: Hunting Rifle"],
            "Raiders\n- Raider\n- Avery 👑": ["1 Raider", "1 Avery*"],
            "Super Mutants\nSuper Mutant\nBehemoth - fire hydrant bat (leader)": [
                "1 Super Mutant",
                "1 Behemoth*: Fire Hydrant Bat",
            ],
        }
    )


def test_words_that_may_be_cut_short_are_the_usual_part_or_asked_about() -> None:
    check_whole(
        {
            "SM\nOverlord (L)\nbrute w/ sledge": ["1 Overlord*", "1 Brute: Sledgehammer"],
            "Enclave\nArcade (L): plasma def, ripper": ["1 Arcade Gannon*: Plasma Defender, Ripper"],
            "Robots\nUtil Protectron (L)\nSentry Bot": ["1 Utility Protectron*", "1 Sentry Bot"],
        }
    )
    check_asked(
        "SM\nOverlord (L), sledge",
        "Legion\nCenturion (L)\n2 Dec",
        "Robots\nSentry Bot (L)\nMr Gutsy w/ 10mm auto",
        "Survivors\nSturges (L), revolver .44",
    )


def test_words_in_brackets_may_belong_to_the_models_name() -> None:
    text = "BoS\nPaladin (L)\nScribe (shield): laser pistol"
    assert models(read_own(text)[0]) == ["1 Paladin*", "1 Field Scribe Shield: Laser Pistol"]
    check_asked(text)


def test_factions_name_may_stand_before_a_models() -> None:
    expected = ["1 Paladin*: Gatling Laser", "1 Field Scribe", "1 Knight: Combat Rifle"]
    rows = "Brotherhood Paladin (L), gatling laser\nBrotherhood Scribe\nBrotherhood Knight, combat rifle"
    check_whole(dict.fromkeys((rows, f"BoS\n{rows}"), expected))
    verdict = read_own("Institute\nCourser (L)\nBrotherhood Paladin")[1]
    assert verdict.problems or verdict.queries
    check_asked("Raiders\nAvery (L)\nRaider Psycho\nScavver")


def test_letters_and_numbers_after_a_models_name_tell_twins_apart() -> None:
    check_whole(
        {
            "Children of Atom\nPreacher (L)\nDisciple A: gamma gun\nDisciple B: pipe pistol": [
                "1 Preacher*",
                "1 Disciple: Gamma Gun",
                "1 Disciple: Pipe Pistol",
            ],
            "Raiders\nAvery (L)\nRaider #1: machete\nRaider #2 - pipe rifle": [
                "1 Avery*",
                "1 Raider: Machete",
                "1 Raider: Pipe Rifle",
            ],
            "Raiders\nAvery (L)\nRaider 1: machete\nRaider 2: pipe rifle\nTotal 172": [
                "1 Avery*",
                "1 Raider: Machete",
                "1 Raider: Pipe Rifle",
            ],
            "Raiders\nAvery (L)\nRaider 1: machete\nRaider 2: pipe rifle\nTotal 219": [
                "1 Avery*",
                "1 Raider: Machete",
                "2 Raider: Pipe Rifle",
            ],
        }
    )
    check_asked(
        "Raiders\nAvery (L)\nRaider 1: machete\nRaider 2: pipe rifle",
        "Raiders\nAvery (L)\nRaider 1 machete\nRaider 2 pipe rifle",
        "Raiders\nAvery (L)\nRaider 2 pipe rifle",
        "Institute\nCourser (L)\nGen 2, baton",
        "Survivors\nPiper (L)\nCourier 6, machete",
    )


def test_numbers_of_lines_are_copies_or_places_as_the_costs_show() -> None:
    check_whole(
        {
            "Survivors\n1 Piper (L) 76\n2 Cait 77": ["1 Piper*", "1 Cait"],
            "Survivors\n1 Piper (L)\n2 Cait\n3 Settler": ["1 Piper*", "1 Cait", "1 Settler"],
            "Raiders\n1 Avery (L)\n2 Psycho\n3 Raider\nTotal 169": ["1 Avery*", "1 Psycho", "1 Raider"],
            "Raiders\n1 Avery (L) 85\n2 Psycho 90\n3 Raider 117": ["1 Avery*", "2 Psycho", "3 Raider"],
            "Raiders\n1 Avery (L)\n2 Psychos\n3 Raiders": ["1 Avery*", "2 Psycho", "3 Raider"],
        }
    )
    check_asked(
        "Raiders\n1 Avery (L)\n2 Psycho\n3 Raider",
        "Raiders\n1 Avery (L) 85\n2 Psycho 45\n3 Raider 39",
        "Raiders\nAvery (L)\n1 Raider\n2 Raider",
    )


def test_mod_is_the_one_of_its_item() -> None:
    for row in ("T-60 (headlamp)", "T-60 with headlamp", "T-60, headlamp"):
        check_whole(
            {
                f"BoS\nPaladin (L)\nKnight w/ {row}": [
                    "1 Paladin*",
                    "1 Knight: T-60 Power Armor+Headlamp (Power Armor)",
                ]
            }
        )
