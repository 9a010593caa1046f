"""Each rule of the SNAFU game, just legal and just illegal, and what a force file may hold."""

from typing import Any

import pytest

from validators import SYSTEMS
from validators.contract import Document, Terms, UnreadableForce, Verdict
from validators.restrictions import Restrictions

SYSTEM = SYSTEMS["new_vegas"]
EDITION = SYSTEM.editions[0]
SCORES = ("strength", "perception", "endurance", "charisma", "intelligence", "agility", "luck")


def model(name: str = "Trooper", special: tuple[int, ...] = (1, 1, 1, 0, 0, 2, 0), **fields: Any) -> dict[str, Any]:
    return {"name": name, "special": dict(zip(SCORES, special, strict=True))} | fields


LEADER = model("Officer", (2, 2, 3, 3, 2, 3, 2))


def squad(*models: dict[str, Any], name: str = "Able", squad_class: str = "Regular") -> dict[str, Any]:
    return {"name": name, "class": squad_class, "models": list(models)}


def force(*squads: dict[str, Any], **fields: Any) -> dict[str, Any]:
    parts = {"system": "new_vegas", "edition": "snafu", "faction": "Great Khans", "squads": list(squads)}
    return parts | fields


def read(parsed: dict[str, Any]) -> Document:
    return SYSTEM.read_force(parsed, EDITION)


def check(parsed: dict[str, Any], size: int = 150, restrictions: Restrictions | None = None) -> Verdict:
    return SYSTEM.check_force(read(parsed), Terms(EDITION, size, restrictions or Restrictions()))


def broken(parsed: dict[str, Any], size: int = 150, restrictions: Restrictions | None = None) -> list[str]:
    return [problem.rule for problem in check(parsed, size, restrictions).problems]


def test_a_force_counts_its_special_scores() -> None:
    parsed = force(squad(LEADER, model(count=4)))
    assert check(parsed, 37).total == 17 + 4 * 5
    assert broken(parsed, 37) == []
    (problem,) = check(parsed, 36).problems
    assert (problem.rule, problem.message) == ("nv.size", "37 SPECIAL points, 1 over the size of 36")
    assert problem.mend == "Take out at least 1 SPECIAL point."


def test_the_faction_is_one_of_the_edition() -> None:
    assert broken(force(squad(LEADER), faction="great  khans")) == []
    assert read(force(squad(LEADER), faction="great  khans"))["faction"] == "Great Khans"
    assert broken(force(squad(LEADER), faction="Minutemen")) == ["nv.faction"]


@pytest.mark.parametrize(("named", "markers"), [("Recon", 3), ("regular", 2), (" HEAVY ", 1)])
def test_the_class_gives_the_markers_of_the_document(named: str, markers: int) -> None:
    parsed = force(squad(LEADER, model(count=9), squad_class=named))
    assert broken(parsed) == []
    assert figures(parsed)["Force markers"] == str(markers), "by the squad, however many models"


def test_another_class_is_none() -> None:
    found = check(force(squad(LEADER, squad_class="Cavalry"), squad(LEADER, name="Baker")))
    (problem,) = found.problems
    assert (problem.rule, problem.places, problem.models) == ("nv.class", (0,), ("Able",))
    assert problem.mend == "Make it Recon, Regular or Heavy."


def test_a_squad_has_a_model() -> None:
    assert broken(force(squad(LEADER), squad(name="Empty"))) == ["nv.squad"]
    assert figures(force(squad(LEADER), squad(name="Empty")))["Force markers"] == "2"


@pytest.mark.parametrize("place", range(7))
def test_a_score_is_at_most_five(place: int) -> None:
    scores = [1] * 7
    scores[place] = 5
    assert broken(force(squad(model(special=tuple(scores))))) == []
    scores[place] = 6
    assert broken(force(squad(model(special=tuple(scores))))) == ["nv.special"]


def test_a_force_without_charisma_is_leaderless() -> None:
    assert broken(force(squad(model(special=(0, 0, 1, 1, 0, 0, 0))))) == []
    assert broken(force(squad(model()))) == ["nv.charisma"]
    assert broken(force()) == ["nv.charisma"]


def test_a_weapon_asks_for_its_strength() -> None:
    strong = (4, 1, 2, 1, 0, 2, 0)
    assert broken(force(squad(model(special=strong, weapons=["minigun"])))) == []
    weak = check(force(squad(model("Gunner", (3, 1, 2, 1, 0, 2, 0), weapons=["Minigun", "Minigun"])))).problems
    assert [problem.message for problem in weak] == ["Gunner in Able has Strength 3, Minigun asks for 4"]


def test_an_unknown_weapon_is_offered_the_nearest() -> None:
    (problem,) = check(force(squad(model(special=LEADER_SCORES, weapons=["Minigum"])))).problems
    assert problem.rule == "nv.weapon"
    assert problem.mend.startswith("Take Minigun")


LEADER_SCORES = (5, 2, 3, 3, 2, 3, 2)


def test_a_players_own_weapon_is_put_to_the_organiser() -> None:
    gauss = {"name": "Gauss Rifle", "attacks": 1, "armour_penetration": 3, "range": 24, "strength": 3, "energy": True}
    carrier = model(special=LEADER_SCORES, weapons=["gauss rifle"])
    found = check(force(squad(carrier), weapons=[gauss]))
    assert found.legal
    (query,) = found.queries
    assert (query.rule, query.places) == ("nv.own-weapon", (0,))
    assert "A 1, AP 3, FP 1, EF 24″; Strength 3, energy" in query.message
    weak = model(special=(2, 2, 3, 3, 2, 3, 2), weapons=["Gauss Rifle"])
    assert broken(force(squad(weak), weapons=[gauss])) == ["nv.strength"]


def test_an_own_weapon_does_not_change_the_armoury() -> None:
    light = {"name": "Minigun", "attacks": 20, "strength": 0}
    parsed = force(squad(model(special=(2, 2, 3, 3, 2, 3, 2), weapons=["Minigun"])), weapons=[light])
    assert broken(parsed) == ["nv.strength"]
    assert "its figures there count" in check(parsed).queries[0].message


def test_a_model_without_endurance_is_a_query() -> None:
    found = check(force(squad(model(special=(1, 1, 0, 1, 1, 1, 1)))))
    assert found.legal
    assert [query.rule for query in found.queries] == ["nv.endurance"]
    assert check(force(squad(model(special=(1, 1, 1, 1, 1, 1, 1))))).queries == ()


def test_what_an_event_adds() -> None:
    parsed = force(squad(LEADER), squad(LEADER, name="Baker"), squad(model(weapons=["Pistol"], count=3), name="Dog"))
    assert broken(parsed, restrictions=Restrictions(banned=("Regular",))) == ["nv.event.ban"]
    assert broken(parsed, restrictions=Restrictions(most_copies=(("Pistol", 3),))) == []
    assert broken(parsed, restrictions=Restrictions(most_copies=(("Pistol", 2),))) == ["nv.event.copies"]
    assert broken(parsed, restrictions=Restrictions(same_model=2)) == ["nv.event.copies"], "three with a Pistol"
    assert broken(parsed, restrictions=Restrictions(same_model=3)) == [], "three squads of one class are no models"


def test_the_same_model_is_told_by_its_scores_and_weapons() -> None:
    pistol, rifle = model("Pistol", weapons=["Pistol"]), model("Scout", weapons=["Varmint Rifle"])
    other = model("Ranger", weapons=["pistol"])
    two = Restrictions(same_model=2)
    assert broken(force(squad(LEADER, pistol, other, rifle)), restrictions=two) == []
    one_too_many = force(squad(LEADER, pistol, other), squad(pistol, rifle, name="Baker"))
    (problem,) = check(one_too_many, restrictions=two).problems
    assert problem.rule == "nv.event.copies"
    assert problem.message == "3 models are the same but for their names (Pistol and Ranger), 2 allowed at this event"
    assert (problem.figures, problem.places) == ({"used": 3, "allowed": 2}, (0, 1))
    named = force(squad(LEADER, model("Pistol")))
    assert broken(named, restrictions=Restrictions(banned=("Pistol",))) == [], "a name is the player's own"


def test_a_roster_has_a_squad_with_charisma_that_can_be_fielded() -> None:
    parsed = force(squad(LEADER, model(count=4)), squad(model(), name="Baker"))
    roster = Restrictions(roster_size=100)
    assert broken(parsed, 37, roster) == []
    assert broken(parsed, 36, roster) == ["nv.event.sideboard"]


def figures(parsed: dict[str, Any]) -> dict[str, str]:
    return {one.label: one.value for one in SYSTEM.derived(read(parsed), Terms(EDITION, 150))}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"squads": None}, "squads: is not a list"),
        ({"squads": [squad(LEADER)] * 61}, "squads: holds more than 60 entries"),
        ({"squads": [squad(*[model(count=99)] * 6)]}, "This list is too large: 594 models, at most 200 are allowed."),
        ({"squads": [squad(model(count=0))]}, "squads[0].models[0].count: is 0, at least 1 is asked"),
        ({"squads": [squad(model(special=(1, 1, 1, 1, 1, 1, -1)))]}, "special.luck: is -1, at least 0 is asked"),
        ({"squads": [squad({"name": "X", "special": {}})]}, "squads[0].models[0].special.strength: is missing"),
        ({"squads": [squad(LEADER) | {"captain": 1}]}, "squads[0].captain: is not a field of the force file"),
        ({"weapons": [{"name": "Gun"}, {"name": " gUN"}]}, "weapons[1].name: 'gUN' stands there twice"),
        ({"weapons": [{"name": "Gun", "kind": "laser"}]}, "weapons[0].kind: is not 'ranged' or 'melee'"),
        ({"edition": "2018"}, "edition: '2018' stands there, and this is read by 'snafu'"),
        ({"system": "battle_mode"}, "system: is not 'new_vegas'"),
    ],
)
def test_what_has_no_meaning_is_unreadable(change: dict[str, Any], told: str) -> None:
    with pytest.raises(UnreadableForce) as refused:
        read(force(squad(LEADER)) | change)
    assert any(told in fault for fault in refused.value.faults), refused.value.faults


def test_a_file_of_another_edition_is_read_by_this_one_and_says_so() -> None:
    data = SYSTEM.export_force(read(force(squad(LEADER))), EDITION, "json").replace(b"snafu", b"older")
    imported = SYSTEM.import_force("force.json", data, EDITION)
    assert imported.document == read(force(squad(LEADER)))
    assert imported.notes == ("The file names the edition 'older'; it was read by " + EDITION.name + ".",)
    with pytest.raises(UnreadableForce, match="only force files of this service"):
        SYSTEM.import_force("force.txt", b"Able (Regular)", EDITION)


def test_two_squads_of_one_name_are_told_apart() -> None:
    found = check(force(squad(LEADER), squad(), squad(), name="Twins"))
    assert [problem.message for problem in found.problems] == [
        "Able (squad 2) has no models",
        "Able (squad 3) has no models",
    ]


def test_single_changes_mend_a_force_and_several_where_one_does_not() -> None:
    terms = Terms(EDITION, 150)
    one = SYSTEM.mendings(read(force(squad(LEADER), squad(name="Empty"))), terms)
    assert one[0].changes == ("Take out Empty",)
    wrong = squad(model(special=(1, 1, 1, 0, 0, 2, 9), weapons=["Minigun"]), squad_class="Cavalry", name="Baker")
    (way,) = SYSTEM.mendings(read(force(wrong, faction="Nobody")), terms)
    assert len(way.changes) == 5
    assert SYSTEM.check_force(way.document, terms).legal
