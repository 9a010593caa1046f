"""The rules for armies as the product prints them: id, title, text in our own words, and where they stand.

The functions that judge them are in ``army_rules``, ``squad_rules`` and ``figure_rules``; the readings are explained in
docs/fallout_warfare.md. "FW" is the rulebook of Fallout: Warfare (document 001).
"""

from validators.contract import Rule

_UNITS = "FW 3.3, Types of Units"
_LIMITS = "FW 3.3, Tournament Army Construction Limits; 8.1, Army Limitations"

RULES: tuple[Rule, ...] = (
    Rule(
        "fw.size",
        "Size",
        "An army costs no more army points than the event's size: 200 in a tournament, 100 to 400 otherwise, or "
        "whatever the organiser sets.",
        "FW 3.3, Army Points; 7.0, S1",
    ),
    Rule(
        "fw.faction",
        "Faction",
        "At least three quarters of what an army costs are figures of its one faction; what a figure carries counts "
        "with it, vehicles and mines with the army (a reading). The rest may be of any lists.",
        _LIMITS,
    ),
    Rule(
        "fw.cost",
        "Known costs",
        "Every troop, weapon, item, skill and vehicle is in the lists in use, and every figure has a cost there. "
        "Robots have none printed, so they can be taken only where the organiser's own lists give one.",
        "FW 3.3, Army Points; Appendices A to D",
    ),
    Rule(
        "fw.rank",
        "Ranks",
        "A figure is taken at a rank that its entry has: grunt, squadleader or hero.",
        "FW Appendix A",
    ),
    Rule(
        "fw.leader",
        "Leaders",
        "Each squad is led by exactly one hero or one squadleader. A hero may act alone; a squadleader leads a squad.",
        _UNITS,
    ),
    Rule(
        "fw.squad",
        "Squads",
        "An army has squads, each of 3 to 20 grunts beside its leader (a reading). Where it depends on "
        "whether the leader counts, the organiser is asked. Squads of beasts have a count of their own.",
        _UNITS,
    ),
    Rule(
        "fw.mixed",
        "One kind a squad",
        "The grunts of a squad are of one kind; only Beastlords mix theirs. A squadleader of another kind than the "
        "grunts is put to the organiser.",
        "FW Appendix A, The Beastlords: the note says what all others do not have",
    ),
    Rule(
        "fw.beasts",
        "Beastlords and beasts",
        "Beastlords never stand together. One Beastlord of any rank leads any mix of beasts, at most as many as the "
        "Beastlord's Charisma, and nobody else leads beasts (a reading).",
        "FW Appendix A, The Beastlords",
    ),
    Rule(
        "fw.alpha",
        "Alpha Wolves",
        "A squad has one Alpha Wolf at most, and at least one ordinary Wolf beside it.",
        "FW Appendix A, Wolf",
    ),
    Rule(
        "fw.heroes",
        "Heroes",
        "One hero for every two squads at most, rounded up. A hero alone is no squad (a reading).",
        _UNITS,
    ),
    Rule(
        "fw.hero-points",
        "Points on heroes",
        "Heroes with their levels cost at most 50 points of 200, and at other sizes a quarter, rounded down. Where "
        "only their weapons and items go beyond that, the organiser is asked.",
        _LIMITS,
    ),
    Rule(
        "fw.restricted",
        "Restricted weapons",
        "For each grunt with a Heavy, Minigun or RPG there are three grunts in the army with another weapon. "
        "Paladins need one for each in their own squad. Squadleaders and heroes do not count. Where "
        "unarmed grunts would have to count, the organiser is asked.",
        f"{_UNITS}; Appendix A, Brotherhood of Steel; Appendix B",
    ),
    Rule(
        "fw.weapon",
        "Weapons",
        "A figure has one weapon, paid for it, and any number of grenades, each paid (a reading). Citizens and "
        "Scribes carry none; beasts and most robots fight with their own attacks. Laser and Plasma are optional "
        "rules and put to the organiser.",
        "FW Appendix A; Appendix B; 6.4 B",
    ),
    Rule(
        "fw.items",
        "Items",
        "A squadleader carries one item, a hero two, a grunt none. Each dose, grenade or kit is one item.",
        f"{_UNITS}; Appendix C",
    ),
    Rule(
        "fw.needs",
        "What items need",
        "Night Goggles need an Intelligence of 4, a Stealth Boy 5. The Robot Repair Kit is for Robots only.",
        "FW Appendix C",
    ),
    Rule(
        "fw.level",
        "Levels",
        "A hero is taken at level 1 to 6 for an extra cost of twice the experience that the level needs. Levels 7 to "
        "16 need the opponent's consent and are put to the organiser. Nobody else has levels.",
        "FW 8.2",
    ),
    Rule(
        "fw.skills",
        "Skills",
        "Only heroes choose skills: one at 5, and a skill point for each level above the first. A point raises a "
        "skill by 1, two buy a further one at 5. Skills of the entry come beside that (a reading).",
        "FW 5.1; 8.2",
    ),
    Rule(
        "fw.vehicle",
        "Vehicles",
        "An army with a vehicle has a hero with Piloting. The Nuclear APC needs the opponent's permission and is put "
        "to the organiser, and so are more vehicles than pilots. A Dune Buggy is 3 points cheaper for Raiders & "
        "Reavers.",
        "FW 6.1; Appendix A, Raiders & Reavers; Appendix D",
    ),
    Rule(
        "fw.vehicle-limit",
        "How many vehicles",
        "One vehicle in an army of 200 points; at other sizes one for each whole 200, and one below that (a reading).",
        _LIMITS,
    ),
    Rule(
        "fw.mines",
        "Mines",
        "Three mines for each hero with Traps at most, each with a decoy. No cost is printed: they count nothing and "
        "are put to the organiser, unless the organiser's own lists give one.",
        "FW 6.2, Purchasing Mines",
    ),
)
