"""The rules for forces as the product prints them: id, title, text in our own words, and where they stand.

"Document" is the SNAFU leadership game, cited by its sections. What judges them is in ``force_rules`` and ``queries``;
the readings are explained in docs/new_vegas.md.
"""

from validators.contract import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "nv.size",
        "Size",
        "The SPECIAL scores of all models, added up, are at most the event's size. The document gives models no cost; "
        "their scores are all that makes one better than another, so they are what a force is counted in (a reading).",
        "Reading of document, Stats",
    ),
    Rule(
        "nv.faction",
        "Faction",
        "A force is of one of the edition's factions. They are names alone and change no rule (a reading).",
        "Reading; the document names no factions",
    ),
    Rule(
        "nv.class",
        "Class of a squad",
        "Every squad is Recon, Regular or Heavy infantry. Its class says by how many force markers it is deployed: 3, "
        "2 or 1.",
        "Document, Force Markers",
    ),
    Rule(
        "nv.squad",
        "A squad has models",
        "A squad has at least one model. One model alone, a leader for example, is a squad with markers of its own (a "
        "reading).",
        "Document, Force Markers; Leadership and the SNAFU system",
    ),
    Rule(
        "nv.special",
        "SPECIAL",
        "Each of a model's seven scores is 0 to 5: the tables of the document go no further.",
        "Document, Stats",
    ),
    Rule(
        "nv.charisma",
        "Somebody leads",
        "At least one model has Charisma. A force without is leaderless: it has no leadership dice, routs and leaves "
        "the table.",
        "Document, Turn Structure; Leadership and the SNAFU system",
    ),
    Rule(
        "nv.weapon",
        "Known weapons",
        "Every weapon that a model carries is in the armoury of the edition or among the weapons that the player "
        "brings with their figures. It may carry any number; it fires one an order.",
        "Document, Weapons; Orders: Fire",
    ),
    Rule(
        "nv.strength",
        "Strength for a weapon",
        "A model has at least the Strength that its weapon asks for.",
        "Document, Stats: Strength",
    ),
    Rule(
        "nv.endurance",
        "A model without Endurance",
        "Endurance is the wounds that a model has, and at 0 it is removed. A model that begins with 0 is put to the "
        "organiser.",
        "Document, Stats: Endurance; Shooting",
    ),
    Rule(
        "nv.own-weapon",
        "A player's own weapon",
        "A weapon that is not in the armoury is put to the organiser with its figures. One that has the name of an "
        "armoury weapon has the armoury's figures.",
        "Document, Weapons",
    ),
)
