"""Corrections of an edition at the desk, without script: costs and a further model, previewed and stored."""

import json

import pytest

from events.lists.forms import MOST_CORRECTED
from models.event import Event
from models.own import OwnEdition
from tests.kit.forces import SYSTEM
from tests.kit.own_editions import FILES
from tests.kit.person import Page, Person, words
from tests.kit.stage import Stage
from validators.contract import EditionInfo
from validators.editions import CorrectionError, Corrections, CostEntry, EditionTitle, NewModel

SHIPPED = SYSTEM.edition("2018-08")
RULES = "/rules/battle-mode/editions"
CORRECT = "/desk/editions/battle-mode/2018-08/correct"
NEW_NAME = f"{SHIPPED.name}, corrected"
TITLE = EditionTitle("ours", "Ours", "2027-01-15")
PIPER = CostEntry("Models", "Piper", 99, "Survivors")


def look_for(olga: Person, typed: str, **values: str) -> Page:
    return olga.press("Search", search=typed, **values)


def cost_of(page: Page, name: str) -> str:
    """The name of the cost field of an entry."""
    (label,) = [tag for tag in page.soup.select("#costs label") if words(tag) == name]
    return str(page.soup.select_one(f"#{label['for']}")["name"])  # type: ignore[index]


def changes(page: Page) -> list[list[str]]:
    return page.rows("table.changes")


def test_costs_of_several_searches_and_a_model_are_stored_as_a_new_edition(olga: Person, stage: Stage) -> None:
    assert olga.open(f"{RULES}/2018-08").soup.find("a", href=CORRECT)
    olga.open(CORRECT)
    with stage.unchanged():
        page = look_for(olga, "piper")
        page = look_for(olga, "SNEAK", **{cost_of(page, "Piper"): "83"})
        assert page.value(cost_of(page, "Piper")) == "83", "a corrected cost stays"
        page = look_for(olga, "pipe pistol", **{cost_of(page, "Sneak"): "9"})
        page = olga.press(
            "Preview", **{cost_of(page, "Pipe Pistol"): "4"}, model_name="The Stranger", model_faction="Survivors",
            model_cost="70", model_unique=True, model_heroic=True, model_like="Survivors: Piper",
        )  # fmt: skip
        assert (page.status, "Nothing is stored yet" in page.text) == (200, True), page.errors
        assert f"Compared with {SHIPPED.name}" in page.text
        assert [row[:5] for row in changes(page)[:2]] == [
            ["Survivors", "The Stranger", "added", "–", "70"],
            ["Survivors", "Piper", "Caps", "76", "83"],
        ]
        assert ["Perks", "Sneak", "Caps"] in [row[:3] for row in changes(page)]
        page = olga.press("Change the corrections")
        assert (page.path, page.value("model_name")) == (CORRECT, "The Stranger")
        assert page.value(cost_of(page, "Sneak")) == "9"
        olga.press("Preview")
    page = olga.press("Store this edition")
    row = stage.one(OwnEdition)
    assert (page.path, row.name) == (f"{RULES}/{row.edition}", NEW_NAME)
    edition = FILES.read(row.text.encode()).lists
    stranger, piper = (edition.model(name, "Survivors") for name in ("The Stranger", "Piper"))
    assert (piper.caps, stranger.caps, stranger.unique, stranger.heroic) == (83, 70, "The Stranger", True)
    assert stranger.offers["item"] == piper.offers["item"] and stranger.built_in == ()
    assert (edition.perks.find("Sneak").caps, edition.items.find("Pipe Pistol").caps) == (9, 4)
    assert "Pipe Pistol" not in [fact.item for fact in edition.file.disputed if fact.fact == "caps"]


def test_wrong_corrections_are_refused_at_their_fields(olga: Person, stage: Stage) -> None:
    olga.open(CORRECT)
    with stage.unchanged():
        page = olga.press("Preview")
        assert (page.status, "Nothing is corrected yet" in page.errors) == (422, True)
        cost = cost_of(look_for(olga, "piper"), "Piper")
        for wrong in ("-1", "10000", "many", ""):
            page = olga.press("Preview", **{cost: wrong})
            assert (page.status, page.value(cost)) == (422, wrong)
            assert "number" in page.error_at(cost) and "Piper" in page.errors
        olga.press("Search", **{cost: "83"})
        for typed, field, error in (
            ({"model_name": " PIPER", "model_cost": "5"}, "model_name", "already has a model"),
            ({"model_name": "", "model_cost": "5"}, "model_name", "Enter the model’s name"),
            ({"model_name": "New", "model_cost": ""}, "model_cost", "Enter the model’s cost"),
            ({"model_name": "", "model_cost": "", "name": SHIPPED.name}, "name", "is taken"),
        ):
            page = olga.press("Preview", **typed)
            assert (page.status, error in page.error_at(field)) == (422, True), (field, page.errors)
        page = olga.forge("Preview", name="Ours", **{cost.replace("-cost", "-name"): "Nobody"})
        assert "Nobody is not in this edition" in page.error_at(cost)


def test_search_lists_an_exact_name_first_then_its_beginnings_then_earlier_corrections(olga: Person) -> None:
    address = CORRECT.replace("2018-08", "2022-community")
    olga.open(address)
    page = look_for(olga, "piper")
    page = look_for(olga, "ncr trooper", **{cost_of(page, "Piper"): "99"})
    shown = [words(tag) for tag in page.soup.select("#costs .grid label")]
    assert shown == ["NCR Trooper", "NCR Trooper MP", "NCR Heavy Trooper", "Piper"]
    assert "3 found." in page.part("#found") and "1 corrected before" in page.part("#kept")
    search = page.soup.find("button", value="search")
    assert search is not None and search["formaction"] == "#found", "the page opens at the hits"
    page = look_for(olga, "piper")
    assert "1 found." in page.part("#found") and page.part("#kept") == "", "it is among the found"


def test_preview_shows_the_changes_first_under_an_id_of_a_correction(olga: Person) -> None:
    page = olga.open(CORRECT.replace("2018-08", "2022-community"))
    page = look_for(olga, "piper")
    page = olga.press("Preview", **{cost_of(page, "Piper"): "99"})
    assert page.text.index("Compared with") < page.text.index("Contents")
    assert page.part("h1 + .meta") == "community-force-lists-corrected"


def test_further_corrections_are_counted_in_name_and_id(olga: Person) -> None:
    address, name = CORRECT, NEW_NAME
    for number in ("", " 2", " 3"):
        page = olga.open(address)
        assert page.value("name") == f"{name}{number}"
        name = "Ours, corrected"
        page = look_for(olga, "piper", name=f"{name}{number}")
        page = olga.press("Preview", **{cost_of(page, "Piper"): f"9{len(number)}{number.strip()}"})
        edition = page.part("h1 + .meta")
        assert edition == f"ours-corrected{number.replace(' ', '-')}"
        page = olga.press("Store this edition")
        address = f"/desk/editions/battle-mode/{edition}/correct"
    assert olga.open(address).value("name") == f"{name} 4"
    assert olga.open(address.replace("-3/", "/")).value("name") == f"{name} 4", "other editions have the names before"


def test_stored_edition_leads_to_the_lists_of_running_events(olga: Person, stage: Stage, event: Event) -> None:
    page = olga.open(CORRECT)
    page = look_for(olga, "piper")
    olga.press("Preview", **{cost_of(page, "Piper"): "99"})
    page = olga.press("Store this edition")
    (link,) = page.soup.select("#use a")
    assert (words(link), link["href"]) == (event.name, f"/e/{event.slug}/desk/settings/lists")
    assert olga.open(f"/e/{event.slug}/desk/settings/lists").soup.select("#lists")
    assert not olga.open(f"{RULES}/{event.edition}").soup.select("#use a"), "it is in use there"
    assert "Correct it" in olga.open("/desk/editions").text


def test_many_found_entries_are_cut_and_an_empty_search_finds_none(olga: Person) -> None:
    olga.open(CORRECT)
    page = look_for(olga, "s")
    assert "the first 40 are shown" in page.part("#costs") and len(page.soup.select("#costs [type=number]")) == 40
    assert look_for(olga, "").soup.select("#costs [type=number]") == []
    assert "0 found" in look_for(olga, "no such name").part("#costs")


def test_full_form_still_answers_a_search(olga: Person) -> None:
    many = [*SYSTEM.edition("2022-community").lists.items.values()][:MOST_CORRECTED]
    fields = {
        f"costs-{place}-{field}": value
        for place, item in enumerate(many)
        for field, value in (("kind", "Items"), ("faction", ""), ("name", item.name), ("cost", f"{item.caps + 1}"))
    }
    address = CORRECT.replace("2018-08", "2022-community")
    page = olga.forge("Search", at=address, search="piper", **fields)
    assert (page.status, len(page.soup.select("#costs [type=number]"))) == (200, MOST_CORRECTED), page.errors


def test_correction_that_does_not_fit_the_edition_names_its_place() -> None:
    corrector = FILES.corrector
    assert corrector is not None
    alias, meant = next(iter(SHIPPED.lists.file.aliases.items()))
    before = FILES.write(SHIPPED)
    for costs, model, place, field, error in (
        ((PIPER, PIPER), None, 1, "", "listed twice"),
        ((CostEntry("Perks", "Piper", 5),), None, 0, "", "not in this edition"),
        ((CostEntry("Spells", "Piper", 5),), None, 0, "", "not in this edition"),
        ((CostEntry("Models", "Piper", 5, "Robots"),), None, 0, "", "not in this edition"),
        ((CostEntry("Items", "Pipe Pistol", -1),), None, 0, "", "from 0 to 9999"),
        ((), NewModel("New", "Nobody", 5), None, "faction", "Choose a faction"),
        ((), NewModel("New", "Robots", 10_000), None, "cost", "from 0 to 9999"),
        ((), NewModel("New", "Robots", 5, carries_as=("Robots", "Piper")), None, "like", "Choose a model"),
        ((), NewModel(alias.upper(), "Robots", 5), None, "name", f"another spelling of {meant}"),
        ((), None, None, "", "Nothing is corrected"),
    ):
        with pytest.raises(CorrectionError, match=error) as wrong:
            corrector.correct(SHIPPED, Corrections(TITLE, costs, model))
        assert (wrong.value.place, wrong.value.field) == (place, field), error
    assert FILES.write(SHIPPED) == before, "the corrected edition itself does not change"


@pytest.mark.parametrize("info", SYSTEM.editions, ids=lambda info: info.id)
def test_every_listed_cost_of_a_shipped_edition_can_be_corrected(info: EditionInfo) -> None:
    corrector = FILES.corrector
    assert corrector is not None
    raised = tuple(
        CostEntry(cost_entry.kind, cost_entry.name, cost_entry.cost + 1, cost_entry.faction)
        for cost_entry in corrector.entries(info)
    )
    document = corrector.correct(info, Corrections(TITLE, raised))
    after = FILES.read(json.dumps(document).encode())
    assert [*corrector.entries(after)] == [*raised]
    assert (after.id, after.name, after.date) == ("ours", "Ours", "2027-01-15")
    assert f"“{info.name}”" in after.notes[-1]
