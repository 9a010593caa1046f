"""Each rule of skill combat just kept and just broken; what is asked; what mends it; what an event adds."""

from typing import Any

import pytest

from tests.validators.skill_combatants import EDITION, JIM, SYSTEM, TERMS, attributes, check, jim, queries, rules, side
from validators.contract import Document, Terms
from validators.restrictions import Restrictions

PISTOL = {"skill": "Small Guns", "mode": "quick", "stat": "AG", "range": 9, "damage": 5}


def of(points: int) -> dict[str, Any]:
    """A character of so many points, 7 to 70."""
    special = dict.fromkeys(("STR", "PE", "EN", "CH", "IN", "AG", "LK"), 1)
    for name in special:
        more = min(9, points - sum(special.values()))
        special[name] += more
    return {"name": f"Of {points}", "special": special}


def test_jim_is_legal_and_asks_nothing() -> None:
    verdict = check(jim())
    assert (verdict.legal, verdict.queries, verdict.total) == (True, (), 40)


def test_size() -> None:
    assert rules(side(of(40))) == []
    assert rules(side(of(41))) == ["sc.size"]
    (problem,) = check(side(of(43))).problems
    assert problem.message == "43 SPECIAL points, 40 allowed: 3 too many"


def test_characters() -> None:
    assert rules(side()) == ["sc.characters"]
    assert rules(side(of(7), of(7))) == ["sc.characters"]
    assert rules(side(of(40), of(39)), Terms(EDITION, 79)) == ["sc.characters"]
    assert rules(side(of(40), of(40)), Terms(EDITION, 80)) == []
    assert rules(side(of(7)), Terms(EDITION, 7)) == []


@pytest.mark.parametrize(("name", "value", "broken"), [("LK", 1, 0), ("LK", 0, 1), ("STR", 10, 0), ("STR", 11, 1)])
def test_attributes(name: str, value: int, broken: int) -> None:
    assert rules(jim(special=attributes(**{"AG": 1, name: value}))).count("sc.special") == broken


def test_origin() -> None:
    assert rules(side(JIM, faction="brotherhood of  steel")) == []
    (problem,) = check(side(JIM, faction="Raider")).problems
    assert problem.rule == "sc.origin"
    assert "did you mean Raiders?" in problem.message


def test_gear_that_nobody_knows_is_a_problem_and_gear_with_its_own_figures_a_query() -> None:
    (problem,) = check(jim(weapons=[{"name": "Minigum"}])).problems
    assert problem.rule == "sc.gear"
    assert "did you mean Minigun?" in problem.message
    assert rules(jim(armour={"name": "Metal Armour"})) == ["sc.gear"]
    own = jim(weapons=[{"name": "Hunting Rifle", "own": PISTOL}], armour={"name": "Metal Armour", "own": {"ac": 8}})
    assert rules(own) == []
    assert queries(own) == ["sc.gear", "sc.gear"]
    assert queries(jim(items=[{"name": "Rope"}])) == ["sc.gear"]
    assert queries(jim(items=[{"name": "stimpak", "count": 3}])) == []


def test_a_burst_needs_bullets() -> None:
    burst = PISTOL | {"mode": "burst"}
    assert rules(jim(weapons=[{"name": "Gun", "own": burst}])) == ["sc.gear"]
    assert rules(jim(weapons=[{"name": "Gun", "own": burst | {"bullets": 1}}])) == []


def test_skills() -> None:
    assert queries(jim(skills=[{"name": "Small Guns", "points": 0}])) == []
    assert queries(jim(skills=[{"name": "Small Guns", "points": 1}])) == ["sc.skill"]
    assert queries(jim(skills=[{"name": "Sneak", "points": 0}])) == ["sc.skill"]
    assert queries(jim(skills=[{"name": "Juggling", "points": 5}])) == ["sc.skill"]
    assert rules(jim(skills=[{"name": "Sneak", "points": 0}, {"name": "sneak", "points": 9}])) == ["sc.skill"]


def test_level() -> None:
    assert queries(jim(level=1)) == []
    assert queries(jim(level=2)) == ["sc.level"]


# ---- what an event adds


def at(**adds: Any) -> Terms:
    """40 points and what an event adds."""
    return Terms(EDITION, 40, Restrictions(**adds))


@pytest.mark.parametrize(
    ("terms", "rule"),
    [
        (at(banned=("10mm Pistol",)), "sc.event.ban"),
        (at(banned=("Leather Jacket",)), "sc.event.ban"),
        (at(most_copies=(("Stimpak", 1),)), "sc.event.copies"),
        (at(factions=("Enclave",)), "sc.event.factions"),
        (Terms(EDITION, 40, faction="Enclave"), "sc.event.faction-lock"),
        (at(roster_size=80), "sc.event.sideboard"),
    ],
)
def test_what_an_event_adds(terms: Terms, rule: str) -> None:
    document = jim(items=[{"name": "Stimpak", "count": 2}], special=attributes(IN=5))
    assert [one for one in rules(document, terms) if one != "sc.size"] == [rule]
    assert rules(document, Terms(EDITION, 41)) == []


def test_of_a_roster_a_part_is_fielded() -> None:
    roster, terms = side(of(40), of(39)), at(roster_size=80)
    assert rules(roster, terms) == []
    assert rules(SYSTEM.part_of(roster, [1]), terms.fielded) == []
    assert set(rules(SYSTEM.part_of(roster, [0, 1]), terms.fielded)) == {"sc.size", "sc.characters"}


# ---- mending


@pytest.mark.parametrize(
    "document",
    [
        side(of(45)),
        side(of(60)),
        side(of(30), of(7)),
        jim(special=attributes(AG=14)),
        jim(weapons=[{"name": "Minigum"}]),
        jim(armour={"name": "Metal Armour"}),
        side(JIM, faction="Nobody"),
        jim(skills=[{"name": "Sneak", "points": 1}] * 2),
        jim(special=attributes(AG=14, LK=0), weapons=[{"name": "Minigum"}]),
    ],
)
def test_what_is_illegal_is_mended_in_a_few_steps(document: Document) -> None:
    ways = SYSTEM.mendings(document, TERMS)
    assert 1 <= len(ways) <= 3
    assert len({way.key for way in ways}) == len(ways)
    for way in ways:
        assert way.changes
        verdict = check(way.document)
        assert (verdict.legal, verdict.total) == (True, way.total)
        assert SYSTEM.read_force(way.document, EDITION) == way.document


def test_banned_and_too_many_things_are_taken_out() -> None:
    document = jim(items=[{"name": "Stimpak", "count": 3}])
    terms = at(banned=("10mm Pistol",), most_copies=(("Stimpak", 1),))
    (best, *_) = SYSTEM.mendings(document, terms)
    assert set(best.changes) == {"Jim the Raider: take out 10mm Pistol", "Jim the Raider: 1 × Stimpak instead of 3"}
    assert check(best.document, terms).legal


def test_a_legal_and_an_empty_side_have_nothing_to_mend() -> None:
    assert SYSTEM.mendings(jim(), TERMS) == SYSTEM.mendings(side(), TERMS) == ()


def test_the_same_character_is_told_by_its_attributes_and_weapons() -> None:
    twins = side(JIM, JIM | {"name": "Ash"}, JIM | {"name": "Bolt", "weapons": []})
    terms = Terms(EDITION, 120, Restrictions(same_model=1))
    (problem,) = check(twins, terms).problems
    assert problem.rule == "sc.event.copies"
    assert (
        problem.message == "2 models are the same but for their names (Jim the Raider and Ash), 1 allowed at this event"
    )
    assert problem.places == (0, 1)
    assert check(twins, Terms(EDITION, 120, Restrictions(same_model=2))).legal


def test_the_same_changes_in_another_order_are_offered_once() -> None:
    document = jim(weapons=[{"name": "Minigum"}], armour={"name": "Metal Armour"}, items=[{"name": "Jet"}])
    ways = SYSTEM.mendings(document, at(banned=("Jet",)))
    assert [sorted(way.changes) for way in ways] == [
        ["Jim the Raider: take off Metal Armour", "Jim the Raider: take out Jet", "Jim the Raider: take out Minigum"]
    ]
