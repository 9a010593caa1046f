"""The rules for forces as the product prints them: id, title, text in our own words, and where they stand.

The functions that judge them are in ``force_rules`` and ``model_rules``; the readings are explained in
docs/battle_mode.md. "Rulebook" is the Battle Mode rulebook 1.0 of 20 August 2018.
"""

from validators.contract import Rule

_EQUIPPING = "Rulebook 1.0, Building Your Force: Equipping a Model"

RULES: tuple[Rule, ...] = (
    Rule(
        "bm.size",
        "Size",
        "A force costs no more Caps than the event's size. 500, 750 and 1000 are advised; the organiser may set any.",
        "Rulebook 1.0, Game Size",
    ),
    Rule(
        "bm.faction",
        "One faction",
        "Every model is on the list of the one faction that the force is made for, and that faction is one "
        "that the edition lets take the field.",
        "Rulebook 1.0, Building Your Force",
    ),
    Rule(
        "bm.cost",
        "Known costs",
        "Every model, item, mod, perk and card has a cost in the edition in use. A name that the edition "
        "does not know cannot be paid for, so it cannot be taken; nothing else about it is judged.",
        "Rulebook 1.0, Building Your Force; the force lists",
    ),
    Rule(
        "bm.heavy",
        "Heavy weapons",
        "One heavy weapon may be bought at 500 Caps, two at 750, three at 1000, and one more for every "
        "further 250. Below 500 Caps there is none (a reading).",
        "Rulebook 1.0, Building Your Force: Heavy Weapons",
    ),
    Rule(
        "bm.carry",
        "What a model carries",
        "A model may be bought any number of the weapons and items that its own entry lists, by name or by "
        "pack, each copy paid, and nothing else.",
        _EQUIPPING,
    ),
    Rule(
        "bm.mod",
        "One mod",
        "A weapon or piece of armour takes one mod at most, and some items take none. Where the edition has "
        "packs, the mod is one that the model's packs hold.",
        _EQUIPPING,
    ),
    Rule(
        "bm.perk",
        "Perks",
        "A model may have any number of perks, each paid; where the edition has packs, those that the model's "
        "packs hold. The same perk twice on one model is put to the organiser.",
        _EQUIPPING,
    ),
    Rule(
        "bm.heroic",
        "Heroic",
        "A model is made Heroic for 60 Caps, where its entry or one of its packs allows it; any number of models "
        "may be.",
        _EQUIPPING,
    ),
    Rule(
        "bm.leader",
        "The Leader",
        "Exactly one model is the force's Leader. It need not be Heroic.",
        _EQUIPPING,
    ),
    Rule(
        "bm.leader-card",
        "Leader card",
        "The Leader may have one Leader card at its cost; where the edition has packs, one that the Leader's packs "
        "hold. No other model has one, and none is held beside.",
        _EQUIPPING,
    ),
    Rule(
        "bm.unique",
        "Unique models",
        "A named person is in a force once, whichever of the person's models is chosen. Where an edition does "
        "not say who is unique, a model taken twice is put to the organiser.",
        "The force lists, as the edition's data holds them",
    ),
    Rule(
        "bm.banned",
        "Cards left out",
        "Boost, Event, Explore, Danger, Stranger, Creature and Quest cards are not used, and nothing from "
        "solo, co-operative or settlement play.",
        "Rulebook 1.0, Restrictions",
    ),
)
