"""Battle Mode's rules and an event's restrictions, just kept and just broken, with figures, places and texts."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.base import Document
from tests.kit.forces import EDITION, SYSTEM, force, judge, model, only, rules, summarise
from validators.contract import Terms
from validators.restrictions import NONE, Restrictions, UnknownNames, spelt

BANNED = ["Boost", "event", "EXPLORE", "Danger", "Stranger", "Creature", "Quest", "Solo", "Settlement"]
MUTANTS = "Super Mutants"
GRENADES = {"name": "Baseball Grenade", "count": 3}
PIPER = model("Piper", "Pipe Pistol", "Pipe Wrench", GRENADES, heroic=True, leader=True)
SETTLER = model("Settler")


def modded(item: str, *mods: str) -> dict[str, Any]:
    return {"name": item, "mods": list(mods)}


def test_rulebook_example_costs_166_caps_and_exceeds_a_size_of_165() -> None:
    verdict = judge(PIPER, size=166)
    assert (verdict.legal, verdict.total, verdict.problems, verdict.queries) == (True, 166, (), ())
    problem = only(judge(PIPER, size=165))
    assert (problem.rule, problem.figures) == ("bm.size", {"total": 166, "size": 165, "over": 1})


def test_rules_that_random_forces_do_not_break_are_checked() -> None:
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
    leads = {"leader": True}
    brutes = [model("Brute", "Minigun"), model("Super Mutant"), model("Brute", "Missile Launcher")]
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


def test_part_that_is_bought_twice_is_a_query() -> None:
    twice = judge(SETTLER | {"perks": ["Sneak", "sneak", "Medic"]})
    loner = judge(model("Sole Survivor Loner", perks=["Lone Wanderer", "Sneak"]))
    preston = judge(model("Preston Garvey", modded("Laser Musket", "Long Barrel"), "Combat Rifle"))
    other = judge(model("Preston Garvey", modded("Laser Musket", "Bayonet"), modded("Combat Rifle", "Long Barrel")))
    assert [[(q.rule, q.message) for q in verdict.queries] for verdict in (twice, loner, preston, other)] == [
        [("bm.perk", "Settler has the perk Sneak 2 times")],
        [("bm.perk", "Sole Survivor Loner has the perk Lone Wanderer 2 times, one of them built in")],
        [("bm.mod", "Preston Garvey has Long Barrel on Laser Musket built in, and bought it as well")], [],
    ]  # fmt: skip
    assert twice.legal and loner.legal and preston.legal


def test_unknown_name_offers_the_nearest_of_its_own_table() -> None:
    for what, verdict, near in (
        ("model", judge(model("Pipper")), "Piper"),
        ("model of the own faction first", judge(model("Enslaved Tec"), faction=MUTANTS), "Enslaved Tech"),
        ("model of another faction", judge(model("Knigt")), "Knight"),
        ("item", judge(model("Settler", "Bord")), "Board"),
        ("mod", judge(model("Settler", modded("Board", "Spikd"))), "Spiked"),
        ("perk", judge(model("Settler", perks=["Snek"])), "Sneak"),
        ("Leader card", judge(model("Settler", leader_card="Comander")), "Commander"),
        ("perk near to an item's name", judge(model("Settler", "Gun Nut")), "Take it out"),
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


def test_near_names_are_offered_for_few_of_many_unknown_names() -> None:
    names = [f"{'abcdefghij'[n % 10] * 3}{n} rifle of the long barrel" for n in range(240)]
    verdict = judge(*(model("Settler", *names[k : k + 60]) for k in range(0, 240, 60)))
    assert rules(verdict).count("bm.cost") == 240
    assert sum("Did you mean" in problem.fix for problem in verdict.problems) <= 10


SNEAKING_PIPER = model("Piper", "Pipe Pistol", {"name": "Baseball Grenade", "count": 2}, perks=["Sneak"])
THIEF = model("Piper", {"name": "Pipe Pistol", "mods": ["Silenced"]}, leader_card="Thief")


def test_restrictions_just_kept_and_just_broken() -> None:
    grenades = [model("Minuteman", {"name": "Baseball Grenade", "count": n}) for n in (2, 1)]
    settlers, steel = [model("Settler")] * 3, "Brotherhood of Steel"
    many, heavy = [model("Settler")] * 15, [model("Knight", "Gatling Laser")] * 2  # 40 Caps each
    three, settler = {"used": 3, "allowed": 2}, (("Settler", 3),)
    for verdict, rule, figures, places in (
        (judge(SNEAKING_PIPER, adds=Restrictions(banned=("Dogmeat", "Combat Rifle"))), "", {}, ()),
        *(
            (judge(SNEAKING_PIPER, adds=Restrictions(banned=(name,))), "event.ban", {}, (0,))
            for name in ("Piper", "pipe  pistol", "Sneak", "Baseball Grenade")
        ),
        *((judge(THIEF, adds=Restrictions(banned=(name,))), "event.ban", {}, (0,)) for name in ("Silenced", "Thief")),
        (judge(*grenades, adds=Restrictions(most_copies=(("Baseball Grenade", 3),))), "", {}, ()),
        (judge(*grenades, adds=Restrictions(most_copies=(("Baseball Grenade", 2),))), "event.copies", three, (0, 1)),
        (judge(*settlers, adds=Restrictions(same_model=3)), "", {}, ()),
        (judge(*settlers, adds=Restrictions(same_model=2)), "event.copies", three, (0, 1, 2)),
        (judge(*settlers, adds=Restrictions(same_model=2, most_copies=settler)), "", {}, ()),
        (judge(SNEAKING_PIPER, adds=Restrictions(factions=("Survivors", "Super Mutants"))), "", {}, ()),
        (judge(SNEAKING_PIPER, adds=Restrictions(factions=("Super Mutants",))), "event.factions", {}, ()),
        (judge(SNEAKING_PIPER, bound="Survivors"), "", {}, ()),
        (judge(SNEAKING_PIPER, bound="Super Mutants"), "event.faction-lock", {}, ()),
        (judge(*many, size=500, adds=Restrictions(roster_size=600)), "", {}, ()),
        (judge(*many, size=500, adds=Restrictions(roster_size=599)), "size",
         {"total": 600, "size": 599, "over": 1}, ()),
        (judge(*heavy, size=500, faction=steel), "heavy", {"used": 2, "allowed": 1, "size": 500}, (0, 1)),
        (judge(*heavy, size=500, adds=Restrictions(roster_size=750), faction=steel), "", {}, ()),
    ):  # fmt: skip
        found = [(problem.rule, problem.figures, problem.places) for problem in verdict.problems]
        assert found == ([(f"bm.{rule}", figures, places)] if rule else [])


def test_leader_of_a_roster_must_fit_the_fielded_size() -> None:
    leader, adds = model("Cait", heroic=True, perks=["Sneak"]), Restrictions(roster_size=400)  # 137 + 60 + 20
    assert judge(leader, size=217, adds=adds).legal
    found = only(judge(leader, size=216, adds=adds))
    assert (found.rule, found.figures) == ("bm.event.sideboard", {"caps": 217, "size": 216})
    assert Terms(EDITION, 500, adds).fielded == Terms(EDITION, 500, Restrictions())


def test_each_restriction_is_listed_with_its_figures() -> None:
    adds = Restrictions(
        banned=("Missile Launcher",), most_copies=(("Stimpak", 2),), same_model=3, painted=True, faction_locked=True,
        factions=("Survivors", "Super Mutants"), roster_size=1000, choose_minutes=5,
        on_time_points=1, error_free_points=2, late_points=3,
    )  # fmt: skip
    terms = Terms(EDITION, 750, adds)
    shown = {rule.id: rule.text for rule in SYSTEM.checks.rules_added(terms)}
    assert list(shown) == [rule.id for rule in SYSTEM.checks.event_rules], "every kind, in one order"
    assert shown["bm.event.copies"] == "A force holds at most 2 × Stimpak, 3 of any one other model."
    assert shown["bm.event.factions"] == "Only Survivors and Super Mutants may be played."
    assert all(figure in shown["bm.event.sideboard"] for figure in ("1000 Caps", "750 Caps", "5 minutes"))
    for rule, words in (("on-time", "1 tournament point more"), ("late", "3 tournament points less")):
        assert shown[f"bm.event.{rule}"].startswith(words)
    assert SYSTEM.checks.rules_added(Terms(EDITION, 750)) == ()
    for field in fields(Restrictions):
        restrictions = replace(NONE, **{field.name: getattr(adds, field.name)})
        listed = len(SYSTEM.checks.rules_added(replace(terms, restrictions=restrictions)))
        assert listed == (field.name != "choose_minutes"), field.name


def test_names_are_spelt_as_the_edition_spells_them_or_refused() -> None:
    copies = (("STIMPAK", 2),)
    written = Restrictions(("missile  launchers", "Missile Launcher"), copies, factions=("survivors",))
    assert spelt(written, EDITION.names, EDITION.factions) == Restrictions(
        ("Missile Launcher",), (("Stimpak", 2),), factions=("Survivors",)
    )
    for field, wrong, near in (
        ("banned", Restrictions(banned=("Missle Launcher",)), True),
        ("most_copies", Restrictions(most_copies=(("Missle Launcher", 1),)), True),
        ("factions", Restrictions(factions=("Robots",)), False),  # known, but not fielded
    ):
        with pytest.raises(UnknownNames) as unknown:
            spelt(wrong, EDITION.names, EDITION.factions)
        assert [at for at, _ in unknown.value.faults] == [field]
        assert ("Missile Launcher" in str(unknown.value)) == near, field


NAMES = st.sampled_from([name for _, kind in EDITION.names for name in kind])
SOME = st.builds(
    Restrictions, banned=st.lists(NAMES, max_size=4, unique=True).map(tuple),
    most_copies=st.lists(st.tuples(NAMES, st.integers(1, 9)), max_size=4, unique_by=lambda x: x[0]).map(tuple),
    same_model=st.none() | st.integers(1, 9),
    factions=st.lists(st.sampled_from(EDITION.factions), unique=True).map(tuple), faction_locked=st.booleans(),
    roster_size=st.none() | st.integers(751, 2000), painted=st.booleans(), late_points=st.integers(0, 9),
)  # fmt: skip


@given(SOME)
def test_restrictions_survive_their_document(restrictions: Restrictions) -> None:
    column = Document(Restrictions, Restrictions(), brief=True)
    assert column.read(column.written(restrictions)) == restrictions
    assert spelt(restrictions, EDITION.names, EDITION.factions) == restrictions
    assert bool(restrictions) == bool(SYSTEM.checks.rules_added(Terms(EDITION, 750, restrictions)))


@pytest.mark.slow
@given(SOME, st.sampled_from(EDITION.factions), st.integers(0, 40))
@settings(max_examples=10)
def test_sample_force_keeps_the_restrictions(restrictions: Restrictions, faction: str, seed: int) -> None:
    terms = Terms(EDITION, 750, restrictions)
    try:
        document = SYSTEM.forces.sample(terms, faction, seed)
    except ValueError:
        assert restrictions, "without restrictions there is always a sample"
        return
    assert SYSTEM.checks.check(document, terms).legal
