"""The builder of skill combat: its page returns any side whole, and leads to the calculators."""

import pytest

from tests.kit.builder_pages import after
from tests.kit.skill_combatants import EDITION, SYSTEM, TERMS, jim
from validators.contract import Document, Terms
from validators.restrictions import Restrictions
from validators.skill_combat.builder import BuilderView

pytestmark = pytest.mark.usefixtures("builder_app")


def view(document: Document, terms: Terms = TERMS) -> BuilderView:
    shown: BuilderView = SYSTEM.forces.builder(document, terms, {})
    return shown


def pressed(document: Document, **changed: str) -> Document:
    return after(document, TERMS, **changed)


def test_weapon_links_to_its_calculator_with_the_character_s_figures() -> None:
    document = jim(weapons=[{"name": "10mm Pistol"}, {"name": "Minigun"}, {"name": "No Such Gun"}])
    pistol, minigun, unknown = view(document).characters[0].weapons
    asked = {ask.key for ask in SYSTEM.calculator("attack").asks}
    assert pistol.calculator == "attack" and set(pistol.attack) <= asked
    example = SYSTEM.calculator("attack").defaults
    assert dict(pistol.attack).items() <= example.items(), "the document's example is Jim's own shot"
    assert minigun.calculator == "burst"
    assert (minigun.attack["skill"], minigun.attack["stat"], minigun.attack["bullets"]) == (24, 7, 20)
    assert (unknown.calculator, unknown.carried.figures) == ("", None)


def test_banned_things_are_not_offered() -> None:
    shown = view(jim(), Terms(EDITION, 40, Restrictions(banned=("Minigun", "leather jacket"), factions=("Raiders",))))
    assert (shown.weapons, shown.armour, shown.page.factions) == (("10mm Pistol",), (), ("Raiders",))
