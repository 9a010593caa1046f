"""Fallout Skirmish: groups of eight forces bought with Caps, objectives rolled on a D12, markers to control."""

from languages.words import N_
from validators.edition_file import written_out
from validators.fallout_skirmish.builder import builder, edit_force
from validators.fallout_skirmish.campaign.rules import CAMPAIGN
from validators.fallout_skirmish.check import CHECKS, summarise
from validators.fallout_skirmish.edition import DATA, EDITIONS, compare, price_lists, read_edition
from validators.fallout_skirmish.force import SYSTEM_ID, blank_force, part_of, read_force
from validators.fallout_skirmish.scenarios import SCENARIOS, TERRAIN, check_answers, read_scenario, score
from validators.fallout_skirmish.sheets import TURNS, card, sheets, text_lines
from validators.fallout_skirmish.suggestions import fixes, sample_force
from validators.game_system import EditionFiles, Forces, GameSystem, Papers, Scoring
from validators.kit.exchange import own_files
from validators.scenario_file import ScenarioFiles
from validators.sheet import read_reference

FILES = own_files("Fallout Skirmish", read_force, summarise, text_lines, label=N_("Group file (.json)"))

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="Fallout Skirmish",
    sizes=(500,),
    default_size=500,
    editions=EDITIONS,
    scenarios=SCENARIOS,
    checks=CHECKS,
    forces=Forces(blank_force, read_force, part_of, summarise, sample_force, FILES, builder, edit_force, fixes),
    scoring=Scoring(check_answers, score),
    papers=Papers(card, sheets, read_reference(DATA), turns=TURNS),
    edition_files=EditionFiles(read_edition, lambda info: written_out(info.lists.file), price_lists, compare),
    scenario_files=ScenarioFiles(read_scenario),
    campaign=CAMPAIGN,
    scenery=lambda _: TERRAIN,
)
