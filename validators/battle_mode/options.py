"""What can be added to a force on the builder page: the edition's lists without what the event bans."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from validators.battle_mode.edition import Priced
from validators.battle_mode.priced import PricedForce, PricedModel


@dataclass(frozen=True)
class Option:
    """One thing that can be bought and its cost in Caps.

    ``taken`` where it is unique and in the force, ``picked`` where it is chosen on the page and not bought yet.
    """

    name: str
    caps: int
    heavy: bool = False
    taken: bool = False
    picked: bool = False


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
        Option(entry.name, entry.cost_on(model_caps)) for entry in sorted(allowed, key=lambda entry: entry.name)
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
                Option(item.name, item.caps, heavy=item.heavy)
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
    often = tuple(Option(m.name, m.caps) for m in listed if m.person is None)
    once = tuple(Option(m.name, m.caps, taken=m.unique in persons) for m in listed if m.unique is not None)
    perhaps = tuple(Option(m.name, m.caps) for m in listed if m.perhaps_unique is not None)
    titled = (("Any number", often), ("Once each", once), ("Perhaps once each: the edition does not say", perhaps))
    return tuple(OptionGroup(title, options) for title, options in titled if options)
