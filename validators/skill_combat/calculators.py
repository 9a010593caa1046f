"""The attack calculators: their fields, and the arithmetic of ``attack`` and ``burst`` told in figures."""

from collections.abc import Sequence

from validators.calculator import Asked, Calculator, Figure, Given, Group, Reckoned
from validators.sheet import Column, Table
from validators.skill_combat import attack, burst
from validators.skill_combat.attack import Kind, Outcome, Shot
from validators.skill_combat.burst import Burst, Struck, Target
from validators.skill_combat.edition import BODY, PARTS

NOWHERE = "none"
_WORDS: dict[Kind, str] = {
    "critical": "Critical hit", "hit": "Hit", "scratch": "Scratch", "miss": "Miss", "fumble": "Critical failure"
}  # fmt: skip
_TARGETS = (1, 2, 3, 4)


def _place(name: str) -> str:
    return name.lower()


_BY_PLACE = {_place(part.name): part for part in BODY}


def _number(key: str, label: str, least: int, most: int, default: int | None = None, help: str = "") -> Asked:
    return Asked(key, label, "number", least, most, default, help=help)


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
            Figure("outcome", f"A roll of {roll}", _WORDS[done.kind], "", f"aptitude {shot.chance} − {roll}"),
            Figure("aptitude", "Aptitude", done.aptitude, "%", f"{shot.chance} − {roll}"),
            Figure("done", "Damage", done.damage, "", done.how),
        ]
    counts, expected = attack.odds(shot), attack.expected(shot)
    hits = counts["critical"] + counts["hit"]
    more = [
        Figure("hits", "Rolls that hit", hits, "of 100", f"{counts['critical']} criticals and {counts['hit']} others"),
        Figure("expected", "Damage of 100 shots", expected.value, "", expected.how),
    ]
    return Reckoned(tuple(main), (*figures.values(), *more), (_rolls(shot), _aims(given)))


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
                _WORDS[done.kind],
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


def reckon_burst(given: Given) -> Reckoned:
    """A burst on up to four targets."""
    luck, skill, roll = int(given["luck"]), int(given["skill"]), int(given["roll"])
    reach = attack.reach(int(given["range"]), int(given["perception"]))
    fired = Burst(skill, luck, reach.value, int(given["bullets"]), int(given["damage"]), int(given["stat"]))
    kind, times, counts = burst.kind_of(fired, roll), 1, roll
    if "luck_roll" in given:
        second = given.get("second")
        kind, times, counts = burst.doubled(
            fired, roll, int(given["luck_roll"]), None if second is None else int(second)
        )
    share = burst.on_target(fired, counts)
    targets = [Target(int(given.get(f"distance{n}", 0)), int(given[f"ac{n}"])) for n in _TARGETS if f"ac{n}" in given]
    struck = burst.spray(fired, counts, targets, kind, times=times)
    hits, damage = sum(one.hits for one in struck), sum(one.damage for one in struck)
    return Reckoned(
        main=(Figure("share", "Bullets aimed well", share.value, "%", share.how), *_first(fired, struck, kind, times)),
        figures=(
            Figure("outcome", f"A roll of {roll}", _WORDS[kind], "", f"{100 - skill} to 100 is a success"),
            Figure("reach", "Reach", reach.value, "hexes", reach.how),
            Figure("critical", "Critical success", f"{101 - luck}–100", "", f"the top {luck} (LK)"),
            Figure("fumble", "Critical failure", f"1–{12 - luck}", "", f"89 + {luck} (LK), turned round"),
            Figure("all_hits", "Bullets that hit somebody", hits, f"of {fired.bullets}"),
            Figure("all_damage", "Damage in all", damage),
        ),
        tables=(
            Table(
                "Target by target, the nearest first",
                (
                    Column("Hexes", "figure"), Column("AC", "figure"), Column("Share", "figure"),
                    Column("Hits", "figure"), Column("Damage", "figure"), Column("Left", "figure"),
                ),
                tuple(
                    (
                        str(one.target.distance), str(one.target.armour_class), f"{one.share} %", str(one.hits),
                        str(one.damage), str(one.left),
                    )
                    for one in struck
                ),
            ),
        ),
    )  # fmt: skip


def _first(fired: Burst, struck: Sequence[Struck], kind: Kind, times: int) -> tuple[Figure, ...]:
    """The bullets that hit the nearest target and their damage; nothing where there is none."""
    if not struck:
        return ()
    one = struck[0]
    bonus = f" + {fired.stat * times} (critical)" if kind == "critical" and one.hits else ""
    return (
        Figure("hits", "Bullets that hit the first target", one.hits, "", f"{one.how}, rounded up"),
        Figure("damage", "Damage to the first target", one.damage, "", f"{one.hits} × {fired.damage}{bonus}"),
    )


_PLACES = (
    (NOWHERE, "Nowhere: a quick shot"),
    *((_place(part.name), part.name if not part.region else f"{part.name} ({part.region.lower()})") for part in BODY),
)
_DOUBLE = (
    _number("luck_roll", "Luck check for a double critical", 1, 10, help="A d10, only if the shooter tries for one."),
    _number("second", "Second roll for the double critical", 1, 100),
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
                _number("skill", "Weapon skill", 0, 300, 30, "In per cent, before range and armour."),
                _number("perception", "Perception", 0, 20, 6, "Half of it adds to the range; 0 for a melee weapon."),
                _number("luck", "Luck", 1, 10, 7),
                _number("ap_now", "Action points now", 0, 99, 12),
            ),
        ),
        Group(
            "The weapon",
            (
                _number("range", "Range", 0, 200, 7, "In hexes."),
                _number("volatility", "Range volatility", 0, 50, 3, "Per cent a hex."),
                _number("damage", "Base damage", 0, 500, 3),
                _number("extra", "Extra damage", 0, 100, 1),
                _number("stat", "A critical adds", 0, 20, 9, "The attribute that the weapon names."),
                _number("ap", "AP of a quick shot", 0, 50, 3),
                _number("aim_ap", "AP more for an aimed one", 0, 50, 3),
            ),
        ),
        Group(
            "The target",
            (
                _number("distance", "Distance", 0, 200, 3, "In hexes."),
                _number("ac", "Armor class", 0, 200, 7),
                Asked("part", "Aimed at", "choice", default=NOWHERE, choices=_PLACES),
                _number("resistance", "Resistance of the armour", 0, 100, 0, "Per cent of damage, where it covers."),
                Asked("covered", "The armour covers the part aimed at", "yes", default=0),
            ),
        ),
        Group(
            "The roll",
            (
                _number("roll", "Rolled", 1, 100, help="Leave it open to see the chances alone."),
                *_DOUBLE,
                Asked("scratches", "Play the optional scratches", "yes", default=1),
            ),
        ),
    ),
)

BURST = Calculator(
    id="burst",
    name="Bursts",
    summary="How many bullets of a burst reach each target. The fields begin with the document's own example.",
    source="Document 002: The Burst Attack",
    reckon=reckon_burst,
    groups=(
        Group(
            "The shooter",
            (
                _number("skill", "Weapon skill", 0, 300, 60),
                _number("perception", "Perception", 0, 20, 4, "Half of it adds to the range."),
                _number("luck", "Luck", 1, 10, 4),
            ),
        ),
        Group(
            "The weapon",
            (
                _number("range", "Range", 0, 200, 15, "In hexes."),
                _number("bullets", "Bullets in a burst", 1, 200, 20),
                _number("damage", "Damage of a bullet", 0, 100, 2),
                _number("stat", "A critical adds", 0, 20, 0, "Usually Endurance, to each target that is hit."),
            ),
        ),
        Group("The roll", (_number("roll", "Rolled", 1, 100, 70, "High is good in a burst."), *_DOUBLE)),
        Group(
            "The targets",
            tuple(
                ask
                for n, (distance, ac) in zip(_TARGETS, ((3, 7), (4, 0), (None, None), (None, None)), strict=True)
                for ask in (
                    _number(f"distance{n}", f"Target {n}: distance", 0, 200, distance),
                    _number(f"ac{n}", f"Target {n}: armor class", 0, 200, ac, "0 where it has none." if n == 1 else ""),
                )
            ),
        ),
    ),
)

CALCULATORS = (SHOT, BURST)
