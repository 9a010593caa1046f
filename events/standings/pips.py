"""A player's games as letters: won, drawn, lost, bye; each says its score and opponent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from events.tournament.figures import Result
from events.tournament.ranking import Row, cross_table
from languages.words import N_, gettext, pgettext

MOST = 9
"""With more rounds than this the letters take more room than they are worth."""
NONE_OPEN: Mapping[tuple[str, str], int] = {}
WORDS = {
    "W": N_("Round %(round)s: won%(score)s against %(name)s"),
    "D": N_("Round %(round)s: draw%(score)s against %(name)s"),
    "L": N_("Round %(round)s: lost%(score)s against %(name)s"),
    "–": N_("Round %(round)s: not played%(score)s against %(name)s"),
}


def result_letter(outcome: str) -> str:
    """W, D, L or B as the reader's language abbreviates them; others, such as –, as they are."""
    match outcome:
        case "W":
            return pgettext("won", "W")
        case "D":
            return pgettext("drawn", "D")
        case "L":
            return pgettext("lost", "L")
        case "B":
            return pgettext("bye", "B")
    return outcome


@dataclass(frozen=True)
class Pip:
    """One round of a player: the letter W, D, L, B or –, and all of it in words."""

    round: int
    letter: str
    words: str


def pips_of(
    results: Sequence[Result],
    names: Mapping[str, str],
    *,
    with_vp: bool,
    open_pairs: Mapping[tuple[str, str], int] = NONE_OPEN,
) -> dict[str, list[Pip]]:
    """Each player's rounds in order, by the player's id; none at all with more than MOST rounds.

    A round without the player is "–", so that the rounds of all players stand one below the other. ``open_pairs``: the
    round of each open game, from either side.
    """
    last = max([*open_pairs.values(), *(r.round for r in results)], default=0)
    if last > MOST:
        return {}
    rows: dict[str, list[Pip]] = {}
    for (player, other), cells in cross_table(results).items():
        for cell in cells:
            score = f" {cell.vp} : {cell.vp_against}" if cell.vp is not None and with_vp else ""
            name = names.get(other) or gettext("a removed player")
            words = gettext(WORDS[cell.outcome], round=cell.round, score=score, name=name)
            rows.setdefault(player, []).append(Pip(cell.round, cell.outcome, words))
    for r in results:
        if r.b is None:
            rows.setdefault(r.a, []).append(Pip(r.round, "B", gettext("Round %(round)s: bye", round=r.round)))
    for (player, other), number in open_pairs.items():
        words = gettext("Round %(round)s: plays against %(name)s", round=number, name=names[other])
        rows.setdefault(player, []).append(Pip(number, "…", words))
    for pips in rows.values():
        missing = set(range(1, last + 1)) - {pip.round for pip in pips}
        pips += [Pip(number, "–", gettext("Round %(round)s: not played", round=number)) for number in missing]
        pips.sort(key=lambda pip: pip.round)
    return rows


def ways_of(results: Sequence[Result], names: Mapping[str, str], *, with_vp: bool) -> dict[str, list[str]]:
    """Each player's games in words, also those of a knockout, without rounds that the player did not play."""
    every = pips_of(results, names, with_vp=with_vp)
    return {id_: [pip.words for pip in pips if pip.letter != "–"] for id_, pips in every.items()}


def ranks_moved(before: Sequence[Row], now: Sequence[Row]) -> dict[str, int]:
    """How many ranks each player went up since the round before, by id; negative for down. Newcomers are left out."""
    ranks = {row.id: row.rank for row in before if not row.disqualified}
    return {row.id: ranks[row.id] - row.rank for row in now if row.id in ranks and not row.disqualified}
