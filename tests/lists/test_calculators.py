"""A game's calculators: the page and the JSON agree, and every invalid answer is refused at its field."""

from typing import Any

from tests.kit.person import Person, words
from validators import SYSTEMS

CALCULATORS = [(game.id.replace("_", "-"), one) for game in SYSTEMS.values() for one in game.calculators]
SHOT, BURST = "/rules/skill-combat/attack", "/rules/skill-combat/burst"


def results(person: Person) -> dict[str, str]:
    """The results on the open page, by label."""
    found = person.page.soup.select("#result .breakdown > div")
    return {words(one.dt): words(one.b) for one in found if one.dt and one.b}


def api(person: Person, address: str, status: int = 200) -> dict[str, Any]:
    """The JSON of an address."""
    answer = person.http.get(f"/api/v1{address}")
    assert answer.status_code == status and answer.is_json, answer.text
    parsed: dict[str, Any] = answer.get_json()
    return parsed


def test_calculators_open_with_the_documents_example(visitor: Person) -> None:
    for game, calculator in CALCULATORS:
        address = f"/rules/{game}/{calculator.id}"
        page = visitor.open(address)
        assert (page.status, page.part("#result-head")) == (200, "The document’s example"), address
        figures = api(visitor, address)["figures"]
        assert results(visitor) == {one["label"]: f"{one['value']} {one['unit']}".strip() for one in figures.values()}
        for ask in calculator.asks:
            assert page.soup.find(None, {"name": ask.key}), ask.key
        assert visitor.open(f"/rules/{game}").soup.find("a", href=address)
    for unknown in ("/rules/skill-combat/no-such", "/rules/battle-mode/attack", "/rules/golf/attack"):
        assert (visitor.open(unknown).status, visitor.open(f"/api/v1{unknown}").status) == (404, 404)


def test_missing_checkbox_has_the_examples_value(visitor: Person) -> None:
    for asked, outcome in (("", "Scratch"), ("&scratches=0", "Miss"), ("&scratches=0&scratches=1", "Scratch")):
        assert api(visitor, f"{SHOT}?roll=46{asked}")["figures"]["outcome"]["value"] == outcome, asked
    visitor.open(f"{SHOT}?roll=46&scratches=0")
    assert results(visitor)["A roll of 46"] == "Miss"
    box = visitor.page.soup.select_one("input[type=checkbox][name=scratches]")
    assert box is not None and not box.has_attr("checked")


def test_invalid_answer_is_refused_at_its_field_and_kept(visitor: Person) -> None:
    for field, typed, error in (
        ("roll", "101", "Enter a number from 1 to 100."),
        ("skill", "forty", "Enter a whole number."),
        ("distance", "9" * 5000, "Enter a number from 0 to 200."),
        ("part", "tail", "Not a valid choice."),
    ):
        page = visitor.open(f"{SHOT}?{field}={typed}")
        assert (page.status, page.part("#result-head")) == (422, "No result")
        assert error in page.error_at(field) and error in page.errors
        assert field == "part" or page.value(field) in (typed[:20], typed)
        faults = api(visitor, f"{SHOT}?{field}={typed}", 422)["faults"]
        assert (set(faults), error in faults[field]) == ({field}, True)
    assert api(visitor, f"{SHOT}?rol=6", 422) == {"faults": {"rol": ["rol is no field of this calculator."]}}
    assert visitor.open(f"{SHOT}?rol=6").status == 200, "the page ignores it"
