"""What can be added to a force on the builder page: the edition's lists without what the event bans."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from validators.battle_mode.edition import Priced
from validators.battle_mode.event_rules import used_up
from validators.battle_mode.priced import PricedForce, PricedModel


@dataclass(frozen=True)
class Option:
    """One thing that can be bought and its cost in Caps.

    ``taken`` where it is unique and in the force, ``full`` where the event allows no more of it, ``picked`` where it is
    chosen on the page and not bought yet.
    """

    name: str
    caps: int
    heavy: bool = False
    taken: bool = False
    full: bool = False
    picked: bool = False

    @property
    def open(self) -> bool:
        """Whether it can be chosen: shown it is in any case."""
        return not (self.taken or self.full)


@dataclass(frozen=True)
class OptionGroup:
    """Options under one heading, as the printed lists group them."""

    title: str
    options: tuple[Option, ...]


def options(
    entries: Iterable[Priced], force: PricedForce, model_caps: int = 0, held: Collection[str] = ()
) -> tuple[Option, ...]:
    """What can be chosen: all of these that the event does not ban, and what is chosen already."""
    allowed = (entry for entry in entries if entry.name in held or not force.banned(entry.name))
    return tuple(
        Option(entry.name, entry.cost_on(model_caps), full=used_up(force, entry.name))
        for entry in sorted(allowed, key=lambda entry: entry.name)
    )


def leader_cards(leader: PricedModel | None, force: PricedForce) -> tuple[Option, ...]:
    """The cards that the Leader may have."""
    cards = force.edition.leader_cards.values()
    held = {leader.leader_card.name} if leader and leader.leader_card else set()
    if leader is None or leader.entry is None:
        return options(cards, force, held=held)
    entry = leader.entry
    allowed = (card for card in cards if entry.may_have_leader_card(card.name) or card.name in held)
    return options(allowed, force, held=held)


def items_to_add(model: PricedModel, force: PricedForce) -> tuple[OptionGroup, ...]:
    """What the model's entry lists, by kind."""
    if model.entry is None:
        return ()
    listed = dict(model.entry.may_carry)
    if model.entry.perhaps_carries:
        listed["Perhaps: the edition does not say"] = model.entry.perhaps_carries
    return tuple(
        OptionGroup(
            title,
            tuple(
                Option(item.name, item.caps, heavy=item.heavy, full=used_up(force, item.name))
                for item in (force.edition.item(name) for name in names)
                if item and not force.banned(item.name)
            ),
        )
        for title, names in listed.items()
    )


def models_to_add(force: PricedForce) -> tuple[OptionGroup, ...]:
    """The faction's list: models that may be taken often, then the unique ones, then those nobody knows about."""
    persons = {model.entry.unique for model in force.models if model.entry} - {None}
    everyone = force.faction.models.values() if force.faction else ()
    listed = [entry for entry in everyone if not force.banned(entry.name)]
    full = {entry.name for entry in listed if used_up(force, entry.name, model=True)}
    often = tuple(Option(m.name, m.caps, full=m.name in full) for m in listed if m.person is None)
    once = tuple(
        Option(m.name, m.caps, taken=m.unique in persons, full=m.name in full) for m in listed if m.unique is not None
    )
    perhaps = tuple(Option(m.name, m.caps, full=m.name in full) for m in listed if m.perhaps_unique is not None)
    titled = (("Any number", often), ("Once each", once), ("Perhaps once each: the edition does not say", perhaps))
    return tuple(OptionGroup(title, options) for title, options in titled if options)
