"""The reward for the objective of a game, the advances that experience gives, a new leader (chapters 9 and 10)."""

from collections import Counter
from collections.abc import Iterator

from languages.message import Text, message, worded
from languages.words import N_, gettext, ngettext, pgettext
from validators.calculator import one_of
from validators.campaign import Answered, Offer, Played
from validators.fallout_skirmish.campaign.book import Book
from validators.fallout_skirmish.campaign.games import injured_choices
from validators.fallout_skirmish.campaign.income import rolled
from validators.fallout_skirmish.campaign.state import Character, Group, perk_open
from validators.fallout_skirmish.campaign.tables import MERCHANTS, MOST, NAMES, RAW, row_of


def urgent(book: Book) -> Iterator[Offer]:
    """Pending advances and perks, and the choice of a missing leader, in any phase."""
    for (kind, key, *_), number in Counter(book.aftermath.pending).items():
        if kind == "advance":
            about = ngettext("%(num)s advance", "%(num)s advances", number)
            yield Offer(
                "advance", book.name_of(key), pgettext("button", "Advance"), about, fixed={"who": key}, dice="2D12"
            )
        elif kind in ("perk", "any perk"):
            title = gettext("A perk for %(name)s", name=book.name_of(key))
            perks = one_of("perk", gettext("Perk"), _perks(book.group, book.group.member(key), kind))
            yield Offer("perk", title, gettext("Choose"), "", (perks,), {"who": key, "kind": kind})
    if not book.group.leader and (tied := book.candidates()):
        dice = f"D{len(tied)}" if len(tied) > 1 else ""
        about = gettext("The highest Charisma leads; equals draw lots.")
        yield Offer("lead", gettext("A new leader"), gettext("Choose"), about, dice=dice)


def _perks(group: Group, character: Character, kind: str) -> list[str]:
    """The perks that a character can choose: those that it lacks, without Leader, which is never chosen."""
    left, profile = (
        (perk for perk in group.lists.file.perks if perk not in (*character.perks, "Leader")),
        group.profile(character),
    )
    return [perk for perk in left if kind == "any perk" or perk_open(profile, group, perk)]


def _open(group: Group, character: Character, gain: str, choosing: int) -> bool:
    """Whether a character can gain a row of the advancement table; ``choosing`` perks are already pending."""
    if gain in MOST:
        return group.base(character)[gain] < MOST[gain]
    return len(_perks(group, character, gain)) > choosing


def advance(book: Book, answers: Answered) -> None:
    """Roll one advance; a result that the character cannot gain is rolled again."""
    who = str(answers["who"])
    character = book.group.member(who)
    book.settle(who, "advance")
    rows = RAW["advances"]["rows"]
    choosing = sum(what in (("perk", who), ("any perk", who)) for what in book.aftermath.pending)
    if not any(_open(book.group, character, row[2], choosing) for row in rows):
        book.remark("%(name)s has nothing left to gain.", name=character.name)
        return
    while True:
        total = book.roll(message("Advance of %(name)s", name=character.name), 12, 2).total
        gain = row_of(rows, total)[2]
        if _open(book.group, character, gain, choosing):
            break
        book.remark(
            "%(name)s: %(total)s cannot be gained, so the dice are rolled again.", name=character.name, total=total
        )
    if gain in MOST:
        book.change_character(who, raised={**character.raised, gain: character.raised.get(gain, 0) + 1})
        book.remark("%(name)s: %(what)s.", name=character.name, what=f"{total}, +1 {NAMES[gain]}")
    else:
        book.update_aftermath(pending=(*book.aftermath.pending, (gain, who)))
        text = N_("%(name)s: %(total)s, a perk.")
        if gain == "any perk":
            text = N_("%(name)s: %(total)s, a perk, whatever it asks for.")
        book.remark(text, name=character.name, total=total)


def perk(book: Book, answers: Answered) -> None:
    who = str(answers["who"])
    book.settle(who, str(answers["kind"]))
    book.change_character(who, perks=(*book.group.member(who).perks, str(answers["perk"])))
    book.remark("%(name)s has the perk %(perk)s.", name=book.name_of(who), perk=answers["perk"])


def raise_level(book: Book, who: str) -> None:
    """Raise a character one level above its highest: the missing experience, and an advance."""
    character = book.group.member(who)
    levels = RAW["levels"]["xp"]
    if character.level < len(levels):
        book.earn(who, levels[character.level] - character.xp)
    else:
        book.remark("%(name)s is at the highest level.", name=character.name)


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
