"""An edition as readable tables: its price lists, and its differences from another edition, row by row."""

from collections.abc import Mapping

from validators.contract import EditionInfo
from validators.editions import DifferenceRow, EditionDifference, PriceList, PriceRow
from validators.fallout_skirmish.edition import Edition, ForceRow, Item, ItemGroup, ItemRow, RankRow


def price_lists(info: EditionInfo) -> tuple[PriceList, ...]:
    """All prices in an edition: each force's ranks and lists, the items by kind, turfs and perks."""
    edition: Edition = info.lists
    file = edition.file
    forces = tuple(_force_list(force) for force in file.forces)
    items = tuple(PriceList(group.kind, tuple(_item_row(row, group) for row in group.rows)) for group in file.items)
    turfs = (PriceRow(turf.name, "", (f"2D12: {_span(turf.first, turf.last)}", turf.yields)) for turf in file.turfs)
    perks = (PriceRow(name, "", (needs,) if needs else ()) for name, needs in file.perks.items())
    rolled = PriceList("Turfs", tuple(turfs), "Rolled, never bought.")
    earned = PriceList("Perks", tuple(perks), "By experience, never bought.")
    return tuple(one for one in (*forces, *items, rolled, earned) if one.rows)


def _force_list(force: ForceRow) -> PriceList:
    everybody = len(force.big_gun_ranks) == len(force.ranks)
    carriers = "anybody" if everybody else " and ".join(force.big_gun_ranks)
    guns = f"one Big Gun for every {force.big_gun_per} characters, carried by {carriers}"
    rows = [_rank_row(rank, force) for rank in force.ranks]
    rows += [PriceRow(name, str(caps)) for name, caps in force.weapons.items()]
    for row in force.armour:
        rows.append(PriceRow(row.name, str(row.caps), (f"saves on {row.save}", f"for {', '.join(row.ranks)}")))
    return PriceList(force.name, tuple(rows), f"At most {force.group_most} characters; {guns}.")


def _rank_row(rank: RankRow, force: ForceRow) -> PriceRow:
    profile = " ".join(f"{letter}{figure}" for letter, figure in zip("SPECIAL", rank.special, strict=True))
    worn = " or ".join(force.may_wear(rank.name))
    wears = (f"must wear {worn}" if rank.name in force.must_wear else f"may wear {worn}") if worn else ""
    also = [one for one in rank.also if not rank.name.startswith(one)]  # as printed in the rulebook
    notes = (
        f"at most {rank.most}",
        profile,
        f"W{rank.wounds} AP{rank.action_points}",
        f"{rank.experience} XP",
        wears,
        f"also: {', '.join(also)}" if also else "",
    )
    return PriceRow(rank.name, str(rank.caps), tuple(filter(None, notes)))


def _item_row(row: ItemRow, group: ItemGroup) -> PriceRow:
    said = (Item(row, group).figures, row.special)
    cost = "built" if row.caps is None else str(row.caps)
    return PriceRow(row.name, cost, tuple(one.replace("-", "−") for one in said if one))


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def compare(before: EditionInfo, after: EditionInfo) -> EditionDifference:
    """The differences of ``after`` from ``before``, in sentences and row by row."""
    old, new = _facts(before.lists), _facts(after.lists)
    rows = []
    for kind, faction, name in dict.fromkeys([*old, *new]):
        was, now = (facts.get((kind, faction, name), {}) for facts in (old, new))
        if not was or not now:
            rows.append(DifferenceRow(kind, name, "removed" if was else "added", _all(was), _all(now), faction))
            continue
        for what in dict.fromkeys([*was, *now]):
            if was.get(what, "") != now.get(what, ""):
                rows.append(DifferenceRow(kind, name, what, was.get(what, ""), now.get(what, ""), faction))
    number = f"{len(rows)} things differ" if len(rows) > 1 else "1 thing differs" if rows else "Nothing differs"
    return EditionDifference((f"{number}.",), tuple(rows))


_Key = tuple[str, str, str]
_Facts = Mapping[str, str]


def _all(facts: _Facts) -> str:
    return ", ".join(f"{what} {said}" for what, said in facts.items())


def _facts(edition: Edition) -> Mapping[_Key, _Facts]:
    """Everything in an edition that a verdict or a sheet can use, by kind, force and name."""
    file = edition.file
    facts: dict[_Key, _Facts] = {
        ("Edition", "", "Rating and start"): {
            "for a turf": str(file.turf_rating),
            "turfs": str(file.turfs_at_start),
            "open to all": ", ".join(f"{most} × {name}" for name, most in file.open_to_all.items()),
        }
    }
    for force in file.forces:
        facts["Forces", "", force.name] = {
            "characters": str(force.group_most),
            "ranks": ", ".join(rank.name for rank in force.ranks),
            "characters for a Big Gun": str(force.big_gun_per),
            "carry Big Guns": ", ".join(force.big_gun_ranks),
            "must wear armor": ", ".join(force.must_wear) or "nobody",
        }
        for rank in force.ranks:
            facts["Ranks", force.name, rank.name] = {
                "Caps": str(rank.caps),
                "most": str(rank.most),
                "profile": " ".join(map(str, rank.special)),
                "wounds": str(rank.wounds),
                "AP": str(rank.action_points),
                "XP": str(rank.experience),
                "other names": ", ".join(rank.also),
            }
        for name, caps in force.weapons.items():
            facts["Weapons", force.name, name] = {"Caps": str(caps)}
        for row in force.armour:
            ranks = ", ".join(row.ranks)
            facts["Armor", force.name, row.name] = {"Caps": str(row.caps), "save": str(row.save), "ranks": ranks}
    for group in file.items:
        flags = ("Big Gun" * group.big_gun, "armor" * group.armour, "lasts" * group.lasting)
        for item in group.rows:
            facts["Items", "", item.name] = {
                "Caps": "built" if item.caps is None else str(item.caps),
                "kind": ", ".join(filter(None, (group.kind, *flags))),
                "profile": Item(item, group).figures,
                "special": item.special,
            }
    for turf in file.turfs:
        facts["Turfs", "", turf.name] = {"2D12": _span(turf.first, turf.last), "yields": turf.yields}
    for name, needs in file.perks.items():
        facts["Perks", "", name] = {"needs": needs or "nothing"}
    return facts
