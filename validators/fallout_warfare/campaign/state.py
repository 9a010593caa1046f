"""The state of a group in a Fallout: Warfare campaign: its units, their losses, and the heroes' progress.

A *unit* is a line of equal figures, one hero, one vehicle, or the mines. A *body* is a set of units that move and fight
together: a squad ("s0", by its number), a vehicle ("v0") or the mines ("mines").
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import Any, Literal

from languages.message import Text, in_english, joined, message, worded
from languages.words import N_, apart, capital, gettext, ngettext
from validators.campaign import Account, Applied, Dice, Member, Readiness, World
from validators.contract import Document, EditionInfo, Terms, Verdict
from validators.fallout_warfare.check import CHECKS
from validators.fallout_warfare.edition import DATA
from validators.fallout_warfare.force import Figures, priced
from validators.kit.campaign_steps import StepBook
from validators.sheet import of_most

LEAST_START, MOST_START = 500, 1500
"""The recommended army points at the start of a campaign (8.1)."""

TABLES = json.loads((DATA / "campaign.json").read_text(encoding="utf-8"))


def least_points(settings: Mapping[str, str]) -> int:
    """The fewest army points of a battle."""
    return ceil(int(settings["most"]) * int(settings["least"]) / 100)


def battles(start: int, most: int) -> tuple[int, int]:
    """The recommended number of battles: 125 to 150 % of ``start`` / ``most``, rounded down and up (8.1)."""
    return floor(start * 5 / (most * 4)), ceil(start * 3 / (most * 2))


POINTS = Account("points")


@dataclass(frozen=True)
class Unit:
    """A line of figures, a hero, a vehicle or the mines: ``ready`` of them can fight, ``away`` miss the next battle."""

    key: str
    kind: Literal["troops", "hero", "vehicle", "mines"]
    name: str
    """As printed."""
    body: str
    each: int
    """The army points paid for each; levels earned in the campaign cost nothing (8.2)."""
    raw: Mapping[str, Any]
    """Its line in the army's document, with the rank, the present level and the skills."""
    ready: int
    away: int = 0
    lost: int = 0
    fielded: int = 0
    """How many of those ready are mustered for the next battle, or fought in the one just played."""
    hits: int = 0
    """A hero's remaining hit points."""
    most_hits: int = 0
    xp: int = 0
    skill_points: int = 0
    """A hero's unspent skill points."""
    paid: int = 1
    """The hero's level when the army paid for it."""
    damage: int = 0
    """A vehicle's damage."""
    disabled_at: int = 0
    destroyed_at: int = 0
    place: str = ""
    """Its place on the map; "" without a map."""
    gone: Text = ""
    number: int = 0
    """Which one it is of several heroes of one name; 0 for the only one."""
    free: Mapping[str, int] = field(default_factory=dict)
    """The levels of a hero's skills from its entry, by name."""

    @property
    def skills(self) -> dict[str, int]:
        """A hero's skill levels by name: those of its entry and the chosen ones."""
        chosen = {skill["name"]: max(skill["level"], self.free.get(skill["name"], 0)) for skill in self.raw["skills"]}
        return {**self.free, **chosen}

    @property
    def said(self) -> Text:
        """Its name with its rank, as the army lists print it, to be stored: the group is kept for all readers."""
        if self.raw.get("rank", "grunt") == "grunt":
            return self.name
        ranked = joined((self.name, message(self.raw["rank"])))
        return joined((ranked, self.number), by=" ") if self.number else ranked

    @property
    def label(self) -> str:
        """The same in words."""
        return worded(self.said)

    @property
    def alive(self) -> int:
        """How many are with the group."""
        return self.ready + self.away

    @property
    def able(self) -> int:
        """How many can be mustered; an unconscious hero cannot."""
        return 0 if self.kind == "hero" and self.hits == 0 else self.ready

    @property
    def of_squad(self) -> bool:
        """Whether it is part of a squad: figures and heroes."""
        return self.kind in ("troops", "hero")

    @property
    def account(self) -> Account:
        """The ledger account that counts it."""
        return Account("character" if self.of_squad else "item", in_english(self.said), self.said)

    @property
    def level(self) -> int:
        """A hero's level; 1 for all other units."""
        return int(self.raw.get("level", 1))


@dataclass(frozen=True)
class Group:
    """The state of one group; ``decision`` is about its next battle."""

    head: Mapping[str, Any]
    """The army's document without its units."""
    squads: Mapping[str, str]
    """The squads' names by body."""
    units: tuple[Unit, ...]
    forfeited: int = 0
    decision: Literal["", "musters", "forfeits"] = ""
    used: frozenset[str] = frozenset()
    """Flags for actions allowed once between battles: a body's losses or move, a hero's break or extra experience."""
    dead_points: int = 0
    lost_points: int = 0
    """The army points recorded for the last battle: ``dead_points`` killed, ``lost_points`` killed or retreated."""
    starts: tuple[str, ...] = ()
    """The starting places that the group picked."""

    def unit(self, key: object) -> Unit:
        return next(unit for unit in self.units if unit.key == key and unit.alive)

    def bodies(self, fits: Callable[[Unit], object] = lambda unit: True) -> dict[str, list[Unit]]:
        """The living units for which ``fits`` is true, by body, in the army's order."""
        rows: dict[str, list[Unit]] = {}
        for unit in self.units:
            if unit.alive and fits(unit):
                rows.setdefault(unit.body, []).append(unit)
        return rows

    def heroes(self) -> list[Unit]:
        return [unit for unit in self.units if unit.kind == "hero" and unit.alive]

    def body_title(self, body: str) -> Text:
        """The name of a body in forms."""
        units = self.bodies()[body]
        if not units[0].of_squad or (units[0].kind == "hero" and len(units) == 1):
            return units[0].said
        return self.squads.get(body) or message("Squad %(number)s", number=int(body[1:]) + 1)

    def body_holds(self, body: str) -> str:
        """A body's units in words; "" if its title already names them."""
        units = self.bodies()[body]
        titled = self.body_title(body) == units[0].said
        return "" if titled else apart(f"{unit.alive} × {unit.label}" for unit in units)


def _hits(unit: Unit) -> Account:
    return Account("hits", in_english(unit.said), unit.said)


class Book(StepBook):
    group: Group

    def change(self, unit: Unit) -> None:
        """Replace the unit with this key; a change of a hero's hit points gets a ledger line."""
        healed = unit.hits - sum(old.hits for old in self.group.units if old.key == unit.key)
        self.line(_hits(unit), healed, message("Gained") if healed > 0 else message("Wounded"))
        self.set(units=tuple(unit if old.key == unit.key else old for old in self.group.units))

    def mark_used(self, *what: str) -> None:
        """Mark actions as used until the next battle."""
        self.set(used=self.group.used.union(what))


def new_group(document: Document, edition: EditionInfo) -> Group:
    """The group made from an army's document, with all units ready."""
    army = priced(document, Terms(edition))
    units = [unit for squad in army.squads for model in squad.models for unit in _units(document, model)]
    alike = [unit.said for unit in units]
    for place, unit in enumerate(units):
        if unit.kind == "hero" and alike.count(unit.said) > 1:
            units[place] = replace(unit, number=alike[: place + 1].count(unit.said))
    for place, drive in enumerate(army.vehicles):
        limits = [int(figure) for figure in drive.entry.hit_points.split("/")] if drive.entry else [1, 1]
        units.append(
            Unit(f"v{place}", "vehicle", drive.name, f"v{place}", drive.points, {"name": drive.name}, 1,
                 disabled_at=limits[0], destroyed_at=limits[-1])
        )  # fmt: skip
    if army.mines:
        units.append(Unit("mines", "mines", "Mine", "mines", army.edition.mine_points or 0, {}, army.mines))
    head = {key: value for key, value in document.items() if key not in ("squads", "vehicles", "mines")}
    squads = {f"s{place}": squad["name"] for place, squad in enumerate(document["squads"])}
    return Group(head, squads, tuple(units))


def _units(document: Document, model: Figures) -> Iterable[Unit]:
    raw = document["squads"][model.squad]["models"][model.place] | {"count": 1}
    key, body = f"{model.squad}-{model.place}", f"s{model.squad}"
    if not model.hero:
        yield Unit(key, "troops", model.name, body, model.each, raw, model.count)
        return
    most = (model.profile.hp if model.profile else 1) + model.level - 1
    xp = model.level_points // 2
    left = max(0, model.level - 1 - model.skill_points)
    for number in range(model.count):
        yield Unit(f"{key}-{number}", "hero", model.name, body, model.each, raw, 1,
                   hits=most, most_hits=most, xp=xp, skill_points=left, paid=model.level,
                   free=model.free_skills)  # fmt: skip


def found(world: World, group: int, document: Document, dice: Dice) -> Applied:
    """A new group from its legal army; one that is founded again keeps its fallen, and its places on the map."""
    new, former = new_group(document, world.edition), world.groups.get(group)
    if former:
        gone = message("Left when the group was founded again")
        fallen = tuple(
            replace(unit, key=f"{unit.key}.", ready=0, away=0, fielded=0, hits=0, lost=unit.alive + unit.lost,
                    gone=unit.gone or gone)
            for unit in former.units
        )  # fmt: skip
        place = former.starts[0] if former.starts else ""
        units = tuple(replace(unit, place=place) for unit in new.units)
        new = replace(new, units=(*units, *fallen), starts=former.starts, forfeited=former.forfeited)
    book = Book(world.with_group(group, new), group, dice)
    total = sum(unit.alive * unit.each for unit in book.group.units)
    low, high = battles(total, int(world.settings["most"]))
    book.remark_many(
        "Starts with %(num)s army point: %(low)s to %(high)s battles are advised.",
        "Starts with %(num)s army points: %(low)s to %(high)s battles are advised.",
        total,
        low=low,
        high=high,
    )
    if not LEAST_START <= total <= MOST_START:
        book.remark_many(
            "%(least)s to %(num)s army point is advised.",
            "%(least)s to %(num)s army points are advised.",
            MOST_START,
            least=LEAST_START,
        )
    for account, amount in balances(book.group).items():
        book.line(account, amount, message("Founded"))
    return book.applied()


def document_of(group: Group, only_fielded: bool = False) -> Document:
    """The group as a force file, all units or only those mustered: squads with their numbers in the group, heroes at
    their present levels and with those that were paid for.
    """
    counts = {unit.key: unit.fielded if only_fielded else unit.alive for unit in group.units}
    squads: dict[str, list[Document]] = {}
    for unit in group.units:
        if unit.of_squad and counts[unit.key]:
            squads.setdefault(unit.body, []).append({**unit.raw, "count": counts[unit.key], "paid": unit.paid})
    return {
        **group.head,
        "squads": [
            {"name": group.squads.get(body, ""), "number": int(body[1:]) + 1, "models": models}
            for body, models in sorted(squads.items(), key=lambda squad: int(squad[0][1:]))
        ],
        "vehicles": [unit.name for unit in group.units if unit.kind == "vehicle" and counts[unit.key]],
        "mines": counts.get("mines", 0),
    }


def battle_terms(settings: Mapping[str, str], terms: Terms) -> Terms:
    """The terms of a battle's force: its largest size, and of the rules those for grown forces."""
    return replace(terms, size=int(settings["most"]), grown=True, least=0)


def readiness(world: World, group: int) -> Readiness:
    """The points of all who are able to fight, and what the group decided."""
    state: Group = world.groups[group]
    return Readiness(sum(unit.able * unit.each for unit in state.units), least_points(world.settings), state.decision)


def mustered(world: World, group: Group) -> Verdict:
    """The verdict on the mustered part of a group."""
    terms = battle_terms(world.settings, Terms(world.edition))
    return CHECKS.check(document_of(group, only_fielded=True), terms)


def balances(group: Group) -> dict[Account, int]:
    """The balances of a group: army points, units by their labels, and heroes' hit points."""
    sums: Counter[Account] = Counter()
    for unit in group.units:
        sums[POINTS] += unit.alive * unit.each
        sums[unit.account] += unit.alive
        sums[_hits(unit)] += unit.hits
    return {account: amount for account, amount in sums.items() if amount}


def rating(group: Group) -> int:
    """The group's army points."""
    return balances(group).get(POINTS, 0)


KINDS = {"vehicle": N_("Vehicle"), "mines": N_("Mines")}


def members(group: Group) -> tuple[Member, ...]:
    """All units by squad, then the others."""
    return tuple(
        member(group, unit)
        for unit in sorted(group.units, key=lambda unit: int(unit.body[1:]) if unit.of_squad else len(group.units))
    )


def member(group: Group, unit: Unit) -> Member:
    """A unit for pages and sheets."""
    raw, notes, learned = unit.raw, list[str](), tuple[str, ...]()
    if unit.kind == "hero":
        figures = [
            (gettext("Level"), str(unit.level)),
            (gettext("Experience"), str(unit.xp)),
            (gettext("Hit points"), of_most(unit.hits, unit.most_hits)),
            (gettext("Skill points"), str(unit.skill_points)),
            (gettext("Army points"), str(unit.each)),
        ]
        notes = [f"{name} ({level})" for name, level in unit.skills.items()]
        learned = (gettext("Level %(level)s", level=unit.level), *notes)
        if unit.alive and not unit.hits:
            notes.append(gettext("Unconscious: cannot fight"))
    elif unit.kind == "vehicle":
        figures = [(gettext("Damage"), of_most(unit.damage, unit.destroyed_at))]
        if unit.alive and unit.damage >= unit.disabled_at:
            notes.append(gettext("Disabled: no fast speed"))
    else:
        figures = [(gettext("Ready"), str(unit.ready)), *([(gettext("Lost"), str(unit.lost))] if unit.lost else [])]
    if unit.away:
        text = gettext("Misses the next battle")
        many = ngettext("%(num)s misses the next battle", "%(num)s miss the next battle", unit.away)
        notes.append(text if unit.kind != "troops" else many)
    carries = filter(None, (raw.get("weapon"), *["Grenade"] * raw.get("grenades", 0), *raw.get("items", ())))
    rank = gettext(KINDS.get(unit.kind, ""))
    if unit.of_squad:
        squad = group.squads.get(unit.body) or gettext("squad %(number)s", number=int(unit.body[1:]) + 1)
        rank = f"{capital(gettext(raw['rank']))}, {squad}"
    return Member(
        unit.key,
        unit.label,
        rank,
        tuple(figures),
        tuple(Counter(carries).items()),
        tuple(notes),
        learned,
        gone=worded(unit.gone),
        alive=unit.alive,
        place=gettext("At %(place)s", place=unit.place) if unit.place else "",
        lost=max(0, unit.lost) if unit.kind != "mines" else 0,
    )
