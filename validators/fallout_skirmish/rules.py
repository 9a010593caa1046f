"""The rules for groups as the product prints them: id, title, text in our own words, and where they stand.

The functions that judge them are in ``group_rules``, ``character_rules`` and ``queries``; the readings are explained in
docs/fallout_skirmish.md.
"""

from validators.contract import Rule

_LISTS = "Rulebook, chapter 11, the special rules and lists of each force"

RULES: tuple[Rule, ...] = (
    Rule(
        "fs.size",
        "Size",
        "A group with all its equipment costs no more Caps than the event's size: 500 at the start of a campaign."
        " What is left over may be kept.",
        "Rulebook, chapters 4.2 and 9.1",
    ),
    Rule(
        "fs.force",
        "One force",
        "A group is of one of the eight forces, and every character is of a rank of that force.",
        "Rulebook, chapter 11",
    ),
    Rule(
        "fs.cost",
        "Known prices",
        "Every rank, weapon, piece of armor and item has a price in the edition in use. What is not known, or is "
        "built instead of bought (the custom weapons), cannot be paid for; nothing else about it is judged.",
        "Rulebook, chapters 9.1 and 12.1",
    ),
    Rule(
        "fs.allowance",
        "Allowance per rank",
        "A starting group has no more characters of a rank than its force's list allows.",
        "Rulebook, chapters 11.1.1 to 11.8.1",
    ),
    Rule(
        "fs.group",
        "Size of the group",
        "A group never has more characters than its force's list says: 8 Super Mutants, 15 Raiders, 10 or 12 of "
        "the others.",
        "Rulebook, chapters 11.1.1 to 11.8.1",
    ),
    Rule(
        "fs.leader",
        "Somebody to lead",
        "At least one character is of the force's highest rank.",
        "Rulebook, chapters 11.1.1 to 11.8.1",
    ),
    Rule(
        "fs.charisma",
        "The leader",
        "Exactly one character is the leader, and nobody has a higher Charisma. Among equals the players throw "
        "lots before the list is handed in; the mark is the outcome (a reading).",
        "Rulebook, chapter 9.1.4",
    ),
    Rule(
        "fs.list",
        "What a starting group buys",
        "Weapons come from the force's own list, at its prices. Other weapons and items have to be found at "
        "merchants during a campaign, so a starting group has none; Stimpaks are the one thing asked about.",
        "Rulebook, chapters 11.1.3 to 11.8.3",
    ),
    Rule(
        "fs.armour",
        "Armor",
        "A character wears one piece of armor at most, from its force's list and open to its rank. Raiders, Super"
        " Mutants and Wasteland Survivors have none.",
        _LISTS,
    ),
    Rule(
        "fs.must-wear",
        "Who must wear armor",
        "Knights and Paladins, Troopers and Hellfire Troopers, everybody of Talon Company and of the Regulators, "
        "and the Security Officers of a vault wear armor that their list gives them. Without it they stay at "
        "home, so they cannot be on a list for an event.",
        _LISTS,
    ),
    Rule(
        "fs.big-guns",
        "Big Guns",
        "A group has one Big Gun for each full complement of characters: of 3 for the Brotherhood of Steel and "
        "Super Mutants, of 4 for the Enclave and Talon Company, of 6 for Vault Residents, of 5 for the others.",
        _LISTS,
    ),
    Rule(
        "fs.big-gun-carrier",
        "Who carries Big Guns",
        "Only Knights and Paladins carry Big Guns in the Brotherhood of Steel, Troopers and Hellfire Troopers in "
        "the Enclave, Mercs in Talon Company; anybody in the other forces.",
        _LISTS,
    ),
    Rule(
        "fs.stimpak",
        "Stimpaks",
        "A group has three Stimpaks at most. No force's list sells them, so whether a starting group may have "
        "any, at the 25 Caps of the fixed merchant, is put to the organiser.",
        "Rulebook, chapter 12.2; the price from 10.6.3",
    ),
    Rule(
        "fs.grenade",
        "Grenades last",
        "One purchase of grenades is enough for all games. A second purchase of the same on one character is put "
        "to the organiser.",
        "Rulebook, chapter 9.1",
    ),
    Rule(
        "fs.perk",
        "No perks at the start",
        "Characters start without perks and gain them by experience. The leader has the perk Leader by leading.",
        "Rulebook, chapters 9.1.4 and 10.3",
    ),
    Rule(
        "fs.turf",
        "Turfs",
        "A group starts with three turfs, each rolled with 2D12 on the table; the same may come up again. An "
        "event outside a campaign may leave them out: then there are none (a reading).",
        "Rulebook, chapters 9.1 and 9.1.1",
    ),
    Rule(
        "fs.rating",
        "Rating",
        "The rating of a group is its cost, the experience of all its characters (0, 25 and 50 at the start by "
        "rank), and 50 for each turf. It compares groups; no group is illegal by it.",
        "Rulebook, chapters 9.1.2 and 9.1.3",
    ),
)
