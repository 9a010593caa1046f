"""Skill combat: messages, restrictions, suggested fixes, builder, and bouts (rules: test_recorded_forces.py)."""

from typing import Any

import pytest

from tests.kit.builder_pages import builder_page
from tests.kit.skill_combatants import EDITION, JIM, SYSTEM, TERMS, attributes, check, jim, rules, side
from validators.contract import Terms
from validators.restrictions import Restrictions
from validators.scenario import Doubt


def worth(points: int) -> dict[str, Any]:
    """A character whose SPECIAL adds up to these points."""
    special = dict.fromkeys(("STR", "PE", "EN", "CH", "IN", "AG", "LK"), 1)
    for name in special:
        special[name] += min(9, points - sum(special.values()))
    return {"name": f"Of {points}", "special": special}


def at(size: int = 40, **adds: Any) -> Terms:
    return Terms(EDITION, size, Restrictions(**adds))


def test_messages_have_the_figures_and_the_near_name() -> None:
    (problem,) = check(side(worth(43))).problems
    assert problem.message.startswith("43 SPECIAL points, 40 allowed: 3 too many")
    (query,) = check(side(JIM, faction="Raidrs")).queries
    assert query.message == "These lists define no origin Raidrs; did you mean Raiders?"


def test_restrictions_of_an_event_bind_a_side() -> None:
    document = jim(items=[{"name": "Stimpak", "count": 2}], special=attributes(IN=5))
    for terms, rule in (
        (at(banned=("10mm Pistol",)), "ban"), (at(banned=("Leather Jacket",)), "ban"),
        (at(most_copies=(("Stimpak", 1),)), "copies"), (at(roster_size=80), "sideboard"),
    ):  # fmt: skip
        assert [text for text in rules(document, terms) if text != "sc.size"] == [f"sc.event.{rule}"]
    assert rules(document, Terms(EDITION, 41)) == []
    roster, terms = side(worth(40), worth(39)), at(roster_size=80)
    assert rules(roster, terms) == rules(side(worth(40), worth(40)), terms) == []
    assert rules(SYSTEM.forces.part_of(roster, [1]), terms.fielded) == []
    twins = side(JIM, JIM | {"name": "Ash"}, JIM | {"name": "Bolt", "weapons": []})
    (problem,) = check(twins, at(120, same_model=1)).problems
    assert (problem.rule, problem.places) == ("sc.event.copies", (0, 1))
    assert problem.message.startswith("2 models are the same but for their names (Jim the Raider and Ash), 1 allowed")
    assert check(twins, at(120, same_model=2)).legal


def test_suggested_fixes_are_legal_and_few() -> None:
    for document in (
        side(worth(60)), side(worth(30), worth(7)), jim(special=attributes(AG=14)),
        jim(weapons=[{"name": "Minigum"}]), jim(armour={"name": "Metal Armour"}),
        jim(skills=[{"name": "Sneak", "points": 1}] * 2),
        jim(special=attributes(AG=14, LK=0), weapons=[{"name": "Minigum"}]),
    ):  # fmt: skip
        ways = SYSTEM.forces.fixes(document, TERMS)
        assert 1 <= len(ways) == len({way.key for way in ways}) <= 3
        assert all(check(way.document).legal for way in ways)
    assert SYSTEM.forces.fixes(jim(), TERMS) == SYSTEM.forces.fixes(side(), TERMS) == ()
    banned = at(banned=("10mm Pistol",), most_copies=(("Stimpak", 1),))
    (best, *_) = SYSTEM.forces.fixes(jim(items=[{"name": "Stimpak", "count": 3}]), banned)
    assert set(best.changes) == {"Jim the Raider: take out 10mm Pistol", "Jim the Raider: 1 × Stimpak instead of 3"}
    assert check(best.document, banned).legal
    document = jim(weapons=[{"name": "Minigum"}], armour={"name": "Metal Armour"}, items=[{"name": "Jet"}])
    (way,) = SYSTEM.forces.fixes(document, at(banned=("Jet",)))
    assert len(way.changes) == 3, "the same changes in another order are one suggestion"


@pytest.mark.usefixtures("builder_app")
def test_weapon_links_to_its_calculator_with_the_character_s_figures() -> None:
    document = jim(weapons=[{"name": "10mm Pistol"}, {"name": "Minigun"}, {"name": "No Such Gun"}])
    view = SYSTEM.forces.builder(document, TERMS, {})
    (who,) = view.side.characters
    pistol, minigun = (view.attack(weapon.figures, who) for weapon in who.weapons[:2])
    asked = {ask.key for ask in SYSTEM.calculator("attack").asks}
    assert pistol.keys() <= asked
    assert pistol.items() <= SYSTEM.calculator("attack").defaults.items(), "the example is Jim's own shot"
    assert (minigun["skill"], minigun["stat"], minigun["bullets"]) == (24, 7, 20)
    page = builder_page("skill_combat", view)
    links = [str(a["href"]).partition("?")[0].rpartition("/")[2] for a in page.select("a.builder-total")]
    assert links == ["attack", "burst"], "none for an unknown weapon"


def test_banned_things_are_not_offered() -> None:
    terms = at(banned=("Minigun", "leather jacket"), factions=("Raiders",))
    shown = SYSTEM.forces.builder(jim(), terms, {})
    assert (shown.weapons, shown.armour, shown.page.factions) == (("10mm Pistol",), (), ("Raiders",))


BOUT = SYSTEM.scenario("bout")


def shown(a: str, b: str, a_hp: object = None, b_hp: object = None) -> dict[str, Any]:
    answers = {"a.end": a, "b.end": b, "a.hp": a_hp, "b.hp": b_hp}
    return {key: value for key, value in answers.items() if value is not None and value != ""}


def doubts(answers: dict[str, Any]) -> tuple[Doubt, ...]:
    return SYSTEM.scoring.check(BOUT, answers)


def test_last_character_standing_wins_with_the_remaining_hp() -> None:
    for answers, expected in (
        *((shown("Standing", lost, 5), (5, 0, "a")) for lost in ("Down", "Surrendered", "Fled")),
        *((shown(lost, "Standing", None, 7), (0, 7, "b")) for lost in ("Down", "Surrendered", "Fled")),
        (shown("Standing", "Standing", 30, 2), (30, 2, "draw")),
        (shown("Down", "Fled"), (0, 0, "draw")),
        ({}, (0, 0, "draw")),
    ):
        score = SYSTEM.scoring.score(BOUT, answers)
        assert (score.a, score.b, score.outcome) == expected, answers


def test_impossible_reports_are_refused_and_odd_ones_asked_about() -> None:
    ends = ("a.end", "b.end")
    for answers, refused, keys, words in (
        (shown("Standing", "Fled", 5), None, (), ""),
        (shown("Standing", "Standing", 30, 2), False, ends, "Was time up?"), (shown("Down", "Fled"), False, ends, ""),
        (shown("Standing", ""), False, ("a.hp",), ""), (shown("Standing", "", 5), False, ("b.end",), ""),
        (shown("Standing", "Down", 0), True, ("a.hp",), "at least 1"),
        (shown("Down", "Standing", 4, 9), True, ("a.hp",), "4 HP"),
        (shown("Standing", "Fled", 3, 2), True, ("b.hp",), "2 HP"),
        (shown("Won", "Fled", 3), True, ("a.end",), "Standing, Down, Surrendered or Fled"),
        *((shown("Standing", "Fled", hp), True, ("a.hp",), "Player A, HP left: ") for hp in (1000, -1)),
        *((shown("Standing", "Fled", hp), True, ("a.hp",), "") for hp in (10**4000, "many", True)),
        ({"a.vp": 3}, True, (), "Bout"),
    ):  # fmt: skip
        found = doubts(answers)
        first = [doubt for doubt in found if doubt.refused] or list(found)
        assert [doubt.refused for doubt in first[:1]] == ([] if refused is None else [refused]), keys
        assert not first or (first[0].keys == keys and words in first[0].message), (keys, first[0])
    assert [doubt.keys for doubt in doubts(shown("Standing", ""))] == [("a.hp",), ("b.end",)]
