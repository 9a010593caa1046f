"""The SNAFU game: findings, queries, faults of a force file, fixes, builder (rules: test_recorded_forces.py)."""

from typing import Any

import pytest

from tests.kit.builder_pages import after, builder_page
from tests.kit.new_vegas import EDITION, LEADER, SYSTEM, TERMS, broken, check, force, model, read, squad
from validators.contract import Document, Terms, UnreadableForce
from validators.restrictions import Restrictions

STRONG = (5, 2, 3, 3, 2, 3, 2)
GAUSS = {"name": "Gauss Rifle", "attacks": 1, "armour_penetration": 3, "range": 24, "strength": 3, "energy": True}


def test_findings_carry_places_messages_and_suggestions() -> None:
    gunner = model("Gunner", (3, *STRONG[1:]), weapons=["Minigun"])
    cavalry = force(squad(LEADER, squad_class="Cavalry"), squad(LEADER, name="Baker"))
    assert broken(force(squad(LEADER, model(count=4))), 37) == []
    for parsed, size, places, message, fix in (
        (force(squad(LEADER, model(count=4))), 36, (), "37 SPECIAL points, 1 over the size of 36", "Take out "),
        (cavalry, 150, (0,), "", "Make it Recon, Regular or Heavy."),
        (force(squad(gunner)), 150, (0,), "Gunner in Able has Strength 3, Minigun asks for 4", ""),
        (force(squad(model(special=STRONG, weapons=["Minigum"]))), 150, (0,), "", "Take Minigun"),
    ):  # fmt: skip
        (found,) = check(parsed, size).problems
        assert found.places == places and found.message.startswith(message) and found.fix.startswith(fix), found
    (twin,) = check(force(squad(LEADER), squad())).problems
    assert twin.message == "Able (squad\u00a02) has no models"


def test_force_with_queries_is_legal() -> None:
    carrier = squad(model(special=STRONG, weapons=["gauss rifle"]))
    light = force(squad(model(special=STRONG, weapons=["Minigun"])), weapons=[{"name": "Minigun", "strength": 0}])
    for parsed, expected, words in (
        (force(carrier, weapons=[GAUSS]), ["nv.own-weapon"], "A 1, AP 3, FP 1, EF 24″; Strength 3, energy"),
        (light, ["nv.own-weapon"], "its figures there count"),
        (force(squad(model(special=(1, 1, 0, 1, 1, 1, 1)))), ["nv.endurance"], ""),
    ):
        verdict = check(parsed)
        assert (verdict.legal, [query.rule for query in verdict.queries]) == (True, expected)
        assert all(words in query.message for query in verdict.queries)
    assert check(force(carrier, weapons=[GAUSS])).queries[0].places == (0,)


def test_restrictions_of_an_event_bind_a_force() -> None:
    armed = squad(model(weapons=["Pistol"], count=3), name="Dog")
    parsed = force(squad(LEADER), squad(LEADER, name="Baker"), armed)
    pistol, rifle = model("Pistol", weapons=["Pistol"]), model("Scout", weapons=["Varmint Rifle"])
    other = model("Ranger", weapons=["pistol"])
    roster = force(squad(LEADER, model(count=4)), squad(model(), name="Dog"))
    twins = force(squad(LEADER, pistol, other), squad(pistol, rifle, name="Baker"))
    for what, given, size, adds, expected in (
        ("a banned class", parsed, 150, Restrictions(banned=("Regular",)), ["ban"]),
        ("a name is the player's own", force(squad(LEADER, model("Pistol"))), 150, Restrictions(("Pistol",)), []),
        ("three Pistols", parsed, 150, Restrictions(most_copies=(("Pistol", 3),)), []),
        ("of two", parsed, 150, Restrictions(most_copies=(("Pistol", 2),)), ["copies"]),
        ("three squads of one class are no models", parsed, 150, Restrictions(same_model=3), []),
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
        ({"squads": [squad(LEADER)] * 61}, "squads: "),
        ({"squads": [squad(*[model(count=99)] * 6)]}, "594 models, at most 200"),
        ({"squads": [squad(model(count=0))]}, "squad 1 (Able), model 1 (Trooper), count: "),
        ({"squads": [squad(model(special=(1, 1, 1, 1, 1, 1, -1)))]}, "special, luck: "),
        ({"squads": [squad(LEADER) | {"captain": 1}]}, "squad 1 (Able), captain: "),
        ({"weapons": [{"name": "Gun"}, {"name": " gUN"}]}, "weapon 2 (gUN): "),
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
    wrong = squad(model(special=(1, 1, 1, 0, 0, 9, 2), weapons=["Minigun"]), squad_class="Cavalry")
    ways = SYSTEM.forces.fixes(read(force(wrong, faction="Nobody")), TERMS)
    assert [len(way.changes) for way in ways] == [4] * len(ways) != []
    assert all(SYSTEM.checks.check(way.document, TERMS).legal for way in ways)


pytestmark = pytest.mark.usefixtures("builder_app")

OWN: dict[str, Any] = {
    "name": "Gauss & <gun>", "attacks": 2, "range": 24, "strength": 3, "energy": True, "kind": "ranged",
}  # fmt: skip


def test_force_is_built_from_nothing() -> None:
    document = SYSTEM.forces.blank(EDITION, "Great Khans")
    document = after(document, do="add-squad", add_class="Recon", add_profile="Officer")
    document = after(document, do="add-line:0", s0__add_model="Scout")
    document = after(document, do="add-weapon:0:1", s0__m1__add_weapon="Pistol")
    document = after(document, do="add-squad", add_class="Recon")
    assert [(s["name"], s["class"]) for s in document["squads"]] == [("Recon 1", "Recon"), ("Recon 2", "Recon")]
    lines = document["squads"][0]["models"]
    assert [(m["name"], m["count"]) for m in lines] == [("Officer", 1), ("Scout", 1)]
    assert lines[1]["weapons"] == ["Varmint Rifle", "Combat Knife", "Pistol"]
    assert document["squads"][1]["models"] == []


def test_buttons_add_copy_move_and_remove_squads_models_and_weapons() -> None:
    document = read(force(squad(LEADER, model(weapons=["Pistol", "Machete"])), squad(model(), name="Baker")))
    able, baker = document["squads"]
    assert after(document, do="remove-squad:0")["squads"] == [baker]
    assert after(document, do="move-up:1", s1__m0__luck="3")["squads"][0]["models"][0]["special"]["luck"] == 3
    copied = after(document, do="duplicate-squad:0")["squads"]
    assert [s["name"] for s in copied] == ["Able", "Able 1", "Baker"]
    assert copied[1]["models"] == able["models"]
    assert after(document, do="remove-line:0:0")["squads"][0]["models"] == able["models"][1:]
    assert after(document, do="remove-weapon:0:1:0")["squads"][0]["models"][1]["weapons"] == ["Machete"]
    own = after(document, do="add-own-weapon")
    assert [weapon["name"] for weapon in own["weapons"]] == ["Own weapon 1"]
    (weapon,) = after(own, w0__name="Gauss Rifle", w0__attacks="3", w0__energy="1", w0__kind="ranged")["weapons"]
    assert (weapon["name"], weapon["attacks"], weapon["energy"]) == ("Gauss Rifle", 3, True)
    assert after(own, do="remove-own-weapon:0")["weapons"] == []


def test_invalid_fields_and_buttons_are_refused() -> None:
    document = read(force(squad(LEADER), weapons=[OWN]))
    for changed, words in (
        *(({"s0__m0__luck": typed}, f"Luck of Officer: {typed}") for typed in ("100", "-1", "٣")),
        ({"s0__m0__count": "0"}, "Officer: 0 is not 1 to 99"),
        ({"w0__strength": "9"}, "Gauss & <gun> asks for: 9 is not 0 to 5"),
        ({"w0__fire_power": "21"}, "Gauss & <gun>: 21 is not 0 to 20"),
        ({"w0__range": "6.5"}, "Gauss & <gun> in inches: 6.5 is not 0 to 99"),
        ({"w1__name": "gauss & <GUN>"}, "gauss & <GUN>"), ({"do": "add-squad"}, "Choose the class"),
        ({"do": "add-line:0"}, "Choose a model"), ({"do": "add-weapon:0:0"}, "Choose a weapon"),
        ({"name": "x" * 81}, "longer than 80"),
    ):  # fmt: skip
        with pytest.raises(UnreadableForce) as refused:
            after(document, **changed)
        assert words in refused.value.faults[0], changed


def test_page_shows_figures_and_each_problem_at_its_squad() -> None:
    document = read(force(squad(LEADER), squad(model(weapons=["Minigun"]), name="Baker")))
    shown = SYSTEM.forces.builder(document, TERMS, {})
    assert (shown.page.total, shown.page.left, shown.force.leadership_dice, shown.force.markers) == (22, 128, 3, 4)
    assert [[f.rule for f in shown.page.verdict.about(place).problems] for place in (0, 1)] == [[], ["nv.strength"]]
    page = builder_page("new_vegas", shown)
    text = page.get_text(" ")
    assert "6 + 4 × 2 = 14" in " ".join(text.split())
    assert "Trooper in Baker has Strength 1, Minigun asks for 4" in text
    assert not page.select("[aria-invalid]")
    strong = after(document, s1__m0__strength="9")  # a browser sends what the field allows
    page = builder_page("new_vegas", SYSTEM.forces.builder(strong, TERMS, {}))
    assert [(entry["name"], entry["max"]) for entry in page.select("[aria-invalid]")] == [("s1.m0.strength", "99")]


def test_banned_parts_are_not_offered_and_choices_are_kept() -> None:
    terms = Terms(EDITION, 150, Restrictions(banned=("Recon", "Minigun"), factions=("Great Khans",)))
    fields = {"add_class": ["Heavy"], "s0.m0.add_weapon": ["Pistol"]}
    shown = SYSTEM.forces.builder(read(force(squad(LEADER))), terms, fields)
    assert [choice.name for choice in shown.classes] == ["Regular", "Heavy"]
    assert "Minigun" not in [
        option.name for kind in shown.to_add(shown.force.squads[0].lines[0]) for option in kind.options
    ]
    assert shown.page.factions == ("Great Khans",)
    page = builder_page("new_vegas", shown)
    assert [o["value"] for o in page.select("#add_class option[selected]")] == ["Heavy"]
    assert [o["value"] for o in page.select('[name="s0.m0.add_weapon"] option[selected]')] == ["Pistol"]
    added = {"do": ["add-squad"], "add_class": ["Heavy"]}
    assert SYSTEM.forces.builder(read(force()), TERMS, added).page.chosen == {}


def test_renamed_own_weapon_keeps_its_carriers() -> None:
    def carried(document: Document, **changed: str) -> list[str]:
        weapons: list[str] = after(document, **changed)["squads"][0]["models"][0]["weapons"]
        return weapons

    named = [OWN | {"name": f"Own weapon {number}"} for number in (1, 2)]
    document = read(force(squad(LEADER | {"weapons": ["Pistol", "Own weapon 1"]}), weapons=named))
    assert carried(document, w0__name="Gauss Rifle") == ["Pistol", "Gauss Rifle"]
    swapped = carried(document, w0__name="Own weapon 2", w1__name="Own weapon 1")
    assert swapped[-1] == "Own weapon 2", "the same weapon under its new name"
    more = {"do": "add-weapon:0:0", "s0__m0__add_weapon": "Own weapon 1"}
    assert carried(document, w0__name="Gauss Rifle", **more)[-2:] == ["Gauss Rifle", "Gauss Rifle"]
    document = read(force(squad(model(weapons=["Pistol"])), weapons=[{"name": "Pistol", "attacks": 3}]))
    assert carried(document, w0__name="Big Iron") == ["Pistol"], "the listed weapon of that name"
