"""The standings: one path for every kind of event, from an event as it stands and what its players bring."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.ladder import ladder_order
from events.tournament.pairing.knockout import Place, places
from events.tournament.ranking import Row, final_places, ranking_rows
from events.tournament.records import Record, records
from events.tournament.team_ranking import team_ranking_rows
from events.tournament.tournament import NOTHING, Extras, Ruled, Tournament
from languages.message import Message, Text, joined, message


def bonus_words(points: int) -> Message:
    """The label of points from rulings in the arithmetic of a player's points."""
    return message("penalty") if points < 0 else message("bonus of the staff")


@dataclass(frozen=True, eq=False)
class Standings:
    """An event's standings after any of its rounds. A round that does not count yet is left out."""

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
        listed = tuple(self._entrants(self.t.field(last), last))
        rows = [*_ranked(tuple(self.t.results(last)), listed, self.t.rules.scheme)]
        season, bracket = self.t.rules.season, self.t.bracket(last)
        if season is not None and season.kind == "ladder":
            rows = [replace(row, how={**row.how, "ladder": row.record}) for row in rows]
            out = {row.id for row in rows if row.dropped}
            order = ladder_order(sorted((row.id for row in rows), key=int), self.t.challenges(last))
            rows = final_places(
                rows, [Place(n, id_, "") for n, id_ in enumerate((i for i in order if i not in out), 1)]
            )
        if bracket is None:
            return rows
        left = self.t.left_bracket(bracket)
        placed = [replace(place, how=self._won_how(place)) for place in places(bracket, left)]
        rows = final_places(rows, placed)
        if self.t.knockout[0].number > 1:
            return rows
        hows = {place.id: place.how for place in placed}  # also of disqualified players, who have no place
        return [replace(row, how=row.how | {"place": hows.get(row.id) or message("did not play")}) for row in rows]

    def _won_how(self, place: Place) -> Text:
        """How a place was won, with the result of the final or of the game for third place."""
        match = place.last
        if match is None:
            return place.how
        pair = {match.a, match.b}
        board = next((b for r in self.t.knockout[-1:] for b in r.boards if b.b and {b.a, b.b} == pair), None)
        if board is None:
            return message("%(how)s by walk-over", how=place.how) if match.winner else place.how
        other = self.t.sides[(board.b or "") if board.a == place.id else board.a].name
        score, is_decided = board.score, board.decision in ("a", "b")
        if score is None or not score.known:
            how = message("%(how)s against %(name)s", how=place.how, name=other)
        else:
            own, others = (score.a, score.b) if board.a == place.id else (score.b, score.a)
            how = message(
                "%(how)s %(own)s : %(others)s against %(name)s", how=place.how, own=own, others=others, name=other
            )
        return message("%(how)s, decided by the organiser", how=how) if is_decided else how

    def of_teams(self, number: int | None = None) -> list[Row]:
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
        if self.t.rules.teams:
            return self._entrants(self.t.teams, after)
        return self.t.entrants(self.t.players, after, {id_: extra.values for id_, extra in self.extras.items()})

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
        """The entrants with all tournament points from outside games, and rounds that do not count as missed."""
        rulings = self.t.ruled(last) if self.t.rules.rulings_count == "points" else {}
        waits, fields = self.t.open_rounds(last), {}
        for id_ in ids:
            extra, ruled = self.extras.get(id_, NOTHING), rulings.get(id_, Ruled()).points
            earned = [bonus for bonus in (*extra.bonuses, (ruled, bonus_words(ruled))) if bonus[0]]
            fields[id_] = {**extra.values, "open_rounds": tuple(waits.get(id_, ())), **_bonus(earned)}
        return self.t.entrants(fields, last, fields)


def _bonus(earned: Sequence[tuple[int, Text]]) -> dict[str, Any]:
    """The fields of an entrant for these tournament points from outside games, each with its reason."""
    if not earned:
        return {}
    each = joined(joined((str(points), why), " ") for points, why in earned)
    why = earned[0][1] if len(earned) == 1 else message("bonus (%(terms)s)", terms=each)
    return {"bonus": sum(points for points, _ in earned), "bonus_for": why}


@lru_cache(maxsize=10)
def _ranked(results: tuple[Result, ...], listed: tuple[Entrant, ...], scheme: Scheme) -> list[Row]:
    """Cached, because most pages need the same standings."""
    return ranking_rows(results, listed, scheme)
