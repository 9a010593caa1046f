"""Battle Mode, the competitive game: forces bought with Caps, scenarios, victory points."""

from languages.words import N_
from validators.battle_mode.builder import builder, edit_force
from validators.battle_mode.check import CHECKS, summarise
from validators.battle_mode.corrections import corrected, cost_entries
from validators.battle_mode.edition import DATA, info_of
from validators.battle_mode.edition_file import EDITIONS, read_file
from validators.battle_mode.edition_tables import compare, price_lists
from validators.battle_mode.fixes import fixes
from validators.battle_mode.force import SYSTEM_ID, blank_force, part_of, read_force
from validators.battle_mode.imports.detect import FILES
from validators.battle_mode.sample import sample_force
from validators.battle_mode.scenario_file import read_scenario
from validators.battle_mode.scenarios import RULERS, SCENARIOS, SCENERY, check_answers, score
from validators.battle_mode.sheets import card
from validators.edition_file import written_out
from validators.game_system import Corrector, EditionFiles, Forces, GameSystem, Papers, Scoring, TieFigure
from validators.scenario_file import ScenarioFiles
from validators.sheet import no_sheets, read_reference

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="Battle Mode",
    sizes=(500, 750, 1000),
    default_size=750,
    editions=tuple(map(info_of, EDITIONS.values())),
    scenarios=SCENARIOS,
    checks=CHECKS,
    forces=Forces(blank_force, read_force, part_of, summarise, sample_force, FILES, builder, edit_force, fixes),
    scoring=Scoring(
        check_answers,
        score,
        tie_figures=(
            TieFigure("objectives", N_("Objectives"), N_("Objective markers completed in all games; a bye adds none")),
        ),
    ),
    papers=Papers(card, no_sheets, read_reference(DATA)),
    edition_files=EditionFiles(
        read_file,
        lambda info: written_out(info.lists.file),
        price_lists,
        compare,
        Corrector(cost_entries, corrected),
    ),
    scenario_files=ScenarioFiles(read_scenario, by_form=True),
    rulers=RULERS,
    scenery=lambda _: SCENERY,
)
