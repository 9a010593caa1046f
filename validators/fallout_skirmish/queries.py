"""What the organiser is asked about: each function yields queries, and leaves the group legal."""

from collections.abc import Iterator

from validators.contract import Finding
from validators.fallout_skirmish.findings import finding
from validators.fallout_skirmish.priced import PricedGroup
from validators.names import fold
from validators.numbers import counted


def stimpak_price(group: PricedGroup) -> Iterator[Finding]:
    """fs.stimpak: no force's list sells them, so their price is asked about."""
    for name in group.edition.file.open_to_all:
        held = [item for _, item in group.carried() if fold(item.name) == fold(name) and not item.listed]
        if held:
            used, caps = sum(item.count for item in held), sum(item.caps for item in held)
            yield finding(
                "fs.stimpak",
                f"{counted(used, name)} for {caps} Caps: no force list sells them, so may a starting group have them?",
                about=group.holders(name),
                figures={"used": used, "caps": caps},
            )


def grenades_twice(group: PricedGroup) -> Iterator[Finding]:
    """fs.grenade: one purchase of grenades lasts for all games, so a second one on a character is asked about."""
    for character in group.characters:
        bought: dict[str, int] = {}
        for item in character.items:
            if item.entry and item.entry.group.lasting:
                bought[item.name] = bought.get(item.name, 0) + item.count
        for name, number in bought.items():
            if number > 1:
                yield finding(
                    "fs.grenade",
                    f"{character.label} buys {name} {number} times; one purchase lasts for all games",
                    about=[character],
                    figures={"used": number},
                )
