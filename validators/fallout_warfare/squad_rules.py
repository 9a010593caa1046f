"""The rules for an army's squads: their weapons, leaders, sizes and beasts."""

from collections.abc import Iterator

from languages.words import gettext, ngettext
from validators.contract import Finding
from validators.fallout_warfare.force import Army, Figures
from validators.kit.checks import finding, query

OTHERS_FOR_ONE = 3
"""The grunts with another weapon required for each with a restricted one; Paladins need one."""


def restricted(army: Army) -> Iterator[Finding]:
    """fw.restricted: three grunts with another weapon for each with a restricted one; Paladins one, in their squad.

    If it depends on whether unarmed grunts count, it is a query.
    """
    for used, others, bare, needed, whose in _restricted(army):
        if used * needed > others + bare:
            allowed = (others + bare) // needed
            message = ngettext(
                "%(num)s restricted weapon on %(whose)s, %(allowed)s allowed with %(others)s others",
                "%(num)s restricted weapons on %(whose)s, %(allowed)s allowed with %(others)s others",
                used,
                whose=whose,
                allowed=allowed,
                others=others + bare,
            )
            fix = gettext("Take off %(count)s, or arm more grunts otherwise.", count=used - allowed)
            figures = {"used": used, "allowed": allowed, "others": others + bare}
            yield finding("fw.restricted", message, fix, figures=figures)
        elif used * needed > others:
            message = ngettext(
                "%(num)s restricted weapon on %(whose)s with %(others)s otherwise armed: "
                "enough only if the %(bare)s unarmed count",
                "%(num)s restricted weapons on %(whose)s with %(others)s otherwise armed: "
                "enough only if the %(bare)s unarmed count",
                used,
                whose=whose,
                others=others,
                bare=bare,
            )
            yield query("fw.restricted", message, figures={"used": used, "others": others, "unarmed": bare})


def _restricted(army: Army) -> Iterator[tuple[int, int, int, int, str]]:
    """For all grunts except Paladins, then for each squad's Paladins: restricted, other weapons, unarmed, ratio.

    Beastlords of that rank are grunts too, although they lead.
    """
    grunts = [model for model in army.models if model.rank == "grunt" and not _paladin(model)]
    yield (*_armed(grunts), OTHERS_FOR_ONE, gettext("grunts"))
    for squad in army.squads:
        paladins = [model for model in squad.led if _paladin(model)]
        if paladins:
            yield (*_armed(paladins), 1, gettext("the Paladins of %(squad)s", squad=squad.label))


def _paladin(model: Figures) -> bool:
    return model.troop is not None and model.troop.kind == "paladin"


def _armed(models: list[Figures]) -> tuple[int, int, int]:
    """The number of figures with a restricted weapon, with another one, and with none though they may have one."""
    used = sum(model.count for model in models if model.weapon and model.weapon.restricted)
    others = sum(model.count for model in models if model.weapon and model.armed and not model.weapon.restricted)
    bare = sum(model.count for model in models if model.may_be_armed and not model.armed)
    return used, others, bare


FEWEST, MOST = 3, 20
"""The least and the most figures in a squad; by this reading, only those that are led count."""


def leader(army: Army) -> Iterator[Finding]:
    """fw.leader: exactly one hero or squadleader leads a squad; a hero may stand alone, a squadleader may not.

    A squad needs no leader if the lists of its factions have none.
    """
    for squad in army.squads:
        if not squad.models:
            yield finding(
                "fw.leader",
                gettext("%(title)s is empty", title=squad.title),
                gettext("Add figures, or take the squad out."),
                on=[squad],
            )
        elif squad.leader_count == 0:
            if not any(model.troop is None or army.edition.can_lead(model.troop.faction) for model in squad.models):
                continue
            fix = (
                gettext("Add a Beastlord.")
                if any(m.beast for m in squad.models)
                else gettext("Add a squadleader or a hero.")
            )
            message = gettext("%(title)s has no leader, 1 needed", title=squad.title)
            yield finding("fw.leader", message, fix, on=[squad], figures={"leaders": 0})
        elif squad.leader_count > 1:
            message = ngettext(
                "%(title)s has %(num)s leader, 1 allowed",
                "%(title)s has %(num)s leaders, 1 allowed",
                squad.leader_count,
                title=squad.title,
            )
            fix = gettext("Leave one leader, and give the others squads of their own.")
            yield finding("fw.leader", message, fix, on=[squad], figures={"leaders": squad.leader_count})
        elif squad.led_count == 0 and not squad.lone_hero and not squad.of_beasts:
            yield finding(
                "fw.leader",
                gettext("%(title)s is a squadleader alone", title=squad.title),
                gettext("Add grunts to lead."),
                on=[squad],
            )


def squad_size(army: Army) -> Iterator[Finding]:
    """fw.squad: a squad has 3 to 20 figures, with or without its leader; Beastlords' squads are checked separately.

    If it depends on whether the leader counts, it is a query. An army has at least one squad.
    """
    if not army.squads:
        yield finding("fw.squad", gettext("No squad, 1 needed"), gettext("Add a squad."), figures={"squads": 0})
    for squad in army.squads:
        led = squad.led_count
        if not squad.led or squad.of_beasts or any(model.beast for model in squad.led):
            continue
        if led + min(1, squad.leader_count) < FEWEST or led > MOST:
            message = ngettext(
                "%(title)s has %(num)s grunt, %(FEWEST)s to %(MOST)s allowed",
                "%(title)s has %(num)s grunts, %(FEWEST)s to %(MOST)s allowed",
                led,
                title=squad.title,
                FEWEST=FEWEST,
                MOST=MOST,
            )
            fix = (
                gettext("Add at least %(count)s.", count=FEWEST - led)
                if led < FEWEST
                else gettext("Take out %(count)s.", count=led - MOST)
            )
            yield finding("fw.squad", message, fix, on=[squad], figures={"led": led, "least": FEWEST, "most": MOST})
        elif led == FEWEST - 1 and squad.leader_count:
            yield query(
                "fw.squad", gettext("%(title)s is 3 figures only if its leader counts", title=squad.title), on=[squad]
            )
        elif led == MOST and squad.leader_count:
            yield query(
                "fw.squad",
                gettext("%(title)s is 20 figures only if its leader does not count", title=squad.title),
                on=[squad],
            )


def mixed(army: Army) -> Iterator[Finding]:
    """fw.mixed: the grunts of a squad are of one kind, except beasts; a squadleader of another kind is a query."""
    for squad in army.squads:
        leader, beasts = squad.leader, [model.beast for model in squad.led]
        kinds = list(dict.fromkeys(model.name for model in squad.led if model.troop))
        if squad.of_beasts or all(beasts):
            continue
        if len(kinds) > 1:
            message = gettext("%(title)s mixes %(kinds)s", title=squad.title, kinds=gettext(" and ").join(kinds))
            yield finding("fw.mixed", message, gettext("Make a squad of each kind."), on=[squad])
        elif kinds and leader and leader.troop and not leader.hero and leader.name not in kinds and not any(beasts):
            yield query(
                "fw.mixed",
                gettext(
                    "%(title)s: %(leader)s leads %(kinds)s grunts",
                    title=squad.title,
                    leader=leader.label,
                    kinds=kinds[0],
                ),
                on=[squad],
            )


def beasts(army: Army) -> Iterator[Finding]:
    """fw.beasts: one Beastlord leads only beasts, at most as many as its Charisma; no other figure leads beasts.

    A squad that is full only without its Beastlord, and a Beastlord alone who is no hero, are queries.
    """
    for squad in army.squads:
        beasts = [model.beast for model in squad.led if model.troop]
        if not squad.of_beasts:
            if squad.leader_count and any(beasts):
                message = gettext("%(title)s has beasts and no Beastlord", title=squad.title)
                yield finding("fw.beasts", message, gettext("Let a Beastlord lead them."), on=[squad])
            continue
        if not all(beasts):
            message = gettext("%(title)s: a Beastlord leads beasts only", title=squad.title)
            yield finding("fw.beasts", message, gettext("Take the others out."), on=[squad])
        lord = squad.leader
        charisma = lord.profile.statistic("CH") if lord and lord.beastlord and lord.profile else None
        if charisma is not None and squad.led_count > charisma:
            message = ngettext(
                "%(title)s has %(num)s beast, the Beastlord's CH allows %(charisma)s",
                "%(title)s has %(num)s beasts, the Beastlord's CH allows %(charisma)s",
                squad.led_count,
                title=squad.title,
                charisma=charisma,
            )
            fix = gettext("Take out %(count)s.", count=squad.led_count - charisma)
            yield finding("fw.beasts", message, fix, on=[squad], figures={"used": squad.led_count, "allowed": charisma})
        elif squad.led_count == charisma:
            yield query(
                "fw.beasts",
                gettext("%(title)s is within CH only if the Beastlord does not count", title=squad.title),
                on=[squad],
            )
        if not squad.led and lord and not lord.hero:
            yield query(
                "fw.beasts",
                gettext("%(title)s is a Beastlord without beasts, and no hero", title=squad.title),
                on=[squad],
            )


def alpha(army: Army) -> Iterator[Finding]:
    """fw.alpha: at most one Alpha Wolf in a squad, with an ordinary Wolf."""
    for squad in army.squads:
        alphas = sum(m.count for m in squad.models if m.troop and m.troop.kind == "alpha")
        wolves = sum(m.count for m in squad.models if m.troop and m.troop.kind == "wolf")
        if alphas > 1:
            message = ngettext(
                "%(title)s has %(num)s Alpha Wolf, 1 allowed",
                "%(title)s has %(num)s Alpha Wolves, 1 allowed",
                alphas,
                title=squad.title,
            )
            yield finding(
                "fw.alpha", message, gettext("Leave one."), on=[squad], figures={"used": alphas, "allowed": 1}
            )
        if alphas and not wolves:
            yield finding(
                "fw.alpha",
                gettext("%(title)s has an Alpha Wolf and no other Wolf", title=squad.title),
                gettext("Add a Wolf."),
                on=[squad],
            )
