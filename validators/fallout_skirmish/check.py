"""The check of a Fallout Skirmish group: each function yields the problems, or the queries, under one id."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms
from validators.edition_file import names_in
from validators.event_rules import Held
from validators.fallout_skirmish.edition import DATA, ForceRow, RankRow
from validators.fallout_skirmish.force import PricedCharacter, PricedGroup, priced
from validators.kit.checks import Checks, finding, offer, over_size, query, undefined
from validators.names import NearNames, Words, counted, fold
from validators.sheet import copies


def force(group: PricedGroup) -> Iterator[Finding]:
    """fs.force: every known rank belongs to the group's force; a force that the edition does not define is a query."""
    if group.force is None:
        then = ", so nothing is judged that depends on the force"
        yield undefined("fs.force", "force", group.faction_name, names_in(group.edition.file.forces), then)
        return
    for character in group.characters:
        if character.rank and character.of_force != group.force.name:
            message = f"{character.label} is a rank of {character.of_force}, this group is of {group.force.name}"
            yield finding("fs.force", message, on=[character], fix=f"Take {character.label} out.")


def allowance(group: PricedGroup) -> Iterator[Finding]:
    """fs.allowance: no more characters of a rank than the force's list allows."""
    for rank in group.force.ranks if group.force else ():
        held = [character for character in group.characters if character.rank is rank]
        if len(held) > rank.most:
            message = f"{counted(len(held), rank.name)}, {rank.most} allowed"
            fix = f"Take out {len(held) - rank.most} of them."
            yield finding("fs.allowance", message, on=held, figures={"used": len(held), "allowed": rank.most}, fix=fix)


def most(group: PricedGroup) -> Iterator[Finding]:
    """fs.group: no more characters than the force's group can have."""
    used, allowed = len(group.characters), group.force.group_most if group.force else 0
    if group.force and used > allowed:
        message = f"{used} characters, a group of {group.force.name} has {allowed} at most"
        fix = f"Take out {counted(used - allowed, 'character')}."
        yield finding("fs.group", message, figures={"used": used, "allowed": allowed}, fix=fix)


def leader(group: PricedGroup) -> Iterator[Finding]:
    """fs.leader: at least one character of the highest rank."""
    if group.force and not any(character.rank is group.force.top for character in group.characters):
        top = group.force.top
        yield finding("fs.leader", f"No {top.name}, at least 1 needed to lead", fix=f"Add one for {top.caps} Caps.")


def charisma(group: PricedGroup) -> Iterator[Finding]:
    """fs.charisma: exactly one character is the leader, and none has a higher Charisma."""
    leaders = [character for character in group.characters if character.leader]
    known = [character for character in group.characters if character.rank]
    if not leaders:
        fix = "Mark the character with the highest Charisma as the leader." if known else "Add a character who leads."
        yield finding("fs.charisma", "No leader, 1 needed", fix=fix, figures={"leaders": 0})
    elif len(leaders) > 1:
        fix = f"Leave the mark on one of {', '.join(character.label for character in leaders)}."
        message, figures = f"{len(leaders)} leaders, 1 allowed", {"leaders": len(leaders)}
        yield finding("fs.charisma", message, fix, on=leaders, figures=figures)
    elif leaders[0].rank:
        leader, highest = leaders[0], max(known, key=lambda character: character.charisma)
        if highest.charisma > leader.charisma:
            message = f"{leader.label} leads with Charisma {leader.charisma}; {highest.label} has {highest.charisma}"
            fix = f"Mark {highest.label} as the leader."
            figures = {"charisma": leader.charisma, "highest": highest.charisma}
            yield finding("fs.charisma", message, fix, on=[leader], figures=figures)


def big_guns(group: PricedGroup) -> Iterator[Finding]:
    """fs.big-guns: one Big Gun for each full complement of characters, whose size the force's list sets."""
    used, allowed = group.big_guns, group.big_guns_allowed
    if group.force and used > allowed:
        per, characters = group.force.big_gun_per, len(group.characters)
        message = f"{counted(used, 'Big Gun')}, {allowed} allowed: one for each {per} of {characters} characters"
        fix = f"Take out {counted(used - allowed, 'Big Gun')}."
        on = [character for character in group.characters if any(item.big_gun for item in character.items)]
        figures = {"used": used, "allowed": allowed, "per": per, "characters": characters}
        yield finding("fs.big-guns", message, fix, on=on, figures=figures)


def stimpaks(group: PricedGroup) -> Iterator[Finding]:
    """fs.stimpak: no more Stimpaks in the whole group than three; no list sells them, so their price is a query."""
    for name, allowed in group.edition.file.open_to_all.items():
        held, on = [item for _, item in group.carried() if fold(item.name) == fold(name)], group.holders(name)
        used, unlisted = sum(item.count for item in held), [item for item in held if not item.listed]
        if used > allowed:
            message, fix = f"{counted(used, name)}, a group may have {allowed}", f"Take out {used - allowed}."
            yield finding("fs.stimpak", message, fix, on=on, figures={"used": used, "allowed": allowed})
        if unlisted:
            used, caps = sum(item.count for item in unlisted), sum(item.caps for item in unlisted)
            asks = f"{counted(used, name)} for {caps} Caps: no force list sells them"
            asks += ", so may a starting group have them?"
            yield query("fs.stimpak", asks, on=on, figures={"used": used, "caps": caps})


def turfs(group: PricedGroup) -> Iterator[Finding]:
    """fs.turf: three turfs in the table, or none if none were rolled."""
    known = tuple(turf.name for turf in group.edition.file.turfs)
    near = NearNames()
    for name in group.turfs:
        if name not in known:
            yield finding("fs.turf", f"{name} is not a turf of the table", fix=offer(near.nearest(name, known)))
    used, start = len(group.turfs), group.edition.file.turfs_at_start
    if used not in (0, start):
        message = f"{counted(used, 'turf')}, a starting group has {start}, or none where none were rolled"
        fix = f"Take out {used - start}." if used > start else f"Roll {counted(start - used, 'turf')} more."
        yield finding("fs.turf", message, figures={"used": used, "allowed": start}, fix=fix)


LEADER_PERK = "Leader"


def cost(group: PricedGroup) -> Iterator[Finding]:
    """fs.cost: every rank and every item has a price in the edition."""
    near = NearNames()
    own = group.force.ranks if group.force else [rank for force in group.edition.file.forces for rank in force.ranks]
    ranks = tuple(dict.fromkeys(rank.name for rank in own))
    own_list = (*group.force.weapons, *(row.name for row in group.force.armour)) if group.force else ()
    every = tuple(row.name for kind in group.edition.file.items for row in kind.rows)
    for character in group.characters:
        if character.rank is None:
            message = f"{character.rank_name} is not a rank of this edition"
            yield finding("fs.cost", message, on=[character], fix=offer(near.nearest(character.rank_name, ranks)))
        for item in character.items:
            if item.entry is None:
                message = f"{item.name} on {character.label} is not in this edition"
                fix = offer(near.nearest(item.name, own_list) or near.nearest(item.name, every))
                yield finding("fs.cost", message, on=[character], fix=fix)
            elif item.each is None and not group.terms.grown:
                message = f"{item.name} on {character.label} has no price: it is built, never bought"
                yield finding("fs.cost", message, on=[character], fix=f"Take {item.name} out.")


def listed(group: PricedGroup) -> Iterator[Finding]:
    """fs.list: a starting group buys only from its force's weapon and armour lists, and Stimpaks."""
    if group.force is None:
        return
    names = NearNames()
    for character, item in group.carried():
        bought = item.entry is not None and item.each is not None
        if bought and not item.armour and not item.listed and group.edition.open_to_all(item.name) is None:
            near = names.nearest(item.name, tuple(group.force.weapons))
            message = f"{item.name} on {character.label} is not on the list of {group.force.name}"
            fix = f"Take {item.name} out{f', or choose {near[0]}' if near else ''}."
            yield finding("fs.list", message, on=[character], fix=fix)


def armour(group: PricedGroup) -> Iterator[Finding]:
    """fs.armour: a character wears one piece of armour, from its force's list and open to its rank."""
    for character, rank, force in _own(group):
        worn = [item for item in character.items if item.armour]
        for item in worn:
            listed = force.worn(item.name)
            if (listed and rank.name in listed.ranks) or (not listed and group.terms.grown):
                continue
            suits = " and ".join(row.name for row in force.armour) or "no armour"
            message = f"{item.name} on {character.label}: {force.name} have {suits}"
            if listed:
                message = f"{character.label} wears {item.name}, which is for {' and '.join(listed.ranks)}"
            yield finding("fs.armour", message, on=[character], fix=f"Take {item.name} off {character.label}.")
        pieces = sum(item.count for item in worn)
        if pieces > 1:
            message = f"{character.label} has {pieces} pieces of armour, 1 can be worn"
            fix = f"Take {counted(pieces - 1, 'piece')} off."
            yield finding("fs.armour", message, on=[character], figures={"used": pieces, "allowed": 1}, fix=fix)


def must_wear(group: PricedGroup) -> Iterator[Finding]:
    """fs.must-wear: somebody can take part, and who must buy armour has it.

    Any other character without armour that it must wear stays at home: a query.
    """
    lacking = []
    for character, rank, force in _own(group):
        open_to = force.may_wear(rank.name)
        if rank.name in force.must_wear and not any(item.armour and item.name in open_to for item in character.items):
            lacking.append((character, " or ".join(open_to), rank.name in force.must_buy))
    for character, armour, bought in lacking:
        message = f"{character.label} has no {armour} and stays at home"
        if bought:
            message = f"{character.label} has no {armour} and must buy one"
            yield finding("fs.must-wear", message, on=[character], fix=f"Give {character.label} {armour}.")
        elif len(lacking) < len(group.characters):
            yield query("fs.must-wear", message, on=[character])
        else:
            message += ", as everybody does"
            yield finding("fs.must-wear", message, on=[character], fix=f"Give {character.label} {armour}.")


def big_gun_carrier(group: PricedGroup) -> Iterator[Finding]:
    """fs.big-gun-carrier: only ranks named in the force's list carry Big Guns."""
    for character, rank, force in _own(group):
        gun = next((item.name for item in character.items if item.big_gun), "")
        if gun and rank.name not in force.big_gun_ranks:
            message = f"{character.label} carries a {gun}; only {' and '.join(force.big_gun_ranks)} may"
            yield finding("fs.big-gun-carrier", message, on=[character], fix=f"Give the {gun} to one of those.")


def perk(group: PricedGroup) -> Iterator[Finding]:
    """fs.perk: no character starts with a perk, except the leader, whose perk Leader is implied."""
    for character in group.characters:
        for name in character.perks:
            if name != LEADER_PERK or not character.leader:
                why = "Leader is the leader’s alone" if name == LEADER_PERK else "perks come with experience"
                message = f"{character.label} starts with the perk {name}: {why}"
                yield finding("fs.perk", message, on=[character], fix=f"Take {name} out.")


def _own(group: PricedGroup) -> Iterator[tuple[PricedCharacter, RankRow, ForceRow]]:
    """The characters with a rank of the group's force; for others these rules make no sense."""
    for character in group.characters:
        if character.rank and group.force and character.of_force == group.force.name:
            yield character, character.rank, group.force


def grenades_twice(group: PricedGroup) -> Iterator[Finding]:
    """fs.grenade: one purchase of grenades lasts for all games, so a second one on a character is a query."""
    for character in group.characters:
        bought = Counter[str]()
        for item in character.items:
            if item.entry and item.entry.group.lasting:
                bought[item.name] += item.count
        for name, number in bought.items():
            if number > 1:
                message = f"{character.label} buys {name} {number} times; one purchase lasts for all games"
                yield query("fs.grenade", message, on=[character], figures={"used": number})


def sideboard(group: PricedGroup) -> Iterator[Finding]:
    """*.event.sideboard: the leader, who always plays, costs at most the event's size."""
    size = group.terms.size
    for character in group.characters:
        if character.leader and character.caps > size:
            message = f"The leader {character.label} costs {character.caps} Caps alone, and {size} are fielded"
            fix, figures = "Take something off the leader.", {"caps": character.caps, "size": size}
            yield finding("fs.event.sideboard", message, fix, on=[character], figures=figures)


def held(group: PricedGroup) -> Iterator[Held]:
    """Everything in a group, one entry for each copy."""
    for character in group.characters:
        yield Held(character.rank_name, character.label, character.place, model=True)
        for item in character.items:
            yield from [Held(item.name, character.label, character.place)] * item.count


CHECKS = Checks(
    prefix="fs",
    unit="Caps",
    words=Words(force="group", forces="groups", faction="force", led=True),
    texts=DATA / "rules.json",
    priced=priced,
    held=held,
    findings={
        "fs.size": partial(over_size, "fs.size", "Cap"),
        "fs.force": force,
        "fs.cost": cost,
        "fs.allowance": allowance,
        "fs.group": most,
        "fs.leader": leader,
        "fs.charisma": charisma,
        "fs.list": listed,
        "fs.armour": armour,
        "fs.must-wear": must_wear,
        "fs.big-guns": big_guns,
        "fs.big-gun-carrier": big_gun_carrier,
        "fs.stimpak": stimpaks,
        "fs.grenade": grenades_twice,
        "fs.perk": perk,
        "fs.turf": turfs,
    },
    sideboard=sideboard,
    starting=("fs.size", "fs.allowance", "fs.leader", "fs.charisma", "fs.list", "fs.must-wear", "fs.perk", "fs.turf"),
)


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    """A canonical document in a few words: a line per character with its equipment and their cost."""
    group = priced(document, Terms(edition))
    leader = " and ".join(each.called or each.rank_name for each in group.characters if each.leader)
    lines = tuple((line(character), character.caps) for character in group.characters)
    also = f"Turfs: {', '.join(group.turfs)}" if group.turfs else ""
    return ForceSummary(group.faction_name, group.total, leader, lines, also)


def line(character: PricedCharacter) -> str:
    """A character and its equipment: "Ada, Veteran, leader: Hunting Rifle, 2 × Stimpak"."""
    who = filter(None, (character.called, character.rank_name, "leader" * character.leader))
    return ": ".join(filter(None, (", ".join(who), carries(character))))


def carries(character: PricedCharacter) -> str:
    """A character's equipment, and any perks, in words."""
    items = [copies(item.count, item.name) for item in character.items]
    return ", ".join([*items, *(f"perk {perk}" for perk in character.perks)])
