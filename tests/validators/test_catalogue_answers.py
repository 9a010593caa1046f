"""Questions about an import of catalogues, and the edition that follows from each answer."""

import json

import pytest

from languages.stated import worded
from tests.validators import catalogue_writer as w
from tests.validators.imports.rosters import ros, selection
from validators.battle_mode.catalogues.settling import settle
from validators.battle_mode.edition import Edition, info_of
from validators.battle_mode.edition_file import read_edition
from validators.battle_mode.imports.detect import read_any
from validators.contract import UnreadableForce
from validators.edition_file import written_out


def settled(uploaded: list[w.File], **answers: str) -> w.CatalogueImport:
    imported = w.read(uploaded)
    report = imported.report.answered(answers)
    assert report.answers == answers, [question.id for question in report.questions]
    made = w.CatalogueImport(settle(imported.document, report), report)
    edition_of(made)
    return made


def edition_of(imported: w.CatalogueImport) -> Edition:
    return read_edition(json.dumps(imported.document).encode())


def without_link(target: str, name: str, uploaded: list[w.File]) -> list[w.File]:
    """The files in which a model has no link to a group that all models share."""
    text = uploaded[0][1].decode()
    start = text.index(f'name="{name}" hidden="false" collective')
    link = text.rindex("<entryLink", 0, text.index(f'targetId="{target}"', start))
    return [(uploaded[0][0], (text[:link] + text[text.index("/>", link) + 2 :]).encode()), *uploaded[1:]]


def carried(imported: w.CatalogueImport, model: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = w.models(imported)[model].get("may_carry", {})
    return found


def test_answer_for_items_that_no_model_may_carry() -> None:
    before = w.read(w.files())
    wrong = before.report.answered({"uncarried": "sell", "costs": "second", "x": "y"})
    assert (wrong.answers, wrong.answer_to(wrong.questions[0])) == ({}, "keep"), "unknown answers are dropped"
    assert settled(w.files(), uncarried="keep").document == before.document
    left = settled(w.files(), uncarried="drop")
    assert w.items(before).keys() - w.items(left).keys() == {"Rusty Saw"}
    always = settled(w.files(), uncarried="allow")
    assert {name: carried(always, name).get("Melee") for name in w.models(always)} == {
        "Iron Marshal": ["Hooked Knife", "Rusty Saw"], "Deputy": ["Rusty Saw"], "Drifter": ["Rusty Saw"],
        "Hound": None, "Hound in Armour": None,
    }, "a model that carries nothing gets nothing"  # fmt: skip


def with_heavy_weapons() -> list[w.File]:
    """The Minigun is hidden from all models; the Marshal's entry links its group, the Deputy's does not."""
    minigun = w.tag(
        "selectionEntry", w.tag("costs", w.caps_of("23.0")), id_="x1", name="Minigun", hidden="true", type_="upgrade"
    )
    heavy = w.tag("selectionEntryGroup", w.tag("selectionEntries", minigun), id_="x2", name="Heavy", hidden="false")
    shared = w.tag("selectionEntryGroup", w.tag("selectionEntryGroups", heavy), id_="x5", name="Equipment")
    knife = w.tag(
        "selectionEntry", w.tag("costs", w.caps_of("4.0")), id_="x3", name="Knife", hidden="false", type_="upgrade"
    )
    link = w.tag("entryLinks", w.tag("entryLink", id_="x4", name="Heavy", targetId="x2", type_="selectionEntryGroup"))

    def model(name: str, inner: str) -> str:
        group = w.tag("selectionEntryGroup", w.tag("selectionEntries", knife), inner, id_=f"g {name}", name="Equipment")
        parts = w.tag("selectionEntryGroups", group)
        return w.tag("selectionEntry", parts, w.tag("costs", w.caps_of("50.0")), id_=name, name=name, type_="model")

    system = w.tag(
        "gameSystem", w.tag("costTypes", w.tag("costType", id_=w.CAPS, name="Caps")),
        w.tag("forceEntries", w.tag("forceEntry", id_=w.BATTLE, name="Battle Mode")),
        w.tag("sharedSelectionEntryGroups", shared), id_=w.SYSTEM_ID, name="Made-up Wastes", revision="9",
    )  # fmt: skip
    entries = w.tag("selectionEntries", model("Marshal", link), model("Deputy", ""))
    catalogue = w.tag("catalogue", entries, id_="c1", name="Wardens", gameSystemId=w.SYSTEM_ID)
    return [("a.gst", (w.HEAD + system).encode()), ("b.cat", (w.HEAD + catalogue).encode())]


def test_answer_for_items_that_are_hidden_in_a_group_that_entries_link() -> None:
    before = w.read(with_heavy_weapons())
    note = w.said(before.report.doubts, "Minigun", "models whose entries link its group Heavy: Marshal")
    assert (note.question, note.models) == ("linked", ("Marshal",))
    heavy = {
        model: "Heavy" in carried(settled(with_heavy_weapons(), linked="models"), model)
        for model in ("Marshal", "Deputy")
    }
    assert heavy == {"Marshal": True, "Deputy": False}
    assert settle(before.document, before.report)["factions"][0]["models"][0]["may_carry"]["Heavy"] == ["Minigun"]
    assert "Heavy" not in carried(settled(with_heavy_weapons(), linked="keep"), "Marshal")
    assert "Minigun" not in w.items(settled(with_heavy_weapons(), linked="drop"))


def test_no_answer_gives_a_heavy_weapon_without_naming_its_models() -> None:
    unlinked = [(name, data.replace(b'targetId="x2"', b'targetId="x9"')) for name, data in with_heavy_weapons()]
    before = w.read(unlinked)
    assert "No model may buy a heavy weapon: the catalogue shows none to any model." in map(
        worded, before.report.readings
    )
    (note,) = settled(unlinked, uncarried="allow").document["notes"][-1:]
    assert note.endswith("may buy Minigun: Marshal, Deputy")


def test_answer_for_entries_that_cost_nothing() -> None:
    gun, deputy = (
        w.changed('value="12.0"', 'value="0.0"'),
        w.changed(w.DEPUTY_COSTS, w.DEPUTY_COSTS.replace("40.0", "0.0")),
    )
    assert w.items(settled(gun, free="keep"))["Long Carbine"] == 0
    left = settled(gun, free="drop")
    assert "Long Carbine" not in w.items(left) and "Long Carbine" not in str(carried(left, "Deputy"))
    assert w.models(settled(deputy, free="keep"))["Deputy"]["caps"] == 0
    assert "Deputy" not in w.models(settled(deputy, free="drop"))


def test_answer_for_an_item_of_two_costs() -> None:
    double = f'<selectionEntry id="x1" name="long  carbine" type="upgrade">{w.caps_of("14.0")}</selectionEntry>'
    unlinked = f'<selectionEntryGroup id="x2" name="Equipment"><selectionEntries>{double}</selectionEntries>'
    at = "<sharedSelectionEntryGroups>"
    imported = w.read(w.changed(at, f"{at}{unlinked}</selectionEntryGroup>"))
    assert "costs" not in [one.id for one in imported.report.questions], "no model may choose the second"
    assert (w.items(imported)["Long Carbine"], imported.document["disputed"]) == (12, [])
    assert w.said(imported.report.doubts, "long carbine", "costs 14 Caps")
    at = f'id="{w.EQUIPMENT}" name="Equipment" hidden="false">'
    uploaded = w.changed(at, f"{at}<selectionEntries>{double}</selectionEntries>")
    for answer, caps, disputed in (("ask", 14, 1), ("first", 14, 0), ("second", 12, 0)):
        made = settled(uploaded, costs=answer)
        found = {name.casefold().replace("  ", " "): cost for name, cost in w.items(made).items()}
        assert (found["long carbine"], len(made.document["disputed"])) == (caps, disputed), answer


def check_answers_about_unique(uploaded: list[w.File], name: str, words: str) -> None:
    """Check that the doubt about a model in these words is settled as disputed, unique or not unique."""
    for answer, person, disputed in (("ask", name, 1), ("one", name, 0), ("many", None, 0)):
        made = settled(uploaded, unique=answer)
        assert w.models(made)[name].get("unique") == person, answer
        assert len(made.document["disputed"]) == disputed, answer
        assert w.said(made.report.doubts, name, words).question == "unique", answer


def test_answer_for_models_that_are_unique_by_one_sign_or_by_one_of_their_links() -> None:
    unique, common = (f'targetId="aa00-0000-0000-{number}" primary="true"' for number in ("0007", "0006"))
    for uploaded, words in (
        (w.changed(unique, common), "limited to one, but"),
        (w.changed(w.ONE_MOST, "<constraints/>"), "but not limited to one"),
    ):
        check_answers_about_unique(uploaded, "Iron Marshal", words)
    deputy = w.id_of("Deputy")
    for sign, limits in (("0007", ""), ("0007", w.ONE_MOST), ("0006", w.ONE_MOST)):
        category = w.tag("categoryLinks", w.tag("categoryLink", targetId=f"aa00-0000-0000-{sign}", primary="true"))
        second = w.tag("entryLink", limits, category, id_="x1", name="Deputy", targetId=deputy)
        for at in ("</entryLinks>\n</catalogue>", "<entryLinks>"):
            uploaded = w.first_catalogue_changed(at, at + second if at.startswith("<e") else second + at)
            check_answers_about_unique(uploaded, "Deputy", "by another link")


def test_answer_for_costs_with_unknown_modifiers() -> None:
    unknown = w.tag("conditions", w.condition("force", w.BATTLE, "atLeast"))
    change = w.tag("modifiers", w.tag("modifier", unknown, type_="increment", field=w.CAPS, value="5"))
    for name, caps in (("Deputy", 40), ("Thick Skin", 15), ("Heroic", 60)):
        uploaded = w.changed(w.caps_of(f"{caps}.0"), change + w.caps_of(f"{caps}.0"))
        kept, left = settled(uploaded, changes="written"), settled(uploaded, changes="drop")
        costs = {"Deputy": w.models(kept)["Deputy"]["caps"], "Heroic": kept.document["heroic_caps"]}
        assert (costs | kept.document["perks"])[name] == caps
        assert name not in {*w.models(left), *left.document["perks"]}
        assert any("heroic" in model for model in w.models(left).values()) is (name != "Heroic"), name
    for answer, caps, disputed in (("ask", 12, 1), ("first", 12, 0), ("second", 17, 0)):
        made = settled(w.changed(w.caps_of("12.0"), change + w.caps_of("12.0")), costs=answer)
        assert (w.items(made)["Long Carbine"], len(made.document["disputed"])) == (caps, disputed), answer


def test_answer_for_models_that_may_carry_everything() -> None:
    uploaded = w.everywhere(b'hidden="true" collective', b'hidden="false" collective')
    assert carried(settled(uploaded, everything="keep"), "Hound")
    assert not carried(settled(uploaded, everything="nothing"), "Hound")


def test_answer_for_a_built_in_part_spelt_nearly_as_an_item() -> None:
    uploaded = w.changed('name="Tin Star"', 'name="Hokked Knife"')
    other = settled(uploaded, spelling="keep")
    assert (w.models(other)["Iron Marshal"]["built_in"], other.document["aliases"]) == (["Hokked Knife"], {})
    same = settled(uploaded, spelling="same")
    assert w.models(same)["Iron Marshal"]["built_in"] == ["Hooked Knife"]
    assert same.document["aliases"] == {"Hokked Knife": "Hooked Knife"}


def test_answer_for_models_without_leader_cards_or_perks() -> None:
    neither = without_link(w.PERKS, "Deputy", without_link(w.LEADER, "Deputy", w.files()))
    uploaded = without_link(w.LEADER, "Iron Marshal", neither)

    def allowed(**answers: str) -> dict[str, str]:
        edition = edition_of(settled(uploaded, **answers))
        found = {}
        for name in ("Iron Marshal", "Deputy", "Drifter"):
            model = edition.model(name, "Marshals")
            assert model and model.may_have("mod", "Long Sight"), "mods are no part of the question"
            may = {"card": model.may_have("Leader card", "Sheriff"), "perk": model.may_have("perk", "Thick Skin")}
            found[name] = " ".join(key for key, yes in may.items() if yes)
            assert model.may_carry and model.heroic == (name != "Drifter"), name
        return found

    everything = {"Iron Marshal": "card perk", "Deputy": "card perk", "Drifter": "card perk"}
    assert allowed(leader_cards="any", perks="any") == everything
    assert allowed(leader_cards="none") == everything | {"Iron Marshal": "perk", "Deputy": "perk"}
    assert allowed(perks="none") == everything | {"Deputy": "card"}


def test_answer_for_left_out_entries_decides_whether_the_edition_is_partial() -> None:
    uploaded = w.changed('value="12.0"', 'value="12.5"')
    for answer, partial in (("whole", False), ("partial", True)):
        assert edition_of(settled(uploaded, left_out=answer)).file.partial is partial
    missing = w.changed("<entryLinks>", '<catalogueLinks><catalogueLink targetId="x"/></catalogueLinks><entryLinks>')
    assert w.read(missing).document["partial"] is True, "a catalogue is missing in the upload"
    assert w.read(w.files()).document["partial"] is False


def test_imported_edition_reads_rosters_of_its_own_game() -> None:
    edition = edition_of(w.read(w.files()))
    assert read_edition(written_out(edition.file)) == edition
    info, deputy = info_of(edition), selection("Deputy", 40, kind="model")

    def of_game(game: str) -> bytes:
        return ros(deputy, total=40, catalogue="Marshals", game=game)

    for game in ("Made-up Wastes", "made-up  wastes", "Fallout: Wasteland Warfare"):
        assert (read_any("a.ros", of_game(game), info).total, game) == (40, game)
    for game in ("Made-up", "Kill Team"):
        with pytest.raises(UnreadableForce, match=f"a roster of {game}, not of Made-up Wastes"):
            read_any("a.ros", of_game(game), info)
