"""The printed sheets of a force: the force sheet with its figures, and the turn sheet for play."""

from collections.abc import Iterator

from validators.contract import Document, EditionInfo, Terms
from validators.names import counted
from validators.new_vegas.check import CHECKS, UNIT, model_words
from validators.new_vegas.edition import SCORES, Weapon
from validators.new_vegas.figures import of_force, of_squad
from validators.new_vegas.force import Force, Line, Squad, agility_at, detection, mustered, to_hit
from validators.new_vegas.scenarios import MOST_TURNS
from validators.sheet import Block, CardPart, CardUnit, Column, Facts, Lines, Sheet, Table, Track, copies, times

BANDS = ("1st", "2nd", "3rd", "4th")
"""The effective ranges in the table of distances."""
MOST_BOXES = 40
LEGEND = "AP: the level of armour that it negates. FP: the Endurance that a failed save costs. EF: its effective range."


def sheets(document: Document, terms: Terms) -> tuple[Sheet, ...]:
    """The force sheet and the turn sheet."""
    force = mustered(document, terms)
    title = document["name"] or "Force"
    below = f"{force.faction_name}, {force.total} {UNIT}"
    return (
        Sheet(title, below, tuple(_force_blocks(force))),
        Sheet(f"{title}, turn by turn", below, tuple(_turn_blocks(force))),
    )


def _force_blocks(force: Force) -> Iterator[Block]:
    verdict = CHECKS.verdict(force)
    word = "legal" if verdict.legal else "not legal"
    yield Facts(f"The force: {word}", of_force(force))
    for squad in force.squads:
        figures = of_squad(squad, force.edition)
        # Each model's detection range is shown with the model.
        yield Facts(f"{squad.label}, {squad.class_name}", tuple(one for one in figures if one.label != "Detects"))
    yield _models(force)
    shots = tuple(dict.fromkeys(_shots(force)))
    if shots:
        heads = [Column("Model and weapon"), *(Column(f"{band} range") for band in BANDS)]
        title = "To hit by distance: Agility is one less for each effective range after the first"
        yield Table(title, tuple(heads), shots)
    if weapons := _weapons(force):
        heads = [Column(head, "figure") for head in ("Attacks (A)", "Armour (AP)", "Fire power (FP)", "Range (EF)")]
        yield Table("Weapons", (Column("Weapon"), *heads, Column("Rules")), tuple(map(_weapon, weapons)))
        yield Lines("", (LEGEND,))
    if found := verdict.sentences():
        yield Lines("What the check found", found)


def _models(force: Force) -> Table:
    columns = [Column("Squad"), Column("Models"), *(Column(score[0].upper(), "figure") for score in SCORES)]
    columns += [Column("Melee", "figure"), Column("Shoots", "figure"), Column("Sees", "figure"), Column("Weapons")]
    rows = [(squad.label, *_model(line, force)) for squad, line in force.lines]
    return Table("Models: scores, rolls to hit, inches of detection", tuple(columns), tuple(rows))


def _model(line: Line, force: Force) -> tuple[str, ...]:
    scores = line.special
    rolls = (to_hit(score).split()[0] for score in (scores.strength, scores.agility))
    sees, weapons = f"{detection(scores.perception, force.edition)}″", ", ".join(one.name for one in line.weapons)
    return (copies(line.count, line.name), *(str(score) for _, score in scores), *rolls, sees, weapons)


def _shots(force: Force) -> Iterator[tuple[str, ...]]:
    """Each model's rolls with each of its ranged weapons, at one to four effective ranges."""
    for _, line in force.lines:
        for weapon in (carried.entry for carried in line.weapons):
            if weapon and weapon.ranged and weapon.range:
                reaches = [band * weapon.range for band in range(1, len(BANDS) + 1)]
                rolls = [(inches, to_hit(agility_at(line.special.agility, weapon.range, inches))) for inches in reaches]
                cells = [f"to {inches}″: {roll.split()[0]}" for inches, roll in rolls]
                yield (f"{line.name}, {weapon.name}", *cells)


def _weapons(force: Force) -> list[Weapon]:
    carried = [one.entry for _, line in force.lines for one in line.weapons]
    return sorted({weapon.name: weapon for weapon in carried if weapon}.values(), key=lambda weapon: weapon.name)


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    figures = map(str, (weapon.attacks, weapon.armour_penetration, weapon.fire_power))
    return (weapon.name, *figures, f"{weapon.range}″" if weapon.ranged else "–", weapon.needs)


def _turn_blocks(force: Force) -> Iterator[Block]:
    heads = ("Dice rolled", "6: Genius", "4–5: leader", "2–3: grunts", "1: SNAFU given", "SNAFU taken", "SNAFU kept")
    columns = (Column("Turn"), *(Column(head, "write") for head in heads))
    rows = tuple((str(n), *[""] * len(heads)) for n in range(1, MOST_TURNS + 1))
    yield Table("Turns: leadership dice by what they show, and SNAFU dice", columns, rows)
    yield Lines(
        "The dice of a turn",
        (
            f"Leadership dice at the start: {force.leadership_dice}, one for each point of Charisma that is left. With "
            "none left the force routs.",
            "6: Tactical Genius, an order to anyone that no enemy disrupts. 4–5: a leader. 2–3: a squad of grunts. "
            "1: SNAFU, given to the enemy at once.",
            "A SNAFU die taken: an order to one of your units, one enemy order cancelled as it is declared, or kept as "
            "a Tactical Genius for your next turn.",
            "A rally: a die for each point of Charisma, at least one, each less the squad's casualties. It fails where "
            "all are 1 or less; then the squad flees two dice of inches a turn to the nearest table edge.",
        ),
    )
    losses = [(f"{s.label}, {s.class_name}", ("M",) * s.markers + _boxes(s.models)) for s in force.squads]
    yield Track("Force markers (M), and models lost", tuple(losses))
    morale = [(f"{s.label}, {counted(s.rally_dice, 'die', 'dice')}", _boxes(MOST_TURNS)) for s in force.squads]
    yield Track("Morale: a box for each turn with a casualty", tuple(morale))
    if wounds := tuple(_wounds(force)):
        yield Track("Wounds, where a model takes more than one: its boxes begin at its number", wounds)
    luck = [(squad.label, squad.sum_of("luck")) for squad in force.squads]
    if pools := tuple((_counted(label, number), _boxes(number)) for label, number in luck if number):
        yield Track("Luck: cross off what is spent", pools)


def _wounds(force: Force) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The wound boxes of models that take more than one wound; the first box has the model's number."""
    for squad, line in force.lines:
        if line.special.endurance > 1:
            further = [""] * (line.special.endurance - 1)
            boxes = [box for n in range(1, line.count + 1) for box in (str(n), *further)]
            yield _counted(f"{line.name}, {squad.label}", len(boxes)), tuple(boxes[:MOST_BOXES])


def _boxes(number: int) -> tuple[str, ...]:
    return tuple(str(n) for n in range(1, min(number, MOST_BOXES) + 1))


def _counted(label: str, number: int) -> str:
    """The label, with the number if there are fewer boxes."""
    return f"{label}, {number} in all" if number > MOST_BOXES else label


def card(document: Document, edition: EditionInfo) -> tuple[CardUnit, ...]:
    """Every squad with its models, their scores and weapons, and its figures."""
    force = mustered(document, Terms(edition))
    return tuple(
        CardUnit(squad.name, squad.points, (squad.class_name,), tuple(_parts(squad, force))) for squad in force.squads
    )


def _parts(squad: Squad, force: Force) -> Iterator[CardPart]:
    """The squad's models, each with the points of its row, and the squad's figures."""
    letters = tuple(Column(score[0].upper(), "figure") for score in SCORES)
    priced, ticked = [], []
    for line in squad.lines:
        name, *rest = _model(line, force)
        scores, carried, each = rest[: len(SCORES)], rest[-1], line.special.points
        sum_ = " = ".join(filter(None, (times(line.count, each), str(line.points))))
        priced.append((name, *scores, carried, sum_))
        ticked.append((f"{name}\n{carried}", *scores, str(each), str(line.count)))
    heads = (Column("Models", share=0.2), *letters, Column("Weapons", share=0.27), Column("Points", "figure"))
    yield CardPart("", block=Table("", heads, tuple(priced)), on=("player", "judge"))
    heads = (Column("Models"), *letters, Column("Each", "figure"), Column("Out of play", "boxes"))
    yield CardPart("", block=Table("", heads, tuple(ticked)), on=("opponent",))
    figures = {one.label: one.value for one in of_squad(squad, force.edition)}
    figures["Leadership dice"] = str(squad.charisma)
    columns = tuple(Column(label, "figure") for label in figures)
    yield CardPart("", block=Table("", columns, (tuple(figures.values()),)))
    weapons = {one.name: one.entry for line in squad.lines for one in line.weapons}
    needs = [f"{name} ({weapon.needs})" for name, weapon in weapons.items() if weapon and weapon.needs]
    if needs:
        yield CardPart(f"Rules of weapons: {', '.join(needs)}", on=("judge",))


def text_lines(document: Document, edition: EditionInfo) -> list[str]:
    """The force as lines of plain text."""
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
