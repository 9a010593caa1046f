"""The builder: what its page shows, what its form holds, what its buttons do. Nothing is lost on the way."""

from collections.abc import Iterator
from typing import Any

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kit.builder_pages import builder_page, page_context, sent
from tests.kit.forces import SYSTEM, blank_force, builder, edit_force, read_force
from validators.battle_mode.builder import BuilderView
from validators.battle_mode.shipped import EDITIONS
from validators.contract import Document, Terms, UnreadableForce
from validators.restrictions import Restrictions

EDITION = EDITIONS["2018-08"]
ODD: dict[str, Any] = {
    "system": "battle_mode",
    "edition": "2018-08",
    "faction": "Survivors",
    "name": 'Ёж & <co> "quoted"',
    "models": [
        {
            "name": "Piper",
            "heroic": True,
            "leader": True,
            "leader_card": "Comander",
            "perks": ["Sneak", "Sneak", "Snek"],
            "items": [
                {"name": "Pipe Pistol", "mods": ["Long Barel", "Bayonet", "Bayonet"]},
                {"name": "Baseball Grenade", "count": 3, "mods": ["Spiked"]},
                {"name": "No Such Thing", "mods": ["Spiked", "Heavy"], "count": 99},
                {"name": "Minigun"},
            ],
        },
        {"name": "Nobody", "leader": True, "leader_card": "Hunter", "heroic": True},
        {"name": "Dogmeat", "heroic": True, "leader_card": "Thief"},
        {"name": "Paladin", "leader": True, "perks": ["Medic"]},
    ],
    "cards": [{"kind": "Quest", "name": "Any"}, {"kind": "Leader", "name": "Thief"}, {"kind": "Solo"}],
}


@pytest.fixture(scope="module")
def pages() -> Iterator[Flask]:
    with page_context() as app:
        yield app


def drawn(view: BuilderView, faults: tuple[str, ...] = ()) -> BeautifulSoup:
    return builder_page("battle_mode", view, faults)


def after(document: Document, **changed: str) -> Document:
    """The document after its page was drawn, changed by hand and sent."""
    return edit_force(document, sent(drawn(builder(document, 750)), **changed))


def force(*models: dict[str, Any], **fields: Any) -> Document:
    parts = {"system": "battle_mode", "edition": "2018-08", "faction": "Survivors", "models": list(models)}
    return read_force(parts | fields)


def names(document: Document) -> list[str]:
    return [model["name"] for model in document["models"]]


def test_nothing_of_an_odd_force_is_lost_by_saving(pages: Flask) -> None:
    document = read_force(ODD)
    assert after(document) == document
    assert after(document, name="Else") == document | {"name": "Else"}


def known(table: Any) -> st.SearchStrategy[str]:
    return st.sampled_from([entry.name for entry in table.values()])


TEXTS = st.sampled_from(["No Such", "ß & <b>", "'\"", "a,b", "0", "Ёж", "日本", "none", "None"])
MODELS = st.fixed_dictionaries(
    {"name": st.sampled_from([m.name for f in EDITION.factions.values() for m in f.models.values()]) | TEXTS},
    optional={
        "heroic": st.booleans(),
        "leader": st.booleans(),
        "leader_card": st.none() | known(EDITION.leader_cards) | TEXTS,
        "perks": st.lists(known(EDITION.perks) | TEXTS, max_size=3),
        "items": st.lists(
            st.fixed_dictionaries(
                {"name": known(EDITION.items) | TEXTS},
                optional={
                    "mods": st.lists(known(EDITION.mods) | TEXTS, max_size=3),
                    "count": st.integers(1, 99),
                },
            ),
            max_size=3,
        ),
    },
)
FORCES = st.fixed_dictionaries(
    {
        "system": st.just("battle_mode"),
        "edition": st.just("2018-08"),
        "faction": st.sampled_from([*(f.name for f in EDITION.factions.values()), "Nobody's"]),
        "models": st.lists(MODELS, max_size=4),
    },
    optional={
        "name": TEXTS,
        "cards": st.lists(
            st.fixed_dictionaries({"kind": st.sampled_from(["Quest", "Leader"]) | TEXTS}, optional={"name": TEXTS}),
            max_size=2,
        ),
    },
)


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FORCES)
def test_what_the_page_holds_is_the_document(pages: Flask, parsed: dict[str, Any]) -> None:
    document = read_force(parsed)
    assert after(document) == document


FIELDS = st.dictionaries(
    st.sampled_from(
        [
            *("name", "leader", "leader_was", "leader_too", "leader_card", "add_model", "faction", "do"),
            *("m0.name", "m0.heroic", "m0.perk", "m0.leader_card", "m0.add_item", "m0.i0.name", "m0.i0.count"),
            *("m0.i0.mod", "m9999.name", "m3.i2.name", "c0.kind", "c0.name", "m٣.name", "m-1.name"),
        ]
    ),
    st.lists(
        st.sampled_from(["", "0", "1", "9", "Piper", "add-item:0", "remove-item:0:9", "remove-model:-1", "x:y"])
        | st.text(max_size=5),
        min_size=1,
        max_size=3,
    ),
)


@pytest.mark.slow
@settings(max_examples=300)
@given(FIELDS)
def test_any_form_is_read_or_refused(fields: dict[str, list[str]]) -> None:
    document = blank_force("Survivors")
    try:
        changed = edit_force(document, fields)
    except UnreadableForce as refused:
        assert refused.faults
    else:
        assert read_force(changed) == changed


def test_the_first_model_leads_and_the_next_do_not(pages: Flask) -> None:
    document = after(blank_force("Survivors"), do="add-model", add_model="Piper")
    document = after(document, do="add-model", add_model="Settler")
    assert [(m["name"], m["leader"]) for m in document["models"]] == [("Piper", True), ("Settler", False)]
    assert after(document, do="add-model") == document  # nothing chosen


def test_the_faction_can_be_chosen_until_there_are_models(pages: Flask) -> None:
    blank = blank_force("Survivors")
    assert after(blank, faction="Super Mutants")["faction"] == "Super Mutants"
    soup = drawn(builder(force({"name": "Piper"}), 750))
    assert soup.select("[name=faction]") == []


def test_buttons(pages: Flask) -> None:
    piper = {"name": "Piper", "leader": True, "items": [{"name": "Board"}, {"name": "Machete", "mods": ["Spiked"]}]}
    document = force(piper, {"name": "Settler", "perks": ["Sneak", "Medic"]}, {"name": "Dog"})
    assert names(after(document, do="remove-model:1")) == ["Piper", "Dog"]
    assert names(after(document, do="duplicate-model:1")) == ["Piper", "Settler", "Settler", "Dog"]
    copy = after(document, do="duplicate-model:0")["models"][1]
    assert copy == document["models"][0] | {"leader": False}
    more = after(document, do="add-item:0", m0__add_item="Pipe Pistol")
    assert [i["name"] for i in more["models"][0]["items"]] == ["Board", "Machete", "Pipe Pistol"]
    again = after(document, do="add-item:0", m0__add_item="Board")
    assert [i["count"] for i in again["models"][0]["items"]] == [2, 1]
    modded = after(document, do="add-item:0", m0__add_item="Machete")
    assert [len(i["mods"]) for i in modded["models"][0]["items"]] == [0, 1, 0]
    assert [i["name"] for i in after(document, do="remove-item:0:0")["models"][0]["items"]] == ["Machete"]
    assert after(document, do="add-perk:2", m2__add_perk="Attack Dog")["models"][2]["perks"] == ["Attack Dog"]
    assert after(document, do="remove-perk:1:0")["models"][1]["perks"] == ["Medic"]


def test_models_move_with_all_that_is_theirs(pages: Flask) -> None:
    piper = {"name": "Piper", "leader": True, "leader_card": "Commander", "items": [{"name": "Board", "count": 2}]}
    document = force({"name": "Dog"}, piper, {"name": "Settler", "perks": ["Sneak"]})
    dog, lead, settler = document["models"]
    assert after(document, do="move-up:1")["models"] == [lead, dog, settler]
    assert after(document, do="move-down:1")["models"] == [dog, settler, lead]
    assert after(document, do="move-up:2", m1__heroic="1")["models"] == [dog, settler, lead | {"heroic": True}]
    offered = {str(b["value"]) for b in drawn(builder(document, 750)).select("button[value^=move]")}
    assert offered == {"move-down:0", "move-up:1", "move-down:1", "move-up:2"}


def test_buttons_for_what_no_legal_force_holds(pages: Flask) -> None:
    document = read_force(ODD)
    assert [m["leader"] for m in after(document, do="drop-leader:1")["models"]] == [True, False, False, True]
    assert after(document, do="drop-leader-card:2")["models"][2]["leader_card"] is None
    mods = after(document, do="remove-mod:0:0:1")["models"][0]["items"][0]["mods"]
    assert mods == ["Long Barel", "Bayonet"]
    assert [card["kind"] for card in after(document, do="remove-card:1")["cards"]] == ["Quest", "Solo"]


def test_fields(pages: Flask) -> None:
    document = force({"name": "Piper", "leader": True, "items": [{"name": "Board"}]}, {"name": "Settler"})
    changed = after(document, m1__heroic="1", m0__i0__count="3", m0__i0__mod="Spiked", leader_card="Commander")
    assert changed["models"][1]["heroic"]
    assert changed["models"][0]["items"] == [{"name": "Board", "mods": ["Spiked"], "count": 3}]
    assert changed["models"][0]["leader_card"] == "Commander"
    assert after(changed, m0__i0__mod="", leader_card="")["models"][0] == document["models"][0] | {
        "items": [{"name": "Board", "mods": [], "count": 3}]
    }
    assert after(document, m0__i0__count="")["models"][0]["items"][0]["count"] == 1


def test_a_change_and_a_button_in_one_form_both_count(pages: Flask) -> None:
    document = force({"name": "Piper", "leader": True}, {"name": "Settler"})
    changed = after(document, do="remove-model:1", m0__heroic="1", name="Press")
    assert (names(changed), changed["models"][0]["heroic"], changed["name"]) == (["Piper"], True, "Press")


def test_the_leader_card_goes_with_the_mark(pages: Flask) -> None:
    document = force({"name": "Piper", "leader": True, "leader_card": "Commander"}, {"name": "Settler"})
    moved = after(document, leader="1")
    assert [(m["leader"], m["leader_card"]) for m in moved["models"]] == [(False, None), (True, "Commander")]


def test_a_new_leader_with_a_card_leaves_the_old_one_theirs(pages: Flask) -> None:
    document = force(
        {"name": "Piper", "leader": True, "leader_card": "Commander"}, {"name": "Settler", "leader_card": "Hunter"}
    )
    moved = after(document, leader="1")
    cards = [(m["leader"], m["leader_card"]) for m in moved["models"]]
    assert cards == [(False, "Commander"), (True, "Hunter")]


@pytest.mark.parametrize(
    "changed",
    [
        {"m0__i0__count": "0"},
        {"m0__i0__count": "100"},
        {"m0__i0__count": "two"},
        {"m0__i0__count": "٣"},
        {"do": "remove-model:7"},
        {"do": "remove-item:0:7"},
        {"do": "remove-item:0"},
        {"do": "add-model:1"},
        {"do": "remove-model:-1"},
        {"do": "move-up:0"},
        {"do": "move-down:0"},
        {"name": "x" * 81},
        {"add_model": "x\x00y", "do": "add-model"},
    ],
)
def test_what_a_form_cannot_hold_is_refused(pages: Flask, changed: dict[str, str]) -> None:
    document = force({"name": "Piper", "leader": True, "items": [{"name": "Board"}]})
    with pytest.raises(UnreadableForce):
        after(document, **changed)


def test_copies_are_refused_in_words(pages: Flask) -> None:
    document = force({"name": "Piper", "leader": True, "items": [{"name": "Board"}]})
    with pytest.raises(UnreadableForce, match="Copies of Board on Piper: 100 is not 1 to 99"):
        after(document, m0__i0__count="100")


def test_another_buttons_name_changes_nothing(pages: Flask) -> None:
    document = read_force(ODD)
    assert after(document, do="submit") == document


def test_the_view_counts_what_is_left(pages: Flask) -> None:
    heavy = {"name": "Sole Survivor", "leader": True, "items": [{"name": "Minigun", "count": 2}]}
    view = builder(force(heavy, {"name": "Settler"}), 500)
    assert (view.total, view.left, view.heavy_used, view.heavy_allowed) == (195, 305, 2, 1)
    assert [model.total for model in view.models] == [155, 40]
    assert [f.rule for f in view.models[0].problems] == ["bm.heavy"]
    assert view.models[1].problems == ()
    taken = {o.name for group in view.add_models for o in group.options if o.taken}
    assert taken == {"Sole Survivor", "Sole Survivor Day One"}
    offered = {o.name for group in view.models[1].add_items for o in group.options}
    assert "Minigun" not in offered
    assert "Board" in offered


def closed(document: Document, **adds: Any) -> dict[str, list[str]]:
    """What the page shows as at its limit, by chooser."""
    soup = drawn(limited(document, **adds))
    found: dict[str, list[str]] = {}
    for select in soup.find_all("select"):
        for option in select.find_all("option"):
            if option.get_text().endswith("limit reached"):
                assert option.has_attr("disabled")
                found.setdefault(str(select["name"]), []).append(str(option["value"]))
    return found


def limited(document: Document, **adds: Any) -> BuilderView:
    view: BuilderView = SYSTEM.builder(document, Terms(SYSTEM.edition("2018-08"), 750, Restrictions(**adds)), {})
    return view


def test_nothing_is_offered_beyond_the_events_most_copies(pages: Flask) -> None:
    minuteman: dict[str, Any] = {"name": "Minuteman"}
    piper = {
        "name": "Piper",
        "leader": True,
        "leader_card": "Thief",
        "perks": ["Sneak"],
        "items": [{"name": "Pipe Pistol", "mods": ["Long Barrel"]}, {"name": "Baseball Grenade", "count": 2}],
    }
    two = force(piper, minuteman, minuteman)
    most = (("minuteman", 2), ("Baseball Grenade", 2), ("Pipe Pistol", 2), ("Sneak", 1), ("Long Barrel", 1))
    assert closed(two, most_copies=most) == {
        "add_model": ["Minuteman"],
        "m0.add_item": ["Baseball Grenade"],
        "m1.add_item": ["Baseball Grenade"],
        "m2.add_item": ["Baseball Grenade"],
        "m1.add_perk": ["Sneak"],
        "m2.add_perk": ["Sneak"],
    }, "the mod that is chosen stays choosable, Sneak is no second time Piper's"
    assert closed(force(piper, minuteman), most_copies=most).get("add_model") is None, "one more there may be"
    assert "Minuteman" in closed(two, same_model=2)["add_model"]
    assert "Minuteman" not in closed(two, same_model=2, most_copies=(("Minuteman", 3),)).get("add_model", [])
    assert closed(two, most_copies=(("Thief", 1),)) == {}, "it is chosen"


@pytest.mark.parametrize(
    ("most", "copied"),
    [
        ((), [True, True]),
        ((("Minuteman", 2),), [False, False]),
        ((("Minuteman", 3),), [True, True]),
        ((("Baseball Grenade", 3),), [False, True]),
        ((("Baseball Grenade", 4),), [True, True]),
        ((("Thief", 1),), [True, True]),
    ],
)
def test_a_model_is_copied_where_all_of_it_may_stand_twice(
    pages: Flask, most: tuple[tuple[str, int], ...], copied: list[bool]
) -> None:
    grenades = [{"name": "Baseball Grenade", "count": 2}]
    two = force({"name": "Minuteman", "leader": True, "leader_card": "Thief", "items": grenades}, {"name": "Minuteman"})
    view = limited(two, most_copies=most)
    assert [model.may_be_copied for model in view.models] == copied
    buttons = drawn(view).find_all("button", value=[f"duplicate-model:{i}" for i in (0, 1)])
    assert len(buttons) == sum(copied)


# ---- searching


def offered(document: Document, **fields: str) -> dict[str, list[str]]:
    """What can be added, by the name of the chooser, while this is searched for."""
    view = builder(document, 500, {key: [value] for key, value in fields.items()})
    found = {"add_model": [o.name for group in view.add_models for o in group.options]}
    for model in view.models:
        found[f"m{model.place}.add_item"] = [o.name for group in model.add_items for o in group.options]
        found[f"m{model.place}.add_perk"] = [o.name for o in model.add_perks]
        found[f"m{model.place}.mod"] = [o.name for o in model.mods]
    return found


PIPER = force({"name": "Piper", "leader": True, "items": [{"name": "Pipe Pistol", "mods": ["Long Barrel"]}]})


def test_words_narrow_every_choice(pages: Flask) -> None:
    found = offered(PIPER, find="  PIPE pist ")
    assert found["m0.add_item"] == ["Pipe Pistol"]
    assert found["add_model"] == []
    assert found["m0.mod"] == ["Long Barrel"], "what is chosen stays"
    assert offered(PIPER, find="settler")["add_model"] == ["Settler"]
    pistols = offered(PIPER, find="pistols")["m0.add_item"]
    assert "10mm Pistol" in pistols
    assert set(pistols) < set(offered(PIPER)["m0.add_item"]), "the heading counts too"


def test_kind_and_what_is_left_narrow(pages: Flask) -> None:
    view = builder(PIPER, 500)
    kind = next(value for value, title in view.kinds if value.startswith("items:"))
    of_kind = offered(PIPER, find_kind=kind)
    assert of_kind["m0.add_item"] == [o.name for o in view.models[0].add_items[0].options]
    assert of_kind["add_model"] == offered(PIPER)["add_model"], "a kind of items leaves the models alone"
    caps = {o.name: o.caps for group in view.add_models for o in group.options}
    tight = force(*[{"name": "Settler"} for _ in range(9)], {"name": "Piper", "leader": True})
    left = builder(tight, 0).left + 500
    fitting = offered(tight, find_fits="1")["add_model"]
    assert fitting
    assert all(caps[name] <= left for name in fitting) and len(fitting) < len(caps)


def test_the_script_gets_every_choice(pages: Flask) -> None:
    assert offered(PIPER, find="pistol", find_live="1") == offered(PIPER)


def test_a_narrowed_page_loses_nothing_and_picks_what_alone_is_found(pages: Flask) -> None:
    view = builder(PIPER, 500, {"find": ["pipe pistol"], "do": ["find"]})
    fields = sent(drawn(view))
    assert edit_force(PIPER, fields) == PIPER
    assert fields["m0.add_item"] == ["Pipe Pistol"]
    assert (fields["find"], fields["add_model"]) == (["pipe pistol"], [""])
    kept = builder(PIPER, 500, {"find": [""], "do": ["find"], "add_model": ["Settler"]})
    assert sent(drawn(kept))["add_model"] == ["Settler"], "chosen, and not bought yet"
    used = builder(PIPER, 500, {"do": ["add-model"], "add_model": ["Settler"]})
    assert sent(drawn(used))["add_model"] == [""]


def test_the_page_tells_verdict_figures_and_every_finding(pages: Flask) -> None:
    view = builder(read_force(ODD), 500)
    soup = drawn(view, ("models: something",))
    text = " ".join(soup.get_text(" ").split())
    assert f"{view.total} of 500 Caps" in text
    assert f"{-view.left} Caps over" in text
    assert "Heavy weapons 1 of 1" in text
    assert "models: something" in text
    for finding in view.verdict.problems + view.verdict.queries:
        assert finding.message in text
        assert finding.mend in text


def test_the_page_is_fit_for_a_strict_policy_and_for_readers(pages: Flask) -> None:
    soup = drawn(builder(read_force(ODD), 750))
    assert soup.find(["script", "style"]) is None
    assert [tag for tag in soup.find_all(True) if tag.has_attr("style")] == []
    ids = [tag["id"] for tag in soup.find_all(id=True)]
    assert len(ids) == len(set(ids))
    for control in soup.find_all(["select", "input"]):
        if control.get("type") == "hidden":
            continue
        labelled = control.has_attr("aria-label") or control.find_parent("label") is not None
        assert labelled or soup.select(f'label[for="{control.get("id")}"]'), control
    for button in soup.find_all("button"):
        assert button.get("aria-label") or button.get_text(strip=True)
