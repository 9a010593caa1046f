"""The rules for single characters of a Fallout Skirmish group: armour, Big Guns, perks, grenades."""

from collections import Counter
from collections.abc import Iterator

from languages.words import N_, gettext, ngettext
from validators.contract import Finding
from validators.fallout_skirmish.edition import ForceRow, RankRow
from validators.fallout_skirmish.force import PricedCharacter, PricedGroup
from validators.kit.checks import finding, query

LEADER_PERK = "Leader"


def armour(group: PricedGroup) -> Iterator[Finding]:
    """fs.armour: a character wears one piece of armour, from its force's list and open to its rank."""
    for character, rank, force in _own(group):
        worn = [item for item in character.items if item.armour]
        for item in worn:
            listed = force.worn(item.name)
            if (listed and rank.name in listed.ranks) or (not listed and group.terms.grown):
                continue
            suits = gettext(" and ").join(row.name for row in force.armour) or gettext("no armour")
            names = {"item": item.name, "character": character.label, "force": force.name, "suits": suits}
            message = gettext("%(item)s on %(character)s: %(force)s have %(suits)s", **names)
            if listed:
                message = gettext(
                    "%(character)s wears %(item)s, which is for %(ranks)s",
                    ranks=gettext(" and ").join(listed.ranks),
                    **names,
                )
            yield finding(
                "fs.armour",
                message,
                on=[character],
                fix=gettext("Take %(item)s off %(character)s.", **names),
            )
        pieces = sum(item.count for item in worn)
        if pieces > 1:
            message = ngettext(
                "%(character)s has %(num)s piece of armour, 1 can be worn",
                "%(character)s has %(num)s pieces of armour, 1 can be worn",
                pieces,
                character=character.label,
            )
            fix = ngettext("Take %(num)s piece off.", "Take %(num)s pieces off.", pieces - 1)
            yield finding("fs.armour", message, on=[character], figures={"used": pieces, "allowed": 1}, fix=fix)


def must_wear(group: PricedGroup) -> Iterator[Finding]:
    """fs.must-wear: somebody can take part, and who must buy armour has it.

    Any other character without armour that it must wear stays at home: a query.
    """
    lacking = []
    for character, rank, force in _own(group):
        open_to = force.may_wear(rank.name)
        if rank.name in force.must_wear and not any(item.armour and item.name in open_to for item in character.items):
            lacking.append((character, gettext(" or ").join(open_to), rank.name in force.must_buy))
    for character, armour, bought in lacking:
        names = {"character": character.label, "armour": armour}
        if not bought and len(lacking) < len(group.characters):
            message = gettext("%(character)s has no %(armour)s and stays at home", **names)
            yield query("fs.must-wear", message, on=[character])
            continue
        text = N_("%(character)s has no %(armour)s and stays at home, as everybody does")
        if bought:
            text = N_("%(character)s has no %(armour)s and must buy one")
        fix = gettext("Give %(character)s %(armour)s.", **names)
        yield finding("fs.must-wear", gettext(text, **names), on=[character], fix=fix)


def big_gun_carrier(group: PricedGroup) -> Iterator[Finding]:
    """fs.big-gun-carrier: only ranks named in the force's list carry Big Guns."""
    for character, rank, force in _own(group):
        gun = next((item.name for item in character.items if item.big_gun), "")
        if gun and rank.name not in force.big_gun_ranks:
            message = gettext(
                "%(character)s carries a %(gun)s; only %(big_gun_ranks)s may",
                character=character.label,
                gun=gun,
                big_gun_ranks=gettext(" and ").join(force.big_gun_ranks),
            )
            yield finding(
                "fs.big-gun-carrier", message, on=[character], fix=gettext("Give the %(gun)s to one of those.", gun=gun)
            )


def perk(group: PricedGroup) -> Iterator[Finding]:
    """fs.perk: no character starts with a perk, except the leader, whose perk Leader is implied."""
    for character in group.characters:
        for name in character.perks:
            if name != LEADER_PERK or not character.leader:
                why = (
                    gettext("Leader is the leader’s alone")
                    if name == LEADER_PERK
                    else gettext("perks come with experience")
                )
                names = {"character": character.label, "name": name, "why": why}
                message = gettext("%(character)s starts with the perk %(name)s: %(why)s", **names)
                yield finding("fs.perk", message, on=[character], fix=gettext("Take %(name)s out.", **names))


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
                message = ngettext(
                    "%(character)s buys %(name)s %(num)s time; one purchase lasts for all games",
                    "%(character)s buys %(name)s %(num)s times; one purchase lasts for all games",
                    number,
                    character=character.label,
                    name=name,
                )
                yield query("fs.grenade", message, on=[character], figures={"used": number})
