"""Skill combat, the d100 game: characters by SPECIAL, figures with their arithmetic, bouts to the last survivor."""

from languages.words import gettext
from validators.edition_file import written
from validators.game_system import EditionFiles, Forces, GameSystem, Papers
from validators.kit.exchange import own_files
from validators.scenario_file import ScenarioFiles
from validators.sheet import read_reference
from validators.skill_combat.builder import builder, edit_force
from validators.skill_combat.calculators import CALCULATORS
from validators.skill_combat.check import CHECKS, summarise
from validators.skill_combat.edition import DATA, EDITIONS, price_lists, read_edition
from validators.skill_combat.force import SYSTEM_ID, blank_force, part_of, read_force
from validators.skill_combat.scenarios import SCENARIOS, SCORING, read_scenario
from validators.skill_combat.sheets import BLANK_LOSSES, TURN_TRACK, card, losses, sheets, text_lines, turn_order
from validators.skill_combat.suggestions import fixes, sample_force

FILES = own_files("skill combat", read_force, summarise, text_lines)

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="Skill Combat",
    sizes=(40, 80, 120),
    default_size=40,
    editions=EDITIONS,
    scenarios=SCENARIOS,
    checks=CHECKS,
    forces=Forces(blank_force, read_force, part_of, summarise, sample_force, FILES, builder, edit_force, fixes),
    scoring=SCORING,
    papers=Papers(
        card,
        sheets,
        read_reference(DATA),
        turn_order,
        turns=TURN_TRACK,
        losses=losses,
        blank_losses=BLANK_LOSSES,
        losses_title=lambda _: gettext("HP: tick each point lost"),
    ),
    edition_files=EditionFiles(read_edition, lambda info: written(info.lists.file), price_lists),
    scenario_files=ScenarioFiles(read_scenario),
    calculators=CALCULATORS,
)
