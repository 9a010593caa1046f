"""The printed sheets of a force: the force sheet with its figures, and the turn sheet for play."""

from collections.abc import Iterator

from languages.words import N_, apart, gettext, labelled, ngettext
from validators.contract import Document, EditionInfo, Terms
from validators.new_vegas.check import CHECKS, UNIT, model_words
from validators.new_vegas.edition import REFERENCE, SCORES, Weapon
from validators.new_vegas.figures import of_force, of_squad
from validators.new_vegas.force import Force, Squad, SquadLine, agility_at, detection, mustered, to_hit
from validators.new_vegas.scenarios import MOST_TURNS
from validators.sheet import BLANK_LOSSES as BLANK_LINES
from validators.sheet import Block, CardPart, CardUnit, Column, Lines, Sheet, Table, Track, copies, times, turn_row

BANDS = (N_("1st range"), N_("2nd range"), N_("3rd range"), N_("4th range"))
"""The effective ranges in the table of distances."""
MOST_BOXES = 40
BY_DISTANCE = N_(
    "A model’s Agility is 1 lower for each effective range after the first; the table allows for it. It is never below "
    "0: a 6 hits beyond the 4th range, too.†"
)
LEGEND = N_(
    "The document prints no armour, so there are no armour saves, unless the organiser’s rules give armour.† FP is the "
    "Endurance that a failed save costs.† EF is the effective range. In close combat a weapon with Assault makes all "
    "its attacks, another ranged one a single attack. A squad detects as its best model does.†"
)
WEAPON_FIGURES = (
    N_("Attacks (A)"),
    N_("Negates armour (AP)"),
    N_("Fire power (FP)"),
    N_("Range (EF)"),
)
DICE, ROUT, SNAFU = REFERENCE[0].rows, REFERENCE[1].lines[0], REFERENCE[2].lines[0]
MORALE = next(part.lines[0] for part in REFERENCE if part.title == "Morale")
"""What the turn sheet repeats of the reference sheet."""


TURNS = Track("", (turn_row(MOST_TURNS),))
BLANK_LOSSES = Track(N_("Losses: number each model’s first box, tick each wound"), BLANK_LINES.rows)


def losses(document: Document, edition: EditionInfo) -> Track:
    rows = (row for squad in mustered(document, Terms(edition)).squads for row in _wounds(squad))
    return Track("", tuple(rows))


def sheets(document: Document, terms: Terms) -> tuple[Sheet, ...]:
    force = mustered(document, terms)
    title = document["name"] or gettext("Force")
    below = f"{force.faction_name}, {force.total} {gettext(UNIT)}"
    return (
        Sheet(title, below, tuple(_force_blocks(force))),
        Sheet(gettext("%(force)s, turn by turn", force=title), below, tuple(_turn_blocks(force))),
    )


def _force_blocks(force: Force) -> Iterator[Block]:
    yield _squads(force, gettext("Force"))
    yield _models(force)
    shots = tuple(dict.fromkeys(_shots(force)))
    if shots:
        heads = [Column(gettext("Model and weapon")), *(Column(gettext(band)) for band in BANDS)]
        yield Table(gettext("To hit by distance"), tuple(heads), shots)
        yield Lines("", (gettext(BY_DISTANCE),))
    if weapons := _weapons(force):
        heads = [Column(gettext(head), "figure") for head in WEAPON_FIGURES]
        columns = (Column(gettext("Weapon")), *heads, Column(gettext("Rules")))
        yield Table(gettext("Weapons"), columns, tuple(map(_weapon, weapons)))
        yield Lines("", (gettext(LEGEND),))
    if texts := CHECKS.verdict(force).sentences():
        yield Lines(gettext("What the check found"), texts)


def _squads(force: Force, title: str) -> Table:
    """A row of figures for each squad, and those of the force."""
    figures = _figures(force)
    columns = (figures.columns[0], Column(gettext("Class")), Column(gettext("Models"), "figure"), *figures.columns[1:])
    rows = tuple(
        (name, squad.class_name, str(squad.models), *shown, str(squad.points))
        for squad, (name, *shown) in zip(force.squads, figures.rows, strict=True)
    )
    sums = {figure.label: figure.value.split()[0] for figure in of_force(force)}
    whole = gettext("%(n)s of %(all)s", n=force.total, all=force.size)
    together = (gettext("Total"), *(sums.get(column.head, "") for column in columns[1:]), whole)
    return Table(title, (*columns, Column(gettext("Points†"), "figure")), rows, together)


def _models(force: Force) -> Table:
    columns = [Column(gettext("Squad"), share=0.16), Column(gettext("Models"), share=0.15)]
    columns += [Column(score[0].upper(), "figure") for score in SCORES]
    columns += [Column(head, "figure") for head in (gettext("Melee"), gettext("Shoots"), gettext("Detects"))]
    columns.append(Column(gettext("Weapons")))
    rows = [(squad.label, *_model(line, force)) for squad, line in force.lines]
    return Table(gettext("Models"), tuple(columns), tuple(rows))


def _model(line: SquadLine, force: Force) -> tuple[str, ...]:
    scores = line.special
    rolls = (to_hit(score).split()[0] for score in (scores.strength, scores.agility))
    detects = f"{detection(scores.perception, force.edition)}″"
    return (copies(line.count, line.name), *(str(score) for _, score in scores), *rolls, detects, _carried(line))


def _carried(line: SquadLine) -> str:
    return ", ".join(weapon.name for weapon in line.weapons)


def _shots(force: Force) -> Iterator[tuple[str, ...]]:
    """Each model's rolls with each of its ranged weapons, at one to four effective ranges."""
    for _, line in force.lines:
        for weapon in (carried.entry for carried in line.weapons):
            if weapon and weapon.ranged and weapon.range:
                reaches = [band * weapon.range for band in range(1, len(BANDS) + 1)]
                rolls = [(inches, to_hit(agility_at(line.special.agility, weapon.range, inches))) for inches in reaches]
                cells = [
                    gettext("to %(inches)s″: %(roll)s", inches=inches, roll=roll.split()[0]) for inches, roll in rolls
                ]
                yield (f"{line.name}, {weapon.name}", *cells)


def _weapons(force: Force) -> list[Weapon]:
    carried = [named.entry for _, line in force.lines for named in line.weapons]
    return sorted({weapon.name: weapon for weapon in carried if weapon}.values(), key=lambda weapon: weapon.name)


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    figures = map(str, (weapon.attacks, weapon.armour_penetration, weapon.fire_power))
    return (weapon.name, *figures, f"{weapon.range}″" if weapon.ranged else "–", _rules(weapon))


def _rules(weapon: Weapon) -> str:
    """ "needs Strength 1, energy"."""
    needs = [gettext("needs Strength %(strength)s", strength=weapon.strength)] if weapon.strength else []
    needs += [gettext("energy")] * weapon.energy + ["Assault"] * weapon.assault
    return ", ".join(needs)


def _turn_blocks(force: Force) -> Iterator[Block]:
    heads = (
        gettext("Dice rolled"), gettext("6: Genius"), gettext("4–5: leader"), gettext("2–3: grunts"),
        gettext("1: SNAFU given"), gettext("SNAFU taken"), gettext("SNAFU kept"), gettext("Rally checks"),
    )  # fmt: skip
    columns = (Column(gettext("Turn")), *(Column(head, "write", share=0.115) for head in heads))
    rows = tuple((str(n), *[""] * len(heads)) for n in range(1, MOST_TURNS + 1))
    yield Table(gettext("Dice and rally checks of each turn"), columns, rows)
    begin = gettext(
        "Leadership dice: you begin with %(dice)s, one for each point of Charisma.", dice=force.leadership_dice
    )
    yield Lines(
        gettext("How to use the dice"),
        (
            f"{begin} {gettext(ROUT)}",
            *(labelled(gettext(die), gettext(what)) for die, what in DICE),
            gettext("SNAFU die from the enemy: %(rule)s", rule=gettext(SNAFU)),
            gettext("Rally check: %(rule)s", rule=gettext(MORALE)),
        ),
    )
    title = gettext("Losses: tick force markers and wounds; a model’s boxes begin at its number")
    yield Track(title, tuple(_losses(force)))
    counts = [(gettext("Leadership dice"), force.leadership_dice)]
    counts += [(gettext("Luck of %(squad)s", squad=squad.label), squad.sum_of("luck")) for squad in force.squads]
    if pools := tuple((_counted(label, number), _boxes(number)) for label, number in counts if number):
        yield Track(gettext("Dice: tick Luck when it is spent, leadership when it is lost"), pools)


def _losses(force: Force) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A row of boxes for each squad's force markers, then one for each line of models, with each model's wounds."""
    for squad in force.squads:
        yield gettext("%(squad)s: force markers", squad=squad.label), _boxes(squad.markers)
        yield from _wounds(squad)


def _wounds(squad: Squad) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in squad.lines:
        further = [""] * (line.special.endurance - 1)
        boxes = [box for n in range(1, line.count + 1) for box in (str(n), *further)]
        yield _counted(f"{squad.label}: {line.name}", len(boxes)), tuple(boxes[:MOST_BOXES])


def _boxes(number: int) -> tuple[str, ...]:
    return tuple(str(n) for n in range(1, min(number, MOST_BOXES) + 1))


def _counted(label: str, number: int) -> str:
    """The label, with the number if there are fewer boxes."""
    return gettext("%(label)s, %(n)s in all", label=label, n=number) if number > MOST_BOXES else label


def card(document: Document, edition: EditionInfo) -> tuple[CardUnit, ...]:
    force = mustered(document, Terms(edition))
    squads = [CardUnit(squad.name, squad.points, (squad.class_name,), _parts(squad)) for squad in force.squads]
    return (*squads, CardUnit("", None, parts=tuple(_together(force)))) if squads else ()


def _parts(squad: Squad) -> tuple[CardPart, ...]:
    """The squad's models, each with the points of its row."""
    letters = tuple(Column(score[0].upper(), "figure") for score in SCORES)
    priced, ticked, armed = [], [], []
    for line in squad.lines:
        name, each, carried = copies(line.count, line.name), line.special.points, _carried(line)
        scores = [str(score) for _, score in line.special]
        sum_ = " = ".join(filter(None, (times(line.count, each), str(line.points))))
        armed += [f"{line.name}: {carried}"] if carried else []
        priced.append((name, *scores, carried, sum_))
        ticked.append((name, *scores, str(each), str(line.count)))
    models, points = gettext("Models"), Column(gettext("Points†"), "figure")
    heads = (Column(models), *letters, Column(gettext("Weapons")), points)
    ticks = Column(gettext("Each"), "figure"), Column("", "boxes")
    boxes = (Column(models, share=0.22), *letters, *ticks)
    return (
        CardPart("", block=Table("", heads, tuple(priced)), on=("player", "judge")),
        *([CardPart(apart(armed), on=("opponent",))] if armed else []),
        CardPart("", block=Table("", boxes, tuple(ticked)), on=("opponent",)),
    )


def _together(force: Force) -> Iterator[CardPart]:
    """A row of figures for each squad, and the weapons by their rules."""
    yield CardPart("", block=_figures(force))
    yield CardPart(gettext("A model’s points are the sum of its SPECIAL."), on=("player", "judge"))
    known = _weapons(force)
    if assault := ", ".join(weapon.name for weapon in known if weapon.assault):
        yield CardPart(gettext("Assault weapons (all their attacks in close combat): %(weapons)s", weapons=assault))
    if strength := ", ".join(f"{weapon.name} {weapon.strength}" for weapon in known if weapon.strength):
        yield CardPart(gettext("Strength needed: %(weapons)s", weapons=strength), on=("player", "judge"))
    if energy := ", ".join(weapon.name for weapon in known if weapon.energy):
        yield CardPart(gettext("Energy weapons: %(weapons)s", weapons=energy), on=("player", "judge"))


def _figures(force: Force) -> Table:
    """The squads, a row for each, with their figures."""
    found = [of_squad(squad, force.edition) for squad in force.squads]
    heads = [*(figure.label for figures in found[:1] for figure in figures), gettext("Leadership dice")]
    rows = [
        (squad.label.replace(" ", "\u00a0", 1), *(figure.value for figure in figures), str(squad.charisma))
        for squad, figures in zip(force.squads, found, strict=True)
    ]
    return Table("", (Column(gettext("Squad totals")), *(Column(head, "figure") for head in heads)), tuple(rows))


def brings(document: Document, edition: EditionInfo) -> str:
    return ngettext("%(num)s force marker", "%(num)s force markers", mustered(document, Terms(edition)).markers)


def text_lines(document: Document, edition: EditionInfo) -> list[str]:
    force = mustered(document, Terms(edition))
    lines = [document["name"] or "Force", f"{force.faction_name}, {edition.name}", ""]
    for squad in force.squads:
        lines += [f"{squad.name} ({squad.class_name}), {squad.points} {UNIT}"]
        lines += [f"  {model_words(line)}" for line in squad.lines]
        lines.append("")
    if force.own_weapons:
        lines += ["Own weapons", *(f"  {weapon.name}: {weapon.figures}" for weapon in force.own_weapons), ""]
    lines += [
        f"{force.total} {UNIT}, {force.models} models, {force.leadership_dice} leadership dice, "
        f"{force.markers} force markers",
        "Scores: Strength, Perception, Endurance, Charisma, Intelligence, Agility, Luck",
    ]
    return lines
