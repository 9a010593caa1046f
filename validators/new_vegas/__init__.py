"""The SNAFU leadership game of New Vegas: squads with SPECIAL scores, force markers, leadership dice."""

from languages.words import gettext
from validators.edition_file import written
from validators.game_system import EditionFiles, Forces, GameSystem, Papers
from validators.kit.exchange import own_files
from validators.new_vegas.builder import builder, edit_force
from validators.new_vegas.check import CHECKS, summarise
from validators.new_vegas.edition import EDITIONS, REFERENCE, price_lists, read_edition
from validators.new_vegas.force import SYSTEM_ID, blank_force, part_of, read_force
from validators.new_vegas.scenarios import SCENARIOS, SCORING, TERRAIN, read_scenario
from validators.new_vegas.sheets import BLANK_LOSSES, TURNS, brings, card, losses, sheets, text_lines
from validators.new_vegas.suggestions import fixes, sample_force
from validators.scenario_file import ScenarioFiles

FILES = own_files("the SNAFU game", read_force, summarise, text_lines)

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="New Vegas SNAFU",
    sizes=(100, 150, 200),
    default_size=150,
    editions=EDITIONS,
    scenarios=SCENARIOS,
    checks=CHECKS,
    forces=Forces(blank_force, read_force, part_of, summarise, sample_force, FILES, builder, edit_force, fixes),
    scoring=SCORING,
    papers=Papers(
        card,
        sheets,
        REFERENCE,
        brings=brings,
        turns=TURNS,
        losses=losses,
        blank_losses=BLANK_LOSSES,
        losses_title=lambda _: gettext("Losses: tick each wound; a numbered box begins each model"),
    ),
    edition_files=EditionFiles(read_edition, lambda info: written(info.lists.file), price_lists),
    scenario_files=ScenarioFiles(read_scenario),
    scenery=lambda _: TERRAIN,
)
