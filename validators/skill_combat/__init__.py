"""Skill combat, the d100 game: characters by SPECIAL, figures with their arithmetic, bouts to the last one standing."""

from validators.contract import EditionFiles, GameSystem
from validators.skill_combat.bounds import bounds
from validators.skill_combat.builder import builder
from validators.skill_combat.calculators import CALCULATORS
from validators.skill_combat.check import MAY_ADD, UNIT, check_force, rules_added, summarise
from validators.skill_combat.edition import EDITIONS, edition_file, import_catalogues, import_edition
from validators.skill_combat.edition_tables import compare, price_lists
from validators.skill_combat.exports import FORMATS, export_force, import_force
from validators.skill_combat.force import SYSTEM_ID, blank_force, part_of, read_force
from validators.skill_combat.form import edit_force
from validators.skill_combat.judges import WORDS
from validators.skill_combat.mending import mendings
from validators.skill_combat.rules import RULES
from validators.skill_combat.sample import sample_force
from validators.skill_combat.scenarios import SCENARIOS
from validators.skill_combat.scoring import check_answers, score
from validators.skill_combat.sheets import derived, sheets

SYSTEM = GameSystem(
    id=SYSTEM_ID,
    name="Skill Combat",
    unit=UNIT,
    words=WORDS,
    sizes=(40, 80, 120),
    default_size=40,
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
    calculators=CALCULATORS,
    bounds=bounds,
)
