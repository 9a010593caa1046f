"""The rewards of objectives (13, 13.5): for the winner, or for both after a draw with enough victory points."""

from collections.abc import Iterator

from validators.campaign import Answered, Offer, Played, one_of
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import injured_choices, raise_level
from validators.fallout_skirmish.campaign.income import rolled
from validators.fallout_skirmish.campaign.tables import MERCHANTS, RAW

_ROWS, _DRAW = RAW["objectives"]["rows"], RAW["objectives"]["draw"]


def earned(book: Book) -> bool:
    """Whether the group may claim the reward of its objective."""
    game = book.played
    drawn = game.result == "draw" and min(game.points, game.opponent_points) >= _DRAW
    return game.fought and (game.result == "win" or drawn)


def objectives(game: Played) -> list[int]:
    """The numbers of the objectives that the group can have had: as reported, else those of the scenario, else all."""
    everything = list(range(1, len(_ROWS) + 1))
    if game.objectives is None:
        return everything
    had = [number for number in everything if any(_name(number) in named for named in game.objectives)]
    return everything if game.objectives and not had else had


def _name(number: int) -> str:
    return str(_ROWS[number - 1].partition(":")[0])


def _why(book: Book, number: int) -> str:
    """For the ledger: the objective, and whether the group alone says that it was this one."""
    return _name(number) if len(objectives(book.played)) == 1 else f"{_name(number)}, claimed"


def reward_offers(book: Book) -> Iterator[Offer]:
    """The objective that was rolled before the game, and what its reward asks."""
    had = objectives(book.played)
    if earned(book) and had and not book.times("reward"):
        numbered = ((str(number), f"{number} {_ROWS[number - 1]}") for number in had)
        objective = one_of("objective", "Objective of the game", numbered)
        yield Offer("reward", "The reward", "Claim", "", (objective,), dice="its dice")
    if book.after.reward:
        which, dice = one_of("what", "Which", _choices(book)), {11: "D6", 12: "D12"}.get(book.after.reward, "")
        yield Offer("claim", _ROWS[book.after.reward - 1], "Take", "", (which,), dice=dice)


def _choices(book: Book) -> tuple[tuple[str, str], ...]:
    group, number = book.group, book.after.reward
    if number == 2:
        return injured_choices(group)
    names = {5: tuple(group.force.weapons), 11: ("Jet", "Mentats")}
    if number in names:
        return tuple((name, name) for name in names[number])
    return tuple((one.key, one.name) for one in group.characters if not one.blind and not one.captive)


def reward(book: Book, answers: Answered) -> None:
    """The reward of the objective, or what it asks first."""
    number = int(answers["objective"])
    why = _why(book, number)
    book.did("reward")
    book.say(f"{_ROWS[number - 1]}{why.removeprefix(_name(number))}.")
    if number == 1:
        book.caps(100, why)
    elif number == 3 and (everybody := book.group.characters):
        raise_level(book, everybody[book.roll("Who gains a level", len(everybody)).total - 1].key)
    elif number == 4:
        book.did("half")
    elif number in (6, 9):
        book.item("Frag Grenade" if number == 6 else "RadAway", book.roll(why, 6).total, why)
    elif number == 7:
        wares = MERCHANTS["wolfgang"].wares
        book.item(wares[book.roll(why, len(wares)).total - 1].names[0], 1, why)
    elif number == 8:
        book.item("Nuka Grenade", 1, why)
    elif number == 10 and not book.group.full:
        book.say(f"{book.name(book.join(book.group.force.ranks[0].name, why))} joins.")
    else:
        book.note(reward=number)
        if number in (3, 10) or not _choices(book):
            book.note(reward=0)
            book.say("There is nothing that it can be used for.")


def claim(book: Book, answers: Answered) -> None:
    """What a reward leaves to choose."""
    number, what = book.after.reward, str(answers["what"])
    why = _why(book, number)
    if number == 2:
        book.say(f"Healed: {dict(_choices(book))[what]}.")
        book.heal(what)
    elif number == 5:
        book.item(what, 1, why)
    elif number == 11:
        book.item(what, book.roll(why, 6).total, why)
    if number != 2:
        book.say(f"{why}: {book.name(what) if number == 12 else what}.")
    book.note(reward=0)
    if number == 12:
        rolled(book, what)
