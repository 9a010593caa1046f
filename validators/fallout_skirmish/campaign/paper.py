"""The members of a grown group for the table."""

from languages.words import N_, gettext
from validators.contract import Terms
from validators.fallout_skirmish.campaign.state import Character, Group, document, notes
from validators.fallout_skirmish.campaign.tables import MOST_RADS, level_of
from validators.fallout_skirmish.force import PricedItem, priced
from validators.fallout_skirmish.sheets import character_blocks, key
from validators.sheet import Block, Lines

LEVELS = N_("Level: from XP, one for each 3 to 30, then 5 to 60, then 10. Experienced members join with 25 XP.†")
COUNTED = N_("The figures include injuries, rads and hunger, no other effects.")
"""What members' figures include, on every paper of a group."""


def sheet(group: Group) -> tuple[Block, ...]:
    """Each member as on the sheet of one day, with what it has gained and suffered since."""
    listed = priced(document(group), Terms(group.edition, grown=True))
    priced_characters = dict(zip((character.key for character in group.characters), listed.characters, strict=True))

    def items(character: Character) -> tuple[PricedItem, ...]:
        known = priced_characters[character.key].items if character.key in priced_characters else ()
        others = {name: n for name, n in sorted(character.items.items()) if group.lists.item(name) is None}
        return (*known, *(PricedItem(name, None, None, n, listed=False) for name, n in others.items()))

    blocks = list[Block]()
    for member in group.present_members:
        figures = group.next_profile(member) | (
            {} if member.centaur else {"XP": member.xp, gettext("Level"): level_of(member.xp)}
        )
        doses = tuple("×" if n <= member.rads else str(n) if n % 5 == 0 else "" for n in range(1, MOST_RADS + 1))
        title = f"{member.name}, {member.rank}"
        blocks += character_blocks(
            title, figures, items(member), listed, tuple(notes(group, member)), figures["W"], *doses
        )
    return (*blocks, Lines(gettext("Key"), (key(), gettext(LEVELS), gettext(COUNTED))))
