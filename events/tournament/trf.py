"""Standings and history as a Tournament Report File (FIDE, 2016), for chess tools.

Each player is one line of fixed columns. Player A of a pairing has white. Points other than chess's 1, 1/2 and 0 are
declared in two kinds of extension lines: XXS (for JaVaFo and py4swiss) and BBW, BBD, BBL, BBU (for bbpPairings).
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from events.tournament.figures import Result, Scheme
from events.tournament.ranking import Row

MOST_POINTS = 99.9
"""The most points that fit four columns with a decimal; more are written without."""
OWN_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"}
    | {"ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i", "ħ": "h", "Ħ": "H", "’": "'", "‘": "'", "–": "-", "—": "-"}
)
"""Latin letters that do not decompose into a plain letter and a mark."""
SYSTEMS = {"swiss": "Swiss system", "round_robin": "Round robin", "challenges": "Round robin", "knockout": "Knockout"}
"""The words of each kind of stage."""
Cell = tuple[str, str, str]
"""The opponent's id or "", the colour, and the result."""


@dataclass(frozen=True)
class Heading:
    name: str
    city: str
    starts: date
    ends: date
    kind: str
    rounds: int
    """The number of planned rounds."""
    minutes: int
    """The minutes of a round."""
    teams: Mapping[str, Sequence[str]]
    """In a team event, the players' ids by team name."""


def report_file(heading: Heading, rows: Sequence[Row], results: Sequence[Result], scheme: Scheme) -> str:
    """The whole file in ASCII, with CRLF line ends.

    ``rows`` are the standings, ``results`` the results behind them. Starting numbers follow the players' ids; stand-ins
    come last, with the next ranks. A round without a result is an absence. Points are those from results, so a bonus
    shows only in the rank.
    """
    ranks = {row.id: row.rank for row in rows}
    strangers = sorted({id_ for r in results for id_ in (r.a, r.b) if id_ and id_ not in ranks}, key=by_age)
    ranks |= {id_: len(rows) + place for place, id_ in enumerate(strangers, start=1)}
    names = {row.id: row.name for row in rows}
    number = {id_: n for n, id_ in enumerate(sorted(ranks, key=by_age), start=1)}
    played = max((r.round for r in results), default=0)
    worth = symbol_worths(scheme)
    lines = headings(heading, len(ranks), scheme)
    cells = cells_of(results, scheme)
    for id_, start in number.items():
        rounds = [cells.get((id_, n), ("", "-", "Z")) for n in range(1, played + 1)]
        games = "".join(
            f"  {number[other]:>4} {colour} {result}" if other else f"  0000 {colour} {result}"
            for other, colour, result in rounds
        )
        total = sum(worth[result] for _, _, result in rounds)
        points = f"{total:.1f}" if total <= MOST_POINTS else str(total)
        name = plain(names.get(id_, ""))[:33].rstrip() or f"Player {start}"
        lines.append(f"001 {start:>4}      {name:<33}{'':33}{points:>4} {ranks[id_]:>4}{games}")
    for team, players in heading.teams.items():
        members = " ".join(f"{number[id_]:>4}" for id_ in players if id_ in number)
        lines.append(f"013 {plain(team)[:31] or 'Team':<31} {members}")
    return "".join(f"{line}\r\n" for line in lines)


def headings(heading: Heading, players: int, scheme: Scheme) -> list[str]:
    lines = [
        f"012 {plain(heading.name)}",
        f"022 {plain(heading.city)}",
        f"042 {heading.starts:%Y/%m/%d}",
        f"052 {heading.ends:%Y/%m/%d}",
        f"062 {players}",
        "072 0",
        f"082 {len(heading.teams)}",
        f"092 {heading.kind}",
        f"122 {heading.minutes} minutes a round",
        f"XXR {heading.rounds}",
    ]
    win, draw, loss = scheme.win, scheme.draw, scheme.loss
    if (win, draw, loss) != (1, 0.5, 0):
        ends = ((win, "W"), (draw, "D"), (loss, "L"))
        games = " ".join(f"W{result}={n:.1f} B{result}={n:.1f}" for n, result in ends)
        lines.append(f"XXS {games} ZPB=0.0 HPB={draw:.1f} FPB={win:.1f} PAB={win:.1f} FW={win:.1f} FL=0.0")
        lines += [f"{code} {n:>4.1f}" for code, n in (("BBW", win), ("BBD", draw), ("BBL", loss), ("BBU", win))]
    return lines


def cells_of(results: Sequence[Result], scheme: Scheme) -> dict[tuple[str, int], Cell]:
    asked = {"win": "F", "draw": "H", "loss": "Z"}[scheme.asked_bye]
    cells: dict[tuple[str, int], Cell] = {}
    for r in results:
        if r.b is None:
            cells[r.a, r.round] = ("", "-", asked if r.asked else "U")
            continue
        if not r.played and r.absent is None and scheme.not_played == "draw":
            cells[r.a, r.round] = cells[r.b, r.round] = ("", "-", "H")
            continue
        if not r.played:
            signs = {"a": "-+", "b": "+-"}.get(r.absent or "", "--")
        else:
            signs = {"a": "10", "b": "01", "draw": "=="}[r.winner]
        cells[r.a, r.round] = (r.b, "w", signs[0])
        cells[r.b, r.round] = (r.a, "b", signs[1])
    return cells


def symbol_worths(scheme: Scheme) -> dict[str, int]:
    win, draw = scheme.win, scheme.draw
    return {"1": win, "=": draw, "0": scheme.loss, "+": win, "-": 0, "U": win, "F": win, "H": draw, "Z": 0}


def plain(text: str) -> str:
    """The text in printable ASCII, without accents and without words in other scripts."""
    decomposed = unicodedata.normalize("NFKD", text.translate(OWN_LETTERS))
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    words = [word for word in bare.split() if not any(c.isalnum() and not c.isascii() for c in word)]
    return " ".join("".join(c for c in " ".join(words) if " " <= c <= "~").split())


def by_age(id_: str) -> tuple[int, str]:
    """The sort key of numeric ids: in the order of registration."""
    return len(id_), id_
