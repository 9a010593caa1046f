"""The printed sheets of a side: a sheet for each character, and the turn-sequence sheet of a bout."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from languages.words import N_, apart, gettext, listed, ngettext, pgettext, signed, with_nbsp
from validators.contract import Document, EditionInfo, Terms
from validators.sheet import (
    LINE,
    Block,
    CardPart,
    CardUnit,
    Column,
    Derived,
    LabelledFigures,
    Lines,
    Sheet,
    Table,
    Track,
    copies,
    turn_row,
)
from validators.skill_combat import attack
from validators.skill_combat.check import CHECKS
from validators.skill_combat.edition import BODY, SPECIAL, BodyPart, Weapon
from validators.skill_combat.figures import action_points, cripples, regeneration, regions, sequence
from validators.skill_combat.force import Character, Side, side_of
from validators.skill_combat.turns import AWAY, RUN, flight, in_turn

TURNS = 8
"""The turns for which a sheet and the player's card have room."""
OPPONENTS = 3
MOST_BOXES = 200
SHORT = {
    "Health Points": "HP", "Armor Class": "AC", "Detection Class": "Detection (DC)", "Action Points": "AP",
    "Sequence": "Sequence",
}  # fmt: skip
"""Labels of questions at the table, in the document's short forms."""
SHOT = N_(
    "To hit, roll the number after ≤ less the target’s AC, or lower; the margin is that number less the roll. Your LK "
    "or lower always hits, as a critical with a margin of at least 16.† Damage is for margins of 0–15 / 16–30 / 31–45, "
    "and each 15 more adds the same step."
)
COVERED = N_(
    "A hit that was not aimed counts as covered, unless it is critical. For aimed ones agree which parts are covered."
)
USED = N_(
    "The inventory costs 4 AP. The document prints no figures for the effects of items: agree on them before the bout."
)
DISTANCES = (1, 5, 10, 15)
TO_WRITE = "_" * 6
TURN_TRACK = Track("", (turn_row(2 * TURNS),))
BLANK_LOSSES = Track("", ((f"{LINE} Seq. {TO_WRITE}", tuple(map(str, range(1, 46)))),) * 2)
"""For two characters of level 1, whose names, Sequence and at most 15 + 10 + 2 × 10 hit points players note."""


def figures_of(character: Character, side: Side) -> tuple[Derived, ...]:
    return (*character.figures, *skills_of(character, side))


def skills_of(character: Character, side: Side) -> tuple[Derived, ...]:
    """A character's skills: those with a formula, then the others that the character has."""
    skills = [skill for skill in side.edition.file.skills if skill.of]
    skills += [line.entry for line in character.skills if line.entry and not line.entry.of]
    given = [
        Derived(line.name, f"{line.points} %", gettext("as given")) for line in character.skills if line.entry is None
    ]
    return (*(character.skill(skill).shown(skill.name, " %") for skill in dict.fromkeys(skills)), *given)


def losses(document: Document, edition: EditionInfo) -> Track:
    rows = ((character.label, _hit_boxes(character)) for character in side_of(document, Terms(edition)).characters)
    return Track("", tuple(rows))


def sheets(document: Document, terms: Terms) -> tuple[Sheet, ...]:
    side = side_of(document, terms)
    subtitle = f"{side.faction_name}, {terms.edition.name}"
    if not side.characters:
        return (Sheet(gettext("Characters"), subtitle, (Lines("", (gettext("No character yet."),)),)),)
    return tuple(sheet for character in side.characters for sheet in (
        Sheet(character.label, subtitle, (*_character(character, side), _order(side))),
        Sheet(gettext("%(character)s, turns and body", character=character.label), subtitle,
              (_turns(character), *_body(character))),
    ))  # fmt: skip


def _row_of(title: str, figures: Iterable[tuple[str, int | str]]) -> Table:
    """A table of one row, from heads and figures."""
    heads, values = zip(*figures, strict=True)
    return Table(title, tuple(Column(head, "figure") for head in heads), (tuple(map(str, values)),))


def _character(character: Character, side: Side) -> tuple[Block, ...]:
    blocks: list[Block] = [
        _row_of("SPECIAL", character.special.items()),
        Track(gettext("HP: tick each point lost"), (("", _hit_boxes(character)),)),
    ]
    if character.weapons:
        blocks += _weapons(character, side)
    # A bout needs these, and no other table has them.
    needed = {*SHORT, gettext("Critical success"), gettext("Critical failure")} - {"Sequence"}
    shown = tuple(figure for figure in character.figures if figure.label in needed)
    blocks.append(LabelledFigures(gettext("Figures"), (*shown, *skills_of(character, side))))
    blocks += [Lines(gettext("Worn"), (*_worn(character), gettext(COVERED)))] if character.worn else []
    blocks += [Lines(gettext("Carried"), (apart(_items(character)), gettext(USED)))] if character.items else []
    used = [
        (gettext("%(item)s used", item=item.name), ("",) * item.count)
        for item in character.items
        if item.count <= TURNS
    ]
    blocks += [Track("", tuple(used))] if used else []
    blocks.append(Lines(gettext("To flee"), _fleeing(character)))
    texts = CHECKS.verdict(side).about(character.place).sentences()
    if texts:
        blocks.append(Lines(gettext("What the check found"), texts))
    return tuple(blocks)


def _hit_boxes(character: Character) -> tuple[str, ...]:
    return tuple(str(n) for n in range(1, min(character.hit_points.value, MOST_BOXES) + 1))


def _worn(character: Character) -> list[str]:
    suit = character.armour
    if not character.worn or not suit:
        return [character.worn.name] if character.worn else []
    return [
        gettext(
            "%(armour)s: AC %(ac)s, %(share)s %% off damage where it covers",
            armour=character.worn.name, ac=signed(suit.ac), share=suit.resistance,
        )
    ]  # fmt: skip


def _items(character: Character) -> list[str]:
    return [copies(item.count, item.name) for item in character.items]


def _known(character: Character) -> list[Weapon]:
    return [carried.figures for carried in character.weapons if carried.figures]


def _without_ap(character: Character) -> Iterator[str]:
    for gun in _known(character):
        if not gun.ap:
            yield gettext("No AP are printed for the %(weapon)s: agree on a number and write it in.", weapon=gun.name)


def _weapons(character: Character, side: Side) -> list[Block]:
    """Each weapon with its chances, and sentences on how it hits."""
    known = _known(character)
    shares = (
        (gettext("Weapon"), 0.26), (gettext("Damage"), 0.1), (gettext("Critical"), 0.1), ("AP", 0.14),
        *((head, 0.095) for head in _ranges()),
    )  # fmt: skip
    heads = tuple(Column(head, share=share) for head, share in shares)
    table = Table(
        gettext("Weapons, to hit by distance"), heads, tuple(_weapon(character, side, weapon) for weapon in known)
    )
    return [table, Lines("", (*_hitting(character), *_without_ap(character)))] if known else [table]


def _ranges() -> list[str]:
    return [with_nbsp(ngettext("%(num)s hex", "%(num)s hexes", distance)) for distance in DISTANCES]


@dataclass(frozen=True)
class _Fire:
    """A weapon's figures for one character, as texts for tables."""

    skill: str
    critical: str
    damage: str
    ap: tuple[str, ...]
    chances: tuple[str, ...]
    """At each of DISTANCES: the chance, from which the margin counts, or the lowest roll with which a burst hits."""


def _fire(character: Character, side: Side, weapon: Weapon) -> _Fire:
    value = character.per_cent(weapon.skill, side.edition)
    known, critical = f"{weapon.skill} {value} %", f"+{character.special[weapon.stat]} ({weapon.stat})"
    if weapon.mode == "burst":
        reach = attack.reach(weapon.range, character.special["PE"]).value
        rolls = tuple(f"≥ {max(1, 100 - value)}" if distance <= reach else "–" for distance in DISTANCES)
        burst = f"{weapon.bullets} × {weapon.damage}"
        return _Fire(known, critical, burst, (str(weapon.ap or TO_WRITE),), rolls)
    reach = attack.reach(weapon.range, character.special["PE"]).value if weapon.range else 0
    chances = (attack.chance(value, reach, d, weapon.volatility, 0).value for d in DISTANCES)
    steps = [max(0, weapon.damage + step * weapon.extra) for step in (-1, 0, 1)] if weapon.extra else [weapon.damage]
    damage = " / ".join(map(str, steps))
    ap = (f"{weapon.ap}", gettext("aimed %(ap)s", ap=weapon.ap + weapon.aim_ap)) if weapon.ap else (TO_WRITE,)
    return _Fire(known, critical, damage, ap, tuple(f"≤ {chance}" if chance > 0 else "LK" for chance in chances))


def _weapon(character: Character, side: Side, weapon: Weapon) -> tuple[str, ...]:
    fire = _fire(character, side, weapon)
    name = f"{weapon.name} ({fire.skill})"
    return (name, fire.damage, fire.critical, ", ".join(fire.ap), *fire.chances)


def _body(character: Character) -> tuple[Block, ...]:
    """The parts of which a body has one, then those of which it has two, and when they cripple a region."""
    title = gettext("Body: write down the damage that each part takes")
    heads = (gettext("Aimed to hit†"), gettext("Aimed damage†"), gettext("Crippled at"))
    tables = []
    for name, sides in (
        (title, (gettext("Damage taken"),)),
        ("", (pgettext("side", "Left"), pgettext("side", "Right"))),
    ):
        taken = (Column(side, "write", share=0.2 / len(sides)) for side in sides)
        figures = (Column(head, "figure") for head in heads)
        columns = (Column(pgettext("body", "Part"), share=0.13), *figures, *taken, Column(gettext("Effect")))
        parts = [part for part in BODY if part.many == len(sides)]
        tables.append(Table(name, columns, tuple(_part(part, character) for part in parts)))
    return (*tables, Lines("", (regions(),)))


def _part(part: BodyPart, character: Character) -> tuple[str, ...]:
    penalty, damage = attack.aim(part)
    aimed = f"−{penalty} %" if penalty else "0 %", signed(damage) if damage else "0"
    falls = cripples(part, character.special["EN"], character.hit_points.value)
    return (
        f"{'· ' * bool(part.region)}{gettext(part.name)}",
        *aimed,
        str(falls),
        *[""] * part.many,
        gettext(part.crippled),
    )


def _order(side: Side) -> Table:
    """The side's characters by their Sequence, with rows for enemies."""
    rows = []
    for each in sorted(side.characters, key=lambda each: -each.special["PE"]):
        figures = (sequence(each.special), action_points(each.special), each.hit_points)
        rows.append(("", each.label, *(str(figure.value) for figure in figures)))
    heads = (Column(head, "write", share=0.12) for head in ("Sequence", "AP", "HP"))
    columns = (Column(pgettext("rank", "Place"), "write", share=0.1), Column(gettext("Character"), "write"), *heads)
    title = gettext("Order of turns: add the enemies; the highest Sequence is place 1, if equal the higher 1d10†")
    return Table(title, columns, (*rows, *[("", "", "", "", "")] * OPPONENTS))


def _fleeing(character: Character) -> tuple[str, ...]:
    most, luck = action_points(character.special).value, character.special["LK"]
    known = next((line for line in character.skills if line.name == "Sneak"), None)
    sneak = (
        f"Sneak ({character.value_of(known)} %)"
        if known
        else gettext("Sneak (no formula is printed: agree on its per cent)")
    )
    return (
        ngettext(
            "Get %(num)s hex or more from all enemies: in each turn there, roll 1d10: on %(luck)s (LK) or less they "
            "give up.† A run goes %(run)s hexes, or %(far)s with all %(most)s AP.",
            "Get %(num)s hexes or more from all enemies: in each turn there, roll 1d10: on %(luck)s (LK) or less they "
            "give up.† A run goes %(run)s hexes, or %(far)s with all %(most)s AP.",
            AWAY, luck=luck, run=RUN, far=flight(most, "whole").value, most=most,
        ),
        gettext(
            "Hide about 4 hexes from those who see you: roll %(sneak)s less the DC of every enemy within its PE in "
            "hexes, plus cover, and again in each of the 3 turns that they search; then they give up. A critical "
            "success hides you for good; on a critical failure all within 5 hexes see you.",
            sneak=sneak,
        ),
        gettext("Talk for 2 AP to all enemies, by Speech: their trust starts 30 lower. Beasts do not listen."),
    )  # fmt: skip


def turn_order(a: Document, b: Document, edition: EditionInfo) -> tuple[str, ...]:
    """The turn order over both sides: who acts first, who next."""
    acting = [
        (f"{character.label} ({letter})", character.special["PE"])
        for letter, document in (("A", a), ("B", b))
        for character in side_of(document, Terms(edition)).characters
    ]
    return tuple(
        gettext("%(names)s %(value)s, the higher 1d10 first", names=listed(names), value=value)
        if len(names) > 1
        else f"{names[0]} {value}"
        for value, names in in_turn(acting)
    )


def _turns(character: Character) -> Table:
    back = regeneration(character.special)
    title = gettext(
        "Turns: %(most)s AP in the first, never more; AP back standing +%(standing)s, walking +%(walking)s, jogging "
        "+%(jogging)s, running 0",
        most=action_points(character.special).value,
        **{way: gained.value for way, gained in back.items()},
    )
    heads = (gettext("AC added"), gettext("Hexes moved"), gettext("AP back"), gettext("AP for next turn"))
    spent = Column(gettext("AP spent on"), "write", share=0.3)
    return Table(
        title,
        (Column(gettext("Turn")), spent, *(Column(head, "write") for head in heads)),
        tuple((str(turn), "", "", "", "", "") for turn in range(1, TURNS + 1)),
    )


def card(document: Document, edition: EditionInfo) -> tuple[CardUnit, ...]:
    side = side_of(document, Terms(edition))
    return tuple(_unit(character, side) for character in side.characters)


def _unit(character: Character, side: Side) -> CardUnit:
    short = [(SHORT[figure.label], figure.value) for figure in character.figures if figure.label in SHORT]
    fired = {_fire(character, side, weapon).skill for weapon in _known(character)}
    skills = [said for skill in skills_of(character, side) if (said := f"{skill.label} {skill.value}") not in fired]
    armed = [_weapon_on_card(character, side, weapon) for weapon in _known(character)]
    figures = (gettext("Damage"), "AP", gettext("AP aimed"), *_ranges())
    heads = (Column(gettext("Weapon"), "fixed"), *(Column(head, "figure") for head in figures))
    weapons = [CardPart("", block=Table("", heads, tuple(armed)))] if armed else []
    weapons += [CardPart(_skilled(character, side, weapon)) for weapon in _known(character)]
    weapons += [CardPart(" ".join(_hitting(character)), on=("player", "opponent"))] if armed else []
    lost = CardPart("", block=Track("", ((gettext("HP lost"), _hit_boxes(character)),)), on=("player", "opponent"))
    turns = tuple(Column(str(turn), "write", share=0.1) for turn in range(1, TURNS + 1))
    left = Table("", (Column(gettext("End of turn")), *turns), ((gettext("AP left"), *[""] * TURNS),))
    gear = (*(weapon.name for weapon in character.weapons if not weapon.figures), *_items(character))
    parts = (
        CardPart("", block=_row_of("", character.special.items())),
        CardPart(", ".join(skills), block=_row_of("", short), on=("player", "opponent")),
        CardPart("", block=_sums(character, side), on=("judge",)),
        *weapons,
        *(CardPart(gettext("Worn: %(armour)s", armour=worn), on=("player", "opponent")) for worn in _worn(character)),
        *([CardPart(gettext("Carried: %(gear)s", gear=apart(gear)), on=("player", "opponent"))] if gear else []),
        lost,
        CardPart("", block=left, on=("player",)),
    )
    return CardUnit(character.label, character.points, (gettext("Level %(level)s", level=character.level),), parts)


def _sums(character: Character, side: Side) -> Table:
    """The judge's table: SPECIAL, figures, skills and gear, each with a box to tick and its arithmetic."""
    special = " + ".join(str(value) for _, value in character.special.items())
    own = [figure for figure in character.figures if figure.label in SHORT]
    figures = [Derived("SPECIAL", str(character.points), special), *own, *skills_of(character, side)]
    rows = [("", figure.label, figure.how, figure.value) for figure in figures]
    gear = (*(weapon.name for weapon in character.weapons), *_worn(character), *_items(character))
    rows += [("", gettext("Gear"), apart(gear), "")] if gear else []
    named, sums = Column(gettext("Figure"), "fixed"), Column(gettext("Adds up from"))
    columns = (Column("", "tick"), named, sums, Column(gettext("Value"), "figure"))
    return Table("", columns, tuple(rows))


def _weapon_on_card(character: Character, side: Side, weapon: Weapon) -> tuple[str, ...]:
    """A weapon's row on the card, with the AP of an aimed shot, which a burst cannot be."""
    fire = _fire(character, side, weapon)
    aimed = TO_WRITE if weapon.mode != "burst" else "–"
    ap = (str(weapon.ap), str(weapon.ap + weapon.aim_ap)) if len(fire.ap) > 1 else (fire.ap[0], aimed)
    return (weapon.name, fire.damage, *ap, *fire.chances)


def _skilled(character: Character, side: Side, weapon: Weapon) -> str:
    """A weapon's skill, what its critical adds, and what to do if no AP are printed."""
    fire = _fire(character, side, weapon)
    said = gettext(
        "%(weapon)s: %(skill)s, critical %(critical)s", weapon=weapon.name, skill=fire.skill, critical=fire.critical
    )
    return said if weapon.ap else gettext("%(said)s; no AP are printed: agree on a number", said=said)


def _hitting(character: Character) -> Iterator[str]:
    """Sentences on how the weapons of a table hit."""
    known = _known(character)
    if any(weapon.mode != "burst" for weapon in known):
        yield gettext(SHOT)
    if burst := next((weapon for weapon in known if weapon.mode == "burst"), None):
        bullets, damage = burst.bullets, burst.damage
        yield ngettext(
            "%(num)s × %(damage)s: a burst of %(num)s bullet with %(damage)s damage. It hits on the roll after ≥ or "
            "higher, and the target’s AC lowers the number of bullets.",
            "%(num)s × %(damage)s: a burst of %(num)s bullets with %(damage)s damage each. It hits on the roll after ≥ "
            "or higher, and the target’s AC lowers the number of bullets.",
            bullets,
            damage=damage,
        )


def text_lines(document: Document, edition: EditionInfo) -> list[str]:
    side = side_of(document, Terms(edition))
    head = f"{document['name'] or 'Side'}: {side.faction_name}, {side.total} SPECIAL points"
    return [head, *(line for character in side.characters for line in _lines(character))]


def _lines(character: Character) -> list[str]:
    gear = [carried.name for carried in character.gear] + [f"{item.count} × {item.name}" for item in character.items]
    return [
        "",
        f"{character.name}, level {character.level}",
        ", ".join(f"{name} {character.special[name]}" for name in SPECIAL),
        *(f"  {figure.label}: {figure.value} ({figure.how})" for figure in character.figures),
        *(f"  {line.name}: {character.value_of(line)} %" for line in character.skills),
        f"  Carries: {', '.join(gear) or 'nothing'}",
    ]
