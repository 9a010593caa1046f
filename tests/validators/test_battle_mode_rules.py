"""Battle Mode's rules: each just kept and just broken, with figures, places and one exact text a rule."""

from typing import Any

from tests.kit.forces import force, judge, model, only, rules, summarise

BANNED = ["Boost", "event", "EXPLORE", "Danger", "Stranger", "Creature", "Quest", "Solo", "Settlement"]
MUTANTS = "Super Mutants"
GRENADES = {"name": "Baseball Grenade", "count": 3}
PIPER = model("Piper", "Pipe Pistol", "Pipe Wrench", GRENADES, heroic=True, leader=True)
SETTLER = model("Settler")


def modded(item: str, *mods: str, **more: int) -> dict[str, Any]:
    return {"name": item, "mods": list(mods)} | more


def test_rulebook_example_costs_166_caps_and_no_less_is_enough() -> None:
    assert judge(PIPER, size=166).as_json() == {"legal": True, "total": 166, "problems": [], "queries": []}
    problem = only(judge(PIPER, size=165))
    assert (problem.rule, problem.figures) == ("bm.size", {"total": 166, "size": 165, "over": 1})


def test_rules_that_random_forces_do_not_break() -> None:
    """All others are compared with a second checker (test_battle_mode_oracle.py)."""
    for what, verdict, expected in (
        ("an unknown faction", judge(SETTLER, faction="Survivers"), ["faction"]),
        ("a faction that is not fielded", judge(model("Protectron"), faction="robots"), ["faction"]),
        ("one line, two Leaders", judge(SETTLER | {"leader": True, "count": 2}), ["leader"]),
        ("a mod on no item", judge(model("Settler", "Board", "Spiked")), ["mod"]),
        ("a card of no known kind", judge(SETTLER, cards=[{"kind": "Perk", "name": "Sneak"}]), ["cost"]),
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
    two_mods = only(judge(model("Settler", modded("Board", "Spiked", "Heavy"))))
    assert two_mods.message == "Board of Settler has 2 mods (Spiked, Heavy), 1 allowed"
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
