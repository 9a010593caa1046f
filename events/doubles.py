"""Two players who share one side and one force are one entry, shown as "A & B" wherever a player is shown."""

from events.names import name_key

BETWEEN = " & "
LONGEST = 80
"""Of an entry's name, both names together."""


def entry_name(name: str, partner: str) -> str:
    """The name of the entry: "Ann & Bob", or just "Ann" without a partner."""
    return f"{name}{BETWEEN}{partner}" if partner else name


def first_name(entry: str, partner: str) -> str:
    """The first of the two names of an entry: what ``entry_name`` was made from."""
    return entry.removesuffix(f"{BETWEEN}{partner}") if partner else entry


def split_entry(text: str) -> tuple[str, str]:
    """Both names of a line such as "Ann & Bob"; the second is "" where there is one."""
    name, _, partner = text.partition(BETWEEN)
    return name.strip(), partner.strip()


def people_in(entry: str, partner: str) -> set[str]:
    """The people of an entry, by the keys that names are compared by."""
    return {name_key(one) for one in (first_name(entry, partner), partner) if one}
