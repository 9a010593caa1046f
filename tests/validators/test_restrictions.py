"""Restrictions of an event: each just kept and just broken, their texts, and the spelling of names in them."""

from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.forces import EDITION, SYSTEM, judge, model, only
from validators.contract import Terms
from validators.restrictions import NONE, Restrictions, UnknownNames, as_document, from_document, spelt

PIPER = model("Piper", "Pipe Pistol", {"name": "Baseball Grenade", "count": 2}, perks=["Sneak"])
THIEF = model("Piper", {"name": "Pipe Pistol", "mods": ["Silenced"]}, leader_card="Thief")


def test_restrictions_just_kept_and_just_broken() -> None:
    grenades = [model("Minuteman", {"name": "Baseball Grenade", "count": n}) for n in (2, 1)]
    settlers, steel = [model("Settler")] * 3, "Brotherhood of Steel"
    many, heavy = [model("Settler")] * 15, [model("Knight", "Gatling Laser")] * 2  # 40 Caps each
    three, settler = {"used": 3, "allowed": 2}, (("Settler", 3),)
    for verdict, rule, figures, places in (
        (judge(PIPER), "", {}, ()),
        (judge(PIPER, adds=Restrictions(banned=("Dogmeat", "Combat Rifle"))), "", {}, ()),
        *(
            (judge(PIPER, adds=Restrictions(banned=(name,))), "event.ban", {}, (0,))
            for name in ("Piper", "pipe  pistol", "Sneak", "Baseball Grenade")
        ),
        *((judge(THIEF, adds=Restrictions(banned=(name,))), "event.ban", {}, (0,)) for name in ("Silenced", "Thief")),
        (judge(*grenades, adds=Restrictions(most_copies=(("Baseball Grenade", 3),))), "", {}, ()),
        (judge(*grenades, adds=Restrictions(most_copies=(("Baseball Grenade", 2),))), "event.copies", three, (0, 1)),
        (judge(*settlers, adds=Restrictions(same_model=3)), "", {}, ()),
        (judge(*settlers, adds=Restrictions(same_model=2)), "event.copies", three, (0, 1, 2)),
        (judge(*settlers, adds=Restrictions(same_model=2, most_copies=settler)), "", {}, ()),
        (judge(*settlers, adds=Restrictions(most_copies=(("Settler", 2),))), "event.copies", three, (0, 1, 2)),
        (judge(PIPER, adds=Restrictions(factions=("Survivors", "Super Mutants"))), "", {}, ()),
        (judge(PIPER, adds=Restrictions(factions=("Super Mutants",))), "event.factions", {}, ()),
        (judge(PIPER, bound="Survivors"), "", {}, ()),
        (judge(PIPER, bound="Super Mutants"), "event.faction-lock", {}, ()),
        (judge(*many, size=500), "size", {"total": 600, "size": 500, "over": 100}, ()),
        (judge(*many, size=500, adds=Restrictions(roster_size=600)), "", {}, ()),
        (judge(*many, size=500, adds=Restrictions(roster_size=599)), "size",
         {"total": 600, "size": 599, "over": 1}, ()),
        (judge(*heavy, size=500, faction=steel), "heavy", {"used": 2, "allowed": 1, "size": 500}, (0, 1)),
        (judge(*heavy, size=500, adds=Restrictions(roster_size=750), faction=steel), "", {}, ()),
    ):  # fmt: skip
        found = [(problem.rule, problem.figures, problem.places) for problem in verdict.problems]
        assert found == ([(f"bm.{rule}", figures, places)] if rule else [])


def test_leader_must_fit_the_size_that_is_fielded_from_a_roster() -> None:
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
    assert "Missile Launcher" in shown["bm.event.ban"]
    assert shown["bm.event.copies"] == "A force holds at most 2 × Stimpak, 3 of any one other model."
    assert shown["bm.event.factions"] == "Only Survivors and Super Mutants may be played."
    for figure in ("1000 Caps", "750 Caps", "5 minutes"):
        assert figure in shown["bm.event.sideboard"]
    assert shown["bm.event.on-time"].startswith("1 tournament point more")
    assert shown["bm.event.error-free"].startswith("2 tournament points more")
    assert shown["bm.event.late"].startswith("3 tournament points less")
    assert SYSTEM.checks.rules_added(Terms(EDITION, 750)) == ()
    for field in fields(Restrictions):
        one = replace(NONE, **{field.name: getattr(adds, field.name)})
        assert len(SYSTEM.checks.rules_added(replace(terms, restrictions=one))) == (field.name != "choose_minutes"), (
            field.name
        )


def test_names_are_spelt_as_the_edition_spells_them_or_refused() -> None:
    copies = (("STIMPAK", 2),)
    written = Restrictions(("missile  launchers", "Missile Launcher"), copies, factions=("survivors",))
    assert spelt(written, EDITION) == Restrictions(("Missile Launcher",), (("Stimpak", 2),), factions=("Survivors",))
    for field, wrong, near in (
        ("banned", Restrictions(banned=("Missle Launcher",)), True),
        ("most_copies", Restrictions(most_copies=(("Missle Launcher", 1),)), True),
        ("factions", Restrictions(factions=("Robots",)), False),  # known, but not fielded
    ):
        with pytest.raises(UnknownNames) as unknown:
            spelt(wrong, EDITION)
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
@settings(max_examples=50)
def test_restrictions_survive_their_document(restrictions: Restrictions) -> None:
    assert from_document(as_document(restrictions)) == restrictions
    assert spelt(restrictions, EDITION) == restrictions
    assert bool(restrictions) == bool(SYSTEM.checks.rules_added(Terms(EDITION, 750, restrictions)))


@pytest.mark.slow
@given(SOME, st.sampled_from(EDITION.factions), st.integers(0, 40))
@settings(max_examples=20)
def test_sample_force_keeps_the_restrictions(restrictions: Restrictions, faction: str, seed: int) -> None:
    terms = Terms(EDITION, 750, restrictions)
    try:
        document = SYSTEM.forces.sample(terms, faction, seed)
    except ValueError:
        assert restrictions, "without restrictions there is always a sample"
        return
    assert SYSTEM.checks.check(document, terms).legal
