"""Lists in a player's own words: what each is read as, what is asked, what is left out, and what answers do."""

from collections import Counter
from collections.abc import Mapping

from tests.validators.imports.rosters import SYSTEM
from validators.contract import Imported, LineRead

EDITION = SYSTEM.edition("2022-community")


def read_own(text: str, own: str = "", answers: Mapping[str, str] | None = None) -> Imported:
    """A pasted list in the edition of 2022, of a player of this faction."""
    return SYSTEM.forces.files.import_("", text.encode(), EDITION, own, answers or {})


def models(imported: Imported) -> list[str]:
    """Each kind of model of a force with its number and its parts: "2 Raider: Pipe Rifle"."""
    shown: Counter[str] = Counter()
    for model in imported.document["models"]:
        items = ["+".join([item["name"], *item["mods"]]) + f" x{item['count']}" * (item["count"] > 1)
                 for item in model["items"]]  # fmt: skip
        parts = [*(["Heroic"] if model["heroic"] else []), *model["perks"], *items]
        card = f" <{model['leader_card']}>" if model["leader_card"] else ""
        shown[f"{model['name']}{'*' * model['leader']}{card}{': ' * bool(parts)}{', '.join(parts)}"] += 1
    return [f"{number} {model}" for model, number in shown.items()]


def asked_of(imported: Imported) -> list[LineRead]:
    return [line for line in imported.lines if line.state == "check" and not line.asked_above]


def check_read(lists: Mapping[str, list[str]]) -> None:
    """Each text is read as these models; at most the weapons of bare names are asked about."""
    for text, expected in lists.items():
        imported = read_own(text)
        assert (models(imported), asked_of(imported)) == (expected, []), text
        assert {question.key for question in imported.questions} <= {"bare"}, text


def check_asked(*texts: str) -> None:
    """Each text leads to a question that is not the one for bare names, or has another total than ours."""
    for text in texts:
        imported = read_own(text)
        keys = {question.key for question in imported.questions} - {"bare"}
        assert asked_of(imported) or keys or imported.stated not in (None, imported.total), (text, models(imported))


def row(imported: Imported, number: int) -> LineRead:
    return next(line for line in imported.lines if line.number == number)


READ = {
    # names of the faction without its own words, or one word of them; initials
    "NCR\nVet Ranger (L), anti-mat rifle\n2 troopers, service rifles": [
        "1 NCR Veteran Ranger*: Anti-Materiel Rifle", "2 NCR Trooper: Service Rifle"],
    "NCR\nHanlon (L)\n1x heavy trooper - LMG": ["1 Chief Hanlon*", "1 NCR Heavy Trooper: Light Machine Gun"],
    "Gunners\nCommander (L): plasma rifle\nSgt. Baker - missile launcher": [
        "1 Gunner Commander*: Plasma Rifle", "1 Sergeant Baker: Missile Launcher"],
    "Legion\nLanius (L) - blade of the east\n2x praetorians - ballistic fist": [
        "1 Legate Lanius*: Blade of the East", "2 Praetorian Guard: Ballistic Fist"],
    "Enclave\nCol. Autumn (L)\n2x Trainee: laser pistol": ["1 Colonel Autumn*", "2 Enclave Trainee: Laser Pistol"],
    "SM 750pts\nOverlord (L) gatling laser\n2 hounds": ["1 Overlord*: Gatling Laser", "2 Mutant Hound"],
    "BoS\nBrotherhood Paladin (L), gatling laser\nBrotherhood Knight, combat rifle": [
        "1 Paladin*: Gatling Laser", "1 Knight: Combat Rifle"],
    "SM\nOverlord (L)\nbrute w/ sledge": ["1 Overlord*", "1 Brute: Sledgehammer"],
    "Enclave\nArcade (L): plasma def, ripper": ["1 Arcade Gannon*: Plasma Defender, Ripper"],
    "Aviator (L)\nSuper Mutant Brute 2x\nMaster, heroic": ["1 Aviator*", "2 Brute", "1 Master: Heroic"],
    # words that join, and none between names
    "Children of the Atom\nPreacher (L) gamma gun\n3 children of atom gamma gun, pipe pistol": [
        "1 Preacher*: Gamma Gun", "3 Child of Atom: Gamma Gun, Pipe Pistol"],
    "BoS\nKnight (L) w.laser rifle\n2 Knight mit combat rifle w reflex sights": [
        "1 Knight*: Laser Rifle", "2 Knight: Combat Rifle+Reflex Sights"],
    "BoS\nPaladin (L)\nKnight w/ T-60 (headlamp)": [
        "1 Paladin*", "1 Knight: T-60 Power Armor+Headlamp (Power Armor)"],
    # numbers: of models, of parts, of some of the models; sums and costs
    "Raiders\nAvery (L)\n4 Raiders, 2 with pipe rifle, 2 with machete": [
        "1 Avery*", "2 Raider: Pipe Rifle", "2 Raider: Machete"],
    "BoS\nPaladin x1 (L)\nKnight x3, Combat Rifle, one of them also Stimpak": [
        "1 Paladin*", "1 Knight: Combat Rifle, Stimpak", "2 Knight: Combat Rifle"],
    "Raiders\nAvery (L)\nthree Raiders\n- pipe rifle": ["1 Avery*", "3 Raider: Pipe Rifle"],
    "Raiders\nAvery (L)\na pair of Raiders, 2 stimpaks each": ["1 Avery*", "2 Raider: Stimpak x2"],
    "Raiders\nAvery (L)\n2 Scavvers: 1 hunting rifle, 1 board": [
        "1 Avery*", "1 Scavver: Hunting Rifle", "1 Scavver: Board"],
    "Raiders\nAvery (L)\n3 Raiders w/ pipe rifle/machete/machete": [
        "1 Avery*", "1 Raider: Pipe Rifle", "2 Raider: Machete"],
    "Raiders\nAvery (L)\nScavver x 2 (one w/ hunting rifle, the other w/ board)": [
        "1 Avery*", "1 Scavver: Hunting Rifle", "1 Scavver: Board"],
    "Children of Atom\nPreacher (L)\nchildren of atom 6 of them, 3 with gamma gun 3 with pipe pistol": [
        "1 Preacher*", "3 Child of Atom: Gamma Gun", "3 Child of Atom: Pipe Pistol"],
    "Gunners\nTessa (L), 6x molotov cocktail": ["1 Tessa*: Molotov Cocktail x6"],
    "Gunners\nGunner Sergeant (L)\nGunner Sergeant, laser rifle (x2)\nTotal 264": [
        "1 Gunner Sergeant*", "2 Gunner Sergeant: Laser Rifle"],
    "Raiders\nAvery (L)\n2x Raider 39c + pipe rifle 8c = 94c": ["1 Avery*", "2 Raider: Pipe Rifle"],
    "Raiders\nAvery (L)\nRaider 3 x 39 = 117": ["1 Avery*", "3 Raider"],
    "Raider\t2\t39\t78\nAvery (L)\t1\t85\t85": ["2 Raider", "1 Avery*"],
    "Survivors\n1 Piper (L)\n2 Cait\n3 Settler": ["1 Piper*", "1 Cait", "1 Settler"],
    "Raiders\n1 Avery (L)\n2 Psychos\n3 Raiders": ["1 Avery*", "2 Psycho", "3 Raider"],
    "Raiders\n1 Avery (L) 85\n2 Psycho 90\n3 Raider 117": ["1 Avery*", "2 Psycho", "3 Raider"],
    "Raiders\nAvery (L)\nRaider 1: machete\nRaider 2: pipe rifle\nTotal 172": [
        "1 Avery*", "1 Raider: Machete", "1 Raider: Pipe Rifle"],
    "Raiders\nAvery (L)\nRaider 1: machete\nRaider 2: pipe rifle\nTotal 219": [
        "1 Avery*", "1 Raider: Machete", "2 Raider: Pipe Rifle"],
    # a number that is the cost of the model, alone or with what it has, is that
    "BoS\nPaladin (L)\nKnight 62 fragmentation grenade 6": ["1 Paladin*", "1 Knight: Fragmentation Grenade"],
    "BoS 750\nPaladin (L) 120 gatling laser\n- 2 Fragmentation Grenades 12\nKnight 92 laser rifle": [
        "1 Paladin*: Gatling Laser, Fragmentation Grenade x2", "1 Knight: Laser Rifle"],
    "BoS\nDanse (118) Leader (+18 Commander)\nPlasma Rifle (19) T-60 (70)": [
        "1 Paladin Danse* <Commander>: Plasma Rifle, T-60 Power Armor"],
    "Ben's BoS list 750\nPaladin Danse (leader) 207 - T-60 power armor, plasma rifle\nKnight w/ combat rifle x2\n"
    "Lancer with Hunting rifle 77\nleader card: Commander": [
        "1 Paladin Danse* <Commander>: T-60 Power Armor, Plasma Rifle", "2 Knight: Combat Rifle",
        "1 Lancer: Hunting Rifle"],
    # one letter off
    "NCR\nChief Hanlon leader, Ranger Sequoia\nVeteran Ranger with Anti Material Rifle": [
        "1 Chief Hanlon*: Ranger Sequoia", "1 NCR Veteran Ranger: Anti-Materiel Rifle"],
    "Survlvors 750 Caps\n2x Mlnuteman (L) 142\n - Laser Musket 14\nSettier 48\n - Assauit Rifle 8": [
        "1 Minuteman*: Laser Musket", "1 Minuteman: Laser Musket", "1 Settler: Assault Rifle"],
    # pages, tables, lists of a program
    "<ul><li>Conrad Kellogg (Leader), Stealth Boy</li><li>2x Patroller, Institute Laser Rifle</li></ul>": [
        "1 Conrad Kellogg*: Stealth Boy", "2 Patroller: Institute Laser Rifle"],
    "Model,Count,Leader,Items,Caps\nColonel Autumn,1,yes,Col. Autumn's 10mm Pistol,113\n"
    'Enclave Soldier,2,no,"Laser Rifle; Enclave Power Armor",338\nEyebot,1,no,,40': [
        "1 Colonel Autumn*: Colonel Autumn's 10mm Pistol", "2 Enclave Soldier: Laser Rifle, Enclave Power Armor",
        "1 Eyebot"],
    "| Model | Qty | Weapons |\n|---|---|---|\n| Avery (L) | 1 | Combat Shotgun |\n| Raider | 2 | Pipe Rifle |": [
        "1 Avery*: Combat Shotgun", "2 Raider: Pipe Rifle"],
    '["Raiders", "Avery (L), combat shotgun", "2x Raider, pipe rifle"]': [
        "1 Avery*: Combat Shotgun", "2 Raider: Pipe Rifle"],
    '[{"name": "Avery", "leader": true, "items": ["Combat Shotgun"]}, {"name": "Raider", "count": 2}]': [
        "1 Avery*: Combat Shotgun", "2 Raider"],
    # marks of the Leader, titles, headings, chats
    "Raiders\nRaider\nScavver* - hunting rifle": ["1 Raider", "1 Scavver*: Hunting Rifle"],
    "Raiders\n- Raider\n- Avery 👑": ["1 Raider", "1 Avery*"],
    "enclave army by Lukas\nEnclave Trainee (L)": ["1 Enclave Trainee*"],
    "Home Guard (club night)\nLegion\nCenturion (L)": ["1 Centurion*"],
    "Raiders\nAvery (L)\nRaider: weapons: pipe rifle\nWeapons:\n- jet": ["1 Avery*", "1 Raider: Pipe Rifle, Jet"],
    "[20:14] Max: > Avery (L)\n> Raider": ["1 Avery*", "1 Raider"],
    "Avery (L)\n> pipe rifle": ["1 Avery*: Pipe Rifle"],
    "BoS\nPaladin (L) gatling laser\n[x] Knight, laser rifle": ["1 Paladin*: Gatling Laser", "1 Knight: Laser Rifle"],
    "Raiders\nAvery (L)\nRaider, no weapon": ["1 Avery*", "1 Raider"],
    "Raiders\nAvery (L)\nRaider without pipe rifle": ["1 Avery*", "1 Raider"],
    # six languages
    "Survivants – 500 capsules\nPiper (chef) avec 10mm Pistol et Long Barrel\n2 Settler avec Assault Rifle\n"
    "1 Dogmeat": [
        "1 Piper*: 10mm Pistol+Long Barrel", "2 Settler: Assault Rifle", "1 Dogmeat"],
    "Plünderer – 500 Kronkorken\nAvery (Anführerin) mit Combat Shotgun\nzwei Raider mit je Pipe Rifle und Jet\n"
    "Anführerkarte: Commander\nGesamt 233": [
        "1 Avery* <Commander>: Combat Shotgun", "2 Raider: Pipe Rifle, Jet"],
    "Saqueadores, 500 chapas\nAvery (jefa) con Combat Shotgun\ndos Raider con Pipe Rifle y Jet\n"
    "Carta de líder: Commander\nSuma 233": ["1 Avery* <Commander>: Combat Shotgun", "2 Raider: Pipe Rifle, Jet"],
    "Bandyci do 500 kapsli\nAvery (dowódca) z Combat Shotgun\ndwaj Raider z Pipe Rifle oraz Jet\n"
    "Karta dowódcy: Commander\nRazem: 233 kapsli": [
        "1 Avery* <Commander>: Combat Shotgun", "2 Raider: Pipe Rifle, Jet"],
    "Predoni, 500 tappi\nAvery (capo) con Combat Shotgun\ndue Raider con Pipe Rifle e Jet\nCarta del capo: Commander\n"
    "Totale 233": ["1 Avery* <Commander>: Combat Shotgun", "2 Raider: Pipe Rifle, Jet"],
    "Raiders up to 500 caps\nAvery (leader) with Combat Shotgun\ntwo Raiders with Pipe Rifle and Jet each\n"
    "Leader card: Commander\nSum 233": ["1 Avery* <Commander>: Combat Shotgun", "2 Raider: Pipe Rifle, Jet"],
}  # fmt: skip


def test_texts_are_read_as_they_are_meant() -> None:
    check_read(READ)


def test_lines_that_name_a_model_and_a_role_mark_it_and_buy_nothing() -> None:
    text = "NCR\nNCR Trooper x2 service rifle\nNCR Civilian Ranger\n{}"
    for line in ("Leader: {}", "Leader - {}", "{} = Leader", "{} is the leader", "Anführer: {}", "{} jest dowódca"):
        expected = ["2 NCR Trooper: Service Rifle", "1 NCR Civilian Ranger*"]
        check_read({text.format(line.format("NCR Civilian Ranger")): expected})
    check_read({text.format("Heroic: Civilian Ranger\nLeader: Civilian Ranger\nLeader card: Commander"): [
        "2 NCR Trooper: Service Rifle", "1 NCR Civilian Ranger* <Commander>: Heroic"]})  # fmt: skip
    card_first = "Survivors\nLeader card: Commander\nSettler x2\nPiper (L)"
    check_read({card_first: ["2 Settler", "1 Piper* <Commander>"]})
    check_read({"Leader: Piper w/ Heroic & Pipe Pistol = 138\nSettler": ["1 Piper*: Heroic, Pipe Pistol", "1 Settler"]})
    two = read_own("Leader: Raider\nRaider, pipe rifle\nRaider, machete")
    assert models(two) == ["1 Raider*: Pipe Rifle", "1 Raider: Machete"]
    assert [choice.key for choice in row(two, 1).choices] == ["line2", "line3"], "which of the two is asked"
    other = read_own("Leader: Raider\nRaider, pipe rifle\nRaider, machete", answers={"1": "line3"})
    assert (models(other), other.open) == (["1 Raider: Pipe Rifle", "1 Raider*: Machete"], 0)


ASKED = (
    # numbers that may be something else
    "Raiders\nAvery (L)\n25 Raiders", "Raiders\nAvery (L)\n25x Raider", "Raiders\nAvery (L), 40 stimpaks",
    "Gunners\nGunner Sergeant (L)\nGunner Private\nGunner Private 2\nGunner Private 3",
    "Gunners\nGunner Commander (L)\nGunner Sergeant, laser rifle (x2)", "Raiders\nAvery (L), Jet (4)",
    "Raiders\nAvery (L), fragmentation grenade 6", "Raiders\nAvery (L), pipe rifle 1, 3 machetes",
    "Raiders\nAvery (L)\n2 Raiders, 2 stimpaks", "Raiders\nAvery (L)\n2 Raiders: 2 pipe rifles",
    "Raiders\nAvery (L)\n3 Raiders: 1 pipe rifle, 1 machete", "BoS\nPaladin (L)\n2 Knights (combat rifle) 1 T-45",
    "Raiders\n1 Avery (L)\n2 Psycho\n3 Raider", "Raiders\n1 Avery (L) 85\n2 Psycho 45\n3 Raider 39",
    "Raiders\nAvery (L)\nRaider 2 pipe rifle", "Raiders\nAvery (L)\nRaider -2", "Raiders\nAvery (L) (+18)",
    "Raiders\nAvery (L)\nScavvers, machete", "Raiders\nAvery (L)\n3. Raider\n7. Raider",
    "Survivors\nBoone (L): Sniper Rifle\n2² Settlers: Assault Rifle", "Survivors\nBoone (L), Sneak x2",
    "Raiders\nAvery (L), 2x combat rifle (long barrel)",
    # signs, choices, boxes
    "BoS\nPaladin (L) gatling laser\nKnight laser rifle -> combat rifle", "BoS\nPaladin (L)\n[ ] Field Scribe",
    "BoS\nPaladin (L)\nKnight laser rifle → combat rifle", "Raiders\nAvery (L)\nRaider?",
    "Raiders\nAvery (L)\n❌ Raider",
    "Raiders\nAvery (L)\nRaider: pipe rifle or machete", "Raiders\nAvery (L)\nOption A: Raider\nOption B: Psycho",
    "Raiders\nAvery (L)\nRaider: machete instead of pipe rifle", "Raiders\nAvery (L)\nRaider without machete",
    "Raiders\nAvery (L)\n> Psycho, pipe rifle", "Raiders\nAvery (L)\nnot 2 but 3 Raiders",
    # names that are not known, are another's, or fit several
    "Institute\nZ2-47 (L)\nGen 2 Synth x3", "Institute\nCourser (L)\nSynth x4",
    "Survivors\nPre5ton Garvey (L)\nSettler",
    "Raiders\nAvery (L)\n2 Foobars", "Raiders\nAvery (L)\nditto", "Raiders\nAvery (L), holy grenade",
    "Raiders\nAvery (L)\neverybody has Jet", "Railroad\nDeacon (L)\n\nTom", "Creatures\nDeathclaw (L)\n2 ghouls",
    "Raiders\nAvery (L)\nRaider, rifle", "BoS\nKnight (L) w/ armor, chems", "SM\nOverlord (L), sledge",
    "Legion\nCenturion (L)\n2 Dec", "Robots\nSentry Bot (L)\nMr Gutsy w/ 10mm auto",
    "BoS\nPaladin (L)\nScribe (shield)",
    "Raiders\nAvery (L)\nRaider Psycho\nScavver", "Raiders\nAvery (L)\ncombat shotgun\nPsycho",
    "Institute\nCourser (L)\nBrotherhood Paladin", "Raiders\nAvery (L)\nSettler",
    "Survivors\nBoone & Raul\nHunting rifle",
    # before the first model
    "gunner pvt cbt rifle\n(same again)\nclint leader", "tabitha ml + super sledge\n2 sm with board\nmarcus",
    "Enclave scientist w/ laser pistol\nEnclave Trainee", "Raider scum x4 w/ machete\nAvery", "Total 9999\nAvery (L)",
    "Super Mutant Warlord w/ minigun\nStrong", "Survivor w/ pipe rifle\nPiper", "Glowing One\nDeathclaw",
    "Tessa\nGunner medic, laser pistol", "Frank Horrigan\nEnclave Soldier - laser rifle",
    "Deathclaw Matriarch\nMole Rat",
    # totals, and words of a name twice
    "Raiders\nAvery (L)\n2 Raiders: pipe rifle\n= 184", "Raiders\nAvery (L)\n2 Raiders: pipe rifle\nSum 4 (179 left)",
    "Raiders\nAvery (L), honey honey mesquite pod", "Raiders\nAvery (L), machete, machete",
    "Robots\nMr Handy (L), Bowler Hat, Mr Handy Handy Fuel",
    "Legion\nCenturion (L)\n- Heavy Heavy Gunner",
    "Preston Garvey (L), laser musket\n5 Minutemen, laser musket",
)  # fmt: skip


def test_what_is_not_plain_is_asked() -> None:
    check_asked(*ASKED)


def test_one_bad_line_never_refuses_a_list() -> None:
    text = "Raiders\nAvery (L), combat shotgun\n{}\n2 Raiders: pipe rifle"
    for line in (
        "zzz " * 40,
        "9" * 400,
        "x" * 5000,
        "Raider x0",
        "200 Raiders",
        "(" * 300 + "x",
        "Raider, 999x jet",
        "= 5 = 6 =",
    ):
        imported = read_own(text.format(line))
        assert {"1 Avery*: Combat Shotgun", "2 Raider: Pipe Rifle"} <= set(models(imported)), line
        assert row(imported, 3).state in ("check", "title", "total", "left out"), line


def test_heading_of_the_leader_marks_the_next_model() -> None:
    for heading in ("Leader:", "Dowódca:", "Anführer:"):
        imported = read_own(f"Survivors\n{heading}\nBoone, hunting rifle\nTroops:\n2 Settler, assault rifle")
        assert models(imported) == ["1 Boone*: Hunting Rifle", "2 Settler: Assault Rifle"]
        assert asked_of(imported) == []


def test_roles_and_cards_that_may_be_of_another_model_are_asked() -> None:
    texts = {
        "Gunners\nGunner Sergeant (L), assault rifle\nOhne Heroisch": 3,
        "Super Mutants\nBrute, sledgehammer\nBrute, minigun\nLeader: Brute with minigun": 4,
        "BoS\nPaladin (L) gatling laser\nLancer minus hunting rifle": 3,
        "Survivors\nBoone (L) hunting rifle\n- 2x\nSettler assault rifle": 3,
        "Survivors\nRonnie Shaw (L) Laser Musket\n4 Minuteman, Laser Musket, Leader card: Fusilier": 3,
        "Railroad\nGlory: Minigun\nChef\nDeacon: sniper rifle": 3,
    }
    for text, line in texts.items():
        assert [asked.number for asked in asked_of(read_own(text))] == [line], text
    text = "Super Mutants\nBrute, sledgehammer\nBrute, minigun\nLeader: Brute with minigun"
    assert models(read_own(text, answers={"4": "mark"})) == ["1 Brute: Sledgehammer", "1 Brute*: Minigun"]


def test_what_outsiders_saw_read_in_silence_is_asked() -> None:
    texts = {
        "Super Mutants\nOverlord (L), gatling laser\n2x Supermutanten\nMutant Hound": 3,
        "Super Mutants\nOverlord (L), gatling laser\n2 Supermutanten\nMutant Hound": 3,
        "Survivors\nSettler, 10mm pistol\nScavenger, 10mm pistol\n\nCommander": 5,
        "Survivors\nBoone (L), hunting rifle\nPiper / Hancock": 3,
        "Survivors\nBoone (L), hunting rifle\nHancock (not heroic), plasma pistol": 3,
        "Survivors\nBoone (L), hunting rifle\n2 x Osadnik (Settler) z Assault Rifle": 3,
        "Boone (L), hunting rifle\nSettler, assault rifle\nDanny the Robot 55": 3,
    }
    for text, line in texts.items():
        imported = read_own(text)
        assert [asked.number for asked in asked_of(imported)] == [line], text
        assert imported.document["faction"] in ("Survivors", "Super Mutants")
    asked = read_own("Survivors\nPreston Garvey (L)\nLaser\nMusket", answers={"3": "Laser Musket"})
    assert [line.number for line in asked_of(asked)] == [4], "the same part again"


def test_total_below_what_is_not_taken_is_compared() -> None:
    imported = read_own("Survivors\nBoone (L), hunting rifle\nBench:\nSettler, assault rifle\nTotal 234")
    assert (imported.stated, models(imported)) == (234, ["1 Boone*: Hunting Rifle"])


def test_letter_and_number_within_a_name_are_no_copies() -> None:
    imported = read_own("Institute\nCourser X6-88 (leader) institute laser rifle")
    assert models(imported) == ["1 Courser*: Institute Laser Rifle"]
    assert row(imported, 2).note == "What is “X6-88”?"


def test_what_is_left_out_is_shown_and_not_bought() -> None:
    text = "Raiders\nAvery (L), combat shotgun\n2 Raiders: pipe rifle\n"
    for line in (
        "Not taken: 1 Raider, pipe rifle; Sinjin", "Bench:\nSinjin\n2 Raiders", "Maybe: Sinjin",
    "(not in the list: Sinjin)",
        "no Sinjin", "ohne Sinjin", "~~Psycho, pipe rifle~~", "-----Original Message-----\nPsycho, pipe rifle",
        "Sent from my iPhone", "https://example.org/list", "viele Grüße",
    ):  # fmt: skip
        imported = read_own(text + line)
        assert (models(imported), imported.open) == (["1 Avery*: Combat Shotgun", "2 Raider: Pipe Rifle"], 0), line
        assert [left.written for left in imported.left_out] == line.splitlines()


def test_bare_names_are_asked_once_for_the_list() -> None:
    text = "Raiders\nScavver Outlaw (79 caps)\nPsycho 75\nPsycho\nRaider"
    imported = read_own(text)
    (question,) = imported.questions
    assert (question.key, question.lines, imported.open) == ("bare", (4, 5), 1)
    assert [(choice.key, choice.caps) for choice in question.choices] == [("unarmed", 84), ("usual", 122)]
    assert row(imported, 2).parts == "With their usual weapons", "79 is its cost with them"
    for answers, total in (({"bare": "usual"}, 276), ({"bare": "unarmed"}, 238), ({"4": "usual", "5": "unarmed"}, 268)):
        answered = read_own(text, answers=answers)
        assert (answered.open, answered.total, "not_read" in answered.document) == (0, total, False)
    assert read_own(f"{text}\nTotal 276").open == 0, "the total says so"
    assert read_own(text, answers={"bare": "foo", "9": "usual", "4": "line7"}).open == 1, "other answers are ignored"


def test_answers_settle_a_line_and_what_stands_below_it() -> None:
    text = "Survivors\nPre5ton Garvey (L)\n- Laser Musket\nSettler, hunting gun"
    imported = read_own(text)
    assert [row(imported, number).state for number in (1, 2, 3, 4)] == ["title", "check", "check", "check"]
    assert (row(imported, 3).asked_above, models(imported)) == (True, ["1 Settler"])
    assert set(imported.document["not_read"]) == {"Pre5ton Garvey (L)", "- Laser Musket", "Settler, hunting gun"}
    answers = {"2": "Preston Garvey", "4": "Hunting Rifle"}
    answered = read_own(text, answers=answers)
    assert models(answered) == ["1 Preston Garvey*: Laser Musket", "1 Settler: Hunting Rifle"]
    assert (answered.open, row(answered, 2).note) == (0, "What is “Pre5ton Garvey”? Your answer: Preston Garvey")
    out = read_own(text, answers=answers | {"2": "out"})
    assert (models(out), [line.number for line in out.left_out]) == (["1 Settler: Hunting Rifle"], [2, 3])


def test_faction_is_the_players_or_asked_where_models_fit_several() -> None:
    text = "Preston Garvey (L), laser musket\n5 Minutemen, laser musket"
    (question,) = read_own(text).questions
    assert (question.key, [choice.key for choice in question.choices]) == ("faction", ["Survivors", "Minutemen"])
    for imported in (read_own(text, "Minutemen"), read_own(text, answers={"faction": "Minutemen"})):
        assert (imported.document["faction"], imported.open) == ("Minutemen", 0)
    assert read_own(f"Minutemen\n{text}", "Survivors").document["faction"] == "Minutemen"


def test_lines_show_what_they_cost_and_costs_that_differ_are_asked_once() -> None:
    imported = read_own("Rust Road Raiders\nAvery (L) 85, combat shotgun 10\n2 Raiders 90\n- pipe rifle\nTotal 189")
    assert imported.document["name"] == "Rust Road Raiders"
    shown = [(line.state, line.ours, line.parts, line.caps) for line in imported.lines]
    assert shown == [
        ("title", "", "", None), ("read", "Avery, Leader", "Combat Shotgun", 95), ("check", "2 Raider", "", 78),
        ("read", "", "Pipe Rifle", 16), ("total", "", "", None),
    ]  # fmt: skip
    assert [(question.key, question.lines) for question in imported.questions] == [("costs", (3,))]
    answered = read_own("Avery (L) 85, combat shotgun 10\n2 Raiders 90\n- pipe rifle", answers={"costs": "edition"})
    assert (answered.open, answered.total) == (0, 189)


def test_lines_add_up_to_the_list() -> None:
    for text in (*READ, "Raiders\nAvery (L)\nVeteran Raider, nail board\nHeroic: Veteran Raider\nLeader card: Beloved"):
        imported = read_own(text)
        if not imported.open:
            added = sum(line.caps or 0 for line in imported.lines if line.state == "read")
            assert added == imported.total, (text, imported.lines)


def test_faction_with_an_article_is_no_model_of_that_name() -> None:
    newest = SYSTEM.edition("2024-community")
    text = "The Scorched\nScorchbeast Queen (Stage 2) [LEADER] - 0\nScorched, Skier - 0"
    imported = SYSTEM.forces.files.import_("", text.encode(), newest)
    assert (imported.document["faction"], asked_of(imported)) == ("The Scorched", [])
    assert models(imported) == ["1 Scorchbeast Queen (Stage 2)*", "1 Scorched, Skier"]


def test_total_decides_a_question_of_two_models_the_same_for_both() -> None:
    """Whether "Psycho" is a model or a chem of the Scavver is one question to both lines."""
    text = "Raiders\nScavver Outlaw (79 caps) Psycho 75 leader\nRaider 47\nTotal 201"
    imported = read_own(text)
    assert imported.open or imported.total == 201, models(imported)


def test_letter_for_the_leader_is_read_or_asked_about() -> None:
    knight = "1 Knight Tech*: Heroic, Laser Rifle"
    assert models(read_own("BoS\nKnight Tech (L, heroic): laser rifle")) == [knight]
    check_asked("BoS\nPaladin L), gatling laser\nKnight, laser rifle")
