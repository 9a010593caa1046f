"""The army on paper and as plain text: troops with boxes for casualties, vehicles, weapons, skills."""

import re
from collections import Counter
from collections.abc import Iterator

from languages.words import N_, counted_points, gettext, labelled, minus, ngettext, pgettext, with_nbsp
from validators.contract import Document, EditionInfo, Terms
from validators.fallout_warfare.check import CHECKS, figures_line, grenades_line, mines_line, priced_line
from validators.fallout_warfare.edition import STATISTICS, Mode, Mounted, own_attack
from validators.fallout_warfare.force import Army, Figures, Squad, priced
from validators.scenario import Scenario
from validators.sheet import (
    Block,
    CardPart,
    CardUnit,
    Column,
    Derived,
    Lines,
    Sheet,
    Table,
    Track,
    TrackRow,
    boxes_of,
    copies,
    of_most,
    times,
)

SUMS = (N_("Dead"), N_("Retreated, in full"), N_("Over a wrong edge, not under Dead"))
"""The sums that a scoresheet asks for, in points."""
MARKS = {"dead": N_("✓ dead"), "retreated": N_("R retreated"), "strayed": N_("X wrong edge")}
"""How to mark what is lost, by the scenarios' figures for it."""
RADIUS = re.compile(r" \(\d+″ \w+\)$")
"""The radius of Appendix B after a save, "+2 (2″ AE)"; the sheet has the one that is played, in its own table."""


def figures_of(army: Army) -> tuple[Derived, ...]:
    """The army's derived figures: its total, the points left, and how far the limits on heroes and weapons are used."""
    parts = [squad.points for squad in army.squads] + [drive.points for drive in army.vehicles]
    if army.mines:
        parts.append(army.mine_points)
    heroes = [times(m.count, m.own_points) or f"{m.own_points}" for m in army.models if m.hero]
    return (
        Derived(gettext("Total"), counted_points(army.total), f"{' + '.join(map(str, parts)) or '0'} = {army.total}"),
        Derived(gettext("Left"), counted_points(army.size - army.total), minus(f"{army.size} − {army.total}")),
        Derived(
            gettext("Heroes"),
            of_most(army.hero_count, army.heroes_allowed),
            ngettext("%(num)s squad / 2, rounded up", "%(num)s squads / 2, rounded up", army.squad_count),
        ),
        Derived(
            gettext("Points on heroes"),
            of_most(army.hero_points, army.hero_points_allowed),
            gettext(
                "%(sum)s without gear; a quarter of the size, %(size)s", sum=" + ".join(heroes) or "0", size=army.size
            ),
        ),
        Derived(
            gettext("Points on other factions"),
            of_most(army.foreign_points, army.total // 4),
            gettext("a quarter of the army’s own total, %(total)s, rounded down", total=army.total),
        ),
        Derived(
            gettext("Vehicles"),
            of_most(len(army.vehicles), army.vehicles_allowed),
            gettext("one for each whole 200 of the size"),
        ),
    )


def out_of_play() -> str:
    """How to mark each way in which a figure leaves the game."""
    return ", ".join(map(gettext, MARKS.values()))


def sheets(document: Document, terms: Terms) -> tuple[Sheet, ...]:
    army = priced(document, terms)
    verdict = CHECKS.verdict(army)
    blocks: list[Block] = [_troops(army)]
    if army.squads:
        sums = tuple(Column(gettext(head), "write") for head in SUMS)
        blocks.append(Table(gettext("Sums for the scoresheet, in points"), sums, (("",) * len(SUMS),)))
    if army.vehicles:
        blocks.append(_vehicles(army))
    if army.mines:
        rows = tuple((name, ("",) * army.mines) for name in (gettext("Mines"), gettext("Decoys")))
        blocks.append(Track(gettext("Mines and decoys"), rows))
    blocks.append(_weapons(army))
    blocks += _scatter(army)
    if notes := _notes(army):
        blocks.append(Lines(gettext("Items and what is special"), notes))
    if texts := verdict.sentences():
        said = gettext("The check: legal, with questions") if verdict.legal else gettext("The check: not legal")
        blocks.append(Lines(said, texts))
    about = [army.faction_name, counted_points(army.total), terms.edition.name]
    if [squad.number for squad in army.squads] != [*range(1, len(army.squads) + 1)]:
        about.append(gettext("squads numbered as in the roster"))
    return (Sheet(document["name"] or gettext("Army sheet"), ", ".join(about), tuple(blocks)),)


def _troops(army: Army) -> Table:
    """The figures by squad, equal ones in a row, with a box for each hit point of each; at 0 one is unconscious."""
    heads = [Column(name, "figure") for name in (*STATISTICS, "HP", "AC", gettext("Each"))]
    columns = Column(gettext("Squad"), share=0.1), Column(pgettext("models", "Figures")), *heads, Column("HP", "boxes")
    rows = tuple(row for squad in army.squads for row in _squad_rows(squad))
    lost = ", ".join((gettext("/ HP lost"), out_of_play()))
    return Table(labelled(gettext("Troops, with a box for each hit point"), lost), columns, rows)


def _squad_rows(squad: Squad) -> Iterator[tuple[str, ...]]:
    speeds = [model.profile.statistic("AG") for model in squad.models if model.profile]
    moves = with_nbsp(gettext("moves %(inches)s″", inches=min(speeds))) if speeds else ""
    first = f"{squad.number}{f' {squad.name}' if squad.name else ''}\n{moves}"
    for model in squad.models:
        profile = model.profile
        shown = [str(v) for v in (*profile.special, _hit_points(model), profile.ac)] if profile else ["–"] * 9
        who = copies(model.count, model.label)
        if model.level > 1:
            who = gettext("%(who)s of level %(level)s", who=who, level=model.level)
        grenades = grenades_line(model) if model.grenades else ""
        own = gettext("own attacks") if model.troop and model.troop.weapons == "own" else ""
        skills = (f"{name} ({level})" for name, level in model.skill_levels.items())
        carried = (item.name for item in model.items)
        arms = ", ".join(filter(None, (model.weapon_name, grenades, own, *carried, *skills)))
        yield (first, f"{who}\n{arms}", *shown, str(model.each), boxes_of(model.count, _hit_points(model)))
        first = ""


def _armed(model: Figures) -> str:
    if not model.weapon_name:
        return model.label
    return gettext("%(models)s with %(weapons)s", models=model.label, weapons=model.weapon_name)


def losses(document: Document, edition: EditionInfo) -> Track:
    """The figures of each squad and the vehicles with their points, and a box for each; equal figures in one row.

    The first row of a squad has its name or number. Weapons tell apart figures of one squad with the same label.
    """
    army, rows = priced(document, Terms(edition)), list[TrackRow]()
    for squad in army.squads:
        alike, name = Counter[tuple[str, str, int]](), squad.name or str(squad.number)
        for model in squad.models:
            alike[model.label, _armed(model), model.each] += model.count
        kinds = Counter(who for who, *_ in alike)
        for place, ((who, armed, each), count) in enumerate(alike.items()):
            said = armed if kinds[who] > 1 else who
            label = f"{count} × {said}" if count > 1 else said
            rows.append((f"{label if place else f'{name}: {label}'} ({each})", ("",) * count))
    rows += [(f"{drive.name} ({drive.points})", ("",)) for drive in army.vehicles]
    return Track("", tuple(rows))


def losses_title(scenario: Scenario | None) -> str:
    """How to mark the losses that a scenario asks for."""
    asked = {question.key.rpartition(".")[2] for question in scenario.questions} if scenario else {*MARKS}
    marks = ", ".join(gettext(words) for what, words in MARKS.items() if what in asked or what == "dead")
    return gettext("Losses, with the points of each: %(marks)s", marks=marks)


def _hit_points(model: Figures) -> int:
    return model.profile.hp + model.level - 1 if model.profile else 1


def _vehicles(army: Army) -> Table:
    heads = (
        gettext("Vehicle"), pgettext("vehicle", "Move"), gettext("Turn radius"), gettext("Passengers"),
        gettext("Threshold"), gettext("Hit points"),
    )  # fmt: skip
    rows = []
    for drive in army.vehicles:
        v = drive.entry
        shown = (v.move, v.turn, str(v.passengers), str(v.threshold), v.hit_points) if v else ("–",) * 5
        rows.append((drive.name, *shown, str(drive.points), "1"))
    columns = (*map(Column, heads), Column(gettext("Points"), "figure"), Column(out_of_play(), "boxes"))
    return Table(gettext("Vehicles"), columns, tuple(rows))


def _weapons(army: Army) -> Table:
    """The rows of the weapon table that this army uses."""
    used, bare = _carried(army), any(model.may_be_armed and not model.armed for model in army.models)
    rows = tuple(
        (weapon.name, weapon.roll, mode.type, *_played(mode))
        for weapon in army.edition.weapons
        if weapon.name in used or (weapon.points == 0 and bare)
        for mode in weapon.modes
    )
    rows += tuple(
        (name, "AG" if attack.startswith("Ranged") else "ST", gettext("Own"), *own_attack(attack))
        for name, attacks in {m.name: m.troop.attacks for m in army.models if m.troop}.items()
        for attack in attacks
    )
    rows += tuple(
        (own.name, own.roll, own.mode.type, *_played(own.mode))
        for own in {own.name: own for own in _mounted(army)}.values()
    )
    heads = (
        gettext("Weapon"), gettext("Roll"), gettext("Type"), gettext("Range"), pgettext("armour", "Save"),
        gettext("Damage"),
    )  # fmt: skip
    columns = tuple(map(Column, heads))
    return Table(gettext("Weapons"), columns, tuple(tuple(map(minus, row)) for row in rows))


def _played(mode: Mode) -> tuple[str, str, str]:
    """Range, save and damage, without a radius: the area effects have the one that is played."""
    reach, save, damage = mode.said
    return reach, RADIUS.sub("", save), damage


def _carried(army: Army) -> set[str]:
    """The names of the weapons in use; smoke and EMP grenades are thrown like others."""
    is_thrown = any(
        model.grenades or any("Grenade" in carried.name for carried in model.items) for model in army.models
    )
    thrown = {"Grenade"} if is_thrown else set[str]()
    return {model.weapon_name for model in army.models} | thrown


def _mounted(army: Army) -> list[Mounted]:
    return [drive.entry.weapon for drive in army.vehicles if drive.entry and drive.entry.weapon]


def _scatter(army: Army) -> tuple[Table, ...]:
    """The rows of the scatter table that this army uses."""
    used = _carried(army) | {own.name for own in _mounted(army)}
    rows = tuple((row.name, row.distance, row.area) for row in army.edition.scatter if row.name in used)
    columns = (Column(gettext("Attack")), Column(gettext("Scatters")), Column(gettext("Area†")))
    title = gettext("Area effects: a direction of 1 or 2 hits the target")
    return (Table(title, columns, rows),) if rows else ()


def _notes(army: Army) -> tuple[str, ...]:
    notes = []
    for model in army.models:
        if model.troop and model.troop.special:
            notes.append(f"{model.name}: {'; '.join(map(gettext, model.troop.special))}")
        notes += [f"{item.name}: {gettext(item.entry.use)}" for item in model.items if item.entry and item.entry.use]
    notes += [f"{own.name}: {gettext(own.use)}" for own in _mounted(army) if own.use]
    return tuple(dict.fromkeys(map(minus, notes)))


def card(document: Document, edition: EditionInfo) -> tuple[CardUnit, ...]:
    army = priced(document, Terms(edition))
    squads = (
        CardUnit(
            squad.name or _numbered(squad),
            squad.points,
            (_numbered(squad),) if squad.name else (),
            (
                CardPart("", block=_priced(squad), on=("player",)),
                CardPart("", block=_priced(squad, ticks=True), on=("judge",)),
                CardPart("", block=_to_tick(squad), on=("opponent",)),
            ),
        )
        for squad in army.squads
    )
    drives = (CardUnit(drive.name, drive.points, (gettext("Vehicle"),)) for drive in army.vehicles)
    mines = (CardUnit(mines_line(army), army.mine_points),) if army.mines else ()
    return (*squads, *drives, *mines)


def _priced(squad: Squad, *, ticks: bool = False) -> Table:
    """The squad's figures with the points of their parts, and of all; with ``ticks`` a box for each row."""
    rows = [
        (
            *[""] * ticks,
            priced_line(model),
            " = ".join(filter(None, (times(model.count, model.each), str(model.points)))),
        )
        for model in squad.models
    ]
    boxes = [Column("", "tick")] * ticks
    figures, points = Column(pgettext("models", "Figures")), Column(gettext("Points"), "figure")
    return Table("", (*boxes, figures, points), tuple(rows))


def _to_tick(squad: Squad) -> Table:
    """The points of each figure, which the opponent scores, and a box for each."""
    rows = tuple((figures_line(model), _each(model), str(model.count)) for model in squad.models)
    figures, points = Column(pgettext("models", "Figures")), Column(gettext("Points"), "figure")
    return Table("", (figures, points, Column(out_of_play(), "boxes")), rows)


def _numbered(squad: Squad) -> str:
    return gettext("Squad %(number)s", number=squad.number)


def _each(model: Figures) -> str:
    return gettext("%(points)s each", points=model.each) if model.count > 1 else str(model.each)


def text_lines(document: Document, edition: EditionInfo) -> list[str]:
    army = priced(document, Terms(edition))
    lines = [f"Fallout: Warfare army of {army.faction_name}, {army.total} points"]
    if document["name"]:
        lines.append(document["name"])
    for squad in army.squads:
        lines += ["", f"Squad {squad.number}{f', {squad.name}' if squad.name else ''} [{squad.points}]"]
        lines += [f"  {figures_line(model)} [{model.points}]" for model in squad.models]
    if army.vehicles or army.mines:
        lines.append("")
    lines += [f"{drive.name} [{drive.points}]" for drive in army.vehicles]
    if army.mines:
        lines.append(f"{army.mines} mines [{army.mine_points}]")
    return lines
