"""Fallout: Warfare: armies paid in army points, built of squads; four scenarios, scored by the living and the dead."""

from validators.contract import EditionFiles, GameSystem
from validators.fallout_warfare.bounds import bounds
from validators.fallout_warfare.builder import builder
from validators.fallout_warfare.check import check_force, summarise
from validators.fallout_warfare.edition_exchange import EDITIONS, edition_file, import_catalogues, import_edition
from validators.fallout_warfare.edition_tables import compare, price_lists
from validators.fallout_warfare.event_rules import MAY_ADD, WORDS, rules_added
from validators.fallout_warfare.exports import FORMATS, export_force, import_force
from validators.fallout_warfare.force import SYSTEM_ID, blank_force, part_of, read_force
from validators.fallout_warfare.form import edit_force
from validators.fallout_warfare.mending import mendings
from validators.fallout_warfare.rules import RULES
from validators.fallout_warfare.sample import sample_force
from validators.fallout_warfare.scenarios import SCENARIOS
from validators.fallout_warfare.scoring import check_answers, score
from validators.fallout_warfare.sheets import derived, sheets
from validators.fallout_warfare.tallies import tallies

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="Fallout: Warfare",
    unit="points",
    words=WORDS,
    sizes=(100, 200, 300, 400),
    default_size=200,
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
    tallies=tallies,
    bounds=bounds,
)
