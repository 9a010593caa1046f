"""The standings: one path for every kind of event, from an event as it stands and what its players bring."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.ladder import ladder_order
from events.tournament.pairing.knockout import Place, places
from events.tournament.ranking import Row, final_places, ranking_rows
from events.tournament.records import Record, records
from events.tournament.team_ranking import team_ranking_rows
from events.tournament.tournament import Extra, Extras, Ruled, Tournament
from languages.words import gettext, language


def bonus_words(points: int) -> str:
    """The label of points from rulings in the arithmetic of a player's points."""
    return gettext("penalty") if points < 0 else gettext("bonus of the staff")


@dataclass(frozen=True, eq=False)
class Standings:
    """An event's standings after any of its rounds. Only rounds that count are counted, whatever is asked for."""

    t: Tournament
    extras: Extras

    def after(self, number: int | None = None) -> list[Row]:
        """The rows of those who are paired, by default after the last round that counts: of teams, else of players."""
        return self.of_teams(number) if self.t.rules.teams else self.of_players(number)

    def of_players(self, number: int | None = None) -> list[Row]:
        """The players' rows; places from a ladder or a knockout come first."""
        return self.players_as_of(self._last(number))

    def players_as_of(self, last: int) -> list[Row]:
        """The players' rows by the rounds up to ``last``, although not all of them may count yet: for previews."""
        waits = self.t.open_rounds(last)
        listed = [replace(one, open_rounds=tuple(waits[one.id])) for one in self._entrants(self.t.field(last), last)]
        rows = [*_ranked(tuple(self.t.results(last)), tuple(listed), self.t.rules.scheme, language())]
        season, bracket = self.t.rules.season, self.t.bracket(last)
        if season is not None and season.kind == "ladder":
            out = {row.id for row in rows if row.dropped}
            order = ladder_order(sorted((row.id for row in rows), key=int), self.t.challenges(last))
            rows = final_places(
                rows, [Place(n, id_, "") for n, id_ in enumerate((i for i in order if i not in out), 1)]
            )
        return final_places(rows, places(bracket)) if bracket else rows

    def of_teams(self, number: int | None = None) -> list[Row]:
        """The teams' rows."""
        return self.teams_as_of(self._last(number))

    def teams_as_of(self, last: int) -> list[Row]:
        """The teams' rows by the rounds up to ``last``, although not all of them may count yet: for previews."""
        field = self._entrants(self.t.team_field(last), last)
        return team_ranking_rows(self.t.matches(last), field, self.t.records(last), self.t.rules.match_scheme)

    def each(self, upto: int) -> list[list[Row]]:
        """The players' rows after each round up to this one, of those that count."""
        return [self.of_players(number) for number in range(1, self._last(upto) + 1)]

    def entrants_to_draw(self, after: int) -> list[Entrant]:
        """All teams, else all players, as a draw counts them after a round: bonuses of players only as rulings move."""
        return (
            self._entrants(self.t.teams, after)
            if self.t.rules.teams
            else self.t.entrants(self.t.players, after, self.extras)
        )

    def ranked_to_draw(self, field: Sequence[Entrant], after: int) -> list[Row]:
        """These entrants in the order in which a draw by standing seats them, without places from a knockout."""
        if self.t.rules.teams:
            return team_ranking_rows(self.t.matches(after), field, self.t.records(after), self.t.rules.match_scheme)
        return ranking_rows(self.t.side_results(after), field, self.t.rules.scheme)

    def records(self, after: int) -> dict[str, Record]:
        """The records of teams with their bonuses, else of players without, from the rounds up to ``after``."""
        if not self.t.rules.teams:
            return self.t.records(after)
        return records(self.t.team_results(after), self.entrants_to_draw(after), self.t.rules.match_scheme)

    def _last(self, number: int | None) -> int:
        return self.t.counted if number is None else min(number, self.t.counted)

    def _entrants(self, ids: Iterable[str], last: int) -> list[Entrant]:
        rulings = self.t.ruled(last) if self.t.rules.rulings_count == "points" else {}
        return [
            _with_bonus(one, self.extras.get(one.id, Extra()), rulings.get(one.id, Ruled()).points)
            for one in self.t.entrants(ids, last, self.extras)
        ]


def _with_bonus(entrant: Entrant, extra: Extra, ruled: int) -> Entrant:
    """The entrant with all tournament points from outside games, and the reason."""
    earned = [*extra.bonuses, (ruled, bonus_words(ruled))]
    counted = [(points, why) for points, why in earned if points]
    each = ", ".join(f"{points} {why}" for points, why in counted)
    why = counted[0][1] if len(counted) == 1 else gettext("bonus (%(terms)s)", terms=each)
    return replace(entrant, bonus=sum(points for points, _ in earned), bonus_for=why)


@lru_cache(maxsize=10)
def _ranked(results: tuple[Result, ...], listed: tuple[Entrant, ...], scheme: Scheme, _language: str) -> list[Row]:
    """Cached, because most pages need the same standings, in the language of their explanations."""
    return ranking_rows(results, listed, scheme)
