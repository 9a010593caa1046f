"""The rules for characters as the product prints them: id, title, text in our own words, and where they stand.

"Document" is the skill combat chapter (002). It prints no rules of making a character: what its sample and its figures
need is taken from there, the rest are readings, explained in docs/skill_combat.md.
"""

from validators.contract import Rule

_SAMPLE = "Document 002, Jim the Raider, our sample Combatant"
_READING = "Reading; the document prints no rule for it"

RULES: tuple[Rule, ...] = (
    Rule(
        "sc.size",
        "SPECIAL points",
        "The seven attributes of all characters of a side add up to no more than the event's size. 40 is advised for "
        "one character; the organiser may set any number.",
        _READING,
    ),
    Rule(
        "sc.characters",
        "Characters of a side",
        "A side is at least one character, and at most one for each full 40 of the event's size; one below 80.",
        _READING,
    ),
    Rule(
        "sc.special",
        "Attributes",
        "Each of STR, PE, EN, CH, IN, AG and LK is from 1 to 10: Luck is checked with one ten-sided die.",
        _SAMPLE + "; the bounds are a reading",
    ),
    Rule(
        "sc.origin",
        "Origin",
        "The side is of an origin that the edition names. An origin changes no figure.",
        _READING,
    ),
    Rule(
        "sc.gear",
        "Known gear",
        "Every weapon, suit of armour and item is one of the lists, or brings its own figures. What brings its own is "
        "put to the organiser, and so is an item that the lists do not name.",
        "Document 002, Inventory Management; the chapter of equipment is not part of it",
    ),
    Rule(
        "sc.skill",
        "Skills",
        "Small Guns and Big Guns start at what the attributes give. What is trained above that, and the value of any "
        "skill without a printed start, is put to the organiser. A skill stands on a character once.",
        _SAMPLE,
    ),
    Rule(
        "sc.level",
        "Level",
        "A character begins at level 1. Each further level adds 3 + EN / 2 HP, rounded up on odd levels and down on "
        "even ones; a level above 1 is put to the organiser.",
        _SAMPLE,
    ),
)
