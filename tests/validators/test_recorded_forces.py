"""Verdicts on random forces, legal and illegal, are those to which a second checker of each game agreed."""

from collections.abc import Callable, Iterable

import pytest

from tests.kit.armies import CLUB
from tests.validators.recorded_data import names_of, recorded
from validators import SYSTEMS
from validators.contract import Document, Terms
from validators.fallout_skirmish import force as skirmish
from validators.fallout_skirmish.sheets import figures_of as figures_of_group
from validators.new_vegas.figures import of_force
from validators.new_vegas.force import mustered
from validators.sheet import Derived
from validators.skill_combat.force import side_of
from validators.skill_combat.sheets import figures_of as figures_of_character

pytestmark = pytest.mark.slow


def of_only_character(document: Document, terms: Terms) -> Iterable[Derived]:
    side = side_of(document, terms)
    return figures_of_character(side.characters[0], side)


FIGURES: dict[str, Callable[[Document, Terms], Iterable[Derived]]] = {
    "fallout_skirmish": lambda document, terms: figures_of_group(skirmish.priced(document, terms)),
    "new_vegas": lambda document, terms: of_force(mustered(document, terms)),
    "skill_combat": of_only_character,
}


@pytest.mark.parametrize("name", [name for game in SYSTEMS for name in names_of(game)])
def test_verdict_and_figures_are_as_recorded(name: str) -> None:
    for case in recorded(name):
        force = case["force"]
        system = SYSTEMS[force["system"]]
        terms = Terms(CLUB if force["edition"] == CLUB.id else system.edition(force["edition"]), case["size"])
        if "role" in case:
            scenario, place = case["role"]
            terms = terms.in_role(system.scenario(scenario).roles[place])
        document = system.forces.read(force, terms.edition)
        verdict = system.checks.check(document, terms)
        problems, queries = (sorted(one.rule for one in found) for found in (verdict.problems, verdict.queries))
        assert (verdict.total, problems, queries) == (case["total"], case["problems"], case["queries"]), case
        if "figures" in case:
            figures = {one.label: one.value for one in FIGURES[system.id](document, terms)}
            assert case["figures"].items() <= figures.items(), case
