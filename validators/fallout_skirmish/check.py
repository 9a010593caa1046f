"""The check of a Fallout Skirmish group: each function yields the problems, or the queries, under one id."""

from collections.abc import Iterator
from functools import partial

from languages.words import N_, gettext, labelled, ngettext
from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms
from validators.edition_file import names_in
from validators.event_rules import Held
from validators.fallout_skirmish import character_rules
from validators.fallout_skirmish.edition import DATA
from validators.fallout_skirmish.force import PricedCharacter, PricedGroup, priced
from validators.kit.checks import Checks, caps, finding, offer, over_size, query, undefined
from validators.names import NearNames, Words, fold
from validators.sheet import copies


def force(group: PricedGroup) -> Iterator[Finding]:
    """fs.force: every known rank belongs to the group's force; a force that the edition does not define is a query."""
    if group.force is None:
        then = gettext(", so nothing is judged that depends on the force")
        yield undefined("fs.force", gettext("force"), group.faction_name, names_in(group.edition.file.forces), then)
        return
    for character in group.characters:
        if character.rank and character.of_force != group.force.name:
            names = {"character": character.label, "of_force": character.of_force, "force": group.force.name}
            message = gettext("%(character)s is a rank of %(of_force)s, this group is of %(force)s", **names)
            yield finding("fs.force", message, on=[character], fix=gettext("Take %(character)s out.", **names))


def allowance(group: PricedGroup) -> Iterator[Finding]:
    """fs.allowance: no more characters of a rank than the force's list allows."""
    for rank in group.force.ranks if group.force else ():
        held = [character for character in group.characters if character.rank is rank]
        if len(held) > rank.most:
            message = gettext("%(len)s, %(most)s allowed", len=f"{len(held)} × {rank.name}", most=rank.most)
            fix = gettext("Take out %(count)s of them.", count=len(held) - rank.most)
            yield finding("fs.allowance", message, on=held, figures={"used": len(held), "allowed": rank.most}, fix=fix)


def most(group: PricedGroup) -> Iterator[Finding]:
    """fs.group: no more characters than the force's group can have."""
    used, allowed = len(group.characters), group.force.group_most if group.force else 0
    if group.force and used > allowed:
        message = ngettext(
            "%(num)s character, a group of %(force)s has %(allowed)s at most",
            "%(num)s characters, a group of %(force)s has %(allowed)s at most",
            used,
            force=group.force.name,
            allowed=allowed,
        )
        fix = ngettext("Take out %(num)s character.", "Take out %(num)s characters.", used - allowed)
        yield finding("fs.group", message, figures={"used": used, "allowed": allowed}, fix=fix)


def leader(group: PricedGroup) -> Iterator[Finding]:
    """fs.leader: at least one character of the highest rank."""
    if group.force and not any(character.rank is group.force.top for character in group.characters):
        top = group.force.top
        yield finding(
            "fs.leader",
            gettext("No %(top)s, at least 1 needed to lead", top=top.name),
            fix=gettext("Add one for %(caps)s.", caps=caps(top.caps)),
        )


def charisma(group: PricedGroup) -> Iterator[Finding]:
    """fs.charisma: exactly one character is the leader, and none has a higher Charisma."""
    leaders = [character for character in group.characters if character.leader]
    known = [character for character in group.characters if character.rank]
    if not leaders:
        fix = (
            gettext("Mark the character with the highest Charisma as the leader.")
            if known
            else gettext("Add a character who leads.")
        )
        yield finding("fs.charisma", gettext("No leader, 1 needed"), fix=fix, figures={"leaders": 0})
    elif len(leaders) > 1:
        fix = gettext(
            "Leave the mark on one of %(leaders)s.", leaders=", ".join(character.label for character in leaders)
        )
        message, figures = (
            ngettext("%(num)s leader, 1 allowed", "%(num)s leaders, 1 allowed", len(leaders)),
            {"leaders": len(leaders)},
        )
        yield finding("fs.charisma", message, fix, on=leaders, figures=figures)
    elif leaders[0].rank:
        leader, highest = leaders[0], max(known, key=lambda character: character.charisma)
        if highest.charisma > leader.charisma:
            message = gettext(
                "%(leader)s leads with Charisma %(charisma)s; %(highest)s has %(most)s",
                leader=leader.label,
                charisma=leader.charisma,
                highest=highest.label,
                most=highest.charisma,
            )
            fix = gettext("Mark %(highest)s as the leader.", highest=highest.label)
            figures = {"charisma": leader.charisma, "highest": highest.charisma}
            yield finding("fs.charisma", message, fix, on=[leader], figures=figures)


def big_guns(group: PricedGroup) -> Iterator[Finding]:
    """fs.big-guns: one Big Gun for each full complement of characters, whose size the force's list sets."""
    used, allowed = group.big_guns, group.big_guns_allowed
    if group.force and used > allowed:
        per, characters = group.force.big_gun_per, len(group.characters)
        message = ngettext(
            "%(num)s Big Gun, %(allowed)s allowed: one for each %(per)s of %(characters)s characters",
            "%(num)s Big Guns, %(allowed)s allowed: one for each %(per)s of %(characters)s characters",
            used,
            allowed=allowed,
            per=per,
            characters=characters,
        )
        fix = ngettext("Take out %(num)s Big Gun.", "Take out %(num)s Big Guns.", used - allowed)
        on = [character for character in group.characters if any(item.big_gun for item in character.items)]
        figures = {"used": used, "allowed": allowed, "per": per, "characters": characters}
        yield finding("fs.big-guns", message, fix, on=on, figures=figures)


def stimpaks(group: PricedGroup) -> Iterator[Finding]:
    """fs.stimpak: no more Stimpaks in the whole group than three; no list sells them, so their price is a query."""
    for name, allowed in group.edition.file.open_to_all.items():
        held, on = [item for _, item in group.carried() if fold(item.name) == fold(name)], group.holders(name)
        used, unlisted = sum(item.count for item in held), [item for item in held if not item.listed]
        if used > allowed:
            message, fix = (
                gettext("%(used)s, a group may have %(allowed)s", used=f"{used} × {name}", allowed=allowed),
                gettext("Take out %(count)s.", count=used - allowed),
            )
            yield finding("fs.stimpak", message, fix, on=on, figures={"used": used, "allowed": allowed})
        if unlisted:
            used, paid = sum(item.count for item in unlisted), sum(item.caps for item in unlisted)
            asks = gettext(
                "%(used)s for %(caps)s: no force list sells them, so may a starting group have them?",
                used=f"{used} × {name}",
                caps=caps(paid),
            )
            yield query("fs.stimpak", asks, on=on, figures={"used": used, "caps": paid})


def turfs(group: PricedGroup) -> Iterator[Finding]:
    """fs.turf: three turfs in the table, or none if none were rolled."""
    known = tuple(turf.name for turf in group.edition.file.turfs)
    near = NearNames()
    for name in group.turfs:
        if name not in known:
            yield finding(
                "fs.turf",
                gettext("%(name)s is not a turf of the table", name=name),
                fix=offer(near.nearest(name, known)),
            )
    used, start = len(group.turfs), group.edition.file.turfs_at_start
    if used not in (0, start):
        message = ngettext(
            "%(num)s turf, a starting group has %(start)s, or none where none were rolled",
            "%(num)s turfs, a starting group has %(start)s, or none where none were rolled",
            used,
            start=start,
        )
        fix = (
            gettext("Take out %(count)s.", count=used - start)
            if used > start
            else ngettext("Roll %(num)s turf more.", "Roll %(num)s turfs more.", start - used)
        )
        yield finding("fs.turf", message, figures={"used": used, "allowed": start}, fix=fix)


def cost(group: PricedGroup) -> Iterator[Finding]:
    """fs.cost: every rank and every item has a price in the edition."""
    near = NearNames()
    own = group.force.ranks if group.force else [rank for force in group.edition.file.forces for rank in force.ranks]
    ranks = tuple(dict.fromkeys(rank.name for rank in own))
    own_list = (*group.force.weapons, *(row.name for row in group.force.armour)) if group.force else ()
    every = tuple(row.name for kind in group.edition.file.items for row in kind.rows)
    for character in group.characters:
        if character.rank is None:
            message = gettext("%(rank_name)s is not a rank of this edition", rank_name=character.rank_name)
            yield finding("fs.cost", message, on=[character], fix=offer(near.nearest(character.rank_name, ranks)))
        for item in character.items:
            if item.entry is None:
                message = gettext(
                    "%(item)s on %(character)s is not in this edition", item=item.name, character=character.label
                )
                fix = offer(near.nearest(item.name, own_list) or near.nearest(item.name, every))
                yield finding("fs.cost", message, on=[character], fix=fix)
            elif item.each is None and not group.terms.grown:
                names = {"item": item.name, "character": character.label}
                message = gettext("%(item)s on %(character)s has no price: it is built, never bought", **names)
                yield finding("fs.cost", message, on=[character], fix=gettext("Take %(item)s out.", **names))


def listed(group: PricedGroup) -> Iterator[Finding]:
    """fs.list: a starting group buys only from its force's weapon and armour lists, and Stimpaks."""
    if group.force is None:
        return
    names = NearNames()
    for character, item in group.carried():
        bought = item.entry is not None and item.each is not None
        if bought and not item.armour and not item.listed and group.edition.open_to_all(item.name) is None:
            near = names.nearest(item.name, tuple(group.force.weapons))
            message = gettext(
                "%(item)s on %(character)s is not on the list of %(force)s",
                item=item.name,
                character=character.label,
                force=group.force.name,
            )
            fix = gettext("Take %(item)s out.", item=item.name)
            if near:
                fix = gettext("Take %(item)s out, or choose %(near)s.", item=item.name, near=near[0])
            yield finding("fs.list", message, on=[character], fix=fix)


def sideboard(group: PricedGroup) -> Iterator[Finding]:
    """*.event.sideboard: the leader, who always plays, costs at most the event's size."""
    size = group.terms.size
    for character in group.characters:
        if character.leader and character.caps > size:
            message = gettext(
                "The leader %(character)s costs %(caps)s alone, and %(size)s are fielded",
                character=character.label,
                caps=caps(character.caps),
                size=size,
            )
            fix, figures = gettext("Take something off the leader."), {"caps": character.caps, "size": size}
            yield finding("fs.event.sideboard", message, fix, on=[character], figures=figures)


def held(group: PricedGroup) -> Iterator[Held]:
    for character in group.characters:
        yield Held(character.rank_name, character.label, character.place, model=True)
        for item in character.items:
            yield from [Held(item.name, character.label, character.place)] * item.count


CHECKS = Checks(
    prefix="fs",
    unit=N_("Caps"),
    words=Words(
        force=N_("group"),
        forces=N_("groups"),
        a_force=N_("a group"),
        faction=N_("force"),
        factions=N_("forces"),
        led=True,
    ),
    texts=DATA / "rules.json",
    priced=priced,
    held=held,
    findings={
        "fs.size": partial(over_size, "fs.size", caps),
        "fs.force": force,
        "fs.cost": cost,
        "fs.allowance": allowance,
        "fs.group": most,
        "fs.leader": leader,
        "fs.charisma": charisma,
        "fs.list": listed,
        "fs.armour": character_rules.armour,
        "fs.must-wear": character_rules.must_wear,
        "fs.big-guns": big_guns,
        "fs.big-gun-carrier": character_rules.big_gun_carrier,
        "fs.stimpak": stimpaks,
        "fs.grenade": character_rules.grenades_twice,
        "fs.perk": character_rules.perk,
        "fs.turf": turfs,
    },
    sideboard=sideboard,
    starting=("fs.size", "fs.allowance", "fs.leader", "fs.charisma", "fs.list", "fs.must-wear", "fs.perk", "fs.turf"),
)


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    group = priced(document, Terms(edition))
    leader = gettext(" and ").join(each.called or each.rank_name for each in group.characters if each.leader)
    lines = tuple((line(character), character.caps) for character in group.characters)
    also = gettext("Turfs: %(turfs)s", turfs=", ".join(group.turfs)) if group.turfs else ""
    return ForceSummary(group.faction_name, group.total, leader, lines, also)


def line(character: PricedCharacter) -> str:
    """A character and its equipment: "Ada, Veteran, leader: Hunting Rifle, 2 × Stimpak"."""
    who = ", ".join(filter(None, (character.called, character.rank_name, gettext("leader") * character.leader)))
    what = carries(character)
    return labelled(who, what) if what else who


def carries(character: PricedCharacter) -> str:
    """A character's equipment, and any perks, in words."""
    items = [copies(item.count, item.name) for item in character.items]
    return ", ".join([*items, *(gettext("perk %(name)s", name=perk) for perk in character.perks)])
