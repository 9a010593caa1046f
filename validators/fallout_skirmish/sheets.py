"""A group on paper and as plain text: the roster, the character sheets, and the derived figures."""

from collections.abc import Iterator, Mapping, Sequence

from languages.words import N_, apart, gettext, labelled, minus
from validators.contract import Document, EditionInfo, Terms
from validators.fallout_skirmish.check import CHECKS, carries, line
from validators.fallout_skirmish.force import PricedCharacter, PricedGroup, PricedItem, priced
from validators.sheet import (
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
    of_most,
    times,
    turn_row,
)

RANGED = (N_("Short"), N_("Medium"), N_("Long"), N_("Extreme"), N_("RoF"))
"""The profile columns of a weapon that shoots."""
READ_SO = ("Tire Iron", "Trench Coat")
"""The pieces whose figures are a reading of contradicting tables."""
_PROFILE = (*"SPECIAL", "W", "AP")
KEY = (
    ("W", N_("Wounds")), ("AP", N_("Action points")), ("RoF", N_("Rate of fire")),
    ("Endurance", N_("The target’s check")), ("Armor 5", N_("A D12 of 5 or more stops the damage†")),
    ("Leader", N_("+1 when bartering to buy")),
)  # fmt: skip
"""What is short on characters’ sheets: terms, each before its meaning."""

_FIXED, _LATEST = 4, 14
"""The turns after which a game cannot end, and the last that there can be."""
TURNS = Track(
    "",
    (
        turn_row(_LATEST),
        (
            N_("D12 that ends the game"),
            (None,) * _FIXED + tuple(f"{10 - n}+" for n in range(_LATEST - _FIXED)),
        ),
    ),
)
"""Below each turn the roll on which the game ends after it."""


def figures_of(group: PricedGroup) -> tuple[Derived, ...]:
    """The group's derived figures: its cost, the Caps left, experience, rating, characters, Big Guns."""
    costs = " + ".join(str(each_character.caps) for each_character in group.characters) or "0"
    each = group.edition.file.turf_rating
    turfs = f"{len(group.turfs)} × {each}"
    ranks = group.force.ranks if group.force else ()
    numbers = [(sum(character.rank is rank for character in group.characters), rank.experience) for rank in ranks]
    experience = " + ".join(f"{number} × {points}" for number, points in numbers if number)
    rating = gettext(
        "cost %(cost)s + experience %(experience)s + turfs %(turfs)s = %(rating)s",
        cost=group.total, experience=group.experience, turfs=turfs, rating=group.rating,
    )  # fmt: skip
    found = [
        Derived(gettext("Total"), f"{group.total} Caps", f"{costs} = {group.total}"),
        Derived(gettext("Left"), minus(f"{group.size - group.total} Caps"), f"{group.size} − {group.total}"),
        Derived(gettext("Experience"), f"{group.experience} XP", experience or "0"),
        Derived(gettext("Rating"), str(group.rating), rating),
    ]
    if group.force:
        number, per = len(group.characters), group.force.big_gun_per
        found += [
            Derived(gettext("Characters"), of_most(number, group.force.group_most)),
            Derived(
                gettext("Big Guns"),
                of_most(group.big_guns, group.big_guns_allowed),
                gettext("%(sum)s, rounded down", sum=f"{number} / {per}"),
            ),
        ]
    return tuple(found)


def resolve(endurance: int, strength: int) -> int:
    """The number to roll under to stay: half the sum of Endurance and Strength, rounded up (chapter 5.7)."""
    return (endurance + strength + 1) // 2


def sheets(document: Document, terms: Terms) -> tuple[Sheet, ...]:
    """The characters' sheets; in a campaign, or if the check found anything, the roster comes first."""
    group = priced(document, terms)
    name = document["name"] or group.faction_name
    about = f"{group.faction_name}, {terms.edition.name}"
    roster = Sheet(name, gettext("Roster: %(group)s", group=about), tuple(_roster(group)))
    if not group.characters:
        return (roster,)
    characters = tuple(block for character in group.characters for block in _character(character, group))
    if terms.grown or CHECKS.verdict(group).sentences():
        return (roster, Sheet(gettext("%(group)s, characters", group=name), about, characters, key()))
    return (Sheet(name, about, characters, key()),)


def key() -> str:
    """What is short on characters' sheets, in the reader's language."""
    return apart(labelled(short, gettext(meaning)) for short, meaning in KEY)


def _roster(group: PricedGroup) -> Iterator[Block]:
    yield LabelledFigures(gettext("Figures"), figures_of(group))
    profile = (Column(letter, "figure") for letter in _PROFILE)
    gained = Column(gettext("Gained, injuries"), "write", share=0.22)
    costs = Column("Caps", "figure"), Column("XP†", "figure"), gained
    columns = (Column(gettext("Name and rank")), *profile, Column(gettext("Carries")), *costs)
    total = (gettext("Total"), *[""] * (len(_PROFILE) + 1), str(group.total), str(group.experience), "")
    yield Table(gettext("Characters"), columns, tuple(map(_row, group.characters)), total)
    turfs = {turf.name: turf.yields for turf in group.edition.file.turfs}
    unknown = gettext("not known")
    held = tuple(f"{name}: {gettext(turfs[name]) if name in turfs else unknown}" for name in group.turfs)
    yield Lines(gettext("Turfs"), held or (gettext("None."),))
    verdict = CHECKS.verdict(group)
    word = gettext("The check: legal") if verdict.legal else gettext("The check: not legal")
    yield Lines(word, verdict.sentences() or (gettext("No questions."),))


def _row(character: PricedCharacter) -> tuple[str, ...]:
    figures = [str(figure) for _, figure in character.rank.profile] if character.rank else [""] * len(_PROFILE)
    experience = str(character.rank.experience) if character.rank else ""
    name = ", ".join((character.label, *_rank(character)))
    if character.leader:
        name = gettext("%(name)s (leader)", name=name)
    return (name, *figures, carries(character), str(character.caps), experience, "")


def _character(character: PricedCharacter, group: PricedGroup) -> Iterator[Block]:
    leads = [gettext("leader")] * character.leader
    title = ", ".join((character.label, *_rank(character), *leads, f"{character.caps} Caps"))
    figures, wounds = dict[str, int](), 0
    if character.rank:
        wounds = character.rank.wounds
        figures = {**dict(character.rank.profile), "XP†": character.rank.experience}
    perks = (*([gettext("Leader")] if character.leader else []), *character.perks)
    said = (gettext("Perks: %(perks)s", perks=", ".join(perks)),) if perks else ()
    yield from character_blocks(title, figures, character.items, group, said, wounds)


def character_blocks(
    title: str,
    figures: Mapping[str, int],
    items: Sequence[PricedItem],
    group: PricedGroup,
    said: Sequence[str],
    wounds: int,
    *rads: str,
) -> Iterator[Block]:
    """A character for the table: figures by head, equipment with its ranges, what else holds, and boxes to tick.

    Boxes for ``rads`` have a row of their own; without them there is a field to write in.
    """
    if figures:
        shown = {letter: figures[letter] for letter in _PROFILE}
        shown |= {"Resolve": resolve(figures["E"], figures["S"])}
        shown |= {head: figure for head, figure in figures.items() if head not in shown}
        heads = (*(Column(gettext(head), "centre") for head in shown), Column(gettext("Prone"), "tick"))
        hurt = Column(gettext("Wounds"), "boxes"), *[Column(gettext("Rads"), "write", share=0.1)] * (not rads)
        row = *map(str, shown.values()), "", str(wounds), *[""] * (not rads)
        yield Table(title, (*heads, *hurt), (row,))
    rows, more = [_carried(item, group) for item in items], [" · ".join(said)] * bool(said)
    if any(map(_shoots, items)):
        ranges = *(Column(gettext(head), "centre", share=0.085) for head in RANGED), Column(gettext("Jam"), "boxes")
        columns = Column(gettext("Carries")), *ranges, Column(gettext("Rules"), share=0.25)
        yield Table("" if figures else title, columns, tuple(rows))
    else:
        carried = apart(f"{name} ({rules})" if rules else name for name, *_, rules in rows) or gettext("Nothing")
        more.insert(0, labelled(gettext("Carries"), carried))
    if more:
        yield Lines("" if figures or any(map(_shoots, items)) else title, tuple(more))
    if rads:
        yield Track("", ((gettext("Rads"), rads),))


def _rank(character: PricedCharacter) -> list[str]:
    """The rank, unless it is the name of a character without one."""
    return [character.rank_name] * bool(character.called and character.rank_name)


def _shoots(item: PricedItem) -> bool:
    return item.entry is not None and tuple(item.entry.group.columns) == RANGED


def _carried(item: PricedItem, group: PricedGroup) -> tuple[str, ...]:
    """An item with its ranges and a box for each copy's jam, or else its profile in words; armour with its saves by
    the group's own list.
    """
    worn = group.force.worn(item.name) if group.force else None
    name, unranged = copies(item.count, item.name), (*[""] * len(RANGED), "0")
    if worn:
        return (name, *unranged, f"Armor {worn.save}{'†' * (item.name in READ_SO)}")
    if item.entry and _shoots(item):
        special = apart(filter(None, ("Big Gun" * item.big_gun, item.entry.row.special)))
        return (name, *map(minus, item.entry.row.profile), str(item.count), minus(special))
    return (name, *unranged, item.note + "†" * (item.name in READ_SO))


def card(document: Document, edition: EditionInfo) -> tuple[CardUnit, ...]:
    return tuple(map(_unit, priced(document, Terms(edition)).characters))


def _unit(character: PricedCharacter) -> CardUnit:
    marks = (*_rank(character), *[gettext("Leader")] * character.leader)
    items = [
        CardPart(copies(item.count, item.name), item.caps, times(item.count, item.each)) for item in character.items
    ]
    perks = [CardPart(gettext("Perk %(perk)s", perk=perk)) for perk in character.perks]
    alone = character.rank.caps if character.rank else 0
    return CardUnit(character.label, character.caps, marks, (*items, *perks), alone)


def text_lines(document: Document, edition: EditionInfo) -> list[str]:
    group = priced(document, Terms(edition))
    lines = [f"{document['name'] or 'Group'} ({group.faction_name}, Fallout Skirmish)", edition.name, ""]
    lines += [f"{line(character)} [{character.caps}]" for character in group.characters]
    turfs = ", ".join(group.turfs) or "none"
    return [*lines, "", f"Turfs: {turfs}", f"Total: {group.total} Caps. Rating: {group.rating}."]
