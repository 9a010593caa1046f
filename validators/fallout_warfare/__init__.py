"""Fallout: Warfare: armies of squads bought with army points, scenarios scored by survivors and losses."""

from validators.edition_file import written
from validators.fallout_warfare.builder import builder, edit_force
from validators.fallout_warfare.campaign.rules import RULES
from validators.fallout_warfare.check import CHECKS, summarise
from validators.fallout_warfare.edition import DATA, EDITIONS, price_lists, read_edition
from validators.fallout_warfare.force_file import SYSTEM_ID, blank_force, part_of, read_force
from validators.fallout_warfare.scenario_file import read_scenario
from validators.fallout_warfare.scenarios import SCENARIOS, SCORING, scenery, setup
from validators.fallout_warfare.sheets import card, losses, losses_title, sheets, text_lines
from validators.fallout_warfare.suggestions import fixes, sample_force
from validators.game_system import EditionFiles, Forces, GameSystem, Papers
from validators.kit.exchange import own_files
from validators.scenario_file import ScenarioFiles
from validators.sheet import read_reference

FILES = own_files("Fallout: Warfare", read_force, summarise, text_lines)

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="Fallout: Warfare",
    sizes=(100, 200, 300, 400),
    default_size=200,
    editions=EDITIONS,
    scenarios=SCENARIOS,
    checks=CHECKS,
    forces=Forces(blank_force, read_force, part_of, summarise, sample_force, FILES, builder, edit_force, fixes),
    scoring=SCORING,
    papers=Papers(card, sheets, read_reference(DATA), setup=setup, losses=losses, losses_title=losses_title),
    scenario_files=ScenarioFiles(read_scenario),
    scenery=scenery,
    edition_files=EditionFiles(read_edition, lambda info: written(info.lists), price_lists),
    campaign=RULES,
)
