"""Battle Mode's rules: each just kept and just broken, with figures, places and one exact text a rule."""

from typing import Any

from tests.kit.forces import asked, force, judge, model, only, rules, summarise

BANNED = ["Boost", "event", "EXPLORE", "Danger", "Stranger", "Creature", "Quest", "Solo", "Settlement"]
MUTANTS, BROTHERHOOD = "Super Mutants", "Brotherhood of Steel"
GRENADES = {"name": "Baseball Grenade", "count": 3}
PIPER = model("Piper", "Pipe Pistol", "Pipe Wrench", GRENADES, heroic=True, leader=True)
SETTLER = model("Settler")


def modded(item: str, *mods: str, **more: int) -> dict[str, Any]:
    return {"name": item, "mods": list(mods)} | more


def test_rulebook_example_costs_166_caps_and_no_less_is_enough() -> None:
    assert judge(PIPER, size=166).as_json() == {"legal": True, "total": 166, "problems": [], "queries": []}
    problem = only(judge(PIPER, size=165))
    assert (problem.rule, problem.figures) == ("bm.size", {"total": 166, "size": 165, "over": 1})


def test_total_pays_for_everything_even_where_it_is_not_allowed() -> None:
    dog = model("Dogmeat", "Minigun", heroic=True, leader_card="Hunter", perks=["Sneak", "Sneak"], leader=False)
    piper = PIPER | model("Piper", modded("Pipe Pistol", "Long Barrel"), GRENADES)
    quest = [{"kind": "Leader", "name": "Brawler"}, {"kind": "Quest", "name": "Hunter"}]
    for what, verdict, total in (
        (
            "a whole Leader",
            judge(piper | {"leader_card": "Commander", "perks": ["Sneak"]}),
            76 + 60 + 55 + 20 + 15 + 18,
        ),
        ("each copy pays for its mods", judge(model("Settler", modded("Board", "Spiked", count=3))), 40 + 3 * (9 + 12)),
        ("what breaks rules", judge(dog, cards=quest), 104 + 30 + 60 + 15 + 20 + 20 + 15),
        ("a foreign model", judge(SETTLER, model("Lancer", "Laser Rifle", heroic=True)), 40 + 53 + 30 + 60),
        ("a mod on no item", judge(model("Settler", "Spiked")), 40 + 12),
        ("mods of an unknown item", judge(model("Settler", modded("Bored", "Spiked", "Heavy"))), 40 + 12 + 20),
        ("a Leader card", judge(SETTLER | {"leader_card": "Hunter"}), 40 + 15),
        ("a card next to the models", judge(SETTLER, cards=[{"kind": "leader", "name": "hunter"}]), 40 + 15),
        ("unknown names cost nothing", judge(model("Pipper", heroic=True), model("Settler", "Bord")), 60 + 40),
    ):
        assert verdict.total == total, what


def test_rules_just_kept_and_just_broken() -> None:
    two_of = {"leader": True, "count": 2}
    many = {"name": "Minigun", "mods": ["Spiked", "Spiked"], "count": 3}
    leads, hunts = {"leader": True}, {"leader_card": "Hunter"}
    for what, verdict, expected in (
        ("a model of this and of every faction", judge(SETTLER, model("Eyebot")), []),
        ("a foreign model by its own entry", judge(SETTLER, model("Lancer", "Laser Rifle", heroic=True)), ["faction"]),
        ("and what that may not carry", judge(SETTLER, model("Lancer", "Board")), ["faction", "carry"]),
        ("nor be", judge(SETTLER, model("Behemoth", heroic=True)), ["faction", "heroic"]),
        ("an unknown faction", judge(SETTLER, faction="Survivers"), ["faction"]),
        ("a faction that is not fielded", judge(model("Protectron"), faction="robots"), ["faction"]),
        ("a model of that", judge(SETTLER, model("Protectron")), ["faction"]),
        ("unknown models", judge(model("Nobody", many), model("Nobody", heroic=True)), ["cost"] * 2 + ["heavy", "mod"]),
        ("an item without a limit", judge(model("Settler", "Board", {"name": "Machete", "count": 9})), []),
        ("each item apart", judge(model("Settler", "Ripper", "Jet"), model("Settler", "Ripper")), ["carry"] * 3),
        ("one mod", judge(model("Settler", modded("Board", "Spiked"))), []),
        ("two mods", judge(model("Settler", modded("Board", "Spiked", "Heavy"))), ["mod"]),
        ("a mod on a grenade", judge(model("Minuteman", modded("Baseball Grenade", "Spiked"))), ["mod"]),
        ("an unknown mod", judge(model("Settler", modded("Board", "Spiked", "Spikey"))), ["cost", "mod"]),
        ("two mods on an unknown item", judge(model("Settler", modded("Bored", "Spiked", "Heavy"))), ["cost"]),
        ("a mod on no item", judge(model("Settler", "Board", "Spiked")), ["mod"]),
        ("any number of perks", judge(SETTLER | {"perks": ["Sneak", "Medic", "Ninja", "Hacker"]}), []),
        ("two Heroic models", judge(SETTLER | {"heroic": True}, model("Piper", heroic=True)), []),
        ("an animal that is Heroic", judge(SETTLER, model("Dog", heroic=True)), ["heroic"]),
        ("an animal that leads", judge(model("Dog")), []),
        ("no Leader", judge(SETTLER | {"leader": False}), ["leader"]),
        ("two Leaders", judge(SETTLER | leads, model("Dog"), SETTLER | leads), ["leader"]),
        ("one line, two Leaders", judge(SETTLER | two_of), ["leader"]),
        ("no model", judge(), ["leader"]),
        ("a card on the Leader", judge(SETTLER | hunts), []),
        ("on another", judge(SETTLER, model("Piper", **hunts)), ["leader-card"]),
        ("two cards", judge(SETTLER | hunts, model("Piper", **hunts)), ["leader-card"] * 2),
        ("two Leaders with cards", judge(SETTLER | hunts | leads, PIPER | hunts), ["leader", "leader-card"]),
        ("a card next to the models", judge(SETTLER, cards=[{"kind": "leader", "name": "hunter"}]), ["leader-card"]),
        ("an unknown one", judge(SETTLER, cards=[{"kind": "Leader", "name": "Huntr"}]), ["cost"]),
        ("a card of no known kind", judge(SETTLER, cards=[{"kind": "Perk", "name": "Sneak"}]), ["cost"]),
        ("a person once", judge(SETTLER, SETTLER, model("Piper")), []),
        ("a person twice", judge(model("Piper"), model("Piper")), ["unique"]),
        ("two persons", judge(model("Sole Survivor"), model("Sole Survivor Loner")), []),
        ("two faces of one", judge(model("Sole Survivor"), model("Sole Survivor Day One")), ["unique"]),
        *((f"a {kind} card", judge(SETTLER, cards=[{"kind": kind, "name": "Any"}]), ["banned"]) for kind in BANNED),
    ):
        assert rules(verdict) == [f"bm.{rule}" for rule in expected], what


def test_findings_carry_their_figures_and_places() -> None:
    leads, brutes = (
        {"leader": True},
        [model("Brute", "Minigun"), model("Super Mutant"), model("Brute", "Missile Launcher")],
    )
    for verdict, rule, figures, places in (
        (judge(SETTLER, model("Paladin")), "faction", {}, (1,)),
        (judge(*brutes, faction=MUTANTS, size=500), "heavy", {"used": 2, "allowed": 1, "size": 500}, (0, 2)),
        (judge(model("Settler", {"name": "Ripper", "count": 2})), "carry", {"copies": 2}, (0,)),
        (judge(model("Settler", modded("Board", "Spiked", "Heavy"))), "mod", {"used": 2, "allowed": 1}, (0,)),
        (judge(model("Minuteman", modded("Baseball Grenade", "Spiked"))), "mod", {"used": 1, "allowed": 0}, (0,)),
        (judge(SETTLER | {"leader": False}), "leader", {"leaders": 0}, ()),
        (judge(SETTLER | leads, model("Dog"), SETTLER | leads), "leader", {"leaders": 2}, (0, 2)),
        (judge(model("Piper"), model("Piper")), "unique", {"used": 2, "allowed": 1}, (0, 1)),
    ):
        found = only(verdict)
        assert (found.rule, found.figures, found.places) == (f"bm.{rule}", figures, places)
    hunts = {"leader_card": "Hunter"}
    stray = only(judge(SETTLER, model("Piper", **hunts)))
    two = judge(SETTLER | hunts, model("Piper", **hunts)).problems[-1]
    assert (stray.models, two.figures) == (("Piper",), {"cards": 2})


def test_what_is_bought_twice_is_asked_about() -> None:
    twice = judge(SETTLER | {"perks": ["Sneak", "sneak", "Medic"]})
    assert twice.legal
    loner = judge(model("Sole Survivor Loner", perks=["Lone Wanderer", "Sneak"]))
    preston = judge(model("Preston Garvey", modded("Laser Musket", "Long Barrel"), "Combat Rifle"))
    other = judge(model("Preston Garvey", modded("Laser Musket", "Bayonet"), modded("Combat Rifle", "Long Barrel")))
    assert [[(q.rule, q.message) for q in verdict.queries] for verdict in (loner, preston, other)] == [
        [("bm.perk", "Sole Survivor Loner has the perk Lone Wanderer 2 times, one of them built in")],
        [("bm.mod", "Preston Garvey has Long Barrel on Laser Musket built in, and bought it as well")], [],
    ]  # fmt: skip
    assert loner.legal and preston.legal
    assert [(q.rule, q.message, q.fix) for q in twice.queries] == [
        ("bm.perk", "Settler has the perk Sneak 2 times", "")
    ]


def test_unknown_name_offers_the_nearest_of_its_own_table() -> None:
    for what, verdict, near in (
        ("model", judge(model("Pipper")), "Piper"),
        ("model of the own faction first", judge(model("Enslaved Tec"), faction=MUTANTS), "Enslaved Tech"),
        ("model of another faction", judge(model("Knigt")), "Knight"),
        ("item", judge(model("Settler", "Bord")), "Board"),
        ("mod", judge(model("Settler", modded("Board", "Spikd"))), "Spiked"),
        ("perk", judge(model("Settler", perks=["Snek"])), "Sneak"),
        ("Leader card", judge(model("Settler", leader_card="Comander")), "Commander"),
        ("perk that an import keeps as an item", judge(model("Settler", "Gun Nut")), "Gun Nut (Rifle)"),
        ("mod that it keeps so", judge(model("Settler", "Long Barel")), "Long Barrel"),
        ("perk among the items", judge(model("Settler", "Sneak")), "is a perk"),
        ("nothing near", judge(model("Settler", "qqqqqq")), "Take it out"),
        ("a built-in part", judge(model("Dogmeat", "dog bite")), "built in"),
    ):
        found = only(verdict)
        assert (found.rule, near in found.fix) == ("bm.cost", True), (what, found.fix)
    psycho = only(judge(model("Cait", "Psycho")))
    assert (psycho.rule, "built in" in psycho.fix) == ("bm.carry", True)


def test_heavy_weapons_allowed_by_size() -> None:
    for size, allowed in ((100, 0), (249, 0), (499, 0), (500, 1), (749, 1), (750, 2), (999, 2), (1000, 3), (2000, 7)):
        for count in (allowed, allowed + 1):
            verdict = judge(model("Sole Survivor", *[{"name": "Minigun", "count": count}] * bool(count)), size=size)
            found = [problem.figures for problem in verdict.problems if problem.rule == "bm.heavy"]
            assert found == [{"used": count, "allowed": allowed, "size": size}] * (count > allowed), (size, count)


def test_disputed_facts_are_asked_where_they_matter() -> None:
    for faction, models, queries, problems in (
        (MUTANTS, [model("Brute", "Laser Rifle")], ["carry"], []),
        (MUTANTS, [model("Brute", "Hunting Rifle")], ["carry"], ["carry"]),
        (MUTANTS, [model("Brute", "Assault Rifle")], [], []), (MUTANTS, [model("Hammer", "Laser Rifle")], [], []),
        (MUTANTS, [model("Master")], [], []), (MUTANTS, [model("Master"), model("Master")], ["unique"], ["unique"]),
        ("Survivors", [model("Enslaved Tech", heroic=True)], ["heroic"], []),
        ("Survivors", [model("Enslaved Tech", "Double-Barrel Shotgun")], ["carry"], []),
        (MUTANTS, [model("Enslaved Tech", heroic=True)], [], ["heroic"]),
        ("Survivors", [model("Nuka-Girl", "Nuka-Cola", "Nuka-Cherry")], ["carry", "carry"], []),
        ("Survivors", [model("Settler", "Double-Barrel Shotgun")], [], []),
    ):  # fmt: skip
        verdict = judge(*models, faction=faction)
        expected = [f"bm.{rule}" for rule in queries], [f"bm.{rule}" for rule in problems]
        assert (asked(verdict), rules(verdict)) == expected, models
        assert not any(query.fix for query in verdict.queries)


def test_other_cost_of_the_pipe_pistol_is_asked_where_it_decides() -> None:
    pistols = model("Scavenger", {"name": "Pipe Pistol", "count": 3}, "Assault Rifle")  # 53 Caps; 50 by the other cost
    for size, problems, queries in ((53, 0, 0), (52, 1, 1), (50, 1, 1), (49, 1, 0)):
        verdict = judge(pistols, size=size)
        expected = (53, ["bm.size"] * problems, ["bm.size"] * queries)
        assert (verdict.total, rules(verdict), asked(verdict)) == expected, size


def test_summary_lists_each_model_with_its_parts() -> None:
    piper = model("Piper", modded("Pipe Pistol", "Long Barrel"), GRENADES, heroic=True, leader=True)
    piper |= {"leader_card": "Commander", "perks": ["Sneak", "Medic"]}
    summary = summarise(force(piper, model("Dog", perks=["Attack Dog"])))
    assert (summary.faction, summary.total, summary.leader) == ("Survivors", 254 + 105, "Piper")
    parts = "Piper, Heroic, Leader (Commander); Pipe Pistol with Long Barrel, 3 × Baseball Grenade; perks Sneak, Medic"
    assert summary.lines == ((parts, 254), ("Dog; perk Attack Dog", 105))


def test_many_unknown_names_offer_few_near_ones() -> None:
    names = [f"{'abcdefghij'[n % 10] * 3}{n} rifle of the long barrel" for n in range(420)]
    verdict = judge(*(model("Settler", *names[k : k + 60]) for k in range(0, 420, 60)))
    assert rules(verdict).count("bm.cost") == 420
    assert sum("Did you mean" in problem.fix for problem in verdict.problems) <= 10
