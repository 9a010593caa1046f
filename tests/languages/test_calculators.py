"""The calculators in the reader's language: their questions and results; programs read English."""

import re

import pytest

from languages.words import speaking
from tests.kit.person import Person
from tests.kit.pseudo import CODE, offer_pseudo
from validators import SYSTEMS
from validators.calculator import Calculator, Given

CALCULATORS = [calculator for game in SYSTEMS.values() for calculator in game.calculators]
ASKED: dict[str, tuple[Given, ...]] = {
    "attack": (
        {"roll": 7, "skill": 0, "ac": 50}, {"roll": 7, "skill": 0, "ac": 50, "luck_roll": 1, "second": 90},
        {"roll": 6, "luck_roll": 9}, {"roll": 6, "luck_roll": 1, "second": 3}, {"roll": 99}, {"roll": 46},
        {"roll": 6, "luck_roll": 1, "second": 99}, {"roll": 20, "part": "chest", "covered": 1, "resistance": 20},
        {"ap": 0, "target_hp": 30, "target_endurance": 6, "roll": 60}, {"roll": 43, "damage": 0, "extra": 9},
    ),
    "burst": ({"roll": 5}, {"roll": 100}, {"roll": 20, "ac1": 99}, {"distance1": 99}, {"roll": 98, "stat": 5}),
    "turn": ({"points": 3, "actions": 4, "hexes": 6}, *({"actions": 3, "hexes": hexes} for hexes in range(7))),
    "hide": ({"roll": 5}, {"roll": 20}, {"roll": 60}, {"roll": 99}),
    "flee": ({"points": 13, "distance": 14, "roll": 3}, {"distance": 20, "roll": 9}, {"distance": 1, "roll": 9}),
    "order": ({"a2": 6, "b2": 4}, {"a2": 1}),
    "body": ({"level": 2}, {"level": 5, "damage": 3}),
}  # fmt: skip
"""Answers that lead to each sentence."""
PRINTED = re.compile(r"\b(LK|PE|EN|AG|STR|AC|DC|HP|Sequence|Sneak|[AB] \d|kaj|aŭ)\b")
"""Short forms and names of the document, which stay in every language, labels of characters, and their and and or."""


def texts(calculator: Calculator, given: Given) -> list[str]:
    """All that the calculator's page shows, and what its form asks."""
    said, result = calculator.said(), calculator.calculate(calculator.defaults | dict(given))
    found = [said.name, said.summary, *(group.title for group in said.groups)]
    found += [text for ask in said.asks for text in (ask.label, ask.help, *(label for _, label in ask.choices))]
    for figure in (*result.main, *result.figures):
        found += [figure.label, str(figure.value), figure.unit, figure.how]
    for table in result.tables:
        found += [
            table.title,
            *(column.head for column in table.columns),
            *(cell for row in table.rows for cell in row),
        ]
    return found


def english_left(text: str) -> str:
    """What is outside the brackets of the pretend language, without figures and printed names."""
    while (inner := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = inner
    return "".join(filter(str.isalpha, PRINTED.sub("", text)))


@pytest.mark.parametrize("calculator", CALCULATORS, ids=[a_calculator.id for a_calculator in CALCULATORS])
def test_calculator_is_in_the_readers_language(monkeypatch: pytest.MonkeyPatch, calculator: Calculator) -> None:
    offer_pseudo(monkeypatch)
    for given in (dict[str, int | str](), *ASKED[calculator.id]):
        english = texts(calculator, given)
        assert not any("⟦" in text for text in english), "nothing is kept in another language"
        with speaking(CODE):
            said = texts(calculator, given)
        assert [(text, english_left(text)) for text in said if english_left(text)] == [], given
        assert len(said) == len(english)


def test_page_is_in_the_readers_language_and_json_is_english(visitor: Person) -> None:
    visitor.press("Deutsch", at="/rules/skill-combat/attack?roll=6")
    assert visitor.page.part("h1") == "Schnelle und gezielte Schüsse"
    assert "Wurf zum Treffen, höchstens" in visitor.page.text and "Kopf" in visitor.page.text
    assert "Schnelle und gezielte Schüsse" in visitor.open("/rules/skill-combat").text
    answer = visitor.http.get("/api/v1/rules/skill-combat/attack?roll=6").get_json()
    assert answer["figures"]["chance"]["label"] == "To hit, roll at or below"
    assert answer["figures"]["outcome"]["value"] == "Critical hit"
