"""The builder's form of skill combat: what its page shows comes back whole, whatever stands in the side."""

from collections.abc import Iterator
from random import Random

import pytest
from flask import Flask

from tests.kit.builder_pages import builder_page, page_context, sent
from tests.kit.profiles import at_length
from tests.validators.skill_combatants import EDITION, JIM, SYSTEM, TERMS, jim, side
from tests.validators.test_skill_combat_oracle import random_side
from validators.contract import Document, Terms, UnreadableForce
from validators.restrictions import Restrictions
from validators.skill_combat.builder import BuilderView


@pytest.fixture(scope="module", autouse=True)
def page() -> Iterator[Flask]:
    """What drawing a page needs."""
    with page_context() as app:
        yield app


def view(document: Document, terms: Terms = TERMS) -> BuilderView:
    """What the page shows."""
    shown: BuilderView = SYSTEM.builder(document, terms, {})
    return shown


def pressed(document: Document, **changed: str) -> Document:
    """The side after the page was drawn, changed and sent."""
    return SYSTEM.edit_force(document, sent(builder_page(SYSTEM.id, view(document)), **changed), EDITION)


@pytest.mark.slow
@pytest.mark.parametrize("seed", at_length(range(3), range(1)))
def test_what_the_page_shows_comes_back_whole(seed: int) -> None:
    dice = Random(seed)
    for _ in range(60):
        document = SYSTEM.read_force(random_side(dice), EDITION)
        assert pressed(document) == document


def test_names_of_any_kind_come_back() -> None:
    own = {"skill": "Juggling <i>", "mode": "burst", "stat": "EN", "range": 1, "damage": 1, "bullets": 2}
    document = side(
        JIM | {"name": '"Ёж" & <b>', "weapons": [{"name": "日本 & <b>", "own": own}], "items": [{"name": "<script>"}]},
        faction="Nobody's",
        name="'quoted'",
    )
    assert pressed(document) == document


def test_a_weapon_leads_to_its_calculator_with_the_characters_figures() -> None:
    document = jim(weapons=[{"name": "10mm Pistol"}, {"name": "Minigun"}, {"name": "No Such Gun"}])
    pistol, minigun, unknown = view(document).characters[0].weapons
    asked = {ask.key for ask in SYSTEM.calculator("attack").asks}
    assert pistol.calculator == "attack" and set(pistol.attack) <= asked
    example = SYSTEM.calculator("attack").defaults
    assert dict(pistol.attack).items() <= example.items(), "the document's example is Jim's own shot"
    assert minigun.calculator == "burst"
    assert (minigun.attack["skill"], minigun.attack["stat"], minigun.attack["bullets"]) == (24, 7, 20)
    assert (unknown.calculator, unknown.known) == ("", False)


def test_what_an_event_bans_is_not_offered() -> None:
    shown = view(jim(), Terms(EDITION, 40, Restrictions(banned=("Minigun", "leather jacket"), factions=("Raiders",))))
    assert (shown.weapons, shown.armour, shown.factions) == (("10mm Pistol",), (), ("Raiders",))


@pytest.mark.parametrize(
    "button",
    ["remove-model:1", "remove-weapon:0:5", "add-skill:7", "duplicate-model:x", "remove-item:0", "remove-skill:0:0:0"],
)
def test_a_button_at_no_place_is_refused_in_words(button: str) -> None:
    fields = sent(builder_page(SYSTEM.id, view(jim())), do=button, m7__add_skill="Sneak")
    with pytest.raises(UnreadableForce) as caught:
        SYSTEM.edit_force(jim(), fields, EDITION)
    assert "at an unknown place" in str(caught.value)


def test_a_button_of_another_page_changes_nothing() -> None:
    assert pressed(jim(), do="add-vehicle") == jim()
