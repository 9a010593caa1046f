"""What a game reckons at the table: the page and the JSON say the same, and every wrong answer is told at its field."""

from typing import Any

import pytest

from tests.kit.person import Person, words
from validators import SYSTEMS
from validators.calculator import Calculator

CALCULATORS = [(game.id.replace("_", "-"), one) for game in SYSTEMS.values() for one in game.calculators]
SHOT, BURST = "/rules/skill-combat/attack", "/rules/skill-combat/burst"


def reckoned(person: Person) -> dict[str, str]:
    """The results on the open page by what they are called."""
    found = person.page.soup.select("#result .reckoned > div")
    return {words(one.dt): words(one.b) for one in found if one.dt and one.b}


def api(person: Person, address: str, status: int = 200) -> dict[str, Any]:
    """The JSON of an address."""
    answer = person.http.get(f"/api/v1{address}")
    assert answer.status_code == status and answer.is_json, answer.text
    told: dict[str, Any] = answer.get_json()
    return told


@pytest.mark.parametrize(("game", "calculator"), CALCULATORS, ids=lambda one: getattr(one, "id", one))
def test_every_calculator_begins_with_its_example_on_page_and_as_json(
    visitor: Person, game: str, calculator: Calculator
) -> None:
    page = visitor.open(f"/rules/{game}/{calculator.id}")
    assert (page.status, page.part("#result-head")) == (200, "The document’s example")
    shown = reckoned(visitor)
    figures = api(visitor, f"/rules/{game}/{calculator.id}")["figures"]
    assert shown == {one["label"]: f"{one['value']} {one['unit']}".strip() for one in figures.values()}
    for ask in calculator.asks:
        assert page.soup.find(None, {"name": ask.key}), ask.key
    visitor.open(f"/rules/{game}")
    assert visitor.page.soup.find("a", href=f"/rules/{game}/{calculator.id}")


def test_the_document_s_shot(visitor: Person) -> None:
    figures = api(visitor, SHOT)["figures"]
    assert (figures["chance"]["value"], figures["shots"]["value"], figures["reach"]["value"]) == (44, 4, 10)
    told = api(visitor, f"{SHOT}?roll=6")
    assert (told["figures"]["outcome"]["value"], told["figures"]["done"]["value"]) == ("Critical hit", 13)
    assert told["asked"]["roll"] == 6
    assert "luck_roll" not in told["asked"]
    rolls, aims = told["tables"]
    assert rolls["rows"][1] == ["8–13", "Hit", "4"]
    assert ["Shoulder", "14 %", "0", "6"] in aims["rows"]


def test_the_document_s_burst(visitor: Person) -> None:
    told = api(visitor, BURST)
    assert [told["figures"][key]["value"] for key in ("share", "hits", "damage")] == [89, 17, 34]
    assert told["tables"][0]["rows"] == [["3", "7", "82 %", "17", "34", "3"], ["4", "0", "89 %", "3", "6", "0"]]
    third = api(visitor, f"{BURST}?distance3=1&ac3=95")["tables"][0]["rows"]
    assert [row[0] for row in third] == ["1", "3", "4"], "the nearest first"


@pytest.mark.parametrize(
    ("asked", "chance", "ap"),
    [("part=shoulder", 14, 6), ("part=none", 44, 3), ("part=groin&distance=10", -12, 6), ("skill=100&ac=0", 121, 3)],
)
def test_what_is_asked_is_reckoned(visitor: Person, asked: str, chance: int, ap: int) -> None:
    figures = api(visitor, f"{SHOT}?{asked}")["figures"]
    assert (figures["chance"]["value"], figures["ap"]["value"]) == (chance, ap)


def test_a_box_that_is_not_ticked_is_a_no_and_one_that_is_left_out_the_example(visitor: Person) -> None:
    assert api(visitor, f"{SHOT}?roll=46")["figures"]["outcome"]["value"] == "Scratch"
    assert api(visitor, f"{SHOT}?roll=46&scratches=0")["figures"]["outcome"]["value"] == "Miss"
    assert api(visitor, f"{SHOT}?roll=46&scratches=0&scratches=1")["figures"]["outcome"]["value"] == "Scratch"
    visitor.open(f"{SHOT}?roll=46&scratches=0")
    assert reckoned(visitor)["A roll of 46"] == "Miss"
    box = visitor.page.soup.select_one("input[type=checkbox][name=scratches]")
    assert box is not None and not box.has_attr("checked")


@pytest.mark.parametrize(
    ("field", "typed", "words_"),
    [
        ("roll", "0", "From 1 to 100."),
        ("roll", "101", "From 1 to 100."),
        ("skill", "", "A number from 0 to 300 is needed."),
        ("skill", "forty", "Please type a whole number."),
        ("distance", "1e3", "Please type a whole number."),
        ("distance", "9" * 5000, "From 0 to 200."),
        ("part", "tail", "Not a valid choice."),
        ("luck", "11", "From 1 to 10."),
    ],
)
def test_a_wrong_answer_is_told_at_its_field_and_kept(visitor: Person, field: str, typed: str, words_: str) -> None:
    page = visitor.open(f"{SHOT}?{field}={typed}")
    assert page.status == 422
    assert words_ in page.error_at(field) and words_ in page.errors
    assert page.part("#result-head") == "No result"
    if field != "part":
        assert page.value(field) == typed[:20] or page.value(field) == typed
    faults = api(visitor, f"{SHOT}?{field}={typed}", 422)["faults"]
    assert set(faults) == {field}
    assert words_ in faults[field]


def test_what_no_calculator_asks_is_refused_as_json_and_ignored_on_the_page(visitor: Person) -> None:
    assert api(visitor, f"{SHOT}?rol=6", 422) == {"faults": {"rol": ["rol is no field of this calculator."]}}
    assert visitor.open(f"{SHOT}?rol=6").status == 200


@pytest.mark.parametrize("address", ["/rules/skill-combat/no-such", "/rules/battle-mode/attack", "/rules/golf/attack"])
def test_there_is_no_other_calculator(visitor: Person, address: str) -> None:
    assert visitor.open(address).status == 404
    assert visitor.open(f"/api/v1{address}").status == 404
