"""What an event adds to a game's rules, as data: it drives the check, the printed rules and the builder alike."""

from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any, Protocol

from validators.names import fold, name_table, nearest


@dataclass(frozen=True)
class Restrictions:
    """What one event adds. A default adds nothing; points are tournament points."""

    banned: tuple[str, ...] = ()
    """Models, items, mods, perks and cards that may not be taken, by their names in the edition."""
    most_copies: tuple[tuple[str, int], ...] = ()
    """How often at most a force may hold a named model, item, mod, perk or card, copies included."""
    same_model: int | None = None
    """How often at most a force may hold any one model that is not unique anyway."""
    factions: tuple[str, ...] = ()
    """The factions that may be played; none named: all that the edition lets take the field."""
    faction_locked: bool = False
    """A player keeps the faction of the entry: no other may be played, from the first list that is handed in."""
    roster_size: int | None = None
    """For a sideboard: the list is a roster of up to this size, of which the event's size is fielded in each game."""
    choose_minutes: int = 5
    """For a sideboard: the minutes that both players have for choosing in front of the table."""
    painted: bool = False
    """Only fully painted forces take part."""
    on_time_points: int = 0
    """For a list handed in when lists are locked."""
    error_free_points: int = 0
    """For a list that was handed in on time and stands as it was locked."""
    late_points: int = 0
    """Taken away for a list that was not there when lists were locked."""

    def list_size(self, size: int) -> int:
        """What a list may cost at an event of this size: with a sideboard the roster's size, else the event's."""
        return self.roster_size or size

    def __bool__(self) -> bool:
        """Whether anything is added."""
        return self != Restrictions(choose_minutes=self.choose_minutes)

    def most_of(self, name: str, model: bool) -> int | None:
        """How often at most a force may hold what has this name, a model or not; None where nothing is said."""
        return self._limits.get(fold(name), self.same_model if model else None)

    @cached_property
    def _limits(self) -> dict[str, int]:
        return {fold(name): most for name, most in self.most_copies}


MOST_TOLD = 10
"""Unknown names that are listed."""
LONGEST_SHOWN = 60
"""Characters of an unknown name that are shown."""

NONE = Restrictions()
"""An event that adds nothing."""


class Spelling(Protocol):
    """What an edition knows: the factions that may be fielded, and by kind the names of all that can be bought."""

    @property
    def factions(self) -> tuple[str, ...]:
        """Names of factions."""

    @property
    def names(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """A kind, and the names of that kind."""


def spelt(restrictions: Restrictions, edition: Spelling) -> Restrictions:
    """The same with every name as the edition spells it. Raises UnknownNames for those that it does not have."""
    names = tuple(name for _, kind in edition.names for name in kind)
    asked = {
        "banned": (restrictions.banned, names),
        "most_copies": (tuple(name for name, _ in restrictions.most_copies), names),
        "factions": (restrictions.factions, edition.factions),
    }
    faults = tuple((field, text) for field, (wanted, known) in asked.items() if (text := _unknown(wanted, known)))
    if faults:
        raise UnknownNames(faults)
    things, factions = name_table(names), name_table(edition.factions)
    return replace(
        restrictions,
        banned=tuple(dict.fromkeys(things.find(name) or name for name in restrictions.banned)),
        most_copies=tuple({things.find(name) or name: most for name, most in restrictions.most_copies}.items()),
        factions=tuple(dict.fromkeys(factions.find(name) or name for name in restrictions.factions)),
    )


class UnknownNames(Exception):
    """Names that the edition does not have: the fields of the restrictions that hold some, each with a text that
    names them and the nearest names that the edition has.
    """

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        super().__init__(" ".join(text for _, text in faults))
        self.faults = faults


def _unknown(wanted: tuple[str, ...], known: tuple[str, ...]) -> str:
    """What to say of the names that are not known, "" where all are."""
    table = name_table(known)
    unknown = list({fold(name): name for name in wanted if table.find(name) is None}.values())
    sentences = []
    for name in unknown[:MOST_TOLD]:
        shown = name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}…"
        near = nearest(name[:LONGEST_SHOWN], known)
        offer = f" Did you mean {' or '.join(near)}?" if near else ""
        sentences.append(f"The edition has no {shown}.{offer}")
    rest = len(unknown) - len(sentences)
    return " ".join([*sentences, f"And {rest} more names that it does not have."] if rest else sentences)


def as_document(restrictions: Restrictions) -> dict[str, Any]:
    """Plain JSON values that ``from_document`` reads back; only what differs from the default."""
    default = asdict(NONE)
    return {key: value for key, value in asdict(restrictions).items() if value != default[key]}


def from_document(document: dict[str, Any] | None) -> Restrictions:
    """The restrictions that an event's row holds; None adds nothing. Trusts its values: ``as_document`` made them."""
    if not document:
        return NONE
    known = {field.name for field in fields(Restrictions)}
    values = {key: value for key, value in document.items() if key in known}
    for key in ("banned", "factions"):
        values[key] = tuple(values.get(key, ()))
    values["most_copies"] = tuple((name, most) for name, most in values.get("most_copies", ()))
    return Restrictions(**values)
