"""The SNAFU game: findings, queries, faults of a force file, suggested fixes (its rules: test_new_vegas_oracle.py)."""

import pytest

from tests.kit.new_vegas import EDITION, LEADER, SYSTEM, TERMS, broken, check, force, model, read, squad
from validators.contract import UnreadableForce
from validators.restrictions import Restrictions

STRONG = (5, 2, 3, 3, 2, 3, 2)
GAUSS = {"name": "Gauss Rifle", "attacks": 1, "armour_penetration": 3, "range": 24, "strength": 3, "energy": True}


def test_findings_and_their_messages() -> None:
    gunner = model("Gunner", (3, *STRONG[1:]), weapons=["Minigun"])
    cavalry = force(squad(LEADER, squad_class="Cavalry"), squad(LEADER, name="Baker"))
    assert broken(force(squad(LEADER, model(count=4))), 37) == []
    for parsed, size, places, message, fix in (
        (force(squad(LEADER, model(count=4))), 36, (), "37 SPECIAL points, 1 over the size of 36",
         "Take out at least 1 "),
        (cavalry, 150, (0,), "", "Make it Recon, Regular or Heavy."),
        (force(squad(gunner)), 150, (0,), "Gunner in Able has Strength 3, Minigun asks for 4", ""),
        (force(squad(model(special=STRONG, weapons=["Minigum"]))), 150, (0,), "", "Take Minigun"),
    ):  # fmt: skip
        (found,) = check(parsed, size).problems
        assert found.places == places and found.message.startswith(message) and found.fix.startswith(fix), found
    twins = check(force(squad(LEADER), squad(), squad())).problems
    assert [problem.message for problem in twins] == ["Able (squad 2) has no models", "Able (squad 3) has no models"]


def test_queries_are_no_problems() -> None:
    carrier = squad(model(special=STRONG, weapons=["gauss rifle"]))
    light = force(squad(model(special=STRONG, weapons=["Minigun"])), weapons=[{"name": "Minigun", "strength": 0}])
    for parsed, expected, words in (
        (force(carrier, weapons=[GAUSS]), ["nv.own-weapon"], "A 1, AP 3, FP 1, EF 24″; Strength 3, energy"),
        (light, ["nv.own-weapon"], "its figures there count"),
        (force(squad(model(special=(1, 1, 0, 1, 1, 1, 1)))), ["nv.endurance"], ""),
        (force(squad(model(special=(1, 1, 1, 1, 1, 1, 1)))), [], ""),
    ):
        verdict = check(parsed)
        assert (verdict.legal, [query.rule for query in verdict.queries]) == (True, expected)
        assert all(words in query.message for query in verdict.queries)
    (query,) = check(force(carrier, weapons=[GAUSS])).queries
    assert query.places == (0,)


def test_restrictions_of_an_event_bind_a_force() -> None:
    armed = squad(model(weapons=["Pistol"], count=3), name="Dog")
    parsed = force(squad(LEADER), squad(LEADER, name="Baker"), armed)
    pistol, rifle = model("Pistol", weapons=["Pistol"]), model("Scout", weapons=["Varmint Rifle"])
    other, roster = (
        model("Ranger", weapons=["pistol"]),
        force(squad(LEADER, model(count=4)), squad(model(), name="Dog")),
    )
    twins = force(squad(LEADER, pistol, other), squad(pistol, rifle, name="Baker"))
    for what, given, size, adds, expected in (
        ("a banned class", parsed, 150, Restrictions(banned=("Regular",)), ["ban"]),
        ("a name is the player's own", force(squad(LEADER, model("Pistol"))), 150,
         Restrictions(banned=("Pistol",)), []),
        ("three Pistols", parsed, 150, Restrictions(most_copies=(("Pistol", 3),)), []),
        ("of two", parsed, 150, Restrictions(most_copies=(("Pistol", 2),)), ["copies"]),
        ("three alike of two", parsed, 150, Restrictions(same_model=2), ["copies"]),
        ("three squads of one class are no models", parsed, 150, Restrictions(same_model=3), []),
        ("two alike but for names", force(squad(LEADER, pistol, other, rifle)), 150, Restrictions(same_model=2), []),
        ("three in two squads", twins, 150, Restrictions(same_model=2), ["copies"]),
        ("a squad with Charisma can be fielded", roster, 37, Restrictions(roster_size=100), []),
        ("or not", roster, 36, Restrictions(roster_size=100), ["sideboard"]),
    ):  # fmt: skip
        assert broken(given, size, adds) == [f"nv.event.{rule}" for rule in expected], what
    (problem,) = check(twins, 150, Restrictions(same_model=2)).problems
    assert problem.message == "3 models are the same but for their names (Pistol and Ranger), 2 allowed at this event"
    assert (problem.figures, problem.places) == ({"used": 3, "allowed": 2}, (0, 1))


def test_unreadable_files_are_refused_with_the_place() -> None:
    for change, place in (
        ({"squads": None}, "squads: "), ({"squads": [squad(LEADER)] * 61}, "squads: "),
        ({"squads": [squad(*[model(count=99)] * 6)]}, "594 models, at most 200"),
        ({"squads": [squad(model(count=0))]}, "squads[0].models[0].count: "),
        ({"squads": [squad(model(special=(1, 1, 1, 1, 1, 1, -1)))]}, "special.luck: "),
        ({"squads": [squad({"name": "X", "special": {}})]}, "squads[0].models[0].special.strength: "),
        ({"squads": [squad(LEADER) | {"captain": 1}]}, "squads[0].captain: "),
        ({"weapons": [{"name": "Gun"}, {"name": " gUN"}]}, "weapons[1].name: 'gUN'"),
        ({"weapons": [{"name": "Gun", "kind": "laser"}]}, "weapons[0].kind: "),
        ({"edition": "2018"}, "edition: '2018'"), ({"system": "battle_mode"}, "system: "),
    ):  # fmt: skip
        with pytest.raises(UnreadableForce) as refused:
            read(force(squad(LEADER)) | change)
        assert any(place in fault for fault in refused.value.faults), refused.value.faults


def test_file_of_another_edition_is_read_and_noted() -> None:
    document = read(force(squad(LEADER)))
    data = SYSTEM.forces.files.export(document, EDITION, "json").replace(b"snafu", b"older")
    imported = SYSTEM.forces.files.import_("force.json", data, EDITION)
    assert imported.document == document
    assert "'older'" in imported.notes[0] and EDITION.name in imported.notes[0] and len(imported.notes) == 1
    with pytest.raises(UnreadableForce, match="only force files of this service"):
        SYSTEM.forces.files.import_("force.txt", b"Able (Regular)", EDITION)


def test_suggested_fixes_are_single_changes_where_one_is_enough() -> None:
    one = SYSTEM.forces.fixes(read(force(squad(LEADER), squad(name="Empty"))), TERMS)
    assert one[0].changes == ("Take out Empty",)
    wrong = squad(model(special=(1, 1, 1, 0, 0, 9, 2), weapons=["Minigun"]), squad_class="Cavalry", name="Baker")
    (way,) = SYSTEM.forces.fixes(read(force(wrong, faction="Nobody")), TERMS)
    assert len(way.changes) == 5
    assert SYSTEM.checks.check(way.document, TERMS).legal
