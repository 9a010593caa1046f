"""What an event adds: each rule just kept and just broken, its words, and how names are spelt."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.forces import EDITION, SYSTEM, read_force
from validators.contract import Finding, Terms, Verdict
from validators.restrictions import NONE, Restrictions, UnknownNames, as_document, from_document, spelt


def model(name: str, *items: object, **more: object) -> dict[str, Any]:
    return {"name": name, "items": [{"name": i} if isinstance(i, str) else i for i in items]} | more


def judge(
    *models: dict[str, Any], faction: str = "Survivors", size: int = 750, bound: str = "", **adds: Any
) -> Verdict:
    leads = ({**models[0], "leader": True}, *models[1:])
    force = {"system": "battle_mode", "edition": EDITION.id, "faction": faction, "models": list(leads)}
    return SYSTEM.check_force(read_force(force), Terms(EDITION, size, Restrictions(**adds), bound))


def only(verdict: Verdict) -> Finding:
    (problem,) = verdict.problems
    return problem


PIPER = model("Piper", "Pipe Pistol", {"name": "Baseball Grenade", "count": 2}, perks=["Sneak"])


@pytest.mark.parametrize("name", ["Piper", "pipe  pistol", "Sneak", "Baseball Grenade"])
def test_a_banned_thing_is_a_problem_whatever_it_is(name: str) -> None:
    assert judge(PIPER).legal
    found = only(judge(PIPER, banned=(name,)))
    assert found.rule == "bm.event.ban"
    assert found.places == (0,)
    assert "is banned at this event" in found.message
    assert judge(PIPER, banned=("Dogmeat", "Combat Rifle")).legal, "what is not in the force harms nothing"


def test_a_banned_mod_and_leader_card_are_found() -> None:
    force = model("Piper", {"name": "Pipe Pistol", "mods": ["Silenced"]}, leader_card="Thief")
    assert only(judge(force, banned=("Silenced",))).message == "Silenced is banned at this event (on Piper)"
    assert only(judge(force, banned=("Thief",))).message == "Thief is banned at this event (on Piper)"


def test_copies_are_counted_over_the_whole_force() -> None:
    grenades = [model("Minuteman", {"name": "Baseball Grenade", "count": n}) for n in (2, 1)]
    assert judge(*grenades, most_copies=(("Baseball Grenade", 3),)).legal
    found = only(judge(*grenades, most_copies=(("Baseball Grenade", 2),)))
    assert found.rule == "bm.event.copies"
    assert found.message == "Baseball Grenade is in the force 3 times, 2 allowed at this event"
    assert found.figures == {"used": 3, "allowed": 2}
    assert found.places == (0, 1)


def test_the_same_model_is_counted_unless_it_has_a_figure_of_its_own() -> None:
    settlers = [model("Settler")] * 3
    assert judge(*settlers, same_model=3).legal
    assert only(judge(*settlers, same_model=2)).figures == {"used": 3, "allowed": 2}
    assert judge(*settlers, same_model=2, most_copies=(("Settler", 3),)).legal
    assert only(judge(*settlers, most_copies=(("Settler", 2),))).places == (0, 1, 2)


def test_only_the_factions_that_the_event_allows() -> None:
    assert judge(PIPER, factions=("Survivors", "Super Mutants")).legal
    found = only(judge(PIPER, factions=("Super Mutants",)))
    assert (found.rule, found.mend) == ("bm.event.factions", "Choose Super Mutants.")


def test_a_bound_player_plays_no_other_faction() -> None:
    assert judge(PIPER, bound="Survivors").legal
    assert only(judge(PIPER, bound="Super Mutants")).rule == "bm.event.faction-lock"


def test_a_roster_is_judged_at_its_own_size_and_what_is_fielded_at_the_events() -> None:
    settlers = [model("Settler")] * 15  # 40 Caps each
    assert only(judge(*settlers, size=500)).rule == "bm.size"
    assert judge(*settlers, size=500, roster_size=600).legal
    assert only(judge(*settlers, size=500, roster_size=599)).rule == "bm.size"
    roster = Terms(EDITION, 500, Restrictions(roster_size=600))
    assert roster.fielded == Terms(EDITION, 500, Restrictions())


def test_heavy_weapons_of_a_roster_go_by_the_rosters_size() -> None:
    heavy = [model("Knight", "Gatling Laser"), model("Knight", "Gatling Laser")]
    faction = "Brotherhood of Steel"
    assert {p.rule for p in judge(*heavy, faction=faction, size=500).problems} == {"bm.heavy"}
    assert judge(*heavy, faction=faction, size=500, roster_size=750).legal


def test_a_leader_dearer_than_the_fielded_size_leaves_nothing_to_field() -> None:
    leader = model("Cait", heroic=True, perks=["Sneak"])  # 137 + 60 + 20
    assert judge(leader, size=217, roster_size=400).legal
    found = only(judge(leader, size=216, roster_size=400))
    assert (found.rule, found.figures) == ("bm.event.sideboard", {"caps": 217, "size": 216})


def test_every_restriction_is_told_with_its_figures_and_nothing_else_is() -> None:
    terms = Terms(
        EDITION,
        750,
        Restrictions(
            banned=("Missile Launcher",),
            most_copies=(("Stimpak", 2),),
            same_model=3,
            factions=("Survivors", "Super Mutants"),
            faction_locked=True,
            roster_size=1000,
            choose_minutes=5,
            painted=True,
            on_time_points=1,
            error_free_points=2,
            late_points=3,
        ),
    )
    told = {rule.id: rule.text for rule in SYSTEM.rules_added(terms)}
    assert list(told) == [rule.id for rule in SYSTEM.event_rules], "every kind, in one order"
    assert "Missile Launcher" in told["bm.event.ban"]
    assert told["bm.event.copies"] == "A force holds at most 2 × Stimpak, 3 of any one other model."
    assert told["bm.event.factions"] == "Only Survivors and Super Mutants may be played."
    for figure in ("1000 Caps", "750 Caps", "5 minutes"):
        assert figure in told["bm.event.sideboard"]
    assert told["bm.event.on-time"].startswith("1 tournament point more")
    assert told["bm.event.error-free"].startswith("2 tournament points more")
    assert told["bm.event.late"].startswith("3 tournament points less")
    assert SYSTEM.rules_added(Terms(EDITION, 750)) == ()
    for field in fields(Restrictions):
        one = replace(NONE, **{field.name: getattr(terms.restrictions, field.name)})
        assert len(SYSTEM.rules_added(replace(terms, restrictions=one))) == (field.name != "choose_minutes")


def test_names_are_spelt_as_the_edition_spells_them() -> None:
    written = Restrictions(
        banned=("missile  launcher", "Missile Launcher"), most_copies=(("STIMPAK", 2),), factions=("survivors",)
    )
    assert spelt(written, EDITION) == Restrictions(("Missile Launcher",), (("Stimpak", 2),), factions=("Survivors",))


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (Restrictions(banned=("Missile Launchers",)), "banned"),
        (Restrictions(most_copies=(("Missile Launchers", 1),)), "most_copies"),
        (Restrictions(factions=("Robots",)), "factions"),
    ],
)
def test_a_name_that_the_edition_has_not_is_refused_with_the_nearest(wrong: Restrictions, field: str) -> None:
    with pytest.raises(UnknownNames) as unknown:
        spelt(wrong, EDITION)
    assert [at for at, _ in unknown.value.faults] == [field]
    assert ("Missile Launcher" in str(unknown.value)) == (field != "factions"), "robots are known, but take no field"


NAMES = st.sampled_from([name for _, kind in EDITION.names for name in kind])
SOME = st.builds(
    Restrictions,
    banned=st.lists(NAMES, max_size=4, unique=True).map(tuple),
    most_copies=st.lists(st.tuples(NAMES, st.integers(1, 9)), max_size=4, unique_by=lambda x: x[0]).map(tuple),
    same_model=st.none() | st.integers(1, 9),
    factions=st.lists(st.sampled_from(EDITION.factions), unique=True).map(tuple),
    faction_locked=st.booleans(),
    roster_size=st.none() | st.integers(751, 2000),
    painted=st.booleans(),
    late_points=st.integers(0, 9),
)


@given(SOME)
@settings(max_examples=200)
def test_restrictions_come_back_from_their_document(restrictions: Restrictions) -> None:
    assert from_document(as_document(restrictions)) == restrictions
    assert spelt(restrictions, EDITION) == restrictions
    assert bool(restrictions) == bool(SYSTEM.rules_added(Terms(EDITION, 750, restrictions)))


@pytest.mark.slow
@given(SOME, st.sampled_from(EDITION.factions), st.integers(0, 40))
@settings(max_examples=60)
def test_a_sample_keeps_what_the_event_adds(restrictions: Restrictions, faction: str, seed: int) -> None:
    terms = Terms(EDITION, 750, restrictions)
    try:
        force = SYSTEM.sample_force(terms, faction, seed)
    except ValueError:
        assert restrictions, "without restrictions there is always a sample"
        return
    assert SYSTEM.check_force(force, terms).legal
