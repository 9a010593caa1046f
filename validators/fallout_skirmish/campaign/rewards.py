"""The reward for the objective of a game (rulebook, chapters 9 and 10)."""

from collections.abc import Iterator

from languages.message import Text, message, worded
from languages.words import N_, gettext
from validators.calculator import one_of
from validators.campaign import Answered, Offer, Played
from validators.fallout_skirmish.campaign.advances import raise_level
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import injured_choices
from validators.fallout_skirmish.campaign.income import rolled
from validators.fallout_skirmish.campaign.state import Group
from validators.fallout_skirmish.campaign.tables import MERCHANTS, RAW

_ROWS, _DRAW = RAW["objectives"]["rows"], RAW["objectives"]["draw"]
_BY_DIE = {6: "Frag Grenade", 9: "RadAway"}


COUNTS = {
    (True, True): N_("The report counts: the win, and the objective that the report names."),
    (True, False): N_("The report counts: the win, and the objective of your roll before the game."),
    (False, True): N_(
        "The report counts: the draw with %(own)s and %(other)s victory points, as both have %(least)s or more, and the"
        " objective that the report names."
    ),
    (False, False): N_(
        "The report counts: the draw with %(own)s and %(other)s victory points, as both have %(least)s or more, and the"
        " objective of your roll before the game."
    ),
}
"""What gives the reward: by a win or not, and whether the report names the objective."""


def objectives(game: Played) -> list[int]:
    """The numbers of the group's possible objectives: the reported one, else the scenario's, else all."""
    everything = list(range(1, len(_ROWS) + 1))
    if game.objectives is None:
        return everything
    had = [number for number in everything if any(_name(number) in named for named in game.objectives)]
    return everything if game.objectives and not had else had


def _name(number: int) -> str:
    return str(_ROWS[number - 1]["objective"])


def _gives(number: int) -> Text:
    """The row of an objective: its printed name, and what it gives."""
    return message("%(name)s: %(what)s", name=_name(number), what=message(_ROWS[number - 1]["gets"]))


def _why(book: Book, number: int) -> Text:
    """The objective, for the ledger; "claimed" if no report names it."""
    known = len(objectives(book.played)) == 1
    return _name(number) if known else message("%(objective)s, claimed", objective=_name(number))


def reward_offers(book: Book) -> Iterator[Offer]:
    """The reward of the objective rolled before the game, and the choice that a reward leaves."""
    game, had = book.played, objectives(book.played)
    won = game.result == "win" or (game.result == "draw" and min(game.points, game.opponent_points) >= _DRAW)
    if game.fought and won and had and not book.times_done("reward"):
        numbered = ((str(number), f"{number} {worded(_gives(number))}") for number in had)
        objective = one_of("objective", gettext("Objective of the game"), numbered)
        dice = gettext("its dice") if {3, 7, *_BY_DIE}.intersection(had) else ""
        yield Offer("reward", gettext("The reward"), gettext("Claim"), _counts(game), (objective,), dice=dice)
    if book.aftermath.reward:
        number = book.aftermath.reward
        which = one_of("what", gettext("Which"), _choices(book.group, number))
        dice = {11: "D6", 12: "D12"}.get(number, "")
        yield Offer("claim", worded(_gives(number)), gettext("Take"), "", (which,), dice=dice)


def _counts(game: Played) -> str:
    """Which figures of the report give the reward, in a sentence."""
    text = COUNTS[game.result == "win", bool(game.objectives)]
    return gettext(text, own=game.points, other=game.opponent_points, least=_DRAW)


def _choices(group: Group, number: int) -> tuple[tuple[str, str], ...]:
    if number == 2:
        return injured_choices(group)
    names = {5: tuple(group.force.weapons), 11: ("Jet", "Mentats")}
    if number in names:
        return tuple((name, name) for name in names[number])
    return tuple(
        (character.key, character.name)
        for character in group.characters
        if not character.blind and not character.captive
    )


def reward(book: Book, answers: Answered) -> None:
    """Take the reward of the objective, or note that it leaves a choice."""
    number = int(answers["objective"])
    why = _why(book, number)
    book.mark_done("reward")
    if why == _name(number):
        book.remark("%(reward)s.", reward=_gives(number))
    else:
        book.remark("%(reward)s, claimed.", reward=_gives(number))
    if number == 1:
        book.caps(100, why)
    elif number == 3 and (everybody := book.group.characters):
        raise_level(book, everybody[book.roll(message("Who gains a level"), len(everybody)).total - 1].key)
    elif number == 4:
        book.mark_done("half")
    elif number in _BY_DIE:
        book.item(_BY_DIE[number], book.roll(why, 6).total, why)
    elif number == 7:
        things = list(MERCHANTS["wolfgang"].wares)
        book.item(things[book.roll(why, len(things)).total - 1], 1, why)
    elif number == 8:
        book.item("Nuka Grenade", 1, why)
    elif number == 10 and not book.group.full:
        book.remark("%(name)s joins.", name=book.name_of(book.join(book.group.force.ranks[0].name, why)))
    elif number not in (3, 10) and _choices(book.group, number):
        book.update_aftermath(reward=number)
    else:
        book.remark("There is nothing that it can be used for.")


def claim(book: Book, answers: Answered) -> None:
    """Take the choice that a reward leaves."""
    number, what = book.aftermath.reward, str(answers["what"])
    why = _why(book, number)
    if number == 2:
        book.remark("Healed: %(what)s.", what=dict(_choices(book.group, number))[what])
        book.heal(what)
    elif number in (5, 11):
        book.item(what, book.roll(why, 6).total if number == 11 else 1, why)
    if number != 2:
        book.remark("%(name)s: %(what)s.", name=why, what=book.name_of(what) if number == 12 else what)
    book.update_aftermath(reward=0)
    if number == 12:
        rolled(book, what)
