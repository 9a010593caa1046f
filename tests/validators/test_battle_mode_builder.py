"""The builder of Battle Mode: its page, its form, its buttons and its search."""

from functools import partial
from typing import Any

import pytest

from tests.kit.builder_pages import after, builder_page, sent
from tests.kit.forces import EDITION as INFO
from tests.kit.forces import SYSTEM, blank_force, builder, force, model
from validators.battle_mode.builder import BuilderView
from validators.contract import Document, Terms, UnreadableForce
from validators.restrictions import Restrictions

pytestmark = pytest.mark.usefixtures("builder_app")

ODD = force(
    model(
        "Piper", {"name": "Pipe Pistol", "mods": ["Long Barel", "Bayonet", "Bayonet"]},
        {"name": "Baseball Grenade", "count": 3, "mods": ["Spiked"]},
        {"name": "No Such Thing", "mods": ["Spiked", "Heavy"], "count": 99}, "Minigun", heroic=True, leader=True,
        leader_card="Comander", perks=["Sneak", "Sneak", "Snek"],
    ),
    model("Nobody", leader=True, leader_card="Hunter", heroic=True),
    model("Dogmeat", heroic=True, leader_card="Thief"),
    model("Paladin", leader=True, perks=["Medic"]),
    cards=[{"kind": "Quest", "name": "Any"}, {"kind": "Leader", "name": "Thief"}, {"kind": "Solo"}],
    name='Ёж & <co> "quoted"',
) | {"file_total": 999}  # fmt: skip


drawn = partial(builder_page, "battle_mode")


def names(document: Document) -> list[str]:
    return [entry["name"] for entry in document["models"]]


@pytest.mark.slow
def test_saving_keeps_every_part_of_an_odd_force_and_buttons_remove_the_illegal_ones() -> None:
    assert after(ODD) == after(ODD, do="submit") == ODD
    asked = ODD | {"not_read": ["line 3: 2 Enclave Officer"]}
    assert after(asked, do="submit") == asked
    assert not {"file_total", "not_read"} & after(asked, m2__heroic="").keys(), "a changed list is no longer the file's"
    assert [m["leader"] for m in after(ODD, do="drop-leader:1")["models"]] == [True, False, False, True]
    assert after(ODD, do="drop-leader-card:2")["models"][2]["leader_card"] is None
    assert after(ODD, do="remove-mod:0:0:1")["models"][0]["items"][0]["mods"] == ["Long Barel", "Bayonet"]
    assert [card["kind"] for card in after(ODD, do="remove-card:1")["cards"]] == ["Quest", "Solo"]


def test_first_model_leads_and_fixes_the_faction() -> None:
    blank = blank_force("Survivors")
    assert after(blank, faction="Super Mutants")["faction"] == "Super Mutants"
    document = after(blank, do="add-model", add_model="Piper")
    assert drawn(builder(document, 750)).select("[name=faction]") == []
    document = after(document, do="add-model", add_model="Settler")
    assert [(m["name"], m["leader"]) for m in document["models"]] == [("Piper", True), ("Settler", False)]
    assert after(document, do="add-model") == document, "no model was chosen"


def test_buttons_add_copy_and_remove_parts() -> None:
    piper = model("Piper", "Board", {"name": "Machete", "mods": ["Spiked"]}, leader=True)
    document = force(piper, model("Settler", perks=["Sneak", "Medic"]), model("Dog"))

    def items(do: str, **chosen: str) -> list[tuple[str, int, int]]:
        (entry, *_) = after(document, do=do, **chosen)["models"]
        return [(item["name"], item["count"], len(item["mods"])) for item in entry["items"]]

    assert names(after(document, do="remove-model:1")) == ["Piper", "Dog"]
    assert names(after(document, do="duplicate-model:1")) == ["Piper", "Settler", "Settler", "Dog"]
    copy = after(document, do="duplicate-model:0")["models"][1]
    assert copy == document["models"][0] | {"leader": False}
    assert items("add-item:0", m0__add_item="Board") == [("Board", 2, 0), ("Machete", 1, 1)]
    assert items("add-item:0", m0__add_item="Machete") == [("Board", 1, 0), ("Machete", 1, 1), ("Machete", 1, 0)]
    assert items("remove-item:0:0") == [("Machete", 1, 1)]
    assert after(document, do="add-perk:2", m2__add_perk="Attack Dog")["models"][2]["perks"] == ["Attack Dog"]
    assert after(document, do="remove-perk:1:0")["models"][1]["perks"] == ["Medic"]


def test_models_move_with_all_their_parts() -> None:
    piper = model("Piper", {"name": "Board", "count": 2}, leader=True, leader_card="Commander")
    document = force(model("Dog"), piper, model("Settler", perks=["Sneak"]))
    dog, lead, settler = document["models"]
    assert after(document, do="move-up:1")["models"] == [lead, dog, settler]
    assert after(document, do="move-down:1")["models"] == [dog, settler, lead]
    assert after(document, do="move-up:2", m1__heroic="1")["models"] == [dog, settler, lead | {"heroic": True}]
    offered = {str(b["value"]) for b in drawn(builder(document, 750)).select("button[value^=move]")}
    assert offered == {"move-down:0", "move-up:1", "move-down:1", "move-up:2"}


def test_fields_of_the_form_change_the_force_and_move_the_leader_card() -> None:
    document = force(model("Piper", "Board", leader=True), model("Settler"))
    changed = after(document, m1__heroic="1", m0__i0__count="3", m0__i0__mod="Spiked", leader_card="Commander")
    piper, settler = changed["models"]
    assert settler["heroic"] and piper["leader_card"] == "Commander"
    assert piper["items"] == [{"name": "Board", "mods": ["Spiked"], "count": 3}]
    (plain, _) = after(changed, m0__i0__mod="", leader_card="")["models"]
    assert (plain["leader_card"], plain["items"]) == (None, [{"name": "Board", "mods": [], "count": 3}])
    assert after(document, m0__i0__count="")["models"][0]["items"][0]["count"] == 1
    piper = model("Piper", leader=True, leader_card="Commander")  # the card moves, unless the new Leader has one
    for card, expected in ((None, [None, "Commander"]), ("Hunter", ["Commander", "Hunter"])):
        moved = after(force(piper, model("Settler", leader_card=card)), leader="1")["models"]
        assert ([m["leader"] for m in moved], [m["leader_card"] for m in moved]) == ([False, True], expected)


def test_invalid_fields_and_buttons_are_refused() -> None:
    document = force(model("Piper", "Board", leader=True))
    pressed = [*(f"remove-{what}" for what in ("model:7", "item:0:7", "item:0", "model:-1")), "add-model:1"]
    forms: list[dict[str, str]] = [{"do": do} for do in (*pressed, "move-up:0", "move-down:0")]
    forms += [{"m0__i0__count": count} for count in ("0", "two", "٣")]
    for form in (*forms, {"name": "x" * 81}, {"add_model": "x\x00y", "do": "add-model"}):
        with pytest.raises(UnreadableForce):
            pytest.fail(f"{form} was read as {after(document, **form)}")
    with pytest.raises(UnreadableForce, match=r"Board on Piper.*100.*1 to 99"):
        after(document, m0__i0__count="100")


def test_view_counts_caps_and_heavy_weapons() -> None:
    heavy = model("Sole Survivor", {"name": "Minigun", "count": 2}, leader=True)
    view = builder(force(heavy, model("Settler")), 500)
    assert (view.page.total, view.page.left, view.force.heavy_weapons, view.heavy_allowed) == (195, 305, 2, 1)
    found = [
        (card.model.caps, [f.rule for f in view.page.verdict.about(card.model.place).problems]) for card in view.models
    ]
    assert found == [(155, ["bm.heavy"]), (40, [])]
    taken = {o.name for group in view.add_models for o in group.options if o.taken}
    assert taken == {"Sole Survivor", "Sole Survivor Day One"}
    offered = {o.name for group in view.models[1].add_items for o in group.options}
    assert "Minigun" not in offered and "Board" in offered


def limited(document: Document, **adds: Any) -> BuilderView:
    view: BuilderView = SYSTEM.forces.builder(document, Terms(INFO, 750, Restrictions(**adds)), {})
    return view


def closed(document: Document, **adds: Any) -> dict[str, list[str]]:
    """The options that the event's limits disable, by the name of their field."""
    found: dict[str, list[str]] = {}
    view = limited(document, **adds)
    for pressed in ("open-models", *(f"open:{place}" for place in range(len(view.models)))):
        for select in drawn(view, pressed=pressed).find_all("select"):
            found[str(select["name"])] = [str(option["value"]) for option in select.select("option[disabled]")]
    return {name: options for name, options in found.items() if any(options)}


def test_options_are_disabled_at_the_events_most_copies() -> None:
    minuteman, pistol = model("Minuteman"), {"name": "Pipe Pistol", "mods": ["Long Barrel"]}
    parts = {"leader": True, "leader_card": "Thief", "perks": ["Sneak"]}
    piper = model("Piper", pistol, {"name": "Baseball Grenade", "count": 2}, **parts)
    two = force(piper, minuteman, minuteman)
    most = (("minuteman", 2), ("Baseball Grenade", 2), ("Pipe Pistol", 2), ("Sneak", 1), ("Long Barrel", 1))
    plain = closed(two)

    def ended(document: Document, **adds: Any) -> dict[str, list[str]]:
        found = {name: [o for o in of if o not in plain.get(name, [])] for name, of in closed(document, **adds).items()}
        return {name: options for name, options in found.items() if options}

    assert ended(two, most_copies=most) == {
        "add_model": ["Minuteman"],
        **{f"m{n}.add_item": ["Baseball Grenade"] for n in range(3)},
        **{f"m{n}.add_perk": ["Sneak"] for n in (1, 2)},
    }, "the mod that is chosen stays choosable, Sneak is no second time Piper's"
    assert "add_model" not in ended(force(piper, minuteman), most_copies=most), "one more is allowed"
    assert "Minuteman" in ended(two, same_model=2)["add_model"]
    assert "Minuteman" not in ended(two, same_model=2, most_copies=(("Minuteman", 3),)).get("add_model", [])
    assert ended(two, most_copies=(("Thief", 1),)) == {}, "the card is chosen"


def test_model_can_be_copied_where_all_its_parts_are_allowed_twice() -> None:
    grenades = {"name": "Baseball Grenade", "count": 2}
    two = force(model("Minuteman", grenades, leader=True, leader_card="Thief"), model("Minuteman"))
    for most, copied in (
        ((("Minuteman", 2),), [False, False]), ((("Minuteman", 3), ("Thief", 1)), [True, True]),
        ((("Baseball Grenade", 3),), [False, True]), ((("Baseball Grenade", 4),), [True, True]),
    ):  # fmt: skip
        view = limited(two, most_copies=most)
        assert [card.may_be_copied for card in view.models] == copied, most
        assert len(drawn(view).select("button[value^=duplicate-model]")) == sum(copied)


PIPER = force(model("Piper", {"name": "Pipe Pistol", "mods": ["Long Barrel"]}, leader=True))


def test_chosen_model_stays_chosen_until_it_is_added() -> None:
    for do, left in (("open-models", "Settler"), ("add-model", "")):
        view = builder(PIPER, 500, {"do": [do], "add_model": ["Settler"]})
        assert sent(drawn(view, pressed=do))["add_model"] == [left]


def named(options: list[str], runs: str) -> list[str]:
    """The options at these places: "0-4 7"."""
    ends = (run.split("-") for run in runs.split())
    return [option for run in ends for option in options[int(run[0]) : int(run[-1]) + 1]]


def test_card_has_its_choices_after_its_button_and_its_script_gets_each_group_once() -> None:
    view = builder(force(*[model("Settler", "Board")] * 10), 500)
    page = drawn(view, pressed="open:3")
    assert [str(select["name"]) for select in page.select("select[name$=add_item]")] == ["m3.add_item"]
    shown = [str(option["value"]) for option in page.select("[name='m3.add_item'] optgroup:not([data-again]) option")]
    lines = [line.split("\t") for line in str(view.offers(())).splitlines()]
    options = [line[1] for line in lines if line[0] == "o"]
    (key,) = {str(slot["data-chooser"]) for slot in drawn(view).select("[data-chooser]")}
    groups = {line[1]: named(options, line[3]) for line in lines if line[0] == "g"}
    (items,) = (line[3].split() for line in lines if line[:3] == ["s", key, "items"])
    assert [name for group in items for name in groups[group]] == shown
    assert len(options) == len({tuple(line) for line in lines if line[0] == "o"})
    assert str(view.offers({line[1] for line in lines})) == "", "nothing that the page has comes again"


def test_page_shows_the_figures_and_every_finding() -> None:
    view = builder(ODD, 500)
    text = " ".join(drawn(view, ("models: something",)).get_text(" ").split())
    found = (*view.page.verdict.problems, *view.page.verdict.queries)
    figures = (f"{view.page.total} of 500 Caps", f"{-view.page.left} Caps over", "1 of 1", "models: something")
    for words in (*figures, *(words for finding in found for words in (finding.message, finding.fix))):
        assert words in text
