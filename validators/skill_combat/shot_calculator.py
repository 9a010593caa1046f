"""The calculator of quick and aimed shots: its fields, and the arithmetic of ``attack`` told in figures."""

from validators.calculator import Asked, Calculator, Figure, Given, Group, Reckoned
from validators.sheet import Column, Table
from validators.skill_combat import attack
from validators.skill_combat.asked import DOUBLE, OUTCOMES, number
from validators.skill_combat.attack import Outcome, Shot
from validators.skill_combat.edition import BODY, PARTS

NOWHERE = "none"
"""Aimed at no part: a quick shot."""


def _place(name: str) -> str:
    return name.lower()


_BY_PLACE = {_place(part.name): part for part in BODY}


def _shot(given: Given) -> tuple[Shot, dict[str, Figure]]:
    """The shot that the fields describe, and the figures on the way to it."""
    part = _BY_PLACE.get(str(given["part"]))
    region = PARTS.get(part.region) if part else None
    penalty, bonus = attack.aim(part, region)
    reach = attack.reach(int(given["range"]), int(given["perception"]))
    chance = attack.chance(
        int(given["skill"]), reach.value, int(given["distance"]), int(given["volatility"]), int(given["ac"]), penalty
    )
    ap = int(given["ap"]) + (int(given["aim_ap"]) if part else 0)
    aimed_how = f"{given['ap']} + {given['aim_ap']} for the aim" if part else "a shot without aim"
    luck = int(given["luck"])
    shots: int | str = int(given["ap_now"]) // ap if ap else "any number"
    figures = {
        "reach": Figure("reach", "Reach", reach.value, "hexes", reach.how),
        "ap": Figure("ap", "Cost of the shot", ap, "AP", aimed_how),
        "shots": Figure("shots", "Shots in a turn", shots, "", f"{given['ap_now']} AP / {ap}, rounded down"),
        "critical": Figure("critical", "Critical success", f"1–{luck}", "", f"0 + {luck} (LK)"),
        "fumble": Figure("fumble", "Critical failure", f"{89 + luck}–100", "", f"89 + {luck} (LK)"),
    }
    shot = Shot(
        chance=chance.value,
        luck=luck,
        base=int(given["damage"]),
        extra=int(given["extra"]),
        stat=int(given["stat"]),
        aimed=bonus,
        resistance=int(given["resistance"]),
        covered=bool(given["covered"]),
        is_aimed=part is not None,
        scratches=bool(given["scratches"]),
    )
    main = Figure("chance", "To hit, roll at or below", chance.value, "%", chance.how)
    return shot, {"chance": main} | figures


def reckon_shot(given: Given) -> Reckoned:
    """A quick or an aimed shot."""
    shot, figures = _shot(given)
    main = [figures.pop("chance")]
    if "roll" in given:
        luck_roll, second = given.get("luck_roll"), given.get("second")
        roll = int(given["roll"])
        done = (
            attack.outcome(shot, roll)
            if luck_roll is None
            else attack.doubled(shot, roll, int(luck_roll), None if second is None else int(second))
        )
        main += [
            Figure("outcome", f"A roll of {roll}", OUTCOMES[done.kind], "", _why(shot, roll, done)),
            Figure("aptitude", "Aptitude", done.aptitude, "%", _aptitude(shot, roll, done)),
            Figure("done", "Damage", done.damage, "", done.how),
        ]
    counts, expected = attack.odds(shot), attack.expected(shot)
    hits = counts["critical"] + counts["hit"]
    more = [
        Figure("hits", "Rolls that hit", hits, "of 100", f"{counts['critical']} criticals and {counts['hit']} others"),
        Figure("expected", "Damage of 100 shots", expected.value, "", expected.how),
    ]
    return Reckoned(tuple(main), (*figures.values(), *more), (_rolls(shot), _aims(given)))


def _why(shot: Shot, roll: int, done: Outcome) -> str:
    """What makes the roll what it is."""
    if done.kind == "critical":
        return f"{shot.luck} (LK) or less hits whatever the aptitude"
    if done.kind == "fumble":
        return done.how
    return f"aptitude {shot.chance} − {roll}"


def _aptitude(shot: Shot, roll: int, done: Outcome) -> str:
    """The aptitude's arithmetic, and what counts instead of it."""
    how = f"{shot.chance} − {roll}"
    if done.kind == "critical" and done.aptitude < attack.CRITICAL_APTITUDE:
        return f"{how}; a critical counts as {attack.CRITICAL_APTITUDE}"
    if done.kind == "hit" and done.aptitude > shot.chance - roll:
        return f"{how}, at least {done.aptitude}: the critical became a hit"
    return how


def _rolls(shot: Shot) -> Table:
    """What each roll does, rolls of the same outcome in one row."""
    rows: list[tuple[int, int, Outcome]] = []
    for roll in range(1, 101):
        done = attack.outcome(shot, roll)
        if rows and (rows[-1][2].kind, rows[-1][2].damage) == (done.kind, done.damage):
            rows[-1] = rows[-1][0], roll, rows[-1][2]
        else:
            rows.append((roll, roll, done))
    return Table(
        "What each roll does",
        (Column("Roll"), Column("Outcome"), Column("Damage", "figure")),
        tuple(
            (
                f"{first}–{last}" if last > first else str(first),
                OUTCOMES[done.kind],
                str(done.damage) if done.how else "0",
            )
            for first, last, done in rows
        ),
    )


def _aims(given: Given) -> Table:
    """The same shot aimed at every part of the body."""
    rows = []
    for part in BODY:
        shot, figures = _shot(dict(given) | {"part": _place(part.name)})
        name = part.name if not part.region else f"  {part.name}"
        row = (name, f"{shot.chance} %", f"{shot.aimed:+d}" if shot.aimed else "0", f"{figures['ap'].value}")
        rows.append(tuple(cell.replace("-", "−") for cell in row))
    heads = (Column("Aimed at"), Column("To hit", "figure"), Column("Damage", "figure"), Column("AP", "figure"))
    return Table("Aimed at each part", heads, tuple(rows))


_PLACES = (
    (NOWHERE, "Nowhere: a quick shot"),
    *((_place(part.name), part.name if not part.region else f"{part.name} ({part.region.lower()})") for part in BODY),
)
SHOT = Calculator(
    id="attack",
    name="Quick and aimed shots",
    summary="What to roll, what each roll does, and what it costs. The fields begin with the document's own example.",
    source="Document 002: Hitting with a Quick-shot, Inflicting Damage and Criticals, Taking aim",
    reckon=reckon_shot,
    groups=(
        Group(
            "The shooter",
            (
                number("skill", "Weapon skill", 0, 300, 30, "In per cent, before range and armour."),
                number("perception", "Perception", 0, 20, 6, "Half of it adds to the range; 0 for a melee weapon."),
                number("luck", "Luck", 1, 10, 7),
                number("ap_now", "Action points now", 0, 99, 12),
            ),
        ),
        Group(
            "The weapon",
            (
                number("range", "Range", 0, 200, 7, "In hexes."),
                number("volatility", "Range volatility", 0, 50, 3, "Per cent a hex."),
                number("damage", "Base damage", 0, 500, 3),
                number("extra", "Extra damage", 0, 100, 1),
                number("stat", "A critical adds", 0, 20, 9, "The attribute that the weapon names."),
                number("ap", "AP of a quick shot", 0, 50, 3),
                number("aim_ap", "AP more for an aimed one", 0, 50, 3),
            ),
        ),
        Group(
            "The target",
            (
                number("distance", "Distance", 0, 200, 3, "In hexes."),
                number("ac", "Armor class", 0, 200, 7),
                Asked("part", "Aimed at", "choice", default=NOWHERE, choices=_PLACES),
                number("resistance", "Resistance of the armour", 0, 100, 0, "Per cent of damage, where it covers."),
                Asked("covered", "The armour covers the part aimed at", "yes", default=0),
            ),
        ),
        Group(
            "The roll",
            (
                number("roll", "Rolled", 1, 100, help="Leave it open to see the chances alone."),
                *DOUBLE,
                Asked("scratches", "Play the optional scratches", "yes", default=1),
            ),
        ),
    ),
)
