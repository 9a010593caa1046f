"""The tie-breaks, one function each; the organiser sets their order.

An opponent met twice counts twice. Opponents' byes and bonuses do not count, because only games show strength. Each
source names the practice that the figure follows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from events.tournament.figures import NO_FIGURE, VP_SHARE, Figure, Scheme, averaged, given, mean, whole
from events.tournament.pairing.seats import lot
from events.tournament.records import Kind, Record, within
from languages.message import Message, Parts, Text, counted_message, joined, message
from languages.words import N_, minus

MATCH_WIN_FLOOR = Fraction(1, 3)
AGAINST: dict[str, str] = {
    "win": N_("win against %(name)s"),
    "draw": N_("draw against %(name)s"),
    "loss": N_("loss against %(name)s"),
}
UNPLAYED: dict[Kind, tuple[str, str]] = {
    "bye": (N_("bye"), N_("byes")),
    "asked": (N_("bye asked for"), N_("byes asked for")),
    "empty": (N_("walk-over"), N_("walk-overs")),
    "no_show": (N_("win by no-show"), N_("wins by no-show")),
    "absent": (N_("no-show"), N_("no-shows")),
    "left": (N_("game lost by leaving"), N_("games lost by leaving")),
    "not_played": (N_("game not played"), N_("games not played")),
    "missed": (N_("round missed"), N_("rounds missed")),
    "late": (N_("round before entry"), N_("rounds before entry")),
}
"""A round without a game in words, singular and plural."""
GIVEN_VP: tuple[Kind, ...] = ("bye", "asked", "empty", "no_show", "absent", "left", "not_played")
"""The kinds shown with victory points even if these are 0."""


@dataclass(frozen=True)
class Book:
    """All records of an event, and the figures that several tie-breaks share."""

    records: dict[str, Record]
    scheme: Scheme

    def name(self, player: str) -> str:
        return self.records[player].entrant.name

    def opponents(self, player: str) -> list[str]:
        """A player's opponents by round, repeated if met again."""
        return self.met[player]

    @cached_property
    def met(self) -> dict[str, list[str]]:
        return {id_: [game.opponent for game in record.field_games] for id_, record in self.records.items()}

    # A player's term is made once, instead of once for each opponent.

    @cached_property
    def with_points(self) -> dict[str, str]:
        return {id_: f"{r.entrant.name} {r.game_points}" for id_, r in self.records.items()}

    @cached_property
    def with_rate(self) -> dict[str, str]:
        """Each player with the tournament points from games, over the number of games."""
        return {id_: f"{text}/{len(self.met[id_])}" for id_, text in self.with_points.items()}

    @cached_property
    def with_strength(self) -> dict[str, Parts]:
        return {id_: joined((self.name(id_), value), " ") for id_, value in self.strength.items()}

    @cached_property
    def with_match_wins(self) -> dict[str, Parts]:
        return {id_: joined((self.name(id_), value), " ") for id_, value in self.match_wins.items()}

    @cached_property
    def rate(self) -> dict[str, Fraction]:
        """Each player's tournament points per game; 0 without games."""
        return {
            id_: Fraction(r.game_points, len(r.field_games)) if r.field_games else Fraction()
            for id_, r in self.records.items()
        }

    @cached_property
    def strength(self) -> dict[str, Fraction]:
        return {id_: mean([self.rate[o] for o in self.opponents(id_)]) for id_ in self.records}

    @cached_property
    def match_wins(self) -> dict[str, Fraction]:
        """Each player's share of the tournament points available in their games, at least the floor."""
        return {id_: max(MATCH_WIN_FLOOR, rate / self.scheme.most) for id_, rate in self.rate.items()}

    @cached_property
    def draw_of_lots(self) -> dict[str, int]:
        """Each player's place, from 1, in the drawing of lots, which a later entry does not change for the others."""
        ranked = [id_ for id_, record in self.records.items() if not record.entrant.ringer]
        drawn = sorted(ranked, key=lambda id_: (lot(self.scheme.seed, "tie-break", id_), id_))
        return {id_: place for place, id_ in enumerate(drawn, start=1)}


TieBreakFunction = Callable[[Book, str, Sequence[str]], Figure]
"""A function of the book, a player's id, and the ids of all players still tied, including that player."""


def vp(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Victory points of all rounds, or their shares; a bye with its value.

    Source: the Polish championship, 2022. Source of the shares: decision 0220.
    """
    record = book.records[player]
    because = [(g.vp, message("conceded") if g.conceded else g.share) for g in record.games]
    because += [
        (unplayed.vp, message(UNPLAYED[unplayed.kind][0])) for unplayed in record.unplayed if unplayed.kind in GIVEN_VP
    ]
    terms = [joined((vp, why), "()") if why else vp for vp, why in because]
    provisional = any(g.provisional for g in record.games) or any(unplayed.provisional for unplayed in record.unplayed)
    return whole(record.vp, [*terms, *of_rulings(record)], provisional=provisional)


def vp_difference(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Own minus opponents' victory points over the games, each within the event's limit; byes add none.

    Source: Malifaux, Gaining Grounds.
    """
    record = book.records[player]
    terms = list[Text]()
    for g in record.games:
        counted = within(book.scheme, g.vp - g.vp_against)
        limited = counted != g.vp - g.vp_against
        limit = message(", counted as %(n)s", n=counted) if limited else ""
        terms.append(joined((f"({g.vp} − {g.vp_against}", limit, ")"), ""))
    return whole(record.vp_difference, [*terms, *of_rulings(record)])


def second(book: Book, player: str, tied: Sequence[str], place: int = 0) -> Figure:
    """The first of the game's other figures, added up over the games; byes add none.

    Source: Infinity, ITS: objective points, then victory points; the game says which figure it is.
    """
    figures = [game.also[place] if place < len(game.also) else 0 for game in book.records[player].games]
    return whole(sum(figures), figures)


def third(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """The second of them. Source: as of the first."""
    return second(book, player, tied, place=1)


def of_rulings(record: Record) -> list[Message]:
    """The term for VP from rulings; empty if there are none."""
    return [message("%(n)s (rulings)", n=record.entrant.vp_ruled)] if record.entrant.vp_ruled else []


def sos(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Mean of the opponents' tournament points per game. Source: Star Wars: Legion tournament regulations."""
    return averaged([book.with_rate[o] for o in book.opponents(player)], book.strength[player])


def esos(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Mean of the opponents' strength of schedule. Source: Star Wars: Legion tournament regulations."""
    met = book.opponents(player)
    return averaged([book.with_strength[o] for o in met], mean([book.strength[o] for o in met]))


def omw(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Mean of the opponents' match-win share, none below 1/3. Source: Magic tournament rules, appendix C."""
    met = book.opponents(player)
    return averaged([book.with_match_wins[o] for o in met], mean([book.match_wins[o] for o in met]))


def buchholz(book: Book, player: str, tied: Sequence[str], cut_low: int = 0, cut_high: int = 0) -> Figure:
    """Sum of the opponents' tournament points from games. Source: FIDE, tie-break regulations (Buchholz)."""
    met = sorted(book.opponents(player), key=lambda o: (book.records[o].game_points, o))
    highest = max(cut_low, len(met) - cut_high)
    kept, cut = met[cut_low:highest], met[:cut_low] + met[highest:]
    figure = whole(sum(book.records[o].game_points for o in kept), [book.with_points[o] for o in kept])
    left_out = message("; left out: %(names)s", names=joined(map(book.name, cut)))
    return replace(figure, how=joined((figure.how, left_out), "")) if cut else figure


def buchholz_cut1(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Buchholz without the weakest opponent. Source: FIDE, tie-break regulations (cut-1)."""
    return buchholz(book, player, tied, cut_low=1)


def buchholz_median(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Buchholz without weakest and strongest opponent. Source: FIDE, tie-break regulations (median)."""
    return buchholz(book, player, tied, cut_low=1, cut_high=1)


def head_to_head(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Tournament points from the games between the tied players, if all have met and these points separate them all.

    Source: FFG's tournament software, where it counts for a player who beat all others tied; here for all or none.
    """
    if len(tied) < 2:
        return Figure(Fraction(), NO_FIGURE, message("nobody is level at this point"))
    level = set(tied)
    scores: list[int] = []
    for id_ in tied:
        among = [game for game in book.records[id_].games if game.opponent in level]
        if {game.opponent for game in among} != level - {id_}:
            how = counted_message(
                "does not count: the %(num)s level player has met nobody",
                "does not count: the %(num)s level players have not all met",
                len(tied),
            )
            return Figure(Fraction(), NO_FIGURE, how)
        scores.append(sum(game.points for game in among))
    if len(set(scores)) < len(tied):
        how = counted_message(
            "does not count: the games of the %(num)s level player order nothing",
            "does not count: the games among the %(num)s level players do not order them all",
            len(tied),
        )
        return Figure(Fraction(), NO_FIGURE, how)
    games = [game for game in book.records[player].games if game.opponent in level]
    return whole(
        sum(game.points for game in games),
        [joined((g.points, message(AGAINST[g.outcome], name=book.name(g.opponent))), "()") for g in games],
    )


def wins(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Games won at the table, without byes. Source: FIDE, tie-break regulations (games won)."""
    record = book.records[player]
    value = record.wins
    how = counted_message(
        "%(n)s of %(games)s game won at the table",
        "%(n)s of %(games)s games won at the table",
        len(record.games),
        n=value,
        games=len(record.games),
    )
    return Figure(Fraction(value), str(value), how)


def painting(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """The painting score. Source: pairing.md; clubs score it by their own sheet, or let players vote."""
    entrant = book.records[player].entrant
    return given(entrant.painting, entrant.painting_how, message("painting"))


def sportsmanship(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """The sportsmanship score. Source: pairing.md; clubs score it by their own sheet, or let opponents mark."""
    entrant = book.records[player].entrant
    return given(entrant.sportsmanship, entrant.sportsmanship_how, message("sportsmanship"))


def conduct(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """Bonuses minus penalties in tournament points, if rulings are a tie-break.

    Source: TourneyKeeper, whose standings show a column of penalties next to the points from games.
    """
    value = book.records[player].entrant.conduct
    return Figure(Fraction(value), minus(value), message("bonuses less penalties = %(n)s", n=value))


def drawing_of_lots(book: Book, player: str, tied: Sequence[str]) -> Figure:
    """The place in a drawing of lots from the stored seed. Source: FIDE, tie-break regulations (lots)."""
    place = book.draw_of_lots[player]
    how = message(
        "drawn %(place)s of %(all)s from the draw number %(seed)s; the lowest goes first",
        place=place,
        all=len(book.draw_of_lots),
        seed=book.scheme.seed,
    )
    return Figure(Fraction(-place), str(place), how, is_place=True)


@dataclass(frozen=True)
class TieBreak:
    """A tie-break: its id in an event's settings, its column label, its explanation; both to be worded by gettext."""

    id: str
    label: str
    explanation: str
    function: TieBreakFunction


TIE_BREAKS: dict[str, TieBreak] = {
    tie_break.id: tie_break
    for tie_break in (
        TieBreak("vp", N_("VP"), N_("Victory points of all rounds, byes included"), vp),
        TieBreak(
            VP_SHARE,
            N_("VP share"),
            N_("Each game’s victory points in percent of what both players scored, 50 in a draw, added up"),
            vp,
        ),
        TieBreak(
            "vp_difference",
            N_("VP diff."),
            N_("Own less opponents’ victory points; a bye adds none"),
            vp_difference,
        ),
        TieBreak("second", N_("Second figure"), N_("Another figure of the reports"), second),
        TieBreak("third", N_("Third figure"), N_("Another figure of the reports"), third),
        TieBreak(
            "sos",
            N_("SoS"),
            N_("Strength of schedule: opponents’ mean points per game, without byes and painting"),
            sos,
        ),
        TieBreak("esos", N_("Ext. SoS"), N_("Mean of the opponents’ strength of schedule"), esos),
        TieBreak("omw", N_("OMW"), N_("Mean of the opponents’ match-win share, none counted below 1/3"), omw),
        TieBreak("buchholz", N_("Buchholz"), N_("Sum of the opponents’ points from games"), buchholz),
        TieBreak("buchholz_cut1", N_("Buchh. cut 1"), N_("Buchholz without the weakest opponent"), buchholz_cut1),
        TieBreak(
            "buchholz_median",
            N_("Buchh. median"),
            N_("Buchholz without the weakest and the strongest"),
            buchholz_median,
        ),
        TieBreak(
            "head_to_head",
            N_("Head to head"),
            N_("Points from the games of the tied, if these order them all"),
            head_to_head,
        ),
        TieBreak("wins", N_("Wins"), N_("Games won at the table; a bye is none"), wins),
        TieBreak("painting", N_("Painting"), N_("The event’s figure for painting"), painting),
        TieBreak("sportsmanship", N_("Sports"), N_("The event’s figure for sportsmanship"), sportsmanship),
        TieBreak("conduct", N_("Conduct"), N_("Bonuses less penalties, in tournament points"), conduct),
        TieBreak("lots", N_("Lot"), N_("Drawn by lot: the lowest number goes first"), drawing_of_lots),
    )
}
"""Every tie-break by id, in the order of the settings page."""
