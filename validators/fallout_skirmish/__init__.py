"""Fallout Skirmish: groups of eight forces paid in Caps, objectives rolled on a D12, five markers to control."""

from validators.contract import EditionFiles, GameSystem
from validators.fallout_skirmish.builder import builder
from validators.fallout_skirmish.check import check_force, summarise
from validators.fallout_skirmish.edition import EDITIONS, edition_file, import_catalogues, import_edition
from validators.fallout_skirmish.edition_tables import compare_editions, price_lists
from validators.fallout_skirmish.event_rules import MAY_ADD, WORDS, rules_added
from validators.fallout_skirmish.exports import FORMATS, export_force, import_force
from validators.fallout_skirmish.force import SYSTEM_ID, blank_force, part_of, read_force
from validators.fallout_skirmish.form import edit_force
from validators.fallout_skirmish.mending import mendings
from validators.fallout_skirmish.rules import RULES
from validators.fallout_skirmish.sample import sample_force
from validators.fallout_skirmish.scenarios import SCENARIOS
from validators.fallout_skirmish.scoring import check_answers, score
from validators.fallout_skirmish.sheets import derived, sheets

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="Fallout Skirmish",
    unit="Caps",
    words=WORDS,
    sizes=(500,),
    default_size=500,
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
    edition_files=EditionFiles(
        import_edition, edition_file, import_catalogues, price_lists, compare_editions, catalogues=False
    ),
)
