"""The rules judged on the group as a whole: each function yields the problems under one id."""

from collections.abc import Iterator

from validators.contract import Finding
from validators.fallout_skirmish.findings import finding, offered
from validators.fallout_skirmish.priced import PricedGroup
from validators.names import NearNames, fold, nearest
from validators.numbers import counted


def size(group: PricedGroup) -> Iterator[Finding]:
    """fs.size: the group costs at most the event's size."""
    over = group.total - group.size
    if over > 0:
        yield finding(
            "fs.size",
            f"{group.total} Caps, {over} over the size of {group.size}",
            mend=f"Take out at least {counted(over, 'Cap')}.",
            figures={"total": group.total, "size": group.size, "over": over},
        )


def force(group: PricedGroup) -> Iterator[Finding]:
    """fs.force: the group's force is one of the edition's, and every known rank belongs to it."""
    names = tuple(row.name for row in group.edition.file.forces)
    if group.force is None:
        yield finding(
            "fs.force",
            f"{group.force_name} is no force of this edition",
            mend=f"Choose {' or '.join(nearest(group.force_name, names) or names)}.",
        )
        return
    for character in group.characters:
        if character.rank and character.of_force != group.force.name:
            yield finding(
                "fs.force",
                f"{character.label} is a rank of {character.of_force}, this group is of {group.force.name}",
                about=[character],
                mend=f"Take {character.label} out.",
            )


def allowance(group: PricedGroup) -> Iterator[Finding]:
    """fs.allowance: no more characters of a rank than the force's list allows."""
    for rank in group.force.ranks if group.force else ():
        held = [character for character in group.characters if character.rank is rank]
        if len(held) > rank.most:
            yield finding(
                "fs.allowance",
                f"{counted(len(held), rank.name)}, {rank.most} allowed",
                about=held,
                figures={"used": len(held), "allowed": rank.most},
                mend=f"Take out {len(held) - rank.most} of them.",
            )


def most(group: PricedGroup) -> Iterator[Finding]:
    """fs.group: no more characters than the force's group can have."""
    used, allowed = len(group.characters), group.force.group_most if group.force else 0
    if group.force and used > allowed:
        yield finding(
            "fs.group",
            f"{used} characters, a group of {group.force.name} has {allowed} at most",
            figures={"used": used, "allowed": allowed},
            mend=f"Take out {counted(used - allowed, 'character')}.",
        )


def leader(group: PricedGroup) -> Iterator[Finding]:
    """fs.leader: at least one character of the highest rank."""
    if group.force and not any(character.rank is group.force.top for character in group.characters):
        top = group.force.top
        yield finding("fs.leader", f"No {top.name}, at least 1 needed to lead", mend=f"Add one for {top.caps} Caps.")


def charisma(group: PricedGroup) -> Iterator[Finding]:
    """fs.charisma: exactly one character is the leader, and none has a higher Charisma."""
    leaders = [character for character in group.characters if character.leader]
    known = [character for character in group.characters if character.rank]
    if not leaders:
        mend = "Mark the character with the highest Charisma as the leader." if known else "Add a character who leads."
        yield finding("fs.charisma", "No leader, 1 needed", mend=mend, figures={"leaders": 0})
    elif len(leaders) > 1:
        yield finding(
            "fs.charisma",
            f"{len(leaders)} leaders, 1 allowed",
            about=leaders,
            figures={"leaders": len(leaders)},
            mend="Leave the mark on one of " + ", ".join(one.label for one in leaders) + ".",
        )
    elif leaders[0].rank:
        highest = max(known, key=lambda character: character.charisma)
        if highest.charisma > leaders[0].charisma:
            yield finding(
                "fs.charisma",
                f"{leaders[0].label} leads with Charisma {leaders[0].charisma}; {highest.label} has {highest.charisma}",
                about=[leaders[0]],
                figures={"charisma": leaders[0].charisma, "highest": highest.charisma},
                mend=f"Mark {highest.label} as the leader.",
            )


def big_guns(group: PricedGroup) -> Iterator[Finding]:
    """fs.big-guns: one Big Gun for each full complement of characters of the size that the force's list gives."""
    used, allowed = group.big_guns, group.big_guns_allowed
    if group.force and used > allowed:
        per = group.force.big_gun_per
        yield finding(
            "fs.big-guns",
            f"{counted(used, 'Big Gun')}, {allowed} allowed: one for each {per} of {len(group.characters)} characters",
            about=[one for one in group.characters if any(item.big_gun for item in one.items)],
            figures={"used": used, "allowed": allowed, "per": per, "characters": len(group.characters)},
            mend=f"Take out {counted(used - allowed, 'Big Gun')}.",
        )


def stimpaks(group: PricedGroup) -> Iterator[Finding]:
    """fs.stimpak: no more Stimpaks in the whole group than three."""
    for name, allowed in group.edition.file.open_to_all.items():
        used = sum(item.count for _, item in group.carried() if fold(item.name) == fold(name))
        if used > allowed:
            yield finding(
                "fs.stimpak",
                f"{counted(used, name)}, a group may have {allowed}",
                about=group.holders(name),
                figures={"used": used, "allowed": allowed},
                mend=f"Take out {used - allowed}.",
            )


def turfs(group: PricedGroup) -> Iterator[Finding]:
    """fs.turf: three turfs of the table, or none where none were rolled."""
    known = tuple(turf.name for turf in group.edition.file.turfs)
    near = NearNames()
    for name in group.turfs:
        if name not in known:
            yield finding("fs.turf", f"{name} is no turf of the table", mend=offered(near.nearest(name, known)))
    used, start = len(group.turfs), group.edition.file.turfs_at_start
    if used not in (0, start):
        yield finding(
            "fs.turf",
            f"{counted(used, 'turf')}, a starting group has {start}, or none where none were rolled",
            figures={"used": used, "allowed": start},
            mend=f"Take out {used - start}." if used > start else f"Roll {counted(start - used, 'turf')} more.",
        )
