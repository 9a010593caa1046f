"""Battle Mode, the competitive game: forces paid in Caps, five scenarios, victory points."""

from validators.battle_mode.check import check_force, summarise
from validators.battle_mode.edition import info_of
from validators.battle_mode.edition_exchange import read_catalogues, read_file, write_file
from validators.battle_mode.edition_tables import compare, price_lists
from validators.battle_mode.event_rules import MAY_ADD, rules_added
from validators.battle_mode.exports import FORMATS, export_force
from validators.battle_mode.force import SYSTEM_ID, blank_force, part_of, read_force
from validators.battle_mode.form import edit_force
from validators.battle_mode.imports.detect import read_any
from validators.battle_mode.mending import mendings
from validators.battle_mode.narrowing import searched
from validators.battle_mode.rulers import RULERS
from validators.battle_mode.rules import RULES
from validators.battle_mode.sample import sample_force
from validators.battle_mode.scenario_file import import_scenario, read_scenario, scenario_document
from validators.battle_mode.scenarios import SCENARIOS
from validators.battle_mode.scenery import SCENERY
from validators.battle_mode.scoring import check_answers, score
from validators.battle_mode.sheets import derived, sheets
from validators.battle_mode.shipped import EDITIONS
from validators.contract import EditionFiles, GameSystem, ScenarioFiles
from validators.vocabulary import Words

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="Battle Mode",
    unit="Caps",
    words=Words(others=("BattleScribe (.ros, .rosz)", "New Recruit (.json)", "list builders (.txt)")),
    sizes=(500, 750, 1000),
    default_size=750,
    rulers=RULERS,
    scenery=SCENERY,
    rules=RULES,
    event_rules=tuple(MAY_ADD.values()),
    editions=tuple(map(info_of, EDITIONS.values())),
    scenarios=SCENARIOS,
    read_force=read_force,
    check_force=check_force,
    part_of=part_of,
    rules_added=rules_added,
    summarise=summarise,
    blank_force=blank_force,
    sample_force=sample_force,
    import_force=read_any,
    export_formats=FORMATS,
    export_force=export_force,
    builder=searched,
    mendings=mendings,
    edit_force=edit_force,
    check_answers=check_answers,
    score=score,
    derived=derived,
    sheets=sheets,
    scenario_files=ScenarioFiles(read_scenario, import_scenario, scenario_document),
    edition_files=EditionFiles(read_file, write_file, read_catalogues, price_lists, compare, catalogues=True),
)
