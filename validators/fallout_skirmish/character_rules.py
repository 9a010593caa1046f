"""The rules judged on each character: each function yields the problems under one id."""

from collections.abc import Iterator

from validators.contract import Finding
from validators.fallout_skirmish.edition_shape import ForceRow
from validators.fallout_skirmish.findings import finding, offered
from validators.fallout_skirmish.priced import PricedCharacter, PricedGroup
from validators.names import NearNames
from validators.numbers import counted

LEADER_PERK = "Leader"


def cost(group: PricedGroup) -> Iterator[Finding]:
    """fs.cost: every rank and every item has a price in the edition."""
    near = NearNames()
    own = group.force.ranks if group.force else [rank for one in group.edition.file.forces for rank in one.ranks]
    ranks = tuple(dict.fromkeys(rank.name for rank in own))
    own_list = (*group.force.weapons, *(row.name for row in group.force.armour)) if group.force else ()
    every = tuple(row.name for kind in group.edition.file.items for row in kind.rows)
    for character in group.characters:
        if character.rank is None:
            yield finding(
                "fs.cost",
                f"{character.rank_name} is no rank of this edition",
                about=[character],
                mend=offered(near.nearest(character.rank_name, ranks)),
            )
        for item in character.items:
            if item.entry is None:
                yield finding(
                    "fs.cost",
                    f"{item.name} on {character.label} is nothing that this edition knows",
                    about=[character],
                    mend=offered(near.nearest(item.name, own_list) or near.nearest(item.name, every)),
                )
            elif item.each is None:
                yield finding(
                    "fs.cost",
                    f"{item.name} on {character.label} has no price: it is built, never bought",
                    about=[character],
                    mend=f"Take {item.name} out.",
                )


def listed(group: PricedGroup) -> Iterator[Finding]:
    """fs.list: a starting group buys only what stands on its force's weapon and armor lists, and Stimpaks."""
    if group.force is None:
        return
    names = NearNames()
    for character, item in group.carried():
        bought = item.entry is not None and item.each is not None
        if bought and not item.armour and not item.listed and group.edition.open_to_all(item.name) is None:
            near = names.nearest(item.name, tuple(group.force.weapons))
            yield finding(
                "fs.list",
                f"{item.name} on {character.label} is not on the list of {group.force.name}",
                about=[character],
                mend=f"Take {item.name} out{f', or choose {near[0]}' if near else ''}.",
            )


def armour(group: PricedGroup) -> Iterator[Finding]:
    """fs.armour: a character wears one piece of armor, from its force's list and open to its rank."""
    if group.force is None:
        return
    for character in _own(group):
        worn = [item for item in character.items if item.armour]
        for item in worn:
            on_list = group.force.worn(item.name)
            if on_list is None:
                yield finding(
                    "fs.armour",
                    f"{item.name} on {character.label}: {_wears(group.force)}",
                    about=[character],
                    mend=f"Take {item.name} off {character.label}.",
                )
            elif character.rank and character.rank.name not in on_list.ranks:
                yield finding(
                    "fs.armour",
                    f"{character.label} wears {item.name}, which is for {' and '.join(on_list.ranks)}",
                    about=[character],
                    mend=f"Take {item.name} off {character.label}.",
                )
        pieces = sum(item.count for item in worn)
        if pieces > 1:
            yield finding(
                "fs.armour",
                f"{character.label} has {pieces} pieces of armor, 1 can be worn",
                about=[character],
                figures={"used": pieces, "allowed": 1},
                mend=f"Take {counted(pieces - 1, 'piece')} off.",
            )


def must_wear(group: PricedGroup) -> Iterator[Finding]:
    """fs.must-wear: who must wear armor by the force's list has a piece that it may wear."""
    for character in _own(group) if group.force else ():
        rank = character.rank.name if character.rank else ""
        if group.force and rank in group.force.must_wear:
            open_to = group.force.may_wear(rank)
            if not any(item.armour and item.name in open_to for item in character.items):
                yield finding(
                    "fs.must-wear",
                    f"{character.label} has no {' or '.join(open_to)} and would have to stay at home",
                    about=[character],
                    mend=f"Give {character.label} {' or '.join(open_to)}.",
                )


def big_gun_carrier(group: PricedGroup) -> Iterator[Finding]:
    """fs.big-gun-carrier: Big Guns are carried by the ranks that the force's list names."""
    for character in _own(group) if group.force else ():
        guns = [item for item in character.items if item.big_gun]
        if group.force and guns and character.rank and character.rank.name not in group.force.big_gun_ranks:
            yield finding(
                "fs.big-gun-carrier",
                f"{character.label} carries a {guns[0].name}; only {' and '.join(group.force.big_gun_ranks)} may",
                about=[character],
                mend=f"Give the {guns[0].name} to one of those.",
            )


def perk(group: PricedGroup) -> Iterator[Finding]:
    """fs.perk: nobody starts with a perk but the leader, who has Leader without it being named."""
    for character in group.characters:
        for name in character.perks:
            if name != LEADER_PERK or not character.leader:
                why = "Leader is the leader’s alone" if name == LEADER_PERK else "perks come with experience"
                yield finding(
                    "fs.perk",
                    f"{character.label} starts with the perk {name}: {why}",
                    about=[character],
                    mend=f"Take {name} out.",
                )


def _own(group: PricedGroup) -> Iterator[PricedCharacter]:
    """The characters whose rank belongs to the group's force: others are wrong altogether."""
    return (one for one in group.characters if one.rank and group.force and one.of_force == group.force.name)


def _wears(force: ForceRow) -> str:
    names = [row.name for row in force.armour]
    return f"{force.name} have {' and '.join(names)}" if names else f"{force.name} have no armor"
