"""The SNAFU leadership game of New Vegas: squads with SPECIAL scores, force markers, leadership dice."""

from validators.contract import EditionFiles, GameSystem, ScenarioFiles
from validators.new_vegas.bounds import bounds
from validators.new_vegas.builder import builder
from validators.new_vegas.check import check_force, summarise
from validators.new_vegas.edition import EDITIONS, edition_file, import_catalogues, import_edition
from validators.new_vegas.edition_tables import compare, price_lists
from validators.new_vegas.event_rules import MAY_ADD, rules_added
from validators.new_vegas.exchange import FORMATS, export_force, import_force
from validators.new_vegas.figures import derived
from validators.new_vegas.force import SYSTEM_ID, blank_force, part_of, read_force
from validators.new_vegas.force_rules import UNIT
from validators.new_vegas.form import edit_force
from validators.new_vegas.mending import mendings
from validators.new_vegas.rules import RULES
from validators.new_vegas.sample import sample_force
from validators.new_vegas.scenario_file import import_scenario, read_scenario, scenario_document
from validators.new_vegas.scenarios import SCENARIOS
from validators.new_vegas.scoring import check_answers, score
from validators.new_vegas.sheets import sheets
from validators.vocabulary import Words

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="New Vegas SNAFU",
    unit=UNIT,
    words=Words(),
    sizes=(100, 150, 200),
    default_size=150,
    rulers=(),
    rules=RULES,
    event_rules=tuple(MAY_ADD.values()),
    editions=EDITIONS,
    scenarios=SCENARIOS,
    read_force=read_force,
    check_force=check_force,
    part_of=part_of,
    rules_added=rules_added,
    summarise=summarise,
    blank_force=blank_force,
    sample_force=sample_force,
    import_force=import_force,
    export_formats=FORMATS,
    export_force=export_force,
    builder=builder,
    mendings=mendings,
    edit_force=edit_force,
    check_answers=check_answers,
    score=score,
    derived=derived,
    sheets=sheets,
    edition_files=EditionFiles(import_edition, edition_file, import_catalogues, price_lists, compare, catalogues=False),
    scenario_files=ScenarioFiles(read_scenario, import_scenario, scenario_document, by_form=False),
    bounds=bounds,
)
