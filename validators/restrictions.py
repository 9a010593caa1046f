"""An event's additions to a game's rules, as data for the check, the printed rules and the builder."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from languages.words import gettext, ngettext
from validators.names import fold, name_table, nearest


@dataclass(frozen=True)
class Restrictions:
    """The additions of one event. The defaults add nothing; points are tournament points."""

    banned: tuple[str, ...] = ()
    """Forbidden models, items, mods, perks and cards, by their names in the edition."""
    most_copies: tuple[tuple[str, int], ...] = ()
    """The most copies in a force of a named model, item, mod, perk or card."""
    same_model: int | None = None
    """The most copies in a force of any model that is not unique."""
    factions: tuple[str, ...] = ()
    """The allowed factions; empty for all that the edition allows."""
    faction_locked: bool = False
    """Whether players must keep the faction of their registration, from their first submitted list on."""
    roster_size: int | None = None
    """With a sideboard, the size of the list, called the roster; the event's size is fielded from it in each game."""
    choose_minutes: int = 5
    """With a sideboard, the minutes that both players have to choose their forces at the table."""
    painted: bool = False
    """Whether only fully painted forces may take part."""
    on_time_points: int = 0
    """For a list handed in when lists are locked."""
    error_free_points: int = 0
    """For a list that was submitted on time and not changed after the lock."""
    late_points: int = 0
    """The deduction for a list that was missing when lists were locked."""

    def __bool__(self) -> bool:
        return self != Restrictions(choose_minutes=self.choose_minutes)

    def most_of(self, name: str, model: bool) -> int | None:
        """The most copies in a force of anything with this name; None for no limit."""
        return self._limits.get(fold(name), self.same_model if model else None)

    @cached_property
    def _limits(self) -> dict[str, int]:
        return {fold(name): most for name, most in self.most_copies}


MOST_LISTED = 10
"""The most unknown names listed."""
LONGEST_SHOWN = 60
"""The most characters shown of an unknown name."""

NONE = Restrictions()
"""The restrictions of an event that adds nothing."""


def spelt(
    restrictions: Restrictions, kinds: Iterable[tuple[str, tuple[str, ...]]], factions: tuple[str, ...]
) -> Restrictions:
    """The restrictions with every name as an edition spells it: its names by kind, and its factions.

    Raises UnknownNames for unknown names.
    """
    names = tuple(name for _, kind in kinds for name in kind)
    asked = {
        "banned": (restrictions.banned, names),
        "most_copies": (tuple(name for name, _ in restrictions.most_copies), names),
        "factions": (restrictions.factions, factions),
    }
    faults = tuple((field, text) for field, (wanted, known) in asked.items() if (text := _unknown(wanted, known)))
    if faults:
        raise UnknownNames(faults)
    things, known_factions = name_table(names), name_table(factions)
    return replace(
        restrictions,
        banned=tuple(dict.fromkeys(things.find(name) or name for name in restrictions.banned)),
        most_copies=tuple({things.find(name) or name: most for name, most in restrictions.most_copies}.items()),
        factions=tuple(dict.fromkeys(known_factions.find(name) or name for name in restrictions.factions)),
    )


class UnknownNames(Exception):
    """Names missing from the edition: for each field concerned, a text with these names and similar known ones."""

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        super().__init__(" ".join(text for _, text in faults))
        self.faults = faults


def _unknown(wanted: tuple[str, ...], known: tuple[str, ...]) -> str:
    """The message about unknown names; "" if all are known."""
    table = name_table(known)
    unknown = list({fold(name): name for name in wanted if table.find(name) is None}.values())
    sentences = []
    for name in unknown[:MOST_LISTED]:
        shown = name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}…"
        near = nearest(name[:LONGEST_SHOWN], known)
        offer = " " + gettext("Did you mean %(names)s?", names=gettext(" or ").join(near)) if near else ""
        sentences.append(gettext("The edition has no %(name)s.", name=shown) + offer)
    rest = len(unknown) - len(sentences)
    if rest:
        sentences.append(
            ngettext(
                "And %(num)s more name that it does not have.", "And %(num)s more names that it does not have.", rest
            )
        )
    return " ".join(sentences)
