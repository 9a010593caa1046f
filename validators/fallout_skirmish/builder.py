"""What the builder page of Fallout Skirmish shows: the document with every choice, price and finding beside it.

The page's form holds the whole document (see ``form``), so whatever stands in the document is shown with a field of its
own, known to the edition or not: nothing is lost by saving.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from validators.contract import Document, Finding, Mending, Terms, Verdict
from validators.fallout_skirmish.check import verdict_on
from validators.fallout_skirmish.edition_shape import RankRow, TurfRow
from validators.fallout_skirmish.mending import mendings
from validators.fallout_skirmish.priced import PricedCharacter, PricedGroup, PricedItem, priced
from validators.form_fields import Fields
from validators.names import fold


@dataclass(frozen=True)
class Option:
    """One thing that can be bought, its price in Caps, and a word about it ("Big Gun", "2 of 6")."""

    name: str
    caps: int
    note: str = ""


@dataclass(frozen=True)
class OptionGroup:
    """Options under one heading."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class ItemLine:
    """An item line of a character; ``note`` is what its profile says in a few words."""

    place: int
    name: str
    known: bool
    note: str
    caps: int
    count: int
    several: bool
    """Where it makes sense to have more than one."""


@dataclass(frozen=True)
class CharacterCard:
    """One character of the group with all that is chosen and all that can be added."""

    place: int
    rank: str
    called: str
    label: str
    known: bool
    profile: tuple[tuple[str, int], ...]
    caps: int
    """The character alone."""
    total: int
    """With all that it carries."""
    leader: bool
    leader_too: bool
    """Marked as leader beside another one: not possible in a legal group."""
    perks: tuple[str, ...]
    items: tuple[ItemLine, ...]
    add_items: tuple[OptionGroup, ...]
    problems: tuple[Finding, ...]
    queries: tuple[Finding, ...]


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page."""

    name: str
    faction: str
    factions: tuple[str, ...]
    """What may be chosen; empty once characters are in."""
    edition: str
    characters: tuple[CharacterCard, ...]
    most: int
    """Characters that the group can have; 0 where that is not known."""
    add_characters: tuple[Option, ...]
    turfs: tuple[str, ...]
    """As many as a group starts with; "" for one that is not rolled."""
    turf_table: tuple[TurfRow, ...]
    size: int
    total: int
    left: int
    experience: int
    rating: int
    big_guns_used: int
    big_guns_allowed: int
    verdict: Verdict
    mendings: tuple[Mending, ...]


def builder(document: Document, terms: Terms, fields: Fields) -> BuilderView:
    """A canonical document at an event's terms, ready for the page; its lists are short, so nothing is searched for."""
    group = priced(document, terms)
    verdict = verdict_on(group)
    leader = next((one for one in group.characters if one.leader), None)
    file, offers = group.edition.file, _offers(group)
    return BuilderView(
        name=document["name"],
        faction=group.force_name,
        factions=() if group.characters else tuple(one.name for one in file.forces if group.open_to(one.name)),
        edition=file.name,
        characters=tuple(_card(one, leader, group, verdict, offers) for one in group.characters),
        most=group.force.group_most if group.force else 0,
        add_characters=tuple(_ranks(group)),
        turfs=(*group.turfs, *[""] * (file.turfs_at_start - len(group.turfs))),
        turf_table=tuple(file.turfs),
        size=group.size,
        total=group.total,
        left=group.size - group.total,
        experience=group.experience,
        rating=group.rating,
        big_guns_used=group.big_guns,
        big_guns_allowed=group.big_guns_allowed,
        verdict=verdict,
        mendings=() if verdict.legal else mendings(document, terms),
    )


def profile_of(rank: RankRow) -> tuple[tuple[str, int], ...]:
    """The printed profile with its letters."""
    return (*zip("SPECIAL", rank.special, strict=True), ("W", rank.wounds), ("AP", rank.action_points))


def note_on(item: PricedItem) -> str:
    """A weapon's profile in a few words: "Short -1, Medium -2, Long 0, Extreme +1, RoF 1; Scope"."""
    if item.entry is None:
        return ""
    row, group = item.entry.row, item.entry.group
    figures = ", ".join(f"{head} {value}" for head, value in zip(group.columns, row.profile, strict=True))
    return "; ".join(filter(None, ("Big Gun" if item.big_gun else "", figures, row.special))).replace("-", "−")


def _offers(group: PricedGroup) -> dict[str, tuple[OptionGroup, ...]]:
    """What the characters of each rank may be given: made once, however many of them there are."""
    ranks = {one.rank.name: one.rank for one in group.characters if one.rank}
    return {name: tuple(_to_add(rank, group)) for name, rank in ranks.items()}


def _card(
    one: PricedCharacter,
    leader: PricedCharacter | None,
    group: PricedGroup,
    verdict: Verdict,
    offers: Mapping[str, tuple[OptionGroup, ...]],
) -> CharacterCard:
    return CharacterCard(
        place=one.place,
        rank=one.rank_name,
        called=one.called,
        label=one.label,
        known=one.rank is not None,
        profile=profile_of(one.rank) if one.rank else (),
        caps=one.rank.caps if one.rank else 0,
        total=one.caps,
        leader=one is leader,
        leader_too=one.leader and one is not leader,
        perks=one.perks,
        items=tuple(
            ItemLine(
                place,
                item.name,
                item.entry is not None,
                note_on(item),
                item.caps,
                item.count,
                item.count > 1 or group.edition.open_to_all(item.name) is not None,
            )
            for place, item in enumerate(one.items)
        ),
        add_items=offers.get(one.rank.name, ()) if one.rank else (),
        problems=_about(one, verdict.problems),
        queries=_about(one, verdict.queries),
    )


def _ranks(group: PricedGroup) -> Iterable[Option]:
    for rank in group.force.ranks if group.force else ():
        if not _banned(rank.name, group):
            used = sum(one.rank is rank for one in group.characters)
            yield Option(rank.name, rank.caps, f"{used} of {rank.most}")


def _to_add(rank: RankRow, group: PricedGroup) -> Iterable[OptionGroup]:
    """What a character of this rank may be given, by kind, in the order of the lists."""
    force = group.force
    if force is None:
        return
    open_armour = force.may_wear(rank.name)
    for kind in group.edition.file.items:
        options = []
        for row in kind.rows:
            name, price = row.name, force.price(row.name)
            if price is None and group.edition.open_to_all(name) is not None:
                price = row.caps
            wrong_rank = (kind.armour and name not in open_armour) or (
                kind.big_gun and rank.name not in force.big_gun_ranks
            )
            if price is not None and not wrong_rank and not _banned(name, group):
                options.append(Option(name, price, "Big Gun" if kind.big_gun else ""))
        if options:
            yield OptionGroup(kind.kind, tuple(options))


def _banned(name: str, group: PricedGroup) -> bool:
    return fold(name) in map(fold, group.restrictions.banned)


def _about(one: PricedCharacter, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if one.place in finding.places)
