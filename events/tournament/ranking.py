"""The standings: points, then tie-breaks, each figure with its arithmetic; knockouts; ladders; the cross table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Literal

from events.tournament.figures import Entrant, Figure, Result, Scheme, summed, why_missed
from events.tournament.pairing.knockout import Place
from events.tournament.records import Kind, Record, Unplayed, bye_worth, records, results_by_round, worths
from events.tournament.tie_breaks import TIE_BREAKS, UNPLAYED, Book, TieBreak, TieBreakFunction, vp, vp_difference
from languages.message import Text, counted_message, joined, message
from languages.words import N_, signed


@dataclass(frozen=True)
class Cell:
    """One game from the row player's side. Without VP it is a no-show.

    The ``outcome`` "–" is a game that was not played although both players came.
    """

    round: int
    outcome: Literal["W", "D", "L", "–"]
    vp: int | None = None
    vp_against: int | None = None


def cross_table(results: Iterable[Result]) -> dict[tuple[str, str], tuple[Cell, ...]]:
    """The games of each pair of players by round, from both sides, without byes."""
    cells: dict[tuple[str, str], list[Cell]] = {}
    for r in sorted(results, key=lambda r: r.round):
        if r.b is None:
            continue
        for side, own, other, gained, against in (("a", r.a, r.b, r.vp_a, r.vp_b), ("b", r.b, r.a, r.vp_b, r.vp_a)):
            if r.absent is not None:
                cell = Cell(r.round, "L" if r.absent in (side, "both") else "W")
            elif not r.played:
                cell = Cell(r.round, "–")
            else:
                cell = Cell(r.round, "D" if r.winner == "draw" else "W" if r.winner == side else "L", gained, against)
            cells.setdefault((own, other), []).append(cell)
    return {pair: tuple(games) for pair, games in cells.items()}


@dataclass(frozen=True)
class Row:
    """One player's row. ``played``, wins, draws and losses count only games at the table."""

    rank: int
    """From 1; shared if every figure is equal."""
    id: str
    name: str
    dropped: bool
    played: int
    wins: int
    draws: int
    losses: int
    byes: int
    """The number of byes from the draw."""
    points: int
    vp: int
    vp_difference: int
    figures: tuple[Figure, ...]
    """One figure for each of the scheme's tie-breaks, in order."""
    how: dict[str, Text]
    """The arithmetic of "points", "vp", "vp_difference" and each tie-break, by id."""
    unplayed: tuple[Unplayed, ...] = ()
    """The rounds without a game, in order."""
    entered_round: int = 1
    disqualified: bool = False
    record: str = ""
    """Wins, draws and losses at the table, with byes and opponents' no-shows that count: "2-0-1 +1"."""
    bonus: Text = ""
    """What counts in the points besides rounds: "+1 painted"."""

    @property
    def merit(self) -> Text:
        """What the rank was earned by: how a place in a knockout was won, the record on a ladder, else the points."""
        return self.how.get("place") or self.how.get("ladder") or _points(self.points)

    @property
    def gone(self) -> Text:
        """Why the player does not play on: "disqualified", "dropped"; "" for all others."""
        return message("disqualified") if self.disqualified else message("dropped") if self.dropped else ""

    def without_game(self, number: int) -> Unplayed | None:
        """What the round without a game scores; None for other rounds."""
        return next((unplayed for unplayed in self.unplayed if unplayed.round == number), None)


def ranking_rows(results: Sequence[Result], entrants: Iterable[Entrant], scheme: Scheme) -> list[Row]:
    """The rows of all entrants, best first; equal players are sorted by name, disqualified players come last.

    For the standings after round n, pass the confirmed results of rounds 1 to n. Raises ValueError for an unknown or
    repeated tie-break, and as ``records`` does.
    """
    book = Book(records(results, entrants, scheme), scheme)
    ranked = [id_ for id_, record in book.records.items() if not record.entrant.ringer]
    groups = split(ranked, lambda id_: not book.records[id_].entrant.disqualified)
    return [
        _of_player(book, row)
        for row in rows_by(book, groups, [tie_break.function for tie_break in chosen(scheme.tie_breaks)])
    ]


def rows_by(book: Book, groups: Iterable[Sequence[str]], tie_breaks: Iterable[TieBreakFunction]) -> list[Row]:
    """The rows of these groups of ids, best group first: by points, then by each of the scheme's tie-breaks."""
    by_name = [sorted(group, key=lambda id_: (book.name(id_).casefold(), id_)) for group in groups]
    level = [part for tied in by_name for part in split(tied, lambda id_: book.records[id_].points)]
    figures: dict[str, list[Figure]] = {id_: [] for tied in level for id_ in tied}
    for tie_break in tie_breaks:
        for tied in level:
            for id_ in tied:
                figures[id_].append(tie_break(book, id_, tied))
        level = [part for tied in level for part in split(tied, lambda id_: figures[id_][-1].value)]
    rows: list[Row] = []
    for tied in level:
        rank = len(rows) + 1
        rows += [_row(rank, book, book.records[id_], figures[id_]) for id_ in tied]
    return rows


def chosen(ids: Sequence[str]) -> list[TieBreak]:
    """The tie-breaks with these ids. Raises ValueError for an unknown or repeated id."""
    for id_ in ids:
        if id_ not in TIE_BREAKS:
            raise ValueError(f"there is no tie-break {id_!r}; there are {', '.join(TIE_BREAKS)}")
    if len(set(ids)) < len(ids):
        raise ValueError("a tie-break is named twice")
    return [TIE_BREAKS[id_] for id_ in ids]


def split(ids: Sequence[str], value: Callable[[str], Fraction | int]) -> list[list[str]]:
    """The ids in groups of equal value, the highest first, each in the given order.

    Values are compared as integers over one denominator, which is far faster than comparing fractions.
    """
    if len(ids) == 1:
        return [list(ids)]
    values = [value(id_) for id_ in ids]
    below = lcm(*(number.denominator for number in values))
    groups: dict[int, list[str]] = {}
    for id_, number in zip(ids, values, strict=True):
        groups.setdefault(number.numerator * (below // number.denominator), []).append(id_)
    return [groups[v] for v in sorted(groups, reverse=True)]


def podium(rows: Sequence[Row]) -> list[Row]:
    """The first three ranks; if more than six players share them, the first six."""
    return [row for row in rows if row.rank <= 3 and not row.disqualified][:6]


def _row(rank: int, book: Book, record: Record, figures: Sequence[Figure]) -> Row:
    how = {name: figure.how for name, figure in zip(book.scheme.tie_breaks, figures, strict=True)}
    return Row(
        rank=rank,
        id=record.entrant.id,
        name=record.entrant.name,
        dropped=record.entrant.dropped_after is not None,
        played=len(record.games),
        wins=record.wins,
        draws=record.draws,
        losses=record.losses,
        byes=len(record.bye_rounds),
        points=record.points,
        vp=record.vp,
        vp_difference=record.vp_difference,
        figures=tuple(figures),
        how={"points": points_how(record, book.scheme)} | how,
        record=record.wins_draws_losses,
    )


def _of_player(book: Book, row: Row) -> Row:
    """The row with what only players' standings show."""
    record = book.records[row.id]
    also = {"vp": vp, "vp_difference": vp_difference}
    more = {name: function(book, row.id, ()).how for name, function in also.items() if name not in row.how}
    return replace(
        row,
        unplayed=record.unplayed,
        entered_round=record.entrant.entered_round,
        how=row.how | more,
        disqualified=record.entrant.disqualified,
        bonus=joined((signed(record.entrant.bonus), record.entrant.bonus_for), "\u00a0")
        if record.entrant.bonus
        else "",
    )


OUTCOMES = {
    "win": (N_("win"), N_("wins")),
    "draw": (N_("draw"), N_("draws")),
    "loss": (N_("loss"), N_("losses")),
}
WORTH = {
    "bye": N_("a bye"),
    "empty": N_("a walk-over"),
    "no_show": N_("a win by no-show"),
    "asked": N_("a bye asked for"),
}


def unplayed_words(row: Row, *, why: bool = True) -> tuple[Text, ...]:
    """The rounds without a game, in words and in order: "bye", "missed round 1 (joined in round 2)"."""

    def words(unplayed: Unplayed) -> Text:
        if unplayed.kind not in ("late", "missed"):
            return message(UNPLAYED[unplayed.kind][0])
        if not why:
            return message("missed round %(number)s", number=unplayed.round)
        because = why_missed(unplayed.round, row.entered_round)
        return message("missed round %(number)s (%(why)s)", number=unplayed.round, why=because)

    return tuple(map(words, row.unplayed))


def bye_words(rows: Sequence[Row], results: Sequence[Result], scheme: Scheme) -> Text:
    """The worth of each kind of "+1" in these rows, and of the mark "*"; without VP if they depend on the scenario."""
    seen = {unplayed.kind for row in rows for unplayed in row.unplayed}
    one_worth = scheme.vp_known and not scheme.by_scenario
    whole = bye_worth(results_by_round(results, scheme), scheme) if one_worth else 0
    unit = message("percent of the VP") if scheme.shares else message("VP")
    mean, half = list[Text](), [message(", half of %(n)s", n=whole)]
    if scheme.bye_vp is None:
        half = [message(", half of the winners’ mean of %(n)s", n=whole)]
        so_far, of_all = message(", the mean of the winners so far"), message(", the mean of the winners")
        mean = [so_far if scheme.unfinished else of_all]
    half += [message(", rounded up")] if whole % 2 else []
    because: dict[tuple[Kind, ...], Sequence[Text]] = {
        ("bye", "empty", "no_show"): mean,
        ("asked",): mean if scheme.asked_bye == "win" else half if scheme.asked_bye == "draw" else [],
    }
    sentences = list[Text]()
    for kinds, why in because.items():
        shown = [message(WORTH[kind]) for kind in kinds if kind in seen]
        points, vp_given = worths(scheme, whole)[kinds[0]]
        if shown and points:
            worth: Text = _points(points)
            if one_worth:
                with_vp = message("%(points)s and %(vp)s %(unit)s", points=worth, vp=vp_given, unit=unit)
                worth = joined((with_vp, *why), "")
            sentences.append(message("+1 is %(kinds)s: %(worth)s.", kinds=joined(shown, "or"), worth=worth))
    return joined(filter(None, [*sentences, provisional_words(rows)]), " ")


def _points(points: int) -> Text:
    return counted_message("%(num)s point", "%(num)s points", points)


def provisional_words(rows: Iterable[Row]) -> Text:
    """What the mark of provisional figures means, in a sentence; "" if no figure of these rows has it."""
    if not any(figure.provisional for row in rows for figure in row.figures):
        return ""
    return message("* provisional: it includes the winners’ mean, which changes until the event is closed.")


def points_how(record: Record, scheme: Scheme) -> Text:
    """The points' arithmetic: "2 wins x 3 + 1 draw x 1 = 7"; with a points table by game: "14 (win) + 6 (loss)"."""
    terms = [joined((g.points, message(OUTCOMES[g.outcome][0])), "()") for g in record.games] if scheme.table else []
    counts = [
        (record.wins, *OUTCOMES["win"], scheme.win),
        (record.draws, *OUTCOMES["draw"], scheme.draw),
        (record.losses, *OUTCOMES["loss"], scheme.loss),
    ]
    counts = [] if scheme.table else counts
    for kind, (points, _) in worths(scheme, 0).items():
        if points or kind != "late":
            counts.append((sum(unplayed.kind == kind for unplayed in record.unplayed), *UNPLAYED[kind], points))
    terms += [joined((n, message(text if n == 1 else many), f"× {worth}"), " ") for n, text, many, worth in counts if n]
    if record.entrant.bonus:
        terms.append(joined((record.entrant.bonus, record.entrant.bonus_for), " "))
    how = summed(terms, record.points)
    without = message("; without round %(numbers)s", numbers=joined(record.left_out))
    return joined((how, without), "") if record.left_out else how


def final_places(rows: Sequence[Row], places: Sequence[Place]) -> list[Row]:
    """The rows in their final order and ranks; ``how["place"]`` explains a knockout place.

    Players outside the knockout follow in the order of their rows, with shared ranks. So do disqualified players; the
    places after theirs move up. Raises KeyError for a place without a row.
    """
    by_id = {row.id: row for row in rows}
    out = [place.place for place in places if by_id[place.id].disqualified]
    places = [place for place in places if not by_id[place.id].disqualified]
    first = [
        replace(by_id[p.id], rank=p.place - sum(one < p.place for one in out), how=by_id[p.id].how | {"place": p.how})
        for p in places
    ]
    done = {place.id for place in places}
    rest = [row for row in rows if row.id not in done]
    ranks: dict[int, int] = {}
    for number, row in enumerate(rest, start=len(first) + 1):
        ranks.setdefault(row.rank, number)
    return [*first, *(replace(row, rank=ranks[row.rank]) for row in rest)]
